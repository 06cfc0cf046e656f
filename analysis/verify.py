"""All that must hold of a module: its ops, the strict checks, its entry, positions in its loops."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ..support.entry import verify_entry
from ..support.verify import strict_verify
from .positions import verify_positions


def verify_module(module: ModuleOp) -> None:
    """Run the verifiers of all ops, and the checks that look at more than one op.

    Errors: VerifyException, of which InvalidIR and OutsideBuffer are some.
    """
    module.verify()
    verify_entry(module)
    strict_verify(module)
    verify_positions(module)


__all__ = ["verify_module"]
