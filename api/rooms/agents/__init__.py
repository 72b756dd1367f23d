"""Agent instances: lease, epoch, step, state and inbox cursor of one agent in one session."""
