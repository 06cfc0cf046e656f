"""Read StableHLO text as a `Program`: modules, functions, and ops in generic or pretty form.

xDSL's parser is not used: xDSL 0.74 has no StableHLO dialect, and its parser rejects location
aliases that are defined after the module, and the custom forms of the ops, which jax writes.

One rule reads almost all pretty forms, because each part shows its kind: operands, ``key = value``
pairs, words, strings and brackets, up to the attributes and types. Only ``constant``, ``reduce``
and ``while`` have separate rules. Attributes get their names in the generic form (pretty.py).

Guarantees: every value is defined before it is read, every called function exists, and a region is
one block that ends with a return.
Source: StableHLO specification, and the forms that jax 0.10 prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...support.diagnostics import ModelError
from .attributes import MAX_NESTING, AttributeReader
from .definitions import (
    ArgumentDef,
    AttributeValue,
    DefinedFunction,
    OpDef,
    Program,
    RegionDef,
    ValueType,
    part_type,
)
from .lexer import Lexer, Token, unquoted
from .pretty import Attributes, standard_attributes

CALLS = ("func.call", "stablehlo.composite")
RETURNS = ("stablehlo.return", "func.return")
_SHORT = {"return": "func.return", "call": "func.call"}
"""Ops that may be written without the name of their dialect."""
_DIALECTS = ("stablehlo", "chlo", "func", "sdy", "mhlo", "shape", "arith", "tensor")
_NAMED = re.compile(r'(#[\w$.]+)\s*=\s*loc(\((?:[^"\n]|"(?:[^"\\]|\\.)*")*)')
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(?!\s*:)[()]')
_RESULTS = re.compile(r"%[\w$.-]+(:[0-9]+)?(\s*,\s*%[\w$.-]+(:[0-9]+)?)*\s*=")
_PRINT = "print the module in pretty form: exported.mlir_module()"


def read_program(text: str, file: str = "<text>") -> Program:
    """Read a module from text.

    file: the path, for messages.
    Errors: ModelError with line and column for malformed text.
    """
    return _Reader(text, file).program()


class _Reader:
    """The state of reading a text.

    scopes: by name, the types of the values that are defined so far; one dict per enclosing region.
    returned: the types of the results of the last region.  locations: the names in location
    aliases.
    """

    def __init__(self, text: str, file: str) -> None:
        body, resources = _without_resources(text)
        self.lexer = Lexer(body, file)
        self.attributes = AttributeReader(self.lexer, resources)
        self.scopes: list[dict[str, ValueType]] = []
        self.returned: list[ValueType | None] = []  # types of the results of the last region
        self.locations = {alias: _name_in(text) for alias, text in _NAMED.findall(body)}

    def program(self) -> Program:
        lexer, name, functions = self.lexer, "", dict[str, DefinedFunction]()
        self._skip_aliases()
        is_wrapped = lexer.skip("module") or lexer.skip("builtin.module")
        if is_wrapped:
            if lexer.token.kind == "symbol":
                name = _symbol(lexer.take())
            if lexer.skip("attributes"):
                self.attributes.dictionary()
            lexer.expect("{")
        while lexer.token.text != "}" and lexer.token.kind != "end":
            self._item(functions)
        if is_wrapped:
            lexer.expect("}")
            self._location()
        self._skip_aliases()
        if lexer.token.kind != "end":
            lexer.fail(f"expected the end of the text, got {lexer.shown()}")
        program = Program(name, functions)
        self._check_calls(program)
        return program

    def _item(self, functions: dict[str, DefinedFunction]) -> None:
        """Read a function; skip an alias, or a mesh of the dialect sdy."""
        lexer, start = self.lexer, self.lexer.token
        if start.kind == "hash" and lexer.follows("="):
            self._skip_aliases()
        elif start.text == "func.func":
            function = self._function()
            if function.name in functions:
                lexer.fail(f"function @{function.name} is defined twice", start.start)
            functions[function.name] = function
        elif start.text == "sdy.mesh":
            lexer.take()
            lexer.expect_kind("symbol", "the name of a mesh")
            lexer.expect("=")
            self.attributes.attribute()
            self._location()
        else:
            lexer.fail(f"expected func.func, got {lexer.shown()}", hint=_PRINT)

    def _check_calls(self, program: Program) -> None:
        for function in program.functions.values():
            for op in program.walk(function):
                if op.callee is None and op.name not in CALLS:
                    continue
                if op.callee not in program.functions:
                    what = "a call names no function"
                    raise ModelError(
                        f"function @{op.callee} is called but not defined" if op.callee else what,
                        hint="write the whole module: exported.mlir_module()",
                    ).in_file(f"{self.lexer.file}:{op.line}")

    def _skip_aliases(self) -> None:
        while self.lexer.token.kind in ("hash", "bang") and self.lexer.follows("="):
            self.lexer.take()
            self.lexer.take()
            if self.lexer.token.text == "loc":
                self._location()
            else:
                self.attributes.attribute()

    def _location(self) -> str:
        if self.lexer.token.text != "loc" or not self.lexer.follows("("):
            return ""
        self.lexer.take()
        text = self.lexer.skip_balanced()
        alias = re.fullmatch(r"\(\s*(#[\w$.]+)\s*\)", text)
        return self.locations.get(alias[1], "") if alias else _name_in(text)

    def _function(self) -> DefinedFunction:
        lexer = self.lexer
        line = lexer.line_at(lexer.take().start)
        is_public = True
        while lexer.token.kind == "word":
            is_public = lexer.take().text != "private" and is_public
        name = _symbol(lexer.expect_kind("symbol", "the name of a function"))
        lexer.expect("(")
        arguments = lexer.listed(self._named_argument, ")")
        results: list[ArgumentDef] = []
        if lexer.skip("->"):
            if lexer.skip("("):
                results = lexer.listed(lambda: self._argument(""), ")")
            else:
                results.append(ArgumentDef("", self.attributes.type(), {}))
        if lexer.skip("attributes"):
            self.attributes.dictionary()
        body = self._region([(x.name, x.type) for x in arguments], 0)
        if self.returned != [x.type for x in results]:
            declared, given = (
                ", ".join(map(str, xs)) for xs in ([x.type for x in results], self.returned)
            )
            lexer.fail(f"@{name} returns ({given}), not ({declared})")
        self._location()
        return DefinedFunction(name, tuple(arguments), tuple(results), body, is_public, line)

    def _named_argument(self) -> ArgumentDef:
        name = self.lexer.expect_kind("value", "an argument such as %arg0").text
        self.lexer.expect(":")
        return self._argument(name)

    def _argument(self, name: str) -> ArgumentDef:
        type_ = self.attributes.type()
        given = self.attributes.dictionary() if self.lexer.token.text == "{" else {}
        return ArgumentDef(name, type_, given, self._location())

    def _region(
        self, arguments: Iterable[tuple[str, ValueType]] = (), depth: int | None = None
    ) -> RegionDef:
        """Read a region with its braces.

        arguments: the arguments that are already read.  depth: the number of enclosing scopes whose
        values are visible; by default, all.
        """
        lexer = self.lexer
        del self.scopes[len(self.scopes) if depth is None else depth :]
        if len(self.scopes) >= MAX_NESTING:
            lexer.fail(f"regions are nested more than {MAX_NESTING} deep")
        start = lexer.expect("{")
        given = list(arguments)
        self.scopes.append(dict(given))
        if lexer.token.kind == "block":
            given += self._block_arguments()
        ops: list[OpDef] = []
        while not lexer.skip("}"):
            if lexer.token.kind == "block":
                lexer.fail("a region has several blocks", hint="StableHLO regions have one")
            if ops and ops[-1].name in RETURNS and lexer.token.kind != "end":
                lexer.fail("an op follows the return of its region")
            ops.append(self._op())
        if not ops or ops[-1].name not in RETURNS:
            lexer.fail("a region does not end with a return", start.start)
        self.returned = [self._found(name) for name in ops[-1].operands]
        self.scopes.pop()
        return RegionDef(tuple(given), tuple(ops))

    def _block_arguments(self) -> list[tuple[str, ValueType]]:
        lexer = self.lexer
        lexer.take()
        found = self._region_arguments() if lexer.token.text == "(" else []
        lexer.expect(":")
        return found

    def _region_arguments(self) -> list[tuple[str, ValueType]]:
        """Read ``(%a: type, %b: type)`` and define the arguments."""

        def argument() -> tuple[str, ValueType]:
            name = self.lexer.expect_kind("value", "a block argument").text
            self.lexer.expect(":")
            type_ = self.attributes.type()
            self._location()
            return name, type_

        self.lexer.expect("(")
        found = self.lexer.listed(argument, ")")
        self.scopes[-1].update(found)
        return found

    def _op(self) -> OpDef:
        lexer, start = self.lexer, self.lexer.token
        names: list[tuple[str, int]] = []
        while lexer.token.kind == "value":
            name = lexer.take().text
            count = int(lexer.expect_kind("number", "a number").text) if lexer.skip(":") else 1
            names.append((name, count))
            if not lexer.skip(","):
                lexer.expect("=")
                break
        token = lexer.token
        if token.kind == "string":
            op = self._generic()
        elif token.kind == "word":
            op = self._custom()
        else:
            lexer.fail(f"expected an op, got {lexer.shown()}")
        location = self._location()
        named = sum(count for _, count in names)
        if named != len(op.types):
            lexer.fail(f"{op.name} has {len(op.types)} results, and {named} names", start.start)
        results = tuple(
            name if count == 1 else f"{name}#{n}" for name, count in names for n in range(count)
        )
        for name, type_ in zip(results, op.types, strict=True):
            if any(name in scope for scope in self.scopes):
                lexer.fail(f"value {name} is defined twice", start.start)
            self.scopes[-1][name] = type_
        line = lexer.line_at(token.start)
        return OpDef(
            op.name, op.operands, results, op.types, op.attributes, op.regions, line, location
        )

    def _made(
        self,
        name: str,
        operands: Sequence[str],
        types: Sequence[ValueType],
        attributes: Mapping[str, AttributeValue],
        regions: Sequence[RegionDef] = (),
    ) -> OpDef:
        return OpDef(name, tuple(operands), (), tuple(types), attributes, tuple(regions), 0)

    def _use(self) -> str:
        token = self.lexer.expect_kind("value", "an operand")
        for name in (token.text, token.text.removesuffix("#0")):
            if self._found(name) is not None:
                return name
        self.lexer.fail(f"value {token.text} is used but not defined", token.start)

    def _found(self, name: str) -> ValueType | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def _generic(self) -> OpDef:
        """Read ``"name"(operands) <{properties}> ({regions}) {attributes} : type``."""
        lexer = self.lexer
        name = unquoted(lexer.take().text)
        lexer.expect("(")
        operands = lexer.listed(self._use, ")")
        given: Attributes = {}
        if lexer.token.text == "<":
            lexer.take()
            given.update(self.attributes.dictionary())
            lexer.expect(">")
        regions = lexer.listed(self._region, ")") if lexer.skip("(") else []
        if lexer.token.text == "{":
            given.update(self.attributes.dictionary())
        types = self._signature(operands)
        return self._made(name, operands, types, given, regions)

    def _signature(self, operands: Sequence[str]) -> tuple[ValueType, ...]:
        """Read ``: (operand types) -> result types``; return the result types.

        Errors: ModelError if the operands have other types.
        """
        lexer = self.lexer
        at = lexer.expect(":").start
        given = self.attributes.types()
        if not lexer.skip("->"):
            lexer.fail(f"expected '->', got {lexer.shown()}")
        self._check_operands(operands, given, at)
        return self.attributes.types()

    def _check_operands(self, operands: Sequence[str], given: Sequence[ValueType], at: int) -> None:
        actual = [self._found(name) for name in operands]
        if len(given) != len(actual):
            self.lexer.fail(f"{len(actual)} operands have {len(given)} types", at)
        for name, type_, known in zip(operands, given, actual, strict=True):
            if type_ != known:
                self.lexer.fail(f"{name} has the type {known}, not {type_}", at)

    def _custom(self) -> OpDef:
        lexer, start = self.lexer, self.lexer.take()
        name = _SHORT.get(start.text, start.text)
        if name.partition(".")[0] not in _DIALECTS:
            lexer.fail(
                f"{start.text} is no op of StableHLO",
                start.start,
                hint="write the module with jax.export: exported.mlir_module()",
            )
        special: dict[str, Callable[[], OpDef]] = {
            "stablehlo.constant": self._constant,
            "stablehlo.reduce": self._reduce,
            "stablehlo.while": self._while,
        }
        if name in special:
            return special[name]()
        operands, words, given = self._parts()
        if lexer.token.text == "<" and lexer.follows("{"):
            lexer.take()
            given.update(self.attributes.dictionary())
            lexer.expect(">")
        if lexer.token.text == "{":
            given.update(self.attributes.dictionary())
        types = () if name in RETURNS else self._types(name, operands)
        if name in RETURNS and lexer.skip(":"):
            while True:
                self.attributes.type()
                if not lexer.skip(","):
                    break
        try:
            attributes = standard_attributes(name, words, given)
        except (AttributeError, IndexError, TypeError, ValueError) as err:
            lexer.fail(f"the attributes of {name} are malformed: {err}", start.start)
        return self._made(name, operands, types, attributes)

    def _parts(self) -> tuple[list[str], list[AttributeValue], Attributes]:
        """Read the operands, the values without a name, and the values with a name of an op.

        They end where the attribute dictionary or the types begin.
        """
        lexer = self.lexer
        operands: list[str] = []
        words: list[AttributeValue] = []
        given: Attributes = {}
        while lexer.token.text not in ("{", ":", "}", "loc"):
            token = lexer.token
            if token.text == "<" and lexer.follows("{"):
                break
            if token.kind == "value":
                if _RESULTS.match(lexer.text, token.start):
                    break  # the next op begins
                operands.append(self._use())
            elif token.kind == "word" and lexer.follows("="):
                lexer.take()
                lexer.take()
                given[token.text] = self._named_value(token.text)
            elif token.text == "[":
                given["ranges"] = self._ranges()
            elif token.text in ("(", ")", ","):
                lexer.take()
            elif token.kind in ("word", "string", "symbol"):
                words.append(self.attributes.attribute())
            else:
                lexer.fail(f"unexpected {lexer.shown()}")
        return operands, words, given

    def _named_value(self, name: str) -> AttributeValue:
        if name == "dim_numbers":
            return self.attributes.dimension_numbers()
        if self.lexer.token.text == "<":
            self.lexer.skip_balanced()
            return None
        value = self.attributes.untyped()
        return (value, self.attributes.attribute()) if self.lexer.skip("x") else value

    def _ranges(self) -> AttributeValue:
        """Read ``[0:4, 0:8:2]`` as tuples of start, limit and stride."""
        lexer = self.lexer

        def numbers() -> AttributeValue:
            found = [int(lexer.expect_kind("number", "a number").text)]
            while lexer.skip(":"):
                found.append(int(lexer.expect_kind("number", "a number").text))
            return (*found, 1)[:3] if len(found) < 3 else tuple(found)

        lexer.expect("[")
        return tuple(lexer.listed(numbers, "]"))

    def _types(self, name: str, operands: Sequence[str]) -> tuple[ValueType, ...]:
        """Read the types after the op's colon, if there is one; return the types of its results.

        The text has a signature ``(operand types) -> result types``, or only types.
        """
        lexer = self.lexer
        if not lexer.skip(":"):
            return ()
        at = lexer.token.start
        is_listed = lexer.token.text == "("
        given = [*self.attributes.types()]
        while not is_listed and lexer.skip(","):
            given.append(self.attributes.type())
        if lexer.skip("->"):
            self._check_operands(operands, given, at)
            return self.attributes.types()
        if name == "stablehlo.select":
            return tuple(given[-1:])
        if len(given) == 1:
            wanted = [part_type(given[0])] if name == "stablehlo.complex" else given
            for operand in operands:
                if name != "stablehlo.clamp":
                    self._check_operands([operand], wanted, at)
        return tuple(given)

    def _constant(self) -> OpDef:
        lexer = self.lexer
        given: Attributes = {}
        if lexer.token.text == "{":
            given.update(self.attributes.dictionary())
        at = lexer.token.start
        value = self.attributes.attribute()
        type_ = getattr(value, "type", None)
        if not isinstance(type_, ValueType):
            lexer.fail("expected dense<…> : tensor<…>", at)
        return self._made("stablehlo.constant", (), (type_,), {**given, "value": value})

    def _reduce(self) -> OpDef:
        """Read a reduction: its short form, or its form with a reducer.

        Each operand is followed by its initial value.

            (%x init: %c), (…) applies op across dimensions = […] : type
            (%x init: %c), (…) across dimensions = […] : type reducer(%a, %b) { … }
        """
        lexer = self.lexer
        values: list[str] = []
        inits: list[str] = []
        while not values or lexer.skip(","):
            lexer.expect("(")
            values.append(self._use())
            lexer.expect("init")
            lexer.expect(":")
            inits.append(self._use())
            lexer.expect(")")
        short = None
        if lexer.skip("applies"):
            short = lexer.expect_kind("word", "the name of an op")
        lexer.expect("across")
        lexer.expect("dimensions")
        lexer.expect("=")
        given: Attributes = {"dimensions": self.attributes.untyped()}
        if lexer.token.text == "{":
            given.update(self.attributes.dictionary())
        operands = [*values, *inits]
        types = self._signature(operands)
        body = self._reducer(len(values)) if short is None else self._body_of(short, inits)
        return self._made("stablehlo.reduce", operands, types, given, (body,))

    def _body_of(self, op: Token, inits: Sequence[str]) -> RegionDef:
        """Return the region of a short form such as ``applies add``: the op on two elements.

        op: the name of the op.  inits: the initial values; the first one has the type of the
        elements.
        """
        type_ = self._found(inits[0])
        assert type_ is not None, "operands are defined"
        line = self.lexer.line_at(op.start)
        applied = OpDef(op.text, ("%lhs", "%rhs"), ("%out",), (type_,), {}, (), line)
        end = OpDef("stablehlo.return", ("%out",), (), (), {}, (), line)
        return RegionDef((("%lhs", type_), ("%rhs", type_)), (applied, end))

    def _reducer(self, count: int) -> RegionDef:
        """Read ``reducer(%a, %b) (%c, %d) { … }``, with a pair of arguments for each operand."""
        lexer = self.lexer
        lexer.expect("reducer")
        self.scopes.append({})
        pairs = [self._region_arguments() for _ in range(count)]
        if any(len(pair) != 2 for pair in pairs):
            lexer.fail("a reducer takes two arguments for each operand")
        ordered = [pair[n] for n in range(2) for pair in pairs]
        region = self._region(ordered)
        self.scopes.pop()
        return region

    def _while(self) -> OpDef:
        """Read ``(%i = %x, …) : types attributes {…} cond {…} do {…}``."""
        lexer = self.lexer

        def pair() -> tuple[str, str]:
            name = lexer.expect_kind("value", "a loop argument").text
            lexer.expect("=")
            return name, self._use()

        lexer.expect("(")
        pairs = lexer.listed(pair, ")")
        operands = [operand for _, operand in pairs]
        types: list[ValueType] = []
        at = lexer.token.start
        while lexer.skip(":") if not types else lexer.skip(","):
            types.append(self.attributes.type())
        self._check_operands(operands, types, at)
        given = self.attributes.dictionary() if lexer.skip("attributes") else {}
        arguments = [(name, type_) for (name, _), type_ in zip(pairs, types, strict=True)]
        lexer.expect("cond")
        condition = self._region(arguments)
        lexer.expect("do")
        body = self._region(arguments)
        return self._made("stablehlo.while", operands, types, given, (condition, body))


def _symbol(token: Token) -> str:
    name = token.text[1:]
    return unquoted(name) if name.startswith('"') else name


def _name_in(location: str) -> str:
    """Return the first name in a location; a file path is not a name."""
    found = _NAME.search(location + ")")
    return unquoted(f'"{found[1]}"') if found else ""


def _without_resources(text: str) -> tuple[str, dict[str, str]]:
    """Split a text into the module, and its resources: hexadecimal data by name."""
    start = text.rfind("{-#")
    if start < 0 or "dialect_resources" not in text[start : start + 200]:
        return text, {}
    found = re.findall(r'([\w$.-]+|"(?:[^"\\]|\\.)*")\s*:\s*"(0x[0-9A-Fa-f]*)"', text[start:])
    return text[:start], {name.strip('"'): data for name, data in found}
