"""Encoding of views of te ops as operands and properties, and decoding.

Views (view.py) describe axes, accesses and options in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from ...support.affine import Index, Key, from_affine_expr
from ...support.diagnostics import TypeMismatch
from ..loop.indices import (
    are_distinct,
    is_affine,
    map_results,
    name_index,
    number_index,
    numbered_map,
    results_over,
)
from ..shape import Dim, DimsAttr, Extent, extent_of
from ..spans import Span, spans_attr, spans_of
from .loop_nest import LoopNestAttr
from .role import RoleAttr
from .view import Access, ComputeView, ScatterView, axis_ranges

INDEX_INPUT = StringAttr("index")
NONE = UnitAttr()
"""The value that marks an absent list element; the parser would read builtin.none as a type."""


def encode_compute(view: ComputeView) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Return the operands and properties of the te.compute that a view describes."""
    symbols, maps = encode_maps(view.axes, view.accesses())
    outputs = view.outputs
    groups = [
        [a.value for a in accesses if a.value is not None]
        for accesses in (view.inputs, view.post, outputs)
    ]
    groups.append(symbols)
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(view.name),
        "axes": name_array(tuple(view.axes)),
        **encode_extents(view.axes),
        "maps": ArrayAttr([m or NONE for m in maps]),
        "pads": encode_pads(view.inputs),
        "post_pads": encode_pads(view.post),
        "combiners": name_array(tuple(o.combiner for o in outputs)),
        "init": ArrayAttr([_or_none(o.init) for o in outputs]),
        "tile": encode_tile(view.tile),
        "operandSegmentSizes": int_array(i32, tuple(len(g) for g in groups)),
    }
    if any(o.layout for o in outputs):
        properties["layouts"] = ArrayAttr([o.layout or NONE for o in outputs])
    if any(o.clip for o in outputs):
        properties["clips"] = ArrayAttr([_encode_clip(o.clip) for o in outputs])
    if any(a.border for a in view.inputs):
        properties["nonzero"] = ArrayAttr([_encode_clip(a.nonzero) for a in view.inputs])
    if view.scan:
        properties["scan"] = StringAttr(view.scan)
    if view.nest:
        properties["nest"] = LoopNestAttr(view.nest)
    if view.unrolls:
        properties["unrolls"] = DictionaryAttr(
            {a: IntegerAttr(n, i64) for a, n in view.unrolls.items()}
        )
    if view.role:
        properties["role"] = RoleAttr(view.role)
    if view.annotations:
        properties["annotations"] = view.annotations
    return [v for g in groups for v in g], properties


def encode_extents(axes: Mapping[str, Extent]) -> dict[str, Attribute]:
    """Return the extents as a property: ``extents``, or ``dims`` if an extent is symbolic."""
    extents = tuple(axes.values())
    if any(isinstance(extent, Dim) for extent in extents):
        return {"dims": DimsAttr.of(extents)}
    return {"extents": int_array(i64, cast("tuple[int, ...]", extents))}


def decode_extents(
    axes: ArrayAttr[StringAttr],
    extents: DenseArrayBase[IntegerType] | None,
    dims: DimsAttr | None,
) -> dict[str, Extent]:
    """Return the extent of each axis, from the property ``extents`` or ``dims``.

    Errors: TypeMismatch if there is not one extent per axis.
    """
    if dims is not None:
        sizes: Sequence[Extent] = [extent_of(dim) for dim in dims.data]
    else:
        sizes = () if extents is None else cast("Sequence[int]", extents.get_values())
    if len(sizes) != len(axes):
        raise TypeMismatch(
            "the number of extents is not the number of axes",
            expected=len(axes),
            got=len(sizes),
            hint="give one extent per axis, as `extents` or as `dims`",
        )
    return {axis.data: size for axis, size in zip(axes, sizes, strict=True)}


def encode_scatter(view: ScatterView) -> tuple[Sequence[SSAValue], dict[str, Attribute]]:
    """Return the operands and properties of the te.scatter that a view describes."""
    symbols, maps = encode_maps(view.axes, view.inputs)
    inputs = [a.value for a in view.inputs if a.value is not None]
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(view.name),
        "axes": name_array(tuple(view.axes)),
        **encode_extents(view.axes),
        "maps": ArrayAttr([m or UnitAttr() for m in maps]),
        "pads": encode_pads(view.inputs),
        "tile": encode_tile(view.tile),
        "operandSegmentSizes": int_array(i32, (1, len(inputs), len(symbols))),
    }
    if view.unique:
        properties["unique"] = UnitAttr()
    return [view.base, *inputs, *symbols], properties


def decode_clip(attr: Attribute) -> tuple[Span, ...] | None:
    """Return the range of written positions per dimension; None if all positions are written."""
    if isinstance(attr, UnitAttr):
        return None
    return spans_of(cast("DenseArrayBase[IntegerType] | DimsAttr", attr))


def encode_maps(
    axes: Iterable[str], accesses: Sequence[Access]
) -> tuple[list[SSAValue], list[AffineMapAttr | None]]:
    """Return the SSA values in the index expressions of accesses, and one affine map per access.

    A map has the axes as dimensions and the SSA values as symbols; it is None for a whole operand.
    """
    positions: dict[Key, int] = {name: i for i, name in enumerate(axes)}
    n_axes = len(positions)
    for access in accesses:
        for key in (k for e in access.indices or () for k in e.variables()):
            if key not in positions:
                assert not isinstance(key, str), f"unknown axis {key}"
                positions[key] = len(positions)
    n_symbols = len(positions) - n_axes
    maps = [
        None
        if access.indices is None
        else numbered_map(
            tuple(number_index(e, positions) for e in access.indices), n_axes, n_symbols
        )
        for access in accesses
    ]
    return cast("list[SSAValue]", list(positions)[n_axes:]), maps


def decode_maps(
    maps: ArrayAttr, axes: Mapping[str, Extent], symbols: Sequence[SSAValue]
) -> list[list[Index] | None]:
    """Return the index expressions of each access; None for a whole operand.

    maps, symbols: the result of `encode_maps`.
    """
    names, is_plain = tuple(axes), are_distinct(symbols)
    keys: Sequence[Key] = (*names, *symbols)
    made: list[list[Index] | None] = []
    for map_ in cast("ArrayAttr[AffineMapAttr | UnitAttr]", maps):
        if isinstance(map_, UnitAttr):
            made.append(None)
        elif not (is_plain and is_affine(map_)):
            range_of = axis_ranges(axes)
            made.append([from_affine_expr(x, names, symbols, range_of) for x in map_.data.results])
        elif symbols:
            made.append([name_index(e, keys) for e in map_results(map_)])
        else:
            made.append(list(results_over(map_, names)))
    return made


def encode_pads(reads: list[Access]) -> ArrayAttr:
    """Return the pad values of reads as an array; ``"index"`` marks an input that is a position."""
    return ArrayAttr([INDEX_INPUT if a.is_index else _or_none(a.pad) for a in reads])


def decode_reads(
    operands: Sequence[SSAValue], pads: ArrayAttr, maps: list[list[Index] | None]
) -> list[Access]:
    """Return the reads of operands; ``pads`` and ``maps`` have one element per read."""
    values = iter(operands)
    return [
        Access(None, m)
        if isinstance(pad, StringAttr)
        else Access(next(values), m, pad=None if isinstance(pad, UnitAttr) else pad)
        for pad, m in zip(pads, maps, strict=True)
    ]


@lru_cache(maxsize=1024)
def name_array(names: tuple[str, ...]) -> ArrayAttr[StringAttr]:
    """Return an interned array of strings."""
    return ArrayAttr([StringAttr(n) for n in names])


@lru_cache(maxsize=4096)
def int_array(element_type: IntegerType, numbers: tuple[int, ...]) -> DenseArrayBase:
    """Return an interned array of integers."""
    return DenseArrayBase.from_list(element_type, numbers)


def _encode_clip(clip: tuple[Span, ...] | None) -> Attribute:
    return NONE if clip is None else spans_attr(clip)


def _or_none(attr: Attribute | None) -> Attribute:
    # An integer attribute of 0 is false, so ``attr or NONE`` would lose it.
    return NONE if attr is None else attr


def encode_tile(tile: dict[str, int | str]) -> DictionaryAttr:
    """Return the attribute of a register tile, given as values by option."""
    return DictionaryAttr(
        {k: StringAttr(v) if isinstance(v, str) else IntegerAttr(v, i64) for k, v in tile.items()}
    )


def decode_tile(tile: DictionaryAttr) -> dict[str, int | str]:
    """Return a register tile as a dict from option to integer or axis name."""
    return {
        k: v.data if isinstance(v, StringAttr) else cast("IntegerAttr", v).value.data
        for k, v in tile.data.items()
    }


def decode_unrolls(unrolls: DictionaryAttr | None) -> dict[str, int]:
    """Return the unroll factor of each unrolled axis."""
    found = {} if unrolls is None else unrolls.data
    return {axis: cast("IntegerAttr", n).value.data for axis, n in found.items()}
