"""What the tests need running before pytest reads anything else."""
