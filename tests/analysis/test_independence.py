"""Independence of iterations: the proof against brute force and against the race detector."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tilewright.analysis.bounds.equal_positions import Loop, Side, prove_one_iteration
from tilewright.analysis.bounds.independence import (
    DependentIterations,
    find_clash,
    verify_independence,
)
from tilewright.analysis.verify import verify_module
from tilewright.dialects.loop import ForOp
from tilewright.dialects.te import kernels_of
from tilewright.interp.loop import run_function
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.affine import Atom, AtomKind, Index, Key, Range, divide, variable
from tilewright.support.diagnostics import ScheduleError, TilewrightError
from tilewright.support.inequalities import has_no_solution
from tilewright.support.registry import new_context

KINDS: tuple[AtomKind, ...] = ("floordiv", "mod")
FACTORS = (1, 1, 1, 2, -1, -2, 4, -4, 3, 8, -8)


def parse(text: str) -> ModuleOp:
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return module


def random_index(rng: random.Random, ranges: Mapping[Key, Range], depth: int = 2) -> Index:
    found = Index(const=rng.choice([0, 0, 0, 1, -1, 3]))
    for _ in range(rng.randint(1, 3)):
        term = variable(rng.choice(list(ranges)))
        if depth and rng.random() < 0.55:
            inner = random_index(rng, ranges, depth - 1)
            kind, divisor = rng.choice(KINDS), rng.choice([2, 2, 3, 4, 6, 8])
            term = divide(kind, inner, divisor, ranges.__getitem__)
        found = found + term * rng.choice(FACTORS)
    return found


def value_of(index: Index, values: Mapping[Key, int]) -> int:
    total = index.const
    for key, factor in index.terms.items():
        if isinstance(key, Atom):
            inner = value_of(key.operand, values)
            part = inner // key.divisor if key.kind == "floordiv" else inner % key.divisor
            total += factor * part
        else:
            total += factor * values[key]
    return total


def points(ranges: Mapping[Key, Range]) -> Iterator[dict[Key, int]]:
    for values in product(*(range(low, high + 1) for low, high in ranges.values())):
        yield dict(zip(ranges, values, strict=True))


def iterations_meet(
    one: Sequence[Index], other: Sequence[Index], ranges: Mapping[Key, Range]
) -> bool:
    """Return whether two iterations of p touch one element, for one value of o, by trying all."""
    touched: dict[tuple[int, ...], set[int]] = {}
    everything = list(points(ranges))
    for values in everything:
        place = (values["o"], *(value_of(e, values) for e in one))
        touched.setdefault(place, set()).add(values["p"])
    return any(
        touched.get((values["o"], *(value_of(e, values) for e in other)), set()) - {values["p"]}
        for values in everything
    )


def random_pair(
    rng: random.Random,
) -> tuple[list[Index], list[Index], dict[Key, Range]]:
    low = rng.choice([0, 0, 0, 1, 3, -2])
    ranges: dict[Key, Range] = {
        "p": (low, low + rng.choice([2, 3, 4, 8]) - 1),
        "o": (0, rng.choice([0, 0, 1, 3])),
        "a": (0, rng.choice([0, 1, 3])),
        "b": (0, rng.choice([0, 1, 2])),
    }
    one = [random_index(rng, ranges) for _ in range(rng.randint(1, 2))]
    if (draw := rng.random()) < 0.5:
        return one, one, ranges
    if draw < 0.75:
        return one, [e + rng.choice([0, 0, 1, 4, 8]) for e in one], ranges
    return one, [random_index(rng, ranges) for _ in one], ranges


def compare_with_brute_force(seed: int, draws: int) -> tuple[int, int]:
    """Return the numbers of independent pairs and of proofs; assert that no proof is wrong."""
    rng, independent, proved = random.Random(seed), 0, 0
    for _ in range(draws):
        one, other, ranges = random_pair(rng)
        first, last = ranges["p"]
        sides = [Side(e, ranges.__getitem__, lambda key: key != "o") for e in (one, other)]
        meets = iterations_meet(one, other, ranges)
        is_proved = prove_one_iteration(Loop("p", last - first), *sides)
        assert not (is_proved and meets), (one, other, ranges)
        independent, proved = independent + (not meets), proved + is_proved
    return independent, proved


def test_no_proof_is_wrong() -> None:
    independent, proved = compare_with_brute_force(1, 1500)
    assert proved > 0.7 * independent


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_proof_of_many_is_wrong(seed: int) -> None:
    independent, proved = compare_with_brute_force(seed, 10_000)
    assert proved > 0.7 * independent


# ---- kernels, against the race detector of the loop interpreter

ACCESSES = """te.kernel @k(%X: memref<{x}xf32>, %T: memref<{t}xf32>, %Y: memref<{y}xf32>) {{
  loop.for parallel %i = {low} to {high} {{
    te.compute @a [p: {p}] ins(%X[{reads}] : memref<{x}xf32>)
      outs(%T[{writes}] : memref<{t}xf32>)
      body(%x: f32) {{ te.yield %x : f32 }}
    te.compute @b [q: {q}] ins(%T[{again}] : memref<{t}xf32>)
      outs(%Y[{result}] : memref<{y}xf32>)
      body(%x: f32) {{ te.yield %x : f32 }}
  }}
  te.return
}}"""


def random_kernel(rng: random.Random) -> str:
    low = rng.choice([0, 0, 2])
    high, p, q = low + rng.choice([2, 3, 4]), rng.choice([1, 2, 4]), rng.choice([1, 2])
    loop: dict[Key, Range] = {"%i": (low, high - 1)}
    inner, outer = {**loop, "p": (0, p - 1)}, {**loop, "q": (0, q - 1)}

    def place(ranges: Mapping[Key, Range], axis: str) -> Index:
        if rng.random() < 0.5:
            return variable("%i") * rng.choice([1, 2, 4]) + variable(axis) * rng.choice([1, 1, 2])
        found = random_index(rng, ranges, 1)
        return found if axis in found.variables() else found + variable(axis)

    write = place(inner, "p")
    again = write.substitute({"p": variable("q")}, outer.__getitem__)
    indices = {
        "reads": (variable("%i"), inner), "writes": (write, inner), "result": (place(outer, "q"),
        outer), "again": (again if rng.random() < 0.6 else place(outer, "q"), outer),
    }  # fmt: skip
    lows = {n: min(0, e.range(r.__getitem__)[0]) for n, (e, r) in indices.items()}
    lows["writes"] = lows["again"] = min(lows["writes"], lows["again"])
    moved = {n: (e - lows[n], r) for n, (e, r) in indices.items()}
    size = {n: e.range(r.__getitem__)[1] + 1 for n, (e, r) in moved.items()}
    texts = {n: e.show(str) for n, (e, _) in moved.items()}
    t = max(size["writes"], size["again"])
    return ACCESSES.format(
        low=low, high=high, p=p, q=q, x=size["reads"], t=t, y=size["result"], **texts
    )


def is_accepted(text: str) -> bool:
    module = parse(text)
    try:
        ApplySchedule().apply(new_context(), module)
    except ScheduleError as err:
        return "iterations of loop %i may" not in str(err)
    return True


def has_race(text: str) -> bool:
    (kernel,) = kernels_of(parse(text))
    arrays = [np.zeros(a.type.get_shape(), "f") for a in kernel.body.block.args]  # pyright: ignore
    try:
        run_function(lower_kernel(kernel), *arrays)
    except TilewrightError as err:
        return "iterations of a parallel loop are not independent" in str(err)
    return False


def compare_with_races(seed: int, draws: int) -> tuple[int, int]:
    """Return the numbers of kernels without a race and of accepted ones, all without one."""
    rng, free, accepted = random.Random(seed), 0, 0
    for _ in range(draws):
        text = random_kernel(rng)
        races, accepts = has_race(text), is_accepted(text)
        assert not (races and accepts), text
        free, accepted = free + (not races), accepted + accepts
    return free, accepted


def test_accepted_kernels_have_no_race() -> None:
    free, accepted = compare_with_races(3, 60)
    assert accepted > 0.6 * free > 5


@pytest.mark.nightly
def test_many_accepted_kernels_have_no_race() -> None:
    free, accepted = compare_with_races(4, 3000)
    assert accepted > 0.6 * free


# ---- refusals, and programs that stay legal

SHIFTED = ACCESSES.format(
    x=9, t=9, y=9, low=0, high=8, p=1, q=1, reads="%i + p + 1", writes="%i + p + 1",
    again="%i + q", result="%i + q",
)  # fmt: skip


@pytest.mark.parametrize("script", ["", "\nsched.script @k { }"], ids=["text", "script"])
def test_a_read_of_another_iteration_names_loop_buffer_and_accesses(script: str) -> None:
    with pytest.raises(ScheduleError) as err:
        ApplySchedule().apply(new_context(), parse(SHIFTED + script))
    assert str(err.value) == (
        "@k: iterations of loop %i may read elements of %T that other iterations write\n"
        "    expected: each written element is touched by one iteration only\n"
        "    got: @a writes %T[%i + p + 1]; @b reads %T[%i + q]\n"
        "    hint: keep what other loops read out of the parallel loop, or make it serial"
    )


def test_the_verifier_of_texts_refuses_it_too() -> None:
    with pytest.raises(DependentIterations, match="may read elements of %T"):
        verify_module(parse(SHIFTED))


def test_an_iteration_may_read_what_it_wrote() -> None:
    verify_module(parse(SHIFTED.replace("%T[%i + q]", "%T[%i + q + 1]")))


def test_an_iteration_may_read_its_own_buffer() -> None:
    own = SHIFTED.replace(", %T: memref<9xf32>", "").replace(
        "    te.compute @a", '    %T = loop.alloc "local" : memref<9xf32>\n    te.compute @a'
    )
    verify_module(parse(own))


LOOPS = """func.func @k(%x: memref<{size}xf32>, %y: memref<{size}xf32>) {{
  loop.for {kind} %p = {low} to {high} {{
    {body}
  }}
  func.return
}}"""


def loops(body: str, size: str = "64", kind: str = "parallel", low: int = 0, high: int = 8) -> str:
    return LOOPS.format(size=size, kind=kind, low=low, high=high, body=body)


def copy(load: str, store: str, type_: str = "f32", size: str = "64") -> str:
    memory = f"memref<{size}xf32>, {type_}"
    return f"%v = loop.load %x[{load}] : {memory}\n loop.store %v, %y[{store}] : {memory}"


BLOCKED = "%p floordiv 4, ((%p * 30 + %i) floordiv 8) mod 15, (%p * 30 + %i) mod 8"
"""The position in blocks of 8 of an element of a quarter of 120 channels."""


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (copy("%p", "%p"), {}),
        (copy("%p", "%p + (%p floordiv 2) * 8"), {}),
        (copy("%p * 4", "%p * 4", "vector<4xf32>"), {"kind": "bind blockIdx.x"}),
        (copy("%p", "%p floordiv 4, %p mod 4", size="2x4").replace("x[%p]", "x[0, 0]"),
         {"size": "2x4"}),
        (f"loop.for %i = %p * 8 to %p * 8 + 8 {{ {copy('%i', '%i')} }}", {}),
        (f"loop.for %i = 0 to 30 {{ {copy(BLOCKED, BLOCKED, size='4x15x8')} }}",
         {"size": "4x15x8", "high": 16}),
    ],
    ids=["plain", "quotient", "lanes", "digits", "chunks", "digits of chunks"],
)  # fmt: skip
def test_independent_loops_are_verified(body: str, options: dict[str, Any]) -> None:
    verify_module(parse(loops(body, **options)))


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        (copy("%p", "%p mod 4"), {}, "write the same elements of %y"),
        (copy("%p", "%p - (%p floordiv 2) * 2 + 6"), {}, "write the same elements of %y"),
        (copy("%p", "%p * -1 - (%p * -1 + 3) floordiv 4 + 32"), {"low": 3, "high": 7},
         "write the same elements of %y"),
        (copy("%p * 2", "%p * 2", "vector<4xf32>"), {"kind": "bind blockIdx.x"},
         "write the same elements of %y"),
        (copy("%p", "%p").replace("%x", "%y").replace("%y[%p]", "%y[%p + 1]", 1), {},
         "read elements of %y that other iterations write"),
        (copy("0, 0", "%p, 0", "vector<8xf32>", "9x4"), {"size": "9x4"},
         "write the same elements of %y"),
    ],
    ids=["mod", "quotient", "start", "lanes", "read", "next row"],
)  # fmt: skip
def test_dependent_loops_are_refused(body: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(DependentIterations, match=message):
        verify_independence(parse(loops(body, **options)))


def test_the_range_of_a_variable_is_that_of_its_loop() -> None:
    """The positions -p - (3 - p) floordiv 4 of p = 3..6 are -3, -3, -4, -5."""
    module = parse(loops(copy("%p", "%p * -1 - (%p * -1 + 3) floordiv 4 + 32"), low=3, high=7))
    (loop,) = [op for op in module.walk() if isinstance(op, ForOp)]
    clash = find_clash(loop)
    assert clash is not None
    assert clash.write is clash.other


def test_chunks_of_a_symbolic_loop_are_independent() -> None:
    body = f"loop.for %i = %p * 16 to min(%n, %p * 16 + 16) {{ {copy('%i', '%i', size='?')} }}"
    text = loops(body, "?").replace("memref<?xf32>", "memref<?xf32, #te.dims<n>>")
    text = text.replace("= 0 to 8", "= 0 to (%n + 15) floordiv 16")
    text = text.replace(") {\n  loop.for par", ') attributes {sizes = ["n"]} {\n  loop.for par')
    text = text.replace("  loop.for parallel", "  %n = loop.size n\n  loop.for parallel")
    verify_independence(parse(text))


# ---- symbolic sizes, in schedules and in functions with threads

TWO = """te.kernel @k(%X: memref<?xf32, #te.dims<n + 8>>, %T: memref<?xf32, #te.dims<n + 8>>)
    attributes {{sizes = ["n"]}} {{
  %n = loop.size n
  loop.for parallel %i = 0 to %n {{
    te.compute @a [p: 1] ins(%X[%i + p] : memref<?xf32, #te.dims<n + 8>>)
      outs(%T[{one}] : memref<?xf32, #te.dims<n + 8>>)
      body(%x: f32) {{ te.yield %x : f32 }}
    te.compute @b [q: 1] ins(%X[%i + q] : memref<?xf32, #te.dims<n + 8>>)
      outs(%T[{other}] : memref<?xf32, #te.dims<n + 8>>)
      body(%x: f32) {{ te.yield %x : f32 }}
  }}
  te.return
}}
sched.script @k {{ }}"""


@pytest.mark.parametrize("other", ["%i + q + 1", "%i floordiv 2 + q", "%n - %i + q"])
def test_computes_that_write_one_symbolic_buffer_are_compared(other: str) -> None:
    module = parse(TWO.format(one="%i + p", other=other))
    with pytest.raises(ScheduleError, match="may write the same elements of %T"):
        ApplySchedule().apply(new_context(), module)


def test_computes_that_write_parts_of_a_symbolic_buffer_are_accepted() -> None:
    module = parse(TWO.format(one="%i + p", other="%i + q"))
    ApplySchedule().apply(new_context(), module)


TILED = """te.kernel @k(%X: memref<?x4xf32, #te.dims<n, 4>>, %Y: memref<?x4xf32, #te.dims<n, 4>>)
    attributes {{sizes = ["n"]}} {{
  te.compute @a [m: n, k: 4] ins(%X[m, k] : memref<?x4xf32, #te.dims<n, 4>>)
    outs(%Y[m, k] : memref<?x4xf32, #te.dims<n, 4>>)
    body(%x: f32) {{ te.yield %x : f32 }}
  te.return
}}
sched.script @k {{
  %c = sched.match {{name = a}}
  %t, %i = sched.tile %c {{m = {height}, {options}}}
  %p = sched.parallel %i
}}"""


@pytest.mark.parametrize(
    ("height", "options"),
    [
        (2, "even = [m], chunk = 3"),
        (7, "even = [m], chunk = 16"),
        (9, "even = [m], rest = 2, chunk = 16"),
        (14, "even = [m], rest = 4, chunk = 5"),
        (6, "whole = [m]"),
    ],
)
def test_blocks_of_several_heights_are_apart(height: int, options: str) -> None:
    """One iteration computes blocks of each height; the rows where they begin depend on sizes."""
    ApplySchedule().apply(new_context(), parse(TILED.format(height=height, options=options)))


def test_threads_of_a_function_are_verified() -> None:
    with pytest.raises(DependentIterations, match="write the same elements of %y"):
        verify_independence(parse(loops(copy("%p", "%p mod 4"), kind="bind threadIdx.x")))


def test_blocks_and_remainders_in_joined_rows_are_apart() -> None:
    """With b // 9 blocks of 9, rows in pairs follow: 2b - 2((b + b // 9 + 1) // 2) + b // 9."""
    b, q, r, s, t, block, row = map(variable, ("b", "q", "r", "s", "t", "block", "row"))
    equations = [b - q * 9 - s, b + q + 1 - r * 2 - t, block * 9 + row - b * 2 + r * 2 - q]
    rows = [row, -row + 8, s, -s + 8, t, -t + 1, b - 1, block, q - block - 1]
    assert has_no_solution(equations, rows)
    assert not has_no_solution(equations, [*rows[:-1], q - block])


GUARDED = """
  %i = loop.index [%p] : index
  %j = loop.index [{position}] : index
  %c = loop.cmp "{predicate}" %i, %j : index, index, i1
  loop.if %c {{
    {body}
  }}
"""


@pytest.mark.parametrize(
    ("predicate", "position", "written", "is_apart"),
    [
        ("eq", "3", "0", True),
        ("sge", "7", "0", True),
        ("slt", "2", "%p mod 2", True),
        ("slt", "3", "%p mod 2", False),
        ("ne", "3", "0", False),
    ],
)
def test_only_iterations_that_pass_the_condition_around_an_access_touch_it(
    predicate: str, position: str, written: str, is_apart: bool
) -> None:
    body = GUARDED.format(predicate=predicate, position=position, body=copy("%p", written))
    module = parse(loops(body, kind="bind threadIdx.x"))
    if is_apart:
        verify_independence(module)
        return
    with pytest.raises(DependentIterations, match="write the same elements of %y"):
        verify_independence(module)
