"""The routes that only the engine may call; the words are in `contracts.routes`."""
