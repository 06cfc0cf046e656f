"""te.scatter: writes at computed positions.

    %s = te.scatter @add_rows [i: 5, j: 8]
        into(%t : tensor<100x8xf32>)
        ins(%rows[i] : tensor<5xi64>, index[j], %u[i, j] : tensor<5x8xf32>)
        body(%r: i64, %j: index, %v: f32) {
      %k = arith.index_cast %r : i64 to index
      te.yield %k, %j, %v : index, index, f32
    } combine(%old: f32, %new: f32) {
      %w = arith.addf %old, %new : f32
      te.yield %w : f32
    }

The result is the base, updated for every point of the axes in row-major order: the body yields one
position per dimension of the base and a value.  The value replaces the element there or, with
``combine``, is combined with it.  Points with a position outside the base, such as -1, are skipped.
After the axes, ``unique`` asserts that no two points have the same position.  Value form: the base
is a tensor and the result a new one.  Buffer form: the base is a memref, updated in place; no
result.  An axis that the body yields unchanged as a position, as ``%j`` here, may run in parallel
and in vectors; so may an axis merged from such axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import EffectInstance, IsolatedFromAbove, MemoryEffect, MemoryEffectKind

from ...support.affine import Index, Key, constant, variable
from .compute import (
    YieldOp,
    decode_maps,
    decode_reads,
    decode_tile,
    encode_pads,
    encode_tile,
    int_array,
    name_array,
)
from .view import ComputeView, encode_maps


class BufferFormEffects(MemoryEffect):
    """Memory effects: none for an op on tensors; one without results reads and writes buffers."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        if op.results:
            return set()
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


@dataclass
class ScatterView(ComputeView):
    """A decoded te.scatter: a compute without outputs, whose points are visited in order.

    base: the tensor or buffer that is updated.  unique: no two points have the same position.
    """

    base: SSAValue = field(kw_only=True)
    unique: bool = field(kw_only=True)

    def output_axes(self) -> set[Key]:
        """Return all axes, since nothing is reduced."""
        return set(self.axes)

    @property
    def rank(self) -> int:
        """The number of dimensions of the base."""
        return len(self.base_shape)

    @property
    def base_shape(self) -> tuple[int, ...]:
        """The sizes of the base."""
        return cast("TensorType | MemRefType", self.base.type).get_shape()

    @property
    def element_type(self) -> Attribute:
        """The element type of the base."""
        return cast("TensorType | MemRefType", self.base.type).get_element_type()

    def own_positions(self) -> dict[str, dict[int, Index]]:
        """Return the axes that their positions determine, each with positions by base dimension.

        The body yields the axis itself as a position or, for a merged axis, its quotients and
        remainder.
        """
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "a body ends with te.yield"
        places = {
            argument: access.indices[0]
            for argument, access in zip(self.body.block.args, self.inputs, strict=True)
            if access.is_index and access.indices
        }
        found: dict[str, dict[int, Index]] = {}
        for dimension, value in enumerate(last.values[: self.rank]):
            index = places.get(value)  # pyright: ignore[reportArgumentType, reportCallIssue]
            axes = set() if index is None else set(index.variables())
            if index is not None and len(axes) == 1:
                found.setdefault(str(axes.pop()), {})[dimension] = index
        return {a: own for a, own in found.items() if self._determines(own, a)}

    def _determines(self, positions: Mapping[int, Index], axis: str) -> bool:
        """Return whether the positions are the digits of an axis, so that all its points differ."""
        number = constant(0)
        for dimension, index in positions.items():
            number = number * self.base_shape[dimension] + index
        return number.merge_atoms() == variable(axis)

    def independent_axes(self) -> list[str]:
        """Return the axes along which no two points write the same element, in order."""
        own = self.own_positions()
        return [a for a in self.axes if self.unique or a in own]

    def vector_axes(self) -> list[str]:
        """Return the axes that may be vector lanes, since no other position depends on them."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), "a body ends with te.yield"
        found: list[str] = []
        for axis, own in self.own_positions().items():
            others = [v for d, v in enumerate(last.values[: self.rank]) if d not in own]
            moves = any(axis in self.axes_behind(v) for v in others)
            if not moves and all(self._is_inside(d, index) for d, index in own.items()):
                found.append(axis)
        return found

    def _is_inside(self, dimension: int, index: Index) -> bool:
        low, high = index.range(self.range_of)
        return low >= 0 and high < self.base_shape[dimension]

    def axes_behind(self, value: SSAValue) -> set[Key]:
        """Return the axes on which a value of the body depends."""
        if isinstance(value.owner, Operation):
            return {a for v in value.owner.operands for a in self.axes_behind(v)}
        return self.inputs[list(self.body.block.args).index(value)].axes()  # pyright: ignore

    def build(self) -> ScatterOp:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Make an op; detach the regions from their previous owner, if any."""
        return ScatterOp.from_view(self)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Writes at computed positions; see the module docstring.

    Properties: axes, extents, maps and pads as in te.compute; tile: the split into tasks and
    vectors by a schedule (parallel: axis, chunk: points per task; vec: axis, lanes).
    Errors: TypeMismatch if the body does not yield the positions and a value.
    """

    name = "te.scatter"

    base = operand_def(TensorType | MemRefType)
    ins = var_operand_def()
    syms = var_operand_def(IndexType)
    res = var_result_def(TensorType)
    sym_name = prop_def(StringAttr)
    axes = prop_def(ArrayAttr[StringAttr])
    extents = prop_def(DenseArrayBase.constr(i64))
    maps = prop_def(ArrayAttr)
    pads = prop_def(ArrayAttr)
    tile = prop_def(DictionaryAttr)
    unique = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    combine = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsolatedFromAbove(), BufferFormEffects())

    @staticmethod
    def from_view(view: ScatterView) -> ScatterOp:
        """Make the op that a view describes; move the view's regions out of their owner."""
        regions = (view.body, view.combine)
        for region in regions:
            if region.parent is not None:
                region.parent.detach_region(region)
        operands, properties = _encode(view)
        return ScatterOp.create(
            operands=operands,
            result_types=[view.base.type] if isinstance(view.base.type, TensorType) else [],
            properties=properties,
            regions=regions,
        )

    def update(self, view: ScatterView) -> None:
        """Set axes, accesses and options from a view; keep regions and results."""
        self.operands, self.properties = _encode(view)

    def view(self) -> ScatterView:
        """Decode the op into a view."""
        axes = {a.data: e for a, e in zip(self.axes.data, self.extents.get_values(), strict=True)}
        maps = decode_maps(self.maps, axes, self.syms)
        return ScatterView(
            name=self.sym_name.data,
            axes=axes,
            inputs=decode_reads(self.ins, self.pads, maps),
            post=[],
            outputs=[],
            body=self.body,
            combine=self.combine,
            then=Region(),
            tile=decode_tile(self.tile),
            base=self.base,
            unique=self.unique is not None,
        )

    @property
    def label(self) -> str:
        """The op's name, which schedules match."""
        return self.sym_name.data

    def verify_(self) -> None:
        from .verifier import verify_scatter

        verify_scatter(self)

    def print(self, printer: object) -> None:
        from .syntax import print_scatter

        print_scatter(self, printer)  # pyright: ignore[reportArgumentType]

    @classmethod
    def parse(cls, parser: object) -> ScatterOp:
        from .syntax import parse_scatter

        return parse_scatter(parser)  # pyright: ignore[reportArgumentType]


def _encode(view: ScatterView) -> tuple[Sequence[SSAValue], dict[str, Attribute]]:
    """Return the operands and properties of the op that a view describes."""
    symbols, maps = encode_maps(view.axes, view.inputs)
    inputs = [a.value for a in view.inputs if a.value is not None]
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(view.name),
        "axes": name_array(tuple(view.axes)),
        "extents": int_array(i64, tuple(view.axes.values())),
        "maps": ArrayAttr([m or UnitAttr() for m in maps]),
        "pads": encode_pads(view.inputs),
        "tile": encode_tile(view.tile),
        "operandSegmentSizes": int_array(i32, (1, len(inputs), len(symbols))),
    }
    if view.unique:
        properties["unique"] = UnitAttr()
    return [view.base, *inputs, *symbols], properties


__all__ = ["BufferFormEffects", "ScatterOp", "ScatterView"]
