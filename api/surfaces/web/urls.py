"""Addresses of the pages."""

from django.urls import path

from api.surfaces.web.pages import (
    budget,
    components,
    conversation,
    decisions,
    doors,
    model,
    preferences,
    project,
    projects,
    session,
    spend,
    timeline,
)

app_name = "web"
urlpatterns = [
    path("", projects.home, name="home"),
    path("login/", doors.SignIn.as_view(), name="login"),
    path("logout/", doors.SignOut.as_view(), name="logout"),
    path("preferences/", preferences.change, name="preferences"),
    path("components/", components.show, name="components"),
    path("projects/", projects.show, name="projects"),
    path("projects/<uuid:project_id>/", project.show, name="project"),
    path("projects/<uuid:project_id>/model", model.of_project, name="project-model"),
    path("workspaces/<uuid:workspace_id>/spend", spend.of_workspace, name="workspace-spend"),
    path("projects/<uuid:project_id>/spend", spend.of_project, name="project-spend"),
    path("workspaces/<uuid:workspace_id>/budget", budget.of_workspace, name="workspace-budget"),
    path("projects/<uuid:project_id>/budget", budget.of_project, name="project-budget"),
    path("sessions/<uuid:session_id>/budget", budget.of_session, name="session-budget"),
    path("sessions/<uuid:session_id>/", session.show, name="session"),
    path("sessions/<uuid:session_id>/model", model.of_session, name="session-model"),
    path("sessions/<uuid:session_id>/timeline", timeline.show, name="timeline"),
    path("sessions/<uuid:session_id>/rename", session.rename, name="rename"),
    path("sessions/<uuid:session_id>/close", session.close, name="close"),
    path("sessions/<uuid:session_id>/messages", conversation.send, name="send"),
    path("sessions/<uuid:session_id>/messages/<int:seq>/cancel", conversation.cancel, name="cancel"),
    path("sessions/<uuid:session_id>/stop", conversation.stop, name="stop"),
    path("sessions/<uuid:session_id>/continue", conversation.go_on, name="continue"),
    path("sessions/<uuid:session_id>/questions/<uuid:question_set_id>", conversation.answer, name="answer"),
    path("sessions/<uuid:session_id>/readiness", decisions.ready, name="readiness"),
    path("sessions/<uuid:session_id>/handoffs/<uuid:handoff_id>/accept", decisions.accept, name="accept"),
    path("sessions/<uuid:session_id>/handoffs/<uuid:handoff_id>/reject", decisions.reject, name="reject"),
]
