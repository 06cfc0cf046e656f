"""Small graphs for the tests of plans: one operator each, weights constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from tilewright.dialects.graph import (
    ELEMENTWISE,
    BroadcastOp,
    ConstantOp,
    ConvOp,
    MatmulOp,
    NormalizeOp,
    PoolOp,
    SoftmaxOp,
    TransposeOp,
)
from tilewright.dialects.shape import dims_of, tensor_type, type_of

Shape = Sequence[int]


def program(shapes: Sequence[Shape], body: Callable[..., SSAValue]) -> ModuleOp:
    """Return a module whose main takes f32 tensors and returns what the body builds."""
    func = FuncOp("main", ([tensor_type(f32, list(s)) for s in shapes], []))
    with ImplicitBuilder(func.body.block):
        ReturnOp(body(*func.body.block.args))
    func.update_function_type()
    return ModuleOp([func])


def weight(*shape: int) -> SSAValue:
    """Return a seeded random constant."""
    rng = np.random.default_rng(0)
    return ConstantOp(rng.standard_normal(shape, np.float32)).results[0]


def relu(x: SSAValue) -> SSAValue:
    """Return max(x, 0)."""
    zero = ConstantOp(np.zeros((), np.float32)).results[0]
    zeros = BroadcastOp(zero, dims_of(type_of(x)), []).results[0]
    return ELEMENTWISE["max"](x, zeros).results[0]


def matmul(m: int, n: int, k: int) -> ModuleOp:
    """x W + b, relu."""

    def body(x: SSAValue) -> SSAValue:
        product = MatmulOp(x, weight(k, n)).results[0]
        bias = BroadcastOp(weight(n), [m, n], [1]).results[0]
        return relu(ELEMENTWISE["add"](product, bias).results[0])

    return program([(m, k)], body)


def batched(b: int, m: int, n: int, k: int, *, transposed: bool = False) -> ModuleOp:
    """Products of two arguments, the second stored (n, k) if transposed."""
    rhs = (b, n, k) if transposed else (b, k, n)
    return program(
        [(b, m, k), rhs], lambda x, y: MatmulOp(x, y, transpose_rhs=transposed).results[0]
    )


def transposed(m: int, n: int, k: int) -> ModuleOp:
    """x^T W^T, both stored the other way."""
    return program(
        [(k, m)],
        lambda x: (
            MatmulOp(x, weight(n, k), transpose_lhs=True, transpose_rhs=True).results[0]
        ),
    )


def conv(
    c: int, o: int, size: int, kernel: int, *, stride: int = 1, groups: int = 1, chain: bool = True
) -> ModuleOp:
    """A padded convolution with bias and relu, its input scaled in a kernel before it."""
    pad = kernel // 2
    window = {"strides": [stride] * 2, "dilations": [1] * 2, "pads": [pad] * 4}

    def one(x: SSAValue, channels: int, filters: int, kernel: int, **window: Shape) -> SSAValue:
        w = weight(filters, channels // groups, kernel, kernel)
        return relu(ConvOp(x, w, weight(filters), groups=groups, **window).results[0])

    def body(x: SSAValue) -> SSAValue:
        if chain:
            ones = {"strides": [1] * 2, "dilations": [1] * 2, "pads": [0] * 4}
            x = one(x, c, c, 1, **ones)
        y = one(x, c, o, kernel, **window)
        # A pool keeps the convolution's result away from main, which takes no blocked layouts.
        return pool_of(y, 2, 1) if chain else y

    return program([(1, c, size, size)], body)


def pool_of(x: SSAValue, kernel: int, stride: int, kind: str = "max", pad: int = 0) -> SSAValue:
    """Return a pooling."""
    return PoolOp(
        x,
        kind=kind,
        kernel=[kernel] * 2,
        strides=[stride] * 2,
        dilations=[1] * 2,
        pads=[pad] * 4,
    ).results[0]


def pool(c: int, size: int, kernel: int, stride: int, kind: str = "max", pad: int = 0) -> ModuleOp:
    """One pooling."""
    return program([(1, c, size, size)], lambda x: pool_of(x, kernel, stride, kind, pad))


def softmax(*shape: int) -> ModuleOp:
    """Softmax over the last axis."""
    return program([shape], lambda x: SoftmaxOp(x, len(shape) - 1).results[0])


def layer_norm(rows: int, columns: int) -> ModuleOp:
    """Normalization over the last axis, scaled and shifted."""

    def body(x: SSAValue) -> SSAValue:
        y = NormalizeOp(x, axes=[1], eps=1e-5).results[0]
        scale, shift = (BroadcastOp(weight(columns), [rows, columns], [1]).results[0],) * 2
        return ELEMENTWISE["add"](ELEMENTWISE["mul"](y, scale).results[0], shift).results[0]

    return program([(rows, columns)], body)


def elementwise(*shape: int) -> ModuleOp:
    """x * sigmoid(x + y)."""

    def body(x: SSAValue, y: SSAValue) -> SSAValue:
        inner = ELEMENTWISE["sigmoid"](ELEMENTWISE["add"](x, y).results[0]).results[0]
        return ELEMENTWISE["mul"](x, inner).results[0]

    return program([shape, shape], body)


def transpose(shape: Shape, perm: Shape) -> ModuleOp:
    """A transpose of an argument."""
    return program([shape], lambda x: TransposeOp(x, list(perm)).results[0])
