"""Signing in and out."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from api.rooms.accounts import rights
from api.surfaces.throttling.doors import sign_in_failed, sign_in_wait


class SignInForm(AuthenticationForm):
    """By e-mail address, in whatever case it was typed."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not fit together. Check both and try again."),
        "inactive": _("This account is switched off. Ask an owner of your workspace."),
        "throttled": _("That was tried too often. Wait %(seconds)s seconds, then try again."),
    }

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).lower()

    def clean(self) -> dict[str, Any]:
        """A password is looked at only where it was not tried too often; what fails is counted (threat 28)."""
        if self.request is None:
            raise ValueError("a sign-in is a request's")
        email = str(self.cleaned_data.get("username", ""))
        wait_s = sign_in_wait(self.request, email)
        if wait_s:
            words = self.error_messages["throttled"]
            raise ValidationError(words, code="throttled", params={"seconds": int(wait_s)})
        try:
            return super().clean()
        except ValidationError:
            sign_in_failed(self.request, email)
            raise


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
