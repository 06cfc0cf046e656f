"""Control flow of the loop level: loop.for, loop.if, loop.yield."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
)

from ...support.affine import Index, constant, from_affine_expr, unknown_range
from ...support.diagnostics import TypeMismatch
from ..annotations import shown_attributes, take_attributes
from ..index_syntax import (
    INDEX,
    parse_index,
    ssa_namer,
)
from ..shape import Dim
from .indices import decode_indices, encode_indices, int_attr, str_attr
from .size import size_of_index

THREADS = tuple(f"{level}.{dim}" for level in ("blockIdx", "threadIdx") for dim in "xyz")
"""The GPU block and thread indices to which a loop can be bound."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of a loop body or a branch; its operands are the carried values."""

    name = "loop.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"


@irdl_op_definition
class ForOp(IRDLOperation):
    """Loop of step 1 from the maximum of its lower bounds to the minimum of its upper bounds.

    The end is excluded.
    kind: serial or parallel (iterations are independent tasks).  unroll: the number of copies of
    the body that the emitter makes; it divides a static trip count.  thread: the GPU block or
    thread index to which the loop is bound (``loop.for bind blockIdx.x %i = ..``); such a loop is
    serial on a CPU.
    Errors: TypeMismatch for an unknown thread index, or for a thread index on a parallel loop.
    """

    name = "loop.for"
    inits = var_operand_def()
    syms = var_operand_def(IndexType)
    res = var_result_def()
    lower = prop_def(AffineMapAttr)
    upper = prop_def(AffineMapAttr)
    kind = prop_def(StringAttr)
    unroll = opt_prop_def(IntAttr)
    thread = opt_prop_def(StringAttr)
    annotations = opt_prop_def(DictionaryAttr)
    origin = opt_prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    @staticmethod
    def make(
        lower: int | Sequence[Index],
        upper: int | Sequence[Index],
        body: Region,
        inits: Sequence[SSAValue] = (),
        *,
        kind: str = "serial",
        unroll: int = 1,
    ) -> ForOp:
        """Return a loop; the arguments of ``body`` are the loop variable and one value per init.

        lower, upper: a number, or the expressions whose maximum or minimum is the bound.  inits:
        the initial carried values.  kind: serial or parallel.  unroll: the number of copies of the
        body.
        """
        lows = [constant(lower)] if isinstance(lower, int) else list(lower)
        highs = [constant(upper)] if isinstance(upper, int) else list(upper)
        syms, map_ = encode_indices([*lows, *highs])
        results = map_.data.results
        split = len(lows)
        properties: dict[str, Attribute | None] = {
            "lower": AffineMapAttr(AffineMap(len(syms), 0, results[:split])),
            "upper": AffineMapAttr(AffineMap(len(syms), 0, results[split:])),
            "kind": str_attr(kind),
            "unroll": int_attr(unroll) if unroll != 1 else None,
        }
        return ForOp(
            operands=[list(inits), syms],
            result_types=[[v.type for v in inits]],
            properties=properties,
            regions=[body],
        )

    @property
    def is_static(self) -> bool:
        """Whether the bounds are integers."""
        return not self.syms and len(self.lower.data.results) == len(self.upper.data.results) == 1

    @property
    def static_bounds(self) -> tuple[int, int] | None:
        """The lower and upper bound if both are integers, else None."""
        if not self.is_static:
            return None
        (low,), (high,) = self.lower.data.results, self.upper.data.results
        low, high = (from_affine_expr(e, (), (), unknown_range) for e in (low, high))
        return low.const, high.const

    @property
    def enclosing_bounds(self) -> tuple[int, int] | None:
        """Integers (low, high) such that ``low <= i < high`` for every iteration i.

        low is the lower bound, high the least of those upper bounds that are integers. None if the
        lower bound is not an integer, or if no upper bound is.
        """
        lows, highs = self.bounds()
        ends = [high.const for high in highs if high.is_constant]
        is_known = len(lows) == 1 and lows[0].is_constant and bool(ends)
        return (lows[0].const, min(ends)) if is_known else None

    @property
    def size_bounds(self) -> tuple[Dim, Dim] | None:
        """The bounds as expressions over symbolic sizes.

        None if a bound depends on other values.
        """
        lows, highs = self.bounds()
        low, high = _extremum(lows, Dim.max), _extremum(highs, Dim.min)
        return None if low is None or high is None else (low, high)

    @property
    def variable(self) -> SSAValue:
        """The loop variable."""
        return self.body.block.args[0]

    @property
    def is_parallel(self) -> bool:
        """Whether the iterations are independent tasks."""
        return self.kind.data == "parallel"

    @property
    def unroll_factor(self) -> int:
        """The number of copies of the body in one iteration of the unrolled loop."""
        return self.unroll.data if self.unroll else 1

    def bounds(self) -> tuple[list[Index], list[Index]]:
        """Return the lower bounds (their maximum) and the upper bounds (their minimum)."""
        syms = self.operands[len(self.results) :]  # after one initial value per result
        return decode_indices(self.lower, syms), decode_indices(self.upper, syms)

    def verify_(self) -> None:
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise TypeMismatch(
                "a loop body must end with loop.yield",
                got=last and last.name,
                hint="end the body with loop.yield",
            ).at(self)
        carried = [v.type for v in self.inits]
        if [v.type for v in last.values] != carried:
            raise TypeMismatch(
                "loop.yield does not match iter_args",
                expected=[str(t) for t in carried],
                got=[str(v.type) for v in last.values],
                hint="yield one value per iter_arg, of its type",
            ).at(self)
        if [a.type for a in self.body.block.args] != [INDEX, *carried]:
            raise TypeMismatch(
                "the arguments of a loop body are not the variable and the carried values",
                hint="declare the loop variable, then one argument per iter_arg",
            ).at(self)
        if self.thread and (self.thread.data not in THREADS or self.is_parallel):
            raise TypeMismatch(
                "a bound loop must be serial and name a GPU thread",
                expected=", ".join(THREADS),
                got=f"{self.kind.data}, {self.thread.data}",
                hint="make the loop serial, and bind it to one of these",
            ).at(self)
        if self.origin is not None and len(self.origin) != 3:
            raise TypeMismatch(
                "the origin of a loop is a compute, a name and a kind",
                expected="three texts",
                got=self.origin,
                hint="remove the origin, or write all three texts",
            ).at(self)
        bounds = self.static_bounds
        if bounds is not None and (bounds[1] - bounds[0]) % self.unroll_factor:
            raise TypeMismatch(
                "unroll factor does not divide the trip count",
                expected=f"a divisor of {bounds[1] - bounds[0]}",
                got=self.unroll_factor,
                hint="peel the loop, or unroll by a divisor",
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" parallel " if self.is_parallel else " ")
        if self.thread:
            printer.print_string(f"bind {self.thread.data} ")
        printer.print_ssa_value(self.variable)
        name = ssa_namer(printer)

        def bound(word: str, indices: list[Index]) -> str:
            shown = [i.show(name) for i in indices]
            return shown[0] if len(shown) == 1 else f"{word}({', '.join(shown)})"

        lows, highs = self.bounds()
        printer.print_string(f" = {bound('max', lows)} to {bound('min', highs)} ")
        if self.unroll:
            printer.print_string(f"unroll {self.unroll.data} ")
        carried = self.body.block.args[1:]
        if carried:
            printer.print_string("iter_args(")
            for i, (arg, init) in enumerate(zip(carried, self.inits, strict=True)):
                printer.print_string(", " if i else "")
                printer.print_ssa_value(arg)
                printer.print_string(" = ")
                printer.print_ssa_value(init)
            printer.print_string(" : ")
            printer.print_list(carried, lambda a: printer.print_attribute(a.type))
            printer.print_string(") ")
        if shown := shown_attributes(self):
            printer.print_string("attributes ")
            printer.print_attr_dict(shown)
            printer.print_string(" ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_block_terminators=bool(carried)
        )

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        kind = "parallel" if parser.parse_optional_keyword("parallel") else "serial"
        thread = parser.parse_identifier() if parser.parse_optional_keyword("bind") else None
        variable_arg = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        lower = _parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bound(parser, "min")
        unroll = parser.parse_integer() if parser.parse_optional_keyword("unroll") else 1
        names, operands, types = _parse_iter_args(parser)
        arguments = [n.resolve(t) for n, t in zip(names, types, strict=True)]
        inits = parser.resolve_operands(operands, types, parser.pos)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region([variable_arg.resolve(INDEX), *arguments])
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp(operands=[[]]))
        op = cls.make(lower, upper, body, inits, kind=kind, unroll=unroll)
        if thread is not None:
            op.properties["thread"] = str_attr(thread)
        take_attributes(op, attributes)
        return op


def _extremum(ends: Sequence[Index], function: Callable[[Dim, Dim], Dim]) -> Dim | None:
    sizes = [size_of_index(end) for end in ends]
    known = [size for size in sizes if size is not None]
    return reduce(function, known) if len(known) == len(sizes) else None


def _parse_bound(parser: Parser, word: str) -> list[Index]:
    if parser.parse_optional_keyword(word):
        return parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_index(parser)
        )
    return [parse_index(parser)]


def _parse_iter_args(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand], Sequence[Attribute]]:
    names: list[Parser.UnresolvedArgument] = []
    operands: list[UnresolvedOperand] = []
    types: Sequence[Attribute] = []

    def binding() -> None:
        names.append(parser.parse_argument(expect_type=False))
        parser.parse_punctuation("=")
        operands.append(parser.parse_unresolved_operand())

    if parser.parse_optional_keyword("iter_args"):
        with parser.in_parens():
            parser.parse_comma_separated_list(parser.Delimiter.NONE, binding)
            parser.parse_punctuation(":")
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return names, operands, types


@irdl_op_definition
class IfOp(IRDLOperation):
    """Conditional region without results."""

    name = "loop.if"
    condition = operand_def(IntegerType(1))
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.condition)
        printer.print_string(" ")
        printer.print_region(self.body, print_block_terminators=False)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_operand(i1)
        body = parser.parse_region()
        if not isinstance(body.block.last_op, YieldOp):
            body.block.add_op(YieldOp(operands=[[]]))
        return cls(operands=[condition], regions=[body])


def make_loop_body(carried: Sequence[Attribute] = ()) -> Block:
    """Return an empty loop body, whose arguments are the loop variable and the carried values."""
    return Block(arg_types=[INDEX, *carried])
