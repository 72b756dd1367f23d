"""Why a request was refused, and what the person can do about it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from contracts.problem import ProblemCode

PROBLEMS: dict[ProblemCode, Promise] = {
    ProblemCode.INVALID_BODY: _("Something in the form is missing or too long. Check the fields and send it again."),
    ProblemCode.INVALID_PARAMETER: _(
        "The address of this page has a value that cannot be used. Go back and try again."
    ),
    ProblemCode.UNAUTHENTICATED: _("You are not signed in any more. Sign in and try again; what you wrote is kept."),
    ProblemCode.SIGNATURE_INVALID: _("This request could not be verified. Reload the page and try again."),
    ProblemCode.FORBIDDEN: _("Your role here does not allow this. Ask an owner of the workspace to change it."),
    ProblemCode.HANDOFF_REQUIRED: _(
        "This agent starts only with an accepted handoff. Accept one that is waiting first."
    ),
    ProblemCode.NOT_FOUND: _(
        "This does not exist, or you may not see it. Check the address or go back to your projects."
    ),
    ProblemCode.METHOD_NOT_ALLOWED: _("This page cannot be used that way. Go back and try again from there."),
    ProblemCode.NOT_ACCEPTABLE: _("This cannot be shown in the format that was asked for. Open it in a browser."),
    ProblemCode.FENCED: _("Another worker took this over. Reload the page to see where it stands."),
    ProblemCode.STOPPED: _("This turn was stopped. Send a message or choose Continue to go on."),
    ProblemCode.INBOX_CHANGED: _("Something changed meanwhile. Reload the page to see where it stands."),
    ProblemCode.IDEMPOTENCY_CONFLICT: _(
        "This was already done with other content. Reload the page before you try again."
    ),
    ProblemCode.MESSAGE_ID_REUSED: _(
        "A different message was already sent from this draft. Reload the page and send again."
    ),
    ProblemCode.QUEUE_FULL: _("Ten messages are waiting already. Cancel one of them or wait for the answer."),
    ProblemCode.AWAITING_DECISION: _("The agent waits for a decision of yours. Decide first, then write."),
    ProblemCode.ALREADY_TAKEN: _("The agent has already read this message, so it can no longer be cancelled."),
    ProblemCode.ALREADY_CANCELLED: _("This message was cancelled already. There is nothing more to do."),
    ProblemCode.ALREADY_ANSWERED: _("These questions were answered already. Send a message to add something."),
    ProblemCode.ALREADY_DECIDED: _("Someone decided this already. Reload the page to see the decision."),
    ProblemCode.SESSION_ENDED: _("This session has ended. Open a new one in the project to go on."),
    ProblemCode.INVALID_TRANSITION: _("This is no longer possible in the present state. Reload the page to see it."),
    ProblemCode.LAST_OWNER: _("A workspace keeps at least one owner. Give somebody else the role owner first."),
    ProblemCode.AGENT_UNAVAILABLE: _("This agent is not available yet. Your decision is kept for when it arrives."),
    ProblemCode.DUPLICATE_RULE: _(
        "A business rule with this title exists already. Change the title or keep the first one."
    ),
    ProblemCode.DUPLICATE_STORY: _("A story with this title exists already. Change that one, or choose another title."),
    ProblemCode.STALE_VERSION: _(
        "Somebody changed this while you were at it. Look at what is there now, then send your change again."
    ),
    ProblemCode.INVALID_BACKLOG: _("This cannot be done to the backlog as it stands. The details say why."),
    ProblemCode.TASKS_EXIST: _(
        "The story has tasks already. Say that they may be replaced, or change them one by one."
    ),
    ProblemCode.DUPLICATE_MODULE_MAP: _("There is a module map already. Say which version the new one replaces."),
    ProblemCode.INVALID_ARCHITECTURE: _("This does not fit the architecture as it stands. The details say why."),
    ProblemCode.CONTENT_CHANGED: _("This is not what you were shown any more. Look at it again, then decide."),
    ProblemCode.INVALID_ARTIFACT: _("What the agent wrote is not complete. Ask it to write it again."),
    ProblemCode.NO_BUSINESS_RULE: _(
        "There is no business rule yet. Talk about the idea until the first rule is recorded."
    ),
    ProblemCode.INVALID_HANDOFF: _(
        "Work cannot be handed over this way. Reload the page and choose one of the offers."
    ),
    ProblemCode.TOO_LARGE: _("This is too long to send. Shorten it or send it in parts."),
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: _("This kind of content cannot be read. Send the form from the page itself."),
    ProblemCode.THROTTLED: _("That was a lot in a short time. Wait a moment and try again."),
    ProblemCode.INTERNAL_ERROR: _(
        "That was a defect of ours, and it was written down. Reload the page, or come back in a moment."
    ),
    ProblemCode.UNAVAILABLE: _("A part of Mutirão is not reachable right now. Wait a moment and try again."),
}
