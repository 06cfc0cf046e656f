"""Op cases as programs for other instruction sets, in emulators, against the graph interpreter.

One program computes many cases, because most of the time of such a test is the start of the
compiler and of the emulator.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp

from tilewright import compile_module
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.shape import tensor_type
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.machines.emulators import emulator_name
from tilewright.machines.target import Target
from tilewright.tools.emulation import run_emulated

from ..sweeps import is_sample
from .case import OpCase, assert_close, np_dtype
from .cases import CASES

RVV = "riscv64 -mattr=+v"
TARGETS = (
    "aarch64",
    "aarch64 -mattr=+sve -vector-bits=256",
    "riscv64",
    RVV,
    "loongarch64",
    "ppc64le",
    "s390x",
    "z14",
)
NOT_TRANSLATED = frozenset(
    ("div_i32", "mod_i32", "fmod_i32", "grid_sample_nearest_border",
     "grid_sample_linear_reflection", "grid_sample_cubic_zeros", "grid_sample_3d",
     "roi_align_avg_2", "roi_align_avg_0", "roi_align_max_1", "deform_columns")
)  # fmt: skip
"""The cases that QEMU 7.2 cannot translate for vectors of RISC-V: ctx->insn_start is NULL."""
FREQUENT = ("aarch64", "riscv64", "s390x")
"""The targets of every test run."""
PART = 40
"""The number of cases of a program."""
SAMPLE = [case for case in CASES if is_sample(case.name, 18)]


def joined(cases: Sequence[OpCase]) -> ModuleOp:
    """Return a module whose function ``main`` computes all cases."""
    types = [
        tensor_type(element_type(np_dtype(each.dtype)), each.shape)
        for case in cases
        for each in case.inputs
    ]
    func = FuncOp("main", (types, []))
    arguments = iter(func.body.block.args)
    ops = [case.build(*(next(arguments) for _ in case.inputs)) for case in cases]
    func.body.block.add_ops([*ops, ReturnOp(*(result for op in ops for result in op.results))])
    func.update_function_type()
    return ModuleOp([func])


def computes_size(case: OpCase) -> bool:
    """Return whether an op computes a size. All cases give it the same symbol."""
    _, func = case.function()
    return any("?" in str(each) for each in func.function_type.outputs)


def check(cases: Sequence[OpCase], text: str) -> None:
    """Run the cases as one program, but those that compute sizes as programs of their own."""
    run = [case for case in cases if text != RVV or case.name not in NOT_TRANSLATED]
    check_program([case for case in run if not computes_size(case)], text)
    for case in filter(computes_size, run):
        check_program([case], text)


def check_program(cases: Sequence[OpCase], text: str) -> None:
    target = Target(text)
    if shutil.which(emulator_name(target)) is None:
        pytest.skip(f"needs {emulator_name(target)} (apt-get install qemu-user)")
    module = compile_module(joined(cases), target=target)
    given = [array for case in cases for array in case.arrays()]
    inputs = {spec.name: array for spec, array in zip(module.inputs, given, strict=True)}
    made = iter(run_emulated(module, inputs, {}, text).outputs.values())
    for case in cases:
        _, func = case.function()
        for want in run_graph(func, *case.arrays()):
            got = next(made)
            if case.ulp <= 1:
                assert_close(got, want, case.ulp)
            else:
                expect_close(got, np.asarray(want), case.name)


@pytest.mark.parametrize("target", FREQUENT)
def test_programs_give_what_the_interpreter_gives(target: str) -> None:
    check(SAMPLE, target)


@pytest.mark.nightly
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("first", range(0, len(CASES), PART))
def test_programs_of_all_cases_give_what_the_interpreter_gives(first: int, target: str) -> None:
    check(CASES[first : first + PART], target)
