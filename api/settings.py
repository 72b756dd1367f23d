"""Django's settings, read from the environment; nothing here decides anything."""

import os
import sys
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from api.environment import database, owner_is_needed, read_environment
from api.hardening import settings_of
from contracts.logs import configuration

ENVIRONMENT = read_environment()
BASE_DIR = Path(__file__).resolve().parent

SECRET_KEY = ENVIRONMENT.mutirao_secret_key
DEBUG = ENVIRONMENT.mutirao_debug
ALLOWED_HOSTS = list(ENVIRONMENT.mutirao_allowed_hosts)
CSRF_TRUSTED_ORIGINS = [ENVIRONMENT.mutirao_public_url]
MUTIRAO_CREDENTIAL_KEYS = ENVIRONMENT.mutirao_credential_keys
MUTIRAO_RATE_LIMITS = ENVIRONMENT.mutirao_rate_limits
MUTIRAO_ALLOW_PRIVATE_BASE_URLS = ENVIRONMENT.mutirao_allow_private_base_urls
API_TO_ENGINE_KEYS = ENVIRONMENT.api_to_engine_keys
ENGINE_TO_API_KEYS = ENVIRONMENT.engine_to_api_keys
ENGINE_URL = ENVIRONMENT.engine_url
PUBLIC_URL = ENVIRONMENT.mutirao_public_url

INSTALLED_APPS = [
    "api.rooms.kernel",
    "api.rooms.accounts",
    "api.rooms.projects",
    "api.rooms.outbox",
    "api.rooms.agent_sessions",
    "api.rooms.agents",
    "api.rooms.budgets",
    "api.rooms.gateway",
    "api.rooms.turns",
    "api.rooms.handoffs",
    "api.rooms.backlog",
    "api.rooms.architecture",
    "api.rooms.actions",
    "api.surfaces.web",
    "api.surfaces.ops",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "channels",
    "rest_framework",
    "drf_spectacular",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "api.surfaces.headers.more_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "api.surfaces.web.middleware.language_of_the_person",
    "api.surfaces.web.throttle.throttle",
    "api.surfaces.web.refusals.show_refusals",
]

ROOT_URLCONF = "api.urls"
ASGI_APPLICATION = "api.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

_URL = ENVIRONMENT.database_url
if owner_is_needed(sys.argv) and ENVIRONMENT.migration_database_url:
    _URL = ENVIRONMENT.migration_database_url
DATABASES = {"default": database(_URL, ENVIRONMENT.mutirao_db_pool)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [ENVIRONMENT.redis_url], "prefix": "api:asgi"},
    },
}

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
globals().update(settings_of(ENVIRONMENT))  # cookies, HSTS, proxies, the Content-Security-Policy

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("pt-br", _("Brazilian Portuguese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["api.formats"]

STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = ENVIRONMENT.mutirao_reload  # a file that was edited is served with its new length

DATA_UPLOAD_MAX_MEMORY_SIZE = 11 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.surfaces.rest.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["api.surfaces.rest.bodies.RawJsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.surfaces.rest.describing.ProblemSchema",
    "EXCEPTION_HANDLER": "api.surfaces.rest.problems.answer_problem",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # `?format=` is a parameter like any other: nobody asked for it
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mutirão",
    "DESCRIPTION": "From an idea to merged code, with a person deciding. Errors are RFC 9457 problems.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",  # pydantic writes null as a type
}

LOGGING = configuration("api", os.environ)
