"""The gRPC interface in this process, over a channel."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tilewright.serve import Settings

grpc = pytest.importorskip("grpc", reason="needs grpcio, of the extra serve")
pytest.importorskip("google.protobuf", reason="needs protobuf, of the extra serve")


def test_the_protocol_over_grpc(repository) -> None:
    asyncio.run(talk(repository("scale")))


async def talk(folder) -> None:
    from tilewright.serve.grpc_server import GrpcServer
    from tilewright.serve.http import Service
    from tilewright.serve.messages import message_classes

    types = message_classes()
    service = Service(folder, Settings(threads=1), None)
    await service.repository.refresh()
    server = GrpcServer(service)
    port = await server.start("127.0.0.1:0")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:

        async def ask(method: str, /, **fields):
            call = channel.unary_unary(
                f"/inference.GRPCInferenceService/{method}",
                request_serializer=getattr(types, f"{method}Request").SerializeToString,
                response_deserializer=getattr(types, f"{method}Response").FromString,
            )
            return await call(getattr(types, f"{method}Request")(**fields))

        assert (await ask("ServerLive")).live
        assert (await ask("ServerReady")).ready
        assert (await ask("ServerMetadata")).name == "tilewright"
        assert (await ask("ModelReady", name="scale")).ready
        assert list((await ask("ModelMetadata", name="scale")).inputs[0].shape) == [-1, 3]
        assert (await ask("RepositoryIndex")).models[0].state == "READY"

        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        tensor = {"name": "x", "datatype": "FP32", "shape": [2, 3]}
        raw = await ask("ModelInfer", model_name="scale", id="7", inputs=[tensor],
                        raw_input_contents=[x.tobytes()])  # fmt: skip
        assert (raw.id, list(raw.outputs[0].shape)) == ("7", [2, 3])
        np.testing.assert_array_equal(
            np.frombuffer(raw.raw_output_contents[0], "f4"), 2 * x.ravel()
        )
        typed = {**tensor, "contents": {"fp32_contents": x.ravel().tolist()}}
        again = await ask("ModelInfer", model_name="scale", inputs=[typed])
        assert again.raw_output_contents == raw.raw_output_contents

        async def code(method: str, /, **fields) -> str:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ask(method, **fields)
            assert caught.value.details()
            return caught.value.code().name

        assert await code("ModelInfer", model_name="other") == "NOT_FOUND"
        short = {"inputs": [tensor], "raw_input_contents": [b"123"]}
        assert await code("ModelInfer", model_name="scale", **short) == "INVALID_ARGUMENT"
        await ask("RepositoryModelUnload", model_name="scale")
        assert await code("ModelInfer", model_name="scale", inputs=[typed]) == "UNAVAILABLE"
        await server.stop(1)
    await service.repository.close()
