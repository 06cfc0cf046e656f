"""Programs of jax: the texts that it writes compute what it computes, and other texts are refused.

The texts and values are made by stablehlo/make_texts.py; where jax is installed, the last tests
export and run the functions again.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tilewright import ModelError, UnsupportedOp
from tilewright.frontend.onnx.importer import import_for_all_sizes, import_model
from tilewright.frontend.onnx.installed import InstalledConverters
from tilewright.frontend.stablehlo.importer import converters
from tilewright.frontend.stablehlo.model import load_text
from tilewright.frontend.stablehlo.reader import read_program
from tilewright.frontend.stablehlo.table import IMPORTED, OPS
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.entry import entry_of

FOLDER = Path(__file__).parent
TOLERANCE = {"float64": 1e-5, "float32": 1e-5, "float16": 4e-3, "bfloat16": 2e-2}
"""Largest error over 1 + |value|, by element type."""


@cache
def texts(family: str) -> Mapping[str, str]:
    """Return the texts of a file by name."""
    parts = (FOLDER / f"{family}.mlir").read_text(encoding="utf-8").split("// -----\n")
    if family == "written":
        return {f"written{n}": text for n, text in enumerate(parts)}
    return {part.partition("\n")[0].removeprefix("// "): part for part in parts}


@cache
def saved() -> Mapping[str, np.ndarray]:
    """Return all saved arrays."""
    with np.load(FOLDER / "values.npz") as archive:
        return dict(archive)


def arrays(name: str, kind: str) -> Iterator[np.ndarray]:
    """Yield the inputs or outputs of a case."""
    prefix = f"{name}.{kind}"
    return (x for key, x in sorted(saved().items()) if key.startswith(prefix))


def inputs_of(name: str, text: str) -> list[np.ndarray]:
    """Return the inputs of a case in the types of its signature."""
    declared = load_text(text).inputs
    return [_as(x, value.dtype) for x, value in zip(arrays(name, "in"), declared, strict=True)]


def _as(x: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    return x.view(ml_dtypes.bfloat16) if dtype == ml_dtypes.bfloat16 and x.dtype != dtype else x


def check(got: list[np.ndarray], wanted: list[np.ndarray]) -> float:
    """Check outputs: integers are equal, floats are near; return the largest error of f32."""
    worst = 0.0
    for n, (x, saved_value) in enumerate(zip(got, wanted, strict=True)):
        y = _as(saved_value, x.dtype)
        assert (x.shape, x.dtype) == (y.shape, y.dtype), f"output {n}"
        if y.dtype.name not in TOLERANCE:
            np.testing.assert_array_equal(x, y, err_msg=f"output {n}")
            continue
        a, b = x.astype(np.float64), y.astype(np.float64)
        is_finite = np.isfinite(b)
        np.testing.assert_array_equal(a[~is_finite], b[~is_finite], err_msg=f"output {n}")
        gap = np.abs(a[is_finite] - b[is_finite]) / (1 + np.abs(b[is_finite]))
        assert np.max(gap, initial=0) <= TOLERANCE[y.dtype.name], f"output {n}: {np.max(gap)}"
        worst = max(worst, float(np.max(gap, initial=0)))
    return worst


def outputs(found: object) -> list[np.ndarray]:
    """Return the outputs of a run as arrays."""
    values = found.values() if isinstance(found, Mapping) else found
    return [np.asarray(x) for x in values]  # pyright: ignore


def interpreted(text: str, given: list[np.ndarray]) -> list[np.ndarray]:
    """Import a text and run its graph ops in numpy."""
    return list(run_graph(entry_of(import_model(load_text(text))), *given))


OPERATORS = [
    (family, name)
    for family in ("elementwise", "tensors", "complex", "data", "written")
    for name in texts(family)
]


@pytest.mark.parametrize(("family", "name"), OPERATORS, ids=[name for _, name in OPERATORS])
def test_ops_compute_what_jax_computes(family: str, name: str) -> None:
    text = texts(family)[name]
    check(interpreted(text, inputs_of(name, text)), list(arrays(name, "out")))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", texts("models"))
def test_compiled_models_compute_what_jax_computes(name: str) -> None:
    text = texts("models")[name]
    module = tilewright.compile(text, cache=False)
    given = dict(zip((s.name for s in module.inputs), inputs_of(name, text), strict=True))
    check(outputs(module.run(given)), list(arrays(name, "out")))


@pytest.mark.parametrize("name", texts("dynamic"))
def test_dynamic_sizes_are_named_sizes(name: str) -> None:
    text = texts("dynamic")[name]
    model, given = load_text(text), inputs_of(name, text)
    named = {size for value in model.inputs for size in value.shape or () if isinstance(size, str)}
    assert named
    import_for_all_sizes(model, {}, {}, installed=InstalledConverters())  # for all sizes
    shapes = {v.name: x.shape for v, x in zip(model.inputs, given, strict=True)}
    program = entry_of(import_model(model, shapes=shapes))
    check(list(run_graph(program, *given)), list(arrays(name, "out")))


def test_one_program_serves_every_batch() -> None:
    module = tilewright.compile(texts("dynamic")["batch"], cache=False)
    assert [(x.name, x.shape) for x in module.inputs] == [("x", ("b", 16))]
    (x,), (wanted,) = arrays("batch", "in"), arrays("batch", "out")
    for rows in (1, 2, 3):
        (got,) = outputs(module.run({"x": x[:rows]}))
        np.testing.assert_allclose(got, wanted[:rows], atol=1e-5)


def test_dynamic_convolution_is_a_convolution() -> None:
    window = "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
    types = "tensor<1x5x2xf32>, tensor<3x2x4xf32>"
    text = f"""
    func.func @main(%x: tensor<1x5x2xf32>, %w: tensor<3x2x4xf32>)
        -> (tensor<1x6x4xf32>, tensor<1x6x4xf32>) {{
      %p = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
      %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{{{window}}}>
        : ({types}, tensor<1x2xi64>) -> tensor<1x6x4xf32>
      %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {{pad = [[1, 2]]}} : ({types}) -> tensor<1x6x4xf32>
      return %0, %1 : tensor<1x6x4xf32>, tensor<1x6x4xf32>
    }}"""
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(s).astype(np.float32) for s in ((1, 5, 2), (3, 2, 4))]
    first, second = interpreted(text, given)
    np.testing.assert_array_equal(first, second)
    padded = np.pad(given[0][0], ((1, 2), (0, 0)))
    wanted = np.stack([np.einsum("ki,kio->o", padded[n : n + 3], given[1]) for n in range(6)])
    np.testing.assert_allclose(first[0], wanted, atol=1e-5)


def test_counted_loops_become_scans_that_read_and_stack() -> None:
    text = str(import_model(load_text(texts("models")["gru"])))
    assert text.count("graph.scan") == 2
    assert "graph.update_slice" not in text
    assert "graph.gather" not in text


def test_inputs_have_the_names_of_the_parameters() -> None:
    model = load_text(texts("models")["masked_attention"])
    assert [value.name for value in model.inputs] == ["x", "lengths"]


TWICE = """
func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_a_file_a_text_and_bytes_are_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "twice.mlir"
    path.write_text(TWICE)
    x = np.array([1.5, -2], np.float32)
    for model in (path, str(path), TWICE, TWICE.encode()):
        (got,) = outputs(tilewright.compile(model, target="interpreter", cache=False).run([x]))
        np.testing.assert_array_equal(got, 2 * x)


BIG = 'dense<"0x0000803F00000040"> : tensor<2xf32>'
CONSTANTS = {
    "dense<1.5> : tensor<2xf32>": [1.5, 1.5],
    "dense<[1.0, -2.5e-1]> : tensor<2xf32>": [1, -0.25],
    "dense<[0xFF800000, 0x7F800000]> : tensor<2xf32>": [-np.inf, np.inf],
    BIG: [1, 2],
    'dense<"0x0000803F"> : tensor<2xf32>': [1, 1],
    "dense<[0x3F80, 0xC000]> : tensor<2xbf16>": [1, -2],
    "dense<[true, false]> : tensor<2xi1>": [1, 0],
    'dense<"0x02"> : tensor<2xi1>': [0, 1],
    "dense<[255, 1]> : tensor<2xui8>": [255, 1],
    "dense<[-1, 1]> : tensor<2xi8>": [-1, 1],
    "dense<[]> : tensor<0x3xf32>": [],
    "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>": [[1, 2], [3, 4]],
}


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants(text: str) -> None:
    type_ = text.partition(" : ")[2]
    module = f"""func.func @main() -> {type_} {{
      %0 = stablehlo.constant {text}
      return %0 : {type_}
    }}"""
    (got,) = interpreted(module, [])
    np.testing.assert_array_equal(got.astype(np.float64).reshape(-1), np.ravel(CONSTANTS[text]))
    assert got.dtype == load_text(module).declared["result0"].dtype


def test_constants_in_resources() -> None:
    text = """func.func @main() -> tensor<2xf32> {
      %0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } } #-}"""
    np.testing.assert_array_equal(interpreted(text, [])[0], [1, 2])


MALFORMED = {
    "undefined": ("stablehlo.add %arg0, %arg0", "stablehlo.add %arg0, %z", "%z is used but not", 3),
    "type": ("%arg0 : tensor<2xf32>", "%arg0 : tensor<3xf32>", "has the type tensor<2xf32>", 3),
    "twice": ("return %0", "%0 = stablehlo.abs %arg0 : tensor<2xf32>\n return %0", "twice", 4),
    "character": ("stablehlo.add", "stablehlo.add ?", "unexpected '?'", 3),
    "foreign": ("stablehlo.add", "graph.add", "graph.add is no op of StableHLO", 3),
    "string": ("stablehlo.add", '"stablehlo.add', "a string without an end", 3),
    "unclosed": ("return %0 : tensor<2xf32>\n}", "return %0 : tensor<2xf32>\n", "got the end", 6),
    "return": ("return %0 : tensor<2xf32>", "", "does not end with a return", 2),
    "results": ("%0 = stablehlo.add", "%0, %1 = stablehlo.add", "has 1 results, and 2 names", 3),
    "element": ("tensor<2xf32>)", "tensor<2x>)", "expected an element type", 2),
    "after": ("return %0 : tensor<2xf32>", "return %0 : tensor<2xf32>\n  return", "follows the", 5),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_texts_have_a_line(name: str) -> None:
    old, new, message, line = MALFORMED[name]
    with pytest.raises(ModelError, match=re.escape(message)) as caught:
        load_text(TWICE.replace(old, new, 1), "model.mlir")
    assert re.match(rf"model\.mlir:{line}:\d+: ", str(caught.value)), caught.value
    assert "^^^" in caught.value.__notes__[0]


@pytest.mark.parametrize("family", ["models", "data"])
def test_cut_texts_are_refused(family: str) -> None:
    text = max(texts(family).values(), key=len)
    for part in range(1, 12):
        with pytest.raises(ModelError):
            load_text(text[: text.index("loc = loc(unknown)") * part // 12], "model.mlir")


@pytest.mark.parametrize(
    "text",
    [
        "func.func @main() -> tensor<f32> {" + "\n  %0 = {" * 3000,
        "module attributes {a = " + "[" * 5000 + "} {}",
        "func.func @main(%a: " + "tuple<" * 5000,
        "module {" + '%0 = "stablehlo.if"(%p) ({' * 3000,
        "func.func @main(%p: tensor<i1>) -> tensor<i1> {\n" + '%0 = "stablehlo.if"(%p) ({' * 3000,
    ],
)
def test_deep_texts_are_refused(text: str) -> None:
    with pytest.raises(ModelError):
        load_text(text)


def test_changed_texts_are_refused_or_imported() -> None:
    rng = random.Random(0)
    names = ("slice", "branches", "reduce", "select", "written0", "written3", "bools", "loops")
    for n in range(160):
        family = "written" if "written" in names[n % 8] else _family(names[n % 8])
        text = _without_locations(texts(family)[names[n % 8]])
        tokens = list(re.finditer(r'%[\w#]+|"[^"]*"|[\w.]+|\S', text))
        place, other = rng.choice(tokens), rng.choice(tokens).group()
        new = rng.choice(["", other, f"{place.group()} {other}", str(rng.choice([0, 7, 2**40]))])
        with contextlib.suppress(TilewrightError):
            import_model(load_text(text[: place.start()] + new + text[place.end() :]))


def _family(name: str) -> str:
    return next(each for each in ("elementwise", "tensors", "data") if name in texts(each))


def _without_locations(text: str) -> str:
    """Return a text without locations, so that changes hit the ops."""
    lines = (line for line in text.splitlines() if not line.startswith("#loc"))
    return "\n".join(re.sub(r" loc\(.*\)$", "", line) for line in lines)


def test_functions_that_call_themselves_are_refused() -> None:
    text = """
    func.func public @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @f(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    with pytest.raises(ModelError, match="nested more than"):
        import_model(load_text(text))


def test_calls_of_missing_functions_are_refused() -> None:
    text = TWICE.replace("stablehlo.add %arg0, %arg0 :", "call @g(%arg0) : (tensor<2xf32>) ->")
    with pytest.raises(ModelError, match="@g is called but not defined"):
        load_text(text)


def test_refused_ops_are_named_with_line_and_reason() -> None:
    text = """func.func public @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
      %1 = stablehlo.custom_call @lapack_sgetrf(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.cholesky %1, lower = true : tensor<2x2xf32>
      return %2 : tensor<2x2xf32>
    }"""
    with pytest.raises(UnsupportedOp) as caught:
        import_model(load_text(text, "solve.mlir"))
    message = str(caught.value)
    assert "solve.mlir: 3 ops are not supported" in message
    assert "line 2 and 1 more: stablehlo.cholesky: matrix decompositions" in message
    assert "line 3: stablehlo.custom_call: the library function @lapack_sgetrf" in message
    assert "the page StableHLO lists all ops" in message


PAIR = "tensor<2xcomplex<f32>>"
COMPLEX = {
    "input": (f"%x: {PAIR}", "tensor<2xf32>", [f"real %x : ({PAIR}) -> tensor<2xf32>"]),
    "output": ("%x: tensor<2xf32>", PAIR, [f"complex %x, %x : {PAIR}"]),
    "op": (
        "%x: tensor<2xf32>",
        "tensor<2xi1>",
        [f"complex %x, %x : {PAIR}", f"is_finite %0 : ({PAIR}) -> tensor<2xi1>"],
    ),
    "constant": ("", "tensor<2xf32>", ["constant dense<(1.0, 2.0)> : tensor<2xf32>"]),
    "numbers": ("", PAIR, [f"constant dense<[1.0, 2.0]> : {PAIR}"]),
    "triple": ("", PAIR, [f"constant dense<[(1.0, 2.0, 3.0)]> : {PAIR}"]),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_other_complex_values_are_refused(name: str) -> None:
    arguments, result, ops = COMPLEX[name]
    lines = [f"%{n} = stablehlo.{op}" for n, op in enumerate(ops)]
    last = f"return %{len(ops) - 1} : {result}"
    text = f"func.func @main({arguments}) -> {result} {{\n" + "\n".join([*lines, last]) + "\n}"
    with pytest.raises((ModelError, UnsupportedOp), match=r"complex|pair"):
        import_model(load_text(text))


def test_a_wrong_result_type_is_refused() -> None:
    text = """func.func public @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}>
        : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }"""
    with pytest.raises(ModelError, match=r"stablehlo.transpose at line 2: the result has another"):
        import_model(load_text(text))


def test_the_table_and_the_converters_agree() -> None:
    imported = {name for name, reason in OPS.items() if reason == IMPORTED}
    of_dialect = {name for name in converters() if name.startswith("stablehlo.")}
    only_names = {"stablehlo.complex", "stablehlo.real", "stablehlo.imag"}
    assert imported - of_dialect == {"stablehlo.return", *only_names}
    assert of_dialect <= imported


def test_every_imported_op_is_in_a_text() -> None:
    written = {
        op.name
        for family in ("elementwise", "tensors", "complex", "data", "written", "models", "dynamic")
        for program in map(read_program, texts(family).values())
        for function in program.functions.values()
        for op in program.walk(function)
    }
    imported = {name for name, reason in OPS.items() if reason == IMPORTED}
    assert imported - written == {
        "stablehlo.dynamic_conv",
        "stablehlo.replica_id",
    }


def test_the_page_shows_the_table() -> None:
    page = (Path(__file__).parents[3] / "docs" / "stablehlo.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(stablehlo\.[\w-]+)` \| (.*) \|$", page, re.M))
    assert rows == {name: reason or "imported" for name, reason in OPS.items()}


@pytest.mark.parametrize(
    ("head", "hint"),
    [(b"ML\xefR\x07StableHLO", "mlir_module"), (b"\x20\x00ML\xefR StableHLO", "deserialize")],
)
def test_bytecode_gets_the_way_to_text(tmp_path: Path, head: bytes, hint: str) -> None:
    path = tmp_path / "model.mlirbc"
    path.write_bytes(head)
    with pytest.raises(ModelError) as caught:
        tilewright.compile(path)
    assert hint in str(caught.value)


def _live() -> object:
    reason = "jax is not installed: the texts in stablehlo/ stand for it"
    return pytest.importorskip("jax", reason=reason)


@pytest.mark.nightly
def test_the_table_has_the_ops_of_the_dialect() -> None:
    _live()
    dialect = pytest.importorskip("jaxlib.mlir.dialects._stablehlo_ops_gen")
    names = {getattr(each, "OPERATION_NAME", "") for each in vars(dialect).values()}
    assert set(OPS) == {name for name in names if name.startswith("stablehlo.")}


@pytest.mark.nightly
def test_functions_export_and_compute_what_jax_computes() -> None:
    _live()
    from . import models, programs

    sources = (
        programs.elementwise,
        programs.bools_and_conversions,
        programs.moves,
        programs.products,
        programs.convolutions,
        programs.reductions,
        programs.complex_numbers,
        programs.indexing,
        programs.control,
        models.models,
    )
    for case in (case for source in sources for case in source()):
        check(interpreted(case.text(), list(case.inputs)), case.values())


@pytest.mark.nightly
def test_programs_of_jax_are_compiled() -> None:
    _live()
    import jax

    from . import models

    case = next(models.models())
    given = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in case.inputs]
    lowered = jax.jit(case.function).lower(*given)
    for program in (lowered, jax.export.export(jax.jit(case.function))(*given)):
        module = tilewright.compile(program, cache=False)
        check(outputs(module.run(list(case.inputs))), case.values())
    with pytest.raises(ModelError, match=r"jax\.export\.export"):
        tilewright.compile(jax.jit(case.function))
