"""Models whose ops run on several targets: parts, copies at the seams, exports, errors."""

from __future__ import annotations

import gc
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import ArgumentError, TargetError, UnsupportedOp, nd
from tilewright.testing import models

from ..opencl_device import opencl_device

ENCODER = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq="seq", batch="batch")


@pytest.fixture
def _gpu() -> None:
    opencl_device()


on_device = pytest.mark.usefixtures("_gpu")


def parsed(body: str, inputs: str = "float[n, 8] x", outputs: str = "float[n, 8] y"):
    text = f'<ir_version: 9, opset_import: ["": 18]> g ({inputs}) => ({outputs}) {{ {body} }}'
    return onnx.parser.parse_model(text)


def placed(model: onnx.ModelProto, placement: Any, **options: Any) -> Any:
    return tilewright.compile(
        model, target="opencl", placement=placement, strict_plan=True, cache=False, **options
    )


def seams(mod: Any) -> tuple[int, int, int]:
    """Return the numbers of calls, of copies to the host, and of copies from it."""
    text = mod.get_source("packed")
    on_host = set(re.findall(r"(%\w+) = packed.alloc host", text))
    copies = re.findall(r"packed.copy (%\w+) to (%\w+)", text)
    to_host = [target for _, target in copies if target in on_host]
    return text.count("packed.extern"), len(to_host), len(copies) - len(to_host)


CHAIN = parsed("a = Exp(x) b = Softmax(a) c = Neg(b) y = Tanh(c)")
X = np.random.default_rng(0).random((3, 8), np.float32)


@on_device
@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ({"softmax": "llvm"}, (1, 1, 1)),
        ({"softmax": "llvm", "neg": "llvm"}, (1, 1, 1)),
        ({"exp": "llvm", "neg": "llvm"}, (2, 2, 2)),
        ({"softmax": "interpreter"}, (1, 1, 1)),
        ({"*": "llvm"}, (1, 1, 1)),
        ({"*": "opencl -max-threads=4"}, (0, 0, 0)),
        (lambda op: "llvm" if op.name == "graph.tanh" else None, (1, 1, 1)),
    ],
    ids=["one", "neighbors", "two parts", "interpreter", "all", "own", "function"],
)
def test_ops_run_on_the_target_of_their_placement(placement: Any, expected: tuple) -> None:
    named = onnx.ModelProto.FromString(CHAIN.SerializeToString())
    for node in named.graph.node:
        node.name = f"block/{node.op_type}"
    mod = placed(named, placement)
    assert not mod.reason
    native = tilewright.compile(named, cache=False)
    for rows in (1, 3):
        np.testing.assert_allclose(mod(X[:rows]).numpy(), native(X[:rows]).numpy(), rtol=1e-6)
    assert seams(mod) == expected


@on_device
def test_nodes_are_placed_by_patterns_of_their_names() -> None:
    mod = placed(ENCODER, {"layer.0/attention/*": "llvm"})
    native = tilewright.compile(ENCODER, cache=False)
    for batch, seq in ((1, 1), (3, 5)):
        x = np.random.default_rng(seq).standard_normal((batch, seq, 32)).astype(np.float32)
        np.testing.assert_allclose(mod(x).numpy(), native(x).numpy(), rtol=1e-4, atol=1e-5)
    assert not mod.reason
    assert seams(mod) == (1, 1, 1)
    assert "softmax" not in " ".join(op for kernel in mod.kernels for op in kernel.ops)


@on_device
def test_a_value_is_copied_once_for_all_parts_that_take_it() -> None:
    """The input of both parts goes to the host once; `b` never leaves it."""
    model = parsed("a = Exp(x) b = Softmax(a) c = Tanh(b) d = Mul(c, a) y = Add(d, b)")
    mod = placed(model, {"softmax": "llvm", "mul": "llvm"})
    softmax = np.exp(np.exp(X)) / np.exp(np.exp(X)).sum(1, keepdims=True)
    expected = np.tanh(softmax) * np.exp(X) + softmax
    np.testing.assert_allclose(mod(X).numpy(), expected, rtol=1e-5)
    assert seams(mod) == (2, 2, 2)


@on_device
def test_arrays_of_the_device_stay_there() -> None:
    mod = placed(CHAIN, {"softmax": "llvm"})
    place = tilewright.device("opencl")
    y = mod(nd.array(X, place))
    assert y.device == place
    np.testing.assert_array_equal(y.numpy(), mod(X).numpy())


@on_device
def test_integers_booleans_and_constants_cross_the_seams() -> None:
    model = parsed(
        "one = Constant<value = uint8 {200}>() a = Add(x, one) b = BitwiseNot(a) "
        "c = Greater(b, one) y = Not(c)",
        "uint8[n, 8] x",
        "bool[n, 8] y",
    )
    x = np.arange(24, dtype=np.uint8).reshape(3, 8)
    expected = ~(~(x + np.uint8(200)) > 200)
    for ops in (("lt",), ("add",), ("add", "not")):
        mod = placed(model, dict.fromkeys(ops, "llvm"))
        np.testing.assert_array_equal(mod(x).numpy(), expected)


@on_device
def test_branches_run_as_a_whole() -> None:
    model = parsed(
        """z = If(c) <then_branch = t () => (float[n, 8] p) { p = Exp(x) },
                     else_branch = e () => (float[n, 8] q) { q = Neg(x) }>
           y = Tanh(z)""",
        "bool c, float[n, 8] x",
    )
    mod = placed(model, {"if": "llvm"})
    for condition in (True, False):
        expected = np.tanh(np.exp(X) if condition else -X)
        np.testing.assert_allclose(mod(np.array(condition), X).numpy(), expected, rtol=1e-5)
    assert seams(mod)[0] == 1


@on_device
def test_sizes_that_main_computes_reach_a_part() -> None:
    model = parsed("a = Relu(x) b = NonZero(a) y = Add(b, b)", outputs="int64[2, m] y")
    x = np.where(X > 0.5, X, 0).astype(np.float32)
    np.testing.assert_array_equal(
        placed(model, {"add": "llvm"})(x).numpy(), 2 * np.stack(x.nonzero())
    )
    mod = placed(model, {"non_zero": "llvm"})
    with pytest.raises(UnsupportedOp, match=r"computes a size(?s:.*)on the device"):
        mod(x)


@on_device
def test_an_op_on_constants_has_a_place_too() -> None:
    text = "r = RandomNormalLike <seed = 3.0> (x) e = Exp(r) f = Neg(r) y = Add(e, f)"
    mod = placed(parsed(text), {"exp": "llvm"})
    expected = tilewright.compile(parsed(text), target="interpreter", cache=False)(X).numpy()
    np.testing.assert_allclose(mod(X).numpy(), expected, rtol=1e-5, atol=1e-6)
    assert seams(mod)[0] == 1


@on_device
def test_functions_of_parts_live_as_long_as_the_model() -> None:
    def parts() -> list[str]:
        names = tilewright.list_global_func_names()
        return [name for name in names if name.startswith("tilewright.part")]

    gc.collect()
    before = parts()
    mod = placed(CHAIN, {"softmax": "llvm"})
    assert len(parts()) == len(before) + 1
    del mod
    gc.collect()
    assert parts() == before


@on_device
@pytest.mark.parametrize("embed", [False, True])
def test_parts_are_exported_with_their_weights(tmp_path: Path, *, embed: bool) -> None:
    """A new process has no functions of parts: the library has them."""
    nodes = {"layer.0/attention/*": "llvm"}
    mod = placed(ENCODER, nodes)
    x = np.random.default_rng(0).standard_normal((2, 5, 32)).astype(np.float32)
    np.savez(tmp_path / "xy.npz", x=x, y=mod(x).numpy())
    mod.export_library(tmp_path / "m.so", embed=embed)
    code = (
        "import sys, numpy as np, tilewright\n"
        "mod, data = tilewright.load_module('m.so', verify=True), np.load('xy.npz')\n"
        "np.testing.assert_array_equal(mod(data['x']).numpy(), data['y'])\n"
        "assert not any('part' in name for name in tilewright.list_global_func_names())\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


@on_device
def test_a_model_with_parts_is_pickled() -> None:
    mod = placed(CHAIN, {"exp": "llvm", "neg": "llvm"})
    data, expected = pickle.dumps(mod), mod(X).numpy()
    del mod
    gc.collect()
    again = pickle.loads(data)
    np.testing.assert_array_equal(again(X).numpy(), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again))(X).numpy(), expected)


@on_device
def test_a_part_for_a_target_without_exports_is_an_error_of_the_export(tmp_path: Path) -> None:
    mod = placed(CHAIN, {"softmax": "interpreter"})
    with pytest.raises(ArgumentError, match=r"a target with such a format"):
        mod.export_library(tmp_path / "m.so")
    assert not list(tmp_path.iterdir())


def test_a_placement_that_names_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"neither an op nor a node(?s:.*)exp, neg(?s:.*)conv"):
        placed(CHAIN, {"conv": "llvm"})
    with pytest.raises(TargetError, match="gpu9"):
        placed(CHAIN, {"exp": "gpu9"})


def test_the_program_of_a_processor_has_parts() -> None:
    mod = tilewright.compile(CHAIN, placement={"softmax": "interpreter"}, cache=False)
    native = tilewright.compile(CHAIN, cache=False)
    np.testing.assert_allclose(mod(X).numpy(), native(X).numpy(), rtol=1e-6)
    assert mod.get_source("packed").count("packed.extern") == 1
    with pytest.raises(TargetError, match=r"all ops of a model for this target run there"):
        tilewright.compile(CHAIN, target="interpreter", placement={"exp": "llvm"})
