"""Parameters in machine code, runtime/native/repack.c, and in the C runtime, params.c."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.codegen.objects import pool_object
from tilewright.dialects.dtypes import ATTRIBUTES_BY_NAME
from tilewright.dialects.params import Param
from tilewright.dialects.recipes import STEPS, Recipe, replayed
from tilewright.driver.params import param_fields
from tilewright.machines.target import Target
from tilewright.runtime import load_module, save_param_dict
from tilewright.runtime.abi.constants import DTYPES
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.abi.ndarray import numpy_dtype
from tilewright.runtime.abi.param_code import ParamCode
from tilewright.runtime.abi.threads import process_pool
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.module.params import ParamMaps
from tilewright.testing.models import ffn_model

from ...onnx_models import onnx_model
from ..module.test_params import MODELS, Arrays, bits, floats, given, with_other_values
from .hosts import (
    HOSTS,
    build,
    build_cpp,
    build_rust,
    link_runtime,
    linked,
    output,
    read_tensors,
    sanitized,
    tool,
    write_tensors,
)

CODE = ParamCode(process_pool(lambda: pool_object(Target.native().triple, None)).library)
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


def replayed_natively(
    recipe: Recipe, new: Arrays, old: Arrays
) -> tuple[bytes, dict[str, np.ndarray]]:
    """Return the constant of new values, and the parameters that it contains."""
    params = [Param(name, old[name]) for name in recipe.params]
    for each in params:
        each.reason = ""
    weights = np.frombuffer(bytes(64) + replayed(recipe, old).tobytes(), np.uint8)
    maps = ParamMaps.of_fields(param_fields(params, [(64, recipe)], weights.nbytes))
    made = maps.repacked(CODE, weights, new, "recipes")
    return made[64:].tobytes(), maps.stored(CODE, made, "recipes")


def test_every_step_has_a_recipe_here() -> None:
    assert {*STEPS} == {name.split()[0] for name in RECIPES} | {"convert"}


@pytest.mark.parametrize("name", RECIPES)
def test_a_step_has_the_bits_of_its_definition(name: str) -> None:
    recipe = RECIPES[name]
    values = {key: VALUES[key] for key in recipe.params}
    old = {key: np.zeros_like(array) for key, array in values.items()}
    made, stored = replayed_natively(recipe, values, old)
    assert made == replayed(recipe, values).tobytes()
    assert all(array.tobytes() == values[key].tobytes() for key, array in stored.items())


def test_parameters_are_held_by_steps_that_keep_their_values() -> None:
    kept = {"reshape", "transpose", "broadcast", "pad", "store in blocks", "store with gaps", "neg"}
    for name, recipe in RECIPES.items():
        values = {key: VALUES[key] for key in recipe.params}
        _, found = replayed_natively(recipe, values, values)
        assert {*found} == ({*values} if name in kept | {"bits", "concat"} else set()), name


def test_values_are_joined_from_constants_with_parts_of_them() -> None:
    parts = [step("slice", W, to=[(first, 0), (first + 2, 7)]) for first in (0, 2, 4)]
    turned = [step("transpose", step("broadcast", each, to=[(2, 2, 7)]), to=[(2, 0, 1)])
              for each in parts]  # fmt: skip
    w = Param("w", VALUES["w"])
    values = [replayed(each, {"w": VALUES["w"]}) for each in turned]
    weights = np.frombuffer(b"".join(v.tobytes() for v in values), np.uint8)
    constants = [(n * values[0].nbytes, each) for n, each in enumerate(turned)]
    for count in (3, 2):
        maps = ParamMaps.of_fields(param_fields([w], constants[:count], weights.nbytes))
        found = maps.stored(CODE, weights, "parts")
        assert {*found} == ({"w"} if count == 3 else set())
        assert count == 2 or found["w"].tobytes() == VALUES["w"].tobytes()


NARROW = [
    name
    for name, (code, bits) in DTYPES.items()
    if code in (2, 4, *range(7, 18)) and bits < 32 and name in ATTRIBUTES_BY_NAME
]


@pytest.mark.parametrize("target", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("source", [*NARROW, "float32", "float64"])
def test_conversions_have_the_bits_of_numpy(source: str, target: str) -> None:
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
    made, stored = replayed_natively(recipe, {"w": values}, {"w": np.zeros_like(values)})
    assert made == replayed(recipe, {"w": values}).tobytes()
    is_kept = target in ("float32", "float64") and dtype.itemsize <= int(target[5:]) // 8
    is_kept = is_kept or source == target
    assert {*stored} == ({"w"} if is_kept else set())
    assert not is_kept or stored["w"].tobytes() == values.tobytes()


def test_square_roots_are_rounded_to_nearest() -> None:
    spread = np.abs(RNG.standard_normal(4096)) * 10.0 ** RNG.integers(-308, 308, 4096)
    special = np.array([0.0, -0.0, np.inf, 5e-324, 1e-310, 4.0, 2.0, np.finfo(np.float64).max])
    values = {"w": np.concatenate([spread, special])}
    made, _ = replayed_natively(step("sqrt", W), values, values)
    assert made == np.sqrt(values["w"]).tobytes()


def test_overflow_of_a_folded_constant_is_refused() -> None:
    recipe = step("finite", step("add", WIDE["w"], WIDE["v"]), to=["float32"])
    values = {"w": VALUES["w"], "v": VALUES["v"]}
    with pytest.raises(ArgumentError, match="a constant that is computed from it is not finite"):
        replayed_natively(recipe, {"w": values["w"], "v": np.full(7, np.inf, np.float32)}, values)


def test_values_of_another_byte_order_are_converted() -> None:
    new, old = {"w": VALUES["w"].astype(">f4")}, {"w": np.zeros_like(VALUES["w"])}
    made, stored = replayed_natively(W, new, old)
    assert made == stored["w"].tobytes() == VALUES["w"].tobytes()


def test_many_names_are_counted_in_errors() -> None:
    first, *names = [f"a_long_name_of_a_parameter_{n:03}" for n in range(40)]
    values = dict.fromkeys([first, *names], VALUES["w"])
    recipe = param(first)
    for name in names:
        recipe = step("add", recipe, param(name))
    params = [Param(name, value) for name, value in values.items()]
    for each in params:
        each.reason = ""
    maps = ParamMaps.of_fields(param_fields(params, [(0, recipe)], VALUES["w"].nbytes))
    weights = np.zeros(VALUES["w"].nbytes, np.uint8)
    with pytest.raises(ArgumentError) as caught:
        maps.repacked(CODE, weights, {first: VALUES["w"]}, "sums")
    _, expected, got, hint = str(caught.value).splitlines()
    assert expected.endswith("a_long_name_of_a_parameter_005, and 34 more")
    assert got == f"    got: {first}"
    assert hint.endswith("a_long_name_of_a_parameter_006, and 33 more too")


@pytest.mark.parametrize("name", ["w\0z", 3, "\ud800"])
def test_names_that_c_does_not_take_are_refused(name: object) -> None:
    values = {name: VALUES["w"]}
    with pytest.raises(ArgumentError, match="expected: a str of characters other than NUL"):
        replayed_natively(W, values, {"w": VALUES["w"]})  # pyright: ignore[reportArgumentType]


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
    library, *_ = module.export_library(tmp_path / "m.so", embed=name == "dynamic")
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
    held = loaded.params.stored(CODE, np.asarray(loaded.weights), "m")
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
        "has no parameter": {weight.name + "x": arrays[0]},
        "cannot be replaced": {integer.name: np.full(integer.shape, 3, np.int64)},
        "has another shape or dtype\n    expected: float32[": {weight.name: floats(1)},
    }
    for message, values in wrong.items():
        with pytest.raises(AssertionError, match=message.replace("[", r"\[")):
            ran(program, library, values, arrays)


def test_files_of_another_layout_are_refused(program: Path, tmp_path: Path) -> None:
    library, *_ = tilewright.compile(MODELS["dynamic"]).export_library(tmp_path / "m.so")
    good = save_param_dict({"w": floats(3)})
    for data in (b"1234", b"\xff" * 64, good[:-1], good.replace(b"[0, 12]", b"[0, 16]")):
        (tmp_path / "bad").write_bytes(data)
        with pytest.raises(AssertionError, match="is not in the layout of safetensors"):
            ran(program, library, tmp_path / "bad", [floats(5, 64)])


def test_damaged_tables_are_refused(program: Path, tmp_path: Path) -> None:
    """The code that reads a table trusts its offsets, so the build ID must cover the table."""
    library, *_ = tilewright.compile(MODELS["dynamic"]).export_library(tmp_path / "m.so")
    data = library.read_bytes()
    begin = data.index(b'"table": "') + len(b'"table": "')
    for position in np.linspace(begin, data.index(b'"', begin) - 4, 6, dtype=int):
        changed = b"A" if data[position : position + 1] != b"A" else b"B"
        library.write_bytes(data[:position] + changed + data[position + 1 :])
        with pytest.raises(LoadError, match="differ from its build ID"):
            load_module(library)
        with pytest.raises(AssertionError, match="differ from the build ID"):
            ran(program, library, {"w": floats(3)}, [floats(5, 64)])


@pytest.mark.parametrize("file", ["m.so", "m.o"])
def test_all_programs_get_the_values(file: str, program: Path, tmp_path: Path) -> None:
    def model(w: np.ndarray) -> onnx.ModelProto:
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["p"]),
            helper.make_node("Reshape", ["p", "t"], ["y"]),
        ]
        inputs = {"x": ["n", 8], "t": (TensorProto.INT64, [2])}
        return onnx_model(nodes, inputs, weights={"w": w}, opset=21)

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
    model, arrays = MODELS["dynamic"], given(MODELS["dynamic"])
    other, values = with_other_values(model)
    module = tilewright.compile(model)
    module.export_library(tmp_path / file, embed=embed)
    program = link_runtime(HOSTS / "params.c", tmp_path / file)
    made = ran(program, tmp_path / "unused", values, arrays)
    assert made.outputs == bits(tilewright.compile(other), arrays)
    assert {name: fields[0] for name, fields in made.params.items()} == {
        spec.name: spec.reason for spec in module.metadata.params
    }
    with pytest.raises(AssertionError, match="has no parameter"):
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
    assert "has no parameter" in rest[2]


def test_the_sanitizers_find_nothing(tmp_path: Path) -> None:
    program = sanitized("params.c", tmp_path)
    for name in ("resnet", "dynamic"):
        model, arrays = MODELS[name], given(MODELS[name])
        _, values = with_other_values(model)
        library, *_ = tilewright.compile(model).export_library(tmp_path / "m.so")
        ran(program, library, values, arrays)
