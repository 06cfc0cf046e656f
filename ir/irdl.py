"""Convert programs of our dialects, and of extensions, for MLIR, which reads dialects as IRDL.

    program = for_mlir(module)
    Path("dialects.irdl").write_text(program.irdl)
    Path("program.mlir").write_text(program.text)    iree-opt --irdl-file=dialects.irdl program.mlir

Source: the IRDL dialect of MLIR (Fehr and others, 2022). MLIR then checks the names of ops, the
number and the types of operands, results and regions, and the required attributes. An IRDL dialect
has no traits, so MLIR would take none of its ops as the end of a block: a terminator becomes a
``gpu.yield`` with its name in the attribute ``tw.op``. An attribute of our dialects has one
parameter, the string of its own parameters, because its syntax is ours. In IRDL all values of a
variadic group have one type, so an op with a group of several types becomes a *variant* for its
numbers of values, such as ``packed.call_3_1``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnregisteredOp,
    VectorType,
)
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    ParametrizedAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AllOf,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptionalDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
    VariadicDef,
)
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator, NoTerminator

from ..support.lazy import load
from ..support.registry import DIALECTS

TERMINATOR = "gpu.yield"
"""An op of MLIR that ends a block of any op, with any operands."""

_TYPE = "_type"
"""The end of the names of our types in MLIR."""
_BASES: dict[type[Attribute], str] = {
    AffineMapAttr: "#builtin.affine_map",
    ArrayAttr: "#builtin.array",
    DenseArrayBase: "#builtin.dense_array",
    DictionaryAttr: "#builtin.dictionary",
    FunctionType: "!builtin.function",
    IndexType: "!builtin.index",
    IntAttr: "#builtin.integer",
    IntegerType: "!builtin.integer",
    MemRefType: "!builtin.memref",
    StringAttr: "#builtin.string",
    SymbolRefAttr: "#builtin.symbol_ref",
    TensorType: "!builtin.tensor",
    UnitAttr: "#builtin.unit",
    VectorType: "!builtin.vector",
}
"""The names of builtin attributes in MLIR, by their classes in xDSL."""


@dataclass(frozen=True)
class MlirProgram:
    """A program for MLIR, and the definitions of the dialects that it uses.

    text: the program in the generic form.  irdl: the file for ``--irdl-file``.
    """

    text: str
    irdl: str


def for_mlir(module: Operation, dialects: Iterable[Dialect] = ()) -> MlirProgram:
    """Return a program in the form that MLIR reads with IRDL, and the dialects that it uses.

    module: a program, which is not changed.  dialects: further dialects, of other packages.
    """
    known = {name: cast(Dialect, load(entry)) for name, entry in DIALECTS.items()}
    known |= {dialect.name: dialect for dialect in dialects}
    copy = module.clone()
    variants: dict[str, _Variant] = {}
    for op in list(copy.walk()):
        if op.name.partition(".")[0] in known:
            _end_blocks(op)
            _replace(op, variants)
    stream = StringIO()
    _MlirPrinter(stream, known).print_op(copy)
    return MlirProgram(f"{stream.getvalue()}\n", _irdl_text(known, variants))


def _end_blocks(op: Operation) -> None:
    """Append a terminator to blocks without one of an op that needs none (trait NoTerminator).

    An IRDL dialect cannot state this trait, so MLIR demands a terminator in every block.
    """
    if op.has_trait(NoTerminator):
        for block in (block for region in op.regions for block in region.blocks):
            if block.last_op is None or not block.last_op.has_trait(IsTerminator):
                block.add_op(UnregisteredOp.with_name(TERMINATOR).create())


@dataclass(frozen=True)
class _Variant:
    """The variant of an op for fixed numbers of values.

    kind: the op.  operands, results: the number of values in each group of its definition.
    """

    kind: type[IRDLOperation]
    operands: tuple[int, ...]
    results: tuple[int, ...]


def _replace(op: Operation, variants: dict[str, _Variant]) -> None:
    """Replace a terminator, or an op with a group of operands or results of several types.

    variants: a dict by name, to which the variant of such an op is added.
    """
    attributes = {**op.attributes, **op.properties}
    if op.has_trait(IsTerminator):
        name = TERMINATOR
        attributes["tw.op"] = StringAttr(op.name)
    else:
        definition = cast("type[IRDLOperation]", type(op)).get_irdl_definition()
        operands = [_types(getattr(op, each)) for each, _ in definition.operands]
        results = [_types(getattr(op, each)) for each, _ in definition.results]
        if all(len(set(types)) < 2 for types in (*operands, *results)):
            return
        counts = [tuple(map(len, groups)) for groups in (operands, results)]
        name = "_".join((op.name, *(str(n) for each in counts for n in each)))
        variants[name] = _Variant(cast("type[IRDLOperation]", type(op)), *counts)
    made = UnregisteredOp.with_name(name).create(
        operands=op.operands,
        result_types=op.result_types,
        attributes=attributes,
        regions=[op.detach_region(region) for region in tuple(op.regions)],
    )
    Rewriter.replace_op(op, made)


def _types(values: SSAValue | Sequence[SSAValue] | None) -> tuple[Attribute, ...]:
    if values is None:
        return ()
    return (values.type,) if isinstance(values, SSAValue) else tuple(v.type for v in values)


def _irdl_text(dialects: Mapping[str, Dialect], variants: Mapping[str, _Variant]) -> str:
    """Return the IRDL definitions of dialects, including the variants of their ops.

    variants: by name, such as ``packed.call_3_1``.
    """
    lines: list[str] = []
    for name, dialect in dialects.items():
        lines += [f"irdl.dialect @{name} {{", *_dialect_lines(dialect)]
        for label, variant in sorted(variants.items()):
            if label.startswith(f"{name}."):
                lines += _operation(label, variant.kind, variant)
        lines.append("}")
    return "\n".join((*lines, ""))


def _dialect_lines(dialect: Dialect) -> Iterator[str]:
    for attribute in dialect.attributes:
        is_type = issubclass(attribute, TypeAttribute)
        yield f"  irdl.{'type' if is_type else 'attribute'} @{_symbol(attribute)} {{"
        if _has_text(attribute):
            yield '    %text = irdl.base "#builtin.string"'
            yield "    irdl.parameters(text: %text)"
        yield "  }"
    for op in dialect.operations:
        if not op.has_trait(IsTerminator):
            yield from _operation(op.name, cast("type[IRDLOperation]", op), None)


def _operation(name: str, kind: type[IRDLOperation], variant: _Variant | None) -> Iterator[str]:
    yield f'  irdl.operation @"{name.partition(".")[2]}" {{'
    yield from (f"    {line}" for line in _OpLines(kind, variant).lines)
    yield "  }"


class _OpLines:
    """The lines of IRDL that define one op: a value per constraint, then operands, results etc.

    variant: the numbers of operands and results for which a variant is defined; None: the op
    itself.
    """

    def __init__(self, op: type[IRDLOperation], variant: _Variant | None) -> None:
        definition = op.get_irdl_definition()
        self.lines: list[str] = []
        self._variables: dict[str, str] = {}
        self._count = 0
        for word, entries, counts in (
            ("operands", definition.operands, variant and variant.operands),
            ("results", definition.results, variant and variant.results),
        ):
            parts: list[str] = []
            for place, (name, entry) in enumerate(entries):
                if counts is None:
                    parts.append(f"{name}: {_variadicity(entry)}{self._range(entry.constr)}")
                else:
                    # One constraint per value: values of one constraint have equal types in IRDL.
                    constraint = entry.constr
                    names = [f"{name}_{n}" for n in range(counts[place])]
                    parts += [f"{each}: {self._range(constraint)}" for each in names]
            if parts:
                self.lines.append(f"irdl.{word}({', '.join(parts)})")
        given = {**definition.properties, **definition.attributes}
        required = [
            f'"{name}" = {self._value(entry.constr)}'
            for name, entry in given.items()
            if not isinstance(entry, OptionalDef)
        ]
        if required:
            self.lines.append(f"irdl.attributes {{ {', '.join(required)} }}")
        regions = [f"{name}: {self._define('region')}" for name, _ in definition.regions]
        if regions:
            self.lines.append(f"irdl.regions({', '.join(regions)})")

    def _define(self, text: str) -> str:
        value = f"%{self._count}"
        self._count += 1
        self.lines.append(f"{value} = irdl.{text}")
        return value

    def _range(self, constraint: RangeConstraint[Attribute]) -> str:
        if isinstance(constraint, RangeLengthConstraint):
            return self._range(constraint.constraint)
        return self._value(constraint.constr) if isinstance(constraint, RangeOf) else "any"

    def _value(self, constraint: AttrConstraint[Attribute]) -> str:
        """Append the line that defines a constraint; return the name of its value."""
        match constraint:
            case MessageConstraint():
                return self._value(constraint.constr)
            case VarConstraint():
                if constraint.name not in self._variables:
                    self._variables[constraint.name] = self._value(constraint.constraint)
                return self._variables[constraint.name]
            case AnyOf() | AllOf():
                word = "any_of" if isinstance(constraint, AnyOf) else "all_of"
                values = [self._value(each) for each in constraint.attr_constrs]
                return self._define(f"{word}({', '.join(values)})")
            case EqAttrConstraint():
                return self._define(f"is {constraint.attr}")
            case BaseAttr(attr=base) | ParamAttrConstraint(base_attr=base):
                return self._define(_base(base))
            case _:
                return self._define("any")


def _variadicity(entry: object) -> str:
    if isinstance(entry, OptionalDef):
        return "optional "
    return "variadic " if isinstance(entry, VariadicDef) else ""


def _base(attribute: type[Attribute]) -> str:
    """Return the IRDL text for attributes of a class of MLIR or of our dialects, or ``any``."""
    if attribute in _BASES:
        return f'base "{_BASES[attribute]}"'
    dialect = attribute.__dict__.get("name", "").partition(".")[0]
    return f"base @{dialect}::@{_symbol(attribute)}" if dialect in DIALECTS else "any"


def _symbol(attribute: type[Attribute]) -> str:
    """Return the symbol of an attribute or type in its dialect.

    An IRDL dialect is one symbol table, so the names of types end with a word that no op has.
    """
    name = attribute.name.partition(".")[2]
    return f"{name}{_TYPE}" if issubclass(attribute, TypeAttribute) else name


def _has_text(attribute: type[Attribute]) -> bool:
    """Return whether an attribute or type has parameters, which MLIR reads as one string."""
    if not issubclass(attribute, TypeAttribute):
        return True
    is_parametrized = issubclass(attribute, ParametrizedAttribute)
    return is_parametrized and bool(attribute.get_irdl_definition().parameters)


# ---- programs


class _MlirPrinter(Printer):
    """A printer of the generic form, with our attributes in the form that their IRDL defines."""

    def __init__(self, stream: StringIO, dialects: Mapping[str, Dialect]) -> None:
        super().__init__(stream, print_generic_format=True, print_properties_as_attributes=True)
        self._dialects = dialects

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, IntAttr):
            self.print_string(f"{attribute.data} : i64")
            return
        dialect = attribute.name.partition(".")[0]
        if dialect not in self._dialects:
            super().print_attribute(attribute)
            return
        sigil = "!" if isinstance(attribute, TypeAttribute) else "#"
        self.print_string(f"{sigil}{dialect}.{_symbol(type(attribute))}")
        if not _has_text(type(attribute)):
            return
        own = str(attribute).removeprefix(f"{sigil}{attribute.name}")
        self.print_string("<")
        self.print_string_literal(own.removeprefix("<").removesuffix(">"))
        self.print_string(">")
