"""Read a program as nested expressions, as nested_text.py prints it: to A-normal form.

    func f(x: T, y: T) -> T {
      return exp(div(x, y))
    }
==>
    func.func @f(%x: T, %y: T) -> T {
      %v = graph.div %x, %y : T
      %v_1 = graph.exp %v : T
      func.return %v_1 : T
    }

In: text.  Out: a module, which is not verified.  The parser infers the types that the text leaves
out.  An operand is evaluated before the op that takes it, and operands are evaluated from left to
right, so ops without effects may stand in another order than in the program that was printed.
Not representable: regions with several blocks, and weights that text shows as a hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NoneAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..runtime.spelling import nearest
from ..support.diagnostics import TilewrightError
from ..support.located import LocatedParser, locate, malformed_text
from ..support.registry import new_context
from .nested_text import SHORT, inferred_types, symbol_property


def from_nested_text(text: str, ctx: Context | None = None, *, name: str = "<text>") -> ModuleOp:
    """Return the program of a text of `to_nested_text`; the program is not verified.

    ctx: the dialects of the program; by default those of this package.
    name: the name of the file, for errors.
    Errors: ModelError for malformed text, with the position; TypeMismatch for operands that an op
    does not take.
    """
    with malformed_text():
        return _NestedParser(new_context() if ctx is None else ctx, text, name).parse_program()


@dataclass
class _Items:
    """What stands between the parentheses of an op: operands, and properties by name."""

    operands: list[SSAValue] = field(default_factory=list)
    properties: dict[str, Attribute] = field(default_factory=dict)


class _NestedParser(LocatedParser):
    """A parser of nested expressions, which appends ops to blocks."""

    def parse_program(self) -> ModuleOp:
        """Parse all functions; a call may precede the function that it calls."""
        try:
            return self._program()
        except RecursionError as err:
            message = "too many nested parentheses or regions"
            raise ParseError(self._current_token.span, message) from err

    def _program(self) -> ModuleOp:
        module = ModuleOp([])
        if self.parse_optional_keyword("attributes"):
            module.attributes = self._dictionary()
        bodies: list[tuple[FuncOp, dict[str, SSAValue], int]] = []
        while self._current_token.kind != MLIRTokenKind.EOF:
            if self.parse_optional_keyword("func") is None:
                self._statement(module.body.block, {})
                continue
            function, values = self._header(module.body.block)
            if function.body.blocks:
                bodies.append((function, values, self.pos))
                self._skip_braces()
        end = self.pos
        for function, values, position in bodies:
            self._resume_from(position)
            self.parse_punctuation("{")
            self._statements(function.body.block, values)
        self._resume_from(end)
        return module

    def _skip_braces(self) -> None:
        depth = 0
        while True:
            kind = self._consume_token().kind
            depth += (kind == MLIRTokenKind.L_BRACE) - (kind == MLIRTokenKind.R_BRACE)
            if kind == MLIRTokenKind.EOF:
                self.raise_error("the function has no closing brace")
            if not depth:
                return

    def _header(self, block: Block) -> tuple[FuncOp, dict[str, SSAValue]]:
        """Parse a function up to its body, append it, and return it with its arguments by name."""
        start = self.pos
        name = self.parse_identifier_or_str_literal()
        items = self.parse_comma_separated_list(self.Delimiter.PAREN, self._typed_argument)
        self.parse_punctuation("->")
        outputs = self.parse_optional_undelimited_comma_separated_list(
            self.parse_optional_type, self.parse_type
        )
        rest = self._dictionary() if self.parse_optional_keyword("attributes") else {}
        has_body = self._current_token.kind == MLIRTokenKind.L_BRACE
        types = [type_ for _, type_ in items]
        region = Region(Block(arg_types=types)) if has_body else Region()
        function = FuncOp(name, (types, list(outputs or [])), region)
        own = function.get_irdl_definition().properties
        for key, attribute in rest.items():
            (function.properties if key in own else function.attributes)[key] = attribute
        block.add_op(function)
        self._starts[function] = start
        values: dict[str, SSAValue] = {}
        if has_body:
            self._define([(n or "", None) for n, _ in items], function.args, values)
        return function, values

    def _typed_argument(self) -> tuple[str | None, Attribute]:
        """Parse ``x: T``, or the type alone in a declaration."""
        name = self.parse_optional_identifier() if self._names_a_value() else None
        if name is not None:
            self.parse_punctuation(":")
        return name, self.parse_type()

    def _names_a_value(self) -> bool:
        token = self._current_token
        following = self.lexer.input.content[token.span.end :].lstrip()
        return token.kind == MLIRTokenKind.BARE_IDENT and following.startswith(":")

    def _dictionary(self) -> dict[str, Attribute]:
        return dict(self.parse_comma_separated_list(self.Delimiter.BRACES, self._entry))

    def _entry(self) -> tuple[str, Attribute]:
        key = self.parse_identifier_or_str_literal()
        has_value = self.parse_optional_punctuation("=") is not None
        return key, self.parse_attribute() if has_value else UnitAttr()

    def _statements(self, block: Block, values: dict[str, SSAValue]) -> None:
        """Parse the statements of a block, and its closing brace."""
        while self.parse_optional_punctuation("}") is None:
            self._statement(block, values)

    def _statement(self, block: Block, values: dict[str, SSAValue]) -> None:
        start = self.pos
        if self.parse_optional_keyword("func"):
            function, own = self._header(block)
            if function.body.blocks:
                self.parse_punctuation("{")
                self._statements(function.body.block, own)
            return
        name = self.parse_identifier("the name of a value or of an op")
        targets: list[tuple[str, Attribute | None]] = []
        kind = self._current_token.kind
        if kind in (MLIRTokenKind.EQUAL, MLIRTokenKind.COMMA, MLIRTokenKind.COLON):
            targets.append((name, self._optional_type()))
            while self.parse_optional_punctuation(","):
                targets.append((self.parse_identifier(), self._optional_type()))
            self.parse_punctuation("=")
            start, name = self.pos, self.parse_identifier("the name of an op")
        op = self._operation(name, len(targets), block, values, start)
        while self._current_token.kind in (MLIRTokenKind.L_BRACE, MLIRTokenKind.L_PAREN):
            self._region(op, values)
        self._infer(op, [type_ for _, type_ in targets])
        self._define(targets, op.results, values)

    def _optional_type(self) -> Attribute | None:
        return self.parse_type() if self.parse_optional_punctuation(":") else None

    def _define(
        self,
        targets: Sequence[tuple[str, Attribute | None]],
        made: Sequence[SSAValue],
        values: dict[str, SSAValue],
    ) -> None:
        for (name, _), value in zip(targets, made, strict=True):
            if name in values:
                self.raise_error(f"the name {name} is defined twice")
            value.name_hint = name
            values[name] = value

    def _region(self, op: Operation, values: dict[str, SSAValue]) -> None:
        """Parse a region of an op: its arguments, and its statements in braces."""
        given = self.parse_optional_comma_separated_list(self.Delimiter.PAREN, self._typed_argument)
        self.parse_punctuation("{")
        region = Region()
        op.add_region(region)
        if given is None and self.parse_optional_punctuation("}"):
            return
        block = Block(arg_types=[type_ for _, type_ in given or ()])
        region.add_block(block)
        inner = dict(values)
        self._define([(name or "", None) for name, _ in given or ()], block.args, inner)
        self._statements(block, inner)

    def _operation(
        self, name: str, count: int, block: Block, values: dict[str, SSAValue], start: int
    ) -> Operation:
        """Parse an op behind its name, and append it without regions.

        count: the number of results, whose types are not known yet.
        """
        op_class = self._class(name)
        known: set[str] = set()
        if issubclass(op_class, IRDLOperation):
            known = {*op_class.get_irdl_definition().properties}
        items = _Items()
        if self._current_token.kind == MLIRTokenKind.AT_IDENT:
            key = symbol_property(op_class)
            if key is None:
                self.raise_error(f"{op_class.name} has no symbol")
            items.properties[key] = self.parse_attribute()
        if self.parse_optional_punctuation("("):
            while self.parse_optional_punctuation(")") is None:
                self._item(items, known, block, values)
                if self._current_token.kind != MLIRTokenKind.R_PAREN:
                    self.parse_punctuation(",")
        elif not op_class.has_trait(IsTerminator):
            self.raise_error(f"the operands of {name} stand in parentheses")
        elif self._current_token.kind != MLIRTokenKind.R_BRACE:
            self._item(items, known, block, values)
            while self.parse_optional_punctuation(","):
                self._item(items, known, block, values)
        properties = {k: a for k, a in items.properties.items() if k in known}
        op = op_class.create(
            operands=items.operands,
            result_types=[NoneAttr()] * count,
            properties=properties,
            attributes={k: a for k, a in items.properties.items() if k not in known},
        )
        block.add_op(op)
        self._starts[op] = start
        return op

    def _class(self, name: str) -> type[Operation]:
        for full in (name, *(f"{dialect}.{name}" for dialect in SHORT)):
            found = self.ctx.get_optional_op(full)
            if found is not None and "." in full:
                return found
        if "." in name:
            return self._get_op_by_name(name)
        ops = [op for d in SHORT for op in self.ctx.get_dialect(d).operations]
        near = nearest(name, [op.name.partition(".")[2] for op in ops])
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        self.raise_error(f"there is no op {name}{hint}")

    def _item(
        self, items: _Items, known: set[str], block: Block, values: dict[str, SSAValue]
    ) -> None:
        """Parse an operand or a property of an op."""
        start = self.pos
        key = self.parse_identifier_or_str_literal()
        if self.parse_optional_punctuation("="):
            items.properties[key] = self.parse_attribute()
        elif self._current_token.kind in (MLIRTokenKind.L_PAREN, MLIRTokenKind.AT_IDENT):
            op = self._operation(key, 1, block, values, start)
            self._infer(op, [self._optional_type()])
            items.operands.append(op.results[0])
        elif key in values:
            items.operands.append(values[key])
        elif key in known:
            items.properties[key] = UnitAttr()
        else:
            near = nearest(key, list(values))
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            self.raise_error(f"value {key} is not defined{hint}")

    def _infer(self, op: Operation, stated: Sequence[Attribute | None]) -> None:
        """Set the result types of an op to those that the text states, or that follow from it."""
        types: Sequence[Attribute | None] = stated
        if None in stated or (not stated and op.results):
            try:
                found = inferred_types(op)
            except TilewrightError as err:
                locate(err, op, self.places())
                raise
            if found is None or len(found) != len(stated):
                count = "unknown" if found is None else str(len(found))
                self.raise_error(f"{op.name}: {count} result types follow from its operands")
            types = found
        for result, type_ in zip(list(op.results), types, strict=True):
            assert type_ is not None, "each result has a type"
            Rewriter.replace_value_with_new_type(result, type_)
