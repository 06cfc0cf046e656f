"""Memory during and after a compilation, in a separate process: weights are held once."""

from __future__ import annotations

import json
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
import json
import sys
import numpy as np
import tilewright

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))

model, options, calls = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
module = tilewright.compile(model, threads=1, **options)
held = []
for shapes in calls:  # the first call loads what all calls need
    # Boxes of no area never overlap, and all scores are 1.
    inputs = [np.ones(shape, np.float32) for shape in shapes]
    callee = module.session() if module.states else module
    before = resident()
    held.append(callee.run(inputs))  # so that no later call uses the memory of these results again
    said = callee.memory(shapes)
    print(said.total - said.weights, resident() - before)
    del callee
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


ATTENTION = onnx.parser.parse_model("""
<ir_version: 9, opset_import: ["": 20]>
attention (float[1, 16, s, 64] x, float[1, 16, past, 64] old_k, float[1, 16, past, 64] old_v)
    => (float[1, 16, s, 64] y, float[1, 16, all, 64] k, float[1, 16, all, 64] v) {
  new_k = Tanh (x)
  new_v = Neg (x)
  k = Concat <axis = 2> (old_k, new_k)
  v = Concat <axis = 2> (old_v, new_v)
  turned = Transpose <perm = [0, 1, 3, 2]> (k)
  scores = MatMul (x, turned)
  weights = Softmax (scores)
  y = MatMul (weights, v)
}""")
DETECTOR = onnx.parser.parse_model("""
<ir_version: 9, opset_import: ["": 20]>
detector (float[1, n, 4] boxes, float[1, 1, n] scores, float[n, 1448] features)
    => (float[k, 1448] y)
    <int64[1] most = {4000}, float[1] overlap = {0.5}, int64[1] last = {2}> {
  kept = NonMaxSuppression (boxes, scores, most, overlap)
  column = Gather <axis = 1> (kept, last)
  places = Squeeze (column, one)
  picked = Gather (features, places)
  turned = Transpose (picked)
  wave = Softmax <axis = 0> (turned)
  y = Transpose (wave)
}""")
DETECTOR.graph.initializer.append(numpy_helper.from_array(np.array([1]), "one"))
LENGTHS = (1, 40, 333, 1500)
STATE = {"state": {"old": "new"}, "capacity": {"past": 1500}}
CACHES_OF_KEYS = {"state": {"old_k": "k", "old_v": "v"}, "capacity": {"past": 1500}}
CALLED = {
    "module": (decoder_model(), {}, [[(2, n, 1448), (2, 5, 1448)] for n in LENGTHS]),
    "session": (decoder_model(), STATE, [[(2, n, 1448)] for n in LENGTHS]),
    "session of attention": (ATTENTION, CACHES_OF_KEYS, [[(1, 16, n, 64)] for n in (1, 1500)]),
    "detector": (DETECTOR, {}, [[(1, n, 4), (1, 1, n), (n, 1448)] for n in (9, 1000, 6000)]),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    "kind",
    [
        "module",
        "session",
        *(pytest.param(kind, marks=pytest.mark.nightly) for kind in [*CALLED][2:]),
    ],
)
def test_a_call_takes_the_memory_that_is_reported(tmp_path: Path, kind: str) -> None:
    model, options, calls = CALLED[kind]
    onnx.save(model, tmp_path / "model.onnx")
    # Else numpy asks for huge pages, which are resident as a whole.
    environment = {**os.environ, "NUMPY_MADVISE_HUGEPAGE": "0"}
    environment["TILEWRIGHT_CACHE_DIR"] = str(tmp_path / "cache")
    texts = (json.dumps(options), json.dumps(calls))
    ended = subprocess.run(
        [sys.executable, "-c", _CALL, str(tmp_path / "model.onnx"), *texts],
        env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=300,
    )  # fmt: skip
    rows = [tuple(map(int, line.split())) for line in ended.stdout.splitlines()][1:]
    assert len(rows) == len(calls) - 1
    for reported, measured in rows:
        assert measured <= reported + MIB
    # Untouched memory is not resident: a session's buffers before they are full.
    for reported, measured in rows[-1:] if "session" in kind else rows:
        assert measured >= 0.97 * reported - MIB, (reported, measured)
