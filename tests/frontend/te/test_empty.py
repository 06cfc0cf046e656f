"""Axes of no element: te programs with the size 0, as a number and as a te.var, against numpy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import TypeMismatch

SIZES = (0, 1, 7, 16, 33)

Array = np.ndarray[Any, Any]


def _numbers(tensor: te.Tensor, size: int) -> Array:
    shape = [d if isinstance(d, int) else d.dim.evaluate({"n_from_0": size}) for d in tensor.shape]
    count = int(np.prod(shape))
    return (np.arange(count) * 7 % 5 + 1).astype(tensor.dtype).reshape(shape)


def _agrees(mod: Any, args: list[te.Tensor], expected: Callable[..., Any], size: int) -> None:
    given = [_numbers(t, size) for t in args if t.op.ir is None]
    made = [np.full_like(_numbers(t, size), 77) for t in args if t.op.ir is not None]
    mod(*given, *made)
    wanted = expected(*given)
    for got, want in zip(made, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_array_equal(got, np.asarray(want).astype(got.dtype))


def _agrees_for_all_sizes(make: Callable[[Any], tuple[Any, ...]], target: str = "llvm") -> None:
    """Compare with numpy for each size, as a number and as the value of a te.var."""
    source, args, expected = make(te.var("n"))
    mod = tilewright.build(source, args, target=target, strict_plan=True)
    for size in SIZES:
        _agrees(mod, args, expected, size)
    for size in (0, 7):
        source, args, expected = make(size)
        mod = tilewright.build(source, args, target=target, strict_plan=True)
        _agrees(mod, args, expected, size)


def _doubled(n: Any, plan: Callable[[Any, Any], None] | None = None) -> tuple[Any, ...]:
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] * 2, name="B")
    s = te.create_schedule(B.op)
    if plan is not None:
        plan(s, B)
    return s, [A, B], lambda a: a * 2


def _rows(
    n: Any, reducer: Any, expected: Callable[[Array], Any], plan: Any = None, dtype: str = "int32"
) -> tuple[Any, ...]:
    A = te.placeholder((5, n), dtype, name="A")
    k = te.reduce_axis((0, n), name="k")
    B = te.compute((5,), lambda i: reducer(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    if plan is not None:
        plan(s, B)
    return s, [A, B], expected


def _product(n: Any, m: Any, d: Any, plan: Any = None) -> tuple[Any, ...]:
    A, B = te.placeholder((n, d), name="A"), te.placeholder((d, m), name="B")
    k = te.reduce_axis((0, d), name="k")
    C = te.compute((n, m), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = te.create_schedule(C.op)
    if plan is not None:
        plan(s, C)
    return s, [A, B, C], lambda a, b: a @ b


def _vectorized(s: Any, B: Any) -> None:
    outer, inner = s[B].split(B.op.axis[0], 16)
    s[B].vectorize(inner)
    s[B].parallel(outer)


def _unrolled(s: Any, B: Any) -> None:
    _, inner = s[B].split(B.op.axis[0], 16)
    s[B].unroll(inner)


def _written_by_tiles(s: Any, B: Any) -> None:
    local = s.cache_write(B, "local")
    outer, _ = s[B].split(B.op.axis[0], 16)
    s[local].compute_at(s[B], outer)


def _read_by_tiles(s: Any, B: Any) -> None:
    outer, _ = s[B].split(B.op.axis[0], 16)
    copy = s.cache_read(s[B].op.inputs[0], "local", [B])
    s[copy].compute_at(s[B], outer)


def _factored(s: Any, B: Any) -> None:
    _, inner = s[B].split(B.op.reduce_axis[0], 16)
    s.rfactor(B, inner)


def _tiled(s: Any, C: Any) -> None:
    i, j = C.op.axis
    io, _, _, ji = s[C].tile(i, j, 8, 16)
    s[C].vectorize(ji)
    s[C].parallel(io)


PROGRAMS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "plain": _doubled,
    "vectorized": lambda n: _doubled(n, _vectorized),
    "unrolled": lambda n: _doubled(n, _unrolled),
    "cache_write": lambda n: _doubled(n, lambda s, B: s.cache_write(B, "local")),
    "cache_write in tiles": lambda n: _doubled(n, _written_by_tiles),
    "cache_read in tiles": lambda n: _doubled(n, _read_by_tiles),
    "sum": lambda n: _rows(n, te.sum, lambda a: a.sum(1)),
    "prod": lambda n: _rows(n, te.prod, lambda a: a.prod(1, dtype=np.int32)),
    "max": lambda n: _rows(n, te.max, lambda a: a.max(1, initial=-(2**31))),
    "min of floats": lambda n: _rows(
        n, te.min, lambda a: a.min(1, initial=np.inf), dtype="float32"
    ),
    "any": lambda n: _rows(n, lambda x, axis: te.any(x > 4, axis=axis), lambda a: (a > 4).any(1)),
    "all": lambda n: _rows(n, lambda x, axis: te.all(x > 0, axis=axis), lambda a: (a > 0).all(1)),
    "rfactor": lambda n: _rows(n, te.sum, lambda a: a.sum(1), _factored),
    "product of empty matrices": lambda n: _product(n, n, n),
    "product without a sum": lambda n: _product(8, 8, n),
    "tiles of no row": lambda n: _product(n, 8, 8, _tiled),
    "tiles of no column": lambda n: _product(8, n, 8, _tiled),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_sizes_may_be_0(name: str) -> None:
    _agrees_for_all_sizes(PROGRAMS[name])


@pytest.mark.parametrize("name", ["plain", "sum", "product of empty matrices"])
def test_interpreters_take_the_size_0(name: str) -> None:
    _agrees_for_all_sizes(PROGRAMS[name], "interpreter")


def _gathered(n: Any) -> tuple[Any, ...]:
    A, rows = te.placeholder((n, 3), name="A"), te.placeholder((n,), "int32", name="rows")
    B = te.compute((n, 3), lambda i, j: A[rows[i] - rows[i], j], name="B")
    return [A, rows, B], [A, rows, B], lambda a, _: np.broadcast_to(a[:1], a.shape)


READS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "first": lambda n: _own(n, lambda A, i: A[0] + A[i], lambda a: a[:1] + a),
    "last": lambda n: _own(n, lambda A, i: A[n - 1] + A[i], lambda a: a[-1:] + a),
    "reversed": lambda n: _own(n, lambda A, i: A[n - 1 - i], lambda a: a[::-1]),
    "gathered": _gathered,
    "in a sum": lambda n: _weighted(n),
}


def _own(n: Any, element: Callable[..., Any], expected: Callable[[Array], Array]) -> Any:
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: element(A, i), name="B")
    return [A, B], [A, B], expected


def _weighted(n: Any) -> Any:
    A = te.placeholder((n, 3), name="A")
    k = te.reduce_axis((0, n), name="k")
    B = te.compute((3,), lambda i: te.sum(A[k, i] * A[0, i], axis=k), name="B")
    return [A, B], [A, B], lambda a: (a * a[:1]).sum(0)


@pytest.mark.parametrize("name", READS)
def test_reads_of_elements_that_exist_where_an_axis_has_some(name: str) -> None:
    _agrees_for_all_sizes(READS[name])


def _refused(n: Any, element: Callable[..., Any]) -> Any:
    A = te.placeholder((n, 3), name="A")
    k = te.reduce_axis((0, n), name="k")
    return [A, te.compute((3,), lambda j: element(A, k, j), name="B")]


REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "element": (
        lambda A, k, j: A[0, j],
        "te.compute @B: A[0, j], position 0 of A, whose size is n",
    ),
    "after a sum": (
        lambda A, k, j: te.sum(A[k, j], axis=k) + A[0, j],
        "te.compute @B: A[0, j], position 0 of A, whose size is n",
    ),
    "argmax": (
        lambda A, k, j: te.argmax(A[k, j], axis=k),
        "te.compute @B: te.argmax over k, position 0 of k",
    ),
    "gather": (lambda A, k, j: A[te.cast(0.5 * j, "int32"), j], "te.compute @B: position 0 of A"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_call_says_which_element_an_empty_tensor_lacks(name: str) -> None:
    element, message = REFUSED[name]
    mod: Any = tilewright.build(_refused(te.var("n"), element))
    assert mod(np.ones((4, 3), np.float32)).numpy().shape == (3,)
    with pytest.raises(IndexError, match=re.escape(message)):
        mod(np.ones((0, 3), np.float32))


@pytest.mark.parametrize("name", ["element", "after a sum", "argmax"])
def test_a_number_of_0_is_refused_where_the_compute_is_described(name: str) -> None:
    element, _ = REFUSED[name]
    with pytest.raises(TypeMismatch, match=r"te\.compute @B: (A\[0, j\] leaves A|te\.argmax over)"):
        _refused(0, element)


def test_an_empty_tensor_is_used_like_another() -> None:
    A = te.placeholder((0, 4), name="A")
    k = te.reduce_axis((0, 0), name="k")
    B = te.compute((0, 4), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((4,), lambda j: te.sum(B[k, j], axis=k) + 3.0, name="C")
    mod: Any = tilewright.build([A, B, C], strict_plan=True)
    empty, total = mod(np.zeros((0, 4), np.float32))
    assert empty.numpy().shape == (0, 4)
    np.testing.assert_array_equal(total, np.full(4, 3, np.float32))
    assert B.shape == (0, 4)
    assert "axis k is empty" not in mod.get_source("te")


def test_a_size_that_divides_a_shape_starts_at_1() -> None:
    n: Any = te.var("n")
    m: Any = te.var("m")
    A = te.placeholder((n, m), name="A")
    mod: Any = tilewright.build([A, te.compute((n // m,), lambda i: A[i, 0], name="B")])
    assert mod(np.ones((0, 2), np.float32)).numpy().shape == (0,)
    with pytest.raises(ValueError, match=r"argument 0 \(A\) has a size that is not valid"):
        mod(np.ones((3, 0), np.float32))


def test_a_size_beyond_the_limit_is_refused() -> None:
    n, m = te.var("n"), te.var("m")
    A: Any = te.placeholder((n, m), name="A")
    mod: Any = tilewright.build([A, te.compute((n, m), lambda i, j: A[i, j] * 2, name="B")])
    assert mod(np.empty((0, 1 << 40), np.float32)).numpy().shape == (0, 1 << 40)
    with pytest.raises(ValueError, match=r"m is in 0\.\.1099511627776\n.*got: size 10995116277"):
        mod(np.empty((0, (1 << 40) + 1), np.float32))


def test_an_exported_library_takes_and_gives_nothing(tmp_path: Any) -> None:
    n = te.var("n")
    _, args, _ = _rows(n, te.max, lambda a: a, dtype="float32")
    path = tmp_path / "rows.so"
    tilewright.build(args).export_library(path)
    loaded: Any = tilewright.load_module(path)
    np.testing.assert_array_equal(loaded(np.zeros((5, 0), np.float32)), np.full(5, -np.inf))
    np.testing.assert_array_equal(loaded(np.ones((5, 2), np.float32)), np.ones(5))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("target", ["cuda", "opencl", "metal", "vulkan", "webgpu", "rocm"])
@pytest.mark.parametrize("size", [0, None])
def test_devices_get_kernels_of_empty_axes(target: str, size: int | None) -> None:
    n = te.var("n") if size is None else size
    _, args, _ = _rows(n, te.sum, lambda a: a, dtype="float32")
    assert tilewright.build(args, target=target).kernels
    _, args, _ = _doubled(n)
    assert tilewright.build(args, target=target).kernels
