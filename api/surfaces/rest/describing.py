"""What the OpenAPI document says of every route: refusals are problems, by the same body everywhere."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from contracts.problem import PROBLEM_MEDIA_TYPE, Problem

REFUSALS = ("4XX", "503")


class ProblemSchema(AutoSchema):
    """Which codes of a status there are is said in `ProblemCode`."""

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        for status in REFUSALS:
            bodies[status] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                Problem, status, media_types=[PROBLEM_MEDIA_TYPE], direction=direction
            )
        return bodies
