"""What an operator would look at first, one question a function: each answers in words and never hangs."""
