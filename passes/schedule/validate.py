"""Validate a schedule step by step: each step must preserve the results of the kernel.

The interpreter runs the kernel before and after each step.  Integers must be equal; floats may
differ by the effect of another summation order.  Weights that the schedule packs are packed before
the run, and are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ...dialects.dtypes import is_bool, is_float, numpy_dtype
from ...dialects.sched import ScriptOp, StepOp
from ...dialects.shape import size_parameters
from ...dialects.sizes import bound_kernel
from ...dialects.te import AtOp, ComputeOp, KernelOp, TensorOp, intrinsics_around
from ...interp.compare import expect_close
from ...interp.te import run_kernel
from ...support.diagnostics import ScheduleError, TilewrightError
from ..packed.pack_constants import pack_array
from .interpreter import apply_script
from .one_trip_loops import inline_one_trip_loops

Array: TypeAlias = NDArray[Any]


def check_script(
    kernel: KernelOp, script: ScriptOp, inputs: Sequence[Array] | None = None
) -> KernelOp:
    """Apply a script to a copy of a kernel, run the copy after every step, and return it.

    inputs: one array per argument, by default random arrays (`kernel_inputs`).
    Errors: ScheduleError that names the first step after which an argument has other values, with a
    program that reproduces the difference; the errors of apply_script for an illegal step.
    Cost: one run of the interpreter per step.
    """
    check = KernelCheck(kernel, inputs)
    copy = kernel.clone()
    apply_script(script, copy, observe=lambda step: check.after_step(copy, script, step))
    inline_one_trip_loops(copy)
    check.after_step(copy, script, None)
    return copy


class KernelCheck:
    """A comparison of scheduled forms of a kernel with the results of the unscheduled kernel.

    inputs: one array per argument, by default random.
    Errors: TilewrightError if the kernel cannot run on the inputs.
    """

    def __init__(self, kernel: KernelOp, inputs: Sequence[Array] | None = None) -> None:
        self.kernel = small_kernel(kernel).clone()
        self.inputs = list(inputs) if inputs is not None else kernel_inputs(self.kernel)
        self.expected = [array.copy() for array in self.inputs]
        run_kernel(self.kernel, *self.expected)

    def expect_same(self, kernel: KernelOp) -> None:
        """Verify a scheduled form of the kernel, run it and compare its results.

        Errors: TilewrightError that shows the first differing element.
        """
        kernel.verify()
        kernel = small_kernel(kernel)
        packs = {i: m for i, m in kernel.pack_maps.items() if i not in self.kernel.pack_maps}
        arrays = [
            pack_array(array, packs[i]) if i in packs else array.copy()
            for i, array in enumerate(self.inputs)
        ]
        run_kernel(kernel, *arrays)
        for i, (got, expected) in enumerate(zip(arrays, self.expected, strict=True)):
            if i not in packs:
                expect_close(got, expected, f"argument {i}")

    def after_step(self, kernel: KernelOp, script: ScriptOp, step: StepOp | None) -> None:
        """Run and compare the kernel after a step of a script, or at the script's end (step None).

        kernel: the kernel as scheduled so far.
        Errors: ScheduleError that names the step and shows the failing program.
        """
        try:
            self.expect_same(kernel)
        except VerifyException as err:
            raise self._failed(script, step, err) from err

    def _failed(self, script: ScriptOp, step: StepOp | None, err: VerifyException) -> ScheduleError:
        steps = script.steps
        count = len(steps) if step is None else steps.index(step) + 1
        place = f"step {count} of {len(steps)}, {step_text(script, step)}" if step else "the end"
        found = err if isinstance(err, TilewrightError) else None
        declared, short = intrinsics_around(script), script.clone()
        for op in reversed(short.steps[count:]):
            Rewriter.erase_op(op)
        return ScheduleError(
            "the schedule changes what the kernel computes",
            expected=found and found.expected,
            got=f"{found.rule}: {found.got}" if found else str(err),
            hint="\n".join(
                map(str, ("`tw-opt --validate` shows it on", *declared, self.kernel, short))
            ),
            where=f"@{self.kernel.label}, {place}",
        )


def small_kernel(kernel: KernelOp) -> KernelOp:
    """Return a kernel with its symbolic sizes bound to small odd numbers, 7 to 21."""
    sizes = {name: 7 + crc32(name.encode()) % 14 | 1 for name in size_parameters(kernel)}
    return cast(KernelOp, bound_kernel(kernel, sizes))


def step_text(script: ScriptOp, step: StepOp) -> str:
    """Return the line of a step in the printed script."""
    return str(script).splitlines()[1 + script.steps.index(step)].strip()


def kernel_inputs(kernel: KernelOp, seed: int = 0) -> list[Array]:
    """Return one array per argument of a kernel: normally distributed floats, small integers.

    Integers are -3 to 3, or 0 and 1 if the kernel reads at computed positions.
    seed: the seed of the random numbers.
    """
    rng = np.random.default_rng(seed)
    is_irregular = any(
        isinstance(op, AtOp) or (isinstance(op, TensorOp) and not isinstance(op, ComputeOp))
        for op in kernel.walk()
    )
    low, high = (0, 2) if is_irregular else (-3, 4)
    arrays: list[Array] = []
    for argument in kernel.body.block.args:
        type_ = cast("MemRefType[Attribute]", argument.type)
        element, shape = type_.element_type, type_.get_shape()
        if is_float(element):
            values = rng.standard_normal(shape)
        else:
            values = (
                rng.integers(0, 2, shape) if is_bool(element) else rng.integers(low, high, shape)
            )
        arrays.append(values.astype(numpy_dtype(element)))
    return arrays
