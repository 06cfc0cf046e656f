"""Attention of f16 and bf16 on GPUs: one kernel, whose softmax and sums are f32."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.interp import packed
from tilewright.support.entry import kernel_functions
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context

from ....lowering.shims import ShimModule
from ....opencl_device import opencl_device
from ....peer import peer_results
from .gpu_attentions import CASES, arrays_of, expected, lowered, model_of

EPSILON = {"float16": 2.0**-11, "bfloat16": 2.0**-8}
"""The relative error of a rounded number."""

QUICK = {("ragged", "float16")}


def marked(*case: str, is_quick: bool) -> object:
    """Return the parameters of a test that runs at night unless it is quick."""
    return pytest.param(*case, marks=[] if is_quick else pytest.mark.nightly)


def expect_narrow(got: np.ndarray, name: str, arrays: list[np.ndarray], element: str) -> None:
    """Compare with the attention in f64: only results are rounded."""
    assert got.dtype == arrays[0].dtype
    want = expected(name, arrays)
    bound = EPSILON[element] * np.abs(want) + 2e-5
    assert (np.abs(got.astype(np.float64) - want) <= bound).all()


@pytest.mark.parametrize(
    ("name", "element"),
    [marked(n, e, is_quick=(n, e) in QUICK) for n in CASES for e in EPSILON],
)
def test_narrow_attention_is_one_kernel(name: str, element: str) -> None:
    module = lowered(model_of(name, element))
    (kernel, *rest) = kernel_functions(module)
    assert kernel.sym_name.data == "attention"
    assert len(rest) == (name == "joined"), "a copy joins the heads of the result"
    arrays = arrays_of(name, element)
    (got,) = packed.run(module, *arrays)
    expect_narrow(got, name, arrays, element)


@pytest.mark.parametrize("name", [marked(n, is_quick=n == "open grouped") for n in CASES])
def test_narrow_attention_runs_on_a_device(name: str) -> None:
    """The error is at most that of onnxruntime, which rounds scores and probabilities to f16."""
    opencl_device()
    model = model_of(name, "float16")
    module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    other = [{"m": 1, "n": 1}, {"m": 32, "n": 33}] if CASES[name][2] else []
    for sizes in ({}, *other):
        arrays = arrays_of(name, "float16", sizes)
        got = np.asarray(module(*arrays))
        expect_narrow(got, name, arrays, "float16")
        expect_no_larger_error(got, model, name, arrays)


def expect_no_larger_error(
    got: np.ndarray, model: onnx.ModelProto, name: str, arrays: list[np.ndarray]
) -> None:
    (other,) = peer_results(model, arrays)
    want = expected(name, arrays)
    ours, theirs = (np.linalg.norm(x.astype(np.float64) - want) for x in (got, other))
    assert ours <= 1.05 * theirs


@pytest.mark.nightly
def test_strict_precision_rounds_probabilities() -> None:
    """Attention, whose softmax is f32, rounds none and stays one kernel."""
    for name, count in (("ragged", 3), ("causal", 1)):
        module = lowered(model_of(name, "float16"), precision=Precision.STRICT)
        assert len(list(kernel_functions(module))) == count


@pytest.mark.nightly
def test_threads_of_narrow_attention_exchange_data(tmp_path: Path) -> None:
    name, element, language = "open mask", "float16", "metal"
    model = model_of(name, element)
    compiled = tilewright.compile(model, target=language, strict_plan=True, cache=False)
    module = Parser(new_context(), compiled.get_source("packed")).parse_module()
    arrays = arrays_of(name, element)
    (got,) = ShimModule(module, language, compiled.get_source(language), tmp_path)(*arrays)
    expect_narrow(got, name, arrays, element)
