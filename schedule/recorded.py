"""Snapshot the steps of a schedule, to apply them to programs of its tensors at any sizes.

This works because steps refer to stages and loops by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects.te import TensorOp, kernels_of
from ..frontend.te.program import Signature, defining_ops, make_program, signature_of
from ..frontend.te.tensor import Tensor
from ..passes.te.outline import outline_runs
from ..support.diagnostics import ScheduleError


@dataclass(frozen=True)
class RecordedSchedule:
    """Copies of the scripts of all kernels, after copies of the intrinsics that they use.

    outputs: the scheduled tensors.  results: for each kernel, the names of the computes that it
    returns.
    """

    outputs: Sequence[Tensor]
    results: Mapping[str, Sequence[str]]
    ops: Sequence[Operation]

    def program(self, args: Sequence[Tensor] | None, name: str) -> ModuleOp:
        """Return main, the kernels and their scripts, for the current sizes.

        args: the arguments of the program; see ``build``.
        Errors: TypeMismatch for args that do not fit; ScheduleError if the computes form other
        kernels at these sizes.
        """
        program, _, _ = formed(signature_of(self.outputs, args), name)
        found = results_of(program)
        if found != self.results:
            raise ScheduleError(
                "the program has other kernels than the schedule was created for",
                expected="; ".join(f"{k} of {', '.join(v)}" for k, v in self.results.items()),
                got="; ".join(f"{k} of {', '.join(v)}" for k, v in found.items()),
                hint="describe the same computes for all sizes",
            )
        for op in self.ops:
            program.body.block.add_op(op.clone())
        return program


def formed(signature: Signature, name: str) -> tuple[ModuleOp, dict[Operation, str], set[str]]:
    """Return the program with its kernels, the names of its computes, and position computes.

    The position computes (by name) yield the positions that are checked before the others run.
    """
    program = make_program(signature, name, scheduled=True)
    (main,) = (op for op in program.ops if isinstance(op, FuncOp))
    made = [op for op in main.body.block.ops if isinstance(op, TensorOp)]
    sources = [op for op in defining_ops(signature.outputs) if isinstance(op, TensorOp)]
    outline_runs(program)
    count = len(made) - len(sources)
    labels: dict[Operation, str] = {
        source: op.label for source, op in zip(sources, made[count:], strict=True)
    }
    return program, labels, {op.label for op in made[:count]}


def results_of(program: ModuleOp) -> dict[str, list[str]]:
    """Return the names of the computes that each kernel in value form returns."""
    out: dict[str, list[str]] = {}
    for kernel in kernels_of(program):
        end = kernel.body.block.last_op
        assert end is not None, "a kernel ends with te.return"
        out[kernel.label] = [str(getattr(v.owner, "label", "")) for v in end.operands]
    return out
