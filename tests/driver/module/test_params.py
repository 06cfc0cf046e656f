"""Parameters apart from the code: replaced values give what a new compilation gives."""

from __future__ import annotations

import copy
import json
import pickle
import weakref
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper, numpy_helper

import tilewright
from tilewright import te
from tilewright.runtime import load_module, load_param_dict, save_param_dict
from tilewright.runtime.abi.constants import SYMBOL_RUNNING
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.models import encoder_model, ffn_model, inputs_for
from tilewright.testing.worker import WorkerProcess

from ...onnx_models import onnx_model
from . import replaced

NATIVE = str(Path(replaced.__file__))
RNG = np.random.default_rng(0)
Arrays = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    with WorkerProcess() as worker:
        yield worker


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


class Net:
    """A residual network with batch normalizations, as frameworks export it."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: Arrays = {}

    def node(self, op_type: str, inputs: list[str], name: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(op_type, inputs, [name], name=name, **attributes))
        return name

    def weight(self, name: str, array: np.ndarray) -> str:
        self.weights[name] = array.astype(np.float32)
        return name

    def conv(self, x: str, name: str, inputs: int, outputs: int, taps: int, stride: int) -> str:
        w = self.weight(f"{name}.weight", floats(outputs, inputs, taps, taps) / 10)
        y = self.node("Conv", [x, w], name, strides=[stride] * 2, pads=[taps // 2] * 4)
        statistics = [
            self.weight(f"{name}.scale", 1 + floats(outputs) / 10),
            self.weight(f"{name}.bias", floats(outputs)),
            self.weight(f"{name}.mean", floats(outputs) / 10),
            self.weight(f"{name}.var", np.abs(floats(outputs)) + 0.5),
        ]
        return self.node("BatchNormalization", [y, *statistics], f"{name}.bn")

    def model(self) -> ModelProto:
        x = self.node("Relu", [self.conv("x", "stem", 3, 32, 7, 2)], "stem.relu")
        for n in range(2):
            y = self.node("Relu", [self.conv(x, f"block{n}.a", 32, 32, 3, 1)], f"block{n}.relu")
            y = self.node("Add", [x, self.conv(y, f"block{n}.b", 32, 32, 3, 1)], f"block{n}.sum")
            x = self.node("Relu", [y], f"block{n}")
        x = self.node("Flatten", [self.node("GlobalAveragePool", [x], "pool")], "flat")
        w, b = self.weight("fc.weight", floats(10, 32)), self.weight("fc.bias", floats(10))
        self.node("Gemm", [x, w, b], "y", transB=1)
        return onnx_model(
            self.nodes,
            {"x": [1, 3, 56, 56]},
            weights=self.weights,
            opset=17,
        )


MODELS = {
    "resnet": Net().model(),
    "transformer": encoder_model(batch=1, seq=7, layers=2, hidden=64, heads=4, ffn=128),
    "dynamic": ffn_model(m="m", k=64, n=96),
}


def with_other_values(model: ModelProto) -> tuple[ModelProto, Arrays]:
    """Return a model with other weights, and these."""
    made, values = copy.deepcopy(model), Arrays()
    for tensor in made.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.ndim:
            values[tensor.name] = np.abs(floats(*array.shape)) / 8 + np.float32(0.1)
            tensor.CopyFrom(numpy_helper.from_array(values[tensor.name], tensor.name))
    return made, values


def given(model: ModelProto) -> list[np.ndarray]:
    return inputs_for(model) if model is not MODELS["dynamic"] else [floats(5, 64)]


def bits(module: tilewright.Module, arrays: list[np.ndarray]) -> list[bytes]:
    return [np.array(out).tobytes() for out in module.run(arrays)]


@pytest.mark.parametrize("name", MODELS)
def test_replaced_values_give_the_bits_of_a_compilation(
    name: str, worker: WorkerProcess, tmp_path: Path
) -> None:
    model, arrays = MODELS[name], given(MODELS[name])
    other, values = with_other_values(model)
    module, expected = tilewright.compile(model), bits(tilewright.compile(other), arrays)
    before = bits(module, arrays)
    assert before != expected
    for path in ("m.so", "m.tar"):
        module.export_library(tmp_path / path)
        made = worker.call(f"{NATIVE}:run", str(tmp_path / path), values, arrays)
        assert [out.tobytes() for out in made] == expected
    module.load_params(values)
    assert bits(module, arrays) == expected
    module.export_library(tmp_path / "n.so")
    assert bits(load_module(tmp_path / "n.so", verify=True), arrays) == expected
    assert "xdsl" not in worker.call(f"{NATIVE}:imported")


@pytest.mark.parametrize("name", MODELS)
def test_parameters_have_the_names_and_layouts_of_the_model(name: str) -> None:
    model = MODELS[name]
    module = tilewright.compile(model)
    own = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    params = module.get_params()
    for key, array in params.items():
        np.testing.assert_array_equal(array.numpy(), own[key])
    specs = {spec.name: spec for spec in module.metadata.params}
    assert {*specs} == {*own}
    assert {*params} == {key for key, spec in specs.items() if not spec.reason}
    _, values = with_other_values(model)
    module.load_params(values)
    for key, array in module.get_params().items():
        np.testing.assert_array_equal(array.numpy(), values[key])


def test_the_classic_program_has_graph_and_parameters_apart(
    worker: WorkerProcess, tmp_path: Path
) -> None:
    model = MODELS["transformer"]
    other, values = with_other_values(model)
    lib = tilewright.compile(model)
    lib.export_library(tmp_path / "net.so")
    params = save_param_dict(values)
    named = dict(zip((spec.name for spec in lib.inputs), given(model), strict=True))
    graph = lib.get_graph_json()
    made = worker.call(f"{NATIVE}:classic", str(tmp_path / "net.so"), graph, params, named)
    assert [out.tobytes() for out in made] == bits(tilewright.compile(other), given(model))
    listed = {row["name"]: row["reason"] for row in json.loads(graph)["params"]}
    assert listed["split_heads"]
    assert not any(listed[name] for name in values)


def test_the_graph_of_another_module_is_refused(worker: WorkerProcess, tmp_path: Path) -> None:
    lib = tilewright.compile(MODELS["dynamic"])
    lib.export_library(tmp_path / "net.so")
    for graph in (tilewright.compile(MODELS["transformer"]).get_graph_json(), "{}"):
        with pytest.raises(ArgumentError, match="the graph"):
            worker.call(f"{NATIVE}:classic", str(tmp_path / "net.so"), graph, b"", {})


def test_constants_of_a_kernel_are_parameters(tmp_path: Path, worker: WorkerProcess) -> None:
    def kernel(w: np.ndarray, b: np.ndarray) -> tilewright.CompiledModule:
        x = te.placeholder((6, 40), name="x")
        weights, k = te.constant(w, "w"), te.reduce_axis((0, 40), "k")
        bias = te.constant(b, "b")
        y = te.compute((6, 24), lambda i, j: te.sum(x[i, k] * weights[k, j], axis=k), "y")
        return tilewright.build([x, te.compute((6, 24), lambda i, j: y[i, j] + bias[j], "z")])

    values, x = {"w": floats(40, 24), "b": floats(24)}, floats(6, 40)
    module = kernel(floats(40, 24), floats(24))
    expected = bits(kernel(values["w"], values["b"]), [x])
    module.export_library(tmp_path / "k.so")
    made = worker.call(f"{NATIVE}:run", str(tmp_path / "k.so"), values, [x])
    assert [out.tobytes() for out in made] == expected
    assert {spec.name for spec in module.metadata.params} == {"w", "b"}


def test_a_file_of_parameters(tmp_path: Path, worker: WorkerProcess) -> None:
    model = MODELS["transformer"]
    _, values = with_other_values(model)
    module, arrays = tilewright.compile(model), given(model)
    before = bits(module, arrays)
    module.export_library(tmp_path / "m.so")
    module.save_params(tmp_path / "m.params")
    module.load_params(values)
    module.load_params(tmp_path / "m.params")
    assert bits(module, arrays) == before
    worker.call(f"{NATIVE}:run", str(tmp_path / "m.so"), str(tmp_path / "m.params"), arrays)
    saved = load_param_dict((tmp_path / "m.params").read_bytes())
    assert {*saved} == {*values}
    with pytest.raises(ArgumentError, match="not in the layout of safetensors"):
        load_param_dict(b"12345678 no header")


@pytest.mark.parametrize("embed", [False, True])
def test_copies_have_the_replaced_values(embed: bool, tmp_path: Path) -> None:
    model, arrays = MODELS["dynamic"], [floats(5, 64)]
    other, values = with_other_values(model)
    module = tilewright.compile(model)
    module.export_library(tmp_path / "m.so", embed=embed)
    for each in (module, load_module(tmp_path / "m.so")):
        each.load_params(values)
        expected = bits(each, arrays)
        assert expected == bits(tilewright.compile(other), arrays)
        assert bits(pickle.loads(pickle.dumps(each)), arrays) == expected
        assert bits(copy.copy(each), arrays) == expected


def small(w: np.ndarray, operator: str = "Mul") -> ModelProto:
    """Return y = (x @ v) * w."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Exp", ["e"], ["f"]),
        helper.make_node("Mul", ["r", "f"], ["m"]),
        helper.make_node(operator, ["m", "w"], ["y"]),
    ]
    weights = {"w": w, "e": np.arange(80, dtype=np.float32) / 80}
    return onnx_model(nodes, {"x": [4, 80]}, weights=weights, opset=17)


@pytest.mark.parametrize(
    ("w", "operator"), [(np.ones(80), "Mul"), (np.zeros(80), "Add"), (np.full(80, 3.0), "Mul")]
)
def test_values_that_decided_the_code_are_refused(w: np.ndarray, operator: str) -> None:
    w = w.astype(np.float32)
    module = tilewright.compile(small(w, operator))
    (reason,) = (spec.reason for spec in module.metadata.params if spec.name == "w")
    assert reason == "the code depends on its values"
    module.load_params({"w": w})
    with pytest.raises(ArgumentError, match=r"parameter w cannot be replaced\n.*depends on its"):
        module.load_params({"w": w + 1})
    assert "w" not in module.get_params()


def test_values_that_no_recipe_combines_are_refused() -> None:
    module = tilewright.compile(small(floats(80)))
    with pytest.raises(ArgumentError, match=r"parameter e cannot be replaced\n.*graph\.exp"):
        module.load_params({"e": floats(80)})
    values = {"w": floats(80)}
    x = floats(4, 80)
    module.load_params(values)
    assert bits(module, [x]) == bits(tilewright.compile(small(values["w"])), [x])


def test_replaced_values_round_to_halves_with_ties_to_even() -> None:
    nodes = [
        helper.make_node("Cast", ["w"], ["h"], to=onnx.TensorProto.FLOAT16),
        helper.make_node("Add", ["x", "h"], ["y"]),
    ]
    kept = np.arange(1024, 2048) + 0.5
    ties = (np.ldexp(kept, np.arange(1024) % 30 - 24) / 1024).astype(np.float32)
    inputs, weights = {"x": (onnx.TensorProto.FLOAT16, [1024])}, {"w": ties[::-1].copy()}
    module = tilewright.compile(onnx_model(nodes, inputs, weights=weights))
    module.load_params({"w": ties})
    halves = module(np.zeros(1024, np.float16))
    np.testing.assert_array_equal(halves, ties.astype(np.float16))


def test_parameters_that_are_combined_come_together(tmp_path: Path) -> None:
    model = MODELS["resnet"]
    tilewright.compile(model).export_library(tmp_path / "m.so")
    loaded = load_module(tmp_path / "m.so")
    with pytest.raises(ArgumentError, match=r"pass .*stem\.scale.* too"):
        loaded.load_params({"stem.weight": floats(32, 3, 7, 7)})
    loaded.load_params({"fc.bias": floats(10)})


REFUSED: Mapping[str, tuple[object, str]] = {
    "a name": ({"fc.weights": floats(10, 32)}, r"no parameter 'fc.weights'\n.*fc\.weight"),
    "a shape": ({"fc.bias": floats(11)}, r"expected: float32\[10\]\n.*got: float32\[11\]"),
    "a dtype": ({"fc.bias": np.zeros(10)}, r"expected: float32\[10\]\n.*got: float64\[10\]"),
    "no array": ({"fc.bias": "text"}, "fc.bias"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_values_are_refused_and_change_nothing(case: str) -> None:
    module, arrays = tilewright.compile(MODELS["resnet"]), given(MODELS["resnet"])
    before = bits(module, arrays)
    values, message = REFUSED[case]
    assert isinstance(values, dict)
    with pytest.raises(ArgumentError, match=message):
        module.load_params({"fc.weight": floats(10, 32), **values})
    assert bits(module, arrays) == before


def test_the_interpreter_has_its_values_in_the_code() -> None:
    module = tilewright.compile(small(floats(80)), target="interpreter")
    with pytest.raises(ArgumentError, match="the code for this target contains its values"):
        module.load_params({"w": floats(80)})


def test_a_cached_model_has_its_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    specs = [tilewright.compile(MODELS["dynamic"]).metadata.params for _ in range(2)]
    assert specs[0] == specs[1] != ()


def test_a_run_finishes_with_the_weights_that_it_began_with() -> None:
    """The number of runs in the library says so; the next replacement without one frees them."""
    models = [ffn_model(m=4, k=8, n=8, seed=seed) for seed in range(2)]
    module = tilewright.compile(models[0], threads=1)
    values = [tilewright.compile(model).get_params() for model in models]
    module.load_params(values[0])
    began_with = weakref.ref(module.weights)
    module._library.store_int32(SYMBOL_RUNNING, 1)  # pyright: ignore
    module.load_params(values[1])
    module.load_params(values[0])
    assert began_with() is not None
    module._library.store_int32(SYMBOL_RUNNING, 0)  # pyright: ignore
    module.load_params(values[1])
    assert began_with() is None


def test_calls_beside_replacements_have_the_results_of_one_version() -> None:
    models = [ffn_model(m=8, k=64, n=64, seed=seed) for seed in range(2)]
    versions = [tilewright.compile(model, threads=1) for model in models]
    x, values = floats(8, 64), [version.get_params() for version in versions]
    known = [bits(version, [x]) for version in versions]
    module = tilewright.compile(models[0], threads=1)
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(bits, module, [x]) for _ in range(300)]
        for turn in range(20):
            module.load_params(values[turn % 2])
        assert all(call.result() in known for call in calls)
    assert bits(module, [x]) == bits(versions[1], [x])


def test_versions_share_replaced_values() -> None:
    model, x = MODELS["dynamic"], [floats(8, 64)]
    other, values = with_other_values(model)
    module = tilewright.compile(model, specialize={"m": [1, 8]})
    module.load_params(values)
    for rows in (1, 5, 8):
        part = [x[0][:rows].copy()]
        expected = bits(tilewright.compile(other, specialize={"m": [1, 8]}), part)
        assert bits(module, part) == expected
