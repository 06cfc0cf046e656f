"""Every public module, class and function answers a wrong name with the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.errors import ArgumentError, Error
from tilewright.runtime.spelling import SuggestsNames, UnknownName, advice, nearest
from tilewright.runtime.words import WORDS

A = te.placeholder((4, 8), name="A")
k = te.reduce_axis((0, 8), name="k")
B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="B")


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    """Return an object of each public module and class that a program gets from a call."""
    module = tilewright.build([A, B], name="sums")
    schedule = te.create_schedule(B.op)
    y = module(np.ones((4, 8), np.float32))
    evaluator = module.time_evaluator("main", number=1)
    return {
        "tilewright": tilewright, "te": te, "nd": tilewright.nd, "ops": tilewright.ops,
        "runtime": tilewright.runtime, "mod": module, "y": y, "device": tilewright.cpu(0),
        "graph": tilewright.GraphModule(module), "function": module["main"],
        "evaluator": evaluator, "result": evaluator(np.ones((4, 8), np.float32)),
        "target": tilewright.Target("cuda -arch=sm_80"), "memory": module.memory(),
        "limits": tilewright.LayerLimits(), "extension": tilewright.Extension(),
        "kernel": module.kernels[0], "input": module.inputs[0], "metadata": module.metadata,
        "s": schedule, "stage": schedule[B], "A": A, "op": B.op, "axis": B.op.axis[0],
        "var": te.var("n"), "thread": te.thread_axis("threadIdx.x"),
        "shape": tilewright.Shape((1, 2)),
    }  # fmt: skip


TYPOS = (
    # The object, the wrong name, and what the message must say.
    ("tilewright", "load", "load_module"),
    ("tilewright", "lower", "get_source"),
    ("tilewright", "complie", "compile"),
    ("tilewright", "relax", "tilewright.from_onnx"),
    ("te", "placeholdr", "placeholder"),
    ("te", "relu", "tilewright.ops.relu"),
    ("te", "creat_schedule", "create_schedule"),
    ("nd", "arrray", "array"),
    ("nd", "ones", "array(numpy.ones"),
    ("ops", "matmull", "matmul"),
    ("runtime", "load_modul", "load_module"),
    ("mod", "save", "export_library"),
    ("mod", "export", "export_library"),
    ("mod", "kernals", "kernels"),
    ("mod", "benchmark", "time_evaluator"),
    ("mod", "state_dict", "get_params"),
    ("mod", "get_inputs", "mod.inputs"),
    ("y", "asnumpy", "numpy()"),
    ("y", "shpae", "shape"),
    ("y", "sort", "numpy()"),
    ("device", "exists", "exist"),
    ("device", "synchronize", "sync()"),
    ("graph", "set_inputs", "set_input"),
    ("graph", "get_outputs", "get_output"),
    ("function", "invoke", "is called"),
    ("evaluator", "mean", "evaluator(*arrays).mean"),
    ("result", "average", "mean"),
    ("target", "mcpu", "cpu"),
    ("target", "featurs", "features"),
    ("memory", "totall", "total"),
    ("limits", "erorr", "error"),
    ("extension", "pases", "passes"),
    ("kernel", "flop", "flops"),
    ("input", "shapes", "shape"),
    ("metadata", "input", "inputs"),
    ("s", "split", "s[C].split"),
    ("s", "stage", "stages"),
    ("stage", "vectorise", "vectorize"),
    ("stage", "unrol", "unroll"),
    ("stage", "leaf_iter_vars", "loops"),
    ("A", "shap", "shape"),
    ("A", "axis", "C.op.axis"),
    ("op", "reduce_axes", "reduce_axis"),
    ("axis", "nmae", "name"),
    ("var", "as_type", "astype"),
    ("thread", "extend", "extent"),
    ("shape", "indx", "index"),
)


@pytest.mark.parametrize(("owner", "name", "right"), TYPOS)
def test_a_wrong_attribute_names_the_right_one(
    objects: dict[str, Any], owner: str, name: str, right: str
) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(objects[owner], name)
    assert isinstance(caught.value, Error)
    assert right in caught.value.hint
    assert repr(name) in caught.value.rule


# pyright: reportCallIssue=false
CALLS: tuple[tuple[Callable[[dict[str, Any]], Any], str, str], ...] = (
    (lambda _: tilewright.compile("m.onnx", tagret="x"), "tagret", "target"),
    (lambda _: tilewright.compile("m.onnx", device="x"), "device", "target="),
    (lambda _: tilewright.build([A, B], trget="x"), "trget", "target"),
    (lambda _: tilewright.compile_module("", thread=1), "thread", "threads"),
    (lambda _: tilewright.quantize("m.onnx", [], calibrate=1), "calibrate", "calibration"),
    (lambda o: o["mod"].time_evaluator("main", numbr=1), "numbr", "number"),
    (lambda o: o["stage"].split(B.op.axis[0], factr=2), "factr", "factor"),
    (lambda _: te.create_schedule(B.op, targt="x"), "targt", "target"),
)


@pytest.mark.parametrize(("call", "name", "right"), CALLS, ids=[name for _, name, _ in CALLS])
def test_a_wrong_argument_names_the_right_one(
    objects: dict[str, Any], call: Callable[[dict[str, Any]], Any], name: str, right: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(objects)
    assert right in caught.value.hint
    assert repr(name) in caught.value.rule


def test_every_public_class_suggests_names() -> None:
    exempt = (BaseException, Warning)
    public = [getattr(tilewright, name) for name in tilewright.__all__]
    public += [getattr(te, name) for name in te.__all__]
    classes = [each for each in public if isinstance(each, type) and not issubclass(each, exempt)]
    assert len(classes) > 30
    assert [each for each in classes if not issubclass(each, SuggestsNames)] == []


def test_words_of_other_libraries_are_no_names_of_the_api(objects: dict[str, Any]) -> None:
    by_class = {type(each).__name__: each for each in objects.values()}
    by_class |= {"tilewright": tilewright, "te": te, "nd": tilewright.nd}
    by_class |= {"tilewright.runtime": tilewright.runtime, "Module": objects["mod"]}
    for owner, words in WORDS.items():
        if owner in by_class:
            assert [word for word in words if word in dir(by_class[owner])] == [], owner


def test_an_unknown_name_without_a_near_one_lists_the_names() -> None:
    assert advice("zzz", ["alpha", "beta"]) == "the names are alpha, beta"
    assert advice("zzz", []) == "none is there"
    assert "…" in advice("zzz", [f"name{n}" for n in range(20)])


def test_nearest_ignores_case() -> None:
    assert nearest("LOADMODULE", ["load_module", "other"]) == ["load_module"]


def test_a_global_function_without_a_near_name_lists_the_functions() -> None:
    name = "wrong_names.addTwoVectors"
    tilewright.register_func(name, lambda x: x)
    try:
        with pytest.raises(tilewright.UnknownFunction, match="expected: "):
            tilewright.get_global_func("zz")
        with pytest.raises(tilewright.UnknownFunction, match="did you mean wrong_names"):
            tilewright.get_global_func("wrong_names.addTwoVector")
    finally:
        tilewright.remove_global_func(name)


class _Failing(SuggestsNames):
    @property
    def value(self) -> int:
        return self._missing  # pyright: ignore


def test_an_error_inside_a_property_is_not_hidden() -> None:
    with pytest.raises(AttributeError, match="_missing"):
        _ = _Failing().value


def test_names_of_protocols_are_absent_without_a_hint(objects: dict[str, Any]) -> None:
    for each in objects.values():
        assert not hasattr(each, "__cuda_array_interface__")
    with pytest.raises(AttributeError) as caught:
        _ = objects["mod"]._nothing
    assert not isinstance(caught.value, UnknownName)


def test_dir_of_a_module_has_the_names_for_users(objects: dict[str, Any]) -> None:
    names = [name for name in dir(objects["mod"]) if not name.startswith("_")]
    assert {"export_library", "run", "inputs", "get_source", "kernels"} <= {*names}
    assert not {"fill", "of", "repacked", "take_params", "use_weights"} & {*names}


def test_a_result_has_the_methods_of_numpy_that_change_nothing() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    y: Any = tilewright.nd.array(x)
    np.testing.assert_array_equal(y.argmax(1), x.argmax(1))
    np.testing.assert_array_equal(y.T, x.T)
    np.testing.assert_array_equal(y.reshape(-1), x.reshape(-1))
    assert (y.sum(), y.max(), y.tolist()) == (x.sum(), x.max(), x.tolist())
    assert "argmax" in dir(y)


def test_classic_names_of_modules_are_those_of_ours() -> None:
    root: Any = tilewright
    assert root.target.Target is tilewright.Target
    assert root.contrib.graph_executor.GraphModule is tilewright.GraphModule
    assert root.relay.save_param_dict is tilewright.runtime.save_param_dict
    with pytest.raises(AttributeError, match="reads ONNX models"):
        _ = root.relay.frontend


def test_calls_are_timed_without_outputs(objects: dict[str, Any]) -> None:
    x, y = np.ones((4, 8), np.float32), np.zeros(4, np.float32)
    evaluator = objects["mod"].time_evaluator("main", number=2, repeat=2)
    assert len(evaluator(x).results) == 2
    assert len(evaluator(x, y).results) == 2
    np.testing.assert_array_equal(y, x.sum(1))
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        evaluator()


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"passes": ["p"]}, "no places of passes"),
        ({"passes": {"graph-dce": "p"}}, "are no passes"),
        ({"converters": {}}, "is no sequence"),
    ],
)
def test_an_extension_refuses_values_of_another_kind(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(ArgumentError, match=rule):
        tilewright.Extension(**given)
