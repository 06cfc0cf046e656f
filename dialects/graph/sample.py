"""Interpolation: resizing along an axis, sampling at a grid, pooling regions of interest.

The importer computes the coordinates of a resize: tables list the source elements and weights of
each result. Grids and regions are tensors, so kernels compute the coordinates at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, f32, f64, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch, UnequalSizes
from ..dtypes import is_float
from ..equal_shapes import unlike
from ..shape import Dim, Tensor, dims_of, tensor_type
from .base import (
    GraphOp,
    check_at_least,
    check_axes,
    check_choice,
    check_count,
    check_element,
    flag,
    integer,
    ints,
    number,
    optional_integer,
    text,
)


@irdl_op_definition
class ResampleOp(GraphOp):
    """Weighted sum along one axis: ``out[a, j, b]`` sums ``x[a, indices[j, t], b]`` over t.

    Each term is multiplied by weights[j, t]; without weights, T is 1 and a result is an element of
    x. With ``step``, the tables describe one period of J results, and the size n of the axis may be
    symbolic: out[a, q * J + j, b] sums ``x[a, clamp(indices[j, t] + q * step, 0, n - 1), b]``.
    Shapes: x S; indices (J, T) of i64, within the axis; weights (J, T) of f64 if the elements of x
        are f64, else of f32; out S with J, or with ``step`` ``n * J floordiv step``, at the axis.
    Errors: TypeMismatch if the tables differ in shape, if x has integers and weights, if step is
        below 1, or if J is 0 or symbolic with a step.
    Cost: 2*size(out)*T flop.
    Source: ONNX Resize-19: coordinates, modes and antialiasing are resolved by the importer.
    """

    name = "graph.resample"

    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    weights = opt_operand_def(TensorType)
    out = result_def(TensorType)
    axis = integer("axis")
    step = optional_integer("step", None)

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $indices (`weights` $weights^ `:` type($weights))? `axis` $axis (`step` $step^)? "
        "attr-dict `:` type($x) `,` type($indices) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        indices: SSAValue,
        weights: SSAValue | None = None,
        *,
        axis: int,
        step: int | None = None,
    ) -> None:
        self.initialize((x, indices, weights), axis=axis, step=step)

    @staticmethod
    def infer(
        x: Tensor, indices: Tensor, weights: Tensor | None, axis: int, step: int | None
    ) -> Tensor:
        """Return the type of the resampled tensor.

        indices, weights: the types of the tables.  step: how far the source elements move from one
        period of the tables to the next; None if the tables list all results.
        """
        dims, table = dims_of(x), dims_of(indices)
        check_axes((axis,), len(dims))
        if indices.element_type != i64 or len(table) != 2:
            raise TypeMismatch(
                "wrong indices",
                expected="a table (J, T) of i64",
                got=indices,
                hint="reshape the table to two axes",
            )
        if weights is None:
            if table[1].value != 1:
                raise TypeMismatch(
                    "several taps need weights",
                    expected="(J, 1)",
                    got=indices,
                    hint="give weights of the shape of indices",
                )
        else:
            check_element("a weighted sum", x, is_float(x.element_type), "a float type")
            wanted = tensor_type(f64 if x.element_type == f64 else f32, table)
            if weights != wanted:
                raise TypeMismatch(
                    "wrong weights", expected=wanted, got=weights, hint="give weights of this type"
                )
        if step is not None and step < 1:
            raise TypeMismatch(
                "wrong step", expected="1 or more", got=step, hint="count the elements of a period"
            )
        if step is not None and not table[0].value:
            raise TypeMismatch(
                "wrong period", expected="1 or more rows", got=indices, hint="use a static table"
            )
        size = table[0] if step is None else dims[axis] * table[0] // step
        return tensor_type(x.element_type, (*dims[:axis], size, *dims[axis + 1 :]))


GRID_MODES = ("nearest", "linear", "cubic")
GRID_PADDINGS = ("zeros", "border", "reflection")


@irdl_op_definition
class GridSampleOp(GraphOp):
    """Samples of x at the positions in a grid; along each dimension, x extends from -1 to 1.

    The last dimension of the grid holds the coordinates of a position, the innermost first. -1 and
    1 are the outer edges of the first and last element, or with ``align`` their centres. Outside x,
    ``padding`` reads 0 (zeros), the nearest element (border) or the mirrored element (reflection).
    Modes nearest and linear pad at the sampled position, mode cubic at each of the elements that it
    interpolates.
    Shapes: x (N, C, X…); grid (N, Y…, len(X)) of floats; out (N, C, Y…).
    Errors: TypeMismatch if ranks or sizes do not fit, or mode or padding are unknown.
    Source: ONNX GridSample-22.
    """

    name = "graph.grid_sample"

    x = operand_def(TensorType)
    grid = operand_def(TensorType)
    out = result_def(TensorType)
    mode = text("mode")
    padding = text("padding")
    align = flag("align")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $grid $mode `padding` $padding (`align` $align^)? attr-dict `:` type($x) `,` "
        "type($grid) `->` type($out)"
    )

    def __init__(
        self, x: SSAValue, grid: SSAValue, *, mode: str, padding: str = "zeros", align: bool = False
    ) -> None:
        self.initialize((x, grid), mode=mode, padding=padding, align=align)

    @staticmethod
    def infer(x: Tensor, grid: Tensor, mode: str, padding: str) -> Tensor:
        """Return the type of the samples."""
        size, at = dims_of(x), dims_of(grid)
        check_choice("mode", mode, GRID_MODES)
        check_choice("padding", padding, GRID_PADDINGS)
        for tensor in (x, grid):
            check_element("a sample", tensor, is_float(tensor.element_type), "a float type")
        rank = len(size) - 2
        fits = rank >= 1 and len(at) == rank + 2
        if not fits or (at[0], at[-1]) != (size[0], Dim.const(rank)):
            raise UnequalSizes(
                "the grid does not fit",
                expected=f"(N, Y..., {rank}) for {x}",
                got=grid,
                hint="give a grid of this shape",
                sizes=[(at[0], size[0]), (at[-1], Dim.const(rank))] if fits else (),
            )
        return tensor_type(x.element_type, (*size[:2], *at[1:-1]))


@irdl_op_definition
class RoiAlignOp(GraphOp):
    """Mean or maximum of linear samples in a grid of bins over each region of a feature map.

    A region is (x1, y1, x2, y2) * ``scale``, minus half an element with ``half_pixel``; without
    ``half_pixel``, a region is at least 1 wide and high. Each bin has ``sampling`` x ``sampling``
    samples; 0 means one sample per element of the bin, at most as many as a bin of the whole map
    has. Samples more than one element outside the map are 0. Mode ``max`` takes the largest of the
    weighted elements around all samples.
    Shapes: x (N, C, H, W); rois (R, 4) of x's element type; batch (R) of i64, the index n of the
        map of each region; out (R, C, size…).
    Errors: TypeMismatch if ranks or sizes do not fit.
    Source: ONNX RoiAlign-22.
    """

    name = "graph.roi_align"

    x = operand_def(TensorType)
    rois = operand_def(TensorType)
    batch = operand_def(TensorType)
    out = result_def(TensorType)
    mode = text("mode")
    size = ints("size")
    sampling = integer("sampling")
    scale = number("scale")
    half_pixel = flag("half_pixel")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $rois `,` $batch $mode `size` $size `sampling` $sampling `scale` $scale "
        "(`half_pixel` $half_pixel^)? attr-dict `:` type($x) `,` type($rois) `,` type($batch) "
        "`->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        rois: SSAValue,
        batch: SSAValue,
        *,
        mode: str,
        size: Sequence[int],
        sampling: int,
        scale: float,
        half_pixel: bool,
    ) -> None:
        self.initialize(
            (x, rois, batch),
            mode=mode,
            size=size,
            sampling=sampling,
            scale=scale,
            half_pixel=half_pixel,
        )

    @staticmethod
    def infer(
        x: Tensor, rois: Tensor, batch: Tensor, mode: str, size: Sequence[int], sampling: int
    ) -> Tensor:
        """Return the type of the aligned regions."""
        check_choice("mode", mode, ("avg", "max"))
        check_element("a sample", x, is_float(x.element_type), "a float type")
        check_at_least("sampling", (sampling,), 0)
        out = _type_of_regions(x, rois, 4, size)
        wanted = tensor_type(i64, dims_of(rois)[:1])
        if batch != wanted:
            raise unlike("wrong regions", wanted, batch, hint="give one region per row")
        return out


def _type_of_regions(x: Tensor, rois: Tensor, columns: int, size: Sequence[int]) -> Tensor:
    """Check the regions of a feature map; return the type of the values of their bins.

    columns: the number of columns of ``rois``.  size: the number of bins along each dimension.
    """
    check_count("output sizes", size, 2)
    check_at_least("output sizes", size, 1)
    dims, regions = dims_of(x), dims_of(rois)
    if len(dims) != 4 or len(regions) != 2:
        raise TypeMismatch(
            "wrong ranks",
            expected=f"(N, C, H, W) and (R, {columns})",
            got=f"{x}, {rois}",
            hint="reshape the operand",
        )
    wanted = tensor_type(x.element_type, (regions[0], columns))
    if rois != wanted:
        raise unlike("wrong regions", wanted, rois, hint="give one region per row")
    return tensor_type(x.element_type, (regions[0], dims[1], *size))


@irdl_op_definition
class RoiPoolOp(GraphOp):
    """Maximum in each bin of a grid over each region of a feature map; 0 for an empty bin.

    A region is (batch, x1, y1, x2, y2). Its corners are multiplied by ``scale`` and rounded (halves
    up); they belong to the region. A bin covers every element that it touches.
    Shapes: x (N, C, H, W); rois (R, 5) of x's type; out (R, C, size…).
    Errors: TypeMismatch if ranks or sizes do not fit.
    Source: ONNX MaxRoiPool-22.
    """

    name = "graph.roi_pool"

    x = operand_def(TensorType)
    rois = operand_def(TensorType)
    out = result_def(TensorType)
    size = ints("size")
    scale = number("scale")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `,` $rois `size` $size `scale` $scale attr-dict `:` type($x) `,` type($rois) "
        "`->` type($out)"
    )

    def __init__(self, x: SSAValue, rois: SSAValue, *, size: Sequence[int], scale: float) -> None:
        self.initialize((x, rois), size=size, scale=scale)

    @staticmethod
    def infer(x: Tensor, rois: Tensor, size: Sequence[int]) -> Tensor:
        """Return the type of the pooled regions."""
        check_element("a maximum", x, is_float(x.element_type), "a float type")
        return _type_of_regions(x, rois, 5, size)
