"""Control flow of the host program, and the slices that its loops read and write.

    %h, %ys = packed.loop %t to 12 carry(%h0 = %init : tensor<4xf32>) {
      %x = packed.slice %xs[%t] : tensor<12x4xf32> -> tensor<4xf32>
      %h1 = packed.call @step(%h0, %x) : …
      packed.yield %h1, %h1 : tensor<4xf32>, tensor<4xf32>
    }

Before bufferization, the first operands of packed.yield are the next carried values, and the others
are stacked: the value of iteration t is element t of the result, counted from its end with
``reverse``.  After bufferization, nothing is stacked: iterations write to slices of the result.
Carried and yielded buffers are passed on without a copy.  Conditions and trip counts are tensors or
buffers of one element; the loop reads the condition before each iteration, and the trip count
before the first iteration.

A loop may name its iteration number, ``as "i.0"``: in its body, this symbol is a size of the main
function.  Before bufferization, a carried value of size ``f(i)`` starts with size ``f(0)``, has
size ``f(i + 1)`` after iteration i, and ends with size ``f(steps)``.  After bufferization, all
carried buffers have the largest size, and packed.view takes their first elements.  If a condition
may end the loop, results have the largest size even before bufferization; their first elements are
valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryWriteEffect, Pure, RecursiveMemoryEffect

from ...support.affine import Index, variable
from ...support.diagnostics import TypeMismatch
from ..equal_shapes import check_type_lists
from ..index_syntax import INDEX, parse_index, ssa_namer
from ..iteration_sizes import with_largest
from ..loop.indices import decode_indices, encode_indices
from ..operand_syntax import (
    Bindings,
    parse_optional_typed,
    parse_symbol,
    parse_types,
    print_bindings,
    print_optional_typed,
    print_symbol,
    print_types,
)
from ..shape import Dim, DimsAttr, Extent, dims_of, extent_of, memref_type, parse_dim, tensor_type
from ..sizes import with_sizes

Buffer = TensorType | MemRefType
"""The types of values in a host program: tensors before bufferization, buffers after it."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of a region; its operands are the values that the region yields."""

    name = "packed.yield"
    values = var_operand_def(Buffer)
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[list(values)])


@irdl_op_definition
class IfOp(IRDLOperation):
    """Conditional that runs one of two regions.

    Its results are the values that the region yields.
    """

    name = "packed.if"
    condition = operand_def(Buffer)
    res = var_result_def(Buffer)
    then = region_def("single_block")
    otherwise = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = (
        "$condition $then `else` $otherwise attr-dict `:` type($condition) `->` type($res)"
    )

    def __init__(self, condition: SSAValue, then: Region, otherwise: Region) -> None:
        types = [v.type for v in _yielded(then)]
        super().__init__(operands=[condition], result_types=[types], regions=[then, otherwise])

    def verify_(self) -> None:
        _check_single("condition", self.condition.type, i1)
        for region in (self.then, self.otherwise):
            given = [value.type for value in _yielded(region)]
            hint = "yield one value of each result type in every branch"
            check_type_lists("a branch gives other types", self.result_types, given, hint=hint)


@irdl_op_definition
class LoopOp(IRDLOperation):
    """Loop of the main function with carried values and stacked results.

    The iteration number runs over 0, 1, … below the trip count, while the condition holds.
    Trip count: a size (``steps``), an operand, or absent.  Condition: an operand, read before each
    iteration, or absent; with a condition, the region yields the next condition first.
    Region: takes the iteration number and the carried values; yields the next carried values, and
    on tensors the values that the results stack, one element per iteration; with ``reverse``, these
    elements are counted from the end.
    symbol: the name of the iteration number as a size in the region; it requires a trip count that
    is a size.
    """

    name = "packed.loop"
    trip = opt_operand_def(Buffer)
    condition = opt_operand_def(Buffer)
    inits = var_operand_def(Buffer)
    res = var_result_def(Buffer)
    steps_attr = opt_prop_def(IntegerAttr.constr(i64) | BaseAttr(DimsAttr), prop_name="steps")
    reverse = opt_prop_def(UnitAttr)
    symbol_attr = opt_prop_def(StringAttr, prop_name="symbol")
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        trip: SSAValue | Extent | None,
        condition: SSAValue | None,
        inits: Sequence[SSAValue],
        body: Region,
        *,
        reverse: bool = False,
        symbol: str | None = None,
    ) -> None:
        given = trip if isinstance(trip, SSAValue) else None
        steps = None if isinstance(trip, SSAValue) else trip
        parts = _yielded(body)[len(inits) + (condition is not None) :]
        super().__init__(
            operands=[
                [] if given is None else [given],
                [] if condition is None else [condition],
                list(inits),
            ],
            result_types=[
                [
                    *_finals([a.type for a in body.block.args[1:]], symbol, steps, condition),
                    *(_stacked(v.type, steps) for v in parts),
                ]
            ],
            properties={
                "steps": None if steps is None else _steps_attr(steps),
                "reverse": UnitAttr() if reverse else None,
                "symbol": None if symbol is None else StringAttr(symbol),
            },
            regions=[body],
        )

    @property
    def steps(self) -> Extent | None:
        """The trip count as a size, or None if it is an operand or absent."""
        match self.steps_attr:
            case IntegerAttr():
                return self.steps_attr.value.data
            case DimsAttr():
                return extent_of(self.steps_attr.data[0])
            case _:
                return None

    @property
    def symbol(self) -> str | None:
        """The symbol of the iteration number as a size, or None if the loop names no symbol."""
        return None if self.symbol_attr is None else self.symbol_attr.data

    @property
    def number(self) -> SSAValue:
        """The iteration number, of index type."""
        return self.body.block.args[0]

    @property
    def carried(self) -> Sequence[SSAValue]:
        """The carried values as arguments of the region."""
        return self.body.block.args[1:]

    @property
    def terminator(self) -> YieldOp:
        """The terminator of the region."""
        return cast(YieldOp, self.body.block.last_op)

    @property
    def next_condition(self) -> SSAValue | None:
        """The condition that the region yields, or None for a loop without a condition."""
        return None if self.condition is None else self.terminator.values[0]

    @property
    def next_values(self) -> Sequence[SSAValue]:
        """The next carried values, which the region yields."""
        first = int(self.condition is not None)
        return self.terminator.values[first : first + len(self.inits)]

    @property
    def parts(self) -> Sequence[SSAValue]:
        """The yielded values that the results stack, one per stacked result."""
        return self.terminator.values[len(self.inits) + int(self.condition is not None) :]

    @property
    def stacks(self) -> Sequence[SSAValue]:
        """The results after the carried values: each stacks the values of one yielded operand."""
        return self.results[len(self.inits) :]

    def place(self, steps: SSAValue | None = None) -> Index:
        """Return the index along a stack's leading axis at which this iteration stores its value.

        steps: the value of a symbolic trip count; needed only with ``reverse``.
        """
        number = variable(self.number)
        if not self.reverse:
            return number
        if steps is not None:
            return variable(steps) - number - 1
        assert isinstance(self.steps, int), "a symbolic trip count needs a value"
        return number * -1 + (self.steps - 1)

    def verify_(self) -> None:
        if self.trip is not None:
            _check_single("trip count", self.trip.type, i64)
        if self.condition is not None:
            _check_single("condition", self.condition.type, i1)
        inits = [v.type for v in self.inits]
        given = [argument.type for argument in self.body.block.args]
        carried = given[1:]
        hint = "declare the index, then one argument per carried value"
        starts = [*given[:1], *_at(carried, self.symbol, 0)]
        check_type_lists("the region takes other types", [INDEX, *inits], starts, hint=hint)
        yielded = [v.type for v in _yielded(self.body)]
        if self.condition is not None and (not yielded or yielded.pop(0) != self.condition.type):
            raise TypeMismatch(
                "the region must yield the next condition first",
                hint="yield the next condition as the first value",
            ).at(self)
        stacks = [_stacked(t, self.steps) for t in yielded[len(carried) :]]
        hint = "yield the carried values first, with the types that the loop starts from"
        following = _at(carried, self.symbol, self._next_number)
        check_type_lists(
            "the region gives other types", following, yielded[: len(carried)], hint=hint
        )
        hint = "declare the carried values as results, then the stacks"
        finals = [*_finals(carried, self.symbol, self.steps, self.condition), *stacks]
        check_type_lists("the loop gives other types", finals, self.result_types, hint=hint)

    @property
    def _next_number(self) -> Dim:
        return Dim.const(1) if self.symbol is None else Dim.sym(self.symbol) + 1

    def print(self, printer: Printer) -> None:
        printer.print_string(" reverse " if self.reverse else " ")
        printer.print_ssa_value(self.number)
        if self.steps is not None:
            printer.print_string(f" to {self.steps}")
        print_optional_typed(printer, "to", self.trip)
        print_optional_typed(printer, "while", self.condition)
        printer.print_string(" ")
        print_symbol(printer, self.symbol_attr)
        print_bindings(printer, "carry", self.carried, self.inits)
        if self.symbol is not None:
            print_types(printer, self.carried)
        printer.print_region(self.body, print_entry_block_args=False)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> LoopOp:
        reverse = parser.parse_optional_keyword("reverse") is not None
        number = parser.parse_argument(expect_type=False).resolve(INDEX)
        trip: SSAValue | Extent | None = None
        if parser.parse_optional_keyword("to"):
            trip = _parse_trip(parser)
        condition = parse_optional_typed(parser, "while")
        symbol = parse_symbol(parser)
        carried = Bindings.parse(parser, "carry")
        types = None if symbol is None else parse_types(parser)
        body = parser.parse_region([number, *carried.arguments(types)])
        op = cls(trip, condition, carried.values, body, reverse=reverse, symbol=symbol)
        op.attributes = parser.parse_optional_attr_dict()
        return op


@irdl_op_definition
class SliceOp(IRDLOperation):
    """Element ``index`` of x along the leading axis; after bufferization, the result aliases x."""

    name = "packed.slice"
    x = operand_def(Buffer)
    syms = var_operand_def(IndexType)
    res = result_def(Buffer)
    map_attr = prop_def(AffineMapAttr, prop_name="map")
    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, index: Index) -> None:
        syms, map_ = encode_indices([index])
        super().__init__(
            operands=[x, syms],
            result_types=[element_of(x.type)],
            properties={"map": map_},
        )

    @property
    def index(self) -> Index:
        """The index of the element."""
        return decode_indices(self.map_attr, self.syms)[0]

    def verify_(self) -> None:
        if self.res.type != element_of(self.x.type):
            raise TypeMismatch(
                "wrong result type",
                expected=element_of(self.x.type),
                got=self.res.type,
                hint="declare the result with this type",
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.x)
        printer.print_string(f"[{self.index.show(ssa_namer(printer))}] : ")
        printer.print_attribute(self.x.type)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> SliceOp:
        x = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        index = parse_index(parser)
        parser.parse_punctuation("]")
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(x, parser.parse_type()), index)
        op.attributes = parser.parse_optional_attr_dict()
        return op


@irdl_op_definition
class NumberOp(IRDLOperation):
    """The iteration number as an i64 tensor of rank 0.

    After bufferization, stored to ``target``.
    """

    name = "packed.number"
    number = operand_def(IndexType)
    target = opt_operand_def(MemRefType)
    res = opt_result_def(TensorType)
    assembly_format = "$number (`to` $target^ `:` type($target))? (`:` type($res)^)? attr-dict"
    traits = traits_def(MemoryWriteEffect())

    def __init__(self, number: SSAValue, target: SSAValue | None = None) -> None:
        super().__init__(
            operands=[number, [] if target is None else [target]],
            result_types=[[TensorType(i64, ())] if target is None else []],
        )


def element_of(type_: Attribute) -> Attribute:
    """Return the type of one element along the leading axis of a tensor or buffer."""
    assert isinstance(type_, Buffer), f"not a tensor or buffer: {type_}"
    if not type_.get_shape():
        raise TypeMismatch("a scalar has no slices", got=type_, hint="use the value itself")
    return _of_dims(type_, dims_of(type_)[1:])


def make_loop_body(carried: Sequence[Attribute]) -> Block:
    """Return an empty loop body; its arguments are the iteration number and the carried values."""
    block = Block(arg_types=[INDEX, *carried])
    block.args[0].name_hint = "t"
    return block


def host_blocks(block: Block) -> Iterator[Block]:
    """Yield a block of a host program and the blocks of its control flow, outer blocks first."""
    yield block
    for op in block.ops:
        if isinstance(op, IfOp | LoopOp):
            for region in op.regions:
                yield from host_blocks(region.block)


def host_ops(block: Block) -> Iterator[Operation]:
    """Yield the ops of a host program in textual order, each op before the ops in its regions."""
    for op in block.ops:
        yield op
        for region in op.regions:
            yield from host_ops(region.block)


def _yielded(region: Region) -> Sequence[SSAValue]:
    last = region.block.last_op if region.blocks else None
    if not isinstance(last, YieldOp):
        raise TypeMismatch(
            "a region must end with packed.yield",
            got=last and last.name,
            hint="end the region with packed.yield",
        )
    return last.values


def _at(
    types: Sequence[Attribute], symbol: str | None, number: Extent | None
) -> Sequence[Attribute]:
    if symbol is None:
        return types
    if number is None:
        raise TypeMismatch(
            "only a loop whose trip count is a size has an iteration number that is a size",
            got=symbol,
            hint="give a trip count that is a number or a size",
        )
    return [with_sizes(type_, {symbol: number}) for type_ in types]


def _finals(
    carried: Sequence[Attribute],
    symbol: str | None,
    steps: Extent | None,
    condition: SSAValue | None,
) -> Sequence[Attribute]:
    if symbol is None or steps is None or condition is None:
        return _at(carried, symbol, steps)
    # The condition may end the loop earlier, so the types have the largest sizes.
    return [with_largest(type_, symbol, Dim.of(steps)) for type_ in carried]


def _stacked(part: Attribute, steps: Extent | None) -> Attribute:
    assert isinstance(part, Buffer), f"not a tensor or buffer: {part}"
    if steps is None:
        raise TypeMismatch(
            "only a loop whose trip count is a size can stack results",
            got=part,
            hint="give a trip count that is a number or a size, or carry the value",
        )
    return _of_dims(part, (Dim.of(steps), *dims_of(part)))


def _of_dims(like: Attribute, dims: Sequence[Dim]) -> Attribute:
    assert isinstance(like, Buffer), f"not a tensor or buffer: {like}"
    make = tensor_type if isinstance(like, TensorType) else memref_type
    return make(like.get_element_type(), dims)


def _steps_attr(steps: Extent) -> IntegerAttr | DimsAttr:
    return IntegerAttr(steps, i64) if isinstance(steps, int) else DimsAttr((steps,))


def _parse_trip(parser: Parser) -> SSAValue | Extent:
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        return extent_of(parse_dim(parser))
    parser.parse_punctuation(":")
    return parser.resolve_operand(operand, parser.parse_type())


def _check_single(what: str, type_: Attribute, element: Attribute) -> None:
    assert isinstance(type_, Buffer), f"not a tensor or buffer: {type_}"
    if type_.get_element_type() != element or any(n != 1 for n in type_.get_shape()):
        raise TypeMismatch(
            f"the {what} is not a single {element}", got=type_, hint=f"pass one {element}"
        )
