"""Token streams of decoders: a session of the runtime per stream, which a client may continue.

A decoder has one input that is not a state, integers of shape [1, s], and one such output, the
logits [1, vocabulary] or [1, s, vocabulary].
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import numpy as np

from ..runtime.abi.ndarray import numpy_dtype
from ..runtime.call.session import Session
from .errors import RequestError
from .metrics import Metrics
from .model import CompiledModel
from .scheduling import ModelQueue, unavailable
from .settings import Settings


@dataclass(frozen=True)
class Generation:
    """A request for tokens.

    ids: the tokens of the prompt.  max_tokens: the largest number of tokens to generate.
    temperature: the randomness of the choice of tokens; 0 takes the most probable token.  seed: the
    seed of the random choices.  stop: tokens after which the stream ends.  session: the name of the
    session to continue; empty: a new one.  keep: whether the session stays open after the request.
    """

    ids: tuple[int, ...]
    max_tokens: int
    temperature: float
    seed: int
    stop: frozenset[int]
    session: str
    keep: bool

    @staticmethod
    def parse(fields: Mapping[str, Any]) -> Generation:
        """Read a request for tokens from the JSON fields of a body.

        Errors: RequestError for a wrong field.
        """
        ids, stop = fields.get("ids"), fields.get("stop", [])
        for name, value in (("ids", ids), ("stop", stop)):
            if not isinstance(value, list) or any(type(each) is not int for each in value):
                raise RequestError(f"{name} is not a list of token numbers", got=value)
        count, temperature = fields.get("max_tokens", 16), fields.get("temperature", 0)
        seed, session = fields.get("seed", 0), fields.get("session", "")
        if type(count) is not int or count < 1:
            raise RequestError("max_tokens is not a number from 1 on", got=count)
        if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
            raise RequestError("temperature is not a number", got=temperature)
        if not 0 <= temperature <= 100 or type(seed) is not int or seed < 0:
            raise RequestError(
                "temperature or seed is out of range", expected="0 to 100, from 0 on",
                got=f"{temperature}, {seed}",
            )  # fmt: skip
        if not ids or not isinstance(session, str):
            raise RequestError("a stream needs at least one token in ids", got=ids)
        keep = bool(fields.get("keep_session", False))
        return Generation(
            tuple(ids), count, float(temperature), seed, frozenset(stop), session, keep
        )


@dataclass
class _Open:
    """An open session: one that runs a request, or that a client may continue.

    queue: the queue of the model.  used_s: the monotonic time when its last request ended.
    is_running: whether a request runs.
    """

    session: Session
    queue: ModelQueue
    used_s: float = field(default_factory=time.monotonic)
    is_running: bool = False


class Sessions:
    """The open sessions of a server, by their names; idle sessions are removed."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings, self._metrics = settings, metrics
        self._open: dict[str, _Open] = {}

    def begin(self, queue: ModelQueue, wanted: Generation) -> str:
        """Mark the session of a request as running; return its name.

        If the request names no session, open a new session under a random name.

        queue: the queue of the model.  wanted: the request.

        Errors: RequestError if the model is no decoder, if the session is unknown or runs another
        request, and if too many sessions are open.
        """
        self.forget_idle()
        if wanted.session:
            known = self._open.get(wanted.session)
            if known is None or known.queue.model is not queue.model:
                raise RequestError(
                    "the session is unknown", status=HTTPStatus.NOT_FOUND,
                    got=wanted.session, hint="it was idle too long, or its model was replaced",
                )  # fmt: skip
            if known.is_running:
                raise _busy()
            known.is_running = True
            return wanted.session
        if len(self._open) >= self._settings.max_sessions:
            raise unavailable("too many sessions are open")
        name = secrets.token_hex(16)
        self._open[name] = _Open(_session_of(queue), queue, is_running=True)
        self._metrics.sessions.set(len(self._open))
        return name

    def end(self, name: str) -> None:
        """Remove a session.

        Errors: RequestError if it is unknown or runs a request.
        """
        known = self._open.get(name)
        if known is None:
            raise RequestError("the session is unknown", status=HTTPStatus.NOT_FOUND, got=name)
        if known.is_running:
            raise _busy()
        self._forget(name)

    def finish(self, name: str, *, keep: bool) -> None:
        """Record that a request of a session has ended.

        keep: whether the session stays open, so that later requests can continue it.
        """
        known = self._open[name]
        known.is_running, known.used_s = False, time.monotonic()
        if not keep:
            self._forget(name)

    async def tokens(self, name: str, wanted: Generation, model: str) -> AsyncIterator[int]:
        """Run the model of a session for each token of a request; yield the tokens.

        name: the session, a result of `begin`.  wanted: the request.  model: the name of the model,
        for the metrics.
        """
        known = self._open[name]
        spec = known.session.inputs[0]
        rng = np.random.default_rng(wanted.seed)
        ids = np.array([wanted.ids], numpy_dtype(spec.dtype))
        for _ in range(wanted.max_tokens):
            given = ids
            result = await known.queue.call(lambda given=given: known.session(given))
            token = _choose(np.asarray(result), wanted.temperature, rng)
            self._metrics.tokens.labels(model).inc()
            yield token
            if token in wanted.stop:
                return
            ids = np.array([[token]], ids.dtype)

    async def expire(self) -> None:
        """Remove idle sessions, and thereby free their memory, until the task is cancelled."""
        while True:
            await asyncio.sleep(max(0.01, self._settings.session_idle_s / 4))
            self.forget_idle()

    def forget_idle(self) -> None:
        """Remove the sessions that were idle for longer than the settings allow."""
        oldest_s = time.monotonic() - self._settings.session_idle_s
        idle = [n for n, o in self._open.items() if not o.is_running and o.used_s < oldest_s]
        for name in idle:
            self._forget(name)

    def _forget(self, name: str) -> None:
        del self._open[name]
        self._metrics.sessions.set(len(self._open))


def _busy() -> RequestError:
    return RequestError("the session runs another request", status=HTTPStatus.CONFLICT)


def _session_of(queue: ModelQueue) -> Session:
    model = queue.model
    if not isinstance(model, CompiledModel) or not model.module.states:
        raise RequestError(
            "the model has no states, so it generates no tokens",
            hint="compile it with state= and capacity=",
        )
    session = model.module.session()
    results = {state.result for state in model.module.states}
    left = [spec for n, spec in enumerate(model.outputs) if n not in results]
    is_decoder = len(session.inputs) == 1 and len(session.inputs[0].shape) == 2 and len(left) == 1
    if not is_decoder or "int" not in session.inputs[0].dtype or len(left[0].shape) not in (2, 3):
        raise RequestError(
            "the model is no decoder",
            expected="one input of integers [1, s] and one output of logits, apart from the states",
            got=model.module.manifest.signature,
        )
    return session


def _choose(logits: np.ndarray[Any, Any], temperature: float, rng: np.random.Generator) -> int:
    """Choose the next token: the most probable one, or a random one if ``temperature`` is not 0.

    logits: the output of the model; those of the last position count.
    """
    last = logits.reshape(-1, logits.shape[-1])[-1].astype(np.float64)
    if temperature == 0:
        return int(last.argmax())
    weights = np.exp((last - last.max()) / temperature)
    return int(rng.choice(len(last), p=weights / weights.sum()))
