"""Base classes of passes that do not change results, and errors of failing passes."""

from __future__ import annotations

import contextlib
import re
import traceback
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..runtime.errors import ArgumentError, Error
from ..runtime.spelling import nearest
from .diagnostics import TilewrightError
from .locations import node_names
from .tvm_names import TVM_PASSES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation


class ExactPass(ModulePass, ABC):
    """Base class of passes that do not change a bit of any result of the program.

    Validation compares the results before and after such a pass bitwise.
    """


class CheckPass(ExactPass, ABC):
    """Base class of passes that reject some programs and never change a program."""


@dataclass(frozen=True)
class NodeChoices:
    """The alternatives that a pass has for some equal nodes of a model.

    nodes: the names of the nodes.  choices: a word for each choice.
    """

    nodes: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True)
class ChoosingPass(ModulePass, ABC):
    """Base class of passes that choose among alternatives for single nodes of a model.

    choices: texts ``NODE=CHOICE``, which replace the pass's own choices for nodes of this name.
    """

    choices: tuple[str, ...] = ()

    @abstractmethod
    def words(self, op: Operation) -> tuple[str, ...]:
        """Return a word for each choice that the pass has for an op; empty without a choice."""

    def chosen(self, op: Operation) -> str:
        """Return the word that ``choices`` has for the node of an op; empty if it has none.

        Errors: ArgumentError if the pass has no such choice for this op.
        """
        node = _node(op) if self.choices else ""
        found = (text.rpartition("=") for text in self.choices)
        word = next((word for name, _, word in found if node and name == node), "")
        words = self.words(op) if word else ()
        if words and word not in words:
            raise ArgumentError(
                f"{self.name}: the node {node} has no such choice",
                expected=", ".join(words),
                got=word,
                hint="leave the node out of the option choices",
            )
        return word if words else ""

    def check_nodes(self, module: ModuleOp) -> None:
        """Check that ``choices`` names nodes of a module.

        The pass may have no choice for such a node, for example because of choices of other passes.

        Errors: ArgumentError for a name of no node.
        """
        if not self.choices:
            return
        nodes = {node for op in module.walk() if (node := _node(op))}
        for text in self.choices:
            node, found, _ = text.rpartition("=")
            if not found or node not in nodes:
                near = nearest(node, [*nodes])
                known = [_node(op) for op in module.walk() if _node(op) and self.words(op)]
                raise ArgumentError(
                    f"{self.name}: the option choices names no node of the model",
                    expected="NODE=CHOICE",
                    got=text,
                    hint=f"nodes with choices: {', '.join(near or known)}",
                )

    def alternatives(self, module: ModuleOp) -> list[NodeChoices]:
        """Return the alternatives for the nodes of a module on which the pass has not run.

        Nodes with operands and results of the same types are equal.
        """
        groups: dict[tuple[tuple[str, ...], object], list[str]] = {}
        for op in module.walk():
            node = _node(op)
            if node and (words := self.words(op)):
                types = op.name, *op.operand_types, *op.result_types
                groups.setdefault((words, types), []).append(node)
        return [NodeChoices(tuple(nodes), words) for (words, _), nodes in groups.items()]


def _node(op: Operation) -> str:
    """Return the name of the node that choices for an op use: the first name in its location."""
    return next(iter(node_names(op.location)), "")


USER_ERRORS = (Error, DiagnosticException, ParseError, OSError, MemoryError)
"""The exceptions that the input of users can cause; every other one is an internal error."""

_LEVEL_HINT = "if it is for another level, --to LEVEL runs the passes before it; "


def own_names(pipeline: str) -> str:
    """Return a textual pipeline with TVM's names of passes replaced by this compiler's."""
    names = "|".join(map(re.escape, TVM_PASSES))
    pattern = rf"(^|,)(\s*)({names})(?=\s*(?:[,{{]|$))"
    return re.sub(pattern, lambda found: found[1] + TVM_PASSES[found[3]], pipeline)


def pass_failure(name: str, error: BaseException) -> TilewrightError:
    """Return the error for a pass that has ended with a Python exception or an exit.

    name: the name of the pass.  error: the exception.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    return TilewrightError(
        "the pass fails on this program",
        got=f"{text}{place}",
        hint=f"{_LEVEL_HINT}--debug shows the traceback of a bug",
        where=name,
    )


@contextlib.contextmanager
def named_failures(name: str) -> Generator[None]:
    """Convert Python exceptions inside the block to errors that name a pass.

    Errors that the input of users can cause stay as they are.
    name: the name of the pass.
    """
    try:
        yield
    except USER_ERRORS:
        raise
    except (Exception, SystemExit) as err:
        raise pass_failure(name, err) from err


def shared_target(passes: Sequence[ModulePass]) -> tuple[str, list[ArgSpec]]:
    """Return the target that all passes with a ``target`` option have, and specs without it.

    If fewer than two passes have a target, or if targets differ, return "" and the complete specs.
    """
    specs = [step.pipeline_pass_spec() for step in passes]
    targets = [spec.parameters["target"] for spec in specs if "target" in spec.parameters]
    if len(targets) < 2 or len({*targets}) > 1:
        return "", specs
    (target,) = targets[0]
    bare = [
        ArgSpec(s.name, {n: v for n, v in s.parameters.items() if n != "target"}) for s in specs
    ]
    return str(target), bare
