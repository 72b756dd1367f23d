"""Words and marks that templates use."""
