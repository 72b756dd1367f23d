"""All internal routes, by the service that serves them."""

from contracts.base import Message
from contracts.routes import effects, engine, instances, model, workers
from contracts.routes.route import Route, Style

SERVED_BY_API: tuple[Route[Message, Message], ...] = (
    *instances.ROUTES,
    *model.ROUTES,
    *effects.ROUTES,
    *workers.ROUTES,
)
SERVED_BY_ENGINE: tuple[Route[Message, Message], ...] = engine.ROUTES

__all__ = ["SERVED_BY_API", "SERVED_BY_ENGINE", "Route", "Style"]
