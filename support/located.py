"""Source locations of ops in parsed IR, for errors: file, line, column, and the line."""

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
class SourcePosition:
    """The position of an op in the source text.

    line, column: counted from 1.  excerpt: the text of the line.
    """

    file: str
    line: int
    column: int
    excerpt: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class LocatedParser(IrParser):
    """A parser that records the position at which each op starts.

    first_line: the number of lines in the file before the text, if the text is a part of the file.
    """

    def __init__(self, ctx: Context, text: str | bytes, name: str, first_line: int = 0) -> None:
        super().__init__(ctx, text, name)
        self._first_line = first_line
        self._starts: dict[Operation, int] = {}

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        op = super().parse_operation()
        self._starts[op] = start
        return op

    def places(self) -> Mapping[Operation, Callable[[], SourcePosition]]:
        """Return for each op a function that computes its position in the source text.

        Only errors need positions, so they are computed on demand.
        """
        return {op: lambda start=start: self._place(start) for op, start in self._starts.items()}

    def _place(self, start: int) -> SourcePosition:
        source = self.lexer.input
        line = source.content.count("\n", 0, start)
        column = start - source.get_start_of_line(start)
        shown = source.content.split("\n")[line]
        return SourcePosition(source.name, self._first_line + line + 1, column + 1, shown)


@contextmanager
def malformed_text() -> Generator[None]:
    """Convert a ParseError into a ModelError with the position, the rule, and the line as a note.

    Errors: ModelError for a syntax error.
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
    places: Mapping[Operation, Callable[[], SourcePosition]],
) -> None:
    """Run a verifier on a module, and add to its errors the position of the op in the source text.

    places: the position of each parsed op; see `LocatedParser.places`.
    Errors: the error of the verifier, with the position before the message and the line as a note.
    """
    try:
        verify(module)
    except VerifyException as err:
        op = err.op if isinstance(err, TilewrightError) else None
        locate(err, op or _failing_op(module), places)
        raise


def locate(
    err: VerifyException,
    op: Operation | None,
    places: Mapping[Operation, Callable[[], SourcePosition]],
) -> None:
    """Set the position of an error: that of its op, or else of the nearest enclosing op.

    op: the op that the error is about; None if unknown.  places: the position of each parsed op;
    see `LocatedParser.places`.
    """
    while op is not None and op not in places:
        op = op.parent_op()
    if op is not None and not (isinstance(err, TilewrightError) and err.file):
        _set_place(err, places[op]())


def _failing_op(module: ModuleOp) -> Operation | None:
    """Return the first op whose own verifier fails; inner ops are checked before outer ops."""
    for op in module.walk(reverse=True, region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException:
            return op
    return None


def _set_place(err: VerifyException, place: SourcePosition) -> None:
    if isinstance(err, TilewrightError):
        err.in_file(str(place))
    else:
        err.args = (f"{place}: {err}",)
    err.__notes__ = [f"{place.excerpt}\n{' ' * (place.column - 1)}^^^"]
