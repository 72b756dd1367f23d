"""What went wrong in a turn, and what the person can do about it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contracts.failures import ErrorCode, FailureOrigin

ORIGINS: dict[FailureOrigin, Promise] = {
    FailureOrigin.INFRA: _("Infrastructure"),
    FailureOrigin.MODEL: _("Model"),
    FailureOrigin.CODE: _("Mutirão itself"),
    FailureOrigin.POLICY: _("Policy"),
}

FAILURES: dict[ErrorCode, Promise] = {
    ErrorCode.PROVIDER_UNREACHABLE: _(
        "The model provider cannot be reached. Check its address, or continue in a moment."
    ),
    ErrorCode.PROVIDER_TIMEOUT: _("The model provider took too long. Continue to ask again."),
    ErrorCode.PROVIDER_UNAVAILABLE: _("The model provider has a problem of its own. Continue in a moment."),
    ErrorCode.RATE_LIMITED: _("The model provider limits how often it may be asked. Wait a little, then continue."),
    ErrorCode.STREAM_INCOMPLETE: _("The answer broke off on its way. Continue to ask again."),
    ErrorCode.NOT_A_MODEL_ANSWER: _("Something that is no model answered. Check the address of your model provider."),
    ErrorCode.INTERRUPTED: _("The work was interrupted twice. Everything so far is kept: choose Continue to go on."),
    ErrorCode.WORKER_LOST: _("The process that did this work was lost. Choose Continue to go on."),
    ErrorCode.SERVICE_UNREACHABLE: _("A part of Mutirão could not be reached. Continue in a moment."),
    ErrorCode.INVALID_TOOL_ARGUMENTS: _(
        "The model used a tool in a way that makes no sense. Nothing was changed by it."
    ),
    ErrorCode.UNKNOWN_TOOL: _("The model asked for a tool that does not exist. Nothing was changed by it."),
    ErrorCode.INVALID_ARTIFACT: _("What the model wanted to record was not complete, so it was not recorded."),
    ErrorCode.DUPLICATE_RULE: _("A business rule with this title exists already, so it was not recorded again."),
    ErrorCode.DUPLICATE_STORY: _("A story with this title exists already, so it was not made again."),
    ErrorCode.STALE_VERSION: _("The story had been changed meanwhile, so it was not changed over that."),
    ErrorCode.INVALID_BACKLOG: _("What the model wanted in the backlog does not fit what is there."),
    ErrorCode.TASKS_EXIST: _("The story has tasks already, and nobody said that they may be replaced."),
    ErrorCode.INVALID_TASKS: _("What the model wrote is no list of tasks that could be kept."),
    ErrorCode.DUPLICATE_MODULE_MAP: _("The model made another module map without saying which one it replaces."),
    ErrorCode.INVALID_ARCHITECTURE: _("What the model wanted of the architecture does not fit what is there."),
    ErrorCode.OUTPUT_TRUNCATED: _(
        "The model's answer was cut at its length limit. Ask for a shorter answer or for parts."
    ),
    ErrorCode.EMPTY_ANSWER: _(
        "The model gave an empty answer several times. Say it in other words or use another model."
    ),
    ErrorCode.REFUSAL: _("The model declined to answer this. Say it in other words or use another model."),
    ErrorCode.ITERATION_LIMIT: _(
        "The agent reached its limit of steps for one turn. Continue to give it another turn."
    ),
    ErrorCode.STUCK: _("The agent repeated itself and was stopped. Give it a hint or use another model."),
    ErrorCode.REQUEST_REJECTED: _(
        "The model provider did not accept our request. The details below help to correct it."
    ),
    ErrorCode.MODEL_NOT_FOUND: _(
        "The model provider does not know this model, or no longer. Choose another one for this agent under Models."
    ),
    ErrorCode.CONTEXT_TOO_LARGE: _(
        "This conversation is too long for the model. Shorten the message or open a new session."
    ),
    ErrorCode.AGENT_CRASHED: _("The agent met a defect of ours. Everything so far is kept: try another message."),
    ErrorCode.UNKNOWN_FAILURE: _(
        "Something happened that Mutirão does not know yet. The details below show it as it came."
    ),
    ErrorCode.BUDGET_EXCEEDED: _("The budget does not allow this call. Ask an owner to raise it, then continue."),
    ErrorCode.MODEL_UNPRICED: _("This model has no price, and a budget applies. Give it a price under Models."),
    ErrorCode.NO_BINDING: _("No model is set for this agent. Choose one under Model, in the project or session."),
    ErrorCode.NO_CREDENTIAL: _(
        "There is no key for this model provider. An owner of the workspace adds one under Keys."
    ),
    ErrorCode.CREDENTIAL_REJECTED: _(
        "The model provider did not accept the key. An owner of the workspace replaces it under Keys."
    ),
    ErrorCode.CREDENTIAL_UNREADABLE: _(
        "The stored key cannot be read any more. An owner of the workspace enters it again under Keys."
    ),
    ErrorCode.PAYMENT_REQUIRED: _("The model provider asks for payment. Check your account there, then continue."),
    ErrorCode.MODEL_NOT_ALLOWED: _(
        "This model does not exist or may not be used. Choose another under Model, in the project or session."
    ),
    ErrorCode.CONTENT_FILTERED: _("The model provider's filter held this back. Say it in other words."),
    ErrorCode.CANCELLED_BY_USER: _("You stopped this turn. Send a message or choose Continue to go on."),
    ErrorCode.NO_BUSINESS_RULE: _(
        "There is no business rule yet, so no brief was written. Talk until the first is recorded."
    ),
    ErrorCode.HANDOFF_REFUSED: _("The work could not be handed over. What was written is kept; the details say why."),
    ErrorCode.QUEUE_FULL: _("Ten messages were waiting already, so this one was not taken. Send it again later."),
    ErrorCode.AWAITING_DECISION: _(
        "The agent waits for a decision of yours, so the message was not taken. Decide first."
    ),
}
