"""Django's PostgreSQL backend, with cheaper connections: ENGINE names this package."""
