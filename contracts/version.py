"""The wire's version and its rule: additions within a version, a new path prefix for anything else."""

WIRE_VERSION = 1
INTERNAL_PREFIX = f"/internal/v{WIRE_VERSION}"
