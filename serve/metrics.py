"""Metrics of a server, in its own registry; Prometheus reads them at `/metrics`."""

from __future__ import annotations

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_VERSION = ("model", "version")


class Metrics:
    """The metrics of one server, each a field: counters, gauges and histograms of Prometheus.

    calls: counts runs of compiled code, each for a batch of any size.
    """

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        seconds = partial(Histogram, registry=registry, buckets=_SECONDS)
        rows = partial(Histogram, registry=registry, buckets=_ROWS)

        answer = "Time from a whole request to its answer."
        protocol = ("model", "protocol", "code")
        self.requests = counter("tilewright_requests", "Answered requests.", protocol)
        self.seconds = seconds("tilewright_request_seconds", answer, ("model",))
        self.running = gauge("tilewright_requests_in_progress", "Requests in progress.")

        wait = "Time that a request waits for its call."
        self.queue_seconds = seconds("tilewright_queue_seconds", wait, _VERSION)
        self.queue_length = gauge("tilewright_queue_length", "Waiting requests.", _VERSION)
        self.calls = counter("tilewright_calls", "Calls of compiled code.", _VERSION)
        failed = "Calls that raised an error."
        self.failures = counter("tilewright_failed_calls", failed, _VERSION)
        together = "Requests that one call answers."
        self.batch_requests = rows("tilewright_batch_requests", together, _VERSION)

        self.sessions = gauge("tilewright_sessions", "Open sessions.")
        self.tokens = counter("tilewright_tokens", "Generated tokens.", ("model",))
        loads = ("model", "outcome")
        self.reloads = counter("tilewright_loads", "Loaded versions.", loads)

    def text(self) -> bytes:
        """Return the metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def forget(self, model: str, version: str) -> None:
        """Remove the metrics that describe the present state of a version, after its unloading."""
        self.queue_length.remove(model, version)
