"""A refusal that a surface turns into a problem body; rooms raise it, nothing is written."""

from contracts.problem import STATUS_OF, ProblemCode


class Refusal(Exception):
    """`detail` says what, where and what to do, in English; pages have their own sentence by `code`."""

    def __init__(self, code: ProblemCode, detail: str, facts: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.facts = facts or {}

    @property
    def status(self) -> int:
        return STATUS_OF[self.code]


def not_found(what: str) -> Refusal:
    """The same answer for what does not exist and for what is another tenant's."""
    return Refusal(ProblemCode.NOT_FOUND, f"No such {what}, or you may not see it.")
