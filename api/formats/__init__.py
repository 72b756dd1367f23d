"""How instants are written where no template says it: with seconds, in UTC, for whoever compares them with a log."""
