"""People, and the tokens that act for them."""
