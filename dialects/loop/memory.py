"""Memory of the loop level: allocations, loads, stores, prefetches, index values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)

from ...support.affine import Index, Range
from ...support.diagnostics import TypeMismatch
from ..annotations import parse_attributes, print_attributes
from ..index_syntax import (
    INDEX,
    clip_text,
    parse_clip,
    parse_index_list,
    parse_number,
    print_index_list,
    scalar_text,
    typed_scalar,
)
from ..shape import Dim, DimsAttr, Extent, dims_of, memref_type
from ..spans import Span, ranges_of, spans_attr, spans_of
from .indices import decode_index, decode_indices, encode_indices, int_attr, str_attr

SCOPES = (
    "local", "shared", "global", "warp", "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator"
)  # fmt: skip
"""Memory scopes, which schedules select.

Private to one task; shared by the threads of a group; main memory; and registers that several
threads of a warp hold together.
"""

WORKSPACE = "workspace"
"""The scope of an allocation that has an offset in the workspace of its worker."""

ALIGNMENT_BYTES = 64
"""Alignment of offsets in workspaces and arenas."""

OWN_SCOPES = ("local", "shared", "global")
"""The memory scopes that are private to a task when a task is one GPU thread."""


@irdl_op_definition
class AllocOp(IRDLOperation):
    """A temporary buffer; ``scope`` names its memory (``local``: memory of one task).

    rolling: elements persist across the iterations of the loop that uses the buffer.  offset: bytes
    from the start of the worker's workspace; loop-workspace sets it, with the scope ``workspace``.
    Errors: TypeMismatch for an offset without the scope ``workspace``, for this scope without an
    offset, or for an offset that is no multiple of 64.
    """

    name = "loop.alloc"
    res = result_def(MemRefType)
    scope = prop_def(StringAttr)
    rolling = opt_prop_def(UnitAttr)
    offset = opt_prop_def(IntegerAttr.constr(i64))
    traits = traits_def(MemoryAllocEffect())
    assembly_format = "$scope (`at` $offset^)? (`rolling` $rolling^)? attr-dict `:` type($res)"

    @staticmethod
    def make(type_: MemRefType, scope: str = "local") -> AllocOp:
        """Return an allocation of a buffer of type ``type_``."""
        return AllocOp.create(result_types=[type_], properties={"scope": str_attr(scope)})

    def resized(self, shape: Sequence[Extent]) -> AllocOp:
        """Return a copy of this allocation with another shape."""
        type_ = self.res.type
        assert isinstance(type_, MemRefType), "a buffer"
        made = AllocOp.create(
            result_types=[memref_type(type_.element_type, shape)],
            properties=dict(self.properties),
            attributes=dict(self.attributes),
        )
        made.res.name_hint = self.res.name_hint
        return made

    def place(self, offset: int) -> None:
        """Assign the allocation an offset, in bytes, in the workspace of the worker."""
        self.properties["scope"] = str_attr(WORKSPACE)
        self.properties["offset"] = IntegerAttr(offset, i64)

    def verify_(self) -> None:
        if (self.offset is not None) != (self.scope.data == WORKSPACE):
            raise TypeMismatch(
                f"only allocations of scope {WORKSPACE} have an offset, and each has one",
                expected=f'"{WORKSPACE}" at an offset, or another scope without one',
                got=f"{self.scope} and {'no offset' if self.offset is None else self.offset}",
                hint="loop-workspace sets both",
            ).at(self)
        check_offset(self, self.offset)


def check_offset(op: Operation, offset: IntegerAttr | None) -> None:
    """Raise TypeMismatch unless an offset in a workspace or arena is a multiple of 64."""
    if offset is not None and (offset.value.data < 0 or offset.value.data % ALIGNMENT_BYTES):
        raise TypeMismatch(
            "the offset of an allocation is not aligned",
            expected=f"a multiple of {ALIGNMENT_BYTES}",
            got=offset.value.data,
            hint="run the pass that places the allocation on a program without offsets",
        ).at(op)


def are_together(first: Index, size: Dim, lanes: int) -> bool:
    """Return whether adjacent positions are provably all inside a dimension, or all outside.

    first: the index of the first position.  size: the size of the dimension.  lanes: the number of
    positions.
    This is provable if ``lanes`` divides the size, the constant of ``first``, and each coefficient
    of ``first``: then the dimension starts and ends between two groups of ``lanes`` positions.
    """
    numbers = (first.const, *first.terms.values())
    return size % lanes == Dim.const(0) and not any(n % lanes for n in numbers)


class AccessOp(IRDLOperation):
    """Base of the ops that address memory: loads, stores, prefetches.

    map: the accessed position, one expression over ``syms`` per dimension of the buffer ``mem``.
    """

    # In xDSL, the operands of a subclass, such as the value of loop.store, precede these.
    mem = operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)

    def indices(self) -> list[Index]:
        """Return the accessed position: one index expression per dimension of the buffer."""
        return decode_indices(self.map, self.syms)

    def index(self, dimension: int) -> Index:
        """Return the accessed position along one dimension of the buffer."""
        return decode_index(self.map, self.syms, dimension)

    def verify_(self) -> None:
        type_ = self.mem.type
        if not isinstance(type_, MemRefType):
            raise TypeMismatch(
                "memory access needs a memref",
                got=type_,
                hint="load from a memref; use te-bufferize for tensors",
            ).at(self)
        if len(self.map.data.results) != type_.get_num_dims():
            raise TypeMismatch(
                "the number of indices is not the rank",
                expected=type_.get_num_dims(),
                got=len(self.map.data.results),
                hint="give one index per dimension of the memref",
            ).at(self)


class LaneAccessOp(AccessOp):
    """Base of loop.load and loop.store, which access one or more lanes.

    The fields are explained in `LoadOp`.
    """

    lanes = opt_prop_def(IntAttr)
    stride = opt_prop_def(IntAttr)
    rows = opt_prop_def(IntAttr)

    @property
    def value_type(self) -> Attribute:
        """The type of the loaded or stored value."""
        return self.value.type if isinstance(self, StoreOp) else cast("LoadOp", self).res.type

    @property
    def width(self) -> int:
        """The number of lanes of the value, or of each row of a tile; 1 for a scalar."""
        type_ = self.value_type
        return type_.get_shape()[-1] if isinstance(type_, VectorType) else 1

    @property
    def active_lanes(self) -> int:
        """The number of lanes that are read or written; for a tile, those of one row."""
        return self.width if self.lanes is None else self.lanes.data

    @property
    def step(self) -> int:
        """The distance between adjacent lanes, or for a tile between its rows, in positions."""
        return 1 if self.stride is None else self.stride.data

    def verify_(self) -> None:
        super().verify_()
        type_, lanes, width = self.value_type, self.lanes, self.width
        memory = cast(MemRefType, self.mem.type).element_type
        element = type_.element_type if isinstance(type_, VectorType) else type_
        self._verify_rows(type_)
        if element != memory:
            raise TypeMismatch(
                "the element types of access and buffer differ",
                expected=memory,
                got=element,
                hint="convert with arith after a load, before a store",
            ).at(self)
        if lanes is not None and not 0 < lanes.data <= width:
            raise TypeMismatch(
                "an access has more lanes than its vector",
                expected=f"1..{width}",
                got=lanes.data,
                hint="lower lanes, or use a wider vector",
            ).at(self)

    def _verify_rows(self, type_: Attribute) -> None:
        rank = cast(MemRefType, self.mem.type).get_num_dims()
        rows = None if self.rows is None else self.rows.data
        dims = len(type_.get_shape()) if isinstance(type_, VectorType) else 0
        is_whole = not any(name in self.properties for name in ("lanes", "pad", "clip"))
        if dims == 2 and rows is not None and rows < rank - 1 and is_whole:
            return
        if dims == 2 or rows is not None:
            raise TypeMismatch(
                "a tile is a vector of two dimensions, whose rows follow along one of the buffer",
                expected="rows below the last dimension, without lanes, pad and clip",
                got=f"{type_}, rows {rows}",
                hint="give `rows` the dimension of the first index of the tile",
            ).at(self)

    def tile_rows(self) -> tuple[int, int] | None:
        """Return where the rows of an accessed tile lie: (dimension, offset of the last row).

        Successive rows differ in the position along this dimension of the buffer; the offset is the
        distance of the last row from the first. None for a scalar or a vector.
        """
        if self.rows is None:
            return None
        count = cast("VectorType", self.value_type).get_shape()[0]
        return self.rows.data, (count - 1) * self.step


def _address(
    indices: Sequence[Index], lanes: int | None, stride: int, rows: int | None
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    syms, map_ = encode_indices(indices)
    properties: dict[str, Attribute] = {"map": map_}
    if rows is not None:
        properties["rows"] = int_attr(rows)
    if lanes is not None:
        properties["lanes"] = int_attr(lanes)
    if stride != 1:
        properties["stride"] = int_attr(stride)
    return syms, properties


def _print_address(op: LaneAccessOp, printer: Printer) -> None:
    """Print ``%mem[indices] options : memref, type``."""
    printer.print_ssa_value(op.mem)
    print_index_list(printer, op.indices())
    for key in ("rows", "lanes", "stride", "pad"):
        value = op.properties.get(key)
        if isinstance(value, IntAttr):
            printer.print_string(f" {key} {value.data}")
        elif value is not None:
            printer.print_string(f" {key} {scalar_text(value)}")
    if isinstance(op, StoreOp) and (clip := op.clip_spans()) is not None:
        printer.print_string(" clip " + clip_text(clip))
    printer.print_string(" : ")
    printer.print_attribute(op.mem.type)
    printer.print_string(", ")
    printer.print_attribute(op.value_type)


def _parse_address(
    parser: Parser,
) -> tuple[UnresolvedOperand, list[Index], int | None, int, int | None]:
    """Parse ``%mem[indices] rows d lanes n stride s``; the last three are optional.

    Return (mem, indices, lanes, stride, rows).
    """
    mem = parser.parse_unresolved_operand()
    indices = parse_index_list(parser)
    rows = parser.parse_integer() if parser.parse_optional_keyword("rows") else None
    lanes = parser.parse_integer() if parser.parse_optional_keyword("lanes") else None
    stride = parser.parse_integer() if parser.parse_optional_keyword("stride") else 1
    return mem, indices, lanes, stride, rows


@irdl_op_definition
class LoadOp(LaneAccessOp):
    """Load of a scalar, a vector, or a tile, which is a vector of two dimensions.

    lanes n: only the first n lanes are read, the others are 0.  stride s: lanes are s elements
    apart in memory.  pad v: if an index lies outside the buffer, nothing is read and the value is
    v; in a vector this applies to each lane, whose last index is that of lane 0 plus lane * stride.
    rows d: the value is a tile; each of its rows is contiguous in memory, and successive rows begin
    s (default: 1) positions apart in dimension d of the buffer.
    """

    name = "loop.load"
    res = result_def()
    pad = opt_prop_def()
    traits = traits_def(MemoryReadEffect())

    @staticmethod
    def make(
        mem: SSAValue,
        indices: Sequence[Index],
        type_: Attribute,
        *,
        lanes: int | None = None,
        stride: int = 1,
        pad: Attribute | None = None,
        rows: int | None = None,
    ) -> LoadOp:
        """Return a load of a value of type ``type_``, which is a scalar, a vector or a tile.

        lanes: the number of lanes that are read, by default all.  stride: the distance of lanes in
        memory, or of the rows of a tile in dimension ``rows``.  pad: the value of elements outside
        the buffer; None if there are none.
        """
        syms, properties = _address(indices, lanes, stride, rows)
        if pad is not None:
            properties["pad"] = pad
        return LoadOp.create(operands=[mem, *syms], result_types=[type_], properties=properties)

    def is_whole(self) -> bool:
        """Return whether the lanes of the vector are provably all inside the buffer or all outside.

        See `are_together`, which decides this from the index of the last dimension.
        """
        lanes, size = self.width, dims_of(cast(MemRefType, self.mem.type))[-1]
        is_adjacent = self.stride is None and self.rows is None
        return lanes == 1 or (is_adjacent and are_together(self.indices()[-1], size, lanes))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_address(self, printer)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        mem, indices, lanes, stride, rows = _parse_address(parser)
        pad = parse_number(parser) if parser.parse_optional_keyword("pad") else None
        parser.parse_punctuation(":")
        mem_type = cast(MemRefType, parser.parse_type())
        parser.parse_punctuation(",")
        return cls.make(
            parser.resolve_operand(mem, mem_type),
            indices,
            parser.parse_type(),
            lanes=lanes,
            stride=stride,
            pad=None if pad is None else typed_scalar(pad, mem_type.get_element_type()),
            rows=rows,
        )


@irdl_op_definition
class StoreOp(LaneAccessOp):
    """Store of a scalar, a vector or a tile; lanes, stride and rows have the meaning of loop.load.

    clip: a range (first position, exclusive end) per dimension; nothing is written if the position
    of lane 0 lies outside of it. An end may be a symbolic size.
    """

    name = "loop.store"
    value = operand_def()
    clip = opt_prop_def(DenseArrayBase.constr(i64) | BaseAttr(DimsAttr))
    annotations = opt_prop_def(DictionaryAttr)
    traits = traits_def(MemoryWriteEffect())

    @staticmethod
    def make(
        value: SSAValue,
        mem: SSAValue,
        indices: Sequence[Index],
        *,
        lanes: int | None = None,
        stride: int = 1,
        clip: Sequence[Span] | None = None,
        rows: int | None = None,
    ) -> StoreOp:
        """Return a store of a value, which is a scalar, a vector or a tile.

        lanes: the number of lanes that are stored, by default all.  stride: the distance of lanes
        in memory, or of the rows of a tile in dimension ``rows``.  clip: the positions (first, end)
        per dimension that may be written; None for all.
        """
        syms, properties = _address(indices, lanes, stride, rows)
        if clip is not None:
            properties["clip"] = spans_attr(clip)
        return StoreOp.create(operands=[value, mem, *syms], properties=properties)

    def clip_spans(self) -> tuple[Span, ...] | None:
        """Return the range (first, end) of positions that may be written per dimension.

        None if all may.
        """
        return None if self.clip is None else spans_of(self.clip)

    def clip_ranges(self) -> tuple[Range, ...] | None:
        """Return integer ranges that contain all positions that may be written.

        None without a clip.
        """
        return None if self.clip is None else ranges_of(spans_of(self.clip))

    def verify_(self) -> None:
        super().verify_()
        clip, indices = self.clip_ranges(), self.map.data.results
        if clip is not None and len(clip) != len(indices):
            raise TypeMismatch(
                "the number of clip ranges is not the rank",
                expected=len(indices),
                got=len(clip),
                hint="give one range per dimension",
            ).at(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_address(self, printer)
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        mem, indices, lanes, stride, rows = _parse_address(parser)
        clip = parse_clip(parser) if parser.parse_optional_keyword("clip") else None
        parser.parse_punctuation(":")
        mem_type = parser.parse_type()
        parser.parse_punctuation(",")
        made = cls.make(
            parser.resolve_operand(value, parser.parse_type()),
            parser.resolve_operand(mem, mem_type),
            indices,
            lanes=lanes,
            stride=stride,
            clip=clip,
            rows=rows,
        )
        parse_attributes(parser, made)
        return made


@irdl_op_definition
class PrefetchOp(AccessOp):
    """Hint that memory will be read soon; the address may lie outside the buffer."""

    name = "loop.prefetch"
    locality = prop_def(IntAttr)
    traits = traits_def(MemoryWriteEffect())

    @staticmethod
    def make(mem: SSAValue, indices: Sequence[Index], locality: int) -> PrefetchOp:
        """Return a hint that the element of ``mem`` at ``indices`` will be read soon.

        locality: 0 (no reuse) to 3 (reuse in all caches), as in LLVM.
        """
        syms, map_ = encode_indices(indices)
        return PrefetchOp.create(
            operands=[mem, *syms], properties={"map": map_, "locality": int_attr(locality)}
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.mem)
        print_index_list(printer, self.indices())
        printer.print_string(f" locality {self.locality.data} : ")
        printer.print_attribute(self.mem.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        mem = parser.parse_unresolved_operand()
        indices = parse_index_list(parser)
        parser.parse_keyword("locality")
        locality = parser.parse_integer()
        parser.parse_punctuation(":")
        return cls.make(parser.resolve_operand(mem, parser.parse_type()), indices, locality)


@irdl_op_definition
class IndexOp(IRDLOperation):
    """An index expression as a value of type index, or as a vector of indices.

    step: lane l of a vector is the expression plus l * step.
    """

    name = "loop.index"
    syms = var_operand_def(IndexType)
    res = result_def()
    map = prop_def(AffineMapAttr)
    step = opt_prop_def(IntAttr)
    traits = traits_def(Pure())

    @staticmethod
    def make(index: Index, type_: Attribute = INDEX, *, step: int = 0) -> IndexOp:
        """Return an op that computes an index expression; a vector type needs a step."""
        syms, map_ = encode_indices([index])
        properties: dict[str, Attribute] = {"map": map_}
        if step:
            properties["step"] = int_attr(step)
        return IndexOp.create(operands=syms, result_types=[type_], properties=properties)

    def index(self) -> Index:
        """Return the index expression."""
        return decode_indices(self.map, self.syms)[0]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_index_list(printer, [self.index()])
        printer.print_string(f" step {self.step.data} : " if self.step else " : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        (index,) = parse_index_list(parser)
        step = parser.parse_integer() if parser.parse_optional_keyword("step") else 0
        parser.parse_punctuation(":")
        return cls.make(index, parser.parse_type(), step=step)
