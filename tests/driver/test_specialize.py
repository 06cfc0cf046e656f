"""Shape specialization: models compiled for the sizes and values of their calls."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright import SpecializingModule
from tilewright.driver.specialize import MAX_SPECIALIZATIONS
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError, NeedsBinding, UnsupportedOp


def tensor(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model_of(nodes, inputs, outputs, opset=21):
    graph = helper.make_graph(nodes, "example", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def add_model():
    """Return z = x + y, by a TopK, which has no plan for symbolic sizes."""
    nodes = [
        helper.make_node("Constant", [], ["k"], value_ints=[1]),
        helper.make_node("Add", ["x", "y"], ["sum"]),
        helper.make_node("TopK", ["sum", "k"], ["most", "place"]),
        helper.make_node("Add", ["sum", "most"], ["more"]),
        helper.make_node("Sub", ["more", "most"], ["z"]),
    ]
    return model_of(nodes, [tensor("x", ["b", "s"]), tensor("y", ["t"])], [tensor("z", None)])


def reshape_model():
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"])]
    inputs = [tensor("x", [2, 6]), tensor("shape", ["n"], TensorProto.INT64)]
    return model_of(nodes, inputs, [tensor("y", None)])


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_each_set_of_sizes_is_compiled_once():
    module = tilewright.compile(add_model())
    assert isinstance(module, SpecializingModule)
    for b, s in ((2, 3), (4, 5), (2, 3)):
        z = module(numbers(b, s), numbers(s))
        np.testing.assert_array_equal(np.asarray(z), numbers(b, s) + numbers(s))
    assert len(module.modules) == 2


def test_the_least_recently_used_module_goes_first(monkeypatch):
    monkeypatch.setattr("tilewright.driver.specialize.MAX_SPECIALIZATIONS", 2)
    module = tilewright.compile(add_model())
    first = module.specialize([numbers(1, 2), numbers(2)])
    module.specialize([numbers(1, 3), numbers(3)])
    assert module.specialize([numbers(1, 2), numbers(2)]) is first
    module.specialize([numbers(1, 4), numbers(4)])
    assert module.specialize([numbers(1, 2), numbers(2)]) is first
    assert len(module.modules) == 2 < MAX_SPECIALIZATIONS


def test_inputs_come_by_name_and_outputs_are_filled():
    module = tilewright.compile(add_model())
    x, y, out = numbers(2, 3), numbers(3), np.empty((2, 3), np.float32)
    assert module(x, y, out) is None
    np.testing.assert_array_equal(out, x + y)
    np.testing.assert_array_equal(np.asarray(module(y=y, x=x)), x + y)
    (z,) = module.run({"x": x, "y": y}, threads=1)
    np.testing.assert_array_equal(np.asarray(z), x + y)
    np.testing.assert_array_equal(np.asarray(module(x.tolist(), y.tolist())), x + y)


def test_the_packed_function_fills_its_outputs():
    module = tilewright.compile(add_model())
    x, y, out = numbers(2, 3), numbers(3), np.empty((2, 3), np.float32)
    for name in ("main", "example"):
        out[...] = 0
        module[name](x, y, out)
        np.testing.assert_array_equal(out, x + y)
    with pytest.raises(ArgumentError, match=r"expected: 3 \(inputs, then outputs to fill\)"):
        module["main"](x, y)
    with pytest.raises(KeyError, match="it has main, example"):
        module["other"]
    with pytest.raises(LookupError, match=r'mod.specialize\(inputs\).get_source\("loop"\)'):
        module.get_source("loop")


def test_values_that_decide_shapes_are_compiled_in():
    module = tilewright.compile(reshape_model())
    assert isinstance(module, SpecializingModule)
    x = numbers(2, 6)
    for shape in ([3, 4], [-1], [3, 4], [1, -1]):
        y = module(x, np.array(shape))
        np.testing.assert_array_equal(np.asarray(y), x.reshape(shape))
    assert len(module.modules) == 3
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


def test_an_input_without_rank_takes_any():
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    module = tilewright.compile(model_of(nodes, [tensor("x", None)], [tensor("y", None)]))
    for shape in ((), (3,), (2, 2, 2)):
        assert np.asarray(module(numbers(*shape))).shape == shape


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
        helper.make_node("Expand", ["one", "list"], ["y"]),
    ]
    model = model_of(nodes, [tensor("x", [100, 100])], [tensor("y", None)])
    for name, array in (("one", np.float32([1])), ("zero", np.int64([0]))):
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    with pytest.raises(UnsupportedOp) as caught:
        tilewright.compile(model)
    assert not isinstance(caught.value, NeedsBinding)
    assert "depends on run-time data" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ((numbers(2, 3),), ["inputs are missing", "expected: y"]),
        ((numbers(2), numbers(4)), ["argument 0 (x)", "float32[b, s]", "(2,)"]),
        ((numbers(2, 3).astype(int), numbers(3)), ["argument 0 (x)", "dtype", ".astype"]),
        ((numbers(2, 3), numbers(3), 1, 2), ["wrong number", "2 (inputs) or 3", "got: 4"]),
        (("text", numbers(3)), ["argument 0 (x) is not an array"]),
        (([[1], [2, 3]], numbers(3)), ["argument 0 (x) does not fit"]),
    ],
)
def test_arguments_that_fit_no_sizes_are_refused(arguments, parts):
    module = tilewright.compile(add_model())
    with pytest.raises(ArgumentError) as caught:
        module(*arguments)
    assert all(part in str(caught.value) for part in parts), caught.value
    assert not module.modules


def test_sizes_of_one_name_are_equal():
    nodes = [helper.make_node("Sum", ["x", "y", "w"], ["z"])]
    inputs = [tensor("x", ["b", "s"]), tensor("y", ["s"]), tensor("w", None)]
    module = tilewright.compile(model_of(nodes, inputs, [tensor("z", None)]))
    with pytest.raises(ArgumentError) as caught:
        module(numbers(2, 3), numbers(4), numbers(3))
    for part in ("argument 1 (y)", "float32[s] with s = 3 (of x)", "(4,)"):
        assert part in str(caught.value)


def test_threads_may_call_it_at_once():
    module = tilewright.compile(add_model())

    def call(s):
        return np.asarray(module(numbers(2, s), numbers(s)))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(call, [3, 4, 5, 6] * 4))
    for s, z in zip([3, 4, 5, 6] * 4, results, strict=True):
        np.testing.assert_array_equal(z, numbers(2, s) + numbers(s))
    assert len(module.modules) == 4


def test_nothing_is_cached_on_request(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    tilewright.compile(reshape_model(), values={"shape": [12]}, cache=False)
    assert not list(tmp_path.iterdir())


def test_sizes_are_bound_by_their_names() -> None:
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, None]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 1, "width"]),
    ]
    output = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node("Add", ["x", "y"], ["z"])], "g", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
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


def test_what_only_a_module_of_given_sizes_has_is_refused_with_a_hint() -> None:
    module = tilewright.compile(add_model())
    for name in ("kernels", "code", "times", "outputs", "threads", "dump_schedules"):
        with pytest.raises(AttributeError, match=rf"mod\.specialize\(inputs\)\.{name} with"):
            getattr(module, name)
    assert not hasattr(module, "kernel")
