"""te dialect: structured tensor computations, from whole tensors down to register tiles."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..shape import DimsAttr
from .compute import COMBINERS, STORE, AtOp, ComputeOp, YieldOp
from .kernel import KernelOp, ReturnOp, kernels_of
from .view import Access, ComputeView, identity_indices

TE = Dialect("te", [ComputeOp, YieldOp, AtOp, KernelOp, ReturnOp], [DimsAttr])

__all__ = [
    "COMBINERS", "STORE", "TE", "Access", "AtOp", "ComputeOp", "ComputeView", "KernelOp",
    "ReturnOp", "YieldOp", "identity_indices", "kernels_of",
]  # fmt: skip
