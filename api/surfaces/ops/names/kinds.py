"""What operators call a row of each table, one and many, in both languages."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

KINDS: Mapping[str, tuple[Promise, Promise]] = {
    "accounts.apitoken": (pgettext_lazy("row", "API token"), pgettext_lazy("row", "API tokens")),
    "accounts.user": (pgettext_lazy("row", "person"), pgettext_lazy("row", "people")),
    "actions.proposedaction": (pgettext_lazy("row", "proposed action"), pgettext_lazy("row", "proposed actions")),
    "agent_sessions.session": (pgettext_lazy("row", "session"), pgettext_lazy("row", "sessions")),
    "agent_sessions.sessionevent": (pgettext_lazy("row", "event"), pgettext_lazy("row", "events")),
    "agent_sessions.tombstone": (pgettext_lazy("row", "erased log"), pgettext_lazy("row", "erased logs")),
    "agents.instance": (pgettext_lazy("row", "agent instance"), pgettext_lazy("row", "agent instances")),
    "architecture.architectureversion": (
        pgettext_lazy("row", "version of an architecture"),
        pgettext_lazy("row", "versions of architectures"),
    ),
    "backlog.backlog": (pgettext_lazy("row", "backlog"), pgettext_lazy("row", "backlogs")),
    "backlog.epic": (pgettext_lazy("row", "epic"), pgettext_lazy("row", "epics")),
    "backlog.feature": (pgettext_lazy("row", "feature"), pgettext_lazy("row", "features")),
    "backlog.iteration": (pgettext_lazy("row", "iteration"), pgettext_lazy("row", "iterations")),
    "backlog.rule": (pgettext_lazy("row", "business rule"), pgettext_lazy("row", "business rules")),
    "backlog.savedfilter": (pgettext_lazy("row", "saved filter"), pgettext_lazy("row", "saved filters")),
    "backlog.story": (pgettext_lazy("row", "story"), pgettext_lazy("row", "stories")),
    "backlog.storydetailing": (
        pgettext_lazy("row", "detailing of a story"),
        pgettext_lazy("row", "detailing of stories"),
    ),
    "backlog.storyevent": (pgettext_lazy("row", "event of a story"), pgettext_lazy("row", "events of stories")),
    "backlog.storyresolution": (
        pgettext_lazy("row", "story that was named"),
        pgettext_lazy("row", "stories that were named"),
    ),
    "backlog.task": (pgettext_lazy("row", "task"), pgettext_lazy("row", "tasks")),
    "budgets.hold": (pgettext_lazy("row", "hold"), pgettext_lazy("row", "holds")),
    "budgets.node": (pgettext_lazy("row", "budget"), pgettext_lazy("row", "budgets")),
    "budgets.tokenusage": (pgettext_lazy("row", "use of a model"), pgettext_lazy("row", "use of models")),
    "gateway.binding": (pgettext_lazy("row", "choice of a model"), pgettext_lazy("row", "choices of models")),
    "gateway.call": (pgettext_lazy("row", "model call"), pgettext_lazy("row", "model calls")),
    "gateway.cataloguesync": (pgettext_lazy("row", "reading of a list"), pgettext_lazy("row", "readings of lists")),
    "gateway.credential": (pgettext_lazy("row", "provider key"), pgettext_lazy("row", "provider keys")),
    "gateway.model": (pgettext_lazy("row", "model"), pgettext_lazy("row", "models")),
    "gateway.pricechange": (pgettext_lazy("row", "price change"), pgettext_lazy("row", "price changes")),
    "handoffs.handoff": (pgettext_lazy("row", "handoff"), pgettext_lazy("row", "handoffs")),
    "kernel.chore": (pgettext_lazy("row", "chore"), pgettext_lazy("row", "chores")),
    "kernel.operatoract": (pgettext_lazy("row", "operator's act"), pgettext_lazy("row", "operators' acts")),
    "outbox.outboxmessage": (
        pgettext_lazy("row", "message between rooms"),
        pgettext_lazy("row", "messages between rooms"),
    ),
    "outbox.wake": (pgettext_lazy("row", "wake"), pgettext_lazy("row", "wakes")),
    "projects.membership": (pgettext_lazy("row", "member"), pgettext_lazy("row", "members")),
    "projects.project": (pgettext_lazy("row", "project"), pgettext_lazy("row", "projects")),
    "projects.workspace": (pgettext_lazy("row", "workspace"), pgettext_lazy("row", "workspaces")),
    "turns.turn": (pgettext_lazy("row", "turn"), pgettext_lazy("row", "turns")),
}
