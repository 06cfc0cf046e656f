"""Turn tensor expressions into a te program, and choose the stage where compilation starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeGuard, cast

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp
from ..frontend.te.program import make_program, signature_of
from ..frontend.te.tensor import Tensor
from ..machines.target import Target
from ..support.diagnostics import TypeMismatch

FORM_KERNELS, PLAN_KERNELS = "form-kernels", "plan-kernels"


class Scheduled(Protocol):
    """The result of te.create_schedule: tensors, and schedule scripts of their kernels."""

    target: Target
    outputs: tuple[Tensor, ...]

    @property
    def scripts(self) -> Sequence[ScriptOp]:
        """The schedule scripts of all kernels, without scripts that have no steps."""
        ...

    def program(self, args: Sequence[Tensor] | None, name: str) -> ModuleOp:
        """Return a module with main, the kernels and their scripts.

        args: the arguments of main.  name: the name of the program.
        """
        ...


def describe_tensors(
    what: Tensor | Sequence[Tensor] | Scheduled, args: Sequence[Tensor] | None, name: str
) -> tuple[ModuleOp, str]:
    """Return the te program of tensors, and the pipeline stage at which its compilation starts.

    The stage is form-kernels, or plan-kernels for a schedule that has steps, because a schedule
    already has kernels.

    what: tensors, or a schedule of tensors.  args, name: see `build`.

    Errors: TypeMismatch for args that do not fit the tensors.
    """
    schedule = what if is_scheduled(what) else None
    outputs = _outputs(what if schedule is None else schedule.outputs)
    if schedule is not None and schedule.scripts:
        return schedule.program(args, name), PLAN_KERNELS
    if args is None and any(t.op.ir is None for t in outputs):
        args = outputs
    return make_program(signature_of(outputs, args), name), FORM_KERNELS


def is_scheduled(what: object) -> TypeGuard[Scheduled]:
    """Return whether an object is a schedule instead of tensors."""
    return callable(getattr(what, "program", None))


def _outputs(tensors: object) -> list[Tensor]:
    """Return the tensors to build as a list.

    Errors: TypeMismatch for anything that is not a tensor.
    """
    is_list = isinstance(tensors, Sequence) and not isinstance(tensors, str)
    given = list(cast("Sequence[Tensor]", tensors)) if is_list else [cast(Tensor, tensors)]
    for tensor in given:
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeMismatch(
                "build takes te tensors",
                got=f"{tensor!r} of type {type(tensor).__name__}",
                hint="for an ONNX model there is tilewright.compile",
            )
    if not given:
        raise TypeMismatch("build takes te tensors", got="none")
    return given
