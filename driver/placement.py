"""Placement: let some ops of a model run on another target than its main program.

    compile(model, target="opencl", placement={"softmax": "llvm", "decoder/*": "llvm"})
    compile(model, target="opencl", placement=lambda op: "llvm" if op.name == … else None)
    compile(model, placement="vendor", extensions=[Extension(backends=[Vendor()])])

With the text of a target alone, its backend chooses: the ops that match its patterns, and the ops
that it supports (`ExternalBackend`). The optimized graph is split (driver/partition.py). Each part
is compiled for its target, or an external backend names a function for it, and main calls that
packed function.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..support.diagnostics import TargetError
from ..targets.backend import Backend
from .backends import backend_of, target_of
from .extension import Extension
from .partition import Part
from .place_ops import Placement, PlaceOps
from .settings import Settings

if TYPE_CHECKING:
    from .module.compiled_module import CompiledModule


def with_placement(
    settings: Settings, placement: Placement, threads: int | None, *, cache: bool
) -> Settings:
    """Return settings with a pass that splits a model by a placement.

    Errors: TargetError if main cannot call programs of other targets, or for an unknown target.
    """
    from .compile_module import compile_module

    if not settings.backend.split_before:
        raise TargetError(
            "all ops of a model for this target run there",
            expected="the target of a device",
            got=str(settings.target),
            hint='compile for target="opencl" or "cuda", and place ops on "llvm"',
        )

    def backend_for(text: str) -> Backend:
        return backend_of(target_of(text, settings.extensions), settings.extensions)

    if not callable(placement):
        for place in [placement] if isinstance(placement, str) else placement.values():
            backend_for(place).check_host(target_of(place, settings.extensions))

    def compile_part(part: Part) -> CompiledModule:
        # The required passes belong to the pipeline of the device.
        with replace(settings.context, required_pass=(), instruments=()):
            return compile_module(
                part.module(),
                target=part.target,
                threads=threads,
                cache=cache,
                extensions=settings.extensions,
                strict_plan=settings.strict_plan,
                unchecked_indices=settings.unchecked_indices,
            )

    step = PlaceOps(placement, settings.target.kind, backend_for, compile_part, {}, {})
    added = Extension(passes={settings.backend.split_before: [step]})
    return replace(settings, extensions=(*settings.extensions, added), parts=step.parts)


__all__ = ["Placement", "PlaceOps", "with_placement"]
