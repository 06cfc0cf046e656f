"""Mutable cells of traced functions: graph.ref, graph.read and graph.write.

@tilewright.function
def total(xs):
sum = tilewright.ref(0.0)
tilewright.scan(lambda _, x: (sum.write(sum.read() + x), None), None, xs)
return sum.read()
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..dialects.graph import ReadOp, RefOp, WriteOp
from ..dialects.graph.reference import element_of
from ..dialects.shape import dims_of
from .array import Array, as_array, broadcast_to
from .trace import traced_by


class Reference:
    """A cell of a traced function, which contains an array; see `ref`."""

    def __init__(self, value: SSAValue) -> None:
        self._value = value

    def read(self) -> Array:
        """Return the array that the cell contains now."""
        trace = traced_by("a reference")
        return Array(trace.append(ReadOp, trace.local(self._value))[0])

    def write(self, value: object) -> None:
        """Replace the array by another one, which is broadcast to the shape of the cell.

        Errors: TypeMismatch for another dtype, or a shape that cannot be broadcast.
        """
        trace, type_ = traced_by("a reference"), element_of(self._value)
        array = as_array(value)
        if array.is_weak:
            array = array.astype(self.read().dtype)
        dims = dims_of(type_)
        array = broadcast_to(array, dims) if array.ndim <= len(dims) else array
        trace.append(WriteOp, trace.local(array.value), trace.local(self._value))


def ref(value: object) -> Reference:
    """Return a new mutable cell of the traced function, which contains an array.

    The functions of `cond`, `scan` and `while_loop`, and called functions, may read and write it.
    value: the first array, whose shape and dtype the cell keeps.
    Errors: when the function is compiled or differentiated, UnsupportedOp for a cell of an
    enclosing function in a gradient.
    """
    trace = traced_by("a reference")
    return Reference(trace.append(RefOp, trace.local(as_array(value).value))[0])
