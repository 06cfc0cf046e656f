"""Errors that users can cause. All have the same parts: place, rule, expected, got, hint.

TilewrightError      a `runtime.errors.Error` with a place: an op, a part of an op, or a file
├── TypeMismatch     operands or results of an op violate its type rule
├── UnsupportedOp    a model contains something that cannot be imported or lowered
│   ├── NeedsBinding     the model needs more sizes, or values of inputs, to be known
│   └── NoGradient       a function contains an op that cannot be differentiated
├── ModelError       a model file or its contents are malformed
├── ScheduleError    a schedule step is illegal; the hint describes a legal step
├── LoweringError    a scheduled program cannot be lowered to code
└── TargetError      a target string contains an unknown name

Every part of a message is an attribute of the error, which tools can read and tests can compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from xdsl.utils.exceptions import VerifyException

from ..runtime.errors import Error
from .size_names import shown_size

if TYPE_CHECKING:
    from xdsl.ir import Operation


class TilewrightError(Error, VerifyException):
    """An error in a program, a setting or a file; its message begins with the place."""

    def __init__(
        self,
        rule: str,
        *,
        expected: object = None,
        got: object = None,
        hint: str = "",
        where: str = "",
    ) -> None:
        self.where, self.file = where, ""
        self.op: Operation | None = None
        super().__init__(rule, expected=expected, got=got, hint=hint)

    def _text(self) -> str:
        return shown_size(super()._text())

    def _title(self) -> str:
        return ": ".join(filter(None, (self.file, self.where, self.rule)))

    def named(self, where: str) -> Self:
        """Set the place of the error if the error has no place yet; return the error.

        where: the place, such as an op or a file.
        """
        return self if self.where else self.placed(where)

    def placed(self, where: str) -> Self:
        """Set the place of the error, also if the error has a place already; return the error.

        where: the place, such as an op or a file.
        """
        self.where = where
        self.args = (self._text(),)
        return self

    def advised(self, hint: str) -> Self:
        """Set the hint of the error if the error has no hint yet; return the error."""
        if not self.hint:
            self.hint = hint
            self.args = (self._text(),)
        return self

    def in_file(self, file: str) -> Self:
        """Set the name of the file that contains the error; return the error."""
        self.file = file
        self.args = (self._text(),)
        return self

    def at(self, op: Operation) -> Self:
        """Set the place of the error to an op if the error has no place yet; return the error.

        The message gives the mnemonic and the source location of the op.
        """
        self.op = self.op or op
        return self.named(describe(op))


class TypeMismatch(TilewrightError):
    """The error for operands or results of an op that violate the op's type rule."""


class UnequalSizes(TypeMismatch):
    """The error for sizes that must be equal but differ as expressions.

    sizes: pairs of sizes (Dim).  broadcasts: whether the sizes of a pair may differ if one of them
    is 1.
    """

    def __init__(
        self,
        rule: str,
        *,
        sizes: Iterable[tuple[Any, Any]],
        broadcasts: bool = False,
        **parts: Any,
    ) -> None:
        super().__init__(rule, **parts)
        self.broadcasts = broadcasts
        self.sizes = [(lhs, rhs) for lhs, rhs in sizes if lhs != rhs]


@dataclass(frozen=True)
class RefusedNode:
    """A node of a model that cannot be imported.

    name: the name of the node.  op_type, domain, opset: its operator.  reason: why it cannot be
    imported. has_converter: whether there is a converter for the operator, which rejected this
    node.
    """

    name: str
    op_type: str
    domain: str
    opset: int
    reason: str
    has_converter: bool = True

    def __str__(self) -> str:
        domain = self.domain or "ai.onnx"
        return f"{self.name!r}: {self.op_type} ({domain}, opset {self.opset}): {self.reason}"


class UnsupportedOp(TilewrightError):
    """The error for a part of a model that cannot be imported or lowered.

    nodes: the nodes that the message lists.
    """

    nodes: tuple[RefusedNode, ...] = ()


class NeedsBinding(UnsupportedOp):
    """The error for a model that can be compiled only after more sizes or inputs are bound.

    inputs: the names of the inputs whose values are needed; empty if sizes are enough.
    """

    inputs: tuple[str, ...] = ()


class NoGradient(UnsupportedOp):
    """The error for a function with an op that cannot be differentiated."""


class ModelError(TilewrightError):
    """The error for a malformed model file, or for malformed contents of a model."""


class IndexOutside(TilewrightError):
    """The error for an element of an index tensor that is out of bounds of the indexed axis."""


class ScheduleError(TilewrightError):
    """The error for an illegal schedule step; the hint describes a legal step."""


class SymbolicStep(ScheduleError):
    """The error for a schedule step that needs an integer where a size is symbolic."""


class PlanWarning(UserWarning):
    """The warning that planning a kernel failed; the kernel gets an empty schedule and is slow."""


class LoweringError(TilewrightError):
    """The error for a scheduled program that cannot be lowered to code."""


class SymbolicSize(LoweringError):
    """The error for a transformation that needs an integer where a size is symbolic."""


class WrongStage(TilewrightError):
    """The error of a validation: a stage or pass has made an invalid program or wrong values."""


class TargetError(TilewrightError):
    """The error for a target string that contains an unknown name, or for an unusable target."""


def describe(op: Operation) -> str:
    """Return ``mnemonic at loc("name")``, or the mnemonic alone if the location is unknown."""
    location = getattr(op, "location", None)
    text = "" if location is None else str(location)
    return op.name if not text or "unknown" in text else f"{op.name} at {text}"
