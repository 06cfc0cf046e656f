"""The complete verifier of a module: ops, attributes, entry, positions, loops, printed IR."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from ..dialects.functions import verify_attributes
from ..support.diagnostics import TilewrightError
from ..support.entry import verify_entry
from ..support.ir_parser import IrParser
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


def parse_back(module: ModuleOp, text: str, ctx: Context) -> ModuleOp:
    """Parse the printed IR of a module, and return the parsed module.

    Errors: TilewrightError if parsing fails, or gives another module.
    """
    try:
        copy = IrParser(ctx, text).parse_module()
    except (ParseError, VerifyException) as err:
        raise TilewrightError("the printed module does not parse back", got=str(err)) from err
    if not module.is_structurally_equivalent(copy):
        raise TilewrightError(
            "the printed module parses back differently", got=_first_difference(text, str(copy))
        )
    return copy


def _first_difference(text: str, again: str) -> str:
    for old, new in zip(text.splitlines(), again.splitlines(), strict=False):
        if old != new:
            return f"{new.strip()} for {old.strip()}"
    return "something that is not printed"


__all__ = ["parse_back", "verify_module"]
