"""Conversions between sizes and tensors: sizes as tensor elements, and elements as sizes."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure

from ...support.diagnostics import TypeMismatch
from ..shape import Dim, DimsAttr, Tensor, dims_of, tensor_type, type_of
from .base import (
    GraphOp,
    dim_list,
    text,
)


@irdl_op_definition
class SizeOp(GraphOp):
    """The values of size expressions, as an i64 tensor of rank 1.

    Source: ONNX Shape-21, Size-21.
    """

    name = "graph.size"

    out = result_def(TensorType)
    dims = dim_list("dims")

    traits = traits_def(Pure())
    assembly_format = "$dims attr-dict `:` type($out)"

    def __init__(self, dims: Sequence[Dim | int | str]) -> None:
        self.initialize((), dims=dims)

    @staticmethod
    def infer(dims: Sequence[Dim]) -> Tensor:
        """Return the result type, which has one i64 per size expression."""
        return tensor_type(i64, (len(dims),))


@irdl_op_definition
class BindOp(GraphOp):
    """Binding of symbols to the elements of an i64 tensor; later ops use them as sizes.

    Errors: TypeMismatch unless x holds one i64 per symbol; a negative value is a run-time error.
    """

    name = "graph.bind"

    x = operand_def(TensorType)
    symbols_attr = prop_def(ArrayAttr[StringAttr], prop_name="symbols")

    assembly_format = "$x `as` $symbols attr-dict `:` type($x)"

    def __init__(self, x: SSAValue, symbols: Sequence[str]) -> None:
        self.infer(type_of(x), symbols)
        names = ArrayAttr([StringAttr(symbol) for symbol in symbols])
        super().__init__(operands=(x,), properties={"symbols": names})

    @staticmethod
    def infer(x: Tensor, symbols: Sequence[str]) -> tuple[()]:
        """Check the operand and the symbols; return no types, because the op has no result."""
        for symbol in symbols:
            Dim.sym(symbol)
        accepted = [tensor_type(i64, (len(symbols),))]
        if len(symbols) == 1:
            accepted.append(tensor_type(i64, ()))
        if x not in accepted:
            raise TypeMismatch(
                "the number of values in x is not the number of symbols",
                expected=accepted[0],
                got=x,
                hint="give one integer per symbol",
            )
        if len(set(symbols)) != len(symbols):
            raise TypeMismatch(
                "a symbol occurs twice",
                expected="distinct",
                got=list(symbols),
                hint="rename one of them",
            )
        return ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """The bound symbols."""
        return tuple(symbol.data for symbol in self.symbols_attr)


class BindsSymbol(MemoryEffect):
    """The memory effect of an op that binds a symbol: a write as long as other ops use the symbol.

    The effect prevents the removal of the op.  An op whose size must be equal to another size
    always counts as a write, because each run checks this equality.
    """

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        assert isinstance(op, BindingOp), f"{op.name} binds no symbol"
        if op.size_attr is not None:  # the run checks this size
            return {EffectInstance(MemoryEffectKind.WRITE)}
        block = op.parent_block()
        others = (each for other in (block.ops if block else ()) for each in other.walk())
        needed = any(other is not op and op.symbol in mentioned_symbols(other) for other in others)
        return {EffectInstance(MemoryEffectKind.WRITE)} if needed else set()


class BindingOp(GraphOp):
    """Base of the ops with a data-dependent result size, which the op binds to a symbol.

    symbol: the name of the symbol.  size: set if the data-dependent size must be equal to a size
    that is already known: this size, an expression over earlier symbols. The result types then
    contain it in place of the symbol, and the attribute ``tw.size_limits`` of the function limits
    ``symbol - size`` to 0..0, so that each run checks the equality.
    """

    symbol = text("symbol")
    size_attr = opt_prop_def(DimsAttr, prop_name="size")

    @property
    def size(self) -> Dim:
        """The data-dependent size in the result types."""
        return Dim.sym(self.symbol) if self.size_attr is None else self.size_attr.data[0]

    def initialize_binding(
        self, operands: Sequence[SSAValue], symbol: str, size: Dim | None, **given: Any
    ) -> None:
        """Initialize a new op that binds ``symbol``; see `GraphOp.initialize` for ``given``.

        size: the data-dependent size in the result types, by default the symbol.
        """
        self.initialize(operands, symbol=symbol, size=size or Dim.sym(symbol), **given)
        if attr := size_property(symbol, size):
            self.properties["size"] = attr

    @property
    def bound(self) -> Dim:
        """An upper bound of the value of the symbol, as an expression of earlier sizes."""
        raise NotImplementedError(self.name)


def size_property(symbol: str, size: Dim | None) -> DimsAttr | None:
    """Return the property ``size`` of an op that binds ``symbol`` and whose results have ``size``.

    Return None if ``size`` is the symbol itself.  Otherwise each run must check that the symbol's
    value equals ``size``.
    """
    return None if size is None or size == Dim.sym(symbol) else DimsAttr((size,))


def bound_symbols(block: Block) -> dict[str, Dim | None]:
    """Return the symbols that ops of a block bind, in order, with upper bounds of their values.

    The bound of a symbol is None if it is not known.
    """
    ops = (op for op in block.ops if isinstance(op, BindOp | BindingOp))
    return {name: bound for op in ops for name, bound in bound_by(op).items()}


def bound_by(op: BindOp | BindingOp) -> dict[str, Dim | None]:
    """Return the symbols that an op binds, with upper bounds of their values; None if not known."""
    return dict.fromkeys(op.symbols) if isinstance(op, BindOp) else {op.symbol: op.bound}


def mentioned_symbols(op: Operation) -> frozenset[str]:
    """Return the symbols in the result types, region arguments and size properties of an op."""
    values = [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
    dims = [dims_of(type_of(v)) for v in values if isinstance(v.type, TensorType)]
    dims += [attr.data for attr in op.properties.values() if isinstance(attr, DimsAttr)]
    return frozenset().union(*(dim.symbols() for each in dims for dim in each))
