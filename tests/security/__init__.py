"""Each threat has a control, and each control a test here that fails without it."""
