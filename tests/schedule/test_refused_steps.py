"""Schedule errors that name legal alternatives, and legal steps of odd sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.support.diagnostics import ScheduleError


def doubled(rows: int, columns: int) -> tuple[Any, Any, Any]:
    x = te.placeholder((rows, columns), name="x")
    y = te.compute((rows, columns), lambda i, j: x[i, j] * 2.0, name="y")
    return x, y, te.create_schedule(y.op)


@pytest.mark.parametrize(("columns", "factor"), [(10, 4), (7, 2), (33, 8)])
@pytest.mark.parametrize("lanes", [None, 2])
def test_the_outer_part_of_a_guarded_split_is_no_vector(
    columns: int, factor: int, lanes: int | None
) -> None:
    _, y, s = doubled(4, columns)
    outer, _ = s[y].split(y.op.axis[1], factor=factor, guard=True)
    with pytest.raises(ScheduleError) as err:
        s[y].vectorize(outer, *([] if lanes is None else [lanes]))
    assert str(err.value) == (
        "sched.vectorize_axis in @y: loop jo of @y is a vector, and the end of loop ji inside of "
        "it depends on it\n    expected: one of i\n    hint: split j without a guard"
    )


@pytest.mark.parametrize(("columns", "factor"), [(3, 4), (16, 4)], ids=["one block", "no rest"])
def test_an_outer_part_whose_inner_loops_are_equal_is_a_vector(columns: int, factor: int) -> None:
    x, y, s = doubled(2, columns)
    outer, _ = s[y].split(y.op.axis[1], factor=factor, guard=True)
    s[y].vectorize(outer)
    values = np.arange(2 * columns, dtype="f").reshape(2, columns)
    np.testing.assert_array_equal(tilewright.build(s, [x, y])(values), values * 2)


@pytest.mark.parametrize("size", [1, 5, 8, 9, 15, 17])
@pytest.mark.parametrize("again", ["rfactor", "factor 1"])
def test_partial_results_of_one_block_are_factored_again(size: int, again: str) -> None:
    x, k = te.placeholder((3, size), name="x"), te.reduce_axis((0, size), name="k")
    y = te.compute((3,), lambda i: te.sum(x[i, k], axis=k), name="y")
    s = te.create_schedule(y.op)
    _, inner = s[y].split(y.op.reduce_axis[0], factor=8)
    partial = s.rfactor(y, inner)
    if again == "rfactor":
        s.rfactor(partial, s[partial].split("ko", factor=2)[1])
    else:
        s[partial].rfactor("ko", factor=1)
    values = np.arange(3 * size, dtype="f").reshape(3, size)
    np.testing.assert_array_equal(tilewright.build(s, [x, y])(values), values.sum(1))


Steps = Callable[[Any, Any, Any], object]

OF_NUMBERS: dict[str, Steps] = {
    "reverse_compute_at": lambda s, d, e: s[e].reverse_compute_at(
        s[d], s[d].split(d.op.axis[0], factor=32)[0]
    ),
    "set_store_predicate": lambda s, d, e: s[e].set_store_predicate({e.op.axis[0]: (0, 5)}),
    "storage_align": lambda s, d, e: s[d].storage_align(d.op.axis[0], 32, 8),
    "prefetch": lambda s, d, e: s[d].prefetch(0, d.op.axis[0]),
}


@pytest.mark.parametrize("shape", ["n", "8 n", "n n"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_a_step_that_needs_a_number_refuses_a_symbolic_size(name: str, shape: str) -> None:
    n = te.var("n")
    sizes = tuple(n if word == "n" else int(word) for word in shape.split())
    x = te.placeholder(sizes, name="x")
    d = te.compute(sizes, lambda *i: x[i] * 2.0, name="d")
    e = te.compute(sizes, lambda *i: d[i] + x[i], name="e")
    s = te.create_schedule(e.op)
    with pytest.raises(ScheduleError, match=rf"^sched\.{name} in @d") as err:
        OF_NUMBERS[name](s, d, e)
    assert "shapes=" not in str(err.value)


def pair() -> tuple[Any, Any, Any]:
    x = te.placeholder((8, 8), name="x")
    d = te.compute((8, 8), lambda i, j: x[i, j] + 1.0, name="d")
    e = te.compute((8, 8), lambda i, j: d[i, j] * 2.0, name="e")
    return d, e, te.create_schedule(e.op)


def test_a_reversed_compute_at_names_the_legal_loops() -> None:
    d, e, s = pair()
    with pytest.raises(ScheduleError) as err:
        s[e].compute_at(s[d], d.op.axis[0])
    assert str(err.value) == (
        "sched.compute_at in @d: nothing in loop i of @d reads @e\n    expected: none\n"
        "    hint: @e reads @d: use reverse_compute_at, or place @d instead: one of i, j of @e"
    )


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda s, e: s[e].tensorize(e.op.axis[0], None), "tensorize of @e takes an intrinsic"),
        (lambda s, e: s[e].pad_einsum([4, 8]), "pad_einsum of @e takes a multiple for each axis"),
    ],
    ids=["tensorize", "pad_einsum"],
)
def test_an_argument_of_another_kind_is_refused(
    step: Callable[[Any, Any], object], message: str
) -> None:
    _, e, s = pair()
    with pytest.raises(ScheduleError, match=message):
        step(s, e)


@pytest.mark.parametrize("name", ["rolling_buffer", "double_buffer"])
def test_a_deferred_step_names_the_method_that_it_waits_for(name: str) -> None:
    d, e, s = pair()
    getattr(s[d], name)()
    with pytest.raises(
        ScheduleError, match=r"hint: move it into a loop of its reader .*compute_at"
    ):
        tilewright.build(s, [e])


def test_a_schedule_for_a_cpu_has_no_threads() -> None:
    d, e, _ = pair()
    s = te.create_schedule(e.op, target="llvm")
    with pytest.raises(ScheduleError, match="bind of @e needs a schedule for a GPU"):
        s[e].bind(e.op.axis[0], "blockIdx.x")
    s = te.create_schedule(e.op, target="cuda")
    s[e].bind(e.op.axis[0], "blockIdx.x")
    assert [d.name, e.name] == s.stages
