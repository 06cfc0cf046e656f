"""Tasks: the different kernels of a model, each with its plan, its work and its number of calls.

    for task in tasks_of("model.onnx"):
        print(task.name, task.calls, task.flops)

A task is plain data: its kernel and its plan's schedule are printed IR, so that another process can
measure schedules of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Unpack

from xdsl.dialects.builtin import ModuleOp

from ..analysis.cost import call_bytes, recorded_costs
from ..analysis.entry import nodes_of_kernels
from ..analysis.patterns.sharing import element_bytes
from ..dialects.packed import CallOp, ConstantOp
from ..dialects.te import ComputeOp, Cost, KernelOp, TensorOp, kernels_of
from ..driver.description import describe_tensors
from ..driver.report.texts import lowered_from
from ..driver.request import ModelOptions, OwnModule, Request, request_for
from ..driver.source import ModelSource
from ..machines.target import Target, TargetText
from ..passes.schedule.match_schedules import kernel_digest, schedule_texts
from ..support.entry import entry_of
from ..support.schedule_files import SUFFIX

if TYPE_CHECKING:
    from os import PathLike

    import onnx

    from ..frontend.te.tensor import Tensor


@dataclass(frozen=True)
class Task:
    """A kernel to tune.

    name: the kernel's name in the model.  digest: the digest of its structure; see
    te-match-schedules.
    kernel: the printed module that holds the kernel alone, in buffer form.  plan: the text of the
    schedule that the target's plan writes.  target: the target text.
    calls: how often the model calls the kernel.  flops, moved_bytes: the work of one call.
    rotated_bytes: the size of all weights of the model.  measured_s: the seconds of all calls in
    the model; 0 if not measured.  nodes: the names of the model nodes that the kernel computes.
    is_model: whether the task is a whole model; see tuning/graph_space.py.
    extents: the sizes of the axes of the largest compute.
    """

    name: str
    digest: str
    kernel: str
    plan: str
    target: str
    calls: int = 1
    flops: int = 0
    moved_bytes: int = 0
    rotated_bytes: int = 0
    measured_s: float = 0.0
    nodes: tuple[str, ...] = ()
    is_model: bool = False
    extents: tuple[int, ...] = ()


def tasks_of(
    model: str | PathLike[str] | bytes | onnx.ModelProto, **options: Unpack[ModelOptions]
) -> list[Task]:
    """Return the different kernels of a model as tasks, the kernel with the most work first.

    A kernel with symbolic sizes, or of a scatter, sort or loop, is no task: bind sizes with
    ``shapes``.

    options: see `compile`.

    Errors: see `compile`.
    """
    return _tasks(request_for(ModelSource(model), **options))


def tasks_of_tensors(
    tensors: Tensor | Sequence[Tensor], target: TargetText | Target | None = None
) -> list[Task]:
    """Return the different kernels of tensor expressions as tasks.

    target: see `build`.

    Errors: see `build`.
    """
    module, start = describe_tensors(tensors, None, "main")
    return _tasks(request_for(OwnModule(module, start=start), target=target))


def _tasks(request: Request) -> list[Task]:
    # The schedules are those of the plan, also if records have tuned ones.
    own = replace(request.with_settings(schedules=()), cache=None)
    parts = lowered_from(own, "sched").parts
    tasks: dict[str, Task] = {}
    for part in parts:
        for task in _tasks_of(part.module, str(part.target or request.settings.target)):
            tasks.setdefault(task.digest, task)
    return sorted(tasks.values(), key=lambda task: -task.calls * max(task.flops, task.moved_bytes))


def _tasks_of(module: ModuleOp, target: str) -> list[Task]:
    names = [op.kernel_name for op in module.walk() if isinstance(op, CallOp)]
    plans, costs, moved = schedule_texts(module), recorded_costs(module), call_bytes(module)
    nodes, weights = nodes_of_kernels(entry_of(module)), _weights_bytes(module)
    calls: dict[str, int] = {}
    digests = {k.label: kernel_digest(k) for k in kernels_of(module) if _has_space(k)}
    for name in names:
        if name in digests:
            calls[digests[name]] = calls.get(digests[name], 0) + 1
    return [
        Task(
            kernel.label,
            digests[kernel.label],
            str(ModuleOp([kernel.clone()])),
            _without_comments(plans[kernel.label + SUFFIX]),
            target,
            calls=calls[digests[kernel.label]],
            flops=costs.get(kernel.label, Cost(0, ())).flops,
            moved_bytes=moved.get(kernel.label, 0),
            rotated_bytes=weights,
            nodes=nodes.get(kernel.label, ()),
            extents=_largest_extents(kernel),
        )
        for kernel in kernels_of(module)
        if kernel.label + SUFFIX in plans and digests.get(kernel.label) in calls
    ]


def _has_space(kernel: KernelOp) -> bool:
    """Return whether a kernel can be tuned: it has static sizes, and no te ops but computes."""
    ops = [op for op in kernel.body.walk() if isinstance(op, TensorOp)]
    return not kernel.sizes and all(isinstance(op, ComputeOp) for op in ops)


def _largest_extents(kernel: KernelOp) -> tuple[int, ...]:
    """Return the sizes of the axes of the compute with the most iterations."""
    computes = (op.view() for op in kernel.body.walk() if isinstance(op, ComputeOp))
    return max((tuple(view.extents.values()) for view in computes), key=prod, default=())


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("//"))


def _weights_bytes(module: ModuleOp) -> int:
    sizes: dict[object, int] = {}
    for op in module.walk():
        if isinstance(op, ConstantOp):
            sizes[op.value] = prod(op.res.type.get_shape()) * element_bytes(op.res.type)
    return sum(sizes.values())
