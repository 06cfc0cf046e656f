"""Metrics of a server, in its own registry; Prometheus reads them at `/metrics`."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_MODEL = ("model", "version")


class Metrics:
    """The metrics of one server.

    calls: runs of compiled code, each for a batch of any size.
    """

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self.requests = Counter(
            "tilewright_requests", "Answered requests.", ("model", "protocol", "code"),
            registry=registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "tilewright_request_seconds", "Time from a whole request to its answer.", ("model",),
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self.queue_seconds = Histogram(
            "tilewright_queue_seconds", "Time that a request waits for its call.", _MODEL,
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self.calls = Counter(
            "tilewright_calls", "Calls of compiled code.", _MODEL, registry=registry
        )
        self.failures = Counter(
            "tilewright_failed_calls", "Calls that raised an error.", _MODEL, registry=registry
        )
        self.batch_requests = Histogram(
            "tilewright_batch_requests", "Requests that one call answers.", _MODEL,
            buckets=_ROWS, registry=registry,
        )  # fmt: skip
        self.queue_length = Gauge(
            "tilewright_queue_length", "Waiting requests.", _MODEL, registry=registry
        )
        self.running = Gauge(
            "tilewright_requests_in_progress", "Requests in progress.", registry=registry
        )
        self.sessions = Gauge("tilewright_sessions", "Open sessions.", registry=registry)
        self.tokens = Counter(
            "tilewright_tokens", "Generated tokens.", ("model",), registry=registry
        )
        self.reloads = Counter(
            "tilewright_loads", "Loaded versions.", ("model", "outcome"), registry=registry
        )

    def text(self) -> bytes:
        """Return the metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def forget(self, model: str, version: str) -> None:
        """Remove the gauges of a version of a model that was unloaded."""
        self.queue_length.remove(model, version)
