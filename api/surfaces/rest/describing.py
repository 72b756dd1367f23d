"""What the OpenAPI document says of every route: refusals are problems, by the same body everywhere."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from contracts.problem import PROBLEM_MEDIA_TYPE, Problem

REFUSALS = ("4XX", "5XX")
HEADERS = {
    "X-Request-ID": "What the logs know this request by; a problem names it as `request_id`.",
    "RateLimit-Policy": "How many requests (`q`) may be made in a window of `w` seconds, by policy.",
    "RateLimit": "How many are left (`r`) of each policy, and seconds until the window moves on (`t`).",
}
RETRY_AFTER = {"Retry-After": "Seconds to wait, with 429."}


class ProblemSchema(AutoSchema):
    """Which codes of a status there are is said in `ProblemCode`."""

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        for status in REFUSALS:
            bodies[status] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                Problem, status, media_types=[PROBLEM_MEDIA_TYPE], direction=direction
            )
        for status, body in bodies.items():
            body["headers"] = _described(HEADERS | RETRY_AFTER if status == "4XX" else HEADERS)
        return bodies


def _described(headers: dict[str, str]) -> dict[str, Any]:
    return {name: {"schema": {"type": "string"}, "description": meaning} for name, meaning in headers.items()}
