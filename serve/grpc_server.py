"""The gRPC interface of the Open Inference Protocol, with Triton's calls to load models."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

import numpy as np

from ..runtime import __version__
from ..runtime.abi.ndarray import Array
from .errors import GRPC_CODES, RequestError, status_of, text_of
from .http import EXTENSIONS, Service
from .messages import message_classes
from .model import DATATYPES
from .protocol import InferRequest, array_of_bytes, chosen, dtype_of, metadata

_CONTENTS = {
    "BOOL": "bool_contents",
    "INT8": "int_contents",
    "INT16": "int_contents",
    "INT32": "int_contents",
    "INT64": "int64_contents",
    "UINT8": "uint_contents",
    "UINT16": "uint_contents",
    "UINT32": "uint_contents",
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents",
    "FP64": "fp64_contents",
}
"""The typed fields of a tensor; other types need raw contents."""

_OVERHEAD_BYTES = 64 << 10


class GrpcServer:
    """A gRPC server that runs in the event loop of the HTTP server."""

    def __init__(self, service: Service) -> None:
        grpc, aio = import_module("grpc"), import_module("grpc.aio")
        limit = service.settings.max_body_bytes + _OVERHEAD_BYTES
        # Without the limit on concurrent calls, a request beyond the limit of the service would
        # be read into memory before it is refused.
        self._server = aio.server(
            maximum_concurrent_rpcs=service.settings.max_requests,
            options=[
                ("grpc.max_receive_message_length", limit),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),
                ("grpc.max_connection_idle_ms", int(service.settings.idle_s * 1e3)),
            ],
        )
        calls = _GrpcHandlers(service, grpc)
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(
                calls.guarded(name, method),
                request_deserializer=getattr(calls.types, f"{name}Request").FromString,
                response_serializer=getattr(calls.types, f"{name}Response").SerializeToString,
            )
            for name, method in calls.methods().items()
        }
        handler = grpc.method_handlers_generic_handler("inference.GRPCInferenceService", handlers)
        self._server.add_generic_rpc_handlers((handler,))

    async def start(self, address: str) -> int:
        """Listen on ``HOST:PORT``; return the port."""
        port: int = self._server.add_insecure_port(address)
        await self._server.start()
        return port

    async def stop(self, grace_s: float) -> None:
        """Refuse new calls, and wait up to ``grace_s`` seconds for those in progress."""
        await self._server.stop(grace_s)


class _GrpcHandlers:
    def __init__(self, service: Service, grpc: Any) -> None:
        self._service, self._grpc, self.types = service, grpc, message_classes()

    def methods(self) -> dict[str, Callable[[Any], Awaitable[Any]]]:
        """Return the handler of each gRPC call, by the name of the call in the protocol."""
        return {
            "ServerLive": self._live,
            "ServerReady": self._ready,
            "ModelReady": self._model_ready,
            "ServerMetadata": self._server_metadata,
            "ModelMetadata": self._model_metadata,
            "ModelInfer": self._infer,
            "RepositoryIndex": self._index,
            "RepositoryModelLoad": self._load,
            "RepositoryModelUnload": self._unload,
        }

    def guarded(self, name: str, method: Callable[[Any], Awaitable[Any]]) -> Any:
        """Wrap a handler: its errors become gRPC status codes, and inference calls are counted.

        name: the name of the call.  method: its handler.
        """

        async def call(request: Any, context: Any) -> Any:
            start_s, code = time.perf_counter(), "OK"
            try:
                return await method(request)
            # The boundary of gRPC: every error becomes a status.
            except Exception as err:
                code = GRPC_CODES.get(status_of(err), "INTERNAL")
                failure = err
            finally:
                if name == "ModelInfer":
                    self._service.note(request.model_name, "grpc", code, start_s)
            return await context.abort(getattr(self._grpc.StatusCode, code), text_of(failure))

        return call

    async def _live(self, _: Any) -> Any:
        return self.types.ServerLiveResponse(live=True)

    async def _ready(self, _: Any) -> Any:
        return self.types.ServerReadyResponse(ready=self._service.is_ready)

    async def _model_ready(self, request: Any) -> Any:
        self._service.repository.queue(request.name, request.version)
        return self.types.ModelReadyResponse(ready=True)

    async def _server_metadata(self, _: Any) -> Any:
        return self.types.ServerMetadataResponse(
            name="tilewright", version=__version__, extensions=EXTENSIONS
        )

    async def _model_metadata(self, request: Any) -> Any:
        repository = self._service.repository
        queue = repository.queue(request.name, request.version)
        versions = [*repository.served[request.name].queues]
        return self.types.ModelMetadataResponse(**metadata(queue.model, request.name, versions))

    async def _index(self, _: Any) -> Any:
        return self.types.RepositoryIndexResponse(models=self._service.repository.index())

    async def _load(self, request: Any) -> Any:
        await self._service.repository.load(request.model_name)
        return self.types.RepositoryModelLoadResponse()

    async def _unload(self, request: Any) -> Any:
        await self._service.repository.unload(request.model_name)
        return self.types.RepositoryModelUnloadResponse()

    async def _infer(self, request: Any) -> Any:
        with self._service.admitted():
            queue = self._service.repository.queue(request.model_name, request.model_version)
            given = InferRequest(
                _arrays(request), tuple(row.name for row in request.outputs), id=request.id
            )
            results = await self._service.infer(queue, given)
            rows = chosen(queue.model, given, results)
        response = self.types.ModelInferResponse(
            model_name=request.model_name, model_version=request.model_version, id=request.id
        )
        for spec, array in rows:
            response.outputs.add(name=spec.name, datatype=DATATYPES[spec.dtype], shape=array.shape)
            response.raw_output_contents.append(array.tobytes())
        return response


def _arrays(request: Any) -> dict[str, Array]:
    raw, found = request.raw_input_contents, dict[str, Array]()
    if raw and len(raw) != len(request.inputs):
        raise RequestError(
            "raw contents are not one per input", expected=len(request.inputs), got=len(raw)
        )
    for number, row in enumerate(request.inputs):
        shape = list(row.shape)
        if row.name in found:
            raise RequestError(f"input {row.name} is given twice")
        if any(size < 0 for size in shape):
            raise RequestError(f"input {row.name} has no valid shape", got=shape)
        if raw:
            found[row.name] = array_of_bytes(row.name, row.datatype, shape, raw[number])
            continue
        dtype, field = dtype_of(row.name, row.datatype), _CONTENTS.get(row.datatype)
        if field is None:
            raise RequestError(f"{row.datatype} of input {row.name} needs raw contents")
        values = np.array(getattr(row.contents, field))
        data = values.astype(dtype)
        if data.size and not np.array_equal(data, values):
            raise RequestError(f"input {row.name} has elements outside the range of {row.datatype}")
        found[row.name] = array_of_bytes(row.name, row.datatype, shape, data.tobytes())
    return found
