"""Iterations: which stories are built together, in which order, and how many fit."""

from django.db import models

from api.rooms.backlog.models.backlog import Numbered


class Iteration(Numbered):
    """`capacity` counts stories; more than that is shown and not refused. `session` is where it is told."""

    capacity = models.IntegerField()
    version = models.IntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_iteration_by_number"),
            models.CheckConstraint(condition=models.Q(capacity__gte=1), name="something_fits"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"I-{self.number}"
