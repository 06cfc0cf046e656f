"""Normalizations along axes. Scale and bias are separate graph.mul and graph.add ops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FloatAttr, TensorType, f32, f64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...support.diagnostics import TypeMismatch
from ..dtypes import is_float
from ..shape import Tensor, dims_of, tensor_type
from .base import (
    GraphOp,
    check_at_least,
    check_axes,
    check_element,
    flag,
    integer,
    ints,
    number,
)
from .reduce import without_axes

FLOAT = FloatAttr.constr(f64)


def _check_operand(op: str, x: Tensor, axes: Sequence[int]) -> None:
    check_axes(axes, len(dims_of(x)))
    check_element(op, x, is_float(x.element_type), "a float type")


class AxisNormOp(GraphOp):
    """Base of the normalizations along one axis, whose result has the type of x."""

    x = operand_def(TensorType)
    out = result_def(TensorType)
    axis = integer("axis")

    traits = traits_def(Pure())

    def __init__(self, x: SSAValue, axis: int) -> None:
        self.initialize((x,), axis=axis)

    @classmethod
    def infer(cls, x: Tensor, axis: int) -> Tensor:
        """Return the type of the result, which is the type of x."""
        _check_operand(cls.name.removeprefix("graph."), x, (axis,))
        return x


@irdl_op_definition
class SoftmaxOp(AxisNormOp):
    """``exp(x - max) / sum(exp(x - max))`` along an axis.

    Shapes: x S; out S.
    Errors: TypeMismatch if x is not float or the axis is outside the rank.
    Source: ONNX Softmax-13; the importer reshapes for older versions.
    """

    name = "graph.softmax"
    assembly_format = "$x `axis` $axis attr-dict `:` type($x) `->` type($out)"


@irdl_op_definition
class LogSoftmaxOp(AxisNormOp):
    """``x - max - log(sum(exp(x - max)))`` along an axis.

    Shapes: x S; out S.
    Errors: TypeMismatch if x is not float or the axis is outside the rank.
    Source: ONNX LogSoftmax-13.
    """

    name = "graph.log_softmax"
    assembly_format = "$x `axis` $axis attr-dict `:` type($x) `->` type($out)"


@irdl_op_definition
class NormalizeOp(GraphOp):
    """``out = (x - mean) * inv_std`` with ``inv_std = 1 / sqrt(variance + eps)`` over axes.

    With ``uncentered`` (``center=False``) no mean is subtracted: mean is 0, and variance is the
    mean of squares (RMSNorm).
    Shapes: x S; out S; mean, inv_std: f32, or f64 if x is f64; S with 1 on ``axes``.
    Errors: TypeMismatch if x is not float, or axes repeat or are outside the rank.
    Source: ONNX LayerNormalization-17, RMSNormalization-23; scale and bias are separate ops.
    """

    name = "graph.normalize"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    mean = result_def(TensorType)
    inv_std = result_def(TensorType)
    axes = ints("axes")
    eps = number("eps", FLOAT)
    uncentered = flag("uncentered")

    traits = traits_def(Pure())
    assembly_format = (
        "$x `axes` $axes `eps` $eps (`uncentered` $uncentered^)? attr-dict "
        "`:` type($x) `->` type($out) `,` type($mean) `,` type($inv_std)"
    )

    def __init__(
        self, x: SSAValue, *, axes: Sequence[int], eps: float, center: bool = True
    ) -> None:
        self.initialize((x,), axes=axes, eps=eps, uncentered=not center)

    @staticmethod
    def infer(x: Tensor, axes: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the types of the normalized values, the mean and the inverse deviation."""
        _check_operand("normalize", x, axes)
        element = f64 if x.element_type == f64 else f32
        stats = tensor_type(element, without_axes(dims_of(x), axes, keep=True))
        return x, stats, stats

    @property
    def center(self) -> bool:
        """Whether the mean is subtracted."""
        return not self.uncentered


@irdl_op_definition
class LrnOp(GraphOp):
    """Local response normalization over channels.

    ``out[n, c] = x[n, c] / (bias + alpha / size * sum over window of x[n, j]**2) ** beta`` with
    ``j`` from ``c - (size - 1) // 2`` to ``c + size // 2``, inside the channels.
    Shapes: x (N, C, X…); out the same.
    Errors: TypeMismatch if x is not float, its rank is below 2, or size is below 1.
    Source: ONNX LRN-13.
    """

    name = "graph.lrn"

    x = operand_def(TensorType)
    out = result_def(TensorType)
    size = integer("size")
    alpha = number("alpha", FLOAT)
    beta = number("beta", FLOAT)
    bias = number("bias", FLOAT)

    traits = traits_def(Pure())
    assembly_format = (
        "$x `size` $size `alpha` $alpha `beta` $beta `bias` $bias attr-dict "
        "`:` type($x) `->` type($out)"
    )

    def __init__(
        self,
        x: SSAValue,
        *,
        size: int,
        alpha: float = 1e-4,
        beta: float = 0.75,
        bias: float = 1.0,
    ) -> None:
        self.initialize((x,), size=size, alpha=alpha, beta=beta, bias=bias)

    @staticmethod
    def infer(x: Tensor, size: int) -> Tensor:
        """Return the type of the result, which is the type of x."""
        _check_operand("lrn", x, ())
        if len(dims_of(x)) < 2:
            raise TypeMismatch(
                "x needs a rank of at least 2",
                expected="(N, C, X...)",
                got=x,
                hint="reshape the operand",
            )
        check_at_least("size", (size,), 1)
        return x
