"""Verifiers of te.compute and te.scatter; messages name the op, the access and a fix."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, TensorType, UnitAttr
from xdsl.ir import Attribute, Region

from ...support.affine import INFINITY, Index
from ...support.diagnostics import TypeMismatch
from ..axis_bounds import AxisBounds
from ..index_syntax import INDEX
from ..shape import Dim
from ..spans import ranges_of
from .body import YieldOp
from .role import Border, Concat, JoinsReader, Transform, WinogradTiles
from .view import COMBINERS, STORE, Access, ComputeView, ScatterView, has_dynamic_end

_BODY_DIALECTS = ("arith", "math", "te")


def verify_compute(view: ComputeView) -> None:
    """Raise TypeMismatch unless the view describes a valid te.compute."""
    _verify_axes(view)
    _verify_tile(view)
    _verify_nest(view)
    _verify_role(view)
    for access in view.accesses():
        _verify_access(view, access)
    for output in view.outputs:
        _verify_output(view, output)
    _verify_post(view)
    _verify_body(view)
    _verify_combine(view)
    _verify_then(view)


def verify_scatter(view: ScatterView, results: list[Attribute]) -> None:
    """Raise TypeMismatch unless view and result types describe a valid te.scatter."""
    _verify_axes(view)
    for access in view.inputs:
        _verify_access(view, access)
    _verify_scatter_regions(view)
    _verify_base(view, results)


def _verify_scatter_regions(view: ScatterView) -> None:
    element = view.element_type
    last = _verify_region(view, "body", view.body)
    expected = [a.argument_type for a in view.inputs]
    _check_types(view, "body arguments", expected, _arguments(view.body))
    what = "yield of body: one position per dimension of the base, then the value"
    _check_types(view, what, [*[INDEX] * view.rank, element], [v.type for v in last.values])
    if view.combine.blocks:
        last = _verify_region(view, "combine", view.combine)
        _check_types(view, "combine arguments", [element, element], _arguments(view.combine))
        _check_types(view, "yield of combine", [element], [v.type for v in last.values])


def _verify_base(view: ScatterView, results: list[Attribute]) -> None:
    expected: list[Attribute] = [view.base.type] if isinstance(view.base.type, TensorType) else []
    _check_types(view, "results", expected, results)
    if not expected and any(a.value is view.base for a in view.inputs):
        raise TypeMismatch(
            f"@{view.name}: the buffer that is changed is also read",
            hint="read a copy of it",
        )


def _verify_axes(view: ComputeView) -> None:
    for name, extent in view.axes.items():
        if isinstance(extent, int) and extent < 0:
            raise TypeMismatch(
                f"@{view.name}: axis {name} is empty",
                expected="an extent of at least 1",
                got=extent,
                hint="remove the axis, or return a constant for an empty result",
            )
    if view.scan is not None and view.scan not in view.axes:
        raise TypeMismatch(
            f"@{view.name}: the scan axis is not an axis of the compute",
            got=view.scan,
            hint="name an axis of the compute",
        )
    if view.scan is not None and view.reduced_axes():
        raise TypeMismatch(
            f"@{view.name}: a compute cannot both scan and reduce",
            got=", ".join(view.reduced_axes()),
            hint="split the compute: first the reduction, then the scan",
        )


def _verify_tile(view: ComputeView) -> None:
    names = [view.tile["vec"]] if "vec" in view.tile else []
    if unknown := [a for a in (*names, *view.unrolls) if a not in view.axes]:
        raise TypeMismatch(
            f"@{view.name}: the register tile names unknown axes",
            expected=", ".join(view.axes),
            got=", ".join(map(str, unknown)),
            hint="name axes of the compute in tile(..)",
        )


def _verify_nest(view: ComputeView) -> None:
    if view.nest is None:
        return
    if problem := view.nest.problem(view.axes):
        raise TypeMismatch(
            f"@{view.name}: wrong nest", got=problem, hint="correct nest [..] with (..)"
        )
    if view.register_tile:
        raise TypeMismatch(
            f"@{view.name}: a compute cannot have both a register tile and a pending nest",
            hint="remove tile(..), or apply the steps of the nest first",
        )


def _verify_role(view: ComputeView) -> None:
    if view.role is None:
        return
    if problem := _role_problem(view):
        raise TypeMismatch(
            f"@{view.name}: the definition contradicts the role",
            expected=problem,
            got=view.role,
            hint="remove role(..), or define the compute as the role requires",
        )


def _role_problem(view: ComputeView) -> str | None:
    outputs = view.outputs
    in_buffers = all(o.value is not None for o in outputs)
    reduces = any(o.reduces for o in outputs)
    match view.role:
        case Border():
            if reduces or not in_buffers or any(not a.is_index for a in view.inputs):
                return "a compute that stores what it does not read, in buffers"
        case Concat(axis):
            rank = len(outputs[0].dims) if len(outputs) == 1 else 0
            if reduces or not 0 <= axis < rank:
                return f"one output that is stored, of more than {axis} dimensions"
        case JoinsReader():
            if len(outputs) != 1 or not reduces:
                return "one output that is reduced"
        case Transform():
            if reduces or not in_buffers or len(outputs) < 2:
                return "several outputs that are stored, in buffers"
        case WinogradTiles(tile, rows, columns, _, other):
            is_sum = len(outputs) == 1 and reduces
            if tile not in (2, 4) or other not in (0, 2, 4) or min(rows, columns) < 0 or not is_sum:
                return "tiles of 2 or 4, no negative number of rows, one output that is reduced"
        case None:
            pass
    return None


def _verify_access(view: ComputeView, access: Access) -> None:
    if access.indices is None or access.is_index:
        return
    shape = access.dims
    for word, spans in (("clip", access.clip), ("nonzero", access.nonzero)):
        if spans is not None and len(spans) != len(shape):
            raise TypeMismatch(
                f"@{view.name}: the number of {word} ranges is not the rank",
                expected=len(shape),
                got=len(spans),
                hint="give one range per dimension",
            )
    if access.nonzero is not None and not isinstance(access.type, MemRefType):
        raise TypeMismatch(
            f"@{view.name}: only inputs in buffers have a border of 0",
            hint="give the operand a pad value, or bufferize first (te-bufferize)",
        )
    if len(access.indices) != len(shape):
        raise TypeMismatch(
            f"@{view.name}: {access.type} needs one index per dimension",
            expected=len(shape),
            got=len(access.indices),
            hint="give one index per dimension",
        )
    if access.pad is not None:
        return
    for d, (index, dim) in enumerate(zip(access.indices, shape, strict=True)):
        size = dim.value
        low, high = index.range(view.range_of)
        if low < 0 or (size is not None and high >= size):
            # Terms of one axis may cancel.
            low, high = AxisBounds(view.extent_of, view.range_of).range_of_index(index)
        if size is None:
            size = high + 1 if _may_be_inside(index, dim, view) else 0
        if access.clip is not None and not (access.reduces and access.init is None):
            first, end = ranges_of(access.clip)[d]
            low, high = max(low, first), min(high, end - 1)
        # An infinite bound comes from a variable of unknown range: it proves no error.  A loop with
        # several upper bounds may not reach the least integer.
        is_known = -INFINITY // 2 < low < 0 or size <= high < INFINITY // 2
        if is_known and not any(map(has_dynamic_end, index.variables())):
            raise TypeMismatch(
                f"@{view.name}: index {index} leaves {access.type}",
                expected=f"0..{dim - 1}",
                got=f"{low}..{high}",
                hint="give the operand a pad value" if access in view.inputs else "",
            )


def _verify_output(view: ComputeView, output: Access) -> None:
    if output.combiner not in (*COMBINERS, STORE):
        raise TypeMismatch(
            f"@{view.name}: unknown combiner",
            expected=", ".join(COMBINERS),
            got=output.combiner,
            hint="write `by` and a region for another combiner",
        )
    missing = [a for a, n in view.axes.items() if n != 1 and a not in output.axes()]
    if not output.reduces and missing:
        raise TypeMismatch(
            f"@{view.name}: a stored output spans every axis",
            expected=", ".join(view.axes),
            got=f"no {', '.join(missing)}",
            hint="give the output a combiner",
        )
    if output.clip is not None and output.value is None:
        raise TypeMismatch(
            f"@{view.name}: only outputs in buffers are clipped",
            hint="bufferize first (te-bufferize), or remove the clip",
        )
    if output.layout is not None and output.layout.data.num_dims != len(output.dims):
        raise TypeMismatch(
            f"@{view.name}: the layout is not a map from the dimensions of the output",
            expected=f"a map from {len(output.shape)} dimensions",
            got=output.layout,
            hint="remove the layout, or map each dimension of the output",
        )
    if output.value is None:
        _verify_value_form(view, output)


def _verify_value_form(view: ComputeView, output: Access) -> None:
    if output.reduces and output.init is None:
        raise TypeMismatch(
            f"@{view.name}: only an output in a buffer can accumulate without an initial value",
            expected=f"an initial value after {output.combiner}",
            got="acc",
            hint="write the initial value after the combiner",
        )
    names = [_plain_axis(e) for e in output.indices or []]
    if None in names or len(set(names)) != len(names):
        raise TypeMismatch(
            f"@{view.name}: results are indexed by distinct plain axes",
            got=[str(e) for e in output.indices or []],
            hint="put layout into the maps of the readers",
        )
    extents = tuple(Dim.of(view.axes[str(n)]) for n in names)
    if extents != output.dims:
        raise TypeMismatch(
            f"@{view.name}: result shape is not the extents",
            expected=", ".join(map(str, extents)),
            got=output.type,
            hint="declare the result with the extents of its axes",
        )


def _may_be_inside(index: Index, dim: Dim, view: ComputeView) -> bool:
    """Return whether some symbol values put the largest index inside a symbolic size."""
    largest = Dim.const(index.const)
    for key, coefficient in index.terms.items():
        if key not in view.axes or coefficient < 0:
            return True
        largest = largest + (Dim.of(view.axes[str(key)]) - 1) * coefficient
    excess = (largest - dim).lower_bound()
    return excess is None or excess < 0


def _plain_axis(index: Index) -> str | None:
    key = index.variable()
    return key if isinstance(key, str) else None


def _verify_post(view: ComputeView) -> None:
    reduced = set(view.reduced_axes())
    for access in view.post:
        if used := {str(a) for a in access.axes()} & reduced:
            raise TypeMismatch(
                f"@{view.name}: a post operand is indexed by a reduced axis",
                expected="no reduced axis in the index",
                got=", ".join(sorted(used)),
                hint="move the operand to ins(..)",
            )


def _arguments(region: Region) -> list[Attribute]:
    return [a.type for a in region.block.args]


def _verify_region(view: ComputeView, word: str, region: Region) -> YieldOp:
    block = region.block
    for op in block.ops:
        if op.name.split(".")[0] not in _BODY_DIALECTS or op.regions:
            raise TypeMismatch(
                f"@{view.name}: {word} may hold only scalar ops",
                expected=_BODY_DIALECTS,
                got=op.name,
                hint="move other ops out of the region",
            )
    last = block.last_op
    if not isinstance(last, YieldOp):
        raise TypeMismatch(
            f"@{view.name}: {word} must end with te.yield",
            got=last and last.name,
            hint="end the region with te.yield",
        )
    return last


def _check_types(view: ComputeView, what: str, expected: list[Attribute], got: list[Attribute]):
    if expected != got:
        raise TypeMismatch(
            f"@{view.name}: wrong {what}",
            expected=", ".join(map(str, expected)) or "none",
            got=", ".join(map(str, got)) or "none",
            hint=f"write the {what.partition(':')[0]} with the expected types, in this order",
        )


def accumulator_type(output: Access) -> Attribute:
    """Return the accumulator type of an output, which is the type that the body yields for it."""
    init = output.init
    if init is None or isinstance(init, UnitAttr):
        return output.element_type
    return init.type  # pyright: ignore[reportAttributeAccessIssue]


def stores_accumulator(output: Access) -> bool:
    """Return whether the output buffer has the accumulator type, so partial sums can be stored."""
    return accumulator_type(output) == output.element_type


def _verify_body(view: ComputeView) -> None:
    last = _verify_region(view, "body", view.body)
    expected = [a.argument_type for a in view.inputs]
    _check_types(view, "body arguments", expected, _arguments(view.body))
    expected = [accumulator_type(o) for o in view.outputs]
    _check_types(view, "yield of body", expected, [v.type for v in last.values])


def _verify_combine(view: ComputeView) -> None:
    folded = [accumulator_type(o) for o in view.outputs if o.combiner == "by"]
    if bool(folded) != bool(view.combine.blocks):
        raise TypeMismatch(
            f"@{view.name}: 'by' requires a combine region, and the region requires 'by'",
            hint="give both, or use a named combiner",
        )
    if not folded:
        return
    last = _verify_region(view, "combine", view.combine)
    _check_types(view, "combine arguments", folded * 2, _arguments(view.combine))
    _check_types(view, "yield of combine", folded, [v.type for v in last.values])


def _verify_then(view: ComputeView) -> None:
    if not view.then.blocks:
        if view.post:
            raise TypeMismatch(
                f"@{view.name}: post operands need a then region",
                hint="add then(..), or move the operands to ins(..)",
            )
        return
    combined = [o for o in view.outputs if o.reduces]
    last = _verify_region(view, "then", view.then)
    expected = [accumulator_type(o) for o in combined] + [a.argument_type for a in view.post]
    _check_types(view, "then arguments", expected, _arguments(view.then))
    _check_types(
        view, "yield of then", [o.element_type for o in combined], [v.type for v in last.values]
    )
