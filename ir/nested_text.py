"""Print a program as nested expressions, for people: the inverse of A-normal form.

    %q = graph.div %x, %y : T
    %e = graph.exp %q : T
    func.return %e : T
==>
    return exp(div(x, y))

In: a module of any dialect.  Out: text, without types inside of blocks.  A value stands in the
place of its only use if both ops stand in the same block, the defining op has no effect and no
region, and the expression fits a line; all other values have a name.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from ..support.names import Names

WIDTH = 80
"""The longest expression that is not named."""

_INDENT = "  "


def to_nested_text(module: ModuleOp) -> str:
    """Return the functions of a module as text with nested expressions."""
    printer = _NestedText()
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
            self._names = Names()
            outputs = ", ".join(map(str, op.function_type.outputs))
            arguments = self._arguments(op.args if op.body.blocks else ())
            self.lines.append(f"{op.sym_name.data}({arguments}) -> {outputs} {{")
            for block in op.body.blocks:
                self._block(block, depth + 1)
            self.lines.append("}")
            return
        text = self._expression(op)
        if self._is_nested(op) and len(text) <= WIDTH:
            self._texts[op.results[0]] = text
            return
        names = ", ".join(map(self._name, op.results))
        self._with_regions(f"{names} = {text}" if names else text, op, depth)

    def _with_regions(self, head: str, op: Operation, depth: int) -> None:
        """Print a line, followed by the regions of an op.

        head: the text of the line.  depth: its indentation level.
        """
        indent = _INDENT * depth
        line = indent + head
        for block in (block for region in op.regions for block in region.blocks):
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
        self._texts[value] = self._names.fresh(value.name_hint or "v")
        return self._texts[value]

    def _expression(self, op: Operation) -> str:
        values = [self._texts[operand] for operand in op.operands]
        own = {**op.properties, **op.attributes}
        symbols = [str(a) for a in own.values() if isinstance(a, SymbolRefAttr)]
        given = [_property(k, a) for k, a in own.items() if not isinstance(a, SymbolRefAttr)]
        name = " ".join([op.name.rpartition(".")[2], *symbols])
        if op.has_trait(IsTerminator):
            return " ".join([name, ", ".join(values + given)]).strip()
        return f"{name}({', '.join(values + given)})"

    @staticmethod
    def _is_nested(op: Operation) -> bool:
        if len(op.results) != 1 or op.regions or not is_side_effect_free(op):
            return False
        use = op.results[0].get_user_of_unique_use()
        return use is not None and use.parent is op.parent


def _property(key: str, attribute: Attribute) -> str:
    return key if isinstance(attribute, UnitAttr) else f"{key}={attribute}"
