"""What operators use: health, management commands."""
