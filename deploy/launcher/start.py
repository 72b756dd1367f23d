"""The ordered start: each step waits for what it needs, and is printed with its time."""

import json
from collections.abc import Callable

from deploy.launcher import home, plan, ports, postgres, valkey
from deploy.launcher.options import Options
from deploy.launcher.plan import Plan
from deploy.launcher.reload import CodeWatch
from deploy.launcher.report import Report
from deploy.launcher.runfile import RunFile
from deploy.launcher.supervisor import Supervisor


def run(options: Options) -> None:
    """Start all of it, keep it running until somebody wishes to stop, stop it."""
    report = Report()
    with home.locked(options.home):
        runfile = RunFile(options.home / home.RUN)
        runfile.withdraw()  # one that a killed launcher left would name processes that are gone
        ports.require_free(options.host, options.port)
        drawn = plan.draw(options)
        report.done("home and secrets")
        supervisor = Supervisor(options.home / home.LOGS, runfile.follow)
        supervisor.listen()
        each_tick = reloading(drawn, supervisor) if options.is_reloading else lambda: None
        try:
            seeded = start_all(drawn, supervisor, report)
            runfile.publish(options.url, seeded, supervisor.pids)
            report.welcome(runfile.document, options.home)
            supervisor.watch(each_tick)
        finally:
            runfile.withdraw()
            supervisor.stop()


def start_all(drawn: Plan, supervisor: Supervisor, report: Report) -> dict[str, object]:
    """Databases, schema, services, seed; who may sign in."""
    if drawn.cluster:
        start_postgres(drawn.cluster, supervisor)
        report.done("PostgreSQL")
    if drawn.server:
        supervisor.start(valkey.child(drawn.server))
        report.done("Valkey")
    seeded = prepare_database(drawn, supervisor, report) if drawn.addresses.migration_database_url else {}
    services = plan.services(drawn)
    supervisor.begin(*services)
    supervisor.await_ready(*services, on_ready=lambda child: report.done(child.name))
    return seeded


def prepare_database(drawn: Plan, supervisor: Supervisor, report: Report) -> dict[str, object]:
    """Schema, grants and, in a database of our own, demonstration data; who may sign in."""
    said = supervisor.complete(plan.prepare(drawn))
    seeded: dict[str, object] = json.loads(said) if said.strip() else {}
    report.done("migrations, grants and demonstration data" if seeded else "migrations and grants")
    return seeded


def start_postgres(cluster: postgres.Cluster, supervisor: Supervisor) -> None:
    """A server on our own cluster, with its roles and database."""
    postgres.wait_for_old_server(cluster.data)
    postgres.initialise(cluster)
    supervisor.start(postgres.child(cluster))
    postgres.provision(cluster)


def reloading(drawn: Plan, supervisor: Supervisor) -> Callable[[], None]:
    """Restart the services when their code changed since now."""
    watch = CodeWatch()
    names = [child.name for child in plan.services(drawn)]

    def each_tick() -> None:
        if watch.has_changed():
            print("code changed: restarting the services", flush=True)
            supervisor.restart(names)

    return each_tick
