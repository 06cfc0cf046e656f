"""Programs of a single kernel: a main function that calls the kernel once, with random weights.

In: the printed module of a `Task`, and a schedule.  Out: a module that the compiler lowers from the
stage that applies schedules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.dtypes import numpy_dtype
from ..dialects.packed import CallOp, ConstantOp
from ..dialects.results import ARG_DTYPES, RESULT_DTYPES, record_dtypes
from ..dialects.te import ComputeOp, KernelOp, kernels_of
from ..dialects.weights import WeightAttr
from ..driver.request import OwnModule, Request, request_for
from ..interp.compare import expect_close
from ..interp.memory import aligned_bytes
from ..interp.scalar import random_array
from ..machines.target import Target
from ..passes.schedule.match_schedules import use_schedules
from ..support.entry import mark_entry
from ..support.ir_parser import IrParser
from ..support.registry import new_context
from ..support.schedule_files import ScheduleFile

Array = np.ndarray[Any, Any]

_FIRST_STAGE = "schedule"
"""The stage of the pipeline where these programs start."""

_MAIN = "tune_main"

KEPT = 16
"""Kernels whose programs and arrays a process keeps: a search alternates between kernels."""


def parsed_kernel(text: str) -> tuple[ModuleOp, KernelOp]:
    """Parse the printed module of a task; return it, and its kernel in buffer form."""
    module = IrParser(new_context(), text, "the kernel of a task").parse_module()
    (kernel,) = kernels_of(module)
    return module, kernel


def kernel_program(text: str, schedule: str) -> ModuleOp:
    """Return a program that calls a kernel once, with a given schedule.

    text: the printed module of a task, with the kernel.
    schedule: the text of a schedule file: intrinsics and a script; empty for no schedule.
    Errors: ScheduleError for a schedule that does not parse.  The compiler refuses illegal steps.
    """
    module = _unscheduled(text).clone()
    if schedule:
        file = ScheduleFile(schedule, "the candidate")
        use_schedules(module, [file], new_context(), trial=False)
    return module


@lru_cache(maxsize=KEPT)
def _unscheduled(text: str) -> ModuleOp:
    """Return a program that calls a kernel once, without a schedule; callers must clone it."""
    module, kernel = parsed_kernel(text)
    module.body.block.add_op(_main(kernel))
    return module


def kernel_request(module: ModuleOp, target: str) -> Request:
    """Return the request to compile a program of `kernel_program` for a target."""
    source = OwnModule(module, start=_FIRST_STAGE)
    return request_for(source, target=Target(target), cache=False, strict_plan=True)


def outputs_of(kernel: KernelOp) -> tuple[int, ...]:
    """Return the numbers of the arguments of a kernel that its computes write.

    kernel: a kernel in buffer form, whose results are arguments.
    """
    written = {v for op in kernel.body.walk() if isinstance(op, ComputeOp) for v in op.outs}
    return tuple(n for n, arg in enumerate(kernel.body.block.args) if arg in written)


def check_results(got: Sequence[Array], wanted: Sequence[Array]) -> None:
    """Compare the outputs of a candidate, ``got``, with the outputs of the reference, ``wanted``.

    Errors: TilewrightError if they differ by more than the rounding errors of another summation
    order.
    """
    for number, (ours, theirs) in enumerate(zip(got, wanted, strict=True)):
        expect_close(ours, theirs, f"result {number} of the candidate")


def random_buffer(type_: Attribute, rng: np.random.Generator) -> Array:
    """Return an aligned buffer with the elements of `random_array`."""
    assert isinstance(type_, MemRefType), "kernels in buffer form take buffers"
    made = random_array(type_.get_shape(), numpy_dtype(type_.get_element_type()), rng)
    copy = aligned_bytes(made.nbytes).view(made.dtype).reshape(made.shape)
    copy[...] = made
    return copy


def _main(kernel: KernelOp) -> FuncOp:
    """Return a main function whose arguments are the inputs, then the outputs of a kernel."""
    types = [arg.type for arg in kernel.body.block.args]
    constants, outputs = kernel.constant_positions, outputs_of(kernel)
    inputs = [n for n in range(len(types)) if n not in constants and n not in outputs]
    order = [*inputs, *outputs]
    block = Block(arg_types=[types[n] for n in order])
    values: dict[int, SSAValue] = dict(zip(order, block.args, strict=True))
    rng = np.random.default_rng(0)
    for n in constants:
        weight = ConstantOp(WeightAttr.of(random_buffer(types[n], rng)), types[n])
        block.add_op(weight)
        values[n] = weight.res
    call: Operation = CallOp(kernel.label, [values[n] for n in range(len(types))], [])
    block.add_ops([call, ReturnOp()])
    main = FuncOp(_MAIN, ([types[n] for n in order], []), Region(block))
    for name, numbers in ((ARG_DTYPES, inputs), (RESULT_DTYPES, outputs)):
        elements = [cast("MemRefType[Any]", types[n]).get_element_type() for n in numbers]
        record_dtypes(main, name, elements)
    mark_entry(main)
    return main
