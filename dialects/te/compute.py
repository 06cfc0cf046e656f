"""te.compute: the definition of each element of one or several tensors, over named axes.

    %c = te.compute @mm [m: 128, n: 3072, k: 768 red]
        ins(%a[m, k] : tensor<128x768xf32>, %b[k, n] : tensor<768x3072xf32>)
        post(%bias[n] : tensor<3072xf32>)
        outs([m, n] add 0.0 : f32 : tensor<128x3072xf32>)
        body(%x: f32, %y: f32) {
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    } then(%sum: f32, %z: f32) {
      %t = arith.addf %sum, %z : f32
      te.yield %t : f32
    }

For every point of the parallel axes (the axes that index an output), the compute combines the
values of ``body`` over all reduction axes, by ``add mul max min maxnum umax umin and or xor``, or
by the ``combine`` region for ``by``; ``then`` computes the results from the combined values.  A
read outside an operand yields its ``pad`` value.  Before bufferization, outputs are indexed by
plain axes and are results.  After bufferization, outputs are memrefs, and index maps may contain
tiles, layouts and loop variables.  Tiling creates no sub-buffers: it substitutes loop variables
into the maps.  If an axis is scanned, outputs contain each partial result along this axis.  An
input ``index[e]`` passes a position to the body; an input without indices is a whole operand, for
te.at.  ``nonzero [..]`` of an input buffer: all elements outside of this range of positions are 0,
so a sum of products may skip them.
Options of an output: ``layout`` is its storage layout, ``clip`` the range of written positions;
``acc`` in place of an initial value combines the previous content of the output with the complete
reduction of the compute, so a sum in blocks is rounded as a sum of block sums (a scan or ``by``
starts from the previous content).
After the outs, ``tile(m = 6, n = 64)`` is the register tile, and ``nest [..]`` is the pending loop
nest (see loop_nest.py).
Not representable: writes at computed positions, recurrences other than scans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import is_not
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
)

from ...support.affine import Index
from ...support.diagnostics import TypeMismatch
from ..annotations import parse_attributes, print_attributes
from ..shape import DimsAttr, Extent
from .codec import (
    NONE,
    decode_clip,
    decode_extents,
    decode_maps,
    decode_reads,
    decode_tile,
    decode_unrolls,
    encode_compute,
)
from .loop_nest import LoopNestAttr
from .named_op import BufferFormEffects, NamedOp, detach_regions
from .role import Role, RoleAttr
from .syntax import parse_compute, print_compute
from .verifier import verify_compute
from .view import Access, ComputeView


@irdl_op_definition
class ComputeOp(NamedOp):
    """Structured computation over named axes: the definition of each element of some outputs.

    For each point of the axes that index an output, the values of the region ``body`` are combined
    over all other axes; the region ``then`` computes the outputs from the combined values.
    Operands: ins; post, read by ``then``; outs (buffers; none before bufferization); syms (loop
    variables in the maps).
    Properties: axes; extents, or dims if an extent is symbolic; maps of ins, post and outs, in this
    order, over (axes)[syms], absent for whole operands; pads and post_pads: the value outside of
    each input and post operand; combiners and init per output (absent init: continue from memory);
    clips: the range (first, end) of written positions per output and dimension, absent for all;
    nonzero: per input and dimension, the range outside of which its buffer is 0; tile, unrolls: the
    register tile; layouts: the storage layout per output, before bufferization; scan: the scan
    axis; nest: the pending loop nest; role: the purpose of the op for passes (role.py);
    annotations: set by sched.annotate.
    """

    name = "te.compute"

    ins = var_operand_def()
    post = var_operand_def()
    outs = var_operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    res = var_result_def(TensorType)
    axes = prop_def(ArrayAttr[StringAttr])
    extents = opt_prop_def(DenseArrayBase.constr(i64))
    dims = opt_prop_def(DimsAttr)
    maps = prop_def(ArrayAttr)
    pads = prop_def(ArrayAttr)
    post_pads = prop_def(ArrayAttr)
    combiners = prop_def(ArrayAttr[StringAttr])
    init = prop_def(ArrayAttr)
    tile = prop_def(DictionaryAttr)
    unrolls = opt_prop_def(DictionaryAttr)
    layouts = opt_prop_def(ArrayAttr)
    clips = opt_prop_def(ArrayAttr)
    nonzero = opt_prop_def(ArrayAttr)
    scan = opt_prop_def(StringAttr)
    nest = opt_prop_def(LoopNestAttr)
    role = opt_prop_def(RoleAttr)
    annotations = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    combine = region_def()
    then = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsolatedFromAbove(), BufferFormEffects())

    @staticmethod
    def from_view(view: ComputeView) -> ComputeOp:
        """Return the op that a view describes; the view's regions move into the op."""
        regions = (view.body, view.combine, view.then)
        detach_regions(regions)
        operands, properties = encode_compute(view)
        return ComputeOp.create(
            operands=operands,
            result_types=[cast(Attribute, o.result_type) for o in view.outputs if o.value is None],
            properties=properties,
            regions=regions,
        )

    def update(self, view: ComputeView) -> None:
        """Set axes, accesses and options from a view; regions and results do not change.

        The op is changed in place, so handles to it remain valid.
        """
        self.operands, self.properties = encode_compute(view)

    def become(self, view: ComputeView) -> None:
        """Set axes, accesses, options and regions from a view; handles and results stay valid."""
        regions = (view.body, view.combine, view.then)
        detach_regions([*self.regions, *regions])
        for region in regions:
            self.add_region(region)
        self.update(view)

    @property
    def iteration_space(self) -> dict[str, Extent]:
        """The extent of each axis."""
        return decode_extents(self.axes, self.extents, self.dims)

    def view(self) -> ComputeView:
        """Return the view that describes the op."""
        axes = self.iteration_space
        ins, post, outs, syms = self._operand_groups()
        decoded = self._decoded_maps(axes, syms)
        n_in, n_post = len(self.pads), len(self.post_pads)
        return ComputeView(
            name=self.sym_name.data,
            axes=axes,
            inputs=_with_borders(decode_reads(ins, self.pads, decoded[:n_in]), self.nonzero),
            post=decode_reads(post, self.post_pads, decoded[n_in : n_in + n_post]),
            outputs=_outputs(self, outs, decoded[n_in + n_post :]),
            body=self.body,
            combine=self.combine,
            then=self.then,
            tile=decode_tile(self.tile),
            scan=self.scan.data if self.scan else None,
            nest=self.nest.data if self.nest else None,
            role=self.role.data if self.role else None,
            annotations=self.annotations,
            unrolls=decode_unrolls(self.unrolls),
        )

    def _decoded_maps(
        self, axes: Mapping[str, Extent], syms: tuple[SSAValue, ...]
    ) -> list[list[Index] | None]:
        """Return the index expressions of each access, cached until attributes or symbols change.

        None stands for an access to a whole operand.
        """
        made_of = self.maps, self.axes, self.extents, self.dims
        kept = getattr(self, "_kept_maps", None)
        if kept is None or kept[1] != syms or any(map(is_not, kept[0], made_of)):
            kept = self._kept_maps = made_of, syms, decode_maps(self.maps, axes, syms)
        return [None if indices is None else list(indices) for indices in kept[2]]

    def _operand_groups(self) -> Iterator[tuple[SSAValue, ...]]:
        """Yield the groups of operands: ins, post, outs and syms.

        Reading the four properties one by one would compute the sizes of all groups four times.
        """
        operands, start = tuple(self.operands), 0
        sizes = cast("DenseArrayBase[IntegerType]", self.properties["operandSegmentSizes"])
        for size in cast("Sequence[int]", sizes.get_values()):
            yield operands[start : start + size]
            start += size

    @property
    def has_pads(self) -> bool:
        """Whether a read has a pad value for positions outside of its operand."""
        pads = (*self.pads, *self.post_pads)
        return any(not isinstance(pad, UnitAttr | StringAttr) for pad in pads)

    def take_role(self, role: Role | None) -> None:
        """Set the role of the op; remove it if ``role`` is None."""
        self.properties.pop("role", None)
        if role is not None:
            self.properties["role"] = RoleAttr(role)

    def has_role(self, kind: type[Role]) -> bool:
        """Return whether the role of the op is of this kind."""
        return self.role is not None and isinstance(self.role.data, kind)

    def verify_(self) -> None:
        try:
            verify_compute(self.view())
        except TypeMismatch as err:
            raise err.at(self) from None

    def print(self, printer: Printer) -> None:
        print_compute(printer, self.view())
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> ComputeOp:
        op = cls.from_view(parse_compute(parser))
        parse_attributes(parser, op)
        return op


def _with_borders(inputs: list[Access], nonzero: ArrayAttr | None) -> list[Access]:
    for access, spans in zip(inputs, nonzero or (), strict=False):
        found = decode_clip(spans)
        if access.value is not None and found is not None:
            access.border = (access.value, found)
    return inputs


def _outputs(
    op: ComputeOp, outs: Sequence[SSAValue], maps: list[list[Index] | None]
) -> list[Access]:
    layouts = op.layouts or [NONE] * len(maps)
    clips = op.clips or [NONE] * len(maps)
    targets = chain([(v, None) for v in outs], [(None, cast(Attribute, r.type)) for r in op.res])
    return [
        Access(
            value,
            m,
            combiner=c.data,
            init=None if isinstance(i, UnitAttr) else i,
            result_type=t,
            layout=layout if isinstance(layout, AffineMapAttr) else None,
            clip=decode_clip(clip),
        )
        for (value, t), m, c, i, layout, clip in zip(
            targets, maps, op.combiners, op.init, layouts, clips, strict=True
        )
    ]
