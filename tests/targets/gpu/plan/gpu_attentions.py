"""Models of attentions for the tests of GPUs: heads, masks and sizes of all kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from ml_dtypes import bfloat16
from xdsl.dialects.builtin import ModuleOp

from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context

RNG = np.random.default_rng(0)
PLAIN = (
    "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
    "c = Constant <value = float {0.2}> () f = CastLike (c, q) d = Mul (s, f) "
)
SOFTMAX = "p = Softmax <axis = -1> ({}) y = MatMul (p, v)"
BODIES = {
    "plain": PLAIN + SOFTMAX.format("d"),
    "masked": PLAIN + "a = Add (d, mask) " + SOFTMAX.format("a"),
    "causal": "y = Attention <is_causal = 1, scale = 0.2> (q, k, v)",
    "grouped": "y = Attention <scale = 0.2> (q, k, v)",
    "joined": "y = Attention <scale = 0.2, q_num_heads = 2, kv_num_heads = 2> (q, k, v)",
}


def signature_of(q: str, k: str, v: str = "", mask: str = "") -> str:
    """Return the inputs of an attention by their sizes; v: by default those of k."""
    sizes = {"q": q, "k": k, "v": v or k, **({"mask": mask} if mask else {})}
    return ", ".join(f"float[{size}] {name}" for name, size in sizes.items())


CASES: dict[str, tuple[str, str, dict[str, int]]] = {
    "whole": ("plain", signature_of("1, 2, 64, 32", "1, 2, 64, 32"), {}),
    "one step": ("plain", signature_of("1, 2, 32, 16", "1, 2, 16, 16"), {}),
    "ragged": ("plain", signature_of("2, 2, 50, 20", "2, 2, 70, 20", "2, 2, 70, 16"), {}),
    "few keys": ("plain", signature_of("1, 1, 40, 16", "1, 1, 21, 16"), {}),
    "masked": ("masked", signature_of("1, 2, 50, 16", "1, 2, 70, 16", mask="1, 1, 50, 70"), {}),
    "causal": ("causal", signature_of("1, 2, 70, 16", "1, 2, 70, 16"), {}),
    "grouped": ("grouped", signature_of("2, 4, 20, 16", "2, 2, 40, 16"), {}),
    "joined": ("joined", signature_of("2, 20, 40", "2, 40, 40"), {}),
    "open": (
        "plain",
        signature_of("b, 2, m, 16", "b, 2, n, 16", "b, 2, n, 32"),
        {"b": 2, "m": 37, "n": 75},
    ),
    "open mask": (
        "masked",
        signature_of("1, 2, m, 16", "1, 2, n, 16", mask="1, 1, m, n"),
        {"m": 21, "n": 64},
    ),
    "open heads": (
        "masked",
        signature_of("b, h, m, 16", "b, h, n, 16", mask="b, 1, m, n"),
        {"b": 2, "h": 3, "m": 21, "n": 40},
    ),
    "open causal": ("causal", signature_of("1, 2, m, 16", "1, 2, m, 16"), {"m": 50}),
    "open grouped": (
        "grouped",
        signature_of("b, 4, m, 16", "b, 2, n, 16"),
        {"b": 1, "m": 33, "n": 40},
    ),
}
"""Bodies, signatures, and numbers for open sizes."""

TYPES = {"float": np.float32, "float16": np.float16, "bfloat16": bfloat16}
"""The arrays of element types."""


def shapes_of(signature: str) -> list[list[str]]:
    return [each.split("[")[1].split("]")[0].split(", ") for each in signature.split("float")[1:]]


def model_of(name: str, element: str = "float") -> onnx.ModelProto:
    """Return the model of a case whose tensors have elements of a type."""
    body, signature, _ = CASES[name]
    q, _, v, *_ = shapes_of(signature)
    output = ", ".join([*q[:-1], v[-1]])
    head = '<ir_version: 10, opset_import: ["": 23]> attention ('
    text = f"{head}{signature}) => (float[{output}] y) {{ {BODIES[body]} }}"
    return onnx.parser.parse_model(text.replace("float[", f"{element}["))


def arrays_of(
    name: str, element: str = "float", other: Mapping[str, int] | None = None
) -> list[np.ndarray]:
    """Return arguments of a model; other: open sizes that differ from those of the case."""
    _, signature, given = CASES[name]
    sizes = {**given, **(other or {})}
    made = [
        RNG.standard_normal([sizes.get(n) or int(n) for n in shape], np.float32)
        for shape in shapes_of(signature)
    ]
    for mask in made[3:]:
        mask[mask > 1] = -np.inf
        mask[..., 0] = 0
    return [x.astype(TYPES[element]) for x in made]


def expected(name: str, arrays: list[np.ndarray]) -> np.ndarray:
    kind = CASES[name][0]
    q, k, v = (x.astype(np.float64) for x in arrays[:3])
    if kind == "joined":
        q, k, v = (x.reshape(*x.shape[:2], 2, -1).swapaxes(1, 2) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    factor = arrays[0].dtype.type(0.2) if kind in ("plain", "masked") else 0.2
    scores = q @ k.swapaxes(-1, -2) * float(factor)
    scores = scores + arrays[3].astype(np.float64) if kind == "masked" else scores
    if kind == "causal":
        scores = np.where(np.tri(*scores.shape[-2:], dtype=np.bool_), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    result = weights / weights.sum(-1, keepdims=True) @ v
    return result.swapaxes(1, 2).reshape(arrays[0].shape) if kind == "joined" else result


def expect_attention(got: Any, name: str, arrays: list[np.ndarray]) -> None:
    np.testing.assert_allclose(got, expected(name, arrays), rtol=2e-5, atol=2e-6)


def lowered(
    model: onnx.ModelProto, target: str = "opencl", precision: Precision = Precision.DEFAULT
) -> ModuleOp:
    """Return the kernels of a model, one program per thread."""
    module = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt", precision=precision)
    verify_module(module)
    verify_positions(module)
    return module
