"""Asynchronous copies from global to shared memory, which overlap with computation.

    simt.async_copy {
      %v = loop.load %x[%k * 16 + %tx * 4] : memref<1024xf32>, vector<4xf32>
      loop.store %v, %s[0, %tx * 4] : memref<2x64xf32>, vector<4xf32>
    }
    simt.async_commit
    simt.async_wait 0

In a serial interpretation, a copy loads and stores immediately.  simt.async_commit makes one group
of all copies of a thread since its last commit; simt.async_wait n waits until all groups of the
thread but the last n have arrived.  No thread accesses the copied elements before this wait; other
threads may access them after a barrier that follows the wait.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IntAttr, IntegerAttr, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ...support.diagnostics import TypeMismatch
from ..dtypes import bit_width
from ..loop import AllocOp, LoadOp, StoreOp, YieldOp
from ..loop.vectors import Number
from .sync import verify_reached_by_all

COPY_BYTES = (4, 8, 16)
"""The sizes in bytes that one asynchronous copy of a thread may have."""


@irdl_op_definition
class AsyncCopyOp(IRDLOperation):
    """Asynchronous copy of 4, 8 or 16 bytes to shared memory; a simt.async_wait waits for it.

    The region loads an element or a vector of an argument, and stores it to a shared buffer.  The
    load may have the pad 0.  Both addresses are multiples of the number of bytes.
    Errors: TypeMismatch for a region with other ops.
    """

    name = "simt.async_copy"
    body = region_def("single_block")
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @staticmethod
    def make(load: LoadOp, store: StoreOp) -> AsyncCopyOp:
        """Return a copy whose region contains these ops, which must be detached."""
        return AsyncCopyOp(regions=[Region(Block([load, store, YieldOp.create()]))])

    @property
    def load(self) -> LoadOp:
        """The load from global memory."""
        return cast(LoadOp, self.body.block.first_op)

    @property
    def store(self) -> StoreOp:
        """The store to shared memory."""
        return cast(StoreOp, self.load.next_op)

    @property
    def bytes(self) -> int:
        """The number of bytes that the op copies."""
        return copied_bytes(self.load.res.type)

    def verify_(self) -> None:
        ops = list(self.body.block.ops)
        if [type(op) for op in ops] != [LoadOp, StoreOp, YieldOp]:
            raise self._wrong("loop.load and loop.store", ", ".join(op.name for op in ops))
        if not is_copy(self.load, self.store):
            raise self._wrong(
                "a plain load of an argument, at most with the pad 0, and its store to a buffer "
                "in shared memory",
                f"{self.load}; {self.store}",
            )
        if self.bytes not in COPY_BYTES:
            raise self._wrong(f"{', '.join(map(str, COPY_BYTES))} bytes", str(self.bytes))

    def _wrong(self, expected: str, got: str) -> TypeMismatch:
        return TypeMismatch(
            "this is no asynchronous copy",
            expected=expected,
            got=got,
            hint="load and store without simt.async_copy",
        ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=False)

    @classmethod
    def parse(cls, parser: Parser) -> AsyncCopyOp:
        body = parser.parse_region()
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp.create())
        return cls(regions=[body])


@irdl_op_definition
class AsyncCommitOp(IRDLOperation):
    """Commit: the copies of a thread since its last commit become one group, which may be empty.

    Errors: TypeMismatch if not all threads of the block reach the op, as for simt.barrier.
    """

    name = "simt.async_commit"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        verify_reached_by_all(self)


@irdl_op_definition
class AsyncWaitOp(IRDLOperation):
    """Wait until all groups of copies of the thread, except for the last ``pending``, have arrived.

    Errors: TypeMismatch for a negative number, or as for simt.async_commit.
    """

    name = "simt.async_wait"
    pending = prop_def(IntAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (Number,)
    assembly_format = "custom<Number>($pending) attr-dict"

    def __init__(self, pending: int) -> None:
        super().__init__(properties={"pending": IntAttr(pending)})

    def verify_(self) -> None:
        if self.pending.data < 0:
            raise TypeMismatch(
                "a thread waits for no such group",
                expected="the number of groups that may go on: 0 or more",
                got=self.pending.data,
                hint="wait 0 to wait for all groups",
            ).at(self)
        verify_reached_by_all(self)


def copied_bytes(type_: Attribute) -> int:
    """Return the number of bytes of a value of a scalar or vector type."""
    lanes, element = 1, type_
    if isinstance(type_, VectorType):
        lanes, element = type_.get_shape()[0], type_.element_type
    return lanes * bit_width(element) // 8


def is_copy(load: LoadOp, store: StoreOp) -> bool:
    """Return whether a load from an argument and a store to shared memory form a copy."""
    source, target = load.mem, store.mem.owner
    is_argument = isinstance(source, BlockArgument) and isinstance(source.block.parent_op(), FuncOp)
    is_shared = isinstance(target, AllocOp) and target.scope.data == "shared"
    return (
        is_argument
        and is_shared
        and store.value is load.res
        and set(store.properties) == {"map"}
        and set(load.properties) <= {"map", "pad"}
        and _is_zero(load.pad)
    )


def _is_zero(pad: Attribute | None) -> bool:
    if pad is None:
        return True
    # A copy pads with bytes of 0, which -0.0 is not.
    return str(cast("IntegerAttr", pad).value.data) in ("0", "0.0")
