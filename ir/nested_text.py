"""Print a program as nested expressions, for people: the inverse of A-normal form.

    %q = graph.div %x, %y : T
    %e = graph.exp %q : T
    func.return %e : T
==>
    return exp(div(x, y))

In: a module of any dialect.  Out: text, which nested_parser.py reads back.  A value stands in the
place of its only use if both ops stand in the same block, the defining op has no effect and no
region, and the expression fits a line; all other values have a name.  A type that does not follow
from operands and properties stands behind the name or the expression: ``cast(x): tensor<2xf32>``.
Ops of the dialects in `SHORT` are printed without their dialect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, is_side_effect_free

from ..support.names import Names

WIDTH = 80
"""The longest expression that is not named."""

SHORT = ("graph", "func")
"""The dialects whose ops are printed without the name of the dialect."""

_INDENT = "  "
_IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*")


@runtime_checkable
class InferringOp(Protocol):
    """An op whose result types follow from its operands, properties and regions.

    INFERS_FROM_OPERANDS: False if the op reads its result types to infer them.
    """

    INFERS_FROM_OPERANDS: bool

    def inferred_types(self) -> Sequence[Attribute]:
        """Return the result types."""
        ...


def inferred_types(op: Operation) -> Sequence[Attribute] | None:
    """Return the result types of an op that follow from the rest of it; None if none do.

    An op without a rule of its own has one result, with the type of its first operand.
    """
    if isinstance(op, InferringOp):
        return op.inferred_types() if op.INFERS_FROM_OPERANDS else None
    return [op.operands[0].type] if op.operands and len(op.results) == 1 else None


def symbol_property(op_class: type[Operation]) -> str | None:
    """Return the name of the first property of an op class that is a symbol; None if none is.

    The symbol stands behind the name of the op: ``call @f(x)``.
    """
    if not issubclass(op_class, IRDLOperation):
        return None
    properties = op_class.get_irdl_definition().properties
    bases = ((name, p.constr.get_bases() or ()) for name, p in properties.items())
    return next((name for name, found in bases if SymbolRefAttr in found), None)


def to_nested_text(module: ModuleOp) -> str:
    """Return the functions of a module as text with nested expressions."""
    printer = _NestedText()
    if module.attributes:
        printer.lines.append(f"attributes {_dictionary(module.attributes)}")
    for op in module.ops:
        printer.operation(op, 0)
    return "\n".join(printer.lines) + "\n"


class _NestedText:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._texts: dict[SSAValue, str] = {}
        self._names = Names()

    def operation(self, op: Operation, depth: int) -> None:
        """Print a function, or a statement of a block."""
        if isinstance(op, FuncOp):
            self._function(op, depth)
            return
        types, text = inferred_types(op), self._expression(op)
        is_inferred = types is not None and [*types] == [*op.result_types]
        if self._is_nested(op):
            nested = text if is_inferred else f"{text}: {op.results[0].type}"
            if len(nested) <= WIDTH:
                self._texts[op.results[0]] = nested
                return
        names = ", ".join(
            self._name(result) if is_inferred else f"{self._name(result)}: {result.type}"
            for result in op.results
        )
        self._with_regions(f"{names} = {text}" if names else text, op, depth)

    def _function(self, op: FuncOp, depth: int) -> None:
        """Print a function; one without a body has the types of its arguments only."""
        # A value must not have the name of a flag, since both may stand between parentheses.
        flags = (k for each in op.walk() for k, a in _own(each).items() if isinstance(a, UnitAttr))
        self._names = Names(("func", *flags))
        rest = {k: a for k, a in _own(op).items() if k not in ("sym_name", "function_type")}
        outputs = ", ".join(map(str, op.function_type.outputs))
        name = _shown(op.sym_name.data)
        end = f") -> {outputs}{f' attributes {_dictionary(rest)}' if rest else ''}".rstrip()
        indent = _INDENT * depth
        if not op.body.blocks:
            inputs = ", ".join(map(str, op.function_type.inputs))
            self.lines.append(f"{indent}func {name}({inputs}{end}")
            return
        self.lines.append(f"{indent}func {name}({self._arguments(op.args)}{end} {{")
        for block in op.body.blocks:
            self._block(block, depth + 1)
        self.lines.append(f"{indent}}}")

    def _with_regions(self, head: str, op: Operation, depth: int) -> None:
        """Print a line, followed by the regions of an op.

        head: the text of the line.  depth: its indentation level.
        """
        indent = _INDENT * depth
        line = indent + head
        for region in op.regions:
            if not region.blocks:
                line += " {}"
            for block in region.blocks:
                arguments = self._arguments(block.args)
                self.lines.append(f"{line} ({arguments}) {{" if arguments else f"{line} {{")
                self._block(block, depth + 1)
                line = indent + "}"
        self.lines.append(line)

    def _block(self, block: Block, depth: int) -> None:
        for op in block.ops:
            self.operation(op, depth)

    def _arguments(self, arguments: Iterable[SSAValue]) -> str:
        return ", ".join(f"{self._name(value)}: {value.type}" for value in arguments)

    def _name(self, value: SSAValue) -> str:
        hint = re.sub(r"[^\w$.]", "_", value.name_hint or "v")
        wanted = hint if _IDENTIFIER.fullmatch(hint) else f"v{hint}"
        self._texts[value] = self._names.fresh(wanted)
        return self._texts[value]

    def _expression(self, op: Operation) -> str:
        values = [self._texts[operand] for operand in op.operands]
        own = _own(op)
        symbol = own.pop(symbol_property(type(op)) or "", None)
        given = [_item(op, k, a) for k, a in own.items()]
        dialect, _, last = op.name.rpartition(".")
        name = last if dialect in SHORT else op.name
        if symbol is not None:
            name = f"{name} {symbol}"
        if op.has_trait(IsTerminator):
            return " ".join([name, ", ".join(values + given)]).strip()
        return f"{name}({', '.join(values + given)})"

    @staticmethod
    def _is_nested(op: Operation) -> bool:
        if len(op.results) != 1 or op.regions or not is_side_effect_free(op):
            return False
        use = op.results[0].get_user_of_unique_use()
        return use is not None and use.parent is op.parent


def _own(op: Operation) -> dict[str, Attribute]:
    return {**op.properties, **op.attributes}


def _dictionary(attributes: Mapping[str, Attribute]) -> str:
    return f"{{{', '.join(_property(k, a) for k, a in attributes.items())}}}"


def _item(op: Operation, key: str, attribute: Attribute) -> str:
    """Return a property or an attribute between the parentheses of an op.

    A flag without a value is a property.
    """
    text = _property(key, attribute)
    is_bare = isinstance(attribute, UnitAttr) and key not in op.properties
    return f"{text}=unit" if is_bare else text


def _property(key: str, attribute: Attribute) -> str:
    name = _shown(key)
    return name if isinstance(attribute, UnitAttr) else f"{name}={attribute}"


def _shown(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else f'"{name}"'
