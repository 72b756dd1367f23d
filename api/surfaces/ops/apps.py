"""Django's name for this surface."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "api.surfaces.ops"
    label = "ops"

    def ready(self) -> None:
        """The models are there now; the admin is not yet."""
        from api.surfaces.ops.names import name_everything

        name_everything()
