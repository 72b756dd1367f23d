"""The engine against a small api of its own, over real sockets."""
