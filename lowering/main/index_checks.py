"""Lower the index checks of main: scan a buffer, and report the first index out of range.

    packed.check_indices %x below [3000] wraps of "Gather 'words'" : memref<1x9xi64>
==>
    printer.check_indices("i64", x, *printer.check_table(Check("Gather 'words'", (1, 9), …)))

In: a check in main.  Out: a printed call.  The printed module has a function that compares
the elements of a buffer with their range as unsigned integers, and finds the first index out of
range in column order.  The runtime function ``tw_fail_index`` (entry.c) reports that element as an
IndexError.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...dialects.packed import CheckIndicesOp
from ...dialects.shape import Extent, dims_of, element_count, extent_of, symbols_of
from .printer import CallForms, Check, Value


class Values(Protocol):
    """The printed values of main's buffers and sizes, which the lowering of an op needs."""

    def name(self, value: SSAValue) -> Value:
        """Return the printed value of an SSA value."""
        ...

    def size(self, extent: Extent) -> Value:
        """Return the printed value of a size."""
        ...

    def sizes(self, sizes: Sequence[Extent]) -> Value:
        """Return the address of a part of the table of sizes that contains these sizes in order."""
        ...


def check_indices(op: CheckIndicesOp, values: Values, printer: CallForms) -> None:
    """Print an index check: main ends with an error if an index in a buffer is out of range.

    values: returns the printed values of main's buffers and sizes.
    """
    type_ = cast("MemRefType", op.x.type)
    count = extent_of(element_count(dims_of(type_)))
    if count == 0:
        return
    sizes, shape = _distinct(op), type_.get_shape()
    static = tuple(size for size in sizes if isinstance(size, int))
    check = Check(op.place, tuple(shape), prod(shape), static, len(sizes), op.wraps)
    table, bounds = printer.check_table(check)
    if symbols_of(type_):
        table = printer.sized_check(table, values.sizes(dims_of(type_)), values.size(count))
    if op.bounds is not None:
        bounds = values.name(op.bounds)
    elif len(static) < len(sizes):
        bounds = values.sizes(sizes)
    element = str(type_.get_element_type())
    printer.check_indices(element, values.name(op.x), table, bounds)


def _distinct(op: CheckIndicesOp) -> tuple[Extent, ...]:
    """Return the bounds of the indices: the number of valid indices for each column of the buffer.

    If the bounds of all columns are equal, the result has one item.
    """
    return op.sizes[:1] if op.bounds is None and len(set(op.sizes)) == 1 else op.sizes
