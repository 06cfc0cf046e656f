"""Schedules and intrinsics of kernels in their module, for the plans of all backends.

In: a module of kernels in buffer form, and functions that make scripts and intrinsics.  Out: the
module with a sched.script for each kernel, and the te.intrinsic ops that the scripts use.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from ...dialects.sched import ScriptOp
from ...dialects.te import IntrinsicOp, KernelOp, find_intrinsic, kernels_of
from ...machines.target import Target
from ...support.registry import new_context


def write_schedules(
    module: ModuleOp, plan: Callable[[KernelOp], ScriptOp], make: Callable[[str], IntrinsicOp]
) -> None:
    """Add a schedule to each kernel of a module that has none.

    plan: returns the schedule of a kernel.  make: returns the intrinsic of a name.
    """
    scripted = {op.kernel_name for op in module.ops if isinstance(op, ScriptOp)}
    for kernel in kernels_of(module):
        if kernel.label not in scripted:
            script = plan(kernel)
            module.body.block.insert_op_after(script, kernel)
            add_intrinsics(module, script, make)


def add_intrinsics(module: ModuleOp, script: ScriptOp, make: Callable[[str], IntrinsicOp]) -> None:
    """Add the intrinsics that a script uses to its module, except those already in the module.

    make: returns the intrinsic of a name.
    """
    for name in script.intrinsics:
        if find_intrinsic(module, name) is None:
            first = module.body.block.first_op
            assert first is not None, "the module holds the script"
            module.body.block.insert_op_before(make(name), first)


def parsed_intrinsic(text: str, name: str) -> IntrinsicOp:
    """Return a detached intrinsic op from its source (IR text), in which it has this name."""
    (op,) = Parser(new_context(), text, name).parse_module().ops
    op.detach()
    assert isinstance(op, IntrinsicOp), name
    return op


def has_features(target: Target, intrinsic: IntrinsicOp) -> bool:
    """Return whether a target has all features that an intrinsic needs."""
    return all(target.has(feature.data) for feature in intrinsic.features)
