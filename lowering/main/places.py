"""The printed values of main: addresses of buffers, sizes and iteration numbers.

In: the values that the ops of main define.  Out: the printed value of an SSA value at each use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.ir import OpResult, SSAValue

from ...dialects.packed import AllocOp, ConstantOp, ViewOp
from ...dialects.weights import WeightAttr
from ...support.diagnostics import LoweringError
from ...support.locations import node_names
from .printer import MemoryForms, Value


@dataclass(frozen=True)
class _BufferLocation:
    """Where a buffer is: in an argument of main, in the weights, or in the arena.

    kind: which of the three.
    offset: the number of the argument, or an offset in bytes.  For a buffer of symbolic sizes: its
    packed.alloc, whose offset is an entry of the table of sizes.
    stage: the stage of main whose arena block contains the buffer.
    """

    kind: Literal["argument", "weight", "buffer"]
    offset: int | AllocOp
    stage: int = 0


class Places:
    """The printed value of each SSA value of main; for a buffer, its location.

    The address of a buffer is printed anew at each use of the buffer, because LLVM takes quadratic
    time for values with long live ranges.
    """

    def __init__(
        self,
        arguments: Sequence[SSAValue],
        weight_offsets: Mapping[WeightAttr, int],
        printer: MemoryForms,
    ) -> None:
        self._weight_offsets, self._printer = weight_offsets, printer
        self._names: dict[SSAValue, str] = {}
        self._values: dict[SSAValue, Value | _BufferLocation] = {
            argument: _BufferLocation("argument", position)
            for position, argument in enumerate(arguments)
        }

    def name(self, value: SSAValue, load: Callable[[AllocOp], Value]) -> Value:
        """Return the printed value of an SSA value; for a buffer, print and return its address.

        load: prints a load of a buffer's offset from the table of sizes, and returns the printed
        offset.
        """
        found = self._values[value]
        if isinstance(found, str):
            return found
        name, offset = self._names.get(value, ""), found.offset
        if not isinstance(offset, int):
            return self._printer.buffer(found.stage, load(offset), name)
        if found.kind == "argument":
            return self._printer.argument(offset)
        if found.kind == "weight":
            return self._printer.weight(offset, name)
        return self._printer.buffer(found.stage, offset, name)

    def set(self, values: Iterable[SSAValue], printed: Iterable[Value]) -> None:
        """Record the printed value of each SSA value."""
        self._values.update(zip(values, printed, strict=True))

    def add_weight(self, op: ConstantOp) -> None:
        """Record the location of a weight, the result of a packed.constant.

        Errors: LoweringError for a weight without an offset.
        """
        offset = self._weight_offsets.get(op.value)
        if offset is None:
            raise LoweringError("weight has no place in the weights blob", got=op.value.key).at(op)
        self._add(op.res, _BufferLocation("weight", offset))

    def add_buffer(self, op: AllocOp, stage: int) -> None:
        """Record the location of a buffer in the arena.

        stage: the stage of main in which the buffer's sizes become known; its arena block has the
        buffer.
        Errors: LoweringError for a buffer without an offset.
        """
        if not op.below and op.offset is None:
            raise LoweringError("buffer has no place", hint="run packed-plan-memory first").at(op)
        offset = op if op.offset is None else op.offset.value.data
        self._add(op.res, _BufferLocation("buffer", offset, stage))

    def add_view(self, op: ViewOp) -> None:
        """Record that a view has the location of its operand."""
        self._values[op.res] = self._values[op.x]
        self._names[op.res] = op.res.name_hint or self._names.get(op.x, "")

    def is_argument(self, value: SSAValue) -> bool:
        """Return whether an SSA value is a buffer in an argument of main."""
        found = self._values[value]
        return isinstance(found, _BufferLocation) and found.kind == "argument"

    def is_same(self, x: SSAValue, y: SSAValue) -> bool:
        """Return whether two SSA values have the same location."""
        return self._values[x] == self._values[y]

    def _add(self, result: OpResult, place: _BufferLocation) -> None:
        name = result.name_hint or "_".join(node_names(result.op.location))
        self._values[result] = place
        self._names[result] = name
