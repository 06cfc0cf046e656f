"""Parameters in the C runtime, runtime/native/params.c: the bits of the steps and of the models."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.runtime import load_module, save_param_dict
from tilewright.runtime.abi.constants import DTYPES
from tilewright.runtime.abi.ndarray import numpy_dtype
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.file.recipes import STEPS, Recipe, recipe_rows, replayed
from tilewright.runtime.module.params import ParamMaps
from tilewright.testing.models import ffn_model

from ..module.test_params import MODELS, Arrays, bits, floats, given, with_other_values
from .hosts import (
    FLAGS,
    HOSTS,
    build,
    build_cpp,
    build_rust,
    link_runtime,
    linked,
    output,
    read_tensors,
    sanitized,
    sanitizers,
    tool,
    write_tensors,
)

RNG = np.random.default_rng(0)
MATRIX = ((1.0, 0.0, 0.0), (-2 / 9, -2 / 9, -2 / 9), (1 / 90, 1 / 45, 2 / 45), (0.0, 0.0, 1.0))
Layout = tuple[object, ...]


def param(name: str) -> Recipe:
    return Recipe("param", (name,))


def step(name: str, *operands: Recipe, to: Sequence[object] = ()) -> Recipe:
    return Recipe(name, tuple(to), operands)


W, V, X = param("w"), param("v"), param("x\u00e9\U0001f600")
DIM0, DIM1 = ("dim", 0), ("dim", 1)
BLOCKS: Layout = (("floordiv", DIM1, 4), DIM0, ("mod", DIM1, 4))
SKEWED: Layout = (("add", ("mul", ("mod", DIM1, 3), 20), ("add", DIM0, 1)), ("floordiv", DIM1, 3))
WIDE = {name: step("convert", each, to=["float64"]) for name, each in (("w", W), ("v", V))}
SCALE = Recipe.of_constant(np.linspace(0.5, 2, 7))
RECIPES = {
    "reshape": step("reshape", W, to=[(3, -1, 7)]),
    "transpose": step("transpose", step("reshape", W, to=[(3, 2, 7)]), to=[(2, 0, 1)]),
    "broadcast": step("broadcast", V, to=[(5, 7)]),
    "slice": step("slice", W, to=[(1, 2), (5, 7)]),
    "pad": step("pad", W, to=[(8, 9)]),
    "store in blocks": step("store", W, to=[(2, 6, 4), BLOCKS]),
    "store with gaps": step("store", W, to=[(60, 3), SKEWED]),
    "bits": step("bits", X, to=["int8"]),
    "concat": step("concat", W, step("neg", W), step("broadcast", V, to=[(2, 7)]), to=[0]),
    "convert down": step("convert", W, to=["float16"]),
    "finite": step("finite", step("add", WIDE["w"], WIDE["v"]), to=["float32"]),
    "winograd": step("winograd", param("k"), to=[MATRIX]),
    "add": step("add", W, V),
    "sub": step("sub", V, W),
    "mul": step("mul", WIDE["w"], SCALE),
    "div": step("div", W, V),
    "neg": step("neg", W),
    "sqrt": step("sqrt", V),
}
VALUES = {
    "w": floats(6, 7),
    "v": np.abs(floats(7)),
    X.arguments[0]: np.arange(250, dtype=np.uint8),
    "k": floats(3, 3, 5, 6),
}


@dataclass(frozen=True)
class Replayer:
    """The program hosts/recipes.c, which replays recipes without a library."""

    program: Path
    folder: Path

    def run(
        self, recipe: Recipe, old: Mapping[str, np.ndarray], new: Mapping[str, np.ndarray]
    ) -> tuple[bytes, dict[str, bytes], ParamMaps]:
        """Return the new weights, and the parameters that they contain."""
        rows, (row,) = recipe_rows([recipe])
        params = [[n, a.dtype.name, a.shape, "", ""] for n, a in old.items() if n in recipe.params]
        fields = {"params": params, "recipes": rows, "constants": [[64, row]]}
        weights = bytes(64) + replayed(recipe, old).tobytes()
        manifest = {"params": fields, "weights_bytes": len(weights)}
        (self.folder / "manifest").write_text(json.dumps(manifest))
        (self.folder / "names").write_text("\n".join(new))
        (self.folder / "weights").write_bytes(weights)
        values = write_tensors(self.folder / "values", [*new.values()])
        files = (self.folder / "manifest", self.folder / "names", values, self.folder / "weights")
        said = output(self.program, *files)
        held = dict(line.split("|") for line in said.splitlines())
        return (
            files[-1].read_bytes(),
            {name: bytes.fromhex(text) for name, text in held.items() if text},
            ParamMaps.of_fields(json.loads(json.dumps(fields))),
        )


@pytest.fixture(scope="module")
def replayer(tmp_path_factory: pytest.TempPathFactory) -> Replayer:
    folder = tmp_path_factory.mktemp("recipes")
    made, source = folder / "recipes", HOSTS / "recipes.c"
    flags = [flag for flag in FLAGS if flag != "-pedantic"]
    command = [tool("gcc"), *flags, *sanitizers(), "-o", made, source, "-ldl", "-lpthread"]
    subprocess.run(command, check=True)
    return Replayer(made, folder)


def test_every_step_has_a_recipe_here() -> None:
    assert {*STEPS} == {name.split()[0] for name in RECIPES} | {"convert"}


@pytest.mark.parametrize("name", RECIPES)
def test_a_step_has_the_bits_of_python(name: str, replayer: Replayer) -> None:
    recipe = RECIPES[name]
    values = {key: VALUES[key] for key in recipe.params}
    old = {key: np.zeros_like(array) for key, array in values.items()}
    made, held, maps = replayer.run(recipe, old, values)
    assert made[64:] == replayed(recipe, values).tobytes()
    stored = maps.stored(np.frombuffer(made, np.uint8))
    assert held == {key: array.tobytes() for key, array in stored.items()}
    assert all(array.tobytes() == values[key].tobytes() for key, array in stored.items())


def test_parameters_are_held_by_steps_that_keep_their_values(replayer: Replayer) -> None:
    held = {"reshape", "transpose", "broadcast", "pad", "store in blocks", "store with gaps", "neg"}
    for name, recipe in RECIPES.items():
        values = {key: VALUES[key] for key in recipe.params}
        _, found, _ = replayer.run(recipe, values, values)
        expected = {*values} if name in held | {"bits", "concat"} else set()
        assert {*found} == expected, name


NARROW = [
    name for name, (code, bits) in DTYPES.items() if code in (2, 4, *range(7, 18)) and bits < 32
]


@pytest.mark.parametrize("target", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("source", [*NARROW, "float32", "float64"])
def test_conversions_have_the_bits_of_python(source: str, target: str, replayer: Replayer) -> None:
    dtype = numpy_dtype(source)
    if dtype.itemsize == 1:
        all_bits: np.ndarray = np.arange(1 << DTYPES[source][1], dtype=np.uint8)
    elif dtype.itemsize == 2:
        all_bits = np.arange(1 << 16, dtype=np.uint16)
    else:
        half = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(dtype)
        near = np.concatenate([half, -half, np.nextafter(half, 9), half * dtype.type(1.0004882)])
        spread = RNG.standard_normal(4096) * 10.0 ** RNG.integers(-45, 38, 4096)
        all_bits = np.concatenate([near, spread.astype(dtype)])
    values = all_bits.view(dtype)
    with np.errstate(all="ignore"):
        values = values[~np.isnan(values.astype(np.float64))]
    recipe = step("convert", W, to=[target])
    made, held, maps = replayer.run(recipe, {"w": np.zeros_like(values)}, {"w": values})
    assert made[64:] == replayed(recipe, {"w": values}).tobytes()
    stored = maps.stored(np.frombuffer(made, np.uint8))
    assert held == {key: array.tobytes() for key, array in stored.items()}
    is_kept = target in ("float32", "float64") and dtype.itemsize <= int(target[5:]) // 8
    assert (held.get("w") == values.tobytes()) is (is_kept or source == target)


def test_overflow_of_a_folded_constant_is_refused(replayer: Replayer) -> None:
    recipe = step("finite", step("add", WIDE["w"], WIDE["v"]), to=["float32"])
    values = {"w": VALUES["w"], "v": VALUES["v"]}
    with pytest.raises(AssertionError, match="a constant that is computed from it is not finite"):
        replayer.run(recipe, values, {"w": values["w"], "v": np.full(7, np.inf, np.float32)})


# ---- models


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build([tool("gcc")], HOSTS / "params.c", tmp_path_factory.mktemp("params"))


@dataclass(frozen=True)
class Ran:
    """What hosts/params.c made: outputs, and for each parameter reason, rank, bytes, error."""

    outputs: list[bytes]
    params: dict[str, list[str]]


def ran(program: Path, library: Path, values: Arrays | Path, arrays: list[np.ndarray]) -> Ran:
    folder = library.parent
    names: Path | str = "-"
    if isinstance(values, dict):
        names, path = folder / "names", write_tensors(folder / "values", [*values.values()])
        names.write_text("\n".join(values))
    else:
        path = values
    inputs = write_tensors(folder / "in", arrays)
    said = output(program, library, names, path, inputs, folder / "out")
    rows = (line.split("|") for line in said.splitlines())
    made = [each.tobytes() for each in read_tensors(folder / "out")]
    return Ran(made, {name: fields for name, *fields in rows})


@pytest.mark.parametrize("name", MODELS)
def test_replaced_values_give_the_bits_of_a_compilation(
    name: str, program: Path, tmp_path: Path
) -> None:
    model, arrays = MODELS[name], given(MODELS[name])
    other, values = with_other_values(model)
    expected = bits(tilewright.compile(other), arrays)
    module = tilewright.compile(model)
    library, *_ = module.export_library(tmp_path / "m.so", embed=name == "open")
    made = ran(program, library, values, arrays)
    assert made.outputs == expected
    (tmp_path / "m.params").write_bytes(save_param_dict(values))
    assert ran(program, library, tmp_path / "m.params", arrays) == made
    loaded = load_module(library)
    loaded.load_params(values)
    specs = {spec.name: spec for spec in module.metadata.params}
    assert {each: fields[0] for each, fields in made.params.items()} == {
        each: spec.reason for each, spec in specs.items()
    }
    held = loaded.params.stored(np.asarray(loaded.weights))
    for each, (_, _, text) in made.params.items():
        if each in held:
            assert text == held[each].tobytes().hex()
        else:
            assert f"does not contain the values of parameter {each}" in text


def conv_and_norm(dtype: int) -> onnx.ModelProto:
    """Return a convolution with 3x3 windows, which Winograd's algorithm computes, in a dtype."""
    info, element = helper.make_tensor_value_info, helper.tensor_dtype_to_np_dtype(dtype)
    weights = {"w": floats(64, 64, 3, 3) / 10, "s": 1 + floats(64) / 8, "b": floats(64)}
    weights |= {"mean": floats(64) / 8, "var": np.abs(floats(64)) + 0.5}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4),
        helper.make_node("BatchNormalization", ["c", "s", "b", "mean", "var"], ["y"]),
    ]
    shapes = [info("x", dtype, [1, 64, 28, 28])], [info("y", dtype, [1, 64, 28, 28])]
    tensors = [numpy_helper.from_array(a.astype(element), n) for n, a in weights.items()]
    graph = helper.make_graph(nodes, "conv", *shapes, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


@pytest.mark.parametrize("dtype", [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16])
def test_convolutions_of_each_type(dtype: int, program: Path, tmp_path: Path) -> None:
    model, other = conv_and_norm(dtype), conv_and_norm(dtype)
    values = {t.name: numpy_helper.to_array(t) for t in other.graph.initializer}
    if dtype == TensorProto.BFLOAT16:
        values = {name: array.astype(ml_dtypes.bfloat16) for name, array in values.items()}
    x = floats(1, 64, 28, 28).astype(values["w"].dtype)
    library, *_ = tilewright.compile(model).export_library(tmp_path / "m.so")
    made = ran(program, library, values, [x])
    assert made.outputs == bits(tilewright.compile(other), [x])


def joined() -> onnx.ModelProto:
    """Return one product for queries, keys and values, whose weights the model concatenates."""
    info, weights = helper.make_tensor_value_info, Arrays()
    nodes = []
    for name, width in (("q", 256), ("k", 128), ("v", 128)):
        weights |= {f"{name}.w": floats(width, 64), f"{name}.b": floats(width)}
        nodes.append(helper.make_node("Transpose", [f"{name}.w"], [f"{name}.t"], perm=[1, 0]))
    nodes += [
        helper.make_node("Concat", ["q.t", "k.t", "v.t"], ["w"], axis=1),
        helper.make_node("Concat", ["q.b", "k.b", "v.b"], ["b"], axis=0),
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "b"], ["y"]),
    ]
    shapes = [info("x", TensorProto.FLOAT, [9, 64])], [info("y", TensorProto.FLOAT, [9, 512])]
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "joined", *shapes, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def test_concatenated_parameters_are_replaced_one_by_one(program: Path, tmp_path: Path) -> None:
    model, x = joined(), floats(9, 64)
    own = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    library, *_ = tilewright.compile(model).export_library(tmp_path / "m.so")
    loaded = load_module(library)
    assert not loaded.folded_params
    found = loaded.get_params()
    assert {name: array.numpy().tobytes() for name, array in found.items()} == {
        name: array.tobytes() for name, array in own.items()
    }
    new = {"k.w": floats(128, 64), "v.b": floats(128)}
    for tensor in model.graph.initializer:
        if tensor.name in new:
            tensor.CopyFrom(numpy_helper.from_array(new[tensor.name], tensor.name))
    expected = bits(tilewright.compile(model), [x])
    loaded.load_params(new)
    assert bits(loaded, [x]) == expected
    made = ran(program, library, new, [x])
    assert made.outputs == expected
    assert {name: text for name, (_, _, text) in made.params.items()} == {
        name: array.tobytes().hex() for name, array in {**own, **new}.items()
    }


def test_folded_parameters_are_listed_and_refused_by_name(tmp_path: Path) -> None:
    library, *_ = tilewright.compile(MODELS["resnet"]).export_library(tmp_path / "m.so")
    loaded = load_module(library)
    assert "stem.scale" in loaded.folded_params["stem.weight"]
    with pytest.raises(ArgumentError, match=r"parameter stem\.weight\n.*combined with stem\.scale"):
        loaded.get_params(["fc.bias", "stem.weight"])
    assert [*loaded.get_params(["fc.bias"])] == ["fc.bias"]
    with pytest.raises(ArgumentError, match=r"no parameter 'fc\.bia'"):
        loaded.get_params(["fc.bia"])


def test_values_that_cannot_be_replaced_are_refused(program: Path, tmp_path: Path) -> None:
    library, *_ = tilewright.compile(MODELS["transformer"]).export_library(tmp_path / "m.so")
    arrays = given(MODELS["transformer"])
    loaded = load_module(library)
    (integer, *_) = [spec for spec in loaded.metadata.params if spec.dtype == "int64"]
    (weight, *_) = [spec for spec in loaded.metadata.params if not spec.reason]
    wrong = {
        "no parameter of this name\n  expected: a parameter, such as ": {
            weight.name + "x": arrays[0]
        },
        "cannot be replaced": {integer.name: np.full(integer.shape, 3, np.int64)},
        "has another shape or dtype\n  expected: float32[": {weight.name: floats(1)},
    }
    for message, values in wrong.items():
        with pytest.raises(AssertionError, match=message.replace("[", r"\[")):
            ran(program, library, values, arrays)


def test_files_of_another_layout_are_refused(program: Path, tmp_path: Path) -> None:
    library, *_ = tilewright.compile(MODELS["open"]).export_library(tmp_path / "m.so")
    good = save_param_dict({"w": floats(3)})
    for data in (b"1234", b"\xff" * 64, good[:-1], good.replace(b"[0, 12]", b"[0, 16]")):
        (tmp_path / "bad").write_bytes(data)
        with pytest.raises(AssertionError, match="is not in the layout of safetensors"):
            ran(program, library, tmp_path / "bad", [floats(5, 64)])


@pytest.mark.parametrize("file", ["m.so", "m.o"])
def test_all_programs_get_the_values(file: str, program: Path, tmp_path: Path) -> None:
    def model(w: np.ndarray) -> onnx.ModelProto:
        info = helper.make_tensor_value_info
        inputs = [info("x", TensorProto.FLOAT, ["n", 8]), info("t", TensorProto.INT64, [2])]
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["p"]),
            helper.make_node("Reshape", ["p", "t"], ["y"]),
        ]
        weights = [numpy_helper.from_array(w, "w")]
        outputs = [info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "turned", inputs, outputs, weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)

    bindings, new = [{"t": [4, 8]}, {"t": [-1, 2]}], floats(8, 8)
    library, *_ = tilewright.compile(model(floats(8, 8))).export_library(
        tmp_path / file, values=bindings
    )
    if file == "m.o":
        program = link_runtime(HOSTS / "params.c", library)
    expected = tilewright.compile(model(new))
    for binding in bindings:
        arrays = [floats(4, 8), np.array(binding["t"])]
        made = ran(program, library, {"w": new}, arrays)
        assert made.outputs == bits(expected, arrays)
        assert made.params["w"][2] == new.tobytes().hex()


@pytest.mark.parametrize(("file", "embed"), [("m.o", False), ("m.a", True)])
def test_a_linked_model_is_a_module_with_parameters(file, embed, tmp_path: Path) -> None:
    model, arrays = MODELS["open"], given(MODELS["open"])
    other, values = with_other_values(model)
    module = tilewright.compile(model)
    module.export_library(tmp_path / file, embed=embed)
    program = link_runtime(HOSTS / "params.c", tmp_path / file)
    made = ran(program, tmp_path / "unused", values, arrays)
    assert made.outputs == bits(tilewright.compile(other), arrays)
    assert {name: fields[0] for name, fields in made.params.items()} == {
        spec.name: spec.reason for spec in module.metadata.params
    }
    with pytest.raises(AssertionError, match="no parameter of this name"):
        ran(program, tmp_path / "unused", {"absent": floats(1)}, arrays)


def test_functions_of_the_header_use_the_parameters_of_the_module(tmp_path: Path) -> None:
    tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1).export_library(tmp_path / "m.o")
    (tmp_path / "both.c").write_text(BOTH)
    program = link_runtime(tmp_path / "both.c", tmp_path / "m.o")
    own, replaced, again = output(program).split()
    assert own == again != replaced


BOTH = """
#include <stdio.h>
#include "m.h"
#include "tilewright.h"

static int32_t run_and_print(void)
{
    static float x[4 * 8], y[4 * 8];
    int64_t shape[] = {4, 8};
    struct tw_tensor tensors[] = {m_tensor(0, x, shape), m_tensor(1, y, shape)};
    int32_t status = m_call(tensors);
    puts(status == 0 ? "" : m_last_error);
    printf("%.9g\\n", (double)y[5]);
    return status;
}

int main(void)
{
    int64_t shape[] = {8};
    const char *names[] = {"ffn/bias"};
    struct tw_module *module, *again;
    struct tw_tensor_object *bias = tw_tensor_new(TW_FLOAT32, 1, shape, TW_CPU, 0);
    for (int at = 0; at < 8; at++)
        ((float *)tw_data(bias))[at] = 3;
    int32_t status = run_and_print() || tw_load_linked(m_symbols, &module) ||
        tw_load_linked(m_symbols, &again) || module != again ||
        tw_load_params(module, names, &bias, 1);
    tw_release(bias);
    tw_unload(again);
    status = status || run_and_print();
    tw_unload(module);
    status = status || run_and_print();
    m_release();
    return status;
}
"""


@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize(("source", "make"), [("params.cpp", build_cpp), ("params.rs", build_rust)])
def test_the_faces_read_and_replace_parameters(
    source: str, make, is_linked: bool, tmp_path: Path
) -> None:
    module = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    library, *_ = module.export_library(tmp_path / ("m.o" if is_linked else "m.so"))
    module.save_params(tmp_path / "m.params")
    ones = np.ones((4, 8), np.float32)
    options = linked(library) if is_linked else ()
    if is_linked and make is build_rust:
        options = ("--cfg", "linked", "-C", f"link-arg={library}")
    first, *rest = output(
        make(HOSTS / source, tmp_path, *options), library, tmp_path / "m.params"
    ).splitlines()
    params = {name: array.numpy() for name, array in module.get_params().items()}
    sums = [np.array(module(ones)).sum(dtype=np.float64)]
    module.load_params({name: 2 * array for name, array in params.items()})
    sums.append(np.array(module(ones)).sum(dtype=np.float64))
    np.testing.assert_allclose([float(first), float(rest[0])], sums, rtol=1e-5)
    assert rest[1] == first
    assert "no parameter of this name" in rest[2]


def test_the_sanitizers_find_nothing(tmp_path: Path) -> None:
    program = sanitized("params.c", tmp_path)
    for name in ("resnet", "open"):
        model, arrays = MODELS[name], given(MODELS[name])
        _, values = with_other_values(model)
        library, *_ = tilewright.compile(model).export_library(tmp_path / "m.so")
        ran(program, library, values, arrays)
