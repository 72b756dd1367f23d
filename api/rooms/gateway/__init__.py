"""The only door to model providers: every call is bound, priced, held, made, metered and settled here."""
