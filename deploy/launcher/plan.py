"""Which children there are, as data: the order of starting is the order of this file."""

import http.client
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from deploy.launcher import environment, home, keyring, ports, postgres, valkey
from deploy.launcher.child import Child
from deploy.launcher.environment import Addresses
from deploy.launcher.keyring import Keyring
from deploy.launcher.options import ROOT, Options

QUEUES = "conversation,delivery,gates,analysis,housekeeping"
QUIET = ("--no-server-name", "--access-log", "/dev/null")
SERVER, DAPHNE = ("-m", "api.server", *QUIET), ("-m", "daphne", *QUIET)
CELERY = ("-m", "celery", "-q", "-A", "engine.celery", "worker", "-P", "threads", "-Q", QUEUES)
CELERY_QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING")


@dataclass(frozen=True)
class Plan:
    """An installation before anything of it runs. A service that the person brings is None."""

    options: Options
    keyring: Keyring
    addresses: Addresses
    cluster: postgres.Cluster | None
    server: valkey.Server | None
    engine_port: int


def draw(options: Options) -> Plan:
    """Read or make secrets and ports, and say where everything will be."""
    keys = keyring.kept(options.home / home.SECRETS)
    numbers = ports.kept_ports(options.home / home.PORTS, ("postgres", "valkey", "engine"))
    cluster = own_cluster(options.home, keys, numbers["postgres"]) if options.owns_database else None
    is_complete = options.redis_url and options.broker_url
    server = None if is_complete else own_server(options.home, keys, numbers["valkey"])
    places = addresses(options, cluster, server, numbers["engine"])
    return Plan(options, keys, places, cluster, server, numbers["engine"])


def redraw(options: Options) -> Plan:
    """The plan of a launcher that runs already: the same, but its ports are taken, by itself."""
    numbers = json.loads((options.home / home.PORTS).read_text())
    keys = keyring.kept(options.home / home.SECRETS)
    cluster = own_cluster(options.home, keys, numbers["postgres"]) if options.owns_database else None
    server = own_server(options.home, keys, numbers["valkey"])
    return Plan(options, keys, addresses(options, cluster, server, numbers["engine"]), cluster, server, 0)


def own_cluster(folder: Path, keys: Keyring, port: int) -> postgres.Cluster:
    """The cluster of this home."""
    passwords = (keys.postgres_password, keys.owner_password, keys.app_password)
    return postgres.Cluster(postgres.data_folder(folder), port, *passwords)


def own_server(folder: Path, keys: Keyring, port: int) -> valkey.Server:
    """The Valkey of this home."""
    passwords = (keys.valkey_admin_password, keys.valkey_api_password, keys.valkey_engine_password)
    return valkey.Server(folder / "valkey", port, *passwords)


def addresses(
    options: Options, cluster: postgres.Cluster | None, server: valkey.Server | None, engine_port: int
) -> Addresses:
    """What the person named, and our own for the rest."""
    return Addresses(
        database_url=options.database_url or (cluster.app_url if cluster else ""),
        migration_database_url=options.migration_database_url or (cluster.owner_url if cluster else ""),
        redis_url=options.redis_url or (server.api_url if server else ""),
        broker_url=options.broker_url or (server.engine_url if server else ""),
        api_url=options.api_url or options.local_url,
        engine_url=options.engine_url or f"http://127.0.0.1:{engine_port}",
        public_url=options.url,
        allowed_hosts=options.allowed_hosts or environment.allowed_hosts(options.host),
    )


def prepare(plan: Plan) -> Child:
    """Bring the schema up to date as its owner, and give the app role what it may do, and no more.

    A database of our own is seeded too; then the command prints who may sign in.
    """
    variables = environment.for_owner(plan.keyring, plan.addresses)
    words = ("migrate", "seed") if plan.options.owns_database else ("migrate",)
    return python("schema", ("-m", "deploy.launcher.schema", *words), variables, patience_seconds=300)


def migrate(plan: Plan) -> Child:
    """Schema and grants alone, for rows that come from elsewhere."""
    variables = environment.for_owner(plan.keyring, plan.addresses)
    return python("schema", ("-m", "deploy.launcher.schema", "migrate"), variables, patience_seconds=300)


def verify_logs(plan: Plan) -> Child:
    """Walks the chain of every session; it fails when one is not whole."""
    variables = environment.for_command(plan.keyring, plan.addresses)
    return python("verify-log", ("-m", "api", "verify_log"), variables, patience_seconds=3600)


def seed(plan: Plan) -> Child:
    """Write the demonstration data again; it prints who may sign in."""
    variables = environment.for_seed(plan.keyring, plan.addresses)
    return python("seed", ("-m", "api", "seed_demo", "--json"), variables)


def manage(plan: Plan, *words: str) -> Child:
    """A command of an operator: what it may do is what the services may."""
    variables = {**environment.for_command(plan.keyring, plan.addresses), "MUTIRAO_HOME": str(plan.options.home)}
    return python(words[0], ("-m", "api", *words), variables)


def services(plan: Plan) -> list[Child]:
    """Both services' processes."""
    return [api(plan), relay(plan), engine_http(plan), *engine_workers(plan)]


def api(plan: Plan) -> Child:
    """Pages, REST, websockets and the internal routes."""
    options = plan.options
    argv = (*SERVER, "-b", options.host, "-p", str(options.port), "api.asgi:application")
    is_ready = answers(options.reachable_host, options.port)
    variables = {**environment.for_api(plan.keyring, plan.addresses), "MUTIRAO_HOME": str(options.home)}
    return replace(python("api", argv, variables), is_ready=is_ready)


def relay(plan: Plan) -> Child:
    """Drains the outbox and runs the sweeps."""
    return python("relay", ("-m", "api", "relay"), environment.for_relay(plan.keyring, plan.addresses))


def engine_http(plan: Plan) -> Child:
    """The engine's wake and health."""
    argv = (*DAPHNE, "-b", "127.0.0.1", "-p", str(plan.engine_port), "engine.http.app:application")
    child = python("engine-http", argv, environment.for_engine_http(plan.keyring, plan.addresses))
    return replace(child, is_ready=answers("127.0.0.1", plan.engine_port))


def engine_workers(plan: Plan) -> list[Child]:
    """Where agents act."""
    variables = environment.for_engine(plan.keyring, plan.addresses)
    names = [f"engine-worker-{n}" for n in range(1, plan.options.workers + 1)]
    slots = ("-c", str(plan.options.slots))
    return [python(name, (*CELERY, *CELERY_QUIET, *slots, "-n", f"{name}@%h"), variables) for name in names]


def python(name: str, argv: tuple[str, ...], variables: dict[str, str], patience_seconds: float = 120.0) -> Child:
    """A child that runs our own Python from the checkout, and is told its name (PostgreSQL's list shows it)."""
    named = {**variables, "MUTIRAO_PROCESS": name}
    return Child(name, (sys.executable, *argv), named, patience_seconds=patience_seconds, folder=ROOT)


def answers(host: str, port: int) -> Callable[[], bool]:
    """Whether GET /readyz there gives 200."""

    def is_ready() -> bool:
        connection = http.client.HTTPConnection(host.strip("[]"), port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return is_ready
