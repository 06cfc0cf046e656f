"""The complete verifier of a module: ops, entry, calls, positions, loops, printed IR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError, VerifyException

from ..dialects.functions import verify_attributes
from ..dialects.graph import DefinedOp, GraphOp
from ..dialects.te import IntrinsicOp
from ..dialects.weights import drop_recipes
from ..ir.difference import diff
from ..support.diagnostics import TilewrightError
from ..support.entry import verify_entry
from ..support.ir_parser import IrParser
from ..support.verify import strict_verify
from .bounds.independence import verify_independence
from .bounds.positions import verify_positions
from .calls import verify_calls


def verify_module(module: ModuleOp) -> None:
    """Run the verifiers of all ops, and the checks that span several ops.

    Errors: VerifyException, such as InvalidIR, OutsideBuffer and DependentIterations; ModelError
    for a call that does not fit its kernel.
    """
    module.verify()
    verify_entry(module)
    verify_calls(module)
    verify_attributes(module)
    strict_verify(module)
    verify_positions(module)
    verify_independence(module)


def check_level(module: ModuleOp, level: str, allowed: Sequence[str]) -> None:
    """Check that all ops of a module belong to the dialects of a level.

    level: its name.  allowed: the names of these dialects.  Level graph also allows graph ops that
    other packages define, and te ops in a graph.defined.  Every level allows a te.intrinsic in the
    module.

    Errors: TilewrightError that names an op.
    """
    for op in _walk(op for op in module.ops if not isinstance(op, IntrinsicOp)):
        if op.name.split(".")[0] not in allowed and not (
            level == "graph" and isinstance(op, GraphOp)
        ):
            raise TilewrightError(
                f"an op does not belong to level {level}",
                expected=f"dialects {', '.join(allowed)}",
                got=op.name,
            ).at(op)


def _walk(ops: Iterable[Operation]) -> Iterator[Operation]:
    """Yield some ops and the ops in their regions, but not those in a graph.defined."""
    for op in ops:
        yield op
        if not isinstance(op, DefinedOp):
            yield from _walk(o for region in op.regions for b in region.blocks for o in b.ops)


def parse_back(module: ModuleOp, text: str, ctx: Context) -> ModuleOp:
    """Parse the printed IR of a module, and return the parsed module.

    module: the module, to which the parsed one must be equal.  text: its printed IR.
    The weights of the parsed module have no recipes (the computations from which weights are made
    on demand), because the printed IR does not contain them.
    Errors: TilewrightError if parsing fails, or gives another module.
    """
    try:
        copy = IrParser(ctx, text).parse_module()
    except (ParseError, VerifyException) as err:
        raise TilewrightError("the printed module does not parse back", got=str(err)) from err
    printed = module.clone()
    drop_recipes(printed)
    if (found := diff(printed, copy)) is not None:
        raise TilewrightError("the printed module parses back differently", got=str(found))
    return copy
