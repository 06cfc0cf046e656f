"""Printers and parsers of te.compute and te.scatter; their modules show the syntax."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, TensorType
from xdsl.ir import Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from ...support.affine import Key, Range
from ..index_syntax import (
    clip_text,
    parse_clip,
    parse_index_list,
    parse_number,
    parse_optional_index_list,
    print_index_list,
    scalar_text,
    ssa_namer,
    typed_scalar,
)
from ..names import name_text, parse_key, parse_name, quoted_among
from ..operand_syntax import parse_typed, print_typed
from ..shape import Extent, extent_of, parse_dim
from .loop_nest import LoopNest, parse_loop_nest
from .role import Role, parse_role
from .view import COMBINERS, STORE, TILE_OPTIONS, Access, ComputeView, ScatterView, axis_ranges


def print_compute(printer: Printer, view: ComputeView) -> None:
    """Print the part of a te.compute between the op name and the attributes."""
    printer.print_string(" ")
    printer.print_symbol_name(view.name)
    printer.print_string(" [")
    reduced = set(view.reduced_axes())
    printer.print_string(
        ", ".join(
            f"{name_text(a)}: {n}{_axis_kind(view, a, reduced)}" for a, n in view.axes.items()
        )
        + "]"
    )
    indent = "\n" + " " * (printer._indent + 4)  # pyright: ignore[reportPrivateUsage]
    _print_group(printer, indent + "ins", view.inputs, _print_input)
    _print_group(printer, indent + "post", view.post, _print_input)
    _print_group(printer, indent + "outs", view.outputs, _print_output)
    _print_tile(printer, indent, view)
    if view.nest:
        printer.print_string(f"{indent}nest {view.nest}")
    if view.role:
        printer.print_string(f"{indent}role({view.role})")
    printer.print_string(indent)
    for word, region in (("body", view.body), ("combine", view.combine), ("then", view.then)):
        print_region(printer, word, region, first=region is view.body)


def print_scatter(printer: Printer, view: ScatterView) -> None:
    """Print the part of a te.scatter between the op name and the attributes."""
    axes = ", ".join(f"{name_text(a)}: {n}" for a, n in view.axes.items())
    printer.print_string(" ")
    printer.print_symbol_name(view.name)
    printer.print_string(f" [{axes}]" + (" unique" if view.unique else ""))
    indent = "\n" + " " * (printer._indent + 4)  # pyright: ignore[reportPrivateUsage]
    printer.print_string(indent + "into(")
    print_typed(printer, view.base)
    printer.print_string(")")
    _print_group(printer, indent + "ins", view.inputs, _print_input)
    _print_tile(printer, indent, view)
    printer.print_string(indent)
    print_region(printer, "body", view.body, first=True)
    print_region(printer, "combine", view.combine)


def _print_tile(printer: Printer, indent: str, view: ComputeView) -> None:
    if view.tile:
        options = (
            f"{k} = {name_text(v) if isinstance(v, str) else v}" for k, v in view.tile.items()
        )
        unrolls = (f"{quoted_among(a, TILE_OPTIONS)} = {n}" for a, n in view.unrolls.items())
        printer.print_string(f"{indent}tile({', '.join((*options, *unrolls))})")


def _axis_kind(view: ComputeView, axis: str, reduced: set[str]) -> str:
    if axis == view.scan:
        return " scan"
    return " red" if axis in reduced else ""


def _print_group(
    printer: Printer, head: str, accesses: list[Access], one: Callable[[Printer, Access], None]
) -> None:
    if not accesses:
        return
    printer.print_string(head + "(")
    printer.print_list(accesses, lambda a: one(printer, a))
    printer.print_string(")")


def _print_input(printer: Printer, access: Access) -> None:
    if access.value is None:
        name = ssa_namer(printer)
        printer.print_string("index[" + (access.indices or [])[0].show(name) + "]")
        return
    printer.print_ssa_value(access.value)
    if access.indices is not None:
        print_index_list(printer, access.indices)
    if access.pad is not None:
        printer.print_string(" pad " + scalar_text(access.pad))
    if access.nonzero is not None:
        printer.print_string(" nonzero " + clip_text(access.nonzero))
    printer.print_string(" : ")
    printer.print_attribute(access.value.type)


def _print_output(printer: Printer, access: Access) -> None:
    if access.value is not None:
        printer.print_ssa_value(access.value)
    print_index_list(printer, access.indices or [])
    if access.reduces:
        printer.print_string(" " + access.combiner)
        if access.init is None:
            printer.print_string(" acc")
        else:
            printer.print_string(" " + scalar_text(access.init) + " : ")
            printer.print_attribute(access.init.type)  # pyright: ignore
    if access.clip is not None:
        printer.print_string(" clip " + clip_text(access.clip))
    if access.layout is not None:
        printer.print_string(" layout ")
        printer.print_attribute(access.layout)
    printer.print_string(" : ")
    printer.print_attribute(access.type)


def print_region(printer: Printer, word: str, region: Region, *, first: bool = False) -> None:
    """Print ``word(arguments) { .. }`` for a region; nothing if the region is empty.

    first: whether no space is printed before the word.
    """
    if not region.blocks:
        return
    if not first:
        printer.print_string(" ")
    printer.print_string(word + "(")
    for i, arg in enumerate(region.block.args):
        printer.print_string(", " if i else "")
        printer.print_ssa_value(arg)
        printer.print_string(": ")
        printer.print_attribute(arg.type)
    printer.print_string(") ")
    printer.print_region(region, print_entry_block_args=False)


def parse_compute(parser: Parser) -> ComputeView:
    """Parse the part of a te.compute that ``print_compute`` prints."""
    name = parser.parse_symbol_name().data
    axes, reduced, scan = _parse_axes(parser)
    range_of = axis_ranges(axes)
    inputs = _parse_group(parser, "ins", lambda: _parse_input(parser, axes, range_of))
    post = _parse_group(parser, "post", lambda: _parse_input(parser, axes, range_of))
    outputs = _parse_group(parser, "outs", lambda: _parse_output(parser, axes, range_of))
    tile, unrolls = _parse_tile(parser)
    nest = _parse_nest(parser)
    role = _parse_role(parser)
    body, combine, then = (parse_region(parser, w) for w in ("body", "combine", "then"))
    view = ComputeView(
        name, axes, inputs, post, outputs, body, combine, then, tile, scan, nest, role,
        unrolls=unrolls,
    )  # fmt: skip
    if reduced != set(view.reduced_axes()):
        in_no_output = view.reduced_axes()
        parser.raise_error(
            f"axes {sorted(reduced)} are marked red, {in_no_output} are in no output"
        )
    return view


def parse_scatter(parser: Parser) -> ScatterView:
    """Parse the part of a te.scatter that ``print_scatter`` prints."""
    name = parser.parse_symbol_name().data
    axes, reduced, scan = _parse_axes(parser)
    if reduced or scan:
        parser.raise_error("axes of te.scatter are neither reduced nor scanned")
    unique = parser.parse_optional_keyword("unique") is not None
    range_of = axis_ranges(axes)
    parser.parse_keyword("into")
    parser.parse_punctuation("(")
    base = parse_typed(parser)
    parser.parse_punctuation(")")
    inputs = _parse_group(parser, "ins", lambda: _parse_input(parser, axes, range_of))
    tile = parse_tile(parser)
    body, combine = parse_region(parser, "body"), parse_region(parser, "combine")
    return ScatterView(
        name, axes, inputs, [], [], body, combine, Region(), tile, base=base, unique=unique
    )


def _parse_group(parser: Parser, word: str, one: Callable[[], Access]) -> list[Access]:
    if not parser.parse_optional_keyword(word):
        return []
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)


def _parse_axes(parser: Parser) -> tuple[dict[str, Extent], set[str], str | None]:
    axes: dict[str, Extent] = {}
    reduced: set[str] = set()
    scans: list[str] = []

    def axis() -> None:
        name = parse_name(parser, "axis name")
        if name in axes:
            parser.raise_error(f"axis {name!r} is declared twice")
        parser.parse_punctuation(":")
        axes[name] = extent_of(parse_dim(parser))
        if parser.parse_optional_keyword("red"):
            reduced.add(name)
        elif parser.parse_optional_keyword("scan"):
            scans.append(name)

    parser.parse_comma_separated_list(parser.Delimiter.SQUARE, axis)
    return axes, reduced, scans[0] if scans else None


def _parse_input(
    parser: Parser, axes: Mapping[str, Extent], range_of: Callable[[Key], Range]
) -> Access:
    if parser.parse_optional_keyword("index"):
        return Access(None, parse_index_list(parser, axes, range_of))
    operand = parser.parse_unresolved_operand()
    indices = parse_optional_index_list(parser, axes, range_of)
    # The pad value has the element type of the operand, which follows after the colon.
    pad = parse_number(parser) if parser.parse_optional_keyword("pad") else None
    spans = parse_clip(parser) if parser.parse_optional_keyword("nonzero") else None
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    value = parser.resolve_operand(operand, type_)
    assert isinstance(type_, TensorType | MemRefType)
    element = type_.get_element_type()
    padded = None if pad is None else typed_scalar(pad, element)
    return Access(value, indices, padded, border=None if spans is None else (value, spans))


def _parse_output(
    parser: Parser, axes: Mapping[str, Extent], range_of: Callable[[Key], Range]
) -> Access:
    operand = parser.parse_optional_unresolved_operand()
    indices = parse_index_list(parser, axes, range_of)
    combiner = parser.parse_optional_keyword_in(set(COMBINERS)) or STORE
    init = None
    if combiner != STORE and not parser.parse_optional_keyword("acc"):
        number = parse_number(parser)
        parser.parse_punctuation(":")
        init = typed_scalar(number, parser.parse_type())
    clip = parse_clip(parser) if parser.parse_optional_keyword("clip") else None
    layout = parser.parse_attribute() if parser.parse_optional_keyword("layout") else None
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    access = Access(None, indices, combiner=combiner, init=init, clip=clip)
    access.layout = layout if isinstance(layout, AffineMapAttr) else None
    if operand is None:
        access.result_type = type_
    else:
        access.value = parser.resolve_operand(operand, type_)
    return access


def parse_tile(parser: Parser) -> dict[str, int | str]:
    """Parse the optional tile of an op; return its options.

    Unrolled axes, which only the tile of a te.compute has, are an error.
    """
    tile, unrolls = _parse_tile(parser)
    if unrolls:
        parser.raise_error(f"a tile says {', '.join(TILE_OPTIONS)}, not {', '.join(unrolls)}")
    return tile


def _parse_tile(parser: Parser) -> tuple[dict[str, int | str], dict[str, int]]:
    """Parse ``tile(vec = n, lanes = 8, k = 4)``; return options and unroll factors by axis."""
    tile: dict[str, int | str] = {}
    unrolls: dict[str, int] = {}

    def entry() -> None:
        key, is_axis = parse_key(parser, "option or axis")
        parser.parse_punctuation("=")
        if is_axis or key not in TILE_OPTIONS:
            unrolls[key] = parser.parse_integer(allow_boolean=False)
            return
        number = parser.parse_optional_integer(allow_boolean=False)
        tile[key] = parse_name(parser, "number or name") if number is None else number

    if parser.parse_optional_keyword("tile"):
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, entry)
    return tile, unrolls


def _parse_nest(parser: Parser) -> LoopNest | None:
    return parse_loop_nest(parser) if parser.parse_optional_keyword("nest") else None


def _parse_role(parser: Parser) -> Role | None:
    if not parser.parse_optional_keyword("role"):
        return None
    with parser.in_parens():
        return parse_role(parser)


def parse_region(parser: Parser, word: str) -> Region:
    """Parse an optional ``word(arguments) { .. }``; return an empty region if it is missing."""
    if not parser.parse_optional_keyword(word):
        return Region()
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
    # The regions are isolated, so they may reuse the names of outer values.
    outside, parser.ssa_values = parser.ssa_values, {}
    region = parser.parse_region(arguments)
    parser.ssa_values = outside
    return region
