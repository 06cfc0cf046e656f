"""Convert matrix products, convolutions and pooling of ATen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.graph import ConvOp, MatmulOp, MaxPoolIndicesOp, PoolOp
from ...dialects.shape import Dim
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Tensor
from ..onnx.converters.matmul import product
from .aten import AtenBuilder, Converter

CEILS = "ceil_mode whose last window is cut"


def matmul(b: AtenBuilder, x: Tensor, y: Tensor) -> Tensor:
    """Multiply matrices, or batches of matrices."""
    return product(b, *_fitting(b, x, y))


def _fitting(b: AtenBuilder, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return both operands of a matrix product with the same expression for their inner size.

    Torch guarantees that the inner sizes are equal, but their expressions may differ.
    """
    inner = y.dims[-2] if y.rank > 1 else y.dims[-1]
    if x.dims[-1] == inner:
        return x, y
    if inner.value is not None:
        return b.reshape(x, (*x.dims[:-1], inner)), y
    return x, b.reshape(y, (*y.dims[:-2], x.dims[-1], *y.dims[-1:])) if y.rank > 1 else y


def add_product(b: AtenBuilder, addend: Tensor, x: Tensor, y: Tensor, *scales: float) -> Tensor:
    """Compute ``beta * addend + alpha * (x y)``.

    scales: beta and alpha; each may also be a keyword argument of the node, and is 1 by default.
    """
    beta = b.options.get("beta", scales[0] if scales else 1)
    alpha = b.options.get("alpha", scales[1] if len(scales) > 1 else 1)
    out = product(b, *_fitting(b, x, y))
    out = out if alpha == 1 else b.apply("mul", out, alpha)
    if beta == 0:
        return out
    return b.apply("add", out, addend if beta == 1 else b.apply("mul", addend, beta))


def linear(b: AtenBuilder, x: Tensor, w: Tensor, bias: Tensor | None = None) -> Tensor:
    """Multiply the rows of x by the transposed weights, and add the bias."""
    rows = _of_rank(b, x, max(x.rank, 2))
    out = b.emit(MatmulOp(b.ssa(rows), b.ssa(w), transpose_rhs=True))
    out = out if bias is None else b.apply("add", out, bias)
    return b.reshape(out, b.out.dims)


def _numbers(values: Sequence[int], rank: int) -> list[int]:
    numbers = [Dim.of(v).value for v in values]
    if None in numbers:
        raise UnsupportedOp("a window depends on a dynamic size", got=str(list(values)))
    known = [n or 0 for n in numbers]
    return known * rank if len(known) == 1 else known


def convolution(
    b: AtenBuilder,
    x: Tensor,
    w: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool = False,
    output_padding: Sequence[int] = (0,),
    groups: int = 1,
) -> Tensor:
    """Append a convolution, or a transposed convolution, over any number of axes."""
    rank = w.rank - 2
    batched = _of_rank(b, x, w.rank)
    strides, pads, dilations = (_numbers(v, rank) for v in (stride, padding, dilation))
    operands = b.ssa(batched), b.ssa(w), None if bias is None else b.ssa(bias)
    if not transposed:
        op = ConvOp(*operands, strides=strides, dilations=dilations, pads=pads * 2, groups=groups)
        return b.reshape(b.emit(op), b.out.dims)
    out = b.onnx(
        "ConvTranspose",
        batched,
        w,
        bias,
        kernel_shape=tuple(d.value or 0 for d in w.dims[2:]),
        strides=tuple(strides),
        dilations=tuple(dilations),
        pads=tuple(pads * 2),
        output_padding=tuple(_numbers(output_padding, rank)),
        group=groups,
    )
    return b.reshape(out[0], b.out.dims)


def _window(
    rank: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int] = (1,),
) -> dict[str, Any]:
    return {
        "kernel": _numbers(kernel, rank),
        "strides": _numbers(stride or kernel, rank),
        "pads": _numbers(padding, rank) * 2,
        "dilations": _numbers(dilation, rank),
    }


def _checked(b: AtenBuilder, pooled: Tensor) -> Tensor:
    if pooled.dims != b.out.dims:
        raise UnsupportedOp(CEILS, expected=str(b.out.dims), got=str(pooled.dims))
    return pooled


def _of_rank(b: AtenBuilder, x: Tensor, rank: int) -> Tensor:
    """Add or drop a batch axis of size 1, if the rank of x is not ``rank`` yet."""
    dims = (Dim.const(1), *x.dims) if x.rank < rank else x.dims[x.rank - rank :]
    return b.reshape(x, dims)


def _pool(kind: str, rank: int) -> Converter:
    def maximum(
        b: AtenBuilder,
        x: Tensor,
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        dilation: Sequence[int] = (1,),
        ceil: bool = False,
    ) -> Any:
        window = _window(rank, kernel, stride, padding, dilation)
        image = _of_rank(b, x, rank + 2)
        if not b.wants(1):
            out = b.emit(PoolOp(b.ssa(image), kind="max", ceil=ceil, **window))
            return _checked(b, _of_rank(b, out, x.rank)), None
        both = b.emit_all(MaxPoolIndicesOp(b.ssa(image), ceil=ceil, in_channel=True, **window))
        values, positions = (_of_rank(b, each, x.rank) for each in both)
        return _checked(b, values), positions

    def average(
        b: AtenBuilder,
        x: Tensor,
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        padding: Sequence[int] = (0,),
        ceil: bool = False,
        counts_pads: bool = True,
        divisor: int | None = None,
    ) -> Tensor:
        window = _window(rank, kernel, stride, padding)
        if divisor is not None:
            raise UnsupportedOp("a mean with divisor_override", got=divisor)
        image = b.ssa(_of_rank(b, x, rank + 2))
        out = b.emit(PoolOp(image, kind="avg", ceil=ceil, count_pad=counts_pads, **window))
        return _checked(b, _of_rank(b, out, x.rank))

    return maximum if kind == "max" else average


def adaptive_average(b: AtenBuilder, x: Tensor, sizes: Sequence[Any]) -> Tensor:
    """Compute the means of windows of equal size, whose number follows from the node's result.

    Errors: UnsupportedOp if the windows would differ in size.
    """
    rank = len(sizes)
    kernel: list[int] = []
    for size, wanted in zip(x.dims[-rank:], b.out.dims[-rank:], strict=True):
        if wanted == Dim.const(1):
            kernel.append(0)
            continue
        if size.value is None or wanted.value is None or size.value % wanted.value:
            raise UnsupportedOp(
                "windows of an adaptive pool differ in size",
                expected=f"a multiple of {wanted}",
                got=str(size),
            )
        kernel.append(size.value // wanted.value)
    if not any(kernel):
        return b.mean(x, list(range(x.rank - rank, x.rank)))
    whole = [n or size.value for n, size in zip(kernel, x.dims[-rank:], strict=True)]
    if None in whole:
        raise UnsupportedOp("windows of an adaptive pool differ in size", got=str(x.dims))
    widths = [n or 1 for n in whole]
    image = b.ssa(_of_rank(b, x, rank + 2))
    out = b.emit(PoolOp(image, kind="avg", **_window(rank, widths, (), (0,))))
    return _of_rank(b, out, x.rank)


CONVERTERS: dict[str, Converter] = {
    **dict.fromkeys(("mm", "bmm", "dot", "mv", "matmul"), matmul),
    **dict.fromkeys(("addmm", "baddbmm", "addmv"), add_product),
    "linear": linear,
    "convolution": convolution,
    "max_pool2d_with_indices": _pool("max", 2),
    "max_pool3d_with_indices": _pool("max", 3),
    "avg_pool1d": _pool("avg", 1),
    "avg_pool2d": _pool("avg", 2),
    "avg_pool3d": _pool("avg", 3),
    **dict.fromkeys(
        ("adaptive_avg_pool1d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d"), adaptive_average
    ),
}
"""Converters by the name of the torch operator, or by operator and overload: ``op.overload``."""
