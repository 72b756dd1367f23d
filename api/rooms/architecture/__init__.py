"""A project's architecture: modules, image and diagrams, each version an event; the highest one holds."""
