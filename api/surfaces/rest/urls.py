"""`/api/v1`: names that others build on."""

from django.urls import path, re_path, register_converter
from django.urls.converters import IntConverter
from drf_spectacular.views import SpectacularJSONAPIView

from api.surfaces.rest import (
    architecture,
    backlog,
    bindings,
    budgets,
    catalogue,
    conversation,
    exchange,
    iterations,
    members,
    money,
    providers,
    rules,
    sessions,
    tasks,
)
from api.surfaces.rest.problems import answer_unknown_address


class SeqConverter(IntConverter):
    """At most nine digits, so that it fits the column."""

    regex = "[0-9]{1,9}"


class AgentConverter:
    """An agent's slug (RN-128)."""

    regex = "[a-z][a-z0-9_-]{0,63}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(SeqConverter, "seq")
register_converter(AgentConverter, "agent")

urlpatterns = [
    path("schema", SpectacularJSONAPIView.as_view(permission_classes=[], authentication_classes=[])),
    path("workspaces", sessions.Workspaces.as_view()),
    path("projects", sessions.Projects.as_view()),
    path("projects/<uuid:project_id>/sessions", sessions.ProjectSessions.as_view()),
    path("sessions/<uuid:session_id>", sessions.OneSession.as_view()),
    path("sessions/<uuid:session_id>/close", sessions.CloseSession.as_view()),
    path("sessions/<uuid:session_id>/events", sessions.Events.as_view()),
    path("sessions/<uuid:session_id>/messages", conversation.Messages.as_view()),
    path("sessions/<uuid:session_id>/messages/<seq:seq>/cancel", conversation.CancelMessage.as_view()),
    path("sessions/<uuid:session_id>/agents/<agent:agent>/start", conversation.StartAgent.as_view()),
    path("sessions/<uuid:session_id>/stop", conversation.Stop.as_view()),
    path("sessions/<uuid:session_id>/continue", conversation.Continue.as_view()),
    path("sessions/<uuid:session_id>/readiness", conversation.Readiness.as_view()),
    path("sessions/<uuid:session_id>/handoffs", conversation.Handoffs.as_view()),
    path("sessions/<uuid:session_id>/hand-to", conversation.HandTo.as_view()),
    path("handoffs/<uuid:handoff_id>/accept", conversation.AcceptHandoff.as_view()),
    path("handoffs/<uuid:handoff_id>/reject", conversation.RejectHandoff.as_view()),
    path("structured-question/<uuid:question_set_id>/answer", conversation.AnswerQuestions.as_view()),
    *money.urlpatterns,
    *bindings.urlpatterns,
    *catalogue.urlpatterns,
    *providers.urlpatterns,
    *budgets.urlpatterns,
    *members.urlpatterns,
    *backlog.urlpatterns,
    *rules.urlpatterns,
    *architecture.urlpatterns,
    *iterations.urlpatterns,
    *exchange.urlpatterns,
    *tasks.urlpatterns,
    re_path("", answer_unknown_address, name="unknown"),
]
