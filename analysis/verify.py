"""The complete verifier of a module: ops, strict checks, entry, positions, parallel loops."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ..dialects.functions import verify_attributes
from ..support.entry import verify_entry
from ..support.verify import strict_verify
from .independence import verify_independence
from .positions import verify_positions


def verify_module(module: ModuleOp) -> None:
    """Run the verifiers of all ops, and the checks that span several ops.

    Errors: VerifyException, such as InvalidIR, OutsideBuffer and DependentIterations.
    """
    module.verify()
    verify_entry(module)
    verify_attributes(module)
    strict_verify(module)
    verify_positions(module)
    verify_independence(module)


__all__ = ["verify_module"]
