"""Stand-ins that speak the real thing's language, documented as well as it is."""
