"""Control flow: graph.if, graph.loop, graph.scan, graph.while; graph.yield ends their regions.

    %y = graph.if %c { … graph.yield %a : T } else { … graph.yield %b : T } : tensor<i1> -> T
    %h = graph.loop to %n : tensor<i64> while %c : tensor<i1> (%i) carry(%h0 = %x : T) {
      … graph.yield %c2, %h2 : tensor<i1>, T }
    %h, %ys = graph.scan <12> carry(%h1 = %h0 : T) over(%x = %xs : tensor<12x…>) {
      … graph.yield %h2, %y : T, Y }
    %h = graph.scan <n> as "i.0" carry(%h1 = %h0 : tensor<1xf32>) to (tensor<i.0 + 1>) {
      … graph.yield %h2 : tensor<i.0 + 2> }                                           (in short)

    %n, %h = graph.while %c : tensor<i1> below <n> binds "u0" as "i.0" carry(…) to (…) {
      … graph.yield %c2, %h2 : tensor<i1>, tensor<i.0 + 2> }

Regions may use values of enclosing regions.  Conditions and trip counts are tensors of one element.
The types of carried values do not change, except in a scan or while that names its iteration
number (``as "i.0"``): in its region this symbol is a size, which the types may contain.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, TensorType, i1, i64
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from ...support.diagnostics import TypeMismatch, UnequalSizes
from ..data_type import VALUE
from ..equal_shapes import check_type_lists, type_list
from ..operand_syntax import (
    Bindings,
    parse_optional_typed,
    parse_symbol,
    parse_typed,
    parse_types,
    print_bindings,
    print_optional_typed,
    print_symbol,
    print_typed,
    print_types,
)
from ..shape import (
    Dim,
    DimsAttr,
    Tensor,
    dims_of,
    element_count,
    parse_dim,
    symbols_of,
    tensor_type,
    type_of,
)
from ..sizes import with_sizes
from .base import GraphOp, flag, text, unit_if
from .size import BindingOp, BindsSymbol, size_property

ITERATION = tensor_type(i64, ())
"""The type of the iteration number."""


@irdl_op_definition
class YieldOp(GraphOp):
    """Terminator of a region; its operands are the values that the region yields."""

    name = "graph.yield"

    values = var_operand_def(VALUE)

    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue]) -> None:
        super().__init__(operands=[list(values)])

    def inferred_types(self) -> tuple[()]:
        return ()


@irdl_op_definition
class IfOp(GraphOp):
    """Conditional: the values that one of two regions yields.

    Errors: TypeMismatch unless the condition is a single i1 and both regions yield the same types.
    Source: ONNX If-25.
    """

    name = "graph.if"

    condition = operand_def(TensorType)
    out = var_result_def(VALUE)
    then = region_def("single_block")
    otherwise = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = (
        "$condition $then `else` $otherwise attr-dict `:` type($condition) `->` type($out)"
    )

    def __init__(self, condition: SSAValue, then: Region, otherwise: Region) -> None:
        types = self.infer(type_of(condition), yielded_types(then), yielded_types(otherwise))
        super().__init__(operands=[condition], result_types=[types], regions=[then, otherwise])

    @staticmethod
    def infer(
        condition: Tensor, then: Sequence[Attribute], otherwise: Sequence[Attribute]
    ) -> Sequence[Attribute]:
        """Return the result types: the types that both regions yield.

        condition: the type of the condition.  then, otherwise: the types that the regions yield.
        """
        _check_single("condition", condition, i1)
        hint = "cast or broadcast the results in one branch"
        check_type_lists("the branches yield different types", then, otherwise, hint=hint)
        return then

    def inferred_types(self) -> Sequence[Attribute]:
        for region in (self.then, self.otherwise):
            check_region_arguments(region, ())
        types = type_of(self.condition), yielded_types(self.then), yielded_types(self.otherwise)
        return self.infer(*types)


@irdl_op_definition
class LoopOp(GraphOp):
    """Loop with carried values: at most ``trip`` iterations, while a condition holds.

    Region: takes the iteration number (i64) and the carried values; yields the condition of the
    next iteration, if the loop has a condition, and the next carried values.
    Errors: TypeMismatch unless trip is a single i64, the condition is a single i1, at least one of
    both is present, and the region yields the types of the carried values.
    Source: ONNX Loop-25, without stacked results.
    """

    name = "graph.loop"

    trip = opt_operand_def(TensorType)
    condition = opt_operand_def(TensorType)
    inits = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        trip: SSAValue | None,
        condition: SSAValue | None,
        inits: Sequence[SSAValue],
        body: Region,
    ) -> None:
        carried = [v.type for v in inits]
        super().__init__(
            operands=[
                [] if trip is None else [trip],
                [] if condition is None else [condition],
                list(inits),
            ],
            result_types=[carried],
            regions=[body],
        )

    @staticmethod
    def infer(
        trip: Tensor | None,
        condition: Tensor | None,
        carried: Sequence[Attribute],
        yielded: Sequence[Attribute],
    ) -> Sequence[Attribute]:
        """Return the result types: the types of the carried values.

        trip, condition: the types of the trip count and of the first condition, None if absent.
        carried: the types of the initial carried values.  yielded: the types that the region
        yields.
        """
        if trip is None and condition is None:
            raise TypeMismatch(
                "a loop needs a trip count or a condition",
                hint="add a trip count, or carry a condition",
            )
        if trip is not None:
            _check_single("trip count", trip, i64)
        given = yielded
        if condition is not None:
            given = _after_condition(condition, yielded)
        _check_carried(carried, given)
        return carried

    def inferred_types(self) -> Sequence[Attribute]:
        carried = [v.type for v in self.inits]
        check_region_arguments(self.body, [ITERATION, *carried])
        trip = None if self.trip is None else type_of(self.trip)
        condition = None if self.condition is None else type_of(self.condition)
        return self.infer(trip, condition, carried, yielded_types(self.body))

    def print(self, printer: Printer) -> None:
        print_optional_typed(printer, "to", self.trip)
        print_optional_typed(printer, "while", self.condition)
        printer.print_string(" (")
        printer.print_ssa_value(self.body.block.args[0])
        printer.print_string(") ")
        print_bindings(printer, "carry", self.body.block.args[1:], self.inits)
        _print_body(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> LoopOp:
        trip = parse_optional_typed(parser, "to")
        condition = parse_optional_typed(parser, "while")
        parser.parse_punctuation("(")
        number = parser.parse_argument(expect_type=False).resolve(ITERATION)
        parser.parse_punctuation(")")
        carried = Bindings.parse(parser, "carry")
        body = parser.parse_region([number, *carried.arguments()])
        op = cls(trip, condition, carried.values, body)
        op.attributes = parser.parse_optional_attr_dict()
        return op


@irdl_op_definition
class ScanOp(GraphOp):
    """Loop of known trip count with carried values; all other yielded values are stacked.

    Step t reads element t of the leading axis of every value in ``over`` and writes element t of
    every stacked result; with ``reverse`` the steps go from the last element to the first.
    Region: takes the carried values and one element of each value in ``over``; yields the next
    carried values and the values to stack.
    symbol: the iteration number as a size of the region.  A carried value of size ``f(i)`` starts
    with size ``f(0)``, has size ``f(i + 1)`` after iteration i, and ends with size ``f(steps)``.
    Errors: TypeMismatch unless the leading sizes of ``over`` equal the number of steps, the region
    yields the carried types of the next iteration, and the sizes of a stacked value are the same in
    all iterations.
    Source: ONNX Scan-25 along the leading axis.
    """

    name = "graph.scan"

    inits = var_operand_def(TensorType)
    over = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    steps_attr = prop_def(DimsAttr, prop_name="steps")
    reverse = flag("reverse")
    symbol_attr = opt_prop_def(StringAttr, prop_name="symbol")
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        steps: Dim | int | str,
        inits: Sequence[SSAValue],
        over: Sequence[SSAValue],
        body: Region,
        *,
        reverse: bool = False,
        symbol: str | None = None,
    ) -> None:
        given, read = [v.type for v in inits], [type_of(v) for v in over]
        carried = [a.type for a in body.block.args[: len(given)]]
        types = self.infer(Dim.of(steps), given, read, yielded_types(body), carried, symbol)
        super().__init__(
            operands=[list(inits), list(over)],
            result_types=[types],
            properties={
                "steps": DimsAttr.of([steps]),
                "reverse": unit_if(reverse),
                "symbol": None if symbol is None else StringAttr(symbol),
            },
            regions=[body],
        )

    @staticmethod
    def infer(
        steps: Dim,
        inits: Sequence[Attribute],
        over: Sequence[Tensor],
        yielded: Sequence[Attribute],
        carried: Sequence[Attribute],
        symbol: str | None,
    ) -> Sequence[Attribute]:
        """Return the types of the final carried values, then the types of the stacked results.

        steps: the trip count.
        inits: the types of the initial carried values.
        over: the types of the values that the loop reads one element per step.
        yielded: the types of the values that the region yields.
        carried: the types of the region's arguments for the carried values.
        symbol: the name of the iteration number in sizes. A size in ``carried`` and ``yielded`` may
        contain this symbol, such as ``i.0 + 1``. None if no size depends on the iteration.
        """
        for tensor in over:
            if not tensor.get_num_dims() or dims_of(tensor)[0] != steps:
                raise TypeMismatch(
                    "the leading size of a value differs from the trip count",
                    expected=f"leading size {steps}",
                    got=tensor,
                    hint="slice the value along axis 0, or change the trip count",
                )
        _check_carried(_at(carried, symbol, 0), inits)
        following = _at(carried, symbol, Dim.sym(symbol or "i.0") + 1)
        _check_carried(following, yielded[: len(carried)])
        parts = yielded[len(carried) :]
        for part in parts:
            if symbol in symbols_of(part):
                raise TypeMismatch(
                    "a value that is stacked changes its size",
                    expected="the same sizes in every iteration",
                    got=part,
                    hint="pad the value to its largest size",
                )
        return [*_at(carried, symbol, steps), *(_stacked(part, steps) for part in parts)]

    @property
    def symbol(self) -> str | None:
        """The name of the iteration number in the region's sizes, such as ``i.0``; or None."""
        return None if self.symbol_attr is None else self.symbol_attr.data

    @property
    def steps(self) -> Dim:
        """The trip count, as a size expression."""
        return self.steps_attr.data[0]

    @property
    def stacked_results(self) -> Sequence[SSAValue]:
        """The results after the carried values: each stacks the values of one yielded operand."""
        return self.results[len(self.inits) :]

    def inferred_types(self) -> Sequence[Attribute]:
        inits, over = [v.type for v in self.inits], [type_of(v) for v in self.over]
        carried = [a.type for a in self.body.block.args[: len(inits)]] if self.symbol else inits
        check_region_arguments(self.body, [*carried, *map(element_of_stack, over)])
        return self.infer(self.steps, inits, over, yielded_types(self.body), carried, self.symbol)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {'reverse ' if self.reverse else ''}<{self.steps}> ")
        arguments, count = self.body.block.args, len(self.inits)
        print_symbol(printer, self.symbol_attr)
        print_bindings(printer, "carry", arguments[:count], self.inits)
        if self.symbol is not None:
            print_types(printer, arguments[:count])
        print_bindings(printer, "over", arguments[count:], self.over)
        _print_body(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        reverse = parser.parse_optional_keyword("reverse") is not None
        parser.parse_punctuation("<")
        steps = parse_dim(parser)
        parser.parse_punctuation(">")
        symbol = parse_symbol(parser)
        carried = Bindings.parse(parser, "carry")
        types = None if symbol is None else parse_types(parser)
        over = Bindings.parse(parser, "over")
        elements = [element_of_stack(type_of(v)) for v in over.values]
        body = parser.parse_region([*carried.arguments(types), *over.arguments(elements)])
        op = cls(steps, carried.values, over.values, body, reverse=reverse, symbol=symbol)
        op.attributes = parser.parse_optional_attr_dict()
        return op


@irdl_op_definition
class WhileOp(BindingOp):
    """Loop that a condition ends, with carried values and stacked results; binds its trip count.

    most: an upper bound of the trip count.
    number: the name of the iteration number in the sizes of the region, as ``symbol`` in `ScanOp`.
    symbol: the symbol that the op binds to the trip count, which is known only after the loop.  The
    results have the types of a graph.scan with this number of steps.
    Region: takes the carried values; yields the next condition, the next carried values, and the
    values to stack.  The first result is the trip count, an i64.
    Errors: TypeMismatch unless the condition is a single i1, the region yields the next condition
    first, and the other values satisfy the rules of ``ScanOp``.
    Source: ONNX Loop-25.
    """

    name = "graph.while"

    condition = operand_def(TensorType)
    inits = var_operand_def(TensorType)
    out = var_result_def(TensorType)
    most_attr = prop_def(DimsAttr, prop_name="most")
    number = text("number")
    body = region_def("single_block")

    traits = traits_def(BindsSymbol(), RecursiveMemoryEffect())

    def __init__(
        self,
        condition: SSAValue,
        most: Dim,
        inits: Sequence[SSAValue],
        body: Region,
        *,
        number: str,
        symbol: str,
        size: Dim | None = None,
    ) -> None:
        carried = [a.type for a in body.block.args]
        given = [v.type for v in inits]
        steps = size or Dim.sym(symbol)
        types = self.infer(type_of(condition), given, yielded_types(body), carried, number, steps)
        super().__init__(
            operands=[condition, list(inits)],
            result_types=[types],
            properties={
                "most": DimsAttr((most,)),
                "number": StringAttr(number),
                "symbol": StringAttr(symbol),
                "size": size_property(symbol, size),
            },
            regions=[body],
        )

    @staticmethod
    def infer(
        condition: Tensor,
        inits: Sequence[Attribute],
        yielded: Sequence[Attribute],
        carried: Sequence[Attribute],
        number: str,
        steps: Dim,
    ) -> Sequence[Attribute]:
        """Return the types of the trip count, of the carried values, and of the stacked results.

        condition: the type of the first condition.
        inits: the types of the initial carried values.
        yielded: the types of the values that the region yields.
        carried: the types of the region's arguments for the carried values.
        number: the name of the iteration number in sizes; ``carried`` and ``yielded`` may contain
        it.
        steps: the trip count, as a size.
        """
        values = _after_condition(condition, yielded)
        return [ITERATION, *ScanOp.infer(steps, inits, (), values, carried, number)]

    @property
    def bound(self) -> Dim:
        return self.most_attr.data[0]

    def inferred_types(self) -> Sequence[Attribute]:
        return self.infer(
            type_of(self.condition),
            [v.type for v in self.inits],
            yielded_types(self.body),
            [a.type for a in self.body.block.args],
            self.number,
            self.size,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_typed(printer, self.condition)
        printer.print_string(f" below <{self.bound}> binds ")
        printer.print_attribute(StringAttr(self.symbol))
        printer.print_string(" " if self.size_attr is None else f" equal <{self.size}> ")
        print_symbol(printer, StringAttr(self.number))
        print_bindings(printer, "carry", self.body.block.args, self.inits)
        print_types(printer, self.body.block.args)
        _print_body(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        condition = parse_typed(parser)
        parser.parse_keyword("below")
        parser.parse_punctuation("<")
        most = parse_dim(parser)
        parser.parse_punctuation(">")
        parser.parse_keyword("binds")
        symbol, size = parser.parse_str_literal(), None
        if parser.parse_optional_keyword("equal"):
            parser.parse_punctuation("<")
            size = parse_dim(parser)
            parser.parse_punctuation(">")
        number = parse_symbol(parser) or "i.0"
        carried = Bindings.parse(parser, "carry")
        body = parser.parse_region(carried.arguments(parse_types(parser)))
        op = cls(condition, most, carried.values, body, number=number, symbol=symbol, size=size)
        op.attributes = parser.parse_optional_attr_dict()
        return op


def element_of_stack(tensor: Tensor) -> Tensor:
    """Return the type of one slice along the leading axis of a tensor, without this axis."""
    return tensor_type(tensor.element_type, dims_of(tensor)[1:])


def _at(types: Sequence[Attribute], symbol: str | None, number: Dim | int) -> list[Attribute]:
    """Replace the symbol of the iteration number by ``number`` in these types."""
    return [*types] if symbol is None else [with_sizes(type_, {symbol: number}) for type_ in types]


def _stacked(part: Attribute, steps: Dim) -> Tensor:
    assert isinstance(part, TensorType), f"regions give tensors: {part}"
    return tensor_type(part.get_element_type(), (steps, *dims_of(part)))


def yielded_types(region: Region) -> list[Attribute]:
    """Return the types of the values that a region yields.

    Errors: TypeMismatch for a region that does not end with graph.yield.
    """
    last = region.block.last_op if region.blocks else None
    if not isinstance(last, YieldOp):
        raise TypeMismatch(
            "a region must end with graph.yield",
            got=last and last.name,
            hint="end the region with graph.yield",
        )
    return [v.type for v in last.values]


def _check_single(what: str, tensor: Tensor, element: Attribute) -> None:
    if tensor.element_type != element or element_count(dims_of(tensor)) != Dim.const(1):
        raise TypeMismatch(
            f"the {what} is not a single {element}",
            got=tensor,
            hint=f"reshape or cast it to a scalar of {element}",
        )


def _after_condition(condition: Tensor, yielded: Sequence[Attribute]) -> Sequence[Attribute]:
    """Check that a region yields a condition first; return the types of the other yielded values.

    condition: the type of the loop's first condition.  yielded: the types that the region yields.
    """
    _check_single("condition", condition, i1)
    if not yielded or yielded[0] != condition:
        raise TypeMismatch(
            "the region must yield the next condition first",
            expected=condition,
            got=type_list(yielded),
            hint="yield the next condition as the first value",
        )
    return yielded[1:]


def _check_carried(carried: Sequence[Attribute], yielded: Sequence[Attribute]) -> None:
    if list(carried) == list(yielded):
        return
    raise UnequalSizes(
        "a carried value changes its type",
        expected=type_list(carried),
        got=type_list(yielded),
        hint="a value that grows needs a list",
        sizes=_unequal_sizes(carried, yielded),
    )


def _unequal_sizes(
    carried: Sequence[Attribute], yielded: Sequence[Attribute]
) -> list[tuple[Dim, Dim]]:
    """Return the pairs of sizes that must be equal so that carried and yielded types are equal.

    The list is empty if the types differ in more than sizes.
    """
    pairs: list[tuple[Dim, Dim]] = []
    for one, other in zip(carried, yielded, strict=len(carried) == len(yielded)):
        if not isinstance(one, TensorType) or not isinstance(other, TensorType):
            return []
        sizes, others = dims_of(one), dims_of(other)
        if (one.element_type, len(sizes)) != (other.element_type, len(others)):
            return []
        pairs += zip(sizes, others, strict=True)
    return pairs


def check_region_arguments(region: Region, expected: Sequence[Attribute]) -> None:
    """Raise TypeMismatch unless the arguments of a region have the expected types."""
    got = [a.type for a in region.block.args] if region.blocks else []
    check_type_lists(
        "the arguments of the region have wrong types",
        expected,
        got,
        hint="declare the arguments of the region with these types",
    )


def _print_body(op: LoopOp | ScanOp | WhileOp, printer: Printer) -> None:
    printer.print_region(op.body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes)
