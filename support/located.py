"""Source locations for errors in parsed text: file, line, column and the line itself."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError, VerifyException

from .diagnostics import ModelError, TilewrightError
from .ir_parser import IrParser


@dataclass(frozen=True)
class Place:
    """The position of an op in a text. line, column: from 1."""

    file: str
    line: int
    column: int
    excerpt: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class LocatedParser(IrParser):
    """A parser that records where each op starts."""

    def __init__(self, ctx: Context, text: str | bytes, name: str, first_line: int = 0) -> None:
        super().__init__(ctx, text, name)
        self._first_line = first_line
        self._starts: dict[Operation, int] = {}

    def parse_operation(self) -> Operation:
        """Parse an op and record its place."""
        start = self._current_token.span.start
        op = super().parse_operation()
        self._starts[op] = start
        return op

    def places(self) -> Mapping[Operation, Callable[[], Place]]:
        """Return a function per op that computes its place; only errors need it."""
        return {op: lambda start=start: self._place(start) for op, start in self._starts.items()}

    def _place(self, start: int) -> Place:
        source = self.lexer.input
        content = source.content
        text = content.decode() if isinstance(content, bytes) else content
        before = content[:start]
        head = before.decode() if isinstance(before, bytes) else before
        line, column = head.count("\n"), len(head) - (head.rfind("\n") + 1)
        shown = text.split("\n")[line]
        return Place(source.name, self._first_line + line + 1, column + 1, shown)


@contextmanager
def malformed_text() -> Generator[None]:
    """Turn an error of the parser into a ModelError: the place, the rule, and the line as a note.

    Errors: ModelError.
    """
    try:
        yield
    except ParseError as err:
        place, *lines = err.span.print_with_context().splitlines()
        made = ModelError(err.msg.strip() or "the text is no module").in_file(place)
        made.add_note("\n".join(lines))
        raise made from err


def verify_located(
    module: ModuleOp,
    verify: Callable[[ModuleOp], None],
    places: Mapping[Operation, Callable[[], Place]],
) -> None:
    """Run a verifier; its errors give the op's place in the text if the op was parsed.

    Errors: the verifier's, with the place before the message and the line as a note.
    """
    try:
        verify(module)
    except VerifyException as err:
        op = err.op if isinstance(err, TilewrightError) else None
        locate(err, op or _failing_op(module), places)
        raise


def locate(
    err: VerifyException, op: Operation | None, places: Mapping[Operation, Callable[[], Place]]
) -> None:
    """Set an error's place to that of an op, or of the nearest enclosing op that was parsed."""
    while op is not None and op not in places:
        op = op.parent_op()
    if op is not None and not (isinstance(err, TilewrightError) and err.file):
        _set_place(err, places[op]())


def _failing_op(module: ModuleOp) -> Operation | None:
    """Return the first op that does not verify on its own, inner ones before outer ones."""
    for op in module.walk(reverse=True, region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException:
            return op
    return None


def _set_place(err: VerifyException, place: Place) -> None:
    if isinstance(err, TilewrightError):
        err.in_file(str(place))
    else:
        err.args = (f"{place}: {err}",)
    err.__notes__ = [f"{place.excerpt}\n{' ' * (place.column - 1)}^^^"]
