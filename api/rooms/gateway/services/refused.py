"""The final frame of a call that was not bought."""

from api.rooms.gateway.services.measuring import REFUSED
from contracts.failures import ErrorCode
from contracts.routes.model import Final, ModelError, ModelMessage
from contracts.vocabulary import FinishReason, MessageRole

NOTHING = ModelMessage(role=MessageRole.ASSISTANT)


def refused(attempt: int, code: ErrorCode, facts: dict[str, str], *, is_repeated: bool) -> Final:
    """No bill, since nothing was bought; `facts` are what the sentence for people needs."""
    REFUSED.labels(code.value, facts.get("node", "")).inc()
    return Final(
        attempt=attempt,
        message=NOTHING,
        finish=FinishReason.ERROR,
        bill=None,
        error=ModelError(code=code, diagnosis=code.value, facts=facts),
        is_repeated=is_repeated,
    )
