"""te.decl_tensor_intrin: declare a machine instruction by its semantics as a compute.

    a = te.placeholder((8, 2), "int16", name="a")
    b = te.placeholder((8, 2), "int16", name="b")
    r = te.reduce_axis((0, 2), name="r")
    c = te.compute((8,), lambda i: te.sum(a[i, r].astype("int32") * b[i, r].astype("int32"), r))
    pairs = te.decl_tensor_intrin(
        c,
        lambda e, c, a, b: e.add(c, e.call("llvm.x86.avx2.pmadd.wd", ("int32", 8), a, b)),
        name="pairs",
        features=["avx2"],
    )

The compute defines the value that the instruction adds to its accumulator. The Python function,
here the lambda with ``e``, builds the ops that replace the compute in generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, MemRefType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import loop
from ...dialects.dtypes import is_float
from ...dialects.te import Access, ComputeOp, IntrinsicOp
from ...dialects.te.body import YieldOp
from ...dialects.te.intrinsic import vector_of
from ...dialects.te.scalars import signless
from ...runtime.spelling import SuggestsNames
from ...support.diagnostics import TilewrightError, TypeMismatch
from .expr import parse_dtype
from .tensor import Tensor, checked_name, view_of_copy

Emit: TypeAlias = "str | Callable[..., SSAValue]"


class Emission(SuggestsNames):
    """A builder of the ops that replace an intrinsic; each op works on whole vectors."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def call(self, function: str, result: tuple[str, int], *vectors: SSAValue) -> SSAValue:
        """Call an LLVM intrinsic by name.

        result: the dtype and number of lanes of the result.
        """
        dtype, lanes = result
        type_ = loop.vector_type(lanes, signless(parse_dtype(dtype)))
        return self._add(loop.CallLlvmOp.make(function, vectors, type_))

    def fill(self, number: float, like: SSAValue) -> SSAValue:
        """Return a vector of the type of ``like`` with a number in all lanes."""
        element = _element(like)
        attribute = FloatAttr(number, element) if is_float(element) else None  # pyright: ignore
        scalar = self._add(
            arith.ConstantOp(attribute or IntegerAttr(int(number), element))  # pyright: ignore
        )
        return self._add(loop.BroadcastOp.create(operands=[scalar], result_types=[like.type]))

    def add(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the lane-wise sum; integers wrap around."""
        return self._binary(arith.AddfOp if is_float(_element(x)) else arith.AddiOp, x, y)

    def multiply(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the lane-wise product; integers wrap around."""
        return self._binary(arith.MulfOp if is_float(_element(x)) else arith.MuliOp, x, y)

    def bit_and(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Return the lane-wise bitwise and."""
        return self._binary(arith.AndIOp, x, y)

    def shift_right(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """Shift each unsigned lane of x right by the number in the same lane of y."""
        return self._binary(arith.ShRUIOp, x, y)

    def _binary(
        self, kind: Callable[[SSAValue, SSAValue], Operation], x: SSAValue, y: SSAValue
    ) -> SSAValue:
        if x.type != y.type:
            raise TypeMismatch("both vectors have one type", expected=x.type, got=y.type)
        return self._add(kind(x, y))

    def _add(self, op: Operation) -> SSAValue:
        self._block.add_op(op)
        return op.results[0]


class Intrinsic(SuggestsNames):
    """A declared tensor intrinsic.

    op: the te.intrinsic op, which is copied into each program that uses the intrinsic.
    """

    def __init__(self, op: IntrinsicOp) -> None:
        self.op = op

    @property
    def name(self) -> str:
        """The name of the intrinsic in schedules."""
        return self.op.label

    def __str__(self) -> str:
        return str(self.op)

    def __repr__(self) -> str:
        return f"<te.intrinsic {self.name}>"


def decl_tensor_intrin(
    tensor: Tensor,
    emit: Emit,
    *,
    name: str | None = None,
    features: Sequence[str] = (),
    cycles: float = 1.0,
    source: str = "",
) -> Intrinsic:
    """Declare an instruction that accumulates the reduction of a compute.

    tensor: the result of one compute that reads only placeholders, each once and entirely; its
    single dimension runs along the lanes of the instruction.
    emit: the name of an LLVM function that takes the accumulator and the inputs as vectors, in the
    order in which the compute reads them; or a Python function of an Emission and these vectors.
    name: the name of the intrinsic; by default, that of the tensor.  features: the required target
    features.  cycles: the reciprocal throughput in cycles; source: the origin of this number.
    Errors: TypeMismatch for a compute or an emission of another form.
    """
    label = checked_name(name or tensor.name, "te.decl_tensor_intrin")
    definition, buffers = _definition(tensor, label)
    emission = _emission(tensor, emit, buffers, label)
    op = IntrinsicOp(label, definition, emission, features=features, cycles=cycles, source=source)
    try:
        op.verify()
    except TilewrightError as err:
        raise err.placed(f"te.decl_tensor_intrin {label}") from err.__cause__
    return Intrinsic(op)


def _definition(tensor: Tensor, label: str) -> tuple[Region, list[MemRefType]]:
    """Return the compute as a region on buffers, and the types of these buffers.

    The first buffer is the output, to which the region adds the result; the others are the inputs.
    label: the name of the intrinsic, for messages.
    Errors: TypeMismatch for a compute that cannot be an intrinsic.
    """
    where = f"te.decl_tensor_intrin {label}"
    if not isinstance(tensor.op.ir, ComputeOp) or len(tensor.op.outputs) != 1:
        raise TypeMismatch("an intrinsic is one te.compute", got=repr(tensor.op), where=where)
    if any(dim.value is None for source in (tensor, *tensor.op.inputs) for dim in source.dims):
        raise TypeMismatch("an intrinsic has sizes that are numbers", got=repr(tensor), where=where)
    if any(source.op.ir is not None for source in tensor.op.inputs):
        raise TypeMismatch("an intrinsic reads placeholders", got=repr(tensor.op), where=where)
    view = view_of_copy(tensor.op.ir)
    if any(a.value is None or a.indices is None for a in view.inputs):
        raise TypeMismatch("an intrinsic reads elements only", got=str(tensor.op.ir), where=where)
    block = Block(arg_types=[_buffer(view.outputs[0]), *(_buffer(a) for a in view.inputs)])
    out, *arguments = block.args
    out.name_hint = tensor.name
    for argument, access in zip(arguments, view.inputs, strict=True):
        argument.name_hint = access.value.name_hint if access.value is not None else None
    inputs = [replace(a, value=v) for a, v in zip(view.inputs, arguments, strict=True)]
    output = replace(view.outputs[0], value=out, init=None, result_type=None, layout=None)
    block.add_op(ComputeOp.from_view(replace(view, inputs=inputs, outputs=[output])))
    return Region(block), [_buffer(output), *(_buffer(a) for a in inputs)]


def _buffer(access: Access) -> MemRefType:
    type_ = access.type
    assert isinstance(type_, TensorType | MemRefType), f"not a tensor: {type_}"
    return MemRefType(type_.get_element_type(), type_.get_shape())


def _emission(tensor: Tensor, emit: Emit, buffers: Sequence[MemRefType], label: str) -> Region:
    block = Block(arg_types=[vector_of(b) for b in buffers])
    for argument, source in zip(block.args, (tensor, *tensor.op.inputs), strict=False):
        argument.name_hint = f"v{source.name}"
    builder = Emission(block)
    if isinstance(emit, str):
        result = (tensor.dtype, buffers[0].get_shape()[0])
        made = builder.call(emit, result, *block.args)
    else:
        made = emit(builder, *block.args)
    if not isinstance(made, SSAValue):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeMismatch(
            "the emission gives the new result", got=repr(made),
            where=f"te.decl_tensor_intrin {label}",
        )  # fmt: skip
    block.add_op(YieldOp([made]))
    return Region(block)


def _element(value: SSAValue) -> Attribute:
    return getattr(value.type, "element_type", value.type)
