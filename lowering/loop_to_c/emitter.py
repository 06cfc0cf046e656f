"""The emitter of one kernel function as readable C99.

It prints the statements of simt_to_c/ with names from the model, temporaries folded into the
expressions that use them, and one function for each op that takes more than one C expression:

    float t3 = exp_f32(t2);
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import loop
from ...support.affine import Index, Range
from ...support.blocks import returned
from ..lane_lists import Access, joined, lanes_of
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import LlvmType
from ..simt_to_c.emitter import CEmitter
from .dialect import C99, FUNCTIONS, C99Type, Language, packed_type
from .expressions import ATOM, PRODUCT, UNARY, Temporary, fold, level_of, names_in, numbered

MOST_STATEMENTS = 2
"""An op that takes more statements becomes a call of a function."""

_WORDS = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while bool true false NULL NAN INFINITY""".split()  # noqa: SIM905
)
"""Words that are no names of variables."""

_PARAMETERS = ("x", "y", "z", "u", "v", "w")
_NUMBER = re.compile(r"\(?-?\d+(u|ull)?\)?")
_ATOM = re.compile(r"\w+|\d+\.\d+(e[-+]?\d+)?f?|\(-[\d.e+-]+f?\)")
_DIVIDED = re.compile(r"(?<![\w)])\((\w+)\)(?= [/%] \d)")
_RECAST = re.compile(r"\((u?)int(\d+)_t\)\(u?int\2_t\)")


def c_name(text: str) -> str:
    """Return an identifier of C that resembles a text, such as the name of a node of a model."""
    made = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_")
    if not made:
        return "x"
    if made[0].isdigit():
        made = f"x{made}"
    return f"{made}_" if made in _WORDS or names_in(made) else made


class CKernelEmitter(CEmitter):
    """The emitter of one kernel function as readable C99.

    functions: the helper functions of the whole program, by name; those of the kernel are added.
    taken: the names that helper functions cannot have.
    signed: the names of arrays whose elements are signed integers.
    helpers: the same functions as ``functions``.
    target_language: C99, or a language made from its text.
    """

    def __init__(
        self,
        handlers: Handlers,
        functions: dict[str, str],
        taken: Collection[str],
        language: Language,
        *,
        strict_math: bool,
    ) -> None:
        super().__init__(C99, cast(Any, handlers), strict_math=strict_math)
        self.target_language = language
        self.helpers, self._taken = functions, taken
        self.signed: set[str] = set()
        self._scopes: list[set[str]] = [{*_WORDS, *FUNCTIONS}]
        self._type_names: dict[str, str] = {}

    # ---- values

    def type_of(self, value: SSAValue) -> C99Type:
        if (packed := packed_type(value.type)) is not None:
            return packed
        found = super().type_of(value)
        return C99Type.made(found.format, found.lanes)

    @property
    def fuses_products(self) -> bool:
        return False

    @property
    def has_rounding(self) -> bool:
        return False

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        return self._each(type_, "{2} + {0} * {1}", a, b, c)

    def round_to_integer(self, x: str, source: LlvmType, target: LlvmType) -> str:
        assert (source.format, target.format) == ("f32", "i32"), "rounds clamped floats to bytes"
        return self._each(target, "(uint32_t)nearest({0})", x)

    def cast(self, opcode: str, x: str, source: LlvmType, target: LlvmType) -> str:
        if opcode in ("sitofp", "uitofp") and _NUMBER.fullmatch(x):
            number = int(x.strip("()").rstrip("ul"))
            if opcode == "sitofp" and number >> (source.bits - 1):
                number -= 1 << source.bits
            return target.const(number)
        return super().cast(opcode, x, source, target)

    # ---- names

    def unique(self, name: str) -> str:
        """Return a C name that is free in the scope: ``name``, or ``name`` with a number."""
        wanted, taken, number = c_name(name), self._scopes[-1], 1
        chosen = wanted
        while chosen in taken or chosen in self.helpers:
            number += 1
            chosen = f"{wanted}_{number}"
        taken.add(chosen)
        return chosen

    def variable(self, type_: LlvmType, expression: str, *, changes: bool = False) -> str:
        if not changes and _ATOM.fullmatch(expression) and expression not in self._changing():
            return expression
        return self.named_variable("", type_, expression, changes=changes)

    def _changing(self) -> set[str]:
        return self._type_names.keys() - {n for n in self._type_names if n[1:].isdigit()}

    def named_variable(
        self, name: str, type_: LlvmType, expression: str, *, changes: bool = False
    ) -> str:
        """Append the declaration of a variable with an initial value; return its name.

        changes: whether later code assigns the variable.  If not, it is a temporary, which may be
        folded into the expressions that use it.
        name: the wanted name, which only a variable that changes gets.
        """
        chosen = self.unique(name or "value") if changes else self.name()
        type_name = self._type_names[chosen] = self.type_name(type_)
        if self._changes_type(type_, expression):
            is_plain = level_of(expression) >= UNARY
            expression = f"({type_name}){expression if is_plain else f'({expression})'}"
        indent = "    " * self.depth
        line = f"{indent}{type_name} {chosen} = {expression};"
        self.lines.append(line if changes else Temporary.of(line, chosen, expression))
        return chosen

    def _changes_type(self, type_: LlvmType, expression: str) -> bool:
        """Return whether an expression needs a cast to ``type_``, as it may have another C type."""
        if type_.is_float or type_.bits == 1 or expression.startswith(f"({self.type_name(type_)})"):
            return False
        is_plain = level_of(expression) == ATOM and not expression.startswith("(")
        return not is_plain and (type_.bits < 32 or "(int" in expression)

    # ---- positions

    def index_text(self, index: Index) -> str:
        is_wide = self._is_wide(index)
        terms = [(key, factor) for key, factor in index.terms.items()]
        plus = [self._term(key, factor, is_wide) for key, factor in terms if factor > 0]
        minus = [self._term(key, -factor, is_wide) for key, factor in terms if factor < 0]
        if index.const:
            (plus if index.const > 0 else minus).append(str(abs(index.const)))
        if not plus:
            return " - ".join([f"-{minus[0]}", *minus[1:]]) if minus else "0"
        return "".join([" + ".join(plus), *(f" - {text}" for text in minus)])

    def address_text(self, op: Access) -> str:
        """Return the flat position of an access as C code, such as ``(o * 3 + i) * 9 + r``."""
        indices, flat = self.indices(op), self.flat_index(op)
        assert flat is not None, "sizes are static"
        if self._leaves_int(flat) or any(True for index in indices for _ in index.atoms()):
            return self.index_text(flat)
        text, factor = "", 1
        for index, size in zip(indices, cast(MemRefType, op.mem.type).get_shape(), strict=True):
            own, factor = self.index_text(index), factor * size
            if own == "0":
                continue
            row = text if level_of(text) >= PRODUCT else f"({text})"
            text = f"{row} * {factor} + {own}" if text else own
            factor = 1
        if text and factor > 1:
            return f"{text if level_of(text) >= PRODUCT else f'({text})'} * {factor}"
        return text or "0"

    # ---- ops

    def emit_op(self, op: Operation) -> None:
        first = len(self.lines)
        super().emit_op(op)
        made = self.lines[first:]
        if len(made) <= MOST_STATEMENTS or len(op.results) != 1 or op.regions:
            return
        if isinstance(op, loop.LoadOp) or self.type_of(op.results[0]).lanes > 1:
            return
        self._outline(op, first)

    def _outline(self, op: Operation, first: int) -> None:
        """Move the lines that compute an op into a helper function, and append a call of it.

        The lines stay if the function would have too many parameters.
        first: the number of the first of these lines, which end the text.
        """
        result, type_ = self.values[op.results[0]], self.type_of(op.results[0])
        lines = self.lines[first:]
        own = {line.name for line in lines if isinstance(line, Temporary)}
        given = dict.fromkeys(
            name
            for text in (*(_expression(line) for line in lines), result)
            for name in re.findall(r"\b[A-Za-z_]\w*\b", text)
            if name in self._type_names and name not in own and not _declares(lines, name)
        )
        if len(given) > len(_PARAMETERS):
            return
        del self.lines[first:]
        renamed = dict(zip(given, _PARAMETERS, strict=False))
        in_order = sorted(own, key=lambda name: int(name[1:]))
        renamed |= {name: f"t{number}" for number, name in enumerate(in_order, 1)}
        cut = 4 * (self.depth - 1)
        body = [_renamed(line, renamed, cut) for line in lines]
        body.append(f"    return {_renamed_text(result, renamed)};")
        head = ", ".join(f"{self._type_names[name]} {renamed[name]}" for name in given)
        text = tidy("\n".join(numbered(fold(body))))
        function = self._shared_function(_function_name(op), self.type_name(type_), head, text)
        call = f"{function}({', '.join(given)})"
        self.define(op.results[0], self.named_variable("", type_, call))

    def _shared_function(self, name: str, result: str, parameters: str, body: str) -> str:
        """Return the name of a helper function; add the function unless an equal one exists.

        name: the wanted name.
        result: the result type.
        parameters: the declarations of the parameters.
        body: the statements.
        """
        number, chosen = 1, name
        while True:
            text = f"static {result} {chosen}({parameters or 'void'})\n{{\n{body}\n}}"
            is_free = chosen not in self._scopes[-1] and chosen not in self._taken
            if is_free and self.helpers.setdefault(chosen, text) == text:
                return chosen
            number += 1
            chosen = f"{name}_{number}"

    # ---- loops

    def begin_carried(self, op: loop.ForOp) -> None:
        for position, (argument, init) in enumerate(
            zip(op.body.block.args[1:], op.inits, strict=True)
        ):
            if _continues(op, position):
                self.define(argument, self.values[init])
                continue
            type_ = self.type_of(argument)
            name = _role(op, position)
            texts = lanes_of(self.values[init])
            made = [self.named_variable(name, type_, text, changes=True) for text in texts]
            self.define(argument, joined(made))

    @contextmanager
    def scope(self) -> Generator[None]:
        """Open a scope of C for the ``with`` block, after which its names are free again."""
        self._scopes.append(set(self._scopes[-1]))
        yield
        self._scopes.pop()

    def loop_variable(self, value: SSAValue, range_: Range) -> tuple[str, str]:
        """Record a loop variable and its range; return its C type and its name."""
        name = self.unique(value.name_hint or "i")
        self.positions[value], self.ranges[value] = name, range_
        self.values[value] = f"({self.dialect.types['i64']}){name}"
        self._type_names[name] = self.position_type(range_)
        return self._type_names[name], name

    def finished(self) -> str:
        """Return the statements as text, with temporaries folded and conversions removed."""
        return tidy("\n".join(numbered(fold(self.lines))), self.signed)


def tidy(text: str, signed: set[str] | frozenset[str] = frozenset()) -> str:
    """Remove conversions and parentheses from C code that do not change its meaning.

    signed: the names of arrays whose elements are signed.
    """
    text = _DIVIDED.sub(r"\1", _RECAST.sub(r"(\1int\2_t)", text))
    for name in signed:
        text = re.sub(rf"\(int(8|16|32|64)_t\)(?={name}\[)", "", text)
    return text


def _expression(line: str) -> str:
    return line.expression if isinstance(line, Temporary) else line


def _declares(lines: list[str], name: str) -> bool:
    """Return whether one of some lines declares ``name`` as a variable that changes."""
    return any(re.match(rf" *\w+ {name} = ", str(line)) for line in lines)


def _renamed(line: str, names: Mapping[str, str], cut: int) -> str:
    """Rename the variables in a line, and remove indentation.

    names: the new name of each variable, by the old one.
    cut: the number of spaces to remove at the start.
    """
    text = _renamed_text(line, names)[cut:]
    if not isinstance(line, Temporary):
        return text
    return Temporary.of(text, names[line.name], _renamed_text(line.expression, names))


def _renamed_text(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: names.get(found[0], found[0]), text)


def _function_name(op: Operation) -> str:
    """Return the wanted name of the helper function that computes an op, such as ``exp_f32``."""
    if isinstance(op, loop.IntrinsicOp):
        return op.callee.string_value()
    kind = op.kind.data if isinstance(op, loop.CastOp) else op.name.partition(".")[2]
    return f"{_NAMES.get(kind, f'{kind}_')}{op.results[0].type}"


def _continues(op: loop.ForOp, position: int) -> bool:
    """Return whether two nested loops can use one variable for a carried value.

    This is so if the inner loop starts with the value that the outer loop carries, and the outer
    loop yields its result.
    op: the inner loop.
    position: the position of the value among those that ``op`` carries.
    """
    init, result, parent = op.inits[position], op.res[position], op.parent_op()
    if not isinstance(parent, loop.ForOp) or init not in parent.body.block.args[1:]:
        return False
    at = parent.body.block.args.index(init) - 1
    is_only_use = len(list(init.uses)) == len(list(result.uses)) == 1
    return is_only_use and returned(parent.body.block)[at] is result


_NAMES = {"fptoui": "round_to_u", "fptosi": "round_to_", "truncf": "round_to_", "extf": "as_"}
"""The start of the names of functions that convert, by the kind of the conversion."""
_ROLES: Mapping[type[Operation], str] = {
    arith.AddfOp: "sum",
    arith.AddiOp: "sum",
    math.FmaOp: "sum",
    loop.IntrinsicOp: "sum",
    arith.MulfOp: "product",
    arith.MuliOp: "product",
    arith.MaximumfOp: "largest",
    arith.MaxnumfOp: "largest",
    arith.MaxSIOp: "largest",
    arith.MaxUIOp: "largest",
    arith.MinimumfOp: "least",
    arith.MinnumfOp: "least",
    arith.MinSIOp: "least",
    arith.MinUIOp: "least",
}


def _role(op: loop.ForOp, position: int) -> str:
    """Return a variable name for a value that a loop carries, such as ``sum``.

    The name follows from the op that updates the value.
    position: the position of the value among those that the loop carries.
    """
    value = returned(op.body.block)[position]
    owner = value.owner
    owner = owner.value.owner if isinstance(owner, loop.ExtractOp) else owner
    if isinstance(owner, loop.ForOp):
        return _role(owner, [*owner.res].index(cast(OpResult, value)))
    return _ROLES.get(type(owner), "carried") if isinstance(owner, Operation) else "carried"


__all__ = ["CKernelEmitter", "c_name", "names_in", "tidy"]
