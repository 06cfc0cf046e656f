"""Spellings of users of other libraries, and their mistakes: imports, arguments, texts, axes."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ModelError, ScheduleError, te

Array = np.ndarray[Any, Any]
IMPORTS = """
import tilewright.contrib.graph_executor
import tilewright.nd, tilewright.relay, tilewright.target, tilewright.testing
from tilewright.contrib import graph_executor
from tilewright.nd import array
from tilewright.relay import load_param_dict, save_param_dict
from tilewright.target import Target
from tilewright.testing import echo
assert tilewright.contrib.graph_executor.GraphModule is tilewright.GraphModule
assert tilewright.nd.array is array and tilewright.target.Target is tilewright.Target
assert echo((1, "two")) == (1, "two")
"""


def test_classic_modules_are_imported_by_either_statement() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()


def data_classes() -> list[Any]:
    """Return the public data classes."""
    found = [getattr(tilewright, name) for name in tilewright.__all__]
    found += [getattr(te, name) for name in te.__all__]
    return [each for each in found if inspect.isclass(each) and dataclasses.is_dataclass(each)]


@pytest.mark.parametrize("kind", data_classes(), ids=lambda kind: kind.__name__)
def test_a_constructor_names_the_argument_that_was_meant(kind: Any) -> None:
    last = list(inspect.signature(kind).parameters)[-1]
    wrong = f"{last}x"
    rule = rf"{kind.__name__} has no argument '{wrong}'\n    hint: did you mean .*{last}"
    with pytest.raises(tilewright.ArgumentError, match=rule):
        kind(**{wrong: 1})


REDUCERS: dict[str, tuple[Callable[..., Any], Callable[..., Array]]] = {
    "sum": (te.sum, np.sum), "prod": (te.prod, np.prod), "max": (te.max, np.max),
    "min": (te.min, np.min), "argmax": (te.argmax, np.argmax), "argmin": (te.argmin, np.argmin),
    "comm": (te.comm_reducer(lambda x, y: x + y, lambda t: te.const(0, t)), np.sum),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCERS)
def test_the_axis_of_a_reducer_may_follow_the_value(name: str) -> None:
    reducer, reference = REDUCERS[name]
    a, k = te.placeholder((3, 5), name="A"), te.reduce_axis((0, 5), name="k")
    b = te.compute((3,), lambda i: reducer(a[i, k] * 2, k), name="B")
    x = np.random.default_rng(0).permutation(15).reshape(3, 5).astype(np.float32)
    got = np.asarray(tilewright.build([a, b])(x))
    np.testing.assert_allclose(got, reference(x * 2, axis=1), rtol=1e-6)


def test_several_axes_and_tuples_of_values_follow_each_other() -> None:
    a, k, m = te.placeholder((3, 5)), te.reduce_axis((0, 3), "k"), te.reduce_axis((0, 5), "m")
    total = te.compute((1,), lambda _: te.sum(a[k, m], [k, m]))
    largest = te.comm_reducer(
        lambda x, y: tuple(te.select(x[1] >= y[1], p, q) for p, q in zip(x, y, strict=True)),
        lambda t, u: (te.const(-1, t), te.min_value(u)),
    )
    pair: Any = te.compute((3,), lambda i: largest((m.astype("int32"), a[i, m]), m))
    x = np.random.default_rng(0).permutation(15).reshape(3, 5).astype(np.float32)
    made: Any = tilewright.build([a, total, *pair])(x)
    results = [np.asarray(each) for each in made]
    for got, expected in zip(results, (x.sum(), x.argmax(1), x.max(1)), strict=True):
        np.testing.assert_array_equal(got, expected)


def scheduled() -> tuple[te.Schedule, te.Tensor, te.Tensor]:
    """Return a schedule of two computes, and the two."""
    a = te.placeholder((4, 6), name="A")
    b = te.compute((4, 6), lambda i, j: a[i, j] * 2, name="B")
    c = te.compute((4, 6), lambda i, j: b[i, j] + 1, name="C")
    return te.create_schedule(c.op), b, c


def test_a_schedule_shows_its_stages_and_loops() -> None:
    s, _, c = scheduled()
    s[c].split(c.op.axis[0], factor=2)
    assert repr(s) == "schedule(stage(B: i, j); stage(C: io, ii, j))"


def test_a_stage_moved_into_itself_is_refused_with_the_loops_of_others() -> None:
    s, b, _ = scheduled()
    with pytest.raises(ScheduleError, match=r"loop of its own\n    expected: .*: i, j of @C\n"):
        s[b].compute_at(s[b], b.op.axis[0])


TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}
"""


def test_a_module_is_read_from_a_path(tmp_path: Path) -> None:
    path, x = tmp_path / "copy.mlir", np.ones(2, np.float32)
    path.write_text(TEXT)
    for given in (path, str(path), TEXT):
        assert np.array_equal(np.asarray(tilewright.compile_module(given)(x)), x)


def test_a_text_that_is_no_module_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text(TEXT.replace("func.return", "func.back"))
    with pytest.raises(ModelError, match=r"bad\.mlir:2:\d+: .*func\.back") as caught:
        tilewright.compile_module(path)
    assert "^" in caught.value.__notes__[0]
    with pytest.raises(ModelError, match=r"<text>:1:\d+: "):
        tilewright.compile_module("nonsense {\n}\n")
    path.write_bytes(b"\xff\xfe")
    for wrong, got in ((path, "no UTF-8 text"), (tmp_path, "directory"), ("/nope.mlir", "No such")):
        with pytest.raises(ModelError, match=rf"cannot be read(?s:.*)got: .*{got}"):
            tilewright.compile_module(wrong)
    number: Any = 3
    with pytest.raises(tilewright.ArgumentError, match="got: int"):
        tilewright.compile_module(number)


def test_values_of_a_wrong_kind_are_named() -> None:
    nothing: Any = None
    with pytest.raises(tilewright.ArgumentError, match="the name of a global function is a text"):
        tilewright.get_global_func(nothing)
    number: Any = 3
    with pytest.raises(TypeError, match=r"GraphModule takes a module(?s:.*)got: int 3"):
        tilewright.GraphModule(number)


def test_sequences_that_do_not_end_are_refused() -> None:
    echo = tilewright.get_global_func("testing.echo")
    endless: list[Any] = [1]
    endless.append((2, endless))
    with pytest.raises(tilewright.ArgumentError, match=r"argument 0\[1\]\[1\] is a list that cont"):
        echo(endless)
    nested: list[Any] = []
    for _ in range(63):
        nested = [nested]
    assert echo(nested) == nested
    with pytest.raises(tilewright.ArgumentError, match="argument 0 is nested too deeply"):
        echo([[nested]])
    twice = [1]
    assert echo([twice, twice]) == [twice, twice]


def test_a_missing_function_of_an_extern_has_near_names() -> None:
    tilewright.register_func("spelling.near_name", lambda *_: None)
    a = te.placeholder((4,), name="A")
    b = te.extern((4,), [a], lambda i, o: te.call_packed("spelling.nearname", i[0], o[0]))
    try:
        with pytest.raises(tilewright.LoadError, match=r"did you mean spelling\.near_name\?"):
            tilewright.build([a, b])
    finally:
        tilewright.remove_global_func("spelling.near_name")
