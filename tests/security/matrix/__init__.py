"""Every route and socket x every role x a foreign tenant: `table` is the data, the URL map must agree with it."""
