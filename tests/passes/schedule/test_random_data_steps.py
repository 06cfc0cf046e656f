"""Random walks over data movement steps: legal ones keep results, errors name legal alternatives.

Every step starts from a match by name.  Illegal steps are skipped, so any walk is a schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tilewright.dialects.te import ComputeOp
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context

from .kernels import (
    argmax,
    assert_same_loops,
    blurs,
    conv_chain,
    matmul,
    parse,
    softmax,
    window,
)

Draw = st.DrawFn
SETTINGS = settings(
    derandomize=True, max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate]
)
"""No shrinking, because a walk is short, and each shrink attempt costs many schedules."""

pytestmark = pytest.mark.slow


def layouts(draw: Draw, rank: int) -> str:
    """Draw a permutation of dimensions, one of them possibly blocked."""
    names = [f"d{i}" for i in range(rank)]
    order = draw(st.permutations(names))
    block = draw(st.sampled_from([1, 2, 4]))
    first, *rest = order
    parts = [f"{first} floordiv {block}", *rest, f"{first} mod {block}"] if block > 1 else order
    return f"affine_map<({', '.join(names)}) -> ({', '.join(parts)})>"


def step_on(
    draw: Draw, number: int, name: str, axes: Sequence[str], loops: Sequence[str]
) -> tuple[str, list[str]]:
    """Draw a step on the computes with a name; return it with its loops, numbered by ``number``."""
    here, size = f"%h{number}", draw(st.integers(1, 9))
    axis, other = draw(st.sampled_from(axes)), draw(st.sampled_from(axes))
    loop = draw(st.sampled_from(loops)) if loops else here
    scope = draw(st.sampled_from(["local", "shared"]))
    part = draw(st.sampled_from(["inner", "outer"]))
    which, position = draw(st.sampled_from(["out", "operand"])), draw(st.integers(0, 1))
    first = draw(st.integers(0, 3))
    choices = {
        "tile": f"%t{number}, %l{number} = sched.tile {here} {{{axis} = {size}}}",
        "cache_write": f"%t{number}, %o{number} = sched.cache_write {here} {{scope = {scope}}}",
        "cache_read": f"%t{number}, %o{number} = sched.cache_read {here} {{operand = {position}}}",
        "rfactor": f"%t{number}, %o{number} = sched.rfactor {here} "
        f"{{axis = {axis}, factor = {size}, part = {part}, into = [{axis}o, {axis}i]}}",
        "factor all": f"%t{number}, %o{number} = sched.rfactor {here} {{axis = {axis}}}",
        "decompose": f"%t{number}, %o{number} = sched.decompose_reduction {here}",
        "decompose at": f"%t{number}, %o{number} = sched.decompose_reduction {here}, {loop}",
        "fuse_into": f"%t{number}, %t{number}_border = sched.fuse_into {here}, {loop} {{halo = 1}}",
        "double_buffer": f"%t{number} = sched.double_buffer {here}",
        "rolling_buffer": f"%t{number} = sched.rolling_buffer {here}",
        "set_scope": f"%t{number} = sched.set_scope {here} {{scope = {scope}}}",
        "storage_align": f"%t{number} = sched.storage_align {here} "
        f"{{axis = {axis}, factor = {size}, offset = {first}}}",
        "transform": f"%t{number} = sched.transform_layout {here} "
        f"{{{which} = {position}, map = {layouts(draw, 2)}}}",
        "pad_einsum": f"%t{number} = sched.pad_einsum {here} {{{axis} = {size}, {other} = 4}}",
        "predicate": f"%t{number} = sched.set_store_predicate {here} "
        f"{{{axis} = [{first}, {size + first}]}}",
        "split_reduction": f"%t{number}, %l{number} = sched.split_reduction {here} "
        f"{{{axis} = {size}}}",
        "parallel": f"%p{number} = sched.parallel {loop}",
        "peel": f"%p{number} = sched.peel {loop} {{front = 1}}",
        "annotate": f"%t{number} = sched.annotate {here} {{key = note, value = {size}}}",
        "prefetch": f"%t{number} = sched.prefetch {here} {{operand = {position}, axis = {axis}}}",
        "vectorize": f"%t{number} = sched.vectorize {here} {{axis = {axis}, lanes = 4}}",
    }
    step = choices[draw(st.sampled_from(sorted(choices)))]
    made = [f"%l{number}"] if f"%l{number}" in step else []
    return f"{here} = sched.match {{name = {name}}}\n{step}", made


def apply(kernel: str, lines: Sequence[str]) -> dict[str, list[str]] | None:
    """Return the resulting computes and their axes; None if a step is illegal.

    Fail if the message names no legal alternative.
    """
    script = "\n".join(lines)
    module = parse(f"{kernel}\nsched.script @k {{\n{script}\n}}\n")
    try:
        ApplySchedule().apply(new_context(), module)
    except ScheduleError as err:
        if err.expected is None and err.got is None and not err.hint:
            raise AssertionError(f"no legal alternative: {err}") from err
        return None
    computes = [op for op in module.walk() if isinstance(op, ComputeOp)]
    return {op.label: list(op.view().axes) for op in computes}


def walk(draw: Draw, kernel: str, most: int, begin: Sequence[str] = ()) -> str:
    """Draw steps and keep the legal ones."""
    kept = list(begin)
    there = apply(kernel, kept)
    loops = [h for h in ("%i",) if any(h in line for line in begin)]
    for number in range(draw(st.integers(1, most))):
        assert there is not None
        name = draw(st.sampled_from(sorted(there)))
        step, made = step_on(draw, number, name, there[name] or ["none"], loops)
        after = apply(kernel, [*kept, step])
        if after is not None:
            there, kept, loops = after, [*kept, step], loops + made
    return "\n".join(kept)


@st.composite
def products(draw: Draw) -> tuple[str, str]:
    m, n, k = (draw(st.integers(1, 12)) for _ in range(3))
    kernel = matmul(m, n, k, draw(st.sampled_from(["f32", "i32"])))
    kernel = kernel.replace("attributes {constants = array<i64: 1>} ", "")
    return kernel, walk(draw, kernel, 7)


@st.composite
def rows(draw: Draw) -> tuple[str, str]:
    sizes = [draw(st.integers(1, 9)) for _ in range(2)]
    kernel = draw(st.sampled_from([softmax, argmax]))(*sizes)
    return kernel, walk(draw, kernel, 6)


@st.composite
def windows(draw: Draw) -> tuple[str, str]:
    taps, stride = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    rows, size = draw(st.integers(2, 11)), draw(st.integers(1, 5))
    kernel = window(rows, 4, taps, stride, draw(st.sampled_from(["f32", "i32"])))
    lines = [
        "%d = sched.match {name = down}\n%a = sched.match {name = across}",
        f"%t, %i = sched.tile %d {{h = {size}}}\n%f = sched.fuse_into %a, %i",
    ]
    line = f"%r = sched.{draw(st.sampled_from(['rolling_buffer', 'double_buffer']))} %f"
    lines += [line] if apply(kernel, [*lines, line]) else []
    return kernel, walk(draw, kernel, 3, lines)


@st.composite
def pipelines(draw: Draw) -> tuple[str, str]:
    size, rows = draw(st.integers(1, 4)), draw(st.integers(2, 11))
    if draw(st.booleans()):
        kernel = conv_chain(max(rows, 3), 5, draw(st.sampled_from([1, 2])), 1)
        last, producers = "relu", ["conv", "double"]
    else:
        kernel, last, producers = blurs(rows, 5), "second", ["first", "double"]
    lines = [f"%c = sched.match {{name = {last}}}\n%t, %i = sched.tile %c {{h = {size}}}"]
    for name in producers:
        match = f"%m{name} = sched.match {{name = {name}}}"
        handles = f"%f{name}, %f{name}_border"
        lines.append(f"{match}\n{handles} = sched.fuse_into %m{name}, %i {{halo = 1}}")
    for name in reversed(producers):
        step = draw(st.sampled_from(["rolling_buffer", "double_buffer"]))
        line = f"%r{name} = sched.{step} %f{name}"
        lines += [line] if apply(kernel, [*lines, line]) else []
    return kernel, walk(draw, kernel, 2, lines)


@SETTINGS
@given(products())
def test_products(case: tuple[str, str]) -> None:
    assert_same_loops(*case)


@SETTINGS
@given(rows())
def test_rows(case: tuple[str, str]) -> None:
    assert_same_loops(*case, rtol=1e-5)


@SETTINGS
@given(windows())
def test_windows(case: tuple[str, str]) -> None:
    assert_same_loops(*case)


@SETTINGS
@given(pipelines())
def test_pipelines(case: tuple[str, str]) -> None:
    assert_same_loops(*case)
