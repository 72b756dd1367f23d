"""All internal routes, by the service that serves them."""

from contracts.routes import architecture, backlog, detailing, effects, engine, instances, model, work_items, workers
from contracts.routes.route import AnyRoute, Route

SERVED_BY_API: tuple[AnyRoute, ...] = (
    *instances.ROUTES,
    *model.ROUTES,
    *effects.ROUTES,
    *backlog.ROUTES,
    *architecture.ROUTES,
    *detailing.ROUTES,
    *work_items.ROUTES,
    *workers.ROUTES,
)
SERVED_BY_ENGINE: tuple[AnyRoute, ...] = engine.ROUTES

__all__ = ["SERVED_BY_API", "SERVED_BY_ENGINE", "AnyRoute", "Route"]
