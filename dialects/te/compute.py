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

For every point of the parallel axes (those that index an output) the compute combines the body's
values over all reduction axes (``add mul max min maxnum umax umin and or xor``, or the ``combine``
region for ``by``), and ``then`` finishes the combined values.  Reads outside an operand yield its
``pad`` value.  Value form: outputs are indexed by plain axes and become results.  Buffer form:
outputs are memrefs whose index maps may hold tiles, layouts and loop variables.  Tiling never makes
sub-buffers: it substitutes loop variables into the maps.  An axis may be scanned: outputs then hold
running values.  An input ``index[e]`` passes a position; an input without indices is read whole, by
te.at.  Options of an output: ``layout`` is its storage layout, ``clip`` the range of positions
written; ``acc`` in place of an init combines the output's old content with the finished sum of the
compute, so a blocked sum rounds as a sum of sums (a scan or ``by`` starts from the old content).
After the outs, ``tile(m = 6, n = 64)`` is the register tile and ``nest [..]`` the pending loop nest
(see loop_nest.py).
Not representable: writes at computed positions, other recurrences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    EffectInstance,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    Pure,
)

from ...support.affine import Index, Key, Range, from_affine_expr
from ...support.diagnostics import TypeMismatch
from .loop_nest import LoopNestAttr
from .role import Role, RoleAttr
from .view import STORE, Access, ComputeView, axis_ranges, encode_maps

COMBINERS = ("add", "mul", "max", "min", "maxnum", "umax", "umin", "and", "or", "xor", "by")
"""Names of combiners; ``maxnum`` skips NaN, ``by`` is the combine region."""

INDEX_INPUT = StringAttr("index")
_NONE = UnitAttr()
"""Marks an absent list element; builtin.none would be parsed back as a type."""


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Terminator of a body, combine or then region, with the values of one point."""

    name = "te.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, values: Sequence[SSAValue]) -> None:
        super().__init__(operands=[values])


@irdl_op_definition
class AtOp(IRDLOperation):
    """One element of a whole operand, read at computed positions; ``else`` outside of it.

    Errors: without ``else`` a read outside the operand is undefined; lowering keeps the position
    inside.
    """

    name = "te.at"
    x = operand_def()
    indices = var_operand_def(IndexType)
    other = opt_prop_def()
    out = result_def()
    traits = traits_def(Pure())
    assembly_format = "$x `[` $indices `]` (`else` $other^)? attr-dict `:` type($x) `->` type($out)"

    def __init__(
        self, x: SSAValue, indices: Sequence[SSAValue], other: Attribute | None = None
    ) -> None:
        assert isinstance(x.type, TensorType | MemRefType), f"not a tensor: {x.type}"
        super().__init__(
            operands=[x, list(indices)],
            result_types=[x.type.get_element_type()],
            properties={"other": other},
        )

    def verify_(self) -> None:
        if not isinstance(self.x.type, TensorType | MemRefType):
            raise TypeMismatch("te.at reads a tensor", got=self.x.type).at(self)
        if len(self.indices) != self.x.type.get_num_dims():
            raise TypeMismatch(
                "te.at takes one position per dimension",
                expected=self.x.type.get_num_dims(),
                got=len(self.indices),
            ).at(self)


class ComputeEffects(MemoryEffect):
    """Memory effects: none for a compute on tensors; one on buffers reads and writes."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        if not cast("ComputeOp", op).outs:
            return set()
        return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}


@irdl_op_definition
class ComputeOp(IRDLOperation):
    """Structured computation over named axes; see the module docstring.

    Operands: ins, post, outs (buffers; none in value form), syms (loop variables in the maps).
    Properties: axes, extents; maps of ins, post and outs in that order over (axes)[syms], none for
    whole operands; pads and post_pads per input and post operand; combiners and init per output
    (init none: continue from memory); clips: per output and dimension the range (first, end) of
    positions written, none for all; tile, unrolls: the register tile; layouts per output (value
    form); scan: the scan axis; nest: the pending loop nest; role: its purpose for passes (role.py);
    annotations: set by sched.annotate.
    """

    name = "te.compute"

    ins = var_operand_def()
    post = var_operand_def()
    outs = var_operand_def(MemRefType)
    syms = var_operand_def(IndexType)
    res = var_result_def(TensorType)
    sym_name = prop_def(StringAttr)
    axes = prop_def(ArrayAttr[StringAttr])
    extents = prop_def(DenseArrayBase.constr(i64))
    maps = prop_def(ArrayAttr)
    pads = prop_def(ArrayAttr)
    post_pads = prop_def(ArrayAttr)
    combiners = prop_def(ArrayAttr[StringAttr])
    init = prop_def(ArrayAttr)
    tile = prop_def(DictionaryAttr)
    unrolls = opt_prop_def(DictionaryAttr)
    layouts = opt_prop_def(ArrayAttr)
    clips = opt_prop_def(ArrayAttr)
    scan = opt_prop_def(StringAttr)
    nest = opt_prop_def(LoopNestAttr)
    role = opt_prop_def(RoleAttr)
    annotations = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    combine = region_def()
    then = region_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(IsolatedFromAbove(), ComputeEffects())

    @staticmethod
    def from_view(view: ComputeView) -> ComputeOp:
        """Make the op that a view describes; move the view's regions out of their owner."""
        regions = (view.body, view.combine, view.then)
        for region in regions:
            if region.parent is not None:
                region.parent.detach_region(region)
        operands, properties = _encode(view)
        return ComputeOp.create(
            operands=operands,
            result_types=[cast(Attribute, o.result_type) for o in view.outputs if o.value is None],
            properties=properties,
            regions=regions,
        )

    def update(self, view: ComputeView) -> None:
        """Set axes, accesses and options from a view; keep regions and results.

        The op keeps its identity, so handles to it stay valid.
        """
        self.operands, self.properties = _encode(view)

    def become(self, view: ComputeView) -> None:
        """Set everything from a view, regions included; keep the op's identity and results."""
        regions = (view.body, view.combine, view.then)
        for old in list(self.regions):
            self.detach_region(old)
        for region in regions:
            if region.parent is not None:
                region.parent.detach_region(region)
            self.add_region(region)
        self.update(view)

    def view(self) -> ComputeView:
        """Decode the op into a view."""
        axes = {a.data: e for a, e in zip(self.axes.data, self.extents.get_values(), strict=True)}
        decoded = decode_maps(self.maps, axes, self.syms)
        n_in, n_post = len(self.pads), len(self.post_pads)
        return ComputeView(
            name=self.sym_name.data,
            axes=axes,
            inputs=decode_reads(self.ins, self.pads, decoded[:n_in]),
            post=decode_reads(self.post, self.post_pads, decoded[n_in : n_in + n_post]),
            outputs=self._outputs(decoded[n_in + n_post :]),
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

    def _outputs(self, maps: list[list[Index] | None]) -> list[Access]:
        layouts = self.layouts or [_NONE] * len(maps)
        clips = self.clips or [_NONE] * len(maps)
        targets = chain(
            [(v, None) for v in self.outs], [(None, cast(Attribute, r.type)) for r in self.res]
        )
        return [
            Access(
                value,
                m,
                combiner=c.data,
                init=None if isinstance(i, UnitAttr) else i,
                result_type=t,
                layout=layout if isinstance(layout, AffineMapAttr) else None,
                clip=_decode_clip(clip),
            )
            for (value, t), m, c, i, layout, clip in zip(
                targets, maps, self.combiners, self.init, layouts, clips, strict=True
            )
        ]

    @property
    def label(self) -> str:
        """The op's name, which schedules match."""
        return self.sym_name.data

    def take_role(self, role: Role | None) -> None:
        """Set or clear the op's role."""
        self.properties.pop("role", None)
        if role is not None:
            self.properties["role"] = RoleAttr(role)

    def has_role(self, kind: type[Role]) -> bool:
        """Return whether the op has a role of the given kind."""
        return self.role is not None and isinstance(self.role.data, kind)

    def verify_(self) -> None:
        from .verifier import verify_compute

        verify_compute(self)

    def print(self, printer: object) -> None:
        from .syntax import print_compute

        print_compute(self, printer)  # pyright: ignore[reportArgumentType]

    @classmethod
    def parse(cls, parser: object) -> ComputeOp:
        from .syntax import parse_compute

        return parse_compute(parser)  # pyright: ignore[reportArgumentType]


def decode_maps(
    maps: ArrayAttr, axes: Mapping[str, int], symbols: Sequence[SSAValue]
) -> list[list[Index] | None]:
    """Return the indices of each access, None for a whole operand."""
    names: list[Key] = list(axes)
    values, range_of = list(symbols), axis_ranges(axes)
    return [
        None
        if isinstance(m, UnitAttr)
        else [from_affine_expr(x, names, values, range_of) for x in m.data.results]
        for m in cast("ArrayAttr[AffineMapAttr | UnitAttr]", maps)
    ]


def encode_pads(reads: list[Access]) -> ArrayAttr:
    """Encode the pads of reads; ``index`` marks an input that reads no operand."""
    return ArrayAttr([INDEX_INPUT if a.is_index else _or_none(a.pad) for a in reads])


def decode_reads(
    operands: Sequence[SSAValue], pads: ArrayAttr, maps: list[list[Index] | None]
) -> list[Access]:
    """Decode the reads of operands."""
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


def _encode(view: ComputeView) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Return the operands and properties of the op that a view describes."""
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
        "extents": int_array(i64, tuple(view.axes.values())),
        "maps": ArrayAttr([m or _NONE for m in maps]),
        "pads": encode_pads(view.inputs),
        "post_pads": encode_pads(view.post),
        "combiners": name_array(tuple(o.combiner for o in outputs)),
        "init": ArrayAttr([_or_none(o.init) for o in outputs]),
        "tile": encode_tile(view.tile),
        "operandSegmentSizes": int_array(i32, tuple(len(g) for g in groups)),
    }
    if any(o.layout for o in outputs):
        properties["layouts"] = ArrayAttr([o.layout or _NONE for o in outputs])
    if any(o.clip for o in outputs):
        properties["clips"] = ArrayAttr([_encode_clip(o.clip) for o in outputs])
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


def _encode_clip(clip: tuple[Range, ...] | None) -> Attribute:
    return _NONE if clip is None else int_array(i64, tuple(n for span in clip for n in span))


def _decode_clip(attr: Attribute) -> tuple[Range, ...] | None:
    if isinstance(attr, UnitAttr):
        return None
    numbers = cast("DenseArrayBase[IntegerType]", attr).get_values()
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _or_none(attr: Attribute | None) -> Attribute:
    # An integer attribute of 0 is false, so ``attr or _NONE`` would lose it.
    return _NONE if attr is None else attr


def encode_tile(tile: dict[str, int | str]) -> DictionaryAttr:
    """Return the attribute form of a register tile."""
    return DictionaryAttr(
        {k: StringAttr(v) if isinstance(v, str) else IntegerAttr(v, i64) for k, v in tile.items()}
    )


def decode_tile(tile: DictionaryAttr) -> dict[str, int | str]:
    """Return a register tile as a dict from option to number or axis name."""
    return {
        k: v.data if isinstance(v, StringAttr) else cast("IntegerAttr", v).value.data
        for k, v in tile.data.items()
    }


def decode_unrolls(unrolls: DictionaryAttr | None) -> dict[str, int]:
    """Return the unrolled steps by axis."""
    found = {} if unrolls is None else unrolls.data
    return {axis: cast("IntegerAttr", n).value.data for axis, n in found.items()}


__all__ = ["COMBINERS", "INDEX_INPUT", "STORE", "AtOp", "ComputeOp", "YieldOp"]
