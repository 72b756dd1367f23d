"""What came in through this process's door, counted for `/metrics`."""

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from contracts.edge import SECONDS

disable_created_metrics()  # type: ignore[no-untyped-call] # half as many series: nobody asks when one began
TOOK = Histogram(
    "mutirao_http_request_seconds",
    "From the first byte asked to the last byte answered, by the template of the route.",
    ("method", "route"),
    buckets=SECONDS,
)
ANSWERED = Counter("mutirao_http_requests", "Requests by answer; 0 when nobody waited.", ("method", "route", "status"))
SOCKETS = Gauge("mutirao_sockets_open", "Sockets of pages that are open.")
CLOSED = Counter("mutirao_sockets_closed", "Sockets that ended, by our code; 0 when the page left.", ("code",))
SLOW = Counter("mutirao_sockets_slow", "Sockets that were cut because their client read nothing.")


class Requests:
    """The edge's watch."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        TOOK.labels(method, route).observe(seconds)
        ANSWERED.labels(method, route, str(status)).inc()

    def socket_opened(self) -> None:
        SOCKETS.inc()

    def socket_closed(self, code: int) -> None:
        SOCKETS.dec()
        CLOSED.labels(str(code)).inc()
