"""The JSON form of a program: one object per op, with the generic parts of the op.

docs/ir.schema.json describes it. Types, attributes and locations are texts, as the IR prints them;
values and blocks have names that are unique in the document. A part of an op that is empty is
absent. Weights that a program refers to by key are not in the document (``tw-opt --save-weights``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..support.diagnostics import ModelError
from ..support.registry import new_context
from .creation import Creation
from .difference import op_name

VERSION = 1
Json: TypeAlias = "dict[str, Any]"


def to_json(op: Operation, *, indent: int | None = None) -> str:
    """Return a program as JSON.

    indent: the number of spaces by which each level is indented; None: one line.
    Errors: ModelError for a program whose regions are nested too deeply for Python.
    """
    try:
        form = {"version": VERSION, "op": _JsonWriter().op(op)}
        return json.dumps(form, indent=indent, ensure_ascii=False)
    except RecursionError as err:
        raise ModelError("too many nested regions for JSON") from err


def from_json(text: str, ctx: Context | None = None) -> Operation:
    """Return the program that `to_json` has written.

    ctx: the dialects of the program; by default those of this package.
    Errors: ModelError for a text that is no JSON or breaks docs/ir.schema.json, for an unknown op
    or version, and for a value that is used but not defined. The program is not verified.
    """
    try:
        form = json.loads(text)
        version = form.get("version") if isinstance(form, dict) else None
        if version != VERSION:
            raise ModelError("unknown version of JSON", expected=VERSION, got=version)
        reader = _JsonReader(new_context() if ctx is None else ctx)
        found = reader.op(_field(cast(Json, form), "op", dict))
        reader.creation.finish()
    except ValueError as err:
        raise ModelError("the text is no JSON", got=str(err)) from err
    except RecursionError as err:
        raise ModelError("too many nested regions in JSON") from err
    return found


class _JsonWriter:
    """A writer of one program, which gives each value and each block a name."""

    def __init__(self) -> None:
        self._names: dict[SSAValue | Block, str] = {}
        self._taken: set[str] = set()

    def op(self, op: Operation) -> Json:
        attributes = dict(op.attributes)
        if isinstance(op, UnregisteredOp):
            attributes.pop("op_name__")
        form: Json = {"name": op_name(op)}
        parts = {
            "operands": [self._name(value) for value in op.operands],
            "results": self._values(op.results),
            "properties": _texts(op.properties),
            "attributes": _texts(attributes),
            "successors": [self._name(block) for block in op.successors],
            "regions": [[self._block(block) for block in each.blocks] for each in op.regions],
            "location": "" if op.location == UNKNOWN_LOC else str(op.location),
        }
        return form | {name: part for name, part in parts.items() if part}

    def _block(self, block: Block) -> Json:
        return {
            "name": self._name(block),
            "arguments": self._values(block.args),
            "ops": [self.op(op) for op in block.ops],
        }

    def _values(self, values: Iterable[SSAValue]) -> list[Json]:
        return [{"name": self._name(value), "type": str(value.type)} for value in values]

    def _name(self, named: SSAValue | Block) -> str:
        if named not in self._names:
            hint = named.name_hint or ""
            sign = "^" if isinstance(named, Block) else "%"
            number = len(self._names)
            made = sign + (hint or str(number))
            if made in self._taken:
                made = f"{sign}{hint}_{number}"
            self._taken.add(made)
            self._names[named] = made
        return self._names[named]


def _texts(attributes: Mapping[str, Attribute]) -> dict[str, str]:
    return {name: str(each) for name, each in attributes.items()}


class _JsonReader:
    """A reader of one program."""

    def __init__(self, ctx: Context) -> None:
        self.creation = Creation(ctx)
        self._blocks: dict[str, Block] = {}

    def op(self, form: Json) -> Operation:
        name = _field(form, "name", str)
        results = _objects(form, "results")
        try:
            types = [self.creation.attribute(_field(each, "type", str)) for each in results]
            made = self.creation.op(
                name,
                _strings(form, "operands"),
                types,
                properties=self._attributes(form, "properties"),
                attributes=self._attributes(form, "attributes"),
                successors=[self._block(each) for each in _strings(form, "successors")],
                location=self.creation.location(_field(form, "location", str, "")),
            )
        except ModelError as err:
            raise err.named(name) from err
        for each, value in zip(results, made.results, strict=True):
            self._define(each, value)
        for blocks in _field(form, "regions", list, []):
            made.add_region(self._region(blocks))
        return made

    def _attributes(self, form: Json, part: str) -> dict[str, Attribute]:
        texts = _field(form, part, dict, {})
        return {
            name: self.creation.attribute(_field(texts, name, str)) for name in cast(Json, texts)
        }

    def _region(self, forms: object) -> Region:
        if not isinstance(forms, list):
            raise ModelError("a region is malformed", expected="a list of blocks", got=forms)
        blocks = [_as_object(form, "a block") for form in cast("list[object]", forms)]
        made = [self._block(_field(form, "name", str)) for form in blocks]
        for form, block in zip(blocks, made, strict=True):
            for argument in _objects(form, "arguments"):
                text = _field(argument, "type", str)
                value = block.insert_arg(self.creation.attribute(text), len(block.args))
                self._define(argument, value)
            block.add_ops(self.op(each) for each in _objects(form, "ops"))
        return Region(made)

    def _block(self, name: str) -> Block:
        return self._blocks.setdefault(name, Block())

    def _define(self, form: Json, value: SSAValue) -> None:
        name = _field(form, "name", str)
        hint = name.removeprefix("%")
        value.name_hint = hint if SSAValue.is_valid_name(hint) else None
        self.creation.define(name, value)


def _field(form: Json, name: str, kind: type, default: Any = None) -> Any:
    """Return a member of a JSON object.

    form: the object.
    name: the name of the member.
    kind: the Python type that it must have.
    default: the result if the member is absent; None: the member is required.
    Errors: ModelError for another type, or a required member that is absent.
    """
    found = form.get(name, default)
    if not isinstance(found, kind):
        raise ModelError(
            f"the member {name!r} is malformed", expected=kind.__name__, got=_short(found)
        )
    return found


def _strings(form: Json, name: str) -> Sequence[str]:
    found = _field(form, name, list, [])
    if not all(isinstance(each, str) for each in found):
        raise ModelError(f"the member {name!r} is malformed", expected="strings", got=_short(found))
    return found


def _objects(form: Json, name: str) -> Sequence[Json]:
    return [_as_object(each, f"an element of {name!r}") for each in _field(form, name, list, [])]


def _as_object(form: object, what: str) -> Json:
    if not isinstance(form, dict):
        raise ModelError(f"{what} is malformed", expected="an object", got=_short(form))
    return cast(Json, form)


def _short(form: object) -> str:
    text = json.dumps(form)
    return text if len(text) <= 60 else f"{text[:57]}..."
