"""Models in another process: a decoder whose states stay there, a detector, the classic program.

Each runs in the C server of this machine, and, in a nightly run, in that of AArch64 under QEMU.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tests.opencl_device import opencl_device
from tests.runtime.test_session import ATTENTION, CAPACITY, STATE, model_of
from tilewright import GraphModule, nd, rpc, te
from tilewright.tools.rpc_program import server_program

from .servers import c_server, needs_c, needs_qemu

MACHINES = (
    pytest.param("", marks=needs_c, id="this machine"),
    pytest.param("aarch64", marks=[pytest.mark.nightly, needs_qemu]),
)
DETECTOR = """
<ir_version: 9, opset_import: ["": 18]>
detector (float[1, n, 4] boxes, float[1, 2, n] scores) => (int64[found, 3] chosen)
  <int64 most = {5}, float overlap = {0.5}, float least = {0.3}> {
  chosen = NonMaxSuppression (boxes, scores, most, overlap, least)
}"""


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def remote(machine: str) -> Iterator[rpc.RPCSession]:
    command = [str(c_server())] if not machine else ["qemu-aarch64", str(server_program(machine))]
    with rpc.PopenSession([*command, "--stdio"]) as made:
        yield made


def test_a_decoder_keeps_its_states_there(
    machine: str, remote: rpc.RPCSession, tmp_path: Path
) -> None:
    model = model_of(ATTENTION, w_in=(32, 96))
    local = tilewright.compile(model, state=STATE, capacity=CAPACITY)
    there = tilewright.compile(
        model, state=STATE, capacity=CAPACITY, target=machine or None
    )  # the same module for this machine, from the cache
    there.export_library(tmp_path / "m.tar")
    remote.upload(tmp_path / "m.tar")
    near, far = local.session(), remote.load_module("m.tar").session()
    assert [spec.name for spec in far.inputs] == ["x"]
    rng = np.random.default_rng(1)

    def check(rows: int) -> None:
        x = rng.standard_normal((1, rows, 32), np.float32)
        np.testing.assert_allclose(far(x), near(x), rtol=2e-5, atol=1e-6)
        assert far.sizes == near.sizes

    for rows in (3, 1, 1):
        check(rows)
    np.testing.assert_allclose(far.state("past_k"), near.state("past_k"), rtol=2e-5, atol=1e-6)
    twin = far.fork()
    for each in (near, far):
        each.rewind(2)
    check(2)
    assert twin.sizes == {"past": 5}
    with pytest.raises(tilewright.ArgumentError, match="forget"):
        far.rewind(99)
    with pytest.raises(tilewright.ArgumentError, match="other inputs"):
        far.run({"past_k": np.zeros(1)})
    for each in (near, far):
        each.reset()
    check(1)


def test_a_detector_finds_as_many_boxes_as_here(
    machine: str, remote: rpc.RPCSession, tmp_path: Path
) -> None:
    model, rng = onnx.parser.parse_model(DETECTOR), np.random.default_rng(0)
    tilewright.compile(model, target=machine or None).export_library(tmp_path / "m.tar")
    remote.upload(tmp_path / "m.tar")
    far, near = remote.load_module("m.tar"), tilewright.compile(model)
    for count in (1, 6, 30):
        corners = rng.random((1, count, 2), np.float32)
        boxes = np.concatenate([corners, corners + 0.2], axis=2)
        scores = rng.random((1, 2, count), np.float32)
        got, want = far(boxes, scores).numpy(), near(boxes, scores).numpy()
        assert got.shape == want.shape
        assert (got == want).all()


def test_the_classic_program(machine: str, remote: rpc.RPCSession, tmp_path: Path) -> None:
    """The program of the tutorial: upload, load, GraphModule, outputs bitwise equal."""
    size = te.var("n")
    lhs = te.placeholder((size,), name="A")
    added = te.compute(lhs.shape, lambda i: lhs[i] + 1.0, name="B")
    module = tilewright.build([lhs, added], target=machine or "llvm", name="add_one")
    module.export_library(tmp_path / "lib.tar")
    remote.upload(tmp_path / "lib.tar")
    function, device = remote.load_module("lib.tar"), remote.cpu(0)
    for count in (7, 1024):
        a = nd.array(np.random.default_rng(count).random(count, np.float32), device)
        b = nd.array(np.zeros(count, np.float32), device)
        function(a, b)
        np.testing.assert_array_equal(b.numpy(), a.numpy() + 1)
    assert function.time_evaluator(function.entry_name, device, number=3)(a, b).mean > 0
    text = '<ir_version: 9, opset_import: ["": 18]> g (float[4] x) => (float[4] y) { y = Abs(x) }'
    graph = tilewright.compile(onnx.parser.parse_model(text), target=machine or None)
    graph.export_library(tmp_path / "m.tar")
    remote.upload(tmp_path / "m.tar")
    executor = GraphModule(remote.load_module("m.tar")["default"](device))
    x = np.float32([-1, 2, -3, 4])
    executor.set_input("x", x)
    executor.run()
    assert (executor.get_output(0).numpy() == abs(x)).all()


@pytest.mark.slow
def test_a_module_for_gpus_runs_in_the_python_server(tmp_path: Path) -> None:
    opencl_device()
    text = """<ir_version: 9, opset_import: ["": 18]>
        g (float[8, 16] x, float[16, 8] w) => (float[8, 8] y) { a = MatMul (x, w)  y = Relu (a) }"""
    local = tilewright.compile(onnx.parser.parse_model(text), target="opencl")
    local.export_library(tmp_path / "m.so")
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape, np.float32) for shape in ((8, 16), (16, 8)))
    want = local(x, w).numpy()
    with rpc.PopenSession() as remote:
        remote.upload(tmp_path / "m.so")
        module, device = remote.load_module("m.so"), remote.opencl(0)
        placed = module(nd.array(x, device), nd.array(w, device))
        assert placed.device == device
        assert (placed.numpy() == want).all()
        executor = GraphModule(module["default"](device))
        executor.set_input("x", x)
        executor.set_input("w", w)
        executor.run()
        assert (executor.get_output(0).numpy() == want).all()
