"""What a function below graph records about its results: sizes that depend on data.

Such a result has the largest shape it may need. The last result of the function holds the sizes;
the attribute ``tw.result_dims`` says for each other result and dimension which element of it is
the size, or -1 where all of the dimension counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

DIMS, NAMES = "tw.result_dims", "tw.result_names"
SIZES_NAME = "sizes"


def record_entries(function: FuncOp, entries: Sequence[Sequence[int]]) -> None:
    """Record that a function got one more result, and which elements of it are sizes."""
    rows: list[Attribute] = [DenseArrayBase.from_list(i64, list(row)) for row in entries]
    function.attributes[DIMS] = ArrayAttr(rows)
    names = function.attributes.get(NAMES)
    if isinstance(names, ArrayAttr):
        function.attributes[NAMES] = ArrayAttr([*names.data, StringAttr(SIZES_NAME)])


def recorded_entries(function: FuncOp) -> list[tuple[int, ...]]:
    """Return per result which entry of the sizes each dimension has; empty if none has one."""
    rows = cast("ArrayAttr[DenseArrayBase[Any]]", function.attributes.get(DIMS, ArrayAttr([])))
    return [tuple(int(entry) for entry in row.get_values()) for row in rows]
