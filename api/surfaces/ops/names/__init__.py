"""Rows and columns as operators read them.

They are set on the models when Django is ready, not declared there: declared names are part of a migration's state,
and a word that is put better must not need one.
"""

from django.apps import apps

from api.surfaces.ops.names.columns import COLUMNS
from api.surfaces.ops.names.kinds import KINDS


def name_everything() -> None:
    """Once, before the admin looks at the models. A column without a name here keeps Django's."""
    for label, (one, many) in KINDS.items():
        meta = apps.get_model(label)._meta  # noqa: SLF001 - Django's documented interface
        meta.verbose_name, meta.verbose_name_plural = one, many
        for field in meta.fields:
            field.verbose_name = COLUMNS.get(field.name, field.verbose_name)
