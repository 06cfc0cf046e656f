"""te dialect: structured tensor computations, from whole tensors down to register tiles."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Dialect

from ..shape import DimsAttr
from .body import AtOp, YieldOp
from .compute import ComputeOp
from .cost import Cost, CostAttr
from .empty_axes import symbolize_empty_axes
from .intrinsic import IntrinsicOp, find_intrinsic, intrinsics_around
from .kernel import KernelOp, ReturnOp, kernels_of
from .loop_nest import LoopNest, LoopNestAttr
from .loops import LoopsOp, buffer_type
from .role import RoleAttr
from .scatter import ScatterOp
from .sort import SortOp
from .view import COMBINERS, STORE, Access, ComputeView, ScatterView, axis_ranges, identity_indices

TE = Dialect(
    "te",
    [ComputeOp, YieldOp, AtOp, ScatterOp, SortOp, LoopsOp, IntrinsicOp, KernelOp, ReturnOp],
    [CostAttr, DimsAttr, LoopNestAttr, RoleAttr],
)

IrregularOp: TypeAlias = ScatterOp | SortOp | LoopsOp
"""Ops other than te.compute that define tensors; schedules do not tile them."""

TensorOp: TypeAlias = ComputeOp | IrregularOp
"""Ops that define tensors."""

__all__ = [
    "COMBINERS", "STORE", "TE", "Access", "AtOp", "ComputeOp", "ComputeView", "Cost",
    "CostAttr", "IntrinsicOp", "IrregularOp", "KernelOp", "LoopNest", "LoopNestAttr", "LoopsOp",
    "ReturnOp", "ScatterOp", "ScatterView", "SortOp", "TensorOp", "YieldOp", "axis_ranges",
    "buffer_type", "find_intrinsic", "identity_indices", "intrinsics_around", "kernels_of",
    "symbolize_empty_axes",
]  # fmt: skip
