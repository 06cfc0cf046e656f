"""Attention on GPUs: one kernel with online softmax, for heads, masks and sizes of all kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects.loop import ForOp
from tilewright.dialects.simt import BlockIdOp
from tilewright.driver.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.support.affine import Index
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.support.target import Target

from ..lowering.shims import BARRIERS, ShimModule
from ..opencl_device import opencl_device

RNG = np.random.default_rng(0)
PLAIN = (
    "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
    "f = Constant <value = float {0.2}> () d = Mul (s, f) "
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
    "open causal": ("causal", signature_of("1, 2, m, 16", "1, 2, m, 16"), {"m": 50}),
    "open grouped": (
        "grouped",
        signature_of("b, 4, m, 16", "b, 2, n, 16"),
        {"b": 1, "m": 33, "n": 40},
    ),
}
"""Bodies, signatures, and numbers for open sizes."""


def shapes_of(signature: str) -> list[list[str]]:
    return [each.split("[")[1].split("]")[0].split(", ") for each in signature.split("float")[1:]]


def model_of(name: str) -> onnx.ModelProto:
    body, signature, _ = CASES[name]
    q, _, v, *_ = shapes_of(signature)
    output = ", ".join([*q[:-1], v[-1]])
    head = '<ir_version: 10, opset_import: ["": 23]> attention ('
    return onnx.parser.parse_model(
        f"{head}{signature}) => (float[{output}] y) {{ {BODIES[body]} }}"
    )


def arrays_of(name: str, **sizes: int) -> list[np.ndarray]:
    _, signature, given = CASES[name]
    sizes = {**given, **sizes}
    made = [
        RNG.standard_normal([sizes.get(n) or int(n) for n in shape], np.float32)
        for shape in shapes_of(signature)
    ]
    for mask in made[3:]:
        mask[mask > 1] = -np.inf
        mask[..., 0] = 0
    return made


def expected(name: str, arrays: list[np.ndarray]) -> np.ndarray:
    kind = CASES[name][0]
    q, k, v = (x.astype(np.float64) for x in arrays[:3])
    if kind == "joined":
        q, k, v = (x.reshape(*x.shape[:2], 2, -1).swapaxes(1, 2) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    scores = q @ k.swapaxes(-1, -2) * 0.2
    scores = scores + arrays[3] if kind == "masked" else scores
    if kind == "causal":
        scores = np.where(np.tri(*scores.shape[-2:], dtype=np.bool_), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    result = weights / weights.sum(-1, keepdims=True) @ v
    return result.swapaxes(1, 2).reshape(arrays[0].shape) if kind == "joined" else result


def expect_attention(got: Any, name: str, arrays: list[np.ndarray]) -> None:
    np.testing.assert_allclose(got, expected(name, arrays), rtol=2e-5, atol=2e-6)


def lowered(model: onnx.ModelProto, target: str = "opencl") -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt")
    verify_module(module)
    verify_positions(module)
    return module


@pytest.mark.parametrize("name", CASES)
def test_attention_is_one_kernel(name: str) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    module = lowered(model_of(name))
    (kernel, *rest) = kernel_functions(module)
    assert kernel.sym_name.data == "attention"
    assert len(rest) == (name == "joined"), "a copy joins the heads of the result"
    arrays = arrays_of(name)
    (got,) = packed.run(module, *arrays)
    expect_attention(got, name, arrays)


@pytest.mark.parametrize("name", CASES)
def test_attention_runs_on_a_device(name: str) -> None:
    opencl_device()
    module = tilewright.compile(model_of(name), target="opencl", strict_plan=True, cache=False)
    other = [{"m": 1, "n": 1}, {"m": 32, "n": 33}] if CASES[name][2] else []
    for sizes in ({}, *other):
        arrays = arrays_of(name, **sizes)
        expect_attention(module(*arrays), name, arrays)


def test_hidden_keys_are_skipped() -> None:
    """The loop over keys of a causal attention ends where the last query of the block does."""
    (kernel,) = kernel_functions(lowered(model_of("causal")))
    loops = [op for op in kernel.walk() if isinstance(op, ForOp) and any(bound_loops(op))]
    assert loops


def bound_loops(op: ForOp) -> list[Index]:
    """Return the ends of a loop that depend on the block."""
    around = op.parent_op()
    assert around is not None, "a loop stands in a kernel"
    ids = {o.res for o in around.walk() if isinstance(o, BlockIdOp)}
    return [end for end in op.bounds()[1] if ids & set(end.variables())]


@pytest.mark.parametrize(
    ("signature", "target"),
    [
        ("float16[1, 2, 64, 32] q, float16[1, 2, 64, 32] k, float16[1, 2, 64, 32] v", "cuda"),
        ("float[1, 2, 1, 32] q, float[1, 2, 64, 32] k, float[1, 2, 64, 32] v", "cuda"),
        ("float[1, 2, 64, 18] q, float[1, 2, 64, 18] k, float[1, 2, 64, 18] v", "cuda"),
        ("float[1, 2, 64, 32] q, float[1, 2, 64, 32] k, float[1, 2, 64, 32] v",
         "cuda -shared-kib=4"),
    ],
    ids=["types", "one query", "features", "shared memory"],
)  # fmt: skip
def test_other_attentions_keep_their_products(signature: str, target: str) -> None:
    head = '<ir_version: 10, opset_import: ["": 23]> attention ('
    output = signature.split(" q")[0]
    model = onnx.parser.parse_model(
        f"{head}{signature}) => ({output} y) {{ y = Attention (q, k, v) }}"
    )
    names = [kernel.sym_name.data for kernel in kernel_functions(lowered(model, target))]
    assert len(names) > 2
    assert not any("attention" in name for name in names)


@pytest.mark.parametrize("language", BARRIERS)
@pytest.mark.parametrize("name", ["masked", "open"])
def test_threads_of_attention_exchange_data(name: str, language: str, tmp_path: Path) -> None:
    """Source and LLVM IR run with fibers as threads."""
    target = "cuda" if language == "ll" else language
    compiled = tilewright.compile(model_of(name), target=target, strict_plan=True, cache=False)
    module = Parser(new_context(), compiled.get_source("packed")).parse_module()
    arrays = arrays_of(name)
    (got,) = ShimModule(module, language, compiled.get_source(language), tmp_path)(*arrays)
    expect_attention(got, name, arrays)
