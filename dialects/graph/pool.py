"""Pooling: reduce each window of a channel to one element.

Global pooling is graph.reduce.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_float, is_number
from ..shape import Tensor, dims_of, tensor_type
from ..window_sizes import pool_output_dim, window_dims
from .base import (
    GraphOp,
    check_at_least,
    check_choice,
    check_count,
    check_element,
    flag,
    integer,
    ints,
    text,
)
from .conv import check_window

POOL_KINDS = ("max", "avg", "sum", "lp")


class PoolingOp(GraphOp):
    """Base of the ops that slide a window over the spatial dimensions of x."""

    x = operand_def(TensorType)
    kernel = ints("kernel")
    strides = ints("strides")
    dilations = ints("dilations")
    pads = ints("pads")
    ceil = flag("ceil")

    traits = traits_def(Pure())


@irdl_op_definition
class PoolOp(PoolingOp):
    """Maximum, mean, sum or p-norm over a window of each channel.

    Padding never wins a maximum and adds nothing to a sum. A mean divides by the number of window
    elements inside x, or with ``count_pad`` inside x and its padding; it is NaN if there are none.
    With ``ceil``, a last partial window has a result if it starts inside x or its low padding.
    Shapes: x (N, C, X…); out (N, C, pool_output_dim(X)…); ``pads``: all low, then all high values.
    Errors: TypeMismatch if the rank is below 3, if the window parameters do not fit the rank, or if
        the elements of x are integers and the kind is avg or lp.
    Cost: size(out)*size(kernel) operations.
    Source: ONNX MaxPool-12, AveragePool-19, LpPool-18; auto_pad is resolved by the importer.
    """

    name = "graph.pool"

    out = result_def(TensorType)
    kind = text("kind")
    count_pad = flag("count_pad")
    p = integer("p")

    assembly_format = (
        "$x $kind `kernel` $kernel `strides` $strides `dilations` $dilations `pads` $pads "
        "(`ceil` $ceil^)? (`count_pad` $count_pad^)? `p` $p attr-dict `:` type($x) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        *,
        kind: str,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        ceil: bool = False,
        count_pad: bool = False,
        p: int = 2,
    ) -> None:
        window = {"kernel": kernel, "strides": strides, "dilations": dilations, "pads": pads}
        self.initialize((x,), kind=kind, **window, ceil=ceil, count_pad=count_pad, p=p)

    @staticmethod
    def infer(
        x: Tensor,
        kind: str,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        ceil: bool,
    ) -> Tensor:
        """Return the type of the pooled tensor."""
        size, rank = dims_of(x), len(dims_of(x)) - 2
        if rank < 1:
            raise TypeMismatch(
                "x needs a rank of at least 3",
                expected="(N, C, X...)",
                got=x,
                hint="reshape the operand",
            )
        check_choice("kind", kind, POOL_KINDS)
        needs_float = kind in ("avg", "lp")
        accepted = is_float(x.element_type) if needs_float else is_number(x.element_type)
        check_element(
            f"pool {kind}", x, accepted, "a float type" if needs_float else "a number type"
        )
        check_count("kernel sizes", kernel, rank)
        check_at_least("kernel", kernel, 1)
        check_window(rank, strides=strides, dilations=dilations, pads=pads)
        window = kernel, strides, dilations, pads
        spatial = window_dims(pool_output_dim, size[2:], *window, ceil=ceil)
        return tensor_type(x.element_type, (*size[:2], *spatial))


@irdl_op_definition
class MaxPoolIndicesOp(PoolingOp):
    """Maximum over a window of each channel, and the position of the first maximum or first NaN.

    A position is the number of an element of x in row-major order; ``column_major`` reverses the
    order of the spatial dimensions in each channel, and ``in_channel`` counts from the start of the
    channel.
    Shapes: as for graph.pool; out has the element type of x, indices has i64.
    Errors: TypeMismatch as for graph.pool.
    Source: ONNX MaxPool-22 with the output Indices.
    """

    name = "graph.max_pool_indices"

    # Declared again, because xDSL lists the results of a subclass before those of its base.
    out = result_def(TensorType)
    indices = result_def(TensorType)
    column_major = flag("column_major")
    in_channel = flag("in_channel")

    assembly_format = (
        "$x `kernel` $kernel `strides` $strides `dilations` $dilations `pads` $pads "
        "(`ceil` $ceil^)? (`column_major` $column_major^)? "
        "(`in_channel` $in_channel^)? attr-dict `:` type($x) `->` type($out) `,` type($indices)"
    )

    def __init__(
        self,
        x: SSAValue,
        *,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        ceil: bool = False,
        column_major: bool = False,
        in_channel: bool = False,
    ) -> None:
        window = {"kernel": kernel, "strides": strides, "dilations": dilations, "pads": pads}
        order = {"column_major": column_major, "in_channel": in_channel}
        self.initialize((x,), **window, ceil=ceil, **order)

    @staticmethod
    def infer(
        x: Tensor,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads: Sequence[int],
        ceil: bool,
    ) -> tuple[Tensor, Tensor]:
        """Return the types of the maxima and of their positions."""
        out = PoolOp.infer(x, "max", kernel, strides, dilations, pads, ceil)
        return out, tensor_type(i64, dims_of(out))
