"""Small models that run on every machine: each with inputs and the results of another program."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import tilewright
from tilewright import te
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.machines.emulators import emulator_name
from tilewright.machines.target import Target

from ...peer import peer_results

Arrays = Mapping[str, np.ndarray]


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed + sum(shape)).standard_normal(shape, np.float32)


def onnx_model(
    nodes: str, shape: Sequence[int], weights: Arrays, dtype: str = "float", result: str = "float"
) -> onnx.ModelProto:
    """Return a model of one input ``x`` and one output ``y`` from lines of ONNX's text format."""
    sizes = ", ".join(map(str, shape))
    text = f"m ({dtype}[{sizes}] x) => ({result}[] y) {{ {nodes} }}"
    made = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> {text}')
    # The shape of the output is inferred.
    made.graph.output[0].type.tensor_type.ClearField("shape")
    made.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in weights.items())
    return onnx.shape_inference.infer_shapes(made)


def cnn() -> onnx.ModelProto:
    """Return a network of two convolutions, two poolings and a classifier."""
    weights = {
        "w": random(16, 3, 3, 3),
        "b": random(16),
        "v": random(24, 16, 3, 3) / 8,
        "d": random(16, 1, 3, 3),
        "u": random(24, 10) / 4,
    }
    return onnx_model(
        "p = Conv<pads=[1,1,1,1]>(x, w, b) q = Relu(p)"
        "r = MaxPool<kernel_shape=[2,2], strides=[2,2]>(q)"
        "e = Conv<group=16, pads=[1,1,1,1]>(r, d) s = Conv<pads=[1,1,1,1]>(e, v) t = Relu(s)"
        "g = GlobalAveragePool(t) f = Flatten(g) h = MatMul(f, u) y = Softmax(h)",
        (1, 3, 18, 18),
        weights,
    )


def transformer() -> onnx.ModelProto:
    """Return one layer of an encoder: attention of two heads, then two products with GELU."""
    weights: dict[str, Any] = {name: random(32, 32, seed=n) / 6 for n, name in enumerate("qkvo")}
    weights |= {"scale": random(32), "shift": random(32), "up": random(32, 64) / 6}
    weights |= {"down": random(64, 32) / 8, "heads": np.array([1, 12, 2, 16])}
    weights |= {"whole": np.array([1, 12, 32]), "root": np.array(0.25, np.float32)}
    part = (
        "{0}1 = MatMul(n, {0}) {0}2 = Reshape({0}1, heads) {0}3 = Transpose<perm=[0,2,{1}]>({0}2)"
    )
    return onnx_model(
        "n = LayerNormalization(x, scale, shift)"
        f"{part.format('q', '1,3')} {part.format('k', '3,1')} {part.format('v', '1,3')}"
        "s1 = MatMul(q3, k3) s2 = Mul(s1, root) s3 = Softmax(s2) a1 = MatMul(s3, v3)"
        "a2 = Transpose<perm=[0,2,1,3]>(a1) a3 = Reshape(a2, whole) a4 = MatMul(a3, o)"
        "h = Add(x, a4) m = LayerNormalization(h, scale, shift) f = MatMul(m, up) g = Gelu(f)"
        "e = MatMul(g, down) y = Add(h, e)",
        (1, 12, 32),
        weights,
    )


def byte_product() -> onnx.ModelProto:
    weights = np.random.default_rng(1).integers(-128, 128, (65, 33), np.int8)
    return onnx_model("y = MatMulInteger(x, w)", (9, 65), {"w": weights}, "uint8", "int32")


MODELS: Mapping[str, Callable[[], onnx.ModelProto]] = {
    "product": lambda: onnx_model("y = MatMul(x, w)", (17, 40), {"w": random(40, 50)}),
    "softmax": lambda: onnx_model("y = Softmax(x)", (7, 45), {}),
    "CNN": cnn,
    "transformer": transformer,
    "int8 product": byte_product,
}
"""The models that onnxruntime also runs."""
NAMES = ("vector addition", *MODELS)


def emulated(text: str) -> bool:
    """Return whether programs for a target are linked and emulated here; else skip the test."""
    target = Target(text)
    if shutil.which(emulator_name(target)) is None:
        pytest.skip(f"needs {emulator_name(target)} (apt-get install qemu-user)")
    if target.main_platform.object_format == "elf32" and find_spec("ziglang") is None:
        pytest.skip("needs the package ziglang, which has a C compiler and LLD")
    return True


def compiled(name: str, target: str, **options: Any) -> tuple[CompiledModule, Arrays, Arrays]:
    """Return a model compiled for a target, its inputs, and its expected outputs."""
    if name == "vector addition":
        a, b = (te.placeholder((1027,), name=each) for each in "ab")
        module = tilewright.build([a, b, te.compute((1027,), lambda i: a[i] + b[i], name="y")],
                                  target=target, **options)  # fmt: skip
        given = {"a": random(1027), "b": random(1027, seed=1)}
        return module, given, {"y": given["a"] + given["b"]}
    model, x, wanted = referenced(name)
    return tilewright.compile(model, target=target, **options), {"x": x}, {"y": wanted}


def referenced(name: str) -> tuple[onnx.ModelProto, np.ndarray, np.ndarray]:
    """Return a model, its input, and its output by onnxruntime."""
    model = MODELS[name]()
    (spec,) = model.graph.input
    shape = [dim.dim_value for dim in spec.type.tensor_type.shape.dim]
    dtype = helper.tensor_dtype_to_np_dtype(spec.type.tensor_type.elem_type)
    x = random(*shape) if dtype == np.float32 else np.arange(np.prod(shape)).reshape(shape) % 256
    (wanted,) = peer_results(model, {"x": x.astype(dtype)})
    return model, x.astype(dtype), np.asarray(wanted)
