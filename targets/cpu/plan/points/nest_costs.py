"""The cost model of the points of a kernel, for kernels that are one product or convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .....dialects.te import KernelOp
from .choice import Choice
from .convolution_cost import ConvolutionCosts, convolution_costs
from .product_cost import ProductCosts, product_costs


def nest_costs(
    kernel: KernelOp, choices: Sequence[Choice[Any]]
) -> ProductCosts | ConvolutionCosts | None:
    """Return the cost model of the points of a kernel; None for a kernel without such a model.

    choices: the choices that cpu-plan makes for the kernel.
    """
    return product_costs(kernel, choices) or convolution_costs(kernel, choices)
