"""Exchange of values between the threads of a warp without memory.

    %w = simt.shuffle xor 16 %v : f32

The lane of a thread is its number in its warp of 32 consecutive threads.
"""

from __future__ import annotations

from itertools import takewhile
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr, f32, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.traits import is_side_effect_free

from ...support.blocks import enclosing
from ...support.diagnostics import TypeMismatch
from .. import loop
from ..loop.vectors import Number
from .ids import ThreadIdOp
from .launch import launch_of
from .mma import WARP
from .sync import is_bound_to_threads

SHUFFLED = (f32, i32)
"""The types of values that threads can exchange on all targets that have shuffles."""


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """The operand's value in the thread of the same warp whose lane is ``own lane xor mask``.

    All threads of a warp execute the op together.  It is not pure, so no pass moves it into a
    branch.
    Errors: TypeMismatch for a value that does not have 32 bits; for a mask outside 1..31; for a
    block whose size along x is not a multiple of a warp; for an op that not all threads of a warp
    reach: in a loop bound to threads, or in a branch whose condition may depend on the lane.
    """

    name = "simt.shuffle"
    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    mask = prop_def(IntAttr)
    res = result_def(T)
    custom_directives = (Number,)
    assembly_format = "`xor` custom<Number>($mask) $value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue, mask: int) -> None:
        super().__init__(
            operands=[value], properties={"mask": IntAttr(mask)}, result_types=[value.type]
        )

    def verify_(self) -> None:
        if self.value.type not in SHUFFLED:
            raise TypeMismatch(
                "the threads of a warp exchange no such values",
                expected=" or ".join(map(str, SHUFFLED)),
                got=self.value.type,
                hint="exchange values of 32 bits",
            ).at(self)
        if not 0 < self.mask.data < WARP:
            raise TypeMismatch(
                "a warp has no such lane",
                expected=f"a mask from 1 to {WARP - 1}",
                got=self.mask.data,
                hint="combine threads of different warps in shared memory",
            ).at(self)
        launch = launch_of(self)
        if launch is not None and launch.block[0] % WARP:
            raise TypeMismatch(
                "the threads of the block along x are no whole warps",
                expected=f"a multiple of {WARP}",
                got=launch.block[0],
                hint=f"bind a loop of {WARP} iterations to threadIdx.x",
            ).at(self)
        for around in takewhile(lambda each: not isinstance(each, FuncOp), enclosing(self)):
            if launch is not None and _may_diverge(around):
                raise TypeMismatch(
                    "not all threads of the warp reach the shuffle",
                    expected="the body of the kernel, a serial loop, or a branch of whole warps",
                    got=around.name,
                    hint="move it out of the branch",
                ).at(self)


def _may_diverge(op: Operation) -> bool:
    """Return whether threads of one warp may take different paths at an op with a region."""
    if isinstance(op, loop.ForOp):
        return is_bound_to_threads(op)
    return not isinstance(op, loop.IfOp) or not _is_uniform(op.condition)


def _is_uniform(value: SSAValue) -> bool:
    """Return whether a value is known to be equal in all threads of a warp.

    True for values computed from constants, sizes, and block or thread ids other than thread_id x.
    """
    if isinstance(value, BlockArgument):
        return False
    op = value.owner
    assert isinstance(op, Operation), "the owner of a result"
    if isinstance(op, ThreadIdOp) and op.position == 0:
        return False
    return is_side_effect_free(op) and not op.regions and all(map(_is_uniform, op.operands))
