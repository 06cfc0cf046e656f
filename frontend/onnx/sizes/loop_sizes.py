"""Guess the sizes of the values that a loop carries, as functions of the iteration number.

    Concat(s: [1, 4], row: [1, 4])   starts with 1 row, adds 1 row: i.0 + 1 rows

In: the types of the initial values, and the types that the body computes for them.  Out: types
whose sizes contain the symbol of the iteration number.  The importer checks a guess: it converts
the body for these types, and the results must have the types of the next iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....dialects.shape import Call, Dim, Tensor, dims_of, tensor_type

Types = Sequence[Tensor]


def first_guess(inits: Types, following: Types, symbol: str) -> list[Tensor] | None:
    """Guess types of carried values whose sizes change in each iteration as in the first one.

    The sizes are functions of ``symbol``.  Return None if the rank or element type of a value
    changes.
    inits: the types before the first iteration.  following: the types after it.  symbol: the size
    symbol of the iteration number.
    """
    made: list[Tensor] = []
    for init, after in zip(inits, following, strict=True):
        if not _alike(init, after):
            return None
        pairs = zip(dims_of(init), dims_of(after), strict=True)
        made.append(tensor_type(init.element_type, [_first_size(*pair, symbol) for pair in pairs]))
    return made


def _first_size(init: Dim, after: Dim, symbol: str) -> Dim:
    """Guess a size that changes in each iteration by as much as in the first one.

    init, after: the size before and after the first iteration.  If ``after`` has the lower limit 0,
    the returned size has it, too.
    """
    call = after.terms[0][0][0] if len(after.terms) == 1 and after.terms[0][0] else None
    if isinstance(call, Call) and call.function == "max" and after == call.lhs.max(call.rhs):
        for side, other in ((call.lhs, call.rhs), (call.rhs, call.lhs)):
            if other.value == 0:
                return (init + Dim.sym(symbol) * (side - init)).max(0)
    return init + Dim.sym(symbol) * (after - init)


def next_guess(inits: Types, guess: Types, following: Types, symbol: str) -> list[Tensor] | None:
    """Return better types of the carried values than ``guess``; None if there are none.

    inits: the initial types.  following: the types that the body computes for values of the types
    ``guess``.  symbol: the size symbol of the iteration number.
    """
    made: list[Tensor] = []
    for init, before, after in zip(inits, guess, following, strict=True):
        if not _alike(before, after):
            return None
        rows = zip(dims_of(init), dims_of(before), dims_of(after), strict=True)
        made.append(tensor_type(init.element_type, [_size(*row, symbol) for row in rows]))
    return made if made != list(guess) else None


def of_next_iteration(dim: Dim, symbol: str) -> Dim:
    """Return a size in which the iteration number is increased by 1.

    symbol: the size symbol of the iteration number.
    """
    return dim.substitute({symbol: Dim.sym(symbol) + 1})


def _alike(one: Tensor, other: Tensor) -> bool:
    same_rank = one.get_num_dims() == other.get_num_dims()
    return same_rank and one.element_type == other.element_type


def _size(init: Dim, before: Dim, after: Dim, symbol: str) -> Dim:
    """Return an improved guess of a size.

    init: the size before the first iteration.  before: the previous guess.  after: the size that
    the body computes for a value of size ``before``.
    """
    if after == of_next_iteration(before, symbol):
        return before
    for size in _candidates(init, before, after, symbol):
        if size.substitute({symbol: 0}) == init and size != before:
            return size
    return before


def _candidates(init: Dim, before: Dim, after: Dim, symbol: str) -> Iterator[Dim]:
    number = Dim.sym(symbol)
    # The size shrinks until it is 0.
    yield before.max(0)
    # The size does not depend on the previous size, as for ``x[:i + 1]``.
    yield after.substitute({symbol: number - 1})
    # The size changes by the same amount in each iteration.
    change = after - before
    if symbol not in change.symbols():
        yield init + number * change
