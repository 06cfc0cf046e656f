"""Small graphs for the tests of plans: one operator each, weights constant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from tilewright.dialects.graph import (
    AddOp,
    BroadcastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    CumulativeOp,
    GatherOp,
    LrnOp,
    MatmulOp,
    MaxOp,
    MulOp,
    NormalizeOp,
    PoolOp,
    ReduceOp,
    ReshapeOp,
    SigmoidOp,
    SoftmaxOp,
    TransposeOp,
)
from tilewright.dialects.shape import dims_of, tensor_type, type_of

Shape = Sequence[int]


class Graph:
    """A main function under construction; methods append ops and return their first result."""

    def __init__(self, *shapes: Shape) -> None:
        self.func = FuncOp("main", ([tensor_type(f32, list(s)) for s in shapes], []))
        self.args: list[SSAValue] = list(self.func.body.block.args)

    def add(self, op: Operation) -> SSAValue:
        self.func.body.block.add_op(op)
        return op.results[0]

    def weight(self, *shape: int) -> SSAValue:
        """Add a seeded random constant."""
        rng = np.random.default_rng(0)
        return self.add(ConstantOp(rng.standard_normal(shape, np.float32)))

    def relu(self, x: SSAValue) -> SSAValue:
        zero = self.add(ConstantOp(np.zeros((), np.float32)))
        return self.add(MaxOp(x, self.add(BroadcastOp(zero, dims_of(type_of(x)), []))))

    def row(self, x: SSAValue) -> SSAValue:
        """Add a weight along the last axis of a matrix."""
        dims = dims_of(type_of(x))
        assert dims[1].value is not None, f"symbolic columns of {x.type}"
        return self.add(BroadcastOp(self.weight(dims[1].value), dims, [1]))

    def conv(self, x: SSAValue, filters: int, kernel: int, stride: int, groups: int) -> SSAValue:
        """Add a convolution that pads by half its kernel, bias and relu."""
        channels, pad = dims_of(type_of(x))[1].value, kernel // 2
        assert channels is not None, f"symbolic channels of {x.type}"
        w, bias = self.weight(filters, channels // groups, kernel, kernel), self.weight(filters)
        strides, pads = [stride] * 2, [pad] * 4
        op = ConvOp(x, w, bias, strides=strides, dilations=[1, 1], pads=pads, groups=groups)
        return self.relu(self.add(op))

    def pool(
        self, x: SSAValue, kernel: int, stride: int, kind: str = "max", pad: int = 0
    ) -> SSAValue:
        """Add a pooling."""
        op = PoolOp(
            x,
            kind=kind,
            kernel=[kernel] * 2,
            strides=[stride] * 2,
            dilations=[1, 1],
            pads=[pad] * 4,
        )
        return self.add(op)

    def finish(self, *results: SSAValue) -> ModuleOp:
        """Return the module whose main returns the values."""
        self.func.body.block.add_op(ReturnOp(*results))
        self.func.update_function_type()
        return ModuleOp([self.func])


def matmul(m: int, n: int, k: int) -> ModuleOp:
    """Return x W + b with relu."""
    g = Graph((m, k))
    product = g.add(MatmulOp(g.args[0], g.weight(k, n)))
    return g.finish(g.relu(g.add(AddOp(product, g.row(product)))))


def batched(b: int, m: int, n: int, k: int, *, transposed: bool = False) -> ModuleOp:
    """Return a batch of products of two arguments, the second stored (n, k) if transposed."""
    g = Graph((b, m, k), (b, n, k) if transposed else (b, k, n))
    return g.finish(g.add(MatmulOp(*g.args, transpose_rhs=transposed)))


def dynamic(m: int, n: int, k: int, *, transposed: bool = False) -> ModuleOp:
    """Return a product of two arguments, the second stored (n, k) if transposed."""
    g = Graph((m, k), (n, k) if transposed else (k, n))
    return g.finish(g.add(MatmulOp(*g.args, transpose_rhs=transposed)))


def transposed(m: int, n: int, k: int) -> ModuleOp:
    """Return x^T W^T, with both operands stored transposed."""
    g = Graph((k, m))
    op = MatmulOp(g.args[0], g.weight(n, k), transpose_lhs=True, transpose_rhs=True)
    return g.finish(g.add(op))


def conv(
    c: int, o: int, size: int, kernel: int, *, stride: int = 1, groups: int = 1, chain: bool = True
) -> ModuleOp:
    """Return a padded convolution with bias and relu.

    chain: put it between a pointwise convolution and a pool, so that main neither takes its input
    nor returns its result.
    """
    g = Graph((1, c, size, size))
    (x,) = g.args
    if not chain:
        return g.finish(g.conv(x, o, kernel, stride, groups))
    y = g.conv(g.conv(x, c, 1, 1, groups), o, kernel, stride, groups)
    return g.finish(g.pool(y, 2, 1))


def weight_gradient(
    images: int, channels: int, filters: int, size: int, kernel: int, stride: int = 1
) -> ModuleOp:
    """Return the convolution of an image with a cotangent that gives the gradient of filters."""
    out = (size - 1) // stride + 1
    g = Graph((channels, images, size, size), (filters, images, out, out))
    before, after = kernel // 2, (out - 1) * stride + kernel - kernel // 2 - size
    pads, dilations = [before, before, after, after], [stride] * 2
    return g.finish(g.add(ConvOp(*g.args, strides=[1, 1], dilations=dilations, pads=pads)))


def conv_in_blocks_and_rows(c: int, o: int, size: int) -> ModuleOp:
    """Return a convolution whose result another one reads, and main also returns."""
    g = Graph((1, c, size, size))
    y = g.conv(g.args[0], o, 3, 1, 1)
    return g.finish(y, g.conv(y, 16, 1, 1, 1))


def pool(c: int, size: int, kernel: int, stride: int, kind: str = "max", pad: int = 0) -> ModuleOp:
    """Return a pooling of an argument."""
    g = Graph((1, c, size, size))
    return g.finish(g.pool(g.args[0], kernel, stride, kind, pad))


def local_response(c: int, size: int, window: int) -> ModuleOp:
    """Return local response normalization of an argument."""
    g = Graph((1, c, size, size))
    return g.finish(g.add(LrnOp(g.args[0], size=window)))


def softmax(*shape: int, axis: int = -1) -> ModuleOp:
    """Return softmax over an axis, by default the last."""
    g = Graph(shape)
    return g.finish(g.add(SoftmaxOp(g.args[0], axis % len(shape))))


def softmax_of_reshaped(shape: Shape, rows: Shape) -> ModuleOp:
    """Return softmax over the last axis of running sums along the last axis of another shape."""
    g = Graph(shape)
    sums = g.add(CumulativeOp(g.args[0], kind="sum", axis=len(shape) - 1))
    x = g.add(ReshapeOp(sums, list(rows)))
    return g.finish(g.add(SoftmaxOp(x, len(rows) - 1)))


def layer_norm(rows: int, columns: int) -> ModuleOp:
    """Return normalization over the last axis, scaled and shifted."""
    g = Graph((rows, columns))
    y = g.add(NormalizeOp(g.args[0], axes=[1], eps=1e-5))
    return g.finish(g.add(AddOp(g.add(MulOp(y, g.row(y))), g.row(y))))


def normalized(shape: Shape, axes: Shape, stored: Shape | None = None) -> ModuleOp:
    """Return normalization over axes of an argument; stored: the argument's shape, if different."""
    g = Graph(stored or shape)
    x = g.add(ReshapeOp(g.args[0], list(shape))) if stored else g.args[0]
    y = g.add(NormalizeOp(x, axes=list(axes), eps=1e-5))
    return g.finish(g.add(ReshapeOp(y, list(stored))) if stored else y)


def concatenation(shapes: Sequence[Shape], axis: int) -> ModuleOp:
    """Return the concatenation of arguments along an axis."""
    g = Graph(*shapes)
    return g.finish(g.add(ConcatOp(g.args, axis)))


def splat_matmul(m: int, n: int, k: int) -> ModuleOp:
    """Return a product with a weight whose elements are all equal."""
    g = Graph((m, k))
    weight = g.add(ConstantOp(np.full((k, n), 0.5, np.float32)))
    return g.finish(g.add(MatmulOp(g.args[0], weight)))


def elementwise(*shape: int) -> ModuleOp:
    """Return x * sigmoid(x + y)."""
    g = Graph(shape, shape)
    x, y = g.args
    return g.finish(g.add(MulOp(x, g.add(SigmoidOp(g.add(AddOp(x, y)))))))


def transpose(shape: Shape, perm: Shape) -> ModuleOp:
    """Return a transpose of an argument."""
    g = Graph(shape)
    return g.finish(g.add(TransposeOp(g.args[0], list(perm))))


def reduction(shape: Shape, axes: Shape) -> ModuleOp:
    """Return sums over axes of an argument."""
    g = Graph(shape)
    return g.finish(g.add(ReduceOp(g.args[0], kind="sum", axes=list(axes), keep=False)))


def reduce_then_scan(shape: Shape, axis: int) -> ModuleOp:
    """Return running sums along an axis of sums over the first axis."""
    g = Graph(shape)
    sums = g.add(ReduceOp(g.args[0], kind="sum", axes=[0], keep=True))
    return g.finish(g.add(CumulativeOp(sums, kind="sum", axis=axis)))


def scan(shape: Shape, axis: int) -> ModuleOp:
    """Return running sums along an axis."""
    g = Graph(shape)
    return g.finish(g.add(CumulativeOp(g.args[0], kind="sum", axis=axis)))


def repeated_rows(images: int, rows: int, size: int, times: int) -> ModuleOp:
    """Return a Tile: all images twice, and each row repeated along itself."""
    g = Graph((images, rows, size))
    many = g.add(BroadcastOp(g.args[0], [2, images, rows, times, size], [1, 2, 4]))
    return g.finish(g.add(ReshapeOp(many, [2 * images, rows, times * size])))


def gathered_slices(shape: Shape, axis: int) -> ModuleOp:
    """Return a gather of three slices along an axis."""
    g = Graph(shape)
    at = g.add(ConstantOp(np.array([1, 0, 1])))
    return g.finish(g.add(GatherOp(g.args[0], at, axis)))
