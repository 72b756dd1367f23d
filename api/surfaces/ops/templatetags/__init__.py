"""Tags of the operators' pages."""
