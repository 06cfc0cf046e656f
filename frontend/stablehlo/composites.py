"""Convert ops that name a function: composites, custom calls, and the ops of CHLO.

A composite names a function and contains its body; those in the table `NATIVE` are converted
without the body. A custom call has no body: the table `LIBRARY` lists the supported names. CHLO is
the client dialect of StableHLO; jax lowers most of its ops before it exports.
Source: StableHLO specification; jax 0.10 writes these names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from ...dialects.graph import TopKOp
from ...dialects.shape import Call, Dim
from ...support.diagnostics import ModelError, UnequalSizes, UnsupportedOp
from ..onnx.builder import Builder
from ..onnx.sizes.equal_sizes import check_elements
from .definitions import direction_of
from .elementwise import identity
from .node import Converter, Results, StablehloNode

_BIND = "bind the sizes by shapes="
_UNARY = "acos acosh asin asinh atan atanh cosh erf sinh tan"
"""The unary ops of CHLO that have the name and the meaning of an elementwise graph op."""


def _unary(name: str) -> Converter:
    return lambda node, b: b.apply(name, node[0])


def _top_k(node: StablehloNode, b: Builder) -> Results:
    given = node.op.attributes.get("composite_attributes", node.op.attributes)
    count = given.get("k") if isinstance(given, Mapping) else None
    if not isinstance(count, int):
        raise ModelError("attribute 'k' is missing", got=count)
    if isinstance(given, Mapping) and given.get("largest", True) is False:
        raise UnsupportedOp("the k smallest elements are not supported")
    return _largest(node, b, count)


def _largest(node: StablehloNode, b: Builder, count: int) -> Results:
    """Return the largest elements of the last axis in descending order, and their positions.

    count: the number of elements.  The positions have the element type of the op's second result.
    """
    x = node[0]
    values, positions = b.emit_all(TopKOp(b.ssa(x), count, x.rank - 1))
    dtype = node.op.types[1].dtype
    assert dtype is not None, "the type is checked"
    return values, b.cast(positions, dtype)


NATIVE: Mapping[str, Converter] = {
    **{f"chlo.{name}": _unary(name) for name in _UNARY.split()},
    "chlo.square": lambda node, b: b.apply("mul", node[0], node[0]),
    "chlo.is_inf": lambda node, b: b.apply("eq", b.apply("abs", b.widen(node[0])), inf),
    "chlo.top_k": _top_k,
}
"""Ops of CHLO, and composites that are converted without their body."""


def shape_assertion(node: StablehloNode, b: Builder) -> Results:
    """Check a condition on sizes.

    If the facts about sizes do not imply a comparison of symbolic sizes, UnequalSizes is raised,
    and the import starts again with the comparison as a fact.
    Errors: ModelError if the condition is false for all calls; UnsupportedOp for any other
    condition on symbolic sizes.
    """
    known = node[0].values()
    if known is not None and known.item():
        return ()
    message = node.word("error_message").split(". ")
    what = next((part for part in message if "Expected" in part or "Found" in part), message[0])
    if known is not None:
        raise ModelError("the sizes of the inputs do not fit the model", got=what)
    op = node.definition_of(node.op.operands[0])
    if op is not None and op.name == "stablehlo.compare":
        lhs, rhs = (node.value_of(name).sizes for name in op.operands)
        if lhs is not None and rhs is not None and lhs.size == rhs.size == 1:
            return _required(direction_of(op), lhs.item(), rhs.item(), what, b)
    raise UnsupportedOp("a condition on sizes is not known to hold", got=what, hint=_BIND)


def _required(direction: str, lhs: Dim, rhs: Dim, what: str, b: Builder) -> Results:
    """Require a comparison of two sizes to hold; the entry function checks it at each call.

    direction: EQ, GE or LE.  what: the text of the condition in messages.
    Errors: UnequalSizes, so that the import starts again with this fact; UnsupportedOp for another
    direction.
    """
    if direction == "EQ":
        pair = _multiple(lhs) if rhs.value == 0 else None
        sizes = [pair or (lhs, rhs)]
        raise UnequalSizes("sizes of inputs must be equal", got=what, hint=_BIND, sizes=sizes)
    if direction in ("GE", "LE"):
        check_elements(lhs - rhs if direction == "GE" else rhs - lhs, 0, b.facts, 0)
        return ()
    raise UnsupportedOp("a condition on sizes is not known to hold", got=what, hint=_BIND)


def _multiple(remainder: Dim) -> tuple[Dim, Dim] | None:
    """Return two sizes whose equality means that a remainder ``mod(x, n)`` is 0.

    They are ``floordiv(x, n) * n`` and ``x``.  Return None for a size that is no remainder.
    """
    match remainder.terms:
        case [((Call("mod", dividend, divisor),), 1)]:
            return dividend // divisor * divisor, dividend
        case _:
            return None


LIBRARY: Mapping[str, Callable[[StablehloNode, Builder], Results]] = {
    "Sharding": identity,
    "LayoutConstraint": identity,
    "annotate_device_placement": identity,
    "shape_assertion": shape_assertion,
    "mhlo.erf": _unary("erf"),
    "mhlo.topk": lambda node, b: _top_k_of_call(node, b),
}
"""Converters of the supported custom calls by name."""


def _top_k_of_call(node: StablehloNode, b: Builder) -> Results:
    count = node.type.dims[-1]
    if count is None:
        raise UnsupportedOp("the number of elements is not static")
    return _largest(node, b, count)


CONVERTERS: dict[str, Converter] = {
    # Both ops name a function.
    "stablehlo.composite": lambda node, b: NATIVE[node.word("name")](node, b),
    "stablehlo.custom_call": lambda node, b: LIBRARY[node.word("call_target_name")](node, b),
    **NATIVE,
}
