"""Rules of proposed actions: pure."""
