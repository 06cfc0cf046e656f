"""A dialect and two passes for the tests of ``tw-opt --load``."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.passes import ModulePass

from tilewright.dialects.graph import NegOp
from tilewright.support.diagnostics import TilewrightError


@irdl_op_definition
class NothingOp(IRDLOperation):
    """An op that does nothing."""

    name = "demo.nothing"
    assembly_format = "attr-dict"


@dataclass(frozen=True)
class Rename(ModulePass):
    """A pass that appends text to the names of functions."""

    name = "demo-rename"
    suffix: str = "_renamed"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, FuncOp):
                inner.sym_name = StringAttr(inner.sym_name.data + self.suffix)


class Negate(ModulePass):
    """A pass that negates the results of the program."""

    name = "demo-negate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for last in [inner for inner in op.walk() if isinstance(inner, ReturnOp)]:
            block = last.parent_block()
            assert block is not None
            made = NegOp(last.operands[0])
            block.insert_op_before(made, last)
            last.operands[0] = made.results[0]


class Refuse(ModulePass):
    """A pass that fails on every function."""

    name = "demo-refuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, FuncOp):
                raise TilewrightError("functions are refused", hint="delete it").at(inner)


DIALECTS = [Dialect("demo", [NothingOp])]
PASSES = [Rename, Negate, Refuse]
