"""All internal routes."""

from api.surfaces.internal import effects, instances, model

urlpatterns = [*instances.URLS, *effects.URLS, *model.URLS]
