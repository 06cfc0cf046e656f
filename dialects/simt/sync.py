"""Synchronization of the threads of a block.

    simt.barrier shared

simt-place-barriers inserts barriers between statements through which threads exchange data.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ...support.blocks import enclosing
from ...support.diagnostics import TypeMismatch
from .. import loop

ASYNC = "async"
"""The kind of barrier that makes stored elements visible to later warpgroup matrix products."""
FENCES = ("shared", "global", ASYNC)
"""The kinds of barriers, by the accesses that they order.

Accesses to shared memory; also accesses to global memory; also shared-memory reads of later
warpgroup products.
"""


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """Barrier of all threads of a block; accesses before it are complete before accesses after it.

    fence: ``shared`` orders accesses to shared memory, ``global`` also those to global memory, and
    ``async`` also reads of shared memory by later products of warpgroups.
    Errors: TypeMismatch for an unknown fence, or for a barrier that not all threads of the block
    reach: in a branch, or in a loop that is bound to threads.
    """

    name = "simt.barrier"
    fence = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, fence: str = FENCES[0]) -> None:
        super().__init__(properties={"fence": StringAttr(fence)})

    def verify_(self) -> None:
        if self.fence.data not in FENCES:
            raise TypeMismatch(
                "a barrier orders accesses to no such memory",
                expected=", ".join(FENCES),
                got=self.fence.data,
                hint="use one of these",
            ).at(self)
        verify_reached_by_all(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.fence.data}")

    @classmethod
    def parse(cls, parser: Parser) -> BarrierOp:
        return cls(parser.parse_identifier("a memory"))


def verify_reached_by_all(op: IRDLOperation) -> None:
    """Check that all threads of a block reach an op.

    Errors: TypeMismatch for an op in a branch, or in a loop that is bound to threads.
    """
    what = "barrier" if isinstance(op, BarrierOp) else "op"
    for around in enclosing(op):
        place = ""
        if isinstance(around, loop.IfOp):
            place = "a loop.if"
        elif isinstance(around, loop.ForOp) and is_bound_to_threads(around):
            place = "a loop that is bound to threads"
        if place:
            raise TypeMismatch(
                f"not all threads of the block reach the {what}",
                expected="the body of the kernel or a serial loop",
                got=place,
                hint=f"move the {what} out of it",
            ).at(op)


def is_bound_to_threads(op: loop.ForOp) -> bool:
    """Return whether the iterations of a loop run on different threads of a block."""
    return op.thread is not None and op.thread.data.startswith("threadIdx")
