"""An early plugin: a throw-away PostgreSQL and Valkey, up before pytest-django reads the settings.

Django gets the app role, as in production; the owner's door is only in `SERVICES`.
"""

import os

from deploy import throwaway

SERVICES = throwaway.start()

os.environ.pop("MIGRATION_DATABASE_URL", None)
os.environ.update(SERVICES.variables())
os.environ["MUTIRAO_RATE_LIMITS"] = "0"  # a suite asks more often than people do; who tests the limits sets them
