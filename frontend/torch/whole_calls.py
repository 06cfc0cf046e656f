"""Prevent torch from decomposing calls that have converters: attention, resizing, recurrent layers.

Before torch traces a graph to ATen operators, `keep_whole` replaces these calls by operators of the
namespace ``tilewright``. These operators have the schemas of torch's functions and compute the same
results.  The backward operator of ``tilewright::lstm`` is ``tilewright::lstm_backward``. It takes
the cotangents of the results, and the arguments; it returns the cotangents of the float tensors
among the arguments.  Only the shapes of its results are implemented, because the operator runs in
compiled graphs only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

_RESIZE = "(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"
_ALIGNED = (
    "(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"
)
_LAYER = (
    "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, "
    "bool bidirectional, bool batch_first)"
)
_nn: Any = torch._C._nn  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]

CALLS: dict[str, tuple[Any, str]] = {
    "attention": (
        functional.scaled_dot_product_attention,
        "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, "
        "bool is_causal=False, float? scale=None, bool enable_gqa=False) -> Tensor",
    ),
    "nearest1d": (_nn.upsample_nearest1d, _RESIZE),
    "nearest2d": (_nn.upsample_nearest2d, _RESIZE),
    "nearest3d": (_nn.upsample_nearest3d, _RESIZE),
    "linear1d": (_nn.upsample_linear1d, _ALIGNED),
    "bilinear2d": (_nn.upsample_bilinear2d, _ALIGNED),
    "trilinear3d": (_nn.upsample_trilinear3d, _ALIGNED),
    "bicubic2d": (_nn.upsample_bicubic2d, _ALIGNED),
    "lstm": (torch.lstm, f"(Tensor input, Tensor[] hx, {_LAYER} -> (Tensor, Tensor, Tensor)"),
    "gru": (torch.gru, f"(Tensor input, Tensor hx, {_LAYER} -> (Tensor, Tensor)"),
}
"""By operator name: the torch function that the operator replaces, and its schema."""

_ENTERED = (functional.interpolate, *(function for function, _ in CALLS.values()))


@cache
def _library() -> Any:
    """Define the operators of torch's namespace ``tilewright``, once per process."""
    library = torch.library.Library("tilewright", "FRAGMENT")
    for name, (function, schema) in CALLS.items():
        library.define(name + schema)
        library.impl(name, _plain(name, function), "CompositeExplicitAutograd")
        arguments = schema.removeprefix("(").partition(") ->")[0]
        library.define(f"{name}_backward(Tensor?[] heads, {arguments}) -> Tensor[]")
        library.impl(f"{name}_backward", _shapes_of_cotangents, "Meta")
        torch.library.register_autograd(
            f"tilewright::{name}", _backward(name), setup_context=_save, lib=library
        )
    return library


def _is_float(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_floating_point()


def _shapes_of_cotangents(_heads: Any, *arguments: Any) -> list[Any]:
    layout = torch.contiguous_format
    floats = filter(_is_float, tree_leaves(arguments))
    return [torch.empty_like(x, memory_format=layout) for x in floats]


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    leaves, ctx.form = tree_flatten(inputs)
    ctx.save_for_backward(*(x for x in leaves if isinstance(x, torch.Tensor)))
    ctx.others = [None if isinstance(x, torch.Tensor) else (x,) for x in leaves]


def _backward(name: str) -> Callable[..., tuple[Any, ...]]:
    operator = getattr(torch.ops.tilewright, f"{name}_backward")

    def backward(ctx: Any, *heads: Any) -> tuple[Any, ...]:
        tensors = iter(ctx.saved_tensors)
        leaves = [next(tensors) if each is None else each[0] for each in ctx.others]
        made = iter(operator(list(heads), *tree_unflatten(leaves, ctx.form)))
        parts = [next(made) if _is_float(x) else None for x in leaves]
        found = tree_unflatten(parts, ctx.form)
        # Torch expects None for an argument that is a list of numbers.
        return tuple(
            None if isinstance(x, list | tuple) and all(each is None for each in x) else x
            for x in found
        )

    return backward


def _plain(name: str, function: Any) -> Callable[..., Any]:
    if name != "attention":
        return lambda *arguments: function(*arguments)

    def attention(
        q: Any,
        k: Any,
        v: Any,
        mask: Any = None,
        dropout: float = 0.0,
        causal: bool = False,
        scale: float | None = None,
        grouped: bool = False,
    ) -> Any:
        return function(q, k, v, mask, dropout, causal, scale=scale, enable_gqa=grouped)

    return attention


class _Whole(TorchFunctionMode):
    """A torch mode that replaces calls of the functions in `CALLS` by ``tilewright`` operators."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = next((n for n, (f, _) in CALLS.items() if f is func), None)
        if name in ("lstm", "gru") and not _is_padded(args):
            name = None
        if name == "attention" and (kwargs.get("dropout_p") or any(args[4:5])):
            name = None  # torch decomposes attention with dropout, whose draws the gradient reads
        if name is None:
            return func(*args, **kwargs)
        return getattr(torch.ops.tilewright, name)(*args, **kwargs)


def _is_padded(args: Any) -> bool:
    return len(args) == 9 and isinstance(args[-1], bool)


def keep_whole(graph_module: Any) -> None:
    """Replace a graph's calls of functions in `CALLS`, so that torch does not decompose them."""
    _library()
    found = False
    for node in graph_module.graph.nodes:
        if node.op == "call_function" and any(node.target is each for each in _ENTERED):
            node.target, found = _entered(node.target), True
    if found:
        graph_module.recompile()


def _entered(function: Any) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with _Whole():
            return function(*args, **kwargs)

    return call


def compute_attention_again(graph: Any) -> None:
    """Replace torch's backward operator of attention in a graph of forward and backward operators.

    The new operator, ``tilewright::attention_backward``, computes the attention again from its
    operands instead of reading sums that torch's forward operator returns.
    """
    _library()
    own = torch.ops.tilewright.attention_backward.default
    for node in graph.nodes:
        if (
            node.target
            is torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default
        ):
            g, q, k, v, _, _, dropout, causal = node.args
            mask, scale = node.kwargs.get("attn_mask"), node.kwargs.get("scale")
            node.target, node.kwargs = own, {}
            node.args = ([g], q, k, v, mask, dropout, causal, scale, True)
    graph.eliminate_dead_code()
