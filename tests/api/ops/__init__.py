"""What operators ask of the api."""
