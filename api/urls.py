"""Every address of the api."""

from django.contrib import admin
from django.urls import include, path

from api.surfaces.internal.urls import urlpatterns as internal
from api.surfaces.ops.health import livez, readyz, version
from api.surfaces.ops.metrics import metrics
from api.surfaces.rest.problems import answer_defect
from api.surfaces.throttling.sign_in import OperatorSignIn

admin.site.login_form = OperatorSignIn  # the operators' door counts with the people's

handler500 = answer_defect
urlpatterns = [
    path("livez", livez),
    path("readyz", readyz),
    path("version", version),
    path("metrics", metrics),
    path("admin/", admin.site.urls),
    path("api/v1/", include("api.surfaces.rest.urls")),
    *internal,
    path("", include("api.surfaces.web.urls")),
]
