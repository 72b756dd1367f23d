"""The wires inside a house, each through a proxy: engine to api, relay to engine, engine to broker."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from deploy.launcher import home, keyring, plan, ports
from tests.fakes.proxy import Proxy
from tests.plugins.stack import Stack


@dataclass(frozen=True)
class Network:
    """`api` is the engine's way to the api, `engine` the relay's to the engine, `broker` the engine's to Valkey."""

    api: Proxy
    engine: Proxy
    broker: Proxy
    broker_url: str

    def variables(self) -> dict[str, str]:
        """What the launcher must be told, so that everybody goes through."""
        return {
            "MUTIRAO_API_URL": f"http://127.0.0.1:{self.api.port}",
            "MUTIRAO_ENGINE_URL": f"http://127.0.0.1:{self.engine.port}",
            "BROKER_URL": self.broker_url,
        }

    def heal(self) -> None:
        """All wires whole."""
        for proxy in (self.api, self.engine, self.broker):
            proxy.heal()


@contextmanager
def between(stack: Stack) -> Iterator[Network]:
    """Wires for a house that has not started: its secrets and ports are drawn now, as its first start would."""
    home.prepare(stack.home)
    keys = keyring.kept(stack.home / home.SECRETS)
    numbers = ports.kept_ports(stack.home / home.PORTS, ("postgres", "valkey", "engine"))
    server = plan.own_server(stack.home, keys, numbers["valkey"])
    targets = (stack.port, numbers["engine"], numbers["valkey"])
    with ExitStack() as open_:
        api, engine, broker = (open_.enter_context(Proxy(ports.free_port(), target)) for target in targets)
        yield Network(api, engine, broker, replace(server, port=broker.port).engine_url)
