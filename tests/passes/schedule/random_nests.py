"""Random legal schedules of the classic primitives, and the kernels of eight families.

    python -m tests.passes.schedule.random_nests --count 200

compares every scheduled kernel with the interpreter's result of the kernel as written: integers
exactly, floats on small integers exactly too, softmax within a bound.  ``--native N`` also runs
the machine code of the first N schedules of a family.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.parser import Parser

import tilewright
from tilewright import ops, te
from tilewright.interp.te import run_kernel
from tilewright.passes.schedule.nest import is_reduced, nest_of
from tilewright.passes.schedule.nest_edit import cuttable, fusible
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context

from .kernels import example_inputs

Tensors = Sequence[Any]
Random = random.Random

LANES = (1, 2, 4, 8, 16)


def size(rng: Random, most: int = 24) -> int:
    """An extent: small ones, primes and powers of two alike."""
    return rng.choice([1, 2, 3, 5, 7, 8, 12, 13, 16, 17, 24, 31, 32, 48, 64][: 4 + most // 4])


def dtype_of(rng: Random) -> str:
    return rng.choice(["float32", "int32"])


def elementwise(rng: Random) -> Tensors:
    m, n, dtype = size(rng, 44), size(rng, 44), dtype_of(rng)
    a, b = te.placeholder((m, n), dtype, name="A"), te.placeholder((n,), dtype, name="B")
    t = te.compute((m, n), lambda i, j: a[i, j] + b[j], name="T")
    return [te.compute((m, n), lambda x, y: t[x, y] * t[x, y] - b[y], name="O")]


def matmul(rng: Random) -> Tensors:
    m, n, k, dtype = size(rng), size(rng), size(rng), dtype_of(rng)
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    bias = te.placeholder((n,), dtype, name="bias")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r) + bias[j], name="T")
    return [te.compute((m, n), lambda x, y: te.maximum(c[x, y], te.const(0, dtype)), name="O")]


def conv(rng: Random) -> Tensors:
    c, o, h, w, dtype = (
        size(rng, 4),
        size(rng, 8),
        size(rng, 12) + 2,
        size(rng, 12) + 2,
        dtype_of(rng),
    )
    pad, stride = rng.choice([0, 1]), rng.choice([1, 2])
    x = te.placeholder((c, h, w), dtype, name="X")
    f = te.placeholder((o, c, 3, 3), dtype, name="W")
    oh, ow = (h + 2 * pad - 3) // stride + 1, (w + 2 * pad - 3) // stride + 1
    zero = te.const(0, dtype)

    def at(i: Any, p: Any, q: Any) -> Any:
        if not pad:
            return x[i, p, q]
        inside = te.all(p >= pad, p < h + pad, q >= pad, q < w + pad)
        return te.if_then_else(inside, x[i, p - pad, q - pad], zero)

    t = te.compute((c, h + 2 * pad, w + 2 * pad), at, name="T")
    rc, ry, rx = (te.reduce_axis((0, n), name=a) for n, a in ((c, "rc"), (3, "ry"), (3, "rx")))
    return [
        te.compute(
            (o, oh, ow),
            lambda i, p, q: te.sum(
                t[rc, p * stride + ry, q * stride + rx] * f[i, rc, ry, rx], axis=[rc, ry, rx]
            ),
            name="O",
        )
    ]


def pooling(rng: Random) -> Tensors:
    c, h, w, dtype = size(rng, 8), size(rng, 16) + 3, size(rng, 16) + 3, dtype_of(rng)
    x = te.placeholder((c, h, w), dtype, name="X")
    t = te.compute((c, h, w), lambda i, p, q: x[i, p, q] + x[i, p, q], name="T")
    ry, rx = te.reduce_axis((0, 2), name="ry"), te.reduce_axis((0, 3), name="rx")
    oh, ow = (h - 2) // 2 + 1, w - 2
    return [
        te.compute(
            (c, oh, ow),
            lambda i, p, q: te.max(t[i, p * 2 + ry, q + rx], axis=[ry, rx]),
            name="O",
        )
    ]


def softmax(rng: Random) -> Tensors:
    m, n = size(rng), size(rng, 44)
    x = te.placeholder((m, n), "float32", name="X")
    k, r = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="r")
    top = te.compute((m,), lambda i: te.max(x[i, k], axis=k), name="M")
    e = te.compute((m, n), lambda i, j: te.exp(x[i, j] - top[i]), name="E")
    s = te.compute((m,), lambda i: te.sum(e[i, r], axis=r), name="S")
    return [te.compute((m, n), lambda i, j: e[i, j] / s[i], name="O")]


def reduction(rng: Random) -> Tensors:
    m, n, k, dtype = size(rng), size(rng, 12), size(rng), dtype_of(rng)
    x = te.placeholder((m, n, k), dtype, name="X")
    a, b = te.reduce_axis((0, n), name="a"), te.reduce_axis((0, k), name="b")
    combine = rng.choice([te.sum, te.max, te.min])
    t = te.compute((m,), lambda i: combine(x[i, a, b], axis=[a, b]), name="T")
    return [te.compute((m,), lambda j: t[j] + t[j], name="O")]


def argmax(rng: Random) -> Tensors:
    m, n = size(rng), size(rng, 44)
    x = te.placeholder((m, n), dtype_of(rng), name="X")
    k = te.reduce_axis((0, n), name="k")
    return [te.compute((m,), lambda i: te.argmax(x[i, k], axis=k), name="O")]


def scan(rng: Random) -> Tensors:
    """Running sums along the middle axis of twice the input."""
    shape, dtype = (size(rng), size(rng), size(rng, 12)), dtype_of(rng)
    x = te.placeholder(shape, dtype, name="X")
    t = te.compute(shape, lambda i, j, k: x[i, j, k] + x[i, j, k], name="T")
    return [ops.cumulative(t, kind="sum", axis=1, name="O")]


FAMILIES: dict[str, Callable[[Random], Tensors]] = {
    "elementwise": elementwise,
    "matmul": matmul,
    "conv": conv,
    "pooling": pooling,
    "softmax": softmax,
    "reduction": reduction,
    "argmax": argmax,
    "scan": scan,
}


class Drawn:
    """A random schedule: a program of a family with random sizes, and random steps."""

    def __init__(self, family: str, seed: int) -> None:
        self.family, self.seed = family, seed
        self.rng = random.Random(f"{family} {seed}")
        self.tensors = FAMILIES[family](self.rng)
        self.schedule = te.Schedule(self.tensors)
        self.refused: list[str] = []
        self.marked_vector: set[str] = set()
        for _ in range(self.rng.randint(1, 12)):
            self._step()

    def _step(self) -> None:
        rng, s = self.rng, self.schedule
        stage = s[rng.choice([n for n in s.stages if not n.endswith("_fill")])]
        views = [op.view() for op in s.kernel_of(stage.name).made.computes(stage.name)]
        if not views:
            return
        view = views[0]
        legal, loops = cuttable(view), nest_of(view).axes
        steps: list[Callable[[], object]] = [self._placement(stage.name)]
        if legal:
            axis = rng.choice(legal)
            steps += [
                lambda: stage.split(axis, factor=rng.randint(1, 20)),
                lambda: stage.split(axis, nparts=rng.randint(1, 6)),
                lambda: stage.unroll(axis),
                lambda: stage.vectorize(axis, rng.choice(LANES)),
            ]
        if len(loops) > 1:
            moved = rng.sample(loops, rng.randint(2, len(loops)))
            steps += [lambda: stage.reorder(*moved)] * 2
        if pairs := [p.strip("[]").split(", ") for p in fusible(view)]:
            pair = rng.choice(pairs)
            steps.append(lambda: stage.fuse(*pair))
        if free := [a for a in legal if not is_reduced(view, a)]:
            outer = free[0]
            thread = rng.choice(["blockIdx.x", "threadIdx.y"])
            steps += [lambda: stage.parallel(outer), lambda: stage.bind(outer, thread)]
        try:
            rng.choice(steps)()
        except ScheduleError as err:
            self.refused.append(err.rule)

    def _placement(self, name: str) -> Callable[[], object]:
        """Return a step that moves a stage to another one, inlines it, or buffers it."""
        rng, s = self.rng, self.schedule
        other = rng.choice(s.stages)
        stage, target = s[name], s[other]

        def at() -> None:
            stage.compute_at(target, rng.choice(target.loops or ["none"]))

        def reverse() -> None:
            stage.reverse_compute_at(target, rng.choice(target.loops or ["none"]))

        steps = [stage.compute_inline, stage.compute_root, stage.cache_write]
        return rng.choice([at, at, at, reverse, reverse, *steps])

    def check(self) -> None:
        """Compare the scheduled kernels with those as written."""
        for plain, kernel in zip(self.schedule.plain_kernels, self.schedule.kernels, strict=True):
            kernel.verify()
            text = str(kernel)
            assert str(Parser(new_context(), text).parse_module().body.block.first_op) == text
            expected = example_inputs(plain, self.seed)
            got = [a.copy() for a in expected]
            run_kernel(plain, *expected)
            run_kernel(kernel, *got)
            rtol = 1e-5 if self.family == "softmax" else 0
            for a, b in zip(got, expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=rtol, atol=0)

    def check_native(self) -> bool:
        """Run the machine code; False for a schedule whose compute_at waits for another one."""
        if self.schedule.waiting:
            return False
        module = tilewright.build(self.schedule, cache=False)
        rng = np.random.default_rng(self.seed)
        (plain,) = (tilewright.build(list(self.tensors), cache=False),)
        arrays = [rng.integers(-3, 4, spec.shape).astype(spec.dtype) for spec in module.inputs]
        got, expected = module(*arrays), plain(*arrays)
        rtol = 1e-5 if self.family == "softmax" else 0
        np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=rtol, atol=0)
        return True


def main() -> None:
    """Check random schedules of every family, and say which seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--native", type=int, default=0)
    parser.add_argument("--family", choices=list(FAMILIES))
    options = parser.parse_args()
    for family in [options.family] if options.family else FAMILIES:
        steps = refused = compiled = 0
        for seed in range(options.start, options.start + options.count):
            drawn = Drawn(family, seed)
            try:
                drawn.check()
                if seed - options.start < options.native:
                    compiled += drawn.check_native()
            except Exception:
                print(f"{family} seed {seed}\n{drawn.schedule.script}")
                raise
            steps += sum(len(s.steps) for s in drawn.schedule.scripts)
            refused += len(drawn.refused)
        last = options.start + options.count - 1
        print(
            f"{family}: seeds {options.start}..{last} equal, {steps} steps, {refused} refused, "
            f"{compiled} in machine code",
            flush=True,
        )


if __name__ == "__main__":
    main()
