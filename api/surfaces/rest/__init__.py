"""The public API, `/api/v1`: DRF for authentication, negotiation and the OpenAPI document; pydantic for bodies."""
