"""Random legal schedules of the classic primitives, for programs of all families.

    python -m tests.passes.schedule.random_nests --count 200 [--buffers]

compares every scheduled kernel with the interpreter's result of the kernel as written: integers
exactly, floats on small integers exactly too, softmax within a bound.  ``--native N`` also runs
the machine code of the first N schedules of a family, with one and two threads.  ``--buffers``
draws, beside the primitives that arrange loops, those that make and change buffers.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.parser import Parser

import tilewright
from tilewright import te
from tilewright.dialects.te import ComputeView
from tilewright.interp.te import run_kernel
from tilewright.passes.schedule.nest import is_reduced, nest_of
from tilewright.passes.schedule.nest_edit import cuttable, fusible
from tilewright.support.diagnostics import ScheduleError
from tilewright.support.registry import new_context

from .kernels import example_inputs
from .random_programs import FAMILIES

LANES = (1, 2, 4, 8, 16)
LAYOUTS: dict[int, list[Callable[..., Any]]] = {
    1: [lambda i: (i // 4, i % 4)],
    2: [lambda i, j: (j, i), lambda i, j: (j // 4, i, j % 4), lambda i, j: (i // 3, j, i % 3)],
    3: [lambda i, j, k: (j, k, i), lambda i, j, k: (i, k // 8, j, k % 8)],
    4: [lambda i, j, k, m: (j, k, m, i)],
}
"""Layouts by rank."""


class Drawn:
    """A random schedule: a program of a family with random sizes, and random steps.

    buffers: whether steps that make and change buffers are drawn too.
    """

    def __init__(self, family: str, seed: int, *, buffers: bool = False) -> None:
        self.family, self.seed, self.buffers = family, seed, buffers
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
        if self.buffers and rng.random() < 0.5:
            self._try(self._buffer_step(stage, view))
            return
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
        self._try(rng.choice(steps))

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except ScheduleError as err:
            self.refused.append(err.rule)

    def _buffer_step(self, stage: te.Stage, view: ComputeView) -> Callable[[], object]:
        """Return a step that makes or changes a buffer, or a reduction."""
        rng, s = self.rng, self.schedule
        loops, axes = nest_of(view).axes, list(view.axes)
        reduced = [loop for loop in loops if is_reduced(view, loop)]
        extents = nest_of(view).extents(view.axes)
        others = [n for n in s.stages if n != stage.name and not n.endswith("_fill")]
        out, operand = rng.randrange(len(view.outputs)), rng.randrange(len(view.reads) or 1)
        steps: list[Callable[[], object]] = [
            lambda: stage.cache_read(operand),
            lambda: stage.cache_write(out=out),
            lambda: stage.double_buffer(out),
            lambda: stage.rolling_buffer(out),
            stage.compute_root,
            stage.compute_inline,
        ]
        if axes:
            axis, many = rng.choice(axes), rng.choice([4, 8])
            steps += [
                lambda: stage.storage_align(axis, many, rng.choice([0, 1]), out=out),
                lambda: stage.pad_einsum({axis: many}),
            ]
        if loops:
            loop = rng.choice(loops)
            first = rng.randint(0, extents[loop] // 3)
            last = rng.randint(first + 1, max(extents[loop], first + 1))
            steps += [
                lambda: stage.set_store_predicate({loop: (first, last)}),
                lambda: stage.decompose_reduction(loop),
            ]
        if reduced:
            loop, factor = rng.choice(reduced), rng.randint(1, 6)
            part = rng.choice(["inner", "outer"])
            steps += [lambda: stage.rfactor(loop)] * 2
            steps += [lambda: stage.rfactor(loop, factor=factor, part=part)] * 2
        if others:
            readers = rng.sample(others, rng.randint(1, len(others)))
            steps.append(lambda: s.cache_read(stage.name, "local", readers))
        if maps := LAYOUTS.get(len(view.outputs[0].shape)):
            layout = rng.choice(maps)
            steps.append(lambda: stage.transform_layout(layout, out=out))
        return rng.choice(steps)

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
        plain = tilewright.build(list(self.tensors), cache=False)
        rng = np.random.default_rng(self.seed)
        arrays = [rng.integers(-3, 4, spec.shape).astype(spec.dtype) for spec in module.inputs]
        rtol = 1e-5 if self.family == "softmax" else 0
        for threads in (1, 2):
            both = zip(module.run(arrays, threads=threads), plain.run(arrays), strict=True)
            for got, expected in both:
                np.testing.assert_allclose(got, expected, rtol=rtol, atol=0)
        return True


def main() -> None:
    """Check random schedules of every family, and say which seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--native", type=int, default=0)
    parser.add_argument("--family", choices=list(FAMILIES))
    parser.add_argument("--buffers", action="store_true")
    options = parser.parse_args()
    for family in [options.family] if options.family else FAMILIES:
        steps = refused = compiled = 0
        for seed in range(options.start, options.start + options.count):
            drawn = Drawn(family, seed, buffers=options.buffers)
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
