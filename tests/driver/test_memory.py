"""Memory during and after a compilation, in a separate process: weights are held once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.driver.caches import CACHES

MIB = 1 << 20
LAYERS, SIZE = 12, 1448
WEIGHT_BYTES = LAYERS * SIZE * SIZE * 4  # 96 MiB

_COMPILE = """
import sys
import tilewright

def field(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(name))

module = tilewright.compile(sys.argv[1], threads=1)
sizes = (module.manifest.weights_bytes, module.manifest.arena_bytes)
print("import" in module.times, *sizes, field("VmRSS"), field("VmHWM"))
"""


def chain_model() -> onnx.ModelProto:
    """Return a chain of products with different matrices."""
    rng = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(rng.random((SIZE, SIZE), np.float32), f"w{i}")
        for i in range(LAYERS)
    ]
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"]) for i in range(LAYERS)]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, SIZE])
        for name in ("x0", f"x{LAYERS}")
    ]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_weights_are_held_once_after_a_compilation_and_mapped_after_a_look_up(
    tmp_path: Path,
) -> None:
    onnx.save(chain_model(), tmp_path / "chain.onnx")
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(tmp_path / "cache")}
    for is_cold in (True, False):
        ended = subprocess.run(
            [sys.executable, "-c", _COMPILE, str(tmp_path / "chain.onnx")],
            env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=300,
        )  # fmt: skip
        cold, *numbers = ended.stdout.split()
        weights, arena, resident, peak = map(int, numbers)
        assert cold == str(is_cold)
        assert WEIGHT_BYTES <= weights <= 1.1 * WEIGHT_BYTES
        assert resident <= 1.3 * weights + arena + 200 * MIB
        assert peak <= (3.2 if is_cold else 1.3) * weights + (1000 if is_cold else 200) * MIB


def test_what_grows_with_compiling_is_forgotten_after_large_models() -> None:
    array = np.random.default_rng(0).random((1100, 1100), np.float32)
    weights = numpy_helper.from_array(array, "w")
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 1100]) for n in "xy"]
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "product", ends[:1], ends[1:], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    tilewright.compile(model, cache=False)
    assert [cached.cache_info().currsize for cached in CACHES] == [0] * len(CACHES)


_CALL = """
import sys
import numpy as np
import tilewright

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))

with_states = sys.argv[2] == "session"
options = {"state": {"old": "new"}, "capacity": {"past": 1500}} if with_states else {}
module = tilewright.compile(sys.argv[1], threads=1, **options)
for rows in (1, 40, 333, 1500):  # the first call loads what all calls need
    inputs = [np.ones((2, rows, 1448), np.float32), np.ones((2, 5, 1448), np.float32)]
    if with_states:
        callee = module.session()
        del inputs[1:]
    else:
        callee = module
    before = resident()
    outputs = callee.run(inputs)
    said = callee.memory([x.shape for x in inputs])
    print(said.total - said.weights, resident() - before)
    del outputs, callee
"""


def decoder_model() -> onnx.ModelProto:
    """Return products of `seq` rows, of which a state keeps all."""
    text = """
<ir_version: 9, opset_import: ["": 20]>
decoder (float[b, seq, 1448] x, float[b, past, 1448] old)
    => (float[b, seq, 1] y, float[b, all, 1448] new) {
  a = MatMul (x, w0)
  c = Tanh (a)
  d = MatMul (c, w1)
  new = Concat <axis = 1> (old, d)
  e = Mul (d, c)
  axes = Constant <value_ints = [2]> ()
  y = ReduceMax (e, axes)
}"""
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name in ("w0", "w1"):
        array = rng.random((SIZE, SIZE), np.float32)
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    return model


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("kind", ["module", "session"])
def test_a_call_takes_the_memory_that_is_reported(tmp_path: Path, kind: str) -> None:
    onnx.save(decoder_model(), tmp_path / "decoder.onnx")
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(tmp_path / "cache")}
    ended = subprocess.run(
        [sys.executable, "-c", _CALL, str(tmp_path / "decoder.onnx"), kind],
        env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=300,
    )  # fmt: skip
    rows = [tuple(map(int, line.split())) for line in ended.stdout.splitlines()][1:]
    assert len(rows) == 3
    for reported, measured in rows:
        assert measured <= reported + MIB
    # Untouched memory is not resident: a session's buffers before they are full.
    for reported, measured in rows[-1:] if kind == "session" else rows:
        assert measured >= 0.97 * reported - MIB, (reported, measured)
