"""Descriptions: the tensors that are built, and the te program of these for the current sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeGuard, cast

from xdsl.dialects.builtin import ModuleOp

from ..dialects.sched import ScriptOp
from ..frontend.te.binding import current_binding
from ..frontend.te.program import Signature, make_program, release, signature_of
from ..frontend.te.tensor import Tensor
from ..schedule.recorded import RecordedSchedule
from ..support.diagnostics import TypeMismatch
from ..support.target import Target

FORM_KERNELS, PLAN_KERNELS = "form-kernels", "plan-kernels"


class Scheduled(Protocol):
    """The result of te.create_schedule: tensors whose kernels have scripts."""

    target: Target
    outputs: tuple[Tensor, ...]

    @property
    def scripts(self) -> Sequence[ScriptOp]:
        """The scripts of all kernels that have steps."""
        ...

    def recorded(self, args: Sequence[Tensor] | None) -> RecordedSchedule:
        """Return a snapshot of its steps, for a program with these arguments."""
        ...


@dataclass(frozen=True)
class Description:
    """The input of a build: tensors, and the schedule of their kernels unless they are planned."""

    signature: Signature
    schedule: RecordedSchedule | None
    name: str

    def program(self) -> tuple[ModuleOp, str]:
        """Return the program for the current sizes, and its first stage.

        If a size is 0, computes of the schedule may be missing; then all kernels are planned.
        """
        signature = signature_of(self.signature.outputs, self.signature.arguments)
        binding = current_binding()
        if self.schedule is None or (binding is not None and binding.vanished):
            made = make_program(signature, self.name), FORM_KERNELS
        else:
            made = self.schedule.program(signature.arguments, self.name), PLAN_KERNELS
        if binding is not None:
            release(binding)
        return made


def describe_tensors(
    what: Tensor | Sequence[Tensor] | Scheduled, args: Sequence[Tensor] | None, name: str
) -> Description:
    """Return what is built.

    Errors: TypeMismatch for args that do not fit the tensors.
    """
    schedule = what if is_scheduled(what) else None
    outputs = _outputs(what if schedule is None else schedule.outputs)
    is_planned = schedule is None or not schedule.scripts
    if args is None and is_planned and any(t.op.ir is None for t in outputs):
        args = outputs
    recorded = None if schedule is None or is_planned else schedule.recorded(args)
    return Description(signature_of(outputs, args), recorded, name)


def is_scheduled(what: object) -> TypeGuard[Scheduled]:
    """Return whether an object is a schedule."""
    return callable(getattr(what, "recorded", None))


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
