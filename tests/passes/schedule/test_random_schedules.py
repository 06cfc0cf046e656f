"""Any legal schedule gives the results of the unscheduled kernel.

Inputs are small integers, so float sums are exact in any order; softmax is compared with a bound.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .kernels import argmax, assert_same_results, conv_chain, matmul, softmax

Draw = st.DrawFn
MAX_EXAMPLES = 40

pytestmark = pytest.mark.slow


def divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def tile_params(draw: Draw, sizes: dict[str, int]) -> str:
    """Draw parameters of sched.tile for some axes, in any order, some split evenly."""
    axes = draw(st.permutations(sorted(sizes)))
    chosen = {a: draw(st.integers(1, sizes[a] + 2)) for a in axes}
    even = draw(st.lists(st.sampled_from(axes), unique=True))
    text = ", ".join(f"{a} = {n}" for a, n in chosen.items())
    return text + (f", even = [{', '.join(even)}]" if even else "")


@st.composite
def matmul_cases(draw: Draw) -> tuple[str, str]:
    m, n, k = (draw(st.integers(1, 20)) for _ in range(3))
    lines = ["%c0 = sched.match {name = mm}"]
    if draw(st.booleans()):
        block = draw(st.sampled_from([2, 4, 5, 8, 16]))
        lines.append(
            "%c1 = sched.pack %c0 {operand = 1, map = affine_map<(k, n) -> "
            f"(n floordiv {block}, k, n mod {block})>}}"
        )
    else:
        inner = draw(st.sampled_from(divisors(k)))
        axes = draw(st.permutations(["m", "n", "k", "ki"]))
        lines += [
            f"%c2 = sched.split_axis %c0 {{k = {inner}, into = [k, ki]}}",
            f"%c1 = sched.order %c2 {{axes = [{', '.join(axes)}]}}",
        ]
    axis, other = draw(st.sampled_from([("m", "n"), ("n", "m")]))
    sizes = {"m": m, "n": n}
    lines.append(f"%t, %o = sched.tile %c1 {{{tile_params(draw, {axis: sizes[axis]})}}}")
    if draw(st.booleans()):
        lines.append("%p = sched.parallel %o")
    if draw(st.booleans()):
        lines.append(f"%s, %b = sched.split_reduction %t {{k = {draw(st.integers(1, k))}}}")
    else:
        lines.append("%s = sched.match {name = mm}")
    lines.append(f"%u, %i = sched.tile %s {{{tile_params(draw, {other: sizes[other]})}}}")
    lines.append(f"%v = sched.vectorize %u {{axis = {axis}, lanes = 4}}")
    return matmul(m, n, k, draw(st.sampled_from(["f32", "i32"]))), "\n".join(lines)


@settings(derandomize=True, max_examples=MAX_EXAMPLES)
@given(matmul_cases())
def test_matmul(case: tuple[str, str]) -> None:
    assert_same_results(*case)


@st.composite
def copied_operands(draw: Draw) -> tuple[str, str]:
    m, n, k = (draw(st.integers(1, 16)) for _ in range(3))
    operand = draw(st.sampled_from([0, 1]))
    block = draw(st.sampled_from([1, 2, 4]))
    lines = [
        "%c = sched.match {name = mm}",
        f"%t, %i, %j = sched.tile %c {{{tile_params(draw, {'m': m, 'n': n})}}}",
        f"%s, %b = sched.split_reduction %t {{k = {draw(st.integers(1, k))}}}",
        f"%copy, %read = sched.cache_read %s {{operand = {operand}}}",
        f"%in = sched.fuse_into %copy, {draw(st.sampled_from(['%i', '%j']))}",
        "%r = sched.relayout %in {out = 0, map = affine_map<(a, b) -> "
        f"(b floordiv {block}, a, b mod {block})>}}",
    ]
    return matmul(m, n, k), "\n".join(lines)


@settings(derandomize=True, max_examples=MAX_EXAMPLES)
@given(copied_operands())
def test_copied_operands(case: tuple[str, str]) -> None:
    assert_same_results(*case)


@st.composite
def conv_cases(draw: Draw) -> tuple[str, str]:
    h, w = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    stride, pad = draw(st.sampled_from([1, 2])), draw(st.integers(0, 2))
    oh, ow = (h + 2 * pad - 3) // stride + 1, (w + 2 * pad - 3) // stride + 1
    lines = [
        "%r0 = sched.match {name = relu}",
        f"%r, %a, %b = sched.tile %r0 {{{tile_params(draw, {'h': oh, 'w': ow})}}}",
    ]
    outer, loop = draw(st.sampled_from(["%a", "%b"])), "%l"
    peeled = draw(st.integers(0, 2))
    lines.append(
        f"%l = sched.peel {outer} {{front = {peeled}, back = 1}}"
        if peeled
        else f"%l = sched.parallel {outer}"
    )
    lines += ["%c0 = sched.match {name = conv}", f"%c1 = sched.fuse_into %c0, {loop}"]
    lines += [
        "%x0 = sched.match {name = double}",
        f"%x, %x_border = sched.fuse_into %x0, {loop} {{halo = 1}}",
    ]
    if draw(st.booleans()):
        lines.append("%y = sched.relayout %x {map = affine_map<(c, h, w) -> (h, w, c)>}")
    lines.append(f"%c2, %kb = sched.split_reduction %c1 {{c = {draw(st.integers(1, 3))}}}")
    lines.append(f"%c3, %o = sched.tile %c2 {{o = {draw(st.integers(1, 4))}}}")
    return conv_chain(h, w, stride, pad), "\n".join(lines)


@settings(derandomize=True, max_examples=MAX_EXAMPLES)
@given(conv_cases())
def test_convolution_with_halo(case: tuple[str, str]) -> None:
    assert_same_results(*case)


@st.composite
def softmax_cases(draw: Draw) -> tuple[str, str]:
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 30))
    lines = [
        "%d0 = sched.match {name = dv}",
        f"%d, %i0 = sched.tile %d0 {{{tile_params(draw, {'i': rows})}}}",
        "%i = sched.parallel %i0" if draw(st.booleans()) else "%i = sched.peel %i0 {front = 1}",
    ]
    for name in ["sm", "ex", "mx"][: draw(st.integers(1, 3))]:
        lines.append(f"%{name}0 = sched.match {{name = {name}}}")
        lines.append(f"%{name} = sched.fuse_into %{name}0, %i")
    if draw(st.booleans()):
        lines.append("%e = sched.match {name = ex}")
        lines.append("%el = sched.relayout %e {map = affine_map<(i, j) -> (j, i)>}")
    lines.append(f"%q, %j = sched.tile %d {{{tile_params(draw, {'j': columns})}}}")
    lines.append(f"%s, %b = sched.split_reduction %sm {{j = {draw(st.integers(1, columns))}}}")
    return softmax(rows, columns), "\n".join(lines)


@settings(derandomize=True, max_examples=MAX_EXAMPLES)
@given(softmax_cases())
def test_softmax(case: tuple[str, str]) -> None:
    assert_same_results(*case, rtol=1e-5)


@st.composite
def argmax_cases(draw: Draw) -> tuple[str, str]:
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 30))
    lines = [
        "%c = sched.match {name = am}",
        f"%s, %b = sched.split_reduction %c {{j = {draw(st.integers(1, columns))}}}",
        f"%t, %i = sched.tile %s {{{tile_params(draw, {'i': rows})}}}",
    ]
    return argmax(rows, columns), "\n".join(lines)


@settings(derandomize=True, max_examples=MAX_EXAMPLES)
@given(argmax_cases())
def test_reduction_with_a_combine_region(case: tuple[str, str]) -> None:
    assert_same_results(*case)
