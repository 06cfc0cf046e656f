"""Convert optimizer steps, Adagrad, Adam and Momentum, on any number of tensors.

The inputs are grouped: all parameters, then all gradients, then for each kind of state the states
of all tensors. The results have the same order, without the gradients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor
from ..node import Converter, Node, OpConverter

DOMAIN = "ai.onnx.preview.training"
Step: TypeAlias = Callable[[Node, Builder, Sequence[Tensor]], Sequence[Tensor]]
"""A function of one tensor, its gradient and states; it returns the new tensor and states."""


def _optimizer(step: Step, states: int) -> Converter:
    """Return a converter that applies an optimizer step to each parameter tensor of a node.

    step: computes the new values of one parameter tensor and of its states.  states: the number of
    state tensors per parameter tensor.
    """

    def convert(node: Node, b: Builder) -> tuple[Tensor, ...]:
        tensors = node.present()[2:]
        kinds = 2 + states
        if len(tensors) % kinds:
            raise ModelError(
                "tensors, gradients and states differ in number",
                expected=f"rate, count and a multiple of {kinds} tensors",
                got=len(tensors),
                hint="give one of each per tensor",
            )
        count = len(tensors) // kinds
        steps = [step(node, b, tensors[i::count]) for i in range(count)]
        return tuple(result for kind in zip(*steps, strict=True) for result in kind)

    return convert


def _number(b: Builder, x: Tensor, like: Tensor) -> Tensor:
    return b.cast(b.reshape(x, ()), like.dtype)


def _regularized(node: Node, b: Builder, x: Tensor, gradient: Tensor) -> Tensor:
    """Add the gradient of ``norm_coefficient / 2 * |x|^2`` to a gradient."""
    norm = node.number("norm_coefficient", 0.0)
    return gradient if norm == 0 else b.apply("add", b.apply("mul", x, norm), gradient)


def _mixed(b: Builder, old: Tensor, new: Tensor, share: float) -> Tensor:
    return b.apply("add", b.apply("mul", old, share), b.apply("mul", new, 1 - share))


def _adagrad(node: Node, b: Builder, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    x, gradient, squares = tensors
    rate, count = (_number(b, node[i], x) for i in (0, 1))
    decay = b.apply("add", b.apply("mul", count, node.number("decay_factor", 0.0)), 1.0)
    gradient = _regularized(node, b, x, gradient)
    squares = b.apply("add", squares, b.apply("mul", gradient, gradient))
    scale = b.apply("add", b.apply("sqrt", squares), node.number("epsilon", 1e-6))
    move = b.apply("div", b.apply("mul", b.apply("div", rate, decay), gradient), scale)
    return b.apply("sub", x, move), squares


def _adam(node: Node, b: Builder, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    x, gradient, mean, squares = tensors
    alpha, beta = node.number("alpha", 0.9), node.number("beta", 0.999)
    gradient = _regularized(node, b, x, gradient)
    mean = _mixed(b, mean, gradient, alpha)
    squares = _mixed(b, squares, b.apply("mul", gradient, gradient), beta)
    scale = b.apply("add", b.apply("sqrt", squares), node.number("epsilon", 1e-6))
    rate = _adam_rate(node, b, x)
    x = b.apply("sub", x, b.apply("div", b.apply("mul", rate, mean), scale))
    return b.apply("mul", x, 1 - node.number("norm_coefficient_post", 0.0)), mean, squares


def _adam_rate(node: Node, b: Builder, x: Tensor) -> Tensor:
    """Return Adam's learning rate; if the update count is positive, correct it for the bias.

    The bias arises because the running means of the gradients start at 0.
    """
    rate, count = (_number(b, node[i], x) for i in (0, 1))
    gone = [
        _share(b, node.number(name, default), count)
        for name, default in (("alpha", 0.9), ("beta", 0.999))
    ]
    unbiased = b.apply("div", b.apply("mul", rate, b.apply("sqrt", gone[1])), gone[0])
    return b.select(b.apply("lt", b.scalar(0, x.dtype), count), unbiased, rate)


def _share(b: Builder, beta: float, count: Tensor) -> Tensor:
    """Return ``1 - beta ** count``, the bias correction of Adam's running means.

    For betas near 1, expm1 avoids the cancellation.
    """
    if not 0 < beta < 1:
        return b.apply("sub", 1.0, b.apply("pow", b.scalar(beta, count.dtype), count))
    return b.apply("neg", b.apply("expm1", b.apply("mul", count, math.log(beta))))


def _momentum(node: Node, b: Builder, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    x, gradient, momentum = tensors
    mode, alpha = node.text("mode"), node.number("alpha")
    if mode not in ("standard", "nesterov"):
        raise ModelError("unknown mode", expected="standard or nesterov", got=mode)
    rate, count = (_number(b, node[i], x) for i in (0, 1))
    later = b.apply("lt", b.scalar(0, x.dtype), count)
    beta = b.select(later, b.scalar(node.number("beta"), x.dtype), 1.0)
    gradient = _regularized(node, b, x, gradient)
    momentum = b.apply("add", b.apply("mul", momentum, alpha), b.apply("mul", beta, gradient))
    move = momentum
    if mode == "nesterov":
        move = b.apply("add", gradient, b.apply("mul", momentum, alpha))
    return b.apply("sub", x, b.apply("mul", rate, move)), momentum


CONVERTERS = (
    OpConverter("Adagrad", _optimizer(_adagrad, 1), since=1, domain=DOMAIN),
    OpConverter("Adam", _optimizer(_adam, 2), since=1, domain=DOMAIN),
    OpConverter("Momentum", _optimizer(_momentum, 1), since=1, domain=DOMAIN),
)
