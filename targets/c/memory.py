"""The memory of a C program: the bytes of its intermediate results, and their limit.

In: main with planned buffers.  Out: the bytes that the static arena needs, or an error that names
the tensors that do not fit into ``-max-ram``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.dialects.func import FuncOp

from ...dialects.dtypes import buffer_bytes
from ...dialects.functions import ARENA_BYTES, recorded_bytes
from ...dialects.packed import AllocOp, CallOp, host_ops
from ...lowering.loop_to_llvm import KernelInfo
from ...machines.target import Target
from ...passes.packed.plan_memory import live_ranges
from ...support.diagnostics import TargetError
from ...support.locations import node_names

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


def ram_limit(target: Target) -> int | None:
    """Return the bytes of intermediate results that ``-max-ram`` allows; None without it."""
    found = re.fullmatch(r"(\d+)([KM]?)", target.option("max-ram"))
    return None if found is None else int(found[1]) * _UNITS[found[2]]


def used_bytes(main: FuncOp, infos: Mapping[str, KernelInfo]) -> int:
    """Return the bytes of the arena (the memory of intermediate results) that a program uses.

    main: the main function, with planned buffers.  infos: the facts about each kernel, by name; a
    kernel may need a workspace in the arena.
    """
    ends = [0]
    for op in host_ops(main.body.block):
        if isinstance(op, AllocOp) and op.offset is not None:
            ends.append(op.offset.value.data + buffer_bytes(op.res.type))
        own = infos[op.kernel_name].workspace_bytes if isinstance(op, CallOp) else 0
        if isinstance(op, CallOp) and own:
            # A call without a place in the plan has its workspace behind the planned buffers.
            planned = recorded_bytes(main, ARENA_BYTES)
            ends.append((planned if op.workspace is None else op.workspace.value.data) + own)
    return max(ends)


def check_ram(
    main: FuncOp, infos: Mapping[str, KernelInfo], arena_bytes: int, target: Target
) -> None:
    """Check that the arena of a program is not larger than ``-max-ram`` allows.

    main: the main function, with planned buffers.  infos: the facts about each kernel, by name.
    arena_bytes: the size of the arena.

    Errors: TargetError, which names the step of main with the most bytes, and its tensors.
    """
    limit = ram_limit(target)
    if limit is None or arena_bytes <= limit:
        return
    ops = list(host_ops(main.body.block))
    lives = live_ranges(main)
    sizes = [0] * len(ops)
    for op, (first, last) in lives.items():
        for position in range(first, last + 1):
            sizes[position] += buffer_bytes(op.res.type)
    for position, op in enumerate(ops):
        if isinstance(op, CallOp):
            sizes[position] += infos[op.kernel_name].workspace_bytes
    worst = max(range(len(ops)), key=sizes.__getitem__)
    op = ops[worst]
    live = [alloc for alloc, (first, last) in lives.items() if first <= worst <= last]
    tensors = [f"{_name(alloc)} ({buffer_bytes(alloc.res.type)})" for alloc in live]
    own = infos[op.kernel_name].workspace_bytes if isinstance(op, CallOp) else 0
    tensors += [f"buffers of the step ({own})"] if own else []
    step = op.kernel_name if isinstance(op, CallOp) else op.name
    raise TargetError(
        "the intermediate results do not fit into the memory of the target",
        expected=f"at most {limit} bytes (-max-ram={target.option('max-ram')})",
        got=f"{arena_bytes} bytes; most at the step {step} of {', '.join(node_names(op.location))}"
        f", with {', '.join(tensors)}",
        hint="quantize the model to int8 (tw quantize), or give it smaller inputs",
    )


def _name(op: AllocOp) -> str:
    return op.res.name_hint or "_".join(node_names(op.location)) or "a buffer"
