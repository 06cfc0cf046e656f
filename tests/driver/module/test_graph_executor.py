"""The graph executor's vocabulary, and measured calls."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import tilewright
from tilewright import GraphModule, cpu, device, nd, te
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError

from ...peer import peer_results


def model(rows: int | str = 4, scale: float = 1) -> ModelProto:
    """Return a model of two inputs, two outputs and a weight."""
    x, z = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [rows, 8]) for n in "xz")
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, 3])
    total = helper.make_tensor_value_info("s", TensorProto.FLOAT, [rows, 8])
    w = np.random.default_rng(1).standard_normal((8, 3)).astype(np.float32) * scale
    nodes = [
        helper.make_node("Add", ["x", "z"], ["s"]),
        helper.make_node("MatMul", ["s", "w"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "net", [x, z], [y, total], [numpy_helper.from_array(w, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.fixture(scope="module")
def lib() -> tilewright.Module:
    made = tilewright.compile(model())
    assert isinstance(made, tilewright.Module)
    return made


def inputs(rows: int = 4) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: rng.random((rows, 8), np.float32) for name in "xz"}


def expected(given: dict[str, np.ndarray], scale: float = 1) -> list[np.ndarray]:
    return peer_results(model("n", scale), given)


def test_the_classic_program_runs(lib: tilewright.Module) -> None:
    dev = tilewright.device("cpu", 0)
    module = GraphModule(lib["default"](dev))
    given = inputs()
    module.set_input("x", given["x"])
    module.set_input(1, nd.array(given["z"], dev))
    module.run()
    assert module.get_num_outputs() == module.get_num_inputs() == 2
    for index, array in enumerate(expected(given)):
        np.testing.assert_allclose(module.get_output(index).numpy(), array, rtol=1e-5, atol=1e-6)
    out = nd.empty((4, 3))
    assert module.get_output(0, out) is out
    np.testing.assert_array_equal(out.numpy(), module.get_output(0).numpy())


def test_default_runs_for_tensors(lib: tilewright.Module) -> None:
    given = inputs()
    y, total = lib["default"](given["x"], given["z"])
    np.testing.assert_allclose(y.numpy(), expected(given)[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(total.numpy(), given["x"] + given["z"])
    filled = [np.empty((4, 3), np.float32), np.empty((4, 8), np.float32)]
    assert lib["default"](given["x"], given["z"], *filled) is None
    np.testing.assert_array_equal(filled[1], total.numpy())


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
def test_copies_of_an_executor_have_its_inputs_and_results(lib: tilewright.Module, copied) -> None:
    module, given = GraphModule(lib), inputs()
    module.set_input("x", given["x"])
    twin = copied(module)
    with pytest.raises(ArgumentError, match="input z is not set"):
        twin.run()
    module.run(z=given["z"])
    np.testing.assert_array_equal(copied(module).get_output(1), module.get_output(1))
    twin.run(z=given["z"])
    np.testing.assert_array_equal(twin.get_output(0), module.get_output(0))


def test_inputs_are_copied_and_named(lib: tilewright.Module) -> None:
    module, given = GraphModule(lib), inputs()
    module.run(**given)
    first = module.get_output(1).numpy().copy()
    given["x"][...] = 0
    module.run()
    np.testing.assert_array_equal(module.get_output(1).numpy(), first)
    module.run(x=np.zeros((4, 8), np.float32))
    np.testing.assert_array_equal(module.get_output(1).numpy(), given["z"])
    assert module.get_input_index("z") == 1
    np.testing.assert_array_equal(module.get_input(1).numpy(), given["z"])
    module.set_input(z=[[1] * 8] * 4)
    assert module.get_input("z").numpy().sum() == 32


def test_executors_of_one_module_have_own_inputs(lib: tilewright.Module) -> None:
    first = GraphModule(lib["default"](cpu(0)))
    second = GraphModule(first)
    first.set_input(0, inputs()["x"])
    with pytest.raises(ArgumentError, match=r"input x is not set\n    expected: float32\[4, 8\]"):
        second.run()


def test_open_sizes_are_those_of_the_inputs() -> None:
    lib = tilewright.compile(model("n"))
    assert isinstance(lib, tilewright.Module)
    module = GraphModule(lib["default"](cpu(0)))
    for rows in (2, 5):
        module.run(**inputs(rows))
        assert module.get_output(0).shape == (rows, 3)
        assert module.benchmark(number=2, repeat=2).min > 0


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            "q",
            np.zeros((4, 8), np.float32),
            r"a name in main\(x: (?s:.*)got: q",
        ),
        ("x\0", np.zeros((4, 8), np.float32), r"expected: a str of characters other than NUL"),
        (2, np.zeros((4, 8), np.float32), "got: 2"),
        ("x", np.zeros((4, 8)), r'got: float64\[4, 8\]\n    hint: .*\.astype\("float32"\)'),
        ("x", np.zeros((4, 7), np.float32), r"got: float32\[4, 7\]"),
        ("x", "text", "is not an array"),
    ],
)
def test_wrong_inputs_are_refused(
    lib: tilewright.Module, key: str | int, value: object, message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        GraphModule(lib).set_input(key, value)


def test_outputs_are_there_after_a_run(lib: tilewright.Module) -> None:
    module = GraphModule(lib)
    with pytest.raises(ArgumentError, match="has no results yet"):
        module.get_output(0)
    with pytest.raises(ArgumentError, match="input x is not set"):
        module.get_input(0)
    module.run(**inputs())
    with pytest.raises(ArgumentError, match=r"has no output 2\n    expected: 0..1"):
        module.get_output(2)


@pytest.mark.parametrize("dev", [device("cuda", 0), cpu(1)])
def test_other_devices_are_refused(lib: tilewright.Module, dev: tilewright.Device) -> None:
    with pytest.raises(ArgumentError, match=f"main does not run on {dev}"):
        lib["default"](dev)
    with pytest.raises(ArgumentError, match=f"main does not run on {dev}"):
        lib.time_evaluator("main", dev)


def test_executors_share_weights_in_one_memory() -> None:
    made = [tilewright.compile(model(), cache=False) for _ in range(2)]
    first, second = (GraphModule(each["default"](cpu(0))) for each in made)
    second.share_params(first)
    assert isinstance(second.module, tilewright.Module)
    given = inputs()
    for each in (first, second):
        each.run(**given)
        np.testing.assert_allclose(each.get_output(0).numpy(), expected(given)[0], rtol=1e-5)
    memory = first.module._code.weights
    assert memory is not None
    assert second.module._code.weights is memory
    memory.view(np.uint8)[...] = 0
    second.run()
    assert not second.get_output(0).numpy().any()
    del made, first, each
    gc.collect()
    second.run()


def test_weights_of_other_code_are_not_shared(lib: tilewright.Module) -> None:
    other = tilewright.compile(model(5))
    with pytest.raises(ArgumentError, match="cannot share the weights"):
        GraphModule(lib).share_params(GraphModule(other["default"](cpu(0))))


def test_a_module_goes_with_its_last_function() -> None:
    lib = tilewright.compile(model(), cache=False)
    gone: list[str] = []
    default = lib["default"]
    weakref.finalize(lib, gone.append, "module")
    assert lib["default"] is default
    del lib
    assert not gone
    del default
    assert gone


# -- measured calls ------------------------------------------------------------------------------


def vector_add() -> tilewright.CompiledModule:
    a, b = te.placeholder((64,), name="A"), te.placeholder((64,), name="B")
    return tilewright.build([a, b, te.compute((64,), lambda i: a[i] + b[i], name="C")])


def test_a_compiled_loop_measures_short_calls() -> None:
    mod = vector_add()
    a, b, c = (np.ones(64, np.float32) for _ in range(3))
    evaluate = mod.time_evaluator(mod.entry_name, cpu(0), number=1000, repeat=3)
    found = evaluate(a, b, c)
    assert (c == 2).all()
    assert len(found.results) == 3
    assert found.number == 1000
    assert found.min <= found.median <= found.max
    assert found.min <= found.mean <= found.max
    assert found.std == pytest.approx(np.std(found.results))
    # A call from Python alone takes microseconds.
    assert 0 < found.min < 2e-6
    assert "mean (ms)" in str(found)


def test_the_number_of_calls_grows_until_a_repeat_is_long_enough() -> None:
    mod, arrays = vector_add(), [np.ones(64, np.float32) for _ in range(3)]
    found = mod.time_evaluator("main", number=1, repeat=2, min_repeat_ms=2)(*arrays)
    assert all(each * found.number >= 0.9e-3 for each in found.results)
    assert found.number > 100


def test_measured_calls_are_counted_and_checked() -> None:
    calls: list[object] = []
    tilewright.register_func("test.count", lambda x, y: calls.append(x), override=True)
    x = te.placeholder((4,), name="X")
    y = te.extern((4,), [x], lambda i, o: te.call_packed("test.count", i[0], o[0]), name="Y")
    mod = tilewright.build([x, y], cache=False)
    arrays = [np.zeros(4, np.float32) for _ in range(2)]
    mod.time_evaluator("main", number=3, repeat=2)(*arrays)
    assert len(calls) == 1 + 3 * 2
    tilewright.remove_global_func("test.count")
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        mod.time_evaluator("main")()
    with pytest.raises(KeyError, match="has no function 'f'"):
        mod.time_evaluator("f")


@pytest.mark.parametrize("wrong", [{"number": 0}, {"repeat": 0}, {"min_repeat_ms": -1}])
def test_measuring_no_call_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ArgumentError, match="measures no call"):
        vector_add().time_evaluator("main", **wrong)


def test_programs_that_python_runs_are_not_timed() -> None:
    x = te.placeholder((4,), name="X")
    mod = tilewright.build([x, te.compute((4,), lambda i: x[i])], target="interpreter")
    with pytest.raises(ArgumentError, match="cannot be timed"):
        mod.time_evaluator("main")
    assert isinstance(mod["main"], PackedFunc)
