"""One module for each page: translate, call one service or selector, translate back."""
