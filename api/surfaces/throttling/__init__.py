"""How often people may ask: rules, counters in Valkey, and the doors where they are asked (threat 28)."""
