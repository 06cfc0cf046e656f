"""The function of graph ops that a trace builds, and the lines of source that its ops come from.

In: the user's Python function, which computes with `array.Array`.  Out: a block of graph ops.
A trace inside another one reads the values of the outer trace through additional arguments.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import PurePath
from types import FrameType
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects.graph import ConstantOp, YieldOp
from ..dialects.weights import WeightAttr
from ..support.blocks import copy_ops
from ..support.diagnostics import TilewrightError, TypeMismatch
from ..support.locations import name_location

_PACKAGE = __name__.partition(".")[0]


class Trace:
    """A block under construction, to which a running Python function appends graph ops.

    types: the types of the block's arguments.
    outer: the enclosing trace, whose Python function has started this one; None for the outermost.
    captured: for each value of an enclosing trace that this trace reads, the additional argument
    that stands for it.
    functions: the functions that calls name, if this is the outermost trace.
    is_region: whether the block becomes a region of an op of the enclosing trace, such as a branch
    of graph.if, which reads the values of the blocks around it without arguments.
    """

    def __init__(
        self, types: Sequence[Attribute], outer: Trace | None, *, is_region: bool = False
    ) -> None:
        self.block, self.outer, self.is_region = Block(arg_types=types), outer, is_region
        self.captured: dict[SSAValue, SSAValue] = {}
        self.functions: dict[str, FuncOp] = {}
        self._data_symbols = count()
        self._constants: dict[tuple[str, tuple[int, ...], bytes], SSAValue] = {}

    @property
    def root(self) -> Trace:
        """The outermost trace, whose ``functions`` are those that calls name."""
        return self if self.outer is None else self.outer.root

    def data_symbol(self) -> str:
        """Return a new name for a size that depends on data."""
        return f"u{next(self.root._data_symbols)}"

    @contextmanager
    def running(self) -> Generator[None]:
        """Make this trace the current one within a ``with`` block."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)

    def local(self, value: SSAValue) -> SSAValue:
        """Return the value of this block that stands for a value of this or of an enclosing trace.

        Errors: TypeMismatch for a value of a trace that has ended.
        """
        if _block_of(value) is self.block:
            return value
        if self.is_region and self.outer is not None:
            return self.outer.local(value)
        if value not in self.captured:
            if not self._encloses(value):
                raise TypeMismatch(
                    "an array is used outside of the function that computed it",
                    got=f"an array of type {value.type}",
                    hint="return the array from the function",
                ).named(user_line())
            self.captured[value] = self.block.insert_arg(value.type, len(self.block.args))
        return self.captured[value]

    def _encloses(self, value: SSAValue) -> bool:
        trace = self.outer
        while trace is not None and trace.block is not _block_of(value):
            trace = trace.outer
        return trace is not None

    def constant(self, array: np.ndarray[Any, Any]) -> SSAValue:
        """Append an array as a constant; return its value, which equal small arrays share."""
        if array.nbytes > _LARGE:
            return self.append(ConstantOp, WeightAttr.of(array))[0]
        key = array.dtype.str, array.shape, array.tobytes()
        if key not in self._constants:
            self._constants[key] = self.append(ConstantOp, WeightAttr.of(array))[0]
        return self._constants[key]

    def append(
        self, op_class: Callable[..., Operation], *arguments: Any, **named: Any
    ) -> Sequence[SSAValue]:
        """Append a graph op whose location is the user's line; return its results.

        arguments, named: the arguments of the op's class.

        Errors: TypeMismatch for operands that do not fit; the message names the user's line.
        """
        line = user_line()
        try:
            op = op_class(*arguments, **named)
        except TilewrightError as err:
            name = getattr(op_class, "name", "an op")
            raise err.placed(f"{name} at {line}" if line else name) from err.__cause__
        if line:
            op.location = name_location(line)
        self.block.add_op(op)
        return op.results

    def function(self, results: Sequence[SSAValue], name: str = "main") -> FuncOp:
        """End the block with a func.return of the results; return the block as a function.

        name: the symbol of the function.
        """
        self.block.add_op(ReturnOp(*results))
        types = self.block.arg_types, [value.type for value in results]
        return FuncOp(name, types, Region(self.block))

    def region(self, results: Sequence[SSAValue]) -> Region:
        """End the block with a graph.yield of the results; return the block as a region."""
        self.block.add_op(YieldOp(results))
        return Region(self.block)

    def inline(self, function: FuncOp, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """Append copies of the ops of a function; return the copies of the values that it returns.

        arguments: the values that replace the arguments of the function.
        """
        block = function.body.block
        known: dict[SSAValue, SSAValue] = {}
        known.update(zip(block.args, map(self.local, arguments), strict=True))
        return copy_ops(block, known, self.block.add_op)


_LARGE = 1024
"""The bytes of a constant that is compared with earlier ones."""

_CURRENT: ContextVar[Trace | None] = ContextVar("tilewright.trace", default=None)


def current_trace() -> Trace | None:
    """Return the trace whose Python function is running, or None."""
    return _CURRENT.get()


def traced_by(what: str) -> Trace:
    """Return the current trace, to which ops are appended.

    what: the operation that needs a trace, for the error message.
    Errors: TypeMismatch outside of a traced function.
    """
    trace = _CURRENT.get()
    if trace is None:
        raise TypeMismatch(
            f"{what} has a meaning only inside of a traced function",
            hint="decorate the function with @tilewright.function",
        )
    return trace


def user_line() -> str:
    """Return the file and line of the innermost frame outside of this package: ``train.py:12``."""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module != _PACKAGE and not module.startswith(f"{_PACKAGE}."):
            return f"{PurePath(frame.f_code.co_filename).name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _block_of(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent_block()
