"""The gateway's and the budgets' rules, without Django and without sockets."""
