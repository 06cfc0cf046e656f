"""Composite operators equal torch, numpy and onnxruntime: traced, on te tensors, differentiated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ops, te
from tilewright.support.diagnostics import TilewrightError

from .inventory_cases import PARTS, Case, cases_of

STEP = 1e-6
"""The distance of the points of a central difference."""


@cache
def cases(part: str) -> list[Case]:
    return cases_of(part)


def _results(chosen: Sequence[Case], groups: Sequence[Any]) -> list[Any]:
    made = [case.run(*arrays) for case, arrays in zip(chosen, groups, strict=True)]
    return [x for each in made for x in (each if isinstance(each, tuple) else (each,))]


def _compare(chosen: Sequence[Case], got: Sequence[Any]) -> None:
    wanted = [(case.name, value) for case in chosen for value in case.expected]
    for (name, value), result in zip(wanted, got, strict=True):
        np.testing.assert_allclose(result, value, 1e-5, 5e-6, err_msg=name)


def parts(*daily: str) -> list[Any]:
    """Return all parts as parameters; those that are not listed are nightly."""
    return [pytest.param(part, marks=[pytest.mark.nightly] * (part not in daily)) for part in PARTS]


@pytest.mark.parametrize("part", parts("small", "position", "sparse", "window", "box"))
def test_native_code(part: str) -> None:
    check_traced(part, "native")


@pytest.mark.parametrize("part", parts("layout", "signal", "qnn"))
def test_code_for_a_gpu(part: str) -> None:
    check_traced(part, "opencl")


def check_traced(part: str, target: str) -> None:
    chosen = cases(part)
    run = tilewright.function(lambda groups: _results(chosen, groups), target=target)
    _compare(chosen, run([list(case.arrays) for case in chosen]))


@pytest.mark.parametrize("part", parts("position", "signal"))
def test_te_tensors(part: str) -> None:
    chosen = [case for case in cases(part) if case.te]
    groups = [
        [te.placeholder(a.shape, a.dtype.name, f"x{n}_{i}") for i, a in enumerate(case.arrays)]
        for n, case in enumerate(chosen)
    ]
    given = [x for group in groups for x in group]
    run = tilewright.build([*given, *_results(chosen, groups)], target="interpreter")
    _compare(chosen, run(*(a for case in chosen for a in case.arrays)))


def _doubled(case: Case) -> list[Any]:
    return [a.astype(np.float64) if a.dtype == np.float32 else a for a in case.arrays]


@pytest.mark.parametrize("part", [p for p in parts("layout", "sparse") if p.values != ("qnn",)])
def test_gradients_equal_differences(part: str) -> None:
    """Differentiate a weighted sum of each operator's results along a random direction, in f64."""
    rng = np.random.default_rng(5)
    chosen = [case for case in cases(part) if case.differentiable]
    weights = [[rng.normal(size=e.shape) for e in case.expected] for case in chosen]

    def losses(moved: Any, fixed: Any) -> list[Any]:
        made = []
        for case, some, rest, factors in zip(chosen, moved, fixed, weights, strict=True):
            found = case.run(*some, *rest)
            parts = found if isinstance(found, tuple) else (found,)
            terms = [(x * w).sum() for x, w in zip(parts, factors, strict=True)]
            made.append(sum(terms[1:], terms[0]))
        return made

    def both(moved: Any, fixed: Any) -> Any:
        def total(moved: Any) -> Any:
            each = losses(moved, fixed)
            return sum(each[1:], each[0]), each

        return tilewright.value_and_grad(total, has_aux=True)(moved)

    arrays = [_doubled(case) for case in chosen]
    moved = [a[: case.differentiable] for case, a in zip(chosen, arrays, strict=True)]
    fixed = [a[case.differentiable :] for case, a in zip(chosen, arrays, strict=True)]
    directions = [[rng.normal(size=a.shape) for a in group] for group in moved]

    def at(step: float) -> Any:
        return [
            [a + step * d for a, d in zip(*pair, strict=True)]
            for pair in zip(moved, directions, strict=True)
        ]

    run = tilewright.function(both, target="interpreter")
    (_, _), gradients = run(moved, fixed)
    high, low = (run(at(step), fixed)[0][1] for step in (STEP, -STEP))
    for n, case in enumerate(chosen):
        slope = (float(high[n]) - float(low[n])) / (2 * STEP)
        pairs = zip(gradients[n], directions[n], strict=True)
        got = sum(float((np.asarray(g) * d).sum()) for g, d in pairs)
        np.testing.assert_allclose(got, slope, 1e-6, 1e-7, err_msg=case.name)


def test_table_of_classic_operators() -> None:
    """Each name on the right of the table, and each name that is said to be equal, exists here."""
    page = (Path(__file__).parents[2] / "docs" / "from-tvm.md").read_text()
    section = page.partition("\n## Operators\n")[2].partition("\n## ")[0]
    same = section.partition("the same name in `ops`:\n")[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    equal, other = _quoted(same), [name for left, _ in rows for name in _quoted(left)]
    assert len({*equal, *other}) == len(equal) + len(other) >= 260
    ours = [name for _, right in rows for name in _quoted(right) if name.isidentifier()]
    assert {*equal, *ours} - {*dir(ops)} == set()


def _quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_random_numbers() -> None:
    def draws(logits: Any) -> Any:
        key = ops.random_key(7)
        first, second = ops.random_split(key)
        numbers = (
            ops.random_uniform(first, (3000,), -1, 3),
            ops.random_normal(second, (3000,), 5, 2),
        )
        kept = ops.dropout(first, ops.ones((3000,)), 0.25)
        return first, second, *numbers, kept, ops.random_multinomial(first, logits, 3000)

    logits = np.log(np.float32([[0.1, 0.6, 0.3]]))
    first, second, uniform, normal, kept, drawn = map(
        np.asarray, tilewright.function(draws, target="interpreter")(logits)
    )
    assert len({*first.tolist(), *second.tolist()}) == 4
    for sample, mean, deviation in ((uniform, 1, 4 / 12**0.5), (normal, 5, 2), (kept, 1, 3**-0.5)):
        np.testing.assert_allclose((sample.mean(), sample.std()), (mean, deviation), atol=0.12)
    assert {*kept.tolist()} == {0, np.float32(4 / 3)}
    shares = np.bincount(drawn[0], minlength=3) / drawn.size
    np.testing.assert_allclose(shares, [0.1, 0.6, 0.3], atol=0.03)


def test_wrong_arguments() -> None:
    x = te.placeholder((2, 3, 5), name="x")
    wrong = {
        "axis is outside": lambda: ops.sort(x, 3),
        "ops.nonzero: the size of the result depends on data": lambda: ops.nonzero(x),
        "ops.take: unknown mode": lambda: ops.take(x, x, mode="last"),
        "ops.einsum: label 'i' repeats": lambda: ops.einsum("iij->j", x),
        "rank of a term": lambda: ops.einsum("ij->i", x),
        "ops.matrix_set_diag: wrong shape": lambda: ops.matrix_set_diag(x, x),
        "blocks do not divide": lambda: ops.space_to_batch_nd(x, (2,), [(0, 0)]),
        "the batch is no multiple": lambda: ops.batch_to_space_nd(x, (3,), [(0, 0)]),
        "the layouts do not fit": lambda: ops.layout_transform(x, "NCH", "NHWC"),
        "one stride per axis": lambda: ops.dilate(x, (2, 2)),
        "shorter than its padding": lambda: ops.mirror_pad(x, [(3, 0)], symmetric=True),
        "the stride is 0": lambda: ops.strided_slice(x, (0,), (1,), (0,)),
        "does not broadcast": lambda: ops.sum_to(x, (2,)),
        "elements or blocks": lambda: ops.sparse_dense(x, te.placeholder((2, 2)), x, x),
        "the number of elements differs": lambda: ops.sparse_reshape(x, (4, 4), (3, 5)),
        "strides is one number or a list of one": lambda: ops.max_pool(x, 2, strides=(1, 2)),
        "the kernel is even": lambda: ops.correlation(x, x, displacement=1, kernel=2),
        "each box depends on all better ones": lambda: ops.non_max_suppression(
            te.placeholder((1, 4, 6)), te.placeholder((1,), "int32")
        ),
        "unknown method": lambda: ops.crop_and_resize(x, x, x, (2, 2), method="cubic"),
        "no probability": lambda: ops.dropout(ops.random_key(0), x, 1.0),
    }  # fmt: skip
    for message, run in wrong.items():
        with pytest.raises(TilewrightError, match=message):
            run()
