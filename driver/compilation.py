"""Compile a request, or find its result in the cache of models.

    Request ─ find ──────────────────────────────────────────────> Artifact ─ load ─> CompiledModule
            └ imported ─> Lowered ─ lower ─> Lowered ─ emit ─ keep ┘

If the compilation of a model needs sizes or values that the request does not bind, the result is
the signature of the model (`ModelSignature`) in place of an artifact.  A cached model is loaded
without the compiler, so the compiler is imported late.
"""

from __future__ import annotations

from dataclasses import replace

from ..targets.backend import Artifact, Variant
from .request import OwnModule, Request
from .store import ModelSignature, Stored, find


def artifact_of(request: Request) -> Stored:
    """Return the artifact of a request, from the cache or newly compiled.

    If the compilation needs sizes or values that the request does not bind, return the signature of
    its model instead.

    Errors: see `compile`; NeedsBinding in place of the signature if `Request.is_fully_bound`.
    """
    if request.cache is not None and not isinstance(request.source, OwnModule):
        with request.watch.stage("look-up"):
            found = find(request)
        if found is not None and not (request.is_fully_bound and isinstance(found, ModelSignature)):
            return found
    from .artifact import make  # imports the compiler

    return make(request)


def variant_of(request: Request, variant: Variant) -> Artifact:
    """Compile a request again as another variant of its program, such as one that records times.

    Errors: TargetError for a target without such a variant; see `compile`.
    """
    # Line tables belong to one export; caching them would store another copy of the model.
    cache = None if variant.lines is not None else request.cache
    made = artifact_of(replace(request.with_settings(variant=variant), cache=cache))
    assert isinstance(made, Artifact), "the plain program has an artifact"
    return made
