"""External backends: a library in C, onnxruntime and OpenVINO compute parts of models."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import tilewright
from tilewright import ArgumentError, Extension, TargetError
from tilewright.dialects.graph import AddOp, ExpOp, MulOp, SubOp, TanhOp
from tilewright.passes.graph.op_patterns import op, value
from tilewright.runtime import include_dir
from tilewright.runtime.abi.registry import list_global_func_names, remove_global_func
from tilewright.support.entry import entry_of
from tilewright.targets.external import ExternalBackend
from tilewright.testing import models

from ..opencl_device import opencl_device
from ..peer import peer_results

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let examples be imported; remove the functions that they register."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.syspath_prepend(str(EXAMPLES / "vendor_library"))
    before = {*list_global_func_names()}
    yield
    for name in {*list_global_func_names()} - before:
        if not name.startswith("vendor_"):
            remove_global_func(name)


@pytest.fixture(scope="module")
def _library(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile the library of the example, and register its functions."""
    made = tmp_path_factory.mktemp("vendor") / "libvendor.so"
    source = EXAMPLES / "vendor_library" / "vendor.c"
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2"]
    subprocess.run([*command, "-I", include_dir(), source, "-o", made], check=True)
    assert tilewright.load_functions(made) == ["vendor_conv_relu", "vendor_matmul"]


def network() -> onnx.ModelProto:
    """Return a network with a convolution for the library, one with strides, and a product."""
    rng = np.random.default_rng(0)
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 18]> g (float[2, 3, 6, 6] x) => (float[2, 10] y) {'
        " a = Conv<pads = [1, 1, 1, 1]>(x, w1) b = Relu(a) c = Conv<strides = [2, 2]>(b, w2)"
        " d = Relu(c) f = Flatten(d) y = MatMul(f, w3) }"
    )
    shapes = {"w1": (8, 3, 3, 3), "w2": (4, 8, 2, 2), "w3": (36, 10)}
    model.graph.initializer.extend(
        numpy_helper.from_array(rng.standard_normal(shape, np.float32), name)
        for name, shape in shapes.items()
    )
    return model


X = np.random.default_rng(1).standard_normal((2, 3, 6, 6), np.float32)


def externs(mod: Any) -> Counter[str]:
    """Return how often main calls each function of the process."""
    words = mod.get_source("packed").split('packed.extern "')[1:]
    return Counter(word.partition('"')[0] for word in words)


@needs_cc
@pytest.mark.usefixtures("_library")
@pytest.mark.parametrize("target", ["llvm", "opencl"])
def test_a_library_in_c_computes_what_its_patterns_match(target: str, tmp_path: Path) -> None:
    import vendor  # pyright: ignore[reportMissingImports]

    if target == "opencl":
        opencl_device()
    model = network()
    mod = tilewright.compile(
        model, target=target, placement="vendor", extensions=[vendor.EXTENSION], cache=False
    )
    assert externs(mod) == {"vendor_conv_relu": 1, "vendor_matmul": 1}
    # The convolution with strides stays here.
    assert sum(kernel.ops.count("conv") for kernel in mod.kernels) == 1
    np.testing.assert_allclose(mod(X).numpy(), peer_results(model, [X])[0], rtol=1e-4, atol=1e-4)
    if target == "llvm":
        mod.export_library(tmp_path / "m.so")
        loaded = tilewright.load_module(tmp_path / "m.so")
        np.testing.assert_array_equal(loaded(X).numpy(), mod(X).numpy())


@needs_cc
@pytest.mark.usefixtures("_library")
def test_no_python_runs_in_a_call_of_a_library() -> None:
    import vendor  # pyright: ignore[reportMissingImports]

    class Products(vendor.Vendor):
        """Takes only products."""

        patterns = vendor.Vendor.patterns[1:]

    calls: list[list[str]] = []
    for backend, count in ((Products(), 1), (vendor.Vendor(), 2)):
        added = Extension(backends=[backend])
        mod = tilewright.compile(network(), placement="vendor", extensions=[added], cache=False)
        assert sum(externs(mod).values()) == count
        main, y = mod["main"], np.empty((2, 10), np.float32)
        main(X, y)
        called: list[str] = []
        sys.setprofile(
            lambda frame, event, _arg, called=called: (
                called.append(frame.f_code.co_qualname) if event == "call" else None
            )
        )
        try:
            main(X, y)
        finally:
            sys.setprofile(None)
        np.testing.assert_array_equal(y, mod(X).numpy())
        calls.append(called)
    # Python code runs only to enter main, so a second call of the library adds none.
    assert calls[0] == calls[1]


@pytest.mark.parametrize("runtime", ["onnxruntime", "openvino"])
def test_another_runtime_computes_what_it_supports(runtime: str) -> None:
    pytest.importorskip(runtime, reason=f"{runtime} is not installed")
    import onnx_parts  # pyright: ignore[reportMissingImports]

    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8, batch=2)
    backend = onnx_parts.OpenVino() if runtime == "openvino" else onnx_parts.OnnxRuntime()
    mod = tilewright.compile(
        model, placement=runtime, extensions=[Extension(backends=[backend])], cache=False
    )
    x = np.random.default_rng(3).standard_normal((2, 8, 32), np.float32)
    np.testing.assert_allclose(mod(x).numpy(), peer_results(model, [x])[0], rtol=1e-4, atol=1e-5)
    there = Counter(node.op_type for part in backend.models.values() for node in part.graph.node)
    assert (there["MatMul"], there["Softmax"], there["Erf"]) == (8, 1, 1)
    # The two normalizations of the layer are no ops of the table.
    here = [name for kernel in mod.kernels for name in kernel.ops * kernel.calls]
    assert here == ["normalize_mean", "normalize_inv_std", "normalize"] * 2
    assert sum(externs(mod).values()) == len(backend.models) == 3


def test_a_backend_can_leave_parts_to_main() -> None:
    import onnx_parts  # pyright: ignore[reportMissingImports]

    class Large(onnx_parts.OnnxRuntime):
        """Takes parts with a product."""

        def takes(self, module: Any) -> bool:
            return "graph.matmul" in str(module)

    model = models.encoder_model(layers=1, hidden=32, heads=2, ffn=64, seq=8, batch=2)
    mod = tilewright.compile(
        model, placement="onnxruntime", extensions=[Extension(backends=[Large()])], cache=False
    )
    x = np.random.default_rng(3).standard_normal((2, 8, 32), np.float32)
    np.testing.assert_allclose(mod(x).numpy(), peer_results(model, [x])[0], rtol=1e-4, atol=1e-5)
    assert sum(externs(mod).values()) == 2


def parsed(body: str, inputs: str = "float[n, 8] x, float[n, 8] z") -> onnx.ModelProto:
    text = f'<ir_version: 9, opset_import: ["": 18]> g ({inputs}) => (float[n, 8] y) {{ {body} }}'
    return onnx.parser.parse_model(text)


SUBTRACTED = op(SubOp, value(), op(ExpOp, value()))
X2 = np.random.default_rng(2).standard_normal((3, 8), np.float32)


@pytest.mark.parametrize(
    ("body", "patterns", "functions"),
    [
        # The first input of a match is the result of another match.
        ("p = Tanh(x) e = Exp(z) d = Sub(p, e) y = Neg(d)",
         (("sub", SUBTRACTED), ("tanh", op(TanhOp, value()))),
         {"sub": lambda p, q: p - np.exp(q), "tanh": np.tanh}),
        # One value is both inputs.
        ("m = Mul(x, x) y = Neg(m)", (("mul", op(MulOp, value(), value())),),
         {"mul": lambda p, q: p * q}),
        ("m = Sub(x, x) y = Add(m, z)", (("minus", op(SubOp)),), {"minus": lambda p, q: p - q}),
        # Operands of a commutative op are in the other order.
        ("e = Exp(z) m = Add(e, x) y = Neg(m)",
         (("add", op(AddOp, value(), op(ExpOp, value()))),), {"add": lambda p, q: p + np.exp(q)}),
    ],
    ids=["chain", "one value twice", "any operands", "commutative"],
)  # fmt: skip
def test_inputs_are_the_values_of_a_pattern_in_order(
    body: str, patterns: Any, functions: dict[str, Any]
) -> None:
    named = patterns

    class Ordered(ExternalBackend):
        """Functions of numpy for patterns."""

        kind = "ordered"
        patterns = named

        def function(self, module: Any) -> str:
            name = entry_of(module).attributes["tw.pattern"].data

            def run(*tensors: Any) -> None:
                *given, result = (np.asarray(tensor) for tensor in tensors)
                result[...] = functions[name](*given)

            tilewright.register_func(f"ordered.{name}", run, override=True)
            return f"ordered.{name}"

    inputs = "float[n, 8] x, float[n, 8] z" if "z" in body else "float[n, 8] x"
    model = parsed(body, inputs)
    mod = tilewright.compile(
        model, placement="ordered", extensions=[Extension(backends=[Ordered()])], cache=False
    )
    assert sum(externs(mod).values()) == len(patterns)
    native = tilewright.compile(model, cache=False)
    given = [X2, X2[::-1] * 2 + 1][: len(mod.inputs)]
    np.testing.assert_allclose(mod(*given).numpy(), native(*given).numpy(), rtol=1e-5, atol=1e-6)


@needs_cc
@pytest.mark.usefixtures("_library")
def test_transposed_products_stay_in_the_program() -> None:
    import vendor  # pyright: ignore[reportMissingImports]

    weights = np.random.default_rng(4).standard_normal((10, 8), np.float32)
    model = parsed("t = Transpose<perm = [1, 0]>(w) a = MatMul(x, t) b = MatMul(a, w) y = Neg(b)",
                   "float[n, 8] x")  # fmt: skip
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    mod = tilewright.compile(model, placement="vendor", extensions=[vendor.EXTENSION], cache=False)
    np.testing.assert_allclose(mod(X2).numpy(), -(X2 @ weights.T @ weights), rtol=1e-4, atol=1e-4)


def test_wrong_uses_of_a_backend_are_errors() -> None:
    import onnx_parts  # pyright: ignore[reportMissingImports]
    import vendor  # pyright: ignore[reportMissingImports]

    class Absent(vendor.Vendor):
        """Names a function that is not registered."""

        kind = "absent"

        def function(self, module: Any) -> str:
            return "absent.function"

    added = Extension(backends=[Absent(), onnx_parts.OnnxRuntime()])
    model = network()
    with pytest.raises(TargetError, match=r"'absent.function'"):
        tilewright.compile(model, placement="absent", extensions=[added], cache=False)
    with pytest.raises(ArgumentError, match="does not support it alone"):
        tilewright.compile(model, placement={"matmul": "absent"}, extensions=[added], cache=False)
    with pytest.raises(ArgumentError, match="placement= is no placement"):
        tilewright.compile(model, placement=5, cache=False)
    with pytest.raises(TargetError, match="computes parts of models only"):
        tilewright.compile(model, target="absent", extensions=[added], cache=False)
    lone = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 18]> g (float[4] x) => (float[4] y) { y = Cos(x) }'
    )
    with pytest.raises(ArgumentError, match="takes no op of the optimized model"):
        tilewright.compile(lone, placement="onnxruntime", extensions=[added], cache=False)
