"""External backends: libraries and other compilers that compute parts of a model.

In: a part of a model, as a module of graph ops. Out: the name of a packed function that computes
the part: it takes the inputs of the part's main function, then the outputs, which it fills. The
main program of the model calls this function like any other, so a function in C runs without
Python, and an exported model finds it by its name in the process that loads the model.

    class Vendor(ExternalBackend):
        kind = "vendor"
        patterns = [("conv_relu", op(MaxOp, op(ConvOp), constant(0)))]

        def function(self, module):
            return "vendor.conv_relu"

    compile(model, placement="vendor", extensions=[Extension(backends=[Vendor()])])
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..machines.target import Target
from ..passes.graph.op_patterns import Pattern
from ..support.diagnostics import TargetError
from .backend import Backend
from .stages import PipelineStage


class ExternalBackend(Backend):
    """The base class of backends that compute parts of a model by functions of their own.

    The driver passes each part as graph ops, because no lowering follows.  patterns: names and
    patterns of several ops that the backend computes as one part; an earlier pattern has
    precedence.
    """

    stages = (PipelineStage("optimize-graph", "graph", ()),)
    levels = {"graph": ("builtin", "func", "graph")}
    emitter = ""
    patterns: ClassVar[Sequence[tuple[str, Pattern]]] = ()

    def supports(self, op: Operation) -> bool:
        """Return whether the backend computes an op that matches no pattern; by default not."""
        return False

    def takes(self, module: ModuleOp) -> bool:
        """Return whether the backend computes a part of a model, such as one that is large enough.

        By default it does.  Otherwise the ops of the part stay in the program of main.
        """
        return True

    @abstractmethod
    def function(self, module: ModuleOp) -> str:
        """Return the name of the registered function that computes a part of a model.

        module: the ops of the part, in a main function.  This function has the attribute
        ``tw.pattern`` if the ops match a pattern.  Constants of the part are ops in it.
        """

    def check_host(self, target: Target) -> None:
        """Accept every machine: the backend's functions are looked up when a program is loaded."""

    def check_module(self, target: Target) -> None:
        """Raise an error: this backend computes parts of models, and makes no modules.

        Errors: TargetError.
        """
        raise TargetError(
            "the backend computes parts of models only",
            expected="the target of a main program",
            got=str(target),
            hint=f'placement="{self.kind}" gives ops of a model to it',
        )
