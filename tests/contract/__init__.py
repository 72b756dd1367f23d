"""The wire: golden schemas, compatibility, old payloads, and every declared route served."""
