"""People, places and workers that tests are made of, and ways to force a race."""
