"""Tests of budgets on PostgreSQL."""
