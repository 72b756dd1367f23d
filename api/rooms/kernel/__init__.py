"""What every room stands on: clock, ids, refusals, database threads, crypto, the engine's address."""
