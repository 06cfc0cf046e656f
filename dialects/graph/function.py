"""Functions as values: graph.call, graph.closure, graph.apply.

    func.func @scale(%k: T, %x: T) -> T { … }

    %y = graph.call @scale(%k, %x) : (T, T) -> T             a call by name
    %f = graph.closure @scale(%k) : (T) -> ((T) -> T)        @scale with its first argument given
    %y = graph.apply %f(%x) : (T) -> T                       a call of a function value

A function may take and return function values, and call itself.  A let binding is an SSA value, and
a tuple is a list of values: a function returns several results.  A lambda is a func.func whose free
values are its first arguments.  The attribute ``tw.most_calls`` of a function limits the depth of
its recursion.  graph-remove-functions removes these ops.
Not representable: functions as carried values of loops, and calls with other sizes than those of
the called function's types.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ...runtime.spelling import nearest
from ...support.diagnostics import TypeMismatch
from ..data_type import VALUE
from ..equal_shapes import check_type_lists
from .base import GraphOp

MOST_CALLS = "tw.most_calls"
"""The attribute of a func.func with the largest depth of its recursion."""

TOTAL_CALLS = "tw.total_calls"
"""The attribute of a func.func with the largest number of all calls of its recursion."""


class NamingOp(GraphOp):
    """Base of the ops that refer to a function of the module by its name."""

    callee = prop_def(SymbolRefAttr)
    args = var_operand_def(VALUE)

    def __init__(self, callee: str, args: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
        super().__init__(
            operands=[list(args)],
            result_types=self.result_groups(types),
            properties={"callee": SymbolRefAttr(callee)},
        )

    @staticmethod
    def result_groups(types: Sequence[Attribute]) -> Sequence[Attribute | Sequence[Attribute]]:
        """Group the result types as ``IRDLOperation.__init__`` takes them.

        The result has a list of types for a variadic result, and a type for any other result.
        """
        return [list(types)]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.function_name)
        types = FunctionType.from_lists([a.type for a in self.args], self.result_types)
        _print_arguments(printer, self, self.args, types)

    @classmethod
    def parse(cls, parser: Parser) -> NamingOp:
        callee = parser.parse_symbol_name().data
        args, types = _parse_arguments(parser)
        op = cls(callee, args, types.outputs.data)
        op.attributes = parser.parse_optional_attr_dict()
        return op

    @property
    def function_name(self) -> str:
        """The name of the function to which the op refers."""
        return self.callee.root_reference.data

    @property
    def function(self) -> FuncOp:
        """The function to which the op refers.

        Errors: TypeMismatch if the module has no such function.
        """
        found = functions_of(module_of(self))
        if self.function_name not in found:
            near = nearest(self.function_name, list(found), cutoff=0.5) or list(found)
            raise TypeMismatch(
                "the module has no function of this name",
                expected=", ".join(f"@{name}" for name in near),
                got=f"@{self.function_name}",
                hint="define the function in the same module",
            ).at(self)
        return found[self.function_name]

    def declared_type(self) -> FunctionType | None:
        """Return the type of the function to which the op refers.

        None if the op is not in a module.
        """
        is_in_module = isinstance(self.get_toplevel_object(), ModuleOp)
        return self.function.function_type if is_in_module else None


@irdl_op_definition
class CallOp(NamingOp):
    """A call of a function of the module.

    Errors: TypeMismatch unless the module has the function, and the types of operands and results
    are its types.
    """

    name = "graph.call"

    out = var_result_def(VALUE)

    def inferred_types(self) -> Sequence[Attribute]:
        declared = self.declared_type()
        if declared is None:
            return self.result_types
        check_types("arguments", declared.inputs.data, [a.type for a in self.args])
        if len(self.results) != len(declared.outputs):
            check_types("results", declared.outputs.data, self.result_types)
        return declared.outputs.data


@irdl_op_definition
class ClosureOp(NamingOp):
    """A function value: a function of the module whose first arguments are given.

    Errors: TypeMismatch unless the module has the function, and the operands have the types of its
    first arguments.
    """

    name = "graph.closure"

    out = result_def(FunctionType)

    traits = traits_def(Pure())

    @staticmethod
    def result_groups(types: Sequence[Attribute]) -> Sequence[Attribute | Sequence[Attribute]]:
        return list(types)

    def inferred_types(self) -> Sequence[Attribute]:
        declared = self.declared_type()
        if declared is None:
            return self.result_types
        inputs, count = declared.inputs.data, len(self.args)
        check_types("given arguments", inputs[:count], [a.type for a in self.args])
        return [FunctionType.from_lists(inputs[count:], declared.outputs.data)]


@irdl_op_definition
class ApplyOp(GraphOp):
    """A call of a function value.

    Errors: TypeMismatch unless the operands have the types that the function takes.
    """

    name = "graph.apply"

    f = operand_def(FunctionType)
    args = var_operand_def(VALUE)
    out = var_result_def(VALUE)

    def __init__(self, f: SSAValue, args: Sequence[SSAValue]) -> None:
        types = self.infer(f.type, [a.type for a in args])
        super().__init__(operands=[f, list(args)], result_types=[types])

    @staticmethod
    def infer(f: Attribute, args: Sequence[Attribute]) -> Sequence[Attribute]:
        """Return the types of the results of a function of type ``f``."""
        if not isinstance(f, FunctionType):
            raise TypeMismatch(
                "the applied value is no function", got=f, hint="make it with graph.closure"
            )
        check_types("arguments", f.inputs.data, args)
        return f.outputs.data

    def inferred_types(self) -> Sequence[Attribute]:
        return self.infer(self.f.type, [a.type for a in self.args])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.f)
        _print_arguments(printer, self, self.args, self.f.type)

    @classmethod
    def parse(cls, parser: Parser) -> ApplyOp:
        function = parser.parse_unresolved_operand()
        args, type_ = _parse_arguments(parser)
        op = cls(parser.resolve_operand(function, type_), args)
        op.attributes = parser.parse_optional_attr_dict()
        return op


def _print_arguments(
    printer: Printer, op: GraphOp, args: Sequence[SSAValue], type_: Attribute
) -> None:
    printer.print_string("(")
    printer.print_list(args, printer.print_ssa_value)
    printer.print_string(") : ")
    printer.print_attribute(type_)
    printer.print_op_attributes(op.attributes)


def _parse_arguments(parser: Parser) -> tuple[Sequence[SSAValue], FunctionType]:
    """Parse ``(%x, %y) : (T, U) -> V``; return the values, and the type."""
    position = parser.pos
    names = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    if not isinstance(type_, FunctionType):
        parser.raise_error("expected a function type, such as (tensor<f32>) -> tensor<f32>")
    return parser.resolve_operands(names, type_.inputs.data, position), type_


def module_of(op: Operation) -> ModuleOp:
    """Return the module that contains an op."""
    module = op.get_toplevel_object()
    assert isinstance(module, ModuleOp), f"{op.name} stands in a module"
    return module


def functions_of(module: ModuleOp) -> dict[str, FuncOp]:
    """Return the functions of a module by name."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def check_types(what: str, expected: Sequence[Attribute], got: Sequence[Attribute]) -> None:
    """Raise TypeMismatch unless values have the expected types.

    The error calls the values ``what``.
    """
    rule = f"the {what} have other types than declared"
    check_type_lists(rule, expected, got, hint="cast or reshape the values to these types")
