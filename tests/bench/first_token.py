"""What the gateway adds to the time to the first token: each call is paired with one that goes straight."""

from tests.bench.callers import Caller, direct
from tests.bench.lanes import connect
from tests.bench.load import DELTA, PLAIN, check
from tests.bench.sizes import SAMPLES

WARM_UP = 10


async def added_ms(gateway_port: int, upstream_port: int, caller: Caller) -> list[float]:
    """One difference for each pair, in milliseconds."""
    through, straight = await connect(gateway_port), await connect(upstream_port)
    added = []
    for _ in range(WARM_UP + SAMPLES):
        near = await straight.ask(direct(PLAIN), b'"content": "w')
        far = await through.ask(caller.request(PLAIN), DELTA)
        check(far.body)
        added.append(far.first_ms - near.first_ms)
    through.leave()
    straight.leave()
    return added[WARM_UP:]
