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

The result is the base with updates: for every point of the axes, in row-major order, the body
yields one index per dimension of the base, and a value.  The value replaces the element at this
position or, with ``combine``, is combined with it.  Points with an index outside the base, such as
-1, are skipped. After the axes, ``unique`` asserts that no two points have the same position.  On
tensors, the result is a new tensor.  After bufferization, the base is a memref that is updated in
place, and there is no result.  An axis that the body yields unchanged as an index, as ``%j`` here,
may be parallel and vectorized; so may an axis merged from such axes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from ...support.diagnostics import TypeMismatch
from ..annotations import parse_attributes, print_attributes
from ..shape import DimsAttr, Extent
from .codec import decode_extents, decode_maps, decode_reads, decode_tile, encode_scatter
from .named_op import BufferFormEffects, NamedOp, detach_regions
from .syntax import parse_scatter, print_scatter
from .verifier import verify_scatter
from .view import ScatterView


@irdl_op_definition
class ScatterOp(NamedOp):
    """Updates of a tensor or buffer (the base) at computed positions.

    For every point of the axes, in row-major order, the body yields one index per dimension of the
    base, and a value, which replaces the element at this position, or is combined with it by
    ``combine``. Points outside the base are skipped.
    Properties: axes, extents or dims, maps and pads as in te.compute; tile: the split into tasks
    and vectors by a schedule (parallel: axis, chunk: points per task; vec: axis, lanes).
    Errors: TypeMismatch if the body does not yield one index per dimension of the base and a value.
    """

    name = "te.scatter"

    base = operand_def(TensorType | MemRefType)
    ins = var_operand_def()
    syms = var_operand_def(IndexType)
    res = var_result_def(TensorType)
    axes = prop_def(ArrayAttr[StringAttr])
    extents = opt_prop_def(DenseArrayBase.constr(i64))
    dims = opt_prop_def(DimsAttr)
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
        """Return the op that a view describes; the view's regions move into the op."""
        regions = (view.body, view.combine)
        detach_regions(regions)
        operands, properties = encode_scatter(view)
        return ScatterOp.create(
            operands=operands,
            result_types=[view.base.type] if isinstance(view.base.type, TensorType) else [],
            properties=properties,
            regions=regions,
        )

    def update(self, view: ScatterView) -> None:
        """Set axes, accesses and options from a view; regions and results do not change."""
        self.operands, self.properties = encode_scatter(view)

    @property
    def iteration_space(self) -> dict[str, Extent]:
        """The extent of each axis."""
        return decode_extents(self.axes, self.extents, self.dims)

    def view(self) -> ScatterView:
        """Return the view that describes the op."""
        axes = self.iteration_space
        maps = decode_maps(self.maps, axes, self.syms)
        return ScatterView(
            name=self.sym_name.data,
            axes=axes,
            inputs=decode_reads(self.ins, self.pads, maps),
            post=[],
            outputs=[],
            body=self.body,
            combine=self.combine,
            tile=decode_tile(self.tile),
            base=self.base,
            unique=self.unique is not None,
        )

    def verify_(self) -> None:
        try:
            verify_scatter(self.view(), [r.type for r in self.res])
        except TypeMismatch as err:
            raise err.at(self) from None

    def print(self, printer: Printer) -> None:
        print_scatter(printer, self.view())
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> ScatterOp:
        op = cls.from_view(parse_scatter(parser))
        parse_attributes(parser, op)
        return op
