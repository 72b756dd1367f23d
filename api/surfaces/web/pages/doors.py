"""Signing in and out."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from api.rooms.accounts import rights
from api.surfaces.throttling.sign_in import CountedSignIn


class SignInForm(CountedSignIn):
    """By e-mail address, in whatever case it was typed."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not fit together. Check both and try again."),
        "inactive": _("This account is switched off. Ask an owner of your workspace."),
    }


class SignIn(LoginView):
    template_name = "pages/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    http_method_names = ["get", "head", "post"]

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> Any:
        """A refused form is a bad request, not a page like any other."""
        form: AuthenticationForm = context["form"]
        return super().render_to_response(context, status=400 if form.errors else 200, **kwargs)


class SignOut(LogoutView):
    """POST only, as Django has it; other pages of this sign-in lose their sockets at once."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        user_id = request.user.pk
        response = super().post(request, *args, **kwargs)
        if user_id is not None:
            rights.changed(user_id)
        return response
