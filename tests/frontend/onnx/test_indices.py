"""Out-of-range indices: the call fails with operator, range, index and position."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright import ops, te
from tilewright.driver.passes.check import validate_pipeline
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp import te as te_level
from tilewright.interp.graph import run_graph
from tilewright.interp.program import interpret
from tilewright.machines.target import Target
from tilewright.runtime.errors import OutOfRangeError
from tilewright.support.diagnostics import ModelError, TilewrightError
from tilewright.support.registry import new_context

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(5)


def uniform(*shape: int) -> Array:
    return RNG.uniform(-1, 1, shape).astype(np.float32)


@dataclass(frozen=True)
class Case:
    """An operator with indices: valid inputs, and the changes that make them invalid.

    index: position of the input with indices.  wrong: index values by position in that input, with
    the range in the message.  rival: whether onnxruntime rejects them too.
    """

    op: str
    inputs: tuple[Array, ...]
    index: int
    wrong: tuple[tuple[tuple[int, ...], int, str], ...]
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    opset: int = 20
    rival: bool = True

    def model(self, *, constant: Array | None = None) -> onnx.ModelProto:
        """Return the model of the operator; ``constant``: indices as an initializer."""
        names = [f"x{i}" for i in range(len(self.inputs))]
        node = helper.make_node(self.op, names, ["y"], name="here", **self.attributes)
        inputs = [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for i, (n, a) in enumerate(zip(names, self.inputs, strict=True))
            if constant is None or i != self.index
        ]
        weights = [] if constant is None else [numpy_helper.from_array(constant, names[self.index])]
        output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        graph = helper.make_graph([node], "g", inputs, [output], weights)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10
        )

    def broken(self, at: tuple[int, ...], value: int) -> list[Array]:
        """Return the inputs with one index replaced."""
        arrays = [a.copy() for a in self.inputs]
        arrays[self.index][at] = value
        return arrays


def ints(*rows: Any, dtype: Any = np.int64) -> Array:
    return np.array(rows, dtype)


UPDATES = uniform(2, 3)
CASES = {
    "Gather": Case(
        "Gather", (uniform(5, 3), ints([0, -5, 4], [1, 2, 3])), 1,
        (((1, 2), 5, "-5..4"), ((0, 0), -6, "-5..4"), ((0, 1), 2**62, "-5..4")),
    ),
    "Gather int32": Case(
        "Gather", (uniform(2, 5), ints([0, -5, 4] * 7, dtype=np.int32)), 1,
        (((0, 20), 5, "-5..4"), ((0, 0), -(2**31), "-5..4")), {"axis": 1},
    ),
    "GatherElements": Case(
        "GatherElements", (uniform(5, 3), ints([0, -5, 4], [1, 2, 3])), 1,
        (((1, 1), 5, "-5..4"), ((0, 0), -6, "-5..4")), {"axis": 0},
    ),
    "GatherND": Case(
        "GatherND", (uniform(5, 3, 2), ints([4, 2], [-5, -3], [0, 0])), 1,
        (((0, 0), 5, "-5..4"), ((2, 1), 3, "-3..2"), ((1, 1), -4, "-3..2")),
    ),
    "GatherND of batches": Case(
        "GatherND", (uniform(2, 4, 4), ints([[3, 0]], [[1, 3]])), 1,
        (((1, 0, 1), 4, "-4..3"),), {"batch_dims": 1},
    ),
    "Scatter": Case(
        "Scatter", (uniform(5, 3), ints([0, -5, 4], [1, 2, 3]), UPDATES), 1,
        (((1, 1), 5, "-5..4"),), {"axis": 0}, opset=10,
    ),
    "ScatterElements": Case(
        "ScatterElements", (uniform(5, 3), ints([0, -5, 4], [1, 2, 3]), UPDATES), 1,
        (((1, 1), 5, "-5..4"), ((0, 2), -6, "-5..4")), {"axis": 0, "reduction": "add"},
    ),
    "ScatterND": Case(
        "ScatterND", (uniform(5, 3), ints([4, 2], [-5, -3]), uniform(2)), 1,
        (((0, 1), 3, "-3..2"), ((1, 0), -6, "-5..4")),
    ),
    "TensorScatter": Case(
        "TensorScatter", (uniform(2, 6, 3), uniform(2, 2, 3), ints(0, 4)), 2,
        (((1,), 5, "0..4"), ((0,), -1, "0..4")), {"axis": 1}, opset=24, rival=False,
    ),
    "MaxUnpool": Case(
        "MaxUnpool", (uniform(1, 1, 2, 2), ints([[[0, 3], [8, 15]]])), 1,
        (((0, 0, 1, 1), 16, "0..15"), ((0, 0, 0, 0), -1, "0..15")),
        {"kernel_shape": [2, 2], "strides": [2, 2]},
    ),
    "RoiAlign": Case(
        "RoiAlign", (uniform(2, 1, 4, 4), ints([0, 0, 2, 2], [1, 1, 3, 3]).astype(np.float32),
                     ints(0, 1)), 2,
        (((1,), 2, "0..1"), ((0,), -1, "0..1")), {"output_height": 2, "output_width": 2},
    ),
    "ReverseSequence": Case(
        "ReverseSequence", (uniform(4, 2), ints(4, 1)), 1,
        (((0,), 5, "0..4"), ((1,), -1, "0..4")),
    ),
    "RotaryEmbedding": Case(
        "RotaryEmbedding", (uniform(1, 1, 2, 4), uniform(8, 2), uniform(8, 2), ints([0, 7])), 3,
        (((0, 1), 8, "0..7"),), opset=23,
    ),
    "NegativeLogLikelihoodLoss": Case(
        "NegativeLogLikelihoodLoss", (uniform(3, 4), ints(0, 3, 9)), 1,
        (((1,), 4, "-4..3"),), {"reduction": "none", "ignore_index": 9},
    ),
    "SoftmaxCrossEntropyLoss": Case(
        "SoftmaxCrossEntropyLoss", (uniform(3, 4), ints(0, 3, -7)), 1,
        (((1,), 4, "-4..3"),), {"reduction": "mean", "ignore_index": -7},
    ),
}  # fmt: skip


def assert_names(said: str, case: Case, at: tuple[int, ...], value: int, span: str) -> None:
    """Check a message; losses are functions of the standard, whose Gather has another shape."""
    is_function = case.op.endswith("Loss")
    place = "here/" if is_function else f"{case.op} at loc('here')"
    assert place in said
    assert "an index is out of range\n" in said
    assert f"expected: {span}\n" in said
    shown = "" if is_function else f"{list(at)} of the indices"
    assert f"got: {value} at {shown}" in said


def imported_and_improved(model: onnx.ModelProto) -> None:
    """Import a model and run the passes of the graph level."""
    run_pipeline(import_model(load(model)), new_context(), Target("llvm"), to="graph")


def refused(module: Callable[..., Any], arrays: list[Array]) -> str:
    """Return the message of the error that a call raises."""
    with pytest.raises(IndexError) as caught:
        module(*arrays)
    assert isinstance(caught.value, OutOfRangeError)
    return str(caught.value)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_an_index_out_of_range_is_an_error_of_the_call(name: str) -> None:
    case = CASES[name]
    module = tilewright.compile(case.model(), cache=False)
    expected = np.asarray(module(*case.inputs))
    for at, value, span in case.wrong:
        said = refused(module, case.broken(at, value))
        assert_names(said, case, at, value, span)
    np.testing.assert_array_equal(module(*case.inputs), expected)


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case.rival])
def test_onnxruntime_refuses_the_same(name: str) -> None:
    case = CASES[name]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        case.model().SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    names = [i.name for i in session.get_inputs()]
    session.run(None, dict(zip(names, case.inputs, strict=True)))
    for at, value, _ in case.wrong:
        with pytest.raises(Exception, match=r"(?i)ind|label|range|invalid|sequence"):
            session.run(None, dict(zip(names, case.broken(at, value), strict=True)))


@pytest.mark.parametrize("name", CASES)
def test_a_constant_index_out_of_range_is_an_error_of_the_import(name: str) -> None:
    case = CASES[name]
    import_model(load(case.model(constant=case.inputs[case.index])))
    for at, value, span in case.wrong:
        model = case.model(constant=case.broken(at, value)[case.index])
        with pytest.raises(ModelError) as caught:
            imported_and_improved(model)
        assert_names(str(caught.value), case, at, value, span)


@pytest.mark.parametrize(("op", "index"), [("Gather", -1), ("Gather", [-1]), ("GatherND", [-2])])
def test_a_negative_constant_index_keeps_the_rank_of_the_result(op: str, index: Any) -> None:
    x, constant = uniform(4, 2, 3), np.array(index)
    case = Case(op, (x, constant), 1, ())
    model = case.model(constant=constant)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (got,) = interpret(import_model(load(model)), [x])
    np.testing.assert_array_equal(got, session.run(None, {"x0": x})[0], strict=True)


@pytest.mark.parametrize("name", ["Gather", "GatherND", "TensorScatter"])
def test_every_level_refuses_what_the_code_refuses(name: str) -> None:
    case = CASES[name]
    at, value, span = case.wrong[0]
    bad = case.broken(at, value)
    module = import_model(load(case.model()))
    validate_pipeline(module.clone(), Target("llvm"), case.inputs)
    main = next(iter(module.body.block.ops))
    with pytest.raises(TilewrightError, match=re.escape(span)):
        run_graph(main, *bad)  # pyright: ignore[reportArgumentType]
    for level, run in (("te", te_level.run), ("packed", packed.run)):
        lowered = module.clone()
        run_pipeline(lowered, new_context(), Target("llvm"), to=level)
        with pytest.raises(TilewrightError, match=re.escape(span)):
            run(lowered, *bad)


def test_unchecked_indices_stay_inside_the_axis() -> None:
    for name in ("Gather", "ScatterND"):
        case = CASES[name]
        module = tilewright.compile(case.model(), cache=False, unchecked_indices=True)
        assert "check_indices" not in module.get_source("packed")
        module(*case.broken(*case.wrong[0][:2]))
    gathered = tilewright.compile(CASES["Gather"].model(), cache=False, unchecked_indices=True)
    x, i = CASES["Gather"].broken((1, 2), 5)
    np.testing.assert_array_equal(np.asarray(gathered(x, i))[1, 2], x[4])


def tensor(name: str, shape: Any, dtype: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def as_model(nodes: list[Any], inputs: list[Any], outputs: list[Any]) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def reader(name: str) -> onnx.NodeProto:
    return helper.make_node("Gather", ["x", "i"], ["r"], name=name)


X = tensor("x", [4, 3])
INDICES, CONDITION = tensor("i", [2], TensorProto.INT64), tensor("c", [], TensorProto.BOOL)
ROWS = uniform(4, 3)


def test_a_branch_checks_when_it_runs() -> None:
    then = helper.make_graph([reader("inner")], "t", [], [tensor("r", [2, 3])])
    other = helper.make_node("Slice", ["x", "s", "e"], ["o"])
    starts = [numpy_helper.from_array(ints(n), name) for n, name in ((0, "s"), (2, "e"))]
    otherwise = helper.make_graph([other], "e", [], [tensor("o", [2, 3])], starts)
    node = helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise)
    module = tilewright.compile(
        as_model([node], [CONDITION, X, INDICES], [tensor("y", [2, 3])]), cache=False
    )
    good, bad = ints(3, -4), ints(3, 4)
    np.testing.assert_array_equal(module(np.array(True), ROWS, good), ROWS[good])
    np.testing.assert_array_equal(module(np.array(False), ROWS, bad), ROWS[:2])
    said = refused(module, [np.array(True), ROWS, bad])
    assert "Gather at loc('If_0/inner')" in said
    assert "got: 4 at [1]" in said


def test_each_step_of_a_loop_checks_its_own_indices() -> None:
    step = tensor("i", [], TensorProto.INT64)
    body = helper.make_graph([reader("step")], "b", [step], [tensor("r", [3])])
    node = helper.make_node("Scan", ["all"], ["y"], body=body, num_scan_inputs=1)
    inputs = [X, tensor("all", [5], TensorProto.INT64)]
    module = tilewright.compile(as_model([node], inputs, [tensor("y", [5, 3])]), cache=False)
    good = ints(0, 3, -4, 1, 2)
    np.testing.assert_array_equal(module(ROWS, good), ROWS[good])
    said = refused(module, [ROWS, ints(0, 3, -4, 1, 4)])
    assert "Gather at loc('Scan_0/step')" in said
    assert "got: 4 at [] of the indices" in said


def test_an_axis_whose_size_depends_on_data_has_that_size() -> None:
    nodes = [
        helper.make_node("Compress", ["x", "keep"], ["kept"], axis=0),
        helper.make_node("Gather", ["kept", "i"], ["y"], name="of kept"),
    ]
    inputs = [X, tensor("keep", [4], TensorProto.BOOL), INDICES]
    module = tilewright.compile(as_model(nodes, inputs, [tensor("y", [2, 3])]), cache=False)
    keep = np.array([True, False, True, True])
    np.testing.assert_array_equal(module(ROWS, keep, ints(-3, 2)), ROWS[keep][[-3, 2]])
    said = refused(module, [ROWS, keep, ints(0, 3)])
    assert "expected: -3..2\n" in said
    assert "got: 3 at [1]" in said


def test_sizes_of_a_call_decide_the_range() -> None:
    model = as_model([reader("open")], [tensor("x", ["n", 3]), INDICES], [tensor("r", [2, 3])])
    module = tilewright.compile(model, cache=False)
    np.testing.assert_array_equal(module(ROWS, ints(0, 3)), ROWS[[0, 3]])
    assert "expected: -4..3\n" in refused(module, [ROWS, ints(0, 4)])
    assert "expected: -2..1\n" in refused(module, [ROWS[:2], ints(0, 2)])


def test_indices_that_cannot_be_wrong_are_not_checked() -> None:
    nodes = [
        helper.make_node("ArgMax", ["x"], ["best"], axis=0, keepdims=0),
        helper.make_node("Gather", ["x", "best"], ["p"]),
        helper.make_node("TopK", ["x", "k"], ["", "top"], axis=0),
        helper.make_node("GatherElements", ["x", "top"], ["q"], axis=0),
        helper.make_node("Gather", ["x", "i"], ["r"], name="first"),
        helper.make_node("Gather", ["x", "i"], ["s"], name="second"),
    ]
    outputs = [tensor(name, None) for name in "pqrs"]
    model = as_model(nodes, [X, INDICES], outputs)
    model.graph.initializer.append(numpy_helper.from_array(ints(2), "k"))
    text = tilewright.compile(model, cache=False).get_source("packed")
    checks = [line for line in text.splitlines() if "check_indices" in line]
    assert len(checks) == 1
    assert "first" in checks[0]


def test_through_the_c_interface_a_call_fails_with_a_message() -> None:
    case = CASES["Gather"]
    module = tilewright.compile(case.model(), cache=False)
    with pytest.raises(OutOfRangeError, match="got: 5 at"):
        module["main"](*case.broken((1, 2), 5), np.empty((2, 3, 3), np.float32))


def test_a_tensor_expression_checks_the_arguments_that_it_reads_at() -> None:
    rows, x = te.placeholder((8, 1), "int32", name="rows"), te.placeholder((9, 6), name="X")
    other = te.placeholder((8,), "int64", name="other")
    taken = te.compute((8, 6), lambda i, j: x[rows[i, 0], j] + x[0, other[i] % 6], name="taken")
    again = te.compute((8,), lambda i: x[rows[i, 0], 0], name="again")
    good, table, free = np.arange(8, dtype=np.int32)[:, None], uniform(9, 6), ints(*[99] * 8)
    for what in ([taken, again], te.create_schedule([taken, again])):
        module = tilewright.build(what, [rows, x, other, taken, again], cache=False)
        made, more = (np.asarray(result) for result in module(good, table, free) or ())
        expected = table[good[:, 0]] + table[0, 99 % 6]
        np.testing.assert_array_equal(made, expected)
        np.testing.assert_array_equal(more, table[good[:, 0], 0])
        assert module.get_source("packed").count("check_indices") == 1
        bad = good.copy()
        bad[5] = 9
        said = refused(module, [bad, table, free])
        assert "te.compute @taken: position 0 of X: an index is out of range" in said
        assert "expected: 0..8\n    got: 9 at [5, 0] of the indices" in said
    unchecked = tilewright.build(again, cache=False, unchecked_indices=True)
    np.testing.assert_array_equal(np.asarray(unchecked(bad, table))[5], table[8, 0])


AT, FROM = te.placeholder((6,), "int64", name="rows"), te.placeholder((5, 4), name="X")
DOUBLED = te.compute((6,), lambda i: AT[i] * 2, name="twice")
BYTES = te.placeholder((6,), "uint8", name="bytes")


def taken_at(position: Callable[[Any], Any], *, name: str = "taken") -> te.Tensor:
    return te.compute((6, 4), lambda i, j: FROM[position(i), j], name=name)


COMPUTED = {
    "an expression": (
        AT,
        lambda: taken_at(lambda i: AT[i] + 1),
        [0, 3, 4, -1, 2, 1],
        2,
        "5",
    ),
    "another compute": (
        AT,
        lambda: taken_at(lambda i: DOUBLED[i]),
        [0, 2, 1, 0, 3, 1],
        4,
        "6",
    ),
    "a position itself": (
        AT,
        lambda: taken_at(lambda i: AT[AT[i]]),
        [0, 1, 2, 5, 3, 0],
        4,
        "5",
    ),
    "a byte": (BYTES, lambda: taken_at(lambda i: BYTES[i]), [0, 1, 2, 3, 4, 255], 5, "255"),
    "a gather": (AT, lambda: ops.gather(FROM, AT, axis=0), [0, 1, 2, 3, 4, -1], 5, "-1"),
    "a scatter": (
        AT,
        lambda: ops.scatter_elements(te.constant(uniform(5)), AT, te.constant(uniform(6)), axis=0),
        [0, 1, 2, 5, 3, 4],
        3,
        "5",
    ),
    "a scatter of rows": (
        AT,
        lambda: ops.scatter_nd(FROM, ops.reshape(AT, (6, 1)), te.constant(uniform(6, 4))),
        [0, 1, 2, 4, 3, -1],
        5,
        "-1",
    ),
    "a guarded read": (
        AT,
        lambda: te.compute(
            (6, 4),
            lambda i, j: te.if_then_else(AT[i] != 9, FROM[AT[i], j], 0.0),
            name="taken",
        ),
        [0, 9, 4, 9, 2, 7],
        5,
        "7",
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("what", COMPUTED)
def test_positions_that_a_tensor_expression_computes_are_checked(what: str) -> None:
    source, make, values, place, got = COMPUTED[what]
    made = make()
    module = tilewright.build([FROM, source, made], cache=False)
    given = np.array(values, source.dtype)
    said = refused(module, [uniform(5, 4), given])
    assert f"expected: 0..4\n    got: {got} at [{place}" in said
    operators = {
        "a gather": "ops.gather",
        "a scatter": "ops.scatter_elements",
        "a scatter of rows": "ops.scatter_nd",
    }
    assert operators.get(what, "@taken: position 0 of X") in said
    right = given.copy()
    right[place] = 0
    unchecked = tilewright.build([FROM, source, made], cache=False, unchecked_indices=True)
    table = uniform(5, 4)
    np.testing.assert_array_equal(
        np.asarray(module(table, right)), np.asarray(unchecked(table, right))
    )
    assert "check_indices" not in unchecked.get_source("packed")
    assert unchecked.get_source("packed").count("packed.call") == 1


def test_positions_that_are_surely_in_range_are_not_computed_twice() -> None:
    for position in (
        lambda i: te.clip(AT[i], 0, 4),
        lambda i: te.maximum(te.minimum(4, AT[i] * 2), 0),
        lambda i: AT[i] % 5,
        lambda i: BYTES[i] % 5,
    ):
        module = tilewright.build([FROM, AT, BYTES, taken_at(position)], cache=False)
        assert "check_indices" not in module.get_source("packed")
    for position in (lambda i: te.clip(AT[i], 0, 5), lambda i: te.truncmod(AT[i], 5)):
        module = tilewright.build([FROM, AT, taken_at(position)], cache=False)
        assert "check_indices" in module.get_source("packed")


def test_a_schedule_checks_what_its_kernels_do_not_compute() -> None:
    bad = np.array([0, 3, 4, -1, 2, 1])
    taken = taken_at(lambda i: AT[i] + 1)
    schedule = te.create_schedule(taken)
    assert len(schedule.kernels) == 1
    schedule[taken].vectorize(taken.op.axis[1])
    assert "5 at [2]" in refused(
        tilewright.build(schedule, [FROM, AT, taken]), [uniform(5, 4), bad]
    )
    taken = taken_at(lambda i: DOUBLED[i])
    schedule = te.create_schedule(taken)
    schedule[DOUBLED].compute_inline()
    module = tilewright.build(schedule, [FROM, AT, taken])
    assert "check_indices" not in module.get_source("packed")


def test_any_number_of_rows_is_checked() -> None:
    n, fixed = te.var("n"), te.placeholder((2,), "int32", name="fixed")
    rows = te.placeholder((n, 2), "int64", name="rows")
    taken = te.compute((n, 2), lambda i, j: FROM[rows[i, j], 1] + FROM[fixed[j], 0], name="taken")
    module = tilewright.build([FROM, rows, fixed, taken], cache=False)
    assert isinstance(module, tilewright.Module)
    table, two = uniform(5, 4), np.array([4, 0], np.int32)
    for count in (1, 7, 700):
        good = np.arange(2 * count).reshape(count, 2) % 5
        (made,) = module.run([table, good, two])
        np.testing.assert_array_equal(made, table[good, 1] + table[two, 0])
        bad = good.copy()
        bad[count - 1, 1] = -2
        assert f"got: -2 at [{count - 1}, 1] of the" in refused(module, [table, bad, two])
        assert "got: 5 at [1] of the" in refused(
            module, [table, good, two + np.array([0, 5], np.int32)]
        )
    unchecked = tilewright.build([FROM, rows, fixed, taken], cache=False, unchecked_indices=True)
    (made,) = unchecked.run([table, bad, two])
    assert np.asarray(made)[-1, 1] == table[0, 1] + table[0, 0]


def test_arguments_of_which_not_all_is_read_are_checked_where_they_are_read() -> None:
    rows, x = te.placeholder((8,), "int64", name="rows"), te.placeholder((9,), name="X")
    taken = te.compute((4,), lambda i: x[rows[2 * i]], name="taken")
    module = tilewright.build([rows, x, taken], cache=False)
    values, table = ints(0, 99, 1, 99, 2, 99, 8, 99), uniform(9)
    np.testing.assert_array_equal(module(values, table), table[values[::2]])
