"""Convert backward operators of ATen: the forward operator, then the reverse walk over its ops.

    dx, dw, _ = convolution_backward(dy, x, w, …)   →   %y = graph.conv %x, %w   (unused, erased)
                                                        … the reverse walk from %y, %dy to %x, %w …

The converter of the forward operator appends its ops, and the rules of gradients do the rest. Torch
decomposes all other operators of backward graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..dialects.graph import ScatterElementsOp
from ..dialects.shape import element_count
from ..frontend.onnx.builder import Tensor
from ..frontend.torch.aten import AtenBuilder, Converted, Converter, is_of_floats
from ..frontend.torch.importer import converters
from ..frontend.torch.whole_calls import CALLS
from .builder import GradientBuilder
from .reverse import BlockReverse


@dataclass(frozen=True)
class _ForwardNode:
    """A stand-in for the torch node of a forward operator, which a backward graph does not contain.

    The converter of the forward operator reads only these attributes of a node.
    meta: has, as ``val``, torch's description of the results: shapes and types.
    """

    meta: Mapping[str, Any]
    args: Sequence[Any] = ()
    users: Sequence[Any] = field(default=())


@contextmanager
def _at_forward_node(b: AtenBuilder, results: Any) -> Generator[None]:
    """Let the builder convert a forward operator within a ``with`` block.

    The graph only contains the node of the backward operator. Within the block, ``b.node`` is a
    stand-in for the node of the forward operator, as `_ForwardNode` describes; afterwards it is the
    backward node again.
    results: the shapes and types of the forward operator's results, as torch describes them; the
    converter of the forward operator reads them from the node.
    """
    backward = b.node
    b.node = _ForwardNode({"val": results})
    try:
        yield
    finally:
        b.node = backward


def cotangents(
    b: AtenBuilder,
    forward: Callable[[], Converted],
    heads: Sequence[Tensor | None],
    variables: Sequence[Tensor],
) -> list[Tensor]:
    """Append the ops of a forward operator and of its gradient; return one cotangent per variable.

    forward: appends the ops of the operator, and returns its results.
    heads: the cotangents of these results.
    variables: the operands whose cotangents are returned. If several of them are one value, the
    first gets the cotangent of the value, and the others get zeros.
    """
    values = [b.ssa(x) for x in variables]
    before = b.block.last_op
    with _at_forward_node(b, _described(b.node.args[0])):
        made = forward()
    results = [made] if isinstance(made, Tensor) else made
    first = b.block.first_op if before is None else before.next_op
    ops = [] if first is None else [first, *_following(first)]
    builder = GradientBuilder(b.block)
    walk = BlockReverse(builder, set(values).__contains__)
    pairs = zip(results, heads, strict=False)
    walk.run(ops, [(b.ssa(x), b.ssa(g)) for x, g in pairs if x is not None and g is not None])
    found = [
        walk.of(value) if value not in values[:n] else builder.zeros(value)
        for n, value in enumerate(values)
    ]
    for op in _following(before) if before is not None else b.block.ops:
        op.location = b.location
    return [Tensor.of_ssa(value) for value in found]


def _following(op: Any) -> Iterator[Any]:
    while (op := op.next_op) is not None:
        yield op


def _described(argument: Any) -> Any:
    """Return torch's description (shape and type) of an argument of a node.

    The argument is a node, or a list of nodes and None, for which a list is returned.
    """
    if isinstance(argument, list | tuple):
        return [None if each is None else each.meta["val"] for each in argument]
    return argument.meta["val"]


def convolution_backward(
    b: AtenBuilder,
    g: Tensor,
    x: Tensor,
    w: Tensor,
    _bias_sizes: Any,
    *rest: Any,
) -> tuple[Tensor | None, ...]:
    """Return the cotangents of image, filters and bias; None for one that is not wanted.

    g: the cotangent of the result.
    x, w: the image and the filters.
    rest: the other arguments of torch's convolution, then a list that says which of the three
    cotangents are wanted.
    """
    *window, wanted = rest
    given = [each for each, is_wanted in zip((x, w), wanted, strict=False) if is_wanted]
    forward = partial(converters()["convolution"], b, x, w, None, *window)
    found = iter(cotangents(b, forward, [g], given) if given else ())
    bias = b.reduce(g, "sum", [n for n in range(g.rank) if n != 1], keep=False)
    parts = [next(found) if is_wanted else None for is_wanted in wanted[:2]]
    return *parts, bias if wanted[2] else None


def _max_pool_backward(rank: int) -> Converter:
    """Return the converter of the gradient of a maximum pool.

    It adds each cotangent of the result at the position of the maximum of its window.
    rank: the number of pooled axes.
    """

    def convert(b: AtenBuilder, g: Tensor, x: Tensor, *arguments: Any) -> Tensor:
        plane, windows = (element_count(each.dims[-rank:]) for each in (x, g))
        planes = element_count(x.dims[:-rank])
        places, updates = (b.reshape(each, (planes, windows)) for each in (arguments[-1], g))
        base = b.broadcast_to(b.scalar(0, g.dtype), (planes, plane))
        scattered = ScatterElementsOp(b.ssa(base), b.ssa(places), b.ssa(updates), 1, kind="add")
        return b.reshape(b.emit(scattered), x.dims)

    return convert


def _of_first(name: str, count: int = 0) -> Converter:
    """Return the converter of a backward operator that only computes the first operand's cotangent.

    The arguments of the backward operator are the cotangent of the result, then the arguments of
    the forward operator.
    name: the name of the forward operator.
    count: the number of further arguments at the end, which the forward operator does not have.
    """

    def convert(b: AtenBuilder, g: Tensor, x: Tensor, *rest: Any) -> Tensor:
        rest = rest[: len(rest) - count]
        return cotangents(b, partial(converters()[name], b, x, *rest), [g], [x])[0]

    return convert


def _adaptive_backward(rank: int) -> Converter:
    def convert(b: AtenBuilder, g: Tensor, x: Tensor) -> Tensor:
        forward = partial(converters()["_adaptive_avg_pool2d"], b, x, g.dims[-rank:])
        return cotangents(b, forward, [g], [x])[0]

    return convert


def grid_sample_backward(
    b: AtenBuilder, g: Tensor, x: Tensor, grid: Tensor, *rest: Any
) -> tuple[Tensor, ...]:
    """Return the cotangents of images and grid.

    g: the cotangent of the result.  rest: the other arguments of torch's operator.
    """
    forward = partial(converters()["grid_sampler_2d"], b, x, grid, *rest[:3])
    return tuple(cotangents(b, forward, [g], [x, grid]))


def _whole_backward(name: str) -> Converter:
    """Return the converter of the backward operator of a call that torch does not decompose.

    The converter returns one entry for each float tensor among the forward operator's arguments:
    its cotangent, or None if the cotangent is not wanted.
    name: the name of the forward operator.
    """

    def convert(b: AtenBuilder, heads: Sequence[Tensor | None], *arguments: Any) -> list[Any]:
        tensors = [x for x in _flat(arguments) if isinstance(x, Tensor) and is_of_floats(x)]
        places = [n for n in range(len(tensors)) if b.wants(n)]
        forward = partial(converters()[f"tilewright::{name}"], b, *arguments)
        found = cotangents(b, forward, heads, [tensors[n] for n in places])
        parts = dict(zip(places, found, strict=True))
        return [parts.get(n) for n in range(len(tensors))]

    return convert


def _flat(arguments: Sequence[Any]) -> Iterator[Any]:
    for each in arguments:
        if isinstance(each, list | tuple):
            yield from each
        else:
            yield each


CONVERTERS: dict[str, Converter] = {
    "convolution_backward": convolution_backward,
    "max_pool2d_with_indices_backward": _max_pool_backward(2),
    "max_pool3d_with_indices_backward": _max_pool_backward(3),
    "avg_pool2d_backward": _of_first("avg_pool2d"),
    "avg_pool3d_backward": _of_first("avg_pool3d"),
    "_adaptive_avg_pool2d_backward": _adaptive_backward(2),
    "_adaptive_avg_pool3d_backward": _adaptive_backward(3),
    "_cdist_backward": _of_first("_cdist_forward", 1),
    "_pdist_backward": _of_first("_pdist_forward", 1),
    "grid_sampler_2d_backward": grid_sample_backward,
    **{f"replication_pad{n}d_backward": _of_first(f"replication_pad{n}d") for n in (1, 2, 3)},
    **{f"tilewright::{name}_backward": _whole_backward(name) for name in CALLS},
}
"""Converters by operator; they are above the front end, because they use the rules of gradients."""
