"""Where the outside meets the rooms: translate, call one shell function, translate back."""
