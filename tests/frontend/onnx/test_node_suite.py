"""The standard's node cases: every case of the operators we import, through the interpreter.

Inputs that determine shapes are given as values, as the importer requires. Cases on strings,
sequences and absent optionals are omitted here, because the conformance test has them.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from tilewright.frontend.onnx.importer import converters, import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import NeedsBinding
from tilewright.testing.conformance.random_ops import random_check
from tilewright.testing.conformance.suite import load_suite, tolerance

from ...sweeps import NIGHTLY

pytestmark = pytest.mark.slow

# Operators without a converter: expanded from the standard's function bodies.
BODIES = {
    "CausalConvWithState",
    "SwiGLU",
}
OPERATORS = sorted(BODIES.union(op for _, op in converters()))
EXPANDED = "function bodies"
MINIMUM_CASES = 1200


@pytest.fixture(scope="module")
def cases():
    """Return all cases by operator; expanded function bodies are a separate group."""
    grouped = defaultdict(list)
    for case in load_suite(("node",)).values():
        used = {node.op_type for node in case.model.graph.node}
        if used <= set(OPERATORS):
            expanded = "_expanded" in case.name or len(case.model.graph.node) > 1
            grouped[EXPANDED if expanded else next(iter(used))].append(case)
    return grouped


def are_tensors(values):
    return all(isinstance(v, np.ndarray) and v.dtype.kind not in "OUS" for v in values)


def imported(model, inputs):
    """Return the module and its inputs; inputs whose values the importer needs become constants."""
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


def run_case(case):
    """Run all data sets of a case that consist of tensors."""
    for given, expected in case.data_sets:
        if not are_tensors(given) or not are_tensors(expected):
            continue
        names = (value.name for value in case.model.graph.input)
        module, rest = imported(case.model, dict(zip(names, given, strict=True)))
        module.verify()
        func = module.body.block.first_op
        assert isinstance(func, FuncOp)
        results = run_graph(func, *rest)
        check_random = random_check(case.op, given)
        for got, wanted in zip(results, expected, strict=True):
            assert got.shape == wanted.shape
            assert got.dtype == wanted.dtype
            if check_random is None:
                compare(got, wanted, case)
        assert check_random is None or not check_random(given, results)


def compare(got, expected, case):
    if got.dtype.kind in "iub":
        np.testing.assert_array_equal(got, expected)
        return
    wide = got.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_allclose(*wide, rtol=tolerance(case, got.dtype), atol=case.atol)


@pytest.mark.parametrize("operator", [*OPERATORS, EXPANDED])
def test_every_case_of_a_supported_operator_passes(cases, operator):
    """Run a third of the cases, by night all: compiled code runs all in tests/conformance."""
    failures = {}
    for case in cases[operator] if NIGHTLY else cases[operator][::3]:
        try:
            run_case(case)
        except (AssertionError, ValueError) as err:
            failures[case.name] = str(err)
    assert not failures


def test_the_suite_has_the_cases_that_it_is_believed_to_have(cases):
    counted = sum(
        all(map(are_tensors, case.data_sets[0])) for group in cases.values() for case in group
    )
    assert counted >= MINIMUM_CASES
