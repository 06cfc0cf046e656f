"""The rules of gpu-plan for computes that have a grid of their own.

In: the computes of a kernel, and the groups of computes that share rows.  Out: the steps of their
schedules.  A compute gets tiles if it is a product; strips, warps or blocks of rows if it is a sum;
and otherwise one thread per result.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ....dialects.te import ComputeOp, ComputeView, KernelOp
from ....machines.gpu import VECTOR_ACCESS
from ....machines.gpu_limits import gpu_limits
from ....machines.target import Target
from .aligned_products import align_products
from .channels_last import pack_convolutions
from .product import Product, convolution_of, plan_product, product_of
from .rows import Rows, plan_rows
from .scans import block_scan_of, plan_block_scan, split_scans
from .script import Script
from .sums import is_slower_than_strips, plan_sum
from .tensor_product import TensorProduct, plan_tensor_product, tensor_product_of
from .thread_per_point import spread
from .windows import plan_shared

_LOG = logging.getLogger("tilewright.targets")


def plan_each(
    script: Script, kernel: KernelOp, target: Target, groups: Sequence[Rows] | None
) -> None:
    """Plan each compute of a kernel as a launch of its own, and each group as one launch.

    groups: the groups of computes that share rows; None if the precision is strict, which allows
    neither groups nor instructions that round.
    """
    if groups is not None:
        kernel = split_scans(script, kernel, target)
        kernel = pack_convolutions(script, kernel, target)
        kernel = align_products(script, kernel, target)
    by_name: dict[str, list[ComputeOp]] = {}
    for op in kernel.body.walk():
        if isinstance(op, ComputeOp):
            by_name.setdefault(op.label, []).append(op)
    for rows in groups or ():
        plan_rows(script, rows, gpu_limits(target))
        by_name = {name: ops for name, ops in by_name.items() if name not in rows.names}
    is_strict, vectors = groups is None, target.has(VECTOR_ACCESS)
    for ops in by_name.values():
        views = [op.view() for op in ops]
        is_alone = len(ops) == 1 and ops[0].parent_block() is kernel.body.block
        is_sum = is_alone and not is_strict
        if len(ops) == 1 and _plan_product(script, views[0], target, is_strict, is_sum=is_sum):
            continue
        scan = block_scan_of(views[0], target) if is_sum else None
        if scan is not None:
            plan_block_scan(script, views[0], scan, gpu_limits(target))
            continue
        if len(ops) == 1 and vectors and plan_shared(script, views[0], gpu_limits(target)):
            continue
        if is_sum and plan_sum(script, views[0], target):
            continue
        spread(script, views, gpu_limits(target), vectors=vectors)


def _plan_product(
    script: Script, view: ComputeView, target: Target, is_strict: bool, *, is_sum: bool
) -> bool:
    """Plan a matrix product or convolution with tiles; return False for any other compute.

    The log names the reason if a product or convolution gets no tiles.
    is_sum: whether the compute may have a plan of a sum, such as strips of columns.
    """
    tensor = tensor_product_of(view, target)
    if isinstance(tensor, TensorProduct) and is_strict and not tensor.is_exact:
        tensor = "its sums of floats are less exact than f32, and the precision is strict"
    if isinstance(tensor, TensorProduct):
        plan_tensor_product(script, view, tensor, gpu_limits(target))
        return True
    if tensor is not None:
        _LOG.info("@%s of @%s: no matrix instruction: %s", view.name, script.kernel, tensor)
    product = product_of(view, target) or convolution_of(view, target)
    if isinstance(product, Product) and is_sum and is_slower_than_strips(view, product, target):
        product = "strips of columns are faster"
    if isinstance(product, str):
        _LOG.info("@%s of @%s: no implicit product: %s", view.name, script.kernel, product)
    if not isinstance(product, Product):
        return False
    plan_product(script, view, product)
    return True
