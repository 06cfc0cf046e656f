"""Sizes that data decides: equal ones, ones that must be numbers, and the checks of both."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright import ArgumentError
from tilewright.dialects.graph import NonZeroOp
from tilewright.dialects.shape import Dim
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.frontend.onnx.sizes.equal_sizes import SizeFacts
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.runtime.module.module import Module
from tilewright.support.diagnostics import TypeMismatch
from tilewright.support.registry import new_context

from ....peer import peer_results

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(31)
ROWS, COLUMNS, COUNT = 8, 3, 4

CONSTANTS: dict[str, Array] = {
    "zero": np.array([0]),
    "one": np.array([1]),
    "two": np.array([2]),
    "parts": np.array([1, 3]),
    "three": np.array([COLUMNS]),
    "back": np.array([-1]),
    "shape": np.array([COUNT, COLUMNS]),
    "table": RNG.standard_normal((12, COLUMNS)).astype(np.float32),
    "rows": RNG.standard_normal((COUNT, COLUMNS)).astype(np.float32),
    "weights": RNG.standard_normal((COUNT, 5)).astype(np.float32),
}


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape).astype(np.float32)


def mask(count: int) -> Array:
    made = np.zeros(ROWS, bool)
    made[RNG.permutation(ROWS)[:count]] = True
    return made


def node(op: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    name = f"{op}_of_{outputs.replace(' ', '_')}"
    return helper.make_node(op, inputs.split(), outputs.split(), name=name, **attributes)


def model_of(*nodes: onnx.NodeProto) -> onnx.ModelProto:
    """Return a model over x, y: [n, 3], m, l: [n] and constants, as far as nodes use them."""
    read = {name for each in nodes for name in each.input}
    inputs = [
        helper.make_tensor_value_info(name, dtype, shape)
        for name, dtype, shape in (
            ("x", TensorProto.FLOAT, ["n", COLUMNS]), ("y", TensorProto.FLOAT, ["n", COLUMNS]),
            ("m", TensorProto.BOOL, ["n"]), ("l", TensorProto.BOOL, ["n"]),
        )
        if name in read
    ]  # fmt: skip
    constants = [numpy_helper.from_array(a, name) for name, a in CONSTANTS.items() if name in read]
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def runs(model: onnx.ModelProto, module: Module, values: dict[str, Array]) -> Array:
    """Return the output of a call, compared with onnxruntime's."""
    feeds = {i.name: values[i.name] for i in model.graph.input}
    got = np.asarray(module.run(feeds)[0])
    np.testing.assert_allclose(got, peer_results(model, feeds)[0], rtol=1e-5, atol=1e-6)
    return got


ROWS_OF_X = node("Compress", "x m", "c", axis=0)
ROWS_OF_Y = node("Compress", "y l", "d", axis=0)
COUNTED = (node("Shape", "c", "s"), node("Slice", "s zero one", "k"))
SLICE = (*COUNTED, node("Slice", "table zero k zero", "d"))
PLACES = (node("NonZero", "m", "nz"), node("Transpose", "nz", "at"))

NUMBERS: dict[str, tuple[onnx.NodeProto, ...]] = {
    "split": (ROWS_OF_X, node("Split", "c parts", "first out", axis=0)),
    "reshape": (ROWS_OF_X, node("Reshape", "c shape", "out")),
    "concat": (ROWS_OF_X, node("Concat", "c rows", "out", axis=1)),
    "scatter_nd": (*PLACES, node("ScatterND", "x at rows", "out")),
    "scatter_elements": (
        *PLACES,
        node("Expand", "at shape", "ats"),
        node("ScatterElements", "x ats rows", "out", axis=0),
    ),
    "add": (ROWS_OF_X, node("Add", "c rows", "out")),
    "where": (ROWS_OF_X, node("Greater", "c rows", "g"), node("Where", "g c rows", "out")),
    "matmul": (
        ROWS_OF_X, node("Transpose", "c", "t", perm=[1, 0]), node("MatMul", "t weights", "out"),
    ),
}  # fmt: skip
SIZES: dict[str, tuple[onnx.NodeProto, ...]] = {
    "add": (ROWS_OF_X, ROWS_OF_Y, node("Add", "c d", "out")),
    "concat": (ROWS_OF_X, ROWS_OF_Y, node("Concat", "c d", "out", axis=1)),
    "where": (
        ROWS_OF_X, ROWS_OF_Y, node("Greater", "c d", "g"), node("Where", "g c d", "out"),
    ),
    "matmul": (
        ROWS_OF_X, ROWS_OF_Y, node("Transpose", "c", "t", perm=[1, 0]),
        node("MatMul", "t d", "out"),
    ),
    "scatter_nd": (*PLACES, ROWS_OF_Y, node("ScatterND", "x at d", "out")),
    "slice": (ROWS_OF_X, *SLICE, node("Add", "c d", "out")),
    "scatter_slice": (
        *PLACES, node("Shape", "at", "s"), node("Slice", "s zero one", "k"),
        node("Slice", "y zero k zero", "d"), node("ScatterND", "x at d", "out"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NUMBERS)
def test_a_size_that_must_be_a_number_is_checked_at_run_time(case: str) -> None:
    nodes = NUMBERS[case]
    model = model_of(*nodes)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    x, valid = floats(ROWS, COLUMNS), {"m": mask(COUNT)}
    for _ in range(2):
        runs(model, module, {"x": x, **valid})
        with pytest.raises(ArgumentError) as caught:
            module.run({"x": x, "m": mask(COUNT + 1)})
        text = str(caught.value)
        assert "u0 in 4..4 (required by " in text
        assert "got: 5, where u0 = 5" in text


@pytest.mark.parametrize("case", SIZES)
def test_sizes_of_two_nodes_are_checked_at_run_time(case: str) -> None:
    model = model_of(*SIZES[case])
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    for count in (0, 3, ROWS):
        values = {"x": floats(ROWS, COLUMNS), "y": floats(ROWS, COLUMNS)}
        runs(model, module, {**values, "m": mask(count), "l": mask(count)})
    if any("l" in each.input for each in SIZES[case]):
        values |= {"m": mask(3), "l": mask(4)}
        with pytest.raises(ArgumentError, match=r"(?s)required by .*u0 = 3.*u1 = 4"):
            module.run({i.name: values[i.name] for i in model.graph.input})


def test_a_slice_that_is_too_short_is_an_error() -> None:
    nodes = (
        *PLACES, node("Shape", "at", "s"), node("Slice", "s zero one", "k"),
        node("Slice", "rows zero k zero", "d"), node("ScatterND", "x at d", "out"),
    )  # fmt: skip
    model = model_of(*nodes)
    module = tilewright.compile(model, cache=False)
    runs(model, module, {"x": floats(ROWS, COLUMNS), "m": mask(COUNT)})
    with pytest.raises(ArgumentError, match=r"u0 in 0\.\.4 \(required by ScatterND"):
        module.run({"x": floats(ROWS, COLUMNS), "m": mask(COUNT + 1)})


def test_an_expand_to_a_computed_count() -> None:
    """torch.export counts a mask by its sum, next to NonZero, for an assignment to x[mask]."""
    nodes = (
        *PLACES, node("GatherND", "x at", "c"), node("Cast", "m", "ones", to=TensorProto.INT64),
        node("ReduceSum", "ones", "count", keepdims=1), node("Concat", "count three", "to", axis=0),
        node("Expand", "c to", "wide"), node("Reshape", "wide back", "flat"),
        node("Unsqueeze", "m one", "column"), node("Expand", "column three", "mask"),
        node("NonZero", "mask", "nz3"), node("Transpose", "nz3", "at3"),
        node("ScatterND", "y at3 flat", "out"),
    )  # fmt: skip
    model = model_of(*nodes)
    module = tilewright.compile(model, cache=False)
    assert not module.reason
    for count in (0, 1, 5, ROWS):
        x, y = floats(ROWS, COLUMNS), floats(ROWS, COLUMNS)
        runs(model, module, {"x": x, "y": y, "m": mask(count)})


def test_one_mask_has_one_size() -> None:
    nodes = (
        node("Unsqueeze", "m one", "first"), node("Expand", "first shape", "wide"),
        node("NonZero", "wide", "a"), node("Unsqueeze", "m one", "second"),
        node("Expand", "second shape", "also"), node("NonZero", "also", "b"),
        node("Add", "a b", "sum"), node("Cast", "sum", "out", to=TensorProto.FLOAT),
    )  # fmt: skip
    model = model_of(*nodes)
    ops = [op for op in import_model(model).walk() if isinstance(op, NonZeroOp)]
    assert len(ops) == 1
    runs(model, tilewright.compile(model, cache=False), {"m": np.array([1, 0, 0, 1], bool)})


def test_the_interpreter_checks_sizes_too() -> None:
    module = import_model(model_of(*NUMBERS["split"]))
    run_pipeline(module, new_context(), Target("llvm"), to="packed")
    x = floats(ROWS, COLUMNS)
    packed.run(module.clone(), x, mask(COUNT))
    with pytest.raises(TypeMismatch, match="a size is outside of its range"):
        packed.run(module.clone(), x, mask(COUNT + 1))


PRODUCTS = ["u0", "u1", "v0", "n", "u0 + u1", "2 * u0", "min(n, u0)", "min(u0, u1) + 1", "4", "0"]


@given(st.sampled_from(PRODUCTS), st.sampled_from(PRODUCTS), st.data())
@settings(deadline=None)
def test_facts_hold_for_all_sizes_that_pass_the_checks(
    lhs: str, rhs: str, data: st.DataObject
) -> None:
    """Replaced sizes follow from earlier ones, and equal what they replace in each valid call."""
    computed = {"u0": Dim.of("n"), "u1": Dim.of("2 * n"), "v0": None}
    facts = SizeFacts().with_computed(computed).with_equal([(Dim.of(lhs), Dim.of(rhs))])
    if facts is None:
        return
    sizes = {name: data.draw(st.integers(0, 9), name) for name in ("u0", "u1", "v0")}
    sizes["n"] = data.draw(st.integers(1, 9), "n")
    order = ["n", *computed]
    for name, size in facts.equal.items():
        assert all(order.index(each) < order.index(name) for each in size.symbols())
    limits = {**facts.limits(), **facts.limits_of_computed(facts.equal)}
    is_valid = all(low <= dim.evaluate(sizes) <= high for dim, (low, high) in limits.items())
    is_valid &= all(d.evaluate(sizes) == sizes[n] for n, d in facts.equal.items())
    bounds = (sizes[n] <= d.evaluate(sizes) for n, d in computed.items() if d is not None)
    if is_valid and all(bounds):
        for text in (lhs, rhs):
            given_size = Dim.of(text)
            assert facts.of(given_size).evaluate(sizes) == given_size.evaluate(sizes)
        if facts.of(Dim.of(lhs)) == facts.of(Dim.of(rhs)):
            assert Dim.of(lhs).evaluate(sizes) == Dim.of(rhs).evaluate(sizes)
