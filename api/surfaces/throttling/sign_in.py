"""Signing in, wherever people do: what fails is counted by address and e-mail, and each wait is longer (threat 28)."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from api.surfaces.throttling.doors import sign_in_failed, sign_in_wait

TOO_OFTEN = _("That was tried too often. Wait %(seconds)s seconds, then try again.")


class CountedSignIn(AuthenticationForm):
    """A password is looked at only where it was not tried too often."""

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).lower()

    def clean(self) -> dict[str, Any]:
        if self.request is None:
            raise ValueError("a sign-in is a request's")
        email = str(self.cleaned_data.get("username", ""))
        wait_s = sign_in_wait(self.request, email)
        if wait_s:
            raise ValidationError(TOO_OFTEN, code="throttled", params={"seconds": int(wait_s)})
        try:
            return super().clean()
        except ValidationError:
            sign_in_failed(self.request, email)
            raise


class OperatorSignIn(CountedSignIn, AdminAuthenticationForm):
    """The admin's own door, counted with the other."""
