"""References (mutable cells): graph.ref, graph.read, graph.write.

    %r = graph.ref %x : T -> !graph.ref<T>        a new cell that contains %x
    %y = graph.read %r : !graph.ref<T> -> T       its value now
    graph.write %z, %r : T, !graph.ref<T>         from here on it contains %z

A reference may be an argument of functions, a given argument of closures, and be used in regions.
graph-thread-references replaces references by values, which calls and regions return.
Not representable: references as results of branches and carried values of loops, in data types, and
as arguments and results of main.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect

from ...support.diagnostics import TypeMismatch
from ..data_type import RefType
from ..shape import Tensor, type_of
from .base import GraphOp


class ReferenceOp(GraphOp):
    """Base of the ops that make, read and write references."""


@irdl_op_definition
class RefOp(ReferenceOp):
    """A new reference, which contains a tensor."""

    name = "graph.ref"

    x = operand_def(TensorType)
    out = result_def(RefType)

    traits = traits_def(MemoryAllocEffect())
    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x: SSAValue) -> None:
        super().__init__(operands=[x], result_types=[RefType(type_of(x))])

    def inferred_types(self) -> Sequence[Attribute]:
        return [RefType(type_of(self.x))]


@irdl_op_definition
class ReadOp(ReferenceOp):
    """The tensor that a reference contains."""

    name = "graph.read"

    ref = operand_def(RefType)
    out = result_def(TensorType)

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$ref attr-dict `:` type($ref) `->` type($out)"

    def __init__(self, ref: SSAValue) -> None:
        super().__init__(operands=[ref], result_types=[element_of(ref)])

    def inferred_types(self) -> Sequence[Attribute]:
        return [element_of(self.ref)]


@irdl_op_definition
class WriteOp(ReferenceOp):
    """Replace the tensor that a reference contains by a tensor of the same type."""

    name = "graph.write"

    x = operand_def(TensorType)
    ref = operand_def(RefType)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$x `,` $ref attr-dict `:` type($x) `,` type($ref)"

    def __init__(self, x: SSAValue, ref: SSAValue) -> None:
        super().__init__(operands=[x, ref])
        self.inferred_types()

    def inferred_types(self) -> Sequence[Attribute]:
        if self.x.type != element_of(self.ref):
            raise TypeMismatch(
                "a reference keeps its type",
                expected=element_of(self.ref),
                got=self.x.type,
                hint="cast or reshape the tensor",
            )
        return ()


def element_of(ref: SSAValue) -> Tensor:
    """Return the type of the tensor that a reference contains."""
    assert isinstance(ref.type, RefType), "a reference"
    return ref.type.tensor
