"""The HTTP interface: the Open Inference Protocol, model control, token streams and metrics."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ..runtime import __version__
from ..runtime.errors import Error
from .errors import RequestError, status_of, text_of
from .metrics import Metrics
from .protocol import (
    HEADER_LENGTH,
    InferRequest,
    check_outputs,
    in_order,
    metadata,
    parse_object,
    parse_request,
    response_body,
)
from .repository import Loader, Repository
from .scheduling import ModelQueue, unavailable
from .sessions import Generation, Sessions
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..runtime.abi.ndarray import Array

EXTENSIONS = ["binary_tensor_data", "model_repository"]


class Service:
    """The state that the HTTP and gRPC servers share: repository, sessions, limits and metrics.

    is_draining: whether the server refuses new requests because it is shutting down.
    """

    def __init__(self, folder: Path | str, settings: Settings, load_file: Loader | None) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.repository = Repository(folder, settings, self.metrics, load_file)
        self.sessions = Sessions(settings, self.metrics)
        self.is_draining = False
        self._running = 0

    @property
    def is_ready(self) -> bool:
        """Whether the server accepts requests and all models are loaded."""
        return not self.is_draining and self.repository.is_ready()

    @contextmanager
    def admitted(self) -> Generator[None]:
        """Count a request as in progress while the ``with`` block runs, or refuse the request.

        Errors: RequestError with status 503 if the server is shutting down, or already runs the
        largest allowed number of requests.
        """
        if self.is_draining:
            raise unavailable("the server is shutting down")
        if self._running >= self.settings.max_requests:
            raise unavailable("the server has too many requests")
        self._running += 1
        self.metrics.running.set(self._running)
        try:
            yield
        finally:
            self._running -= 1
            self.metrics.running.set(self._running)

    async def infer(self, queue: ModelQueue, request: InferRequest) -> list[Array]:
        """Run the model of a queue on the inputs of a request; return the outputs.

        Errors: RequestError with status 504 if the outputs take longer than ``request_s`` of the
        settings; the errors of `ModelQueue.infer`.
        """
        check_outputs(queue.model, request)
        arrays = in_order(queue.model, request.arrays)
        try:
            async with asyncio.timeout(self.settings.request_s):
                return await queue.infer(arrays)
        except TimeoutError as err:
            raise RequestError(
                "the request took too long",
                status=HTTPStatus.GATEWAY_TIMEOUT,
                expected=f"an answer within {self.settings.request_s:g} s",
            ) from err

    def note(self, model: str, protocol: str, code: str, start_s: float) -> None:
        """Record an answered request in the metrics: its status and its duration.

        model: the name of the model; all unknown models share one row of the metrics.  protocol:
        http, grpc or sse.  code: the status.  start_s: when the request began.
        """
        name = model if model in self.repository.served else ""
        self.metrics.requests.labels(name, protocol, code).inc()
        self.metrics.seconds.labels(name).observe(time.perf_counter() - start_s)


def create_app(
    folder: Path | str, settings: Settings | None = None, load_file: Loader | None = None
) -> Starlette:
    """Return the ASGI application that serves the models of a folder.

    settings: default: `Settings()`.  load_file: makes a `Servable` from a file, to serve models of
    another runtime.
    """
    return app_of(Service(folder, settings or Settings(), load_file))


def app_of(service: Service) -> Starlette:
    """Return the ASGI application that answers HTTP requests with a service.

    ``state.service`` of the application is the service.
    """
    control, inference = _Control(service), _Inference(service)
    model = "/v2/models/{model}"
    routes = [
        Route("/v2", control.server),
        Route("/v2/health/live", control.live),
        Route("/v2/health/ready", control.ready),
        Route("/metrics", control.metrics),
        Route("/v2/repository/index", control.index, methods=["POST", "GET"]),
        Route("/v2/repository/models/{model}/load", control.load, methods=["POST"]),
        Route("/v2/repository/models/{model}/unload", control.unload, methods=["POST"]),
        Route("/v2/sessions/{session}", control.end_session, methods=["DELETE"]),
    ]
    for prefix in (model, model + "/versions/{version}"):
        routes += [
            Route(prefix, control.model),
            Route(prefix + "/ready", control.model_ready),
            Route(prefix + "/infer", inference.infer, methods=["POST"]),
            Route(prefix + "/generate_stream", inference.stream, methods=["POST"]),
        ]
    handlers: Any = {HTTPException: _http_failure, Error: _failure}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=_lifespan(service))
    app.state.service = service
    return app


def _lifespan(
    service: Service,
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return Starlette's lifespan function, which runs from the start to the end of a server.

    It loads all models before the first request, and finishes all requests at the end.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        await service.repository.refresh()
        tasks = [asyncio.create_task(service.sessions.expire())]
        if service.settings.poll_s:
            tasks.append(asyncio.create_task(service.repository.poll()))
        try:
            yield
        finally:
            service.is_draining = True
            for task in tasks:
                task.cancel()
            await service.repository.close()

    return lifespan


def _error_response(error: BaseException) -> Response:
    status = status_of(error)
    headers = {"retry-after": "1"} if status in (429, 503) else None
    # The rest of a body that was refused is not read, so the connection ends.
    if status in (408, 413):
        headers = {"connection": "close"}
    return JSONResponse({"error": text_of(error)}, status, headers)


async def _failure(_: Request, error: Exception) -> Response:
    return _error_response(error)


async def _http_failure(request: Request, error: HTTPException) -> Response:
    text = f"{request.method} {request.url.path}: {error.detail}"
    return JSONResponse({"error": text}, error.status_code, error.headers)


async def read_body(request: Request, settings: Settings) -> bytes:
    """Read the body of a request.

    Errors: RequestError with status 413 for a body that is too large, and 408 for a body that
    arrives too slowly.
    """

    def check(size: int) -> None:
        if size > settings.max_body_bytes:
            raise RequestError(
                "the body is too large",
                status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                expected=f"at most {settings.max_body_bytes} bytes",
                got=size,
            )

    length = request.headers.get("content-length", "")
    check(int(length) if length.isdecimal() else 0)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(settings.body_s):
            async for part in request.stream():
                size += len(part)
                check(size)
                parts.append(part)
    except TimeoutError as err:
        raise RequestError(
            "the body came too slowly",
            status=HTTPStatus.REQUEST_TIMEOUT,
            expected=f"the whole body within {settings.body_s:g} s",
        ) from err
    return b"".join(parts)


class _Control:
    """The HTTP endpoints that run no model: checks, metrics, and loading of models."""

    def __init__(self, service: Service) -> None:
        self._service, self._repository = service, service.repository

    async def server(self, _: Request) -> Response:
        return JSONResponse(
            {"name": "tilewright", "version": __version__, "extensions": EXTENSIONS}
        )

    async def live(self, _: Request) -> Response:
        """Answer 200; a client only checks that the process answers."""
        return JSONResponse({"live": True})

    async def ready(self, _: Request) -> Response:
        """Answer 200, or 503 while the server is shutting down or a model is not loaded."""
        ready = self._service.is_ready
        return JSONResponse({"ready": ready}, 200 if ready else 503)

    async def metrics(self, _: Request) -> Response:
        """Return the metrics for Prometheus."""
        media_type = "text/plain; version=0.0.4; charset=utf-8"
        return Response(self._service.metrics.text(), media_type=media_type)

    async def index(self, _: Request) -> Response:
        """Return the names, versions and states of all models."""
        return JSONResponse(self._repository.index())

    async def load(self, request: Request) -> Response:
        """Load a model, or load its changed files again."""
        await self._repository.load(request.path_params["model"])
        return JSONResponse({})

    async def unload(self, request: Request) -> Response:
        """Stop serving a model."""
        await self._repository.unload(request.path_params["model"])
        return JSONResponse({})

    async def model(self, request: Request) -> Response:
        name = request.path_params["model"]
        queue = self._repository.queue(name, request.path_params.get("version", ""))
        return JSONResponse(metadata(queue.model, name, [*self._repository.served[name].queues]))

    async def model_ready(self, request: Request) -> Response:
        """Answer 200, or 503 if a model is not loaded."""
        name = request.path_params["model"]
        self._repository.queue(name, request.path_params.get("version", ""))
        return JSONResponse({"name": name, "ready": True})

    async def end_session(self, request: Request) -> Response:
        """Remove a session of a decoder."""
        self._service.sessions.end(request.path_params["session"])
        return JSONResponse({})


class _Inference:
    """The HTTP endpoints that run models."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def infer(self, request: Request) -> Response:
        """Answer an inference request."""
        service, start_s, code = self._service, time.perf_counter(), 200
        name = request.path_params["model"]
        try:
            with service.admitted():
                version = request.path_params.get("version", "")
                queue = service.repository.queue(name, version)
                body = await read_body(request, service.settings)
                # Large bodies are read in a thread, so that the event loop stays responsive.
                length = request.headers.get(HEADER_LENGTH)
                given = await _maybe_threaded(len(body), lambda: parse_request(body, length))
                # A reload may have replaced the model while the body arrived.
                queue = service.repository.queue(name, version)
                results = await service.infer(queue, given)
                fields = {"model_name": name} | ({"model_version": version} if version else {})
                size = sum(array.nbytes for array in results)
                made = await _maybe_threaded(
                    size, lambda: response_body(queue.model, fields, given, results)
                )
                return _infer_response(*made)
        except ClientDisconnect:
            code = 499
            return Response(status_code=code)
        # The boundary of HTTP: every error becomes an answer.
        except Exception as err:
            response = _error_response(err)
            code = response.status_code
            return response
        finally:
            service.note(name, "http", str(code), start_s)

    async def stream(self, request: Request) -> Response:
        """Send the generated tokens of a decoder as server-sent events."""
        service, name = self._service, request.path_params["model"]
        with service.admitted():
            queue = service.repository.queue(name, request.path_params.get("version", ""))
            wanted = Generation.parse(parse_object(await read_body(request, service.settings)))
            session = service.sessions.begin(queue, wanted)
        events = self._events(session, wanted, name)
        # Started here, so that it ends the session even if the client leaves before the first byte.
        await anext(events)
        return StreamingResponse(events, media_type="text/event-stream")

    async def _events(self, session: str, wanted: Generation, name: str) -> AsyncIterator[bytes]:
        """Yield the server-sent events of a token stream: each token, then a summary or an error.

        At the end, also of a stream that the client breaks off, the request of the session ends,
        and the metrics record it. The first item is empty: once it is read, the cleanup is certain
        to run.

        session: the name of the session.  wanted: the request.  name: the name of the model.
        """
        service, start_s, code, count, token = self._service, time.perf_counter(), 200, 0, None
        is_running = True
        try:
            yield b""
            with service.admitted():
                async for token in service.sessions.tokens(session, wanted, name):
                    yield _event({"index": count, "token": token})
                    count += 1
            # Before the last event, after which the client may continue the session.
            service.sessions.finish(session, keep=wanted.keep)
            is_running = False
            last: dict[str, Any] = {
                "done": True, "tokens": count,
                "finish_reason": "stop" if token in wanted.stop else "length",
            }  # fmt: skip
            yield _event(last | ({"session": session} if wanted.keep else {}))
        # The status is sent already, so an error is the last event.
        except Exception as err:
            code = int(status_of(err))
            yield _event({"error": text_of(err)})
        finally:
            # A call may still run for a client that has left, so its session is not continued.
            if is_running:
                service.sessions.finish(session, keep=False)
            service.note(name, "sse", str(code), start_s)


def _event(fields: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(fields)}\n\n".encode()


def _infer_response(body: bytes, head: int | None) -> Response:
    if head is None:
        return Response(body, media_type="application/json")
    return Response(body, 200, {HEADER_LENGTH: str(head)}, media_type="application/octet-stream")


_THREADED_BYTES = 256 << 10


async def _maybe_threaded(size_bytes: int, function: Callable[[], Any]) -> Any:
    """Run a function and return its result; if it processes many bytes, run it in a thread.

    size_bytes: the number of bytes that the function processes.
    """
    return await asyncio.to_thread(function) if size_bytes > _THREADED_BYTES else function()
