"""Lower packed.extern: calls by the packed-function ABI through a table of functions.

In: the calls in main.  Out: printed calls (printer.py).  The exported table of functions has a slot
with a code address and a handle for each function. The module's loader fills the slots; a call
through an empty slot reports the missing name. Tensors are passed as DLPack tensors, strings,
integers and floats as values. The result of the function is dropped. A status other than 0 ends the
run: -1 means that the callee has reported the error.
"""

from __future__ import annotations

import struct

from xdsl.dialects.builtin import (
    FloatAttr,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.packed import ExternOp
from ...dialects.shape import DimsAttr, dims_of, extent_of, symbols_of
from ...runtime.abi.constants import DTYPES, TypeIndex
from ...support.diagnostics import LoweringError
from .index_checks import Values
from .printer import MainPrinter


class Externs:
    """The functions of the process that main calls.

    A function's slot, its number in the exported table of functions, is its position in ``names``.
    """

    def __init__(self) -> None:
        self.names: list[str] = []

    def call(self, op: ExternOp, values: Values, printer: MainPrinter) -> None:
        """Print a call of a function of the process, after the stores of its arguments.

        values: returns the printed values of main's buffers and sizes.
        Errors: LoweringError for a dtype without a DLPack code.
        """
        name = op.function_name
        if name not in self.names:
            self.names.append(name)
        for number, (value, dtype) in enumerate(zip(op.arguments, op.dtype_names, strict=True)):
            if dtype not in DTYPES:
                raise LoweringError("a dtype cannot be passed to a function", got=dtype).at(op)
            _tensor(number, value, dtype, values, printer)
        for number, attribute in enumerate(op.pattern):
            _argument(number, attribute, values, printer)
        printer.call_extern(self.names.index(name), name, len(op.pattern))


def _tensor(number: int, value: SSAValue, dtype: str, values: Values, printer: MainPrinter) -> None:
    """Print the code that describes a buffer as a DLPack tensor, in row ``number`` of a table.

    value: the buffer.  dtype: the name of its element type.  values: returns the printed values of
    main's buffers and sizes.
    """
    assert isinstance(value.type, MemRefType), f"main is not bufferized: {value.type}"
    sizes, (code, bits) = value.type.get_shape(), DTYPES[dtype]
    is_dynamic = bool(symbols_of(value.type))
    shape = values.sizes(dims_of(value.type)) if is_dynamic else printer.constant_sizes(sizes)
    type_ = code | bits << 8 | 1 << 16
    printer.store_tensor(number, values.name(value), type_, len(sizes), shape)


def _argument(number: int, attribute: Attribute, values: Values, printer: MainPrinter) -> None:
    """Print the store of argument ``number`` of a call of a function of the process.

    attribute: what to pass: a constant, a size, or a tensor by the number of its row in the table
    of tensors.
    values: returns the printed values of main's buffers and sizes.
    """
    match attribute:
        case IntAttr():
            printer.tensor_argument(number, attribute.data)
        case DimsAttr():
            size = values.size(extent_of(attribute.data[0]))
            printer.number_argument(number, TypeIndex.INT, size)
        case IntegerAttr():
            kind = TypeIndex.BOOL if attribute.type == i1 else TypeIndex.INT
            value = attribute.value.data
            value = abs(value) if kind is TypeIndex.BOOL else value
            printer.number_argument(number, kind, str(value))
        case FloatAttr():
            (bits,) = struct.unpack("<q", struct.pack("<d", attribute.value.data))
            printer.number_argument(number, TypeIndex.FLOAT, str(bits))
        case StringAttr():
            printer.text_argument(number, attribute.data)
        case _:
            raise LoweringError("a function is not called with this", got=attribute)
