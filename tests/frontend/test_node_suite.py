"""The standard's node cases: every case of the operators we import, through the interpreter.

Inputs that the importer asks for, because they decide shapes, are given as values. Cases on
strings, sequences and absent optionals are left out here: the conformance test has them.
"""

from __future__ import annotations

import warnings
from collections import defaultdict

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.importer import converters, import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import NeedsBinding

pytestmark = pytest.mark.slow

# Without converter: expanded from the standard's function bodies.
BODIES = {
    "CausalConvWithState",
    "SwiGLU",
}
OPERATORS = sorted(BODIES.union(op for _, op in converters()))
EXPANDED = "function bodies"
MINIMUM_CASES = 1200

# Cases whose values are numpy's random numbers: shapes and dtypes are compared, tests/frontend/
# test_random.py has the rest.
RANDOM = {
    "test_bernoulli",
    "test_bernoulli_double",
    "test_bernoulli_seed",
    "test_training_dropout",
    "test_training_dropout_default",
    "test_training_dropout_default_mask",
    "test_training_dropout_mask",
}


def exact_inverse_transform(x, *_):
    wide = np.fft.ifft(x[..., 0].astype(np.float64) + 1j * x[..., 1], axis=1)
    return [np.stack([wide.real, wide.imag], -1).astype(x.dtype)]


# Cases whose expected values are wrong, and what is right. The suite has the f32 rounding noise of
# numpy's transform (1.9e-7) where the exact value is 0, and a tolerance of 1e-7.
DEFECTS = {
    "test_dft_inverse": exact_inverse_transform,
    "test_dft_inverse_opset19": exact_inverse_transform,
}


@pytest.fixture(scope="module")
def cases():
    """All cases by operator; expanded function bodies are a group of their own."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        suite = load_model_tests(kind="node")
    grouped = defaultdict(list)
    for case in suite:
        used = {node.op_type for node in case.model.graph.node}
        if used <= set(OPERATORS):
            expanded = "_expanded" in case.name or len(case.model.graph.node) > 1
            grouped[EXPANDED if expanded else next(iter(used))].append(case)
    return grouped


def arrays(values):
    """The values as arrays, or None where one is no numeric tensor."""
    out = [numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else v for v in values]
    out = [np.asarray(v) if isinstance(v, np.generic) else v for v in out]
    tensors = all(isinstance(v, np.ndarray) and v.dtype.kind not in "OUS" for v in out)
    return out if tensors else None


def imported(model, inputs):
    """The module, and the inputs that are left: those that it asks for become constants."""
    shapes = {
        value.name: np.shape(inputs[value.name])
        for value in model.graph.input
        if value.type.HasField("optional_type")
    }
    values = {}
    while True:
        try:
            module = import_model(model, shapes=shapes, values=values)
        except NeedsBinding as err:
            if values.keys() >= set(err.inputs):
                raise
            values.update({name: inputs[name] for name in err.inputs})
            continue
        return module, [array for name, array in inputs.items() if name not in values]


def tolerance(case, dtype):
    """The suite's tolerance; where it rounds f16 and bf16 once per op, two units more.

    Its bf16 attention is off by that itself: the exact result fails the suite's own tolerance.
    """
    rounds = "_expanded" in case.name or "attention" in case.name
    if rounds and dtype.name in ("float16", "bfloat16"):
        return {"float16": 2**-9, "bfloat16": 2**-6}[dtype.name]
    return case.rtol


def run_case(case):
    """Run all data sets of a case; returns how many were about tensors."""
    count = 0
    for given, wanted in case.data_sets:
        inputs, expected = arrays(given), arrays(wanted)
        if inputs is None or expected is None:
            continue
        if case.name in DEFECTS:
            expected = DEFECTS[case.name](*inputs)
        names = (value.name for value in case.model.graph.input)
        module, rest = imported(case.model, dict(zip(names, inputs, strict=True)))
        module.verify()
        func = module.body.block.first_op
        assert isinstance(func, FuncOp)
        for a, b in zip(run_graph(func, *rest), expected, strict=True):
            compare(a, b, case)
        count += 1
    return count


def compare(got, expected, case):
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype
    if case.name.removesuffix("_expanded") in RANDOM:
        return
    if got.dtype.kind in "iub":
        np.testing.assert_array_equal(got, expected)
        return
    rtol = tolerance(case, got.dtype)
    wide = got.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(*wide, rtol=rtol, atol=case.atol)


@pytest.mark.parametrize("operator", [*OPERATORS, EXPANDED])
def test_every_case_of_a_supported_operator_passes(cases, operator):
    failures = {}
    for case in cases[operator]:
        try:
            run_case(case)
        except (AssertionError, ValueError) as err:
            failures[case.name] = str(err)
    assert not failures


def test_the_suite_has_the_cases_that_it_is_believed_to_have(cases):
    counted = sum(
        all(arrays(values) is not None for values in case.data_sets[0])
        for group in cases.values()
        for case in group
    )
    assert counted >= MINIMUM_CASES
