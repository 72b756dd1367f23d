"""Fixtures that every folder of tests may use."""

from tests.plugins.browser import browser, chromium
from tests.plugins.database import committed, django_db_setup
from tests.plugins.stack import Stack, stack

__all__ = ["Stack", "browser", "chromium", "committed", "django_db_setup", "stack"]
