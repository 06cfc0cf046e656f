"""Programs under other names: names are for people, so the code must stay the same.

``rename`` gives every compute, axis and value of a te program another name; ``text_without_names``
is what is left of a program without them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects.packed import CallOp
from ..dialects.te import ComputeOp, ScatterOp, TensorOp
from ..support.names import value_hint

Namer: TypeAlias = Callable[[], str]

HOSTILE: Sequence[str] = (
    # words of C, of LLVM and of our own grammar
    "int", "while", "main", "define", "br", "undef", "vec", "lanes", "even", "axis", "into",
    "prefetch", "halo", "red", "scan", "mod", "floordiv", "index", "affine_map", "true", "role",
    # libc and our runtime
    "memcpy", "free", "snprintf", "exp", "tw_run", "tw_name", "__tw_weights",
    # what steps and passes call what they make
    "k", "ko", "ki", "ko_1", "c0", "c1", "f0", "f3", "d0", "ty", "tx", "t", "o", "i",
    "x_in0", "x_fill", "x_local", "o_start", "o_total", "conv_in", "conv_product", "softmax",
    # other alphabets, other signs, long ones
    "größe", "行", "a b", 'q"uote', "back\\slash", "1st", "%0", "a.b", "x" * 1000,
)  # fmt: skip


def hostile_namer(seed: int) -> Namer:
    """Return a function that draws hostile names, the same one now and then."""
    rng = random.Random(seed)
    return lambda: rng.choice(HOSTILE)


def rename(module: ModuleOp, draw: Namer) -> None:
    """Name every compute, axis and value of a te program anew, in place.

    Axes of one compute get different names; all else may be equal.
    """
    for op in module.walk():
        for value in _values(op):
            value.name_hint = value_hint(draw())
        if isinstance(op, TensorOp):
            op.properties["sym_name"] = StringAttr(draw())
        if isinstance(op, ComputeOp | ScatterOp):
            _rename_axes(op, draw)


def _rename_axes(op: ComputeOp | ScatterOp, draw: Namer) -> None:
    assert not op.tile.data, "the program is not scheduled yet"
    names: dict[str, str] = {}
    for old in op.axes:
        new = draw()
        while new in names.values():
            new = draw()
        names[old.data] = new
    op.properties["axes"] = ArrayAttr([StringAttr(names[a.data]) for a in op.axes])
    if isinstance(op, ComputeOp) and op.scan is not None:
        op.properties["scan"] = StringAttr(names[op.scan.data])


def text_without_names(module: ModuleOp) -> str:
    """Return the text of a program of loops, with functions numbered and values without names."""
    copy = module.clone()
    symbols: dict[str, StringAttr] = {}
    for op in copy.walk():
        for value in _values(op):
            value.name_hint = None
        if isinstance(op, FuncOp):
            numbered = StringAttr(f"f{len(symbols)}")
            op.properties["sym_name"] = symbols.setdefault(op.sym_name.data, numbered)
    for op in copy.walk():
        if isinstance(op, CallOp):
            op.properties["callee"] = SymbolRefAttr(symbols[op.kernel_name])
    return str(copy)


def _values(op: Operation) -> list[SSAValue]:
    return [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]


__all__ = ["HOSTILE", "Namer", "hostile_namer", "rename", "text_without_names"]
