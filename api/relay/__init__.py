"""The relay process: drains the outbox and sweeps each second."""
