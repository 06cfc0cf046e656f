"""``specialize=``: versions for some sizes in the module for all sizes, chosen by the call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import tilewright
from tilewright import ArgumentError, CompiledModule, LoweringError, ModelError
from tilewright.lowering.main.main_program import MainProgram
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.targets.cpu.emit.versions import version_code
from tilewright.testing.models import encoder_model, ffn_model

ENCODER = encoder_model(layers=1, hidden=48, heads=3, ffn=80, batch="b", seq="s")
FOUND = """
<ir_version: 8, opset_import: ["": 17]>
found (float[n, 3] x) => (int64[2, k] places, float[n, 3] y) {
  places = NonZero (x)
  y = Neg (x)
}"""
CACHE = """
<ir_version: 8, opset_import: ["": 17]>
cache (float[b, s, 4] x, float[b, past, 4] old) => (float[b, all, 4] new, float[b, s, 4] y) {
  new = Concat <axis = 1> (old, x)
  y = Tanh (x)
}"""


def compiled(model: onnx.ModelProto, **options: Any) -> CompiledModule:
    options.setdefault("cache", False)
    module = tilewright.compile(model, **options)
    assert not module.reason
    return module


def drawn(b: int, s: int) -> np.ndarray:
    return np.random.default_rng(b * 100 + s).standard_normal((b, s, 48)).astype(np.float32)


@pytest.fixture(scope="module")
def peer() -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(ENCODER.SerializeToString())


@pytest.fixture(scope="module")
def both() -> CompiledModule:
    return compiled(ENCODER, specialize={"b": [1, 2], "s": [24]})


@pytest.fixture(scope="module")
def batches() -> CompiledModule:
    return compiled(ENCODER, specialize={"b": [1, 4]})


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("b", "s"), [(1, 24), (2, 24), (1, 9), (4, 24), (4, 17), (5, 1), (2, 65)])
def test_every_size_is_right(
    both: CompiledModule,
    batches: CompiledModule,
    peer: onnxruntime.InferenceSession,
    b: int,
    s: int,
) -> None:
    x = drawn(b, s)
    expected = np.asarray(peer.run(None, {"hidden_states": x})[0])
    for module in (both, batches):
        (got,) = module.run([x], threads=1)
        np.testing.assert_allclose(got, expected, atol=2e-5)
        (shared,) = module.run([x], threads=2)
        np.testing.assert_array_equal(shared, got)


def test_a_call_runs_the_version_of_its_sizes(both: CompiledModule) -> None:
    """The memory of a call shows the version: each plans its arena alone."""
    static = compiled(ENCODER, shapes={"b": 1, "s": 24})
    general = compiled(ENCODER)
    assert static.memory().arena != general.memory([(1, 24, 48)]).arena
    for shape, alone in (((1, 24, 48), static), ((1, 25, 48), general), ((3, 24, 48), general)):
        assert both.memory([shape]).arena == alone.memory([shape]).arena
        np.testing.assert_array_equal(both(drawn(*shape[:2])), alone(drawn(*shape[:2])))


def test_versions_share_equal_weights(both: CompiledModule, batches: CompiledModule) -> None:
    alone = compiled(ENCODER).manifest.weights_bytes
    assert both.manifest.weights_bytes < 3 * alone
    assert batches.manifest.weights_bytes < 1.5 * alone


def test_a_module_shows_its_versions(tmp_path: Path) -> None:
    labels, layer = ("b = 1", "b = 3"), ffn_model(m="b", k=48, n=80)
    batches = compiled(layer, specialize={"b": [1, 3]})
    names = [kernel.name for kernel in batches.kernels]
    assert len({*names}) == len(names)
    assert all(any(f"({label})" in name for name in names) for label in labels)
    assert all(kernel.ops and kernel.calls for kernel in batches.kernels)
    for level in ("graph", "te", "loop"):
        text = batches.get_source(level)
        assert all(f"// {label}\n" in text for label in labels)
        Parser(new_context(), text).parse_module()
    assert "tw_run.2" in batches.get_source("ll")
    files = batches.dump_schedules(tmp_path)
    assert len({file.name for file in files}) == len(files)
    again = compiled(layer, specialize={"b": [1, 3]}, plan=tmp_path)
    copies = again.dump_schedules(tmp_path / "again")
    assert [file.name for file in copies] == [file.name for file in files]
    assert [file.read_text() for file in copies] == [file.read_text() for file in files]


def test_versions_are_part_of_the_cached_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    model = onnx.parser.parse_model(FOUND)
    first = compiled(model, specialize={"n": [5]}, cache=True)
    second = compiled(model, specialize={"n": [5]}, cache=True)
    plain = compiled(model, cache=True)
    assert "look-up" in second.times
    assert "import" not in second.times
    assert first.code == second.code != plain.code


def test_a_version_may_find_any_number_of_places() -> None:
    module = compiled(onnx.parser.parse_model(FOUND), specialize={"n": [4]})
    for rows in (4, 6, 4):
        x = np.random.default_rng(rows).integers(0, 2, (rows, 3)).astype(np.float32)
        places, y = module.run([x])
        np.testing.assert_array_equal(places, np.array(np.nonzero(x)))
        np.testing.assert_array_equal(y, -x)


def test_a_session_runs_versions() -> None:
    module = compiled(
        onnx.parser.parse_model(CACHE),
        state={"old": "new"},
        capacity={"past": 20},
        specialize={"b": [1], "s": [1]},
    )
    for batch in (1, 2):
        session, rows = module.session(), list[np.ndarray]()
        for count in (5, 1, 1, 3, 1):
            rows.append(np.random.default_rng(len(rows)).random((batch, count, 4), np.float32))
            np.testing.assert_allclose(session(rows[-1]), np.tanh(rows[-1]), rtol=1e-5)
        np.testing.assert_array_equal(session.state("old"), np.concatenate(rows, axis=1))


@pytest.mark.parametrize(
    ("specialize", "more", "error", "words"),
    [
        ({"b": []}, {}, ArgumentError, "one or more positive numbers"),
        ({"b": [0]}, {}, ArgumentError, "one or more positive numbers"),
        ({"b": 4}, {}, ArgumentError, "a list of numbers"),
        ({"b": ["x"]}, {}, ArgumentError, "a list of numbers"),
        ({"b": range(1, 40)}, {}, ArgumentError, "at most 32 combinations"),
        ({"b": [9]}, {"shapes": {"b": range(1, 5)}}, ArgumentError, "shapes= excludes"),
        ({"b": [9]}, {"shapes": {"b": 9}}, ArgumentError, "shapes= binds"),
        ({"b": [9]}, {"shapes": {"hidden_states": (9, 8, 48)}}, ArgumentError, "no dynamic sizes"),
        ({"t": [9]}, {}, ModelError, "no size of one"),
        ({"b": [9]}, {"target": "interpreter"}, ArgumentError, "has one program for all sizes"),
    ],
)
def test_wrong_versions_are_refused(
    specialize: Any, more: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        compiled(ENCODER, specialize=specialize, **more)


def test_a_model_that_needs_numbers_has_no_versions() -> None:
    text = """
        <ir_version: 8, opset_import: ["": 17]>
        ranked (float[n] x, int64[1] k) => (float[m] y, int64[m] i) { y, i = TopK (x, k) }"""
    with pytest.raises(ArgumentError, match="a model with specialize= is compiled once"):
        compiled(onnx.parser.parse_model(text), specialize={"n": [4]})


MAIN = """
func.func @main(%x: {}, %y: {})
    attributes {{sizes = [{}]}} {{ func.return }}"""


def main_of(first: str, second: str, sizes: str) -> FuncOp:
    types = [
        f"memref<{size}xf32>" if size.isdigit() else f"memref<?xf32, #te.dims<{size}>>"
        for size in (first, second)
    ]
    text = MAIN.format(*types, ", ".join(f'"{name}"' for name in sizes))
    return entry_of(Parser(new_context(), text).parse_module())


def test_a_version_that_makes_other_sizes_equal_is_refused() -> None:
    base, made = main_of("n", "m", "nm"), MainProgram("", 0)
    code = version_code(base, main_of("4", "m", "m"), "n = 4", made)
    assert (code.bound, code.symbols) == ({0: 4}, [1])
    code = version_code(base, main_of("4", "4", ""), "n = 4", made)
    assert (code.bound, code.symbols) == ({0: 4, 1: 4}, [])
    with pytest.raises(LoweringError, match="the version for n = 4 needs more"):
        version_code(base, main_of("n", "n", "n"), "n = 4", made)
    with pytest.raises(LoweringError, match="calls functions of the process"):
        version_code(base, main_of("4", "m", "m"), "n = 4", MainProgram("", 0, ("f",)))


RELU = """
<ir_version: 8, opset_import: ["": 17]>
relu (float[n, 3, 4] x) => (float[n, 3, 4] y) {
  y = Relu (x)
}"""


@pytest.mark.parametrize("kind", [tuple, list])
def test_shapes_are_lists_or_tuples(kind: type) -> None:
    model = onnx.parser.parse_model(RELU)
    for shape, number, expected in (
        (["batch", 3, 4], {}, ("batch", 3, 4)),
        (["batch", 3, 4], {"batch": kind([2])}, (2, 3, 4)),
        (["2 * half", 3, 4], {"half": 3}, (6, 3, 4)),
        ([2, 3, 4], {}, (2, 3, 4)),
    ):
        module = compiled(model, shapes={"x": kind(shape), **number})
        assert module.inputs[0].shape == expected
    assert compiled(model, shapes={"n": kind([2])}).inputs[0].shape == (2, 3, 4)


def test_versions_bind_sizes_that_shapes_names() -> None:
    model = onnx.parser.parse_model(RELU)
    module = compiled(model, shapes={"x": ["batch", 3, 4]}, specialize={"batch": [2, 8]})
    assert module.inputs[0].shape == ("batch", 3, 4)
    assert len(module.kernels) == 3
    for size in (1, 2, 8):
        x = np.linspace(-1, 1, size * 12, dtype=np.float32).reshape(size, 3, 4)
        np.testing.assert_array_equal(module(x), np.maximum(x, 0))
    module = compiled(model, shapes={"x": ["batch", 3, 4], "batch": range(1, 5)})
    with pytest.raises(ArgumentError, match=r"batch"):
        module(np.zeros((5, 3, 4), np.float32))
