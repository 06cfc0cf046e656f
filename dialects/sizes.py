"""Binding of symbolic sizes: derive their values from the shapes of arguments, and substitute them.

In: types with sizes over symbols, and shapes or a program.  Out: the value of each symbol, or the
program, changed in place, with every symbol replaced.  Interpreters run programs whose symbols are
replaced by integers; shape specialization compiles such programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..support.diagnostics import TypeMismatch
from ..support.size_names import depends_on_data
from .data_type import NodeType
from .loop.size import SizeOp
from .shape import (
    SIZES,
    Dim,
    DimsAttr,
    dims_of,
    memref_type,
    size_parameters,
    tensor_type,
)
from .simt.launch import LaunchAttr

LIMITS = "tw.size_limits"
COMPUTED = "tw.computed_sizes"
BOUNDS = "tw.size_bounds"
REQUIRED_BY = "tw.sizes_required_by"
NOT_NEGATIVE = "tw.sizes_not_negative"


class SizeSource(NamedTuple):
    """A dimension of an argument that determines the value of a symbol.

    The value is ``(size - offset) / factor``, where size is the argument's size along the axis.
    """

    argument: int
    axis: int
    factor: int = 1
    offset: int = 0


def sources_of(types: Sequence[Attribute], inputs: int | None = None) -> dict[str, SizeSource]:
    """Return, for each symbol, the argument dimension that determines its value.

    A dimension that consists of the symbol alone is preferred over one like ``2 * s + 1``; of
    several equally good dimensions, the first is the source.
    inputs: the number of arguments that are inputs, which are preferred over the outputs that
    follow them; None if all arguments are inputs.
    types: the types of the arguments.
    """
    found: dict[str, SizeSource] = {}
    for argument, type_ in enumerate(types):
        for axis, dim in enumerate(_dims(type_)):
            if (row := _linear(dim)) is not None:
                name, factor, offset = row
                source = SizeSource(argument, axis, factor, offset)
                if name not in found or _rank(source, inputs) < _rank(found[name], inputs):
                    found[name] = source
    return found


def _rank(source: SizeSource, inputs: int | None) -> tuple[bool, bool]:
    is_output = inputs is not None and source.argument >= inputs
    return is_output, (source.factor, source.offset) != (1, 0)


def _linear(dim: Dim) -> tuple[str, int, int] | None:
    # The result is (symbol, factor, offset) of ``factor * symbol + offset``.
    offset = sum(c for monomial, c in dim.terms if not monomial)
    rest = [(monomial, c) for monomial, c in dim.terms if monomial]
    if len(rest) != 1 or len(rest[0][0]) != 1 or rest[0][1] < 1:
        return None
    ((atom,), factor) = rest[0]
    return (atom, factor, offset) if isinstance(atom, str) else None


def _dims(type_: Attribute) -> tuple[Dim, ...]:
    assert isinstance(type_, TensorType | MemRefType), f"not a tensor: {type_}"
    return dims_of(type_)


def sizes_of_shapes(
    arguments: Iterable[tuple[str, Attribute, Sequence[int]]],
    given: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the values of symbols, derived from the shapes of arguments.

    arguments: (name for messages, type, shape).  given: values of symbols that are already known;
    the result includes them.
    Errors: TypeMismatch, which names both sources, if a symbol would have two values, or if a size
    differs from its expression.
    """
    rows = list(arguments)
    for name, type_, shape in rows:
        if len(_dims(type_)) != len(shape):
            raise TypeMismatch(
                f"{name} has the wrong rank",
                expected=type_,
                got=tuple(shape),
                hint="pass one size per dimension",
            )
    sizes: dict[str, int] = dict(given or {})
    places = dict.fromkeys(sizes, "the call")
    for symbol, source in sources_of([type_ for _, type_, _ in rows]).items():
        if symbol not in sizes:
            name, _, shape = rows[source.argument]
            sizes[symbol] = (shape[source.axis] - source.offset) // source.factor
            places[symbol] = f"{name}, dimension {source.axis}"
    for name, type_, shape in rows:
        for number, (dim, size) in enumerate(zip(_dims(type_), shape, strict=True)):
            if dim.symbols() <= sizes.keys() and dim.evaluate(sizes) != size:
                known = ", ".join(f"{s} = {sizes[s]} ({places[s]})" for s in sorted(dim.symbols()))
                raise TypeMismatch(
                    f"dimension {number} of {name} has the wrong size",
                    expected=f"{dim} = {dim.evaluate(sizes)}"
                    + (f", with {known}" if known else ""),
                    got=size,
                    hint="pass arguments whose shared sizes are equal",
                )
    return sizes


def record_sizes(function: FuncOp) -> None:
    """Record the symbols in the types of arguments and results as size parameters of a function.

    Sizes of results that depend on data are not parameters. Sizes that the function computes are
    the last parameters.
    """
    computed = computed_sizes(function)
    given, made = (
        dict.fromkeys(
            name
            for type_ in types
            if isinstance(type_, TensorType | MemRefType)
            for dim in dims_of(type_)
            for name in sorted(dim.symbols())
        )
        for types in (function.function_type.inputs, function.function_type.outputs)
    )
    names = given | dict.fromkeys(name for name in made if not depends_on_data(name))
    names = [*(name for name in names if name not in computed), *computed]
    if names:
        function.attributes[SIZES] = ArrayAttr([StringAttr(name) for name in names])


def record_computed(function: FuncOp, names: Iterable[str]) -> None:
    """Record the symbols that a function binds to computed values.

    names: the symbols, in the order of the ops that bind them.
    """
    if listed := [StringAttr(name) for name in names]:
        function.attributes[COMPUTED] = ArrayAttr(listed)


def computed_sizes(function: Operation) -> tuple[str, ...]:
    """Return the recorded symbols that a function binds to computed values."""
    names = cast("ArrayAttr[StringAttr]", function.attributes.get(COMPUTED, ArrayAttr([])))
    return tuple(name.data for name in names)


def record_bounds(function: FuncOp, bounds: Mapping[str, Dim]) -> None:
    """Record the largest values of computed sizes.

    bounds: by symbol, an upper bound as an expression over earlier symbols.
    """
    rows = [DimsAttr((Dim.sym(name), bound)) for name, bound in bounds.items()]
    if rows:
        function.attributes[BOUNDS] = ArrayAttr(rows)


def recorded_bounds(function: FuncOp) -> dict[str, Dim]:
    """Return the recorded largest values of computed sizes; sizes without a record are left out."""
    rows = cast("ArrayAttr[DimsAttr]", function.attributes.get(BOUNDS, ArrayAttr([])))
    return {str(row.data[0]): row.data[1] for row in rows}


def stage_of(dims: Iterable[Dim], computed: Sequence[str]) -> int:
    """Return the first stage of the main function in which all the sizes are known.

    Stage 0 starts with main; stage n starts when main has computed the first n of its computed
    sizes.
    """
    names = {name for dim in dims for name in dim.symbols()}
    return max((n for n, name in enumerate(computed, 1) if name in names), default=0)


def record_limits(function: FuncOp, limits: Mapping[Dim, tuple[int, int]]) -> None:
    """Record the smallest and largest values of sizes of a function; each call checks them."""
    rows = [
        ArrayAttr([DimsAttr((dim,)), DenseArrayBase.from_list(i64, list(ends))])
        for dim, ends in limits.items()
        if dim.value is None
    ]
    if rows:
        function.attributes[LIMITS] = ArrayAttr(rows)


def recorded_limits(function: FuncOp) -> dict[Dim, tuple[int, int]]:
    """Return the recorded smallest and largest values of sizes of a function."""
    rows = cast("ArrayAttr[Any]", function.attributes.get(LIMITS, ArrayAttr([])))
    return {dims.data[0]: tuple(ends.get_values()) for dims, ends in rows.data}


def drop_other_limits(function: FuncOp) -> None:
    """Drop the limits of data-dependent sizes that this function does not compute."""
    computed, limits = computed_sizes(function), recorded_limits(function)
    function.attributes.pop(LIMITS, None)
    names = {name for dim in limits for name in dim.symbols() if depends_on_data(name)}
    others = names.difference(computed)
    record_limits(
        function, {d: ends for d, ends in limits.items() if others.isdisjoint(d.symbols())}
    )


def record_required_by(function: FuncOp, nodes: Mapping[Dim, str]) -> None:
    """Record the reasons of the recorded limits of sizes, for error messages.

    nodes: for each limited size, the nodes of the model that require the limit, as text.
    """
    if rows := [ArrayAttr([DimsAttr((dim,)), StringAttr(node)]) for dim, node in nodes.items()]:
        function.attributes[REQUIRED_BY] = ArrayAttr(rows)


def recorded_required_by(function: FuncOp) -> dict[Dim, str]:
    """Return, for each limited size, the nodes of the model that require the limit, as text."""
    rows = cast("ArrayAttr[Any]", function.attributes.get(REQUIRED_BY, ArrayAttr([])))
    return {dims.data[0]: node.data for dims, node in rows.data}


def record_not_negative(op: Operation, sizes: Iterable[Dim]) -> None:
    """Record sizes that are 0 or more in valid calls of a kernel or of the main function.

    Sizes that are already recorded stay recorded.
    """
    listed = dict.fromkeys([*recorded_not_negative(op), *sizes])
    if symbolic_sizes := [dim for dim in listed if not dim.is_at_least(0)]:
        op.attributes[NOT_NEGATIVE] = DimsAttr(tuple(symbolic_sizes))


def recorded_not_negative(op: Operation) -> tuple[Dim, ...]:
    """Return the recorded sizes that are 0 or more.

    The sizes of buffers are 0 or more even if they are not recorded.
    """
    recorded = op.attributes.get(NOT_NEGATIVE)
    return recorded.data if isinstance(recorded, DimsAttr) else ()


def dims_in(ops: Iterable[Operation]) -> Iterator[Dim]:
    """Yield the sizes in the types and properties of ops."""
    for op in ops:
        for value in (*op.operands, *op.results):
            type_ = value.type
            if isinstance(type_, TensorType | MemRefType) and DYNAMIC_INDEX in type_.get_shape():
                yield from dims_of(type_)
            if isinstance(value.owner, SizeOp):
                yield value.owner.dim
        for attribute in op.properties.values():
            if isinstance(attribute, DimsAttr):
                yield from attribute.data


def symbols_in(ops: Iterable[Operation]) -> list[str]:
    """Return the symbols in the types and properties of ops, in alphabetical order."""
    return sorted({name for dim in dims_in(ops) for name in dim.symbols()})


def bind_sizes(op: Operation, sizes: Mapping[str, Dim | int]) -> None:
    """Replace symbols by sizes in all types and attributes of an op and its regions, in place."""
    for inner in op.walk():
        for values in (inner.results, *(b.args for r in inner.regions for b in r.blocks)):
            for value in values:
                _retype(value, sizes)
        for table in (inner.properties, inner.attributes):
            for key, attribute in list(table.items()):
                table[key] = with_sizes(attribute, sizes)


def bound_kernel(kernel: Operation, sizes: Mapping[str, int]) -> Operation:
    """Return a copy of a kernel in which integers replace the size parameters.

    A kernel without size parameters is returned unchanged. Sizes that the kernel computes remain
    symbols.
    Errors: TypeMismatch if a parameter has no value.
    """
    computed = computed_sizes(kernel)
    names = [name for name in size_parameters(kernel) if name not in computed]
    if not size_parameters(kernel):
        return kernel
    missing = [name for name in names if name not in sizes]
    if missing:
        raise TypeMismatch(
            "a size of a kernel has no value",
            expected=", ".join(names),
            got=f"no {', '.join(missing)}",
            hint="pass the sizes that no argument has",
        ).at(kernel)
    copy = kernel.clone()
    for table in (copy.properties, copy.attributes):
        table.pop(SIZES, None)
    bind_sizes(copy, {name: sizes[name] for name in names})
    return copy


def with_sizes(attribute: Attribute, sizes: Mapping[str, Dim | int]) -> Attribute:
    """Return an attribute or type with its symbols replaced by sizes."""
    match attribute:
        case DimsAttr():
            return DimsAttr.of(dim.substitute(sizes) for dim in attribute.data)
        case TensorType() if isinstance(attribute.encoding, DimsAttr):
            made = (dim.substitute(sizes) for dim in attribute.encoding.data)
            return tensor_type(attribute.element_type, made)
        case MemRefType() if isinstance(attribute.layout, DimsAttr):
            made = (dim.substitute(sizes) for dim in attribute.layout.data)
            return memref_type(attribute.element_type, made)
        case NodeType():
            return NodeType(attribute.data, cast("DimsAttr", with_sizes(attribute.sizes, sizes)))
        case LaunchAttr():
            x, y, z = (blocks.substitute(sizes) for blocks in attribute.data.grid)
            return LaunchAttr(replace(attribute.data, grid=(x, y, z)))
        case FunctionType():
            sides = (attribute.inputs, attribute.outputs)
            inputs, outputs = ([with_sizes(t, sizes) for t in side] for side in sides)
            return FunctionType.from_lists(inputs, outputs)
        case ArrayAttr():
            return ArrayAttr([with_sizes(a, sizes) for a in attribute])
        case DictionaryAttr():
            return DictionaryAttr({k: with_sizes(a, sizes) for k, a in attribute.data.items()})
        case _:
            return attribute


def _retype(value: SSAValue, sizes: Mapping[str, Dim | int]) -> None:
    type_ = with_sizes(value.type, sizes)
    if type_ is not value.type:
        Rewriter.replace_value_with_new_type(value, type_)
