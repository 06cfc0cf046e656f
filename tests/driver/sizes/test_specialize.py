"""Shape specialization: models compiled for the sizes and values of their calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import CompiledModule
from tilewright.driver import model_import
from tilewright.driver.specialize import MAX_PROGRAMS
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError, NeedsBinding, TypeMismatch, UnsupportedOp

from ...onnx_models import onnx_model


def tensor(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model_of(nodes, inputs, outputs, opset=21):
    graph = helper.make_graph(nodes, "example", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def rows_model():
    """Return z = rows of 3 of x + y; only a call shows whether its elements make whole rows."""
    nodes = [
        helper.make_node("Constant", [], ["rows"], value_ints=[-1, 3]),
        helper.make_node("Add", ["x", "y"], ["sum"]),
        helper.make_node("Reshape", ["sum", "rows"], ["z"]),
    ]
    inputs = [tensor("x", ["b", "s"]), tensor("y", ["t"])]
    return model_of(nodes, inputs, [tensor("z", ["r", 3])])


def rows_of(x, y):
    return (x + y).reshape(-1, 3)


def grouped_model(*shape):
    """Return y = -x in another shape, which is an input."""
    nodes = [
        helper.make_node("Neg", ["x"], ["n"]),
        helper.make_node("Reshape", ["n", "shape"], ["y"]),
    ]
    inputs = [tensor("x", shape), tensor("shape", [2], TensorProto.INT64)]
    return model_of(nodes, inputs, [tensor("y", None)])


def reshape_model():
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    inputs = [tensor("x", [2, 6]), tensor("shape", ["n"], TensorProto.INT64)]
    return model_of(nodes, inputs, [tensor("y", None)])


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@pytest.fixture
def imports(monkeypatch):
    """The imports of models so far: the shapes of each."""
    seen, run = [], model_import.import_model

    def recorded(request, *arguments):
        seen.append(request.shapes)
        return run(request, *arguments)

    monkeypatch.setattr(model_import, "import_model", recorded)
    return seen


# -- one class -----------------------------------------------------------------------------------


def test_a_model_compiled_once_is_its_only_program():
    module = tilewright.compile(reshape_model(), values={"shape": [3, 4]})
    assert isinstance(module, CompiledModule)
    assert module.programs == (module,)
    assert module.specialize([numbers(2, 6)]) is module
    assert (module.reason, module.value_inputs, module.unbound()) == ("", frozenset(), None)
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        module.specialize([])


def test_before_its_first_call_a_module_shows_the_declared_signature(tmp_path):
    module = tilewright.compile(grouped_model("n", 6))
    assert isinstance(module, CompiledModule)
    signature = "example(x: float32[n, 6], shape: int64[2]) -> (y: float32[…])"
    assert module.manifest.signature == signature
    assert (module.programs, module.kernels, module.code) == ((), (), b"")
    assert list(module.times)
    assert module.reason == "values of inputs decide shapes"
    for show in (module.get_source, lambda: module.dump_schedules(tmp_path)):
        with pytest.raises(LookupError, match=r"hint: mod.specialize\(inputs\)\."):
            show()


def test_facts_are_those_of_the_program_used_last(tmp_path):
    module = tilewright.compile(grouped_model("n", 6), cache=False)
    for size in (2, 3, 2):
        module(numbers(4, 6), np.array([-1, size]))
        last = module.programs[-1]
        assert last.outputs[0].shape[1] == size
        assert module.kernels == last.kernels
        assert module.kernels
        assert module.code == last.code
        assert module.times == last.times
        assert module.get_source("graph") == last.get_source("graph")
        assert f"x{size}xf32" in module.get_source("graph")
    assert "define" in module.get_source("ll")
    assert len(module.programs) == 2
    assert len(module.dump_schedules(tmp_path)) == len(list(tmp_path.iterdir())) > 0


def test_a_program_is_called_without_the_constants():
    module = tilewright.compile(grouped_model("n", 6))
    program = module.specialize({"x": numbers(4, 6), "shape": np.array([-1, 2])})
    assert [spec.name for spec in program.inputs] == ["x"]
    np.testing.assert_array_equal(program(numbers(5, 6)), -numbers(15, 2))
    assert program.output_shapes([(7, 6)]) == [(21, 2)]
    assert module.programs == (program,)


def test_memory_and_shapes_are_those_of_programs():
    module = tilewright.compile(grouped_model("n", 6))
    for ask in (module.memory, module.output_shapes):
        with pytest.raises(ArgumentError, match=r"ask the program of a call: mod\.specialize"):
            ask([(4, 6), (2,)])
    with pytest.raises(ArgumentError, match="has no states"):
        module.session()
    program = module.specialize([numbers(4, 6), np.array([-1, 2])])
    assert program.memory([(4, 6)]).outputs == 4 * 6 * 4


def test_shapes_that_the_declared_ones_allow_are_accepted():
    module = tilewright.compile(grouped_model("n", 6))
    shape = np.array([-1, 2])
    assert module.accepts([numbers(4, 6), shape])
    assert not module.accepts([numbers(4, 5), shape])
    program = module.specialize([numbers(4, 6), shape])
    assert program.accepts([numbers(5, 6)])
    assert program.accepts([numbers(0, 6)])
    assert not program.accepts([numbers(5, 7)])
    assert not module.programs[1:]


def test_the_wrong_number_of_arguments_is_refused():
    module = tilewright.compile(grouped_model("n", 6))
    y = np.empty((12, 2), np.float32)
    for arguments in ((), (numbers(4, 6),), (numbers(4, 6), np.array([-1, 2]), y, y)):
        with pytest.raises(ArgumentError) as caught:
            module(*arguments)
        words = "expected: 2 (inputs) or 3 (inputs, then outputs to fill)"
        assert words in str(caught.value)
        assert f"got: {len(arguments)}\n" in str(caught.value)


# -- sizes that stay symbolic --------------------------------------------------------------------


def test_a_value_has_one_program_for_all_sizes(imports):
    module = tilewright.compile(grouped_model("b", "s"), cache=False)
    for b, s, size in ((1, 9, 1), (3, 5, 1), (7, 40, 1), (2, 8, 0), (3, 5, 0)):
        y = module(numbers(b, s), np.array([-1, 1] if size else [0, -1]))
        np.testing.assert_array_equal(y, -numbers(b, s).reshape([-1, 1] if size else [b, s]))
    assert [program.inputs[0].shape for program in module.programs] == [("b", "s")] * 2
    assert len(imports) == 3


def test_a_program_for_all_sizes_serves_empty_ones():
    module = tilewright.compile(grouped_model("n", 6))
    shape = np.array([-1, 2])
    for n in (2, 0, 3, 0):
        np.testing.assert_array_equal(module(numbers(n, 6), shape), -numbers(n * 3, 2))
    assert [program.inputs[0].shape for program in module.programs] == [("n", 6)]


def test_sizes_that_a_program_for_all_sizes_refuses_have_their_own():
    nodes = [helper.make_node("Add", ["x", "y"], ["z"])]
    inputs = [tensor("x", ["n", 6]), tensor("y", None)]
    module = tilewright.compile(model_of(nodes, inputs, [tensor("z", None)]))
    for n, m in ((2, 2), (3, 1), (4, 4)):
        np.testing.assert_array_equal(
            module(numbers(n, 6), numbers(m, 6)), numbers(n, 6) + numbers(m, 6)
        )
    assert [program.inputs[0].shape for program in module.programs] == [(3, 6), ("n", 6)]


def test_a_value_that_only_some_sizes_allow_has_a_program_for_each_size():
    module = tilewright.compile(grouped_model("n", "m"))
    for n, m in ((2, 6), (3, 4), (2, 6)):
        y = module(numbers(n, m), np.array([4, 3]))
        np.testing.assert_array_equal(y, -numbers(4, 3))
    assert [program.inputs[0].shape for program in module.programs] == [(3, 4), (2, 6)]
    assert "number of elements differs" in module.reason
    with pytest.raises(TypeMismatch, match="number of elements differs"):
        module(numbers(2, 5), np.array([4, 3]))


def test_a_rank_has_one_program_for_all_sizes():
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    module = tilewright.compile(model_of(nodes, [tensor("x", None)], [tensor("y", None)]))
    for shape in ((), (3,), (4,), (2, 2, 2), (1, 5, 2)):
        np.testing.assert_array_equal(module(-numbers(*shape)), np.zeros(shape))
    assert [len(program.inputs[0].shape) for program in module.programs] == [0, 1, 3]


def test_ranges_of_sizes_are_checked_at_each_call():
    model = grouped_model("n", 6)
    module = tilewright.compile(model, shapes={"n": range(0, 5)})
    shape = np.array([-1, 2])
    for n in (4, 0):
        np.testing.assert_array_equal(module(numbers(n, 6), shape), -numbers(n * 3, 2))
    assert len(module.programs) == 1
    with pytest.raises(
        ArgumentError, match=r"\(x\) has the wrong shape\n    expected: n.* in 0..4"
    ):
        module(numbers(5, 6), shape)


def test_sizes_of_inputs_that_become_constants_may_be_bound():
    inputs = [tensor("x", ["b", 6]), tensor("shape", ["n"], TensorProto.INT64)]
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    model = model_of(nodes, inputs, [tensor("y", None)])
    for shapes in ({"n": 2}, {"shape": (2,)}, {"n": range(1, 4)}):
        module = tilewright.compile(model, shapes=shapes)
        np.testing.assert_array_equal(module(numbers(2, 6), np.array([-1, 4])), numbers(3, 4))
        with pytest.raises(ArgumentError, match=r"argument 1 \(shape\) has the wrong shape"):
            module(numbers(2, 6), np.array([-1, 1, 1, 4]))


NODES = {
    "Expand": ("Expand", [("t", [[4, 1, 3], [2, 1, 1]])], {}),
    "Pad": ("Pad", [("t", [[0, 1, 0, 2], [1, 0, 0, 0]])], {}),
    "Reshape": ("Reshape", [("t", [[-1, 1], [0, -1]])], {}),
    "Slice": ("Slice", [("t", [[0, 1], [1, 0]]), ("u", [[9, 2], [4, 3]])], {}),
    "Split": ("Split", [("t", [[1, 2], [2, 1]])], {"axis": 1}),
    "Tile": ("Tile", [("t", [[2, 3], [1, 2]])], {}),
    "TopK": ("TopK", [("t", [[1], [2]])], {"axis": 1}),
}
"""An operator on x of the sizes n x 3, with two values of its other inputs."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("target", ["native", "interpreter"])
def test_values_of_inputs_and_open_sizes_agree_with_onnxruntime(name, target):
    op_type, given, attributes = NODES[name]
    outputs = ["y", "z"][: 2 if op_type in ("Split", "TopK") else 1]
    node = helper.make_node(op_type, ["x", *(each for each, _ in given)], outputs, **attributes)
    inputs = [tensor(each, [len(rows[0])], TensorProto.INT64) for each, rows in given]
    kinds = [TensorProto.FLOAT, TensorProto.INT64 if op_type == "TopK" else TensorProto.FLOAT]
    declared = [tensor(each, None, kind) for each, kind in zip(outputs, kinds, strict=False)]
    model = model_of([node], [tensor("x", ["n", 3]), *inputs], declared)
    peer = onnxruntime.InferenceSession(model.SerializeToString())
    module = tilewright.compile(model, target=target, cache=False)
    for n in (4, 1, 7):
        for row in range(2):
            feed = {"x": numbers(n, 3), **{each: np.array(rows[row]) for each, rows in given}}
            for got, expected in zip(module.run(feed), peer.run(None, feed), strict=True):
                np.testing.assert_array_equal(got, expected)
    assert module.value_inputs == {each for each, _ in given}


# -- programs ------------------------------------------------------------------------------------


def test_each_set_of_sizes_is_compiled_once(imports):
    module = tilewright.compile(rows_model(), cache=False)
    assert "number of elements differs" in module.reason
    for b, s in ((2, 3), (3, 5), (2, 3)):
        x, y = numbers(b, s), numbers(s)
        np.testing.assert_array_equal(module(x, y), rows_of(x, y))
    assert len(module.programs) == 2
    assert len(imports) == 3


def test_the_least_recently_used_program_goes_first(monkeypatch):
    monkeypatch.setattr("tilewright.driver.specialize.MAX_PROGRAMS", 2)
    module = tilewright.compile(rows_model())
    first = module.specialize([numbers(1, 3), numbers(3)])
    module.specialize([numbers(1, 6), numbers(6)])
    assert module.specialize([numbers(1, 3), numbers(3)]) is first
    last = module.specialize([numbers(1, 9), numbers(9)])
    assert module.specialize([numbers(1, 3), numbers(3)]) is first
    assert module.programs == (last, first)
    assert len(module.programs) < MAX_PROGRAMS


def test_inputs_come_by_name_and_outputs_are_filled():
    module = tilewright.compile(rows_model())
    x, y, out = numbers(2, 3), numbers(3), np.empty((2, 3), np.float32)
    assert module(x, y, out) is None
    np.testing.assert_array_equal(out, x + y)
    np.testing.assert_array_equal(module(y=y, x=x), x + y)
    (z,) = module.run({"x": x, "y": y}, threads=1)
    np.testing.assert_array_equal(z, x + y)
    np.testing.assert_array_equal(module(x.tolist(), y.tolist()), x + y)
    np.testing.assert_array_equal(module(z, y), x + 2 * y)


def test_the_packed_function_fills_its_outputs():
    module = tilewright.compile(rows_model())
    x, y, out = numbers(2, 3), numbers(3), np.empty((2, 3), np.float32)
    for name in ("main", "example"):
        out[...] = 0
        module[name](x, y, out)
        np.testing.assert_array_equal(out, x + y)
    with pytest.raises(ArgumentError, match=r"expected: 2 \(inputs\) or 3 \(inputs, then outputs"):
        module["main"](x, y)
    with pytest.raises(KeyError, match="it has default, main, example"):
        module["other"]


def test_values_that_decide_shapes_are_compiled_in():
    module = tilewright.compile(reshape_model())
    assert module.reason
    x = numbers(2, 6)
    for shape in ([3, 4], [-1], [3, 4], [1, -1]):
        given = np.array(shape)
        y = module(x, given)
        given[...] = 0
        np.testing.assert_array_equal(y, x.reshape(shape))
        np.testing.assert_array_equal(module(x, np.array(shape, ">i8")), x.reshape(shape))
    assert len(module.programs) == 3
    assert str(module.unbound()).splitlines()[1].strip() == "expected: values= of shape"


def test_given_values_leave_the_signature():
    module = tilewright.compile(reshape_model(), values={"shape": [4, 3]})
    assert [spec.name for spec in module.inputs] == ["x"]
    assert np.asarray(module(numbers(2, 6))).shape == (4, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"size": [4, 3]}, "names an unknown input"),
        ({"shape": np.float32([4, 3])}, "contradicts the type of input 'shape'"),
        ({"shape": [[4], [3]]}, "contradicts the type of input 'shape'"),
        ({"shape": "no"}, "of input 'shape' is not an array"),
    ],
)
def test_wrong_values_are_refused(values, message):
    with pytest.raises(ModelError, match=message):
        tilewright.compile(reshape_model(), values=values)


def test_a_value_behind_arithmetic_is_asked_for():
    nodes = [
        helper.make_node("Add", ["rows", "one"], ["more"]),
        helper.make_node("Unsqueeze", ["more", "zero"], ["list"]),
        helper.make_node("Expand", ["x", "list"], ["y"]),
    ]
    model = model_of(nodes, [tensor("x", [1]), tensor("rows", [], TensorProto.INT64)],
                     [tensor("y", None)])  # fmt: skip
    for name, array in (("one", np.int64(1)), ("zero", np.int64([0]))):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(array), name))
    module = tilewright.compile(model)
    assert np.asarray(module(numbers(1), np.int64(4))).shape == (5,)


def test_values_of_large_inputs_are_not_compiled_in():
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        helper.make_node("Cast", ["sum"], ["count"], to=TensorProto.INT64),
        helper.make_node("Unsqueeze", ["count", "zero"], ["list"]),
        helper.make_node("ConstantOfShape", ["list"], ["y"]),
    ]
    model = model_of(nodes, [tensor("x", [100, 100])], [tensor("y", None)])
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.int64([0]), "zero"))
    with pytest.raises(UnsupportedOp) as caught:
        tilewright.compile(model)
    assert not isinstance(caught.value, NeedsBinding)
    assert "depends on run-time data" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ((numbers(2, 3),), ["wrong number of arguments", "expected: 2 (inputs) or 3", "got: 1"]),
        ((numbers(2), numbers(4)), ["argument 0 (x)", "float32[b, s]", "(2,)"]),
        ((numbers(2, 3).astype(int), numbers(3)), ["argument 0 (x)", "dtype", ".astype"]),
        (("text", numbers(3)), ["argument 0 (x) is not an array"]),
        (([[1], [2, 3]], numbers(3)), ["argument 0 (x) is a list with rows of unequal lengths"]),
    ],
)
def test_arguments_that_fit_no_sizes_are_refused(arguments, parts):
    module = tilewright.compile(rows_model())
    with pytest.raises(ArgumentError) as caught:
        module(*arguments)
    assert all(part in str(caught.value) for part in parts), caught.value
    assert not module.programs


def test_sizes_of_one_name_are_equal():
    nodes = [helper.make_node("Sum", ["x", "y", "w"], ["z"])]
    inputs = [tensor("x", ["b", "s"]), tensor("y", ["s"]), tensor("w", None)]
    module = tilewright.compile(model_of(nodes, inputs, [tensor("z", None)]))
    with pytest.raises(ArgumentError) as caught:
        module(numbers(2, 3), numbers(4), numbers(3))
    for part in ("argument 1 (y)", "float32[s] with s = 3 (of x)", "(4,)"):
        assert part in str(caught.value)


@pytest.mark.parametrize("is_value", [True, False])
def test_threads_may_call_it_at_once(is_value):
    module = tilewright.compile(grouped_model("n", 6) if is_value else rows_model())

    def call(n):
        x = numbers(2 * n, 6)
        return module(x, np.array([-1, n])) if is_value else module(x, numbers(6))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(call, [1, 2, 3, 6] * 4))
    for n, z in zip([1, 2, 3, 6] * 4, results, strict=True):
        x = numbers(2 * n, 6)
        expected = -x.reshape(-1, n) if is_value else rows_of(x, numbers(6))
        np.testing.assert_array_equal(z, expected)
    assert len(module.programs) == 4


def test_nothing_is_cached_on_request(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    tilewright.compile(reshape_model(), values={"shape": [12]}, cache=False)
    assert not list(tmp_path.iterdir())


def test_sizes_are_bound_by_their_names() -> None:
    model = onnx_model(
        [helper.make_node("Add", ["x", "y"], ["z"])],
        {"x": ["batch", 3, None], "y": ["batch", 1, "width"]},
        ["z"],
    )
    whole = tilewright.compile(model, shapes={"batch": 2, "width": (4,), "x": ("batch", 3, 4)})
    assert [tuple(spec.shape) for spec in whole.inputs] == [(2, 3, 4), (2, 1, 4)]
    part = tilewright.compile(model, shapes={"batch": 2})
    assert [spec.shape for spec in part.inputs] == [(2, 3, "x_2"), (2, 1, "x_2")]
    x, y = np.ones((2, 3, 4), np.float32), np.ones((2, 1, 4), np.float32)
    np.testing.assert_array_equal(part(x, y), x + y)
    with pytest.raises(ModelError, match="names no input, and no size of one"):
        tilewright.compile(model, shapes={"bach": 2})
    with pytest.raises(ModelError, match="contradicts axis 0 of input 'x'"):
        tilewright.compile(model, shapes={"batch": 2, "x": (3, 3, 4)})
