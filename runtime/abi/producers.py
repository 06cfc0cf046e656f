"""Tensors of other libraries whose memory does not contain their elements.

A torch tensor may be a lazy view: ``z.conj().imag`` exports the memory of ``z``, whose elements
have the opposite sign. The memory of a masked array lacks the mask; a tensor of a FakeTensorMode or
of ``torch.vmap`` has no memory of its own. In: an argument. Out: the tensor to read, or an error
that names a remedy. `guard_of` returns the data for the same check in machine code
(native/python.c).
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..errors import ArgumentError

_WORD = 8
_TENSOR_WORDS = 24
"""The size of torch's TensorImpl, which `guard_of` reads: 192 bytes in all versions since 2.0."""
_ALL_BITS = (1 << 64) - 1

_LAZY = (
    ("is_neg", "is negated lazily: its memory has the other sign", "pass x.resolve_neg()"),
    ("is_conj", "is conjugated lazily: its memory has the other sign", "pass x.resolve_conj()"),
    ("_is_zerotensor", "has no memory: all of its elements are zero", "pass torch.zeros(x.shape)"),
)
"""Methods of torch tensors, the error if a method returns True, and the hint."""


def in_memory(source: Any, where: str) -> Any:
    """Return a tensor whose memory contains the elements of an argument.

    The result is the argument or, if the argument requires gradients, its detached tensor.

    where: the name of the argument in messages.

    Errors: ArgumentError for an argument whose memory does not contain its elements.
    """
    if type(source) is np.ndarray:
        return source
    if (masked := sys.modules.get("numpy.ma")) and masked.is_masked(source):
        raise _refused(where, "has masked elements", source, "pass x.filled(value)")
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(source, torch.Tensor):
        return source
    for method, rule, hint in _LAZY:
        if getattr(source, method)():
            raise _refused(where, rule, source, hint)
    kind = source.device.type
    if kind == "meta" or _keys(torch, source) & ~_plain_keys(kind):
        hint = "pass a plain dense tensor, outside of torch.vmap and of fake modes"
        raise _refused(where, "is not stored as a dense tensor", source, hint)
    return source.detach() if source.requires_grad else source


def requires_gradients(source: Any) -> bool:
    """Return whether a tensor requires gradients, so that a call must not write to it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(source, torch.Tensor) and source.requires_grad


def _refused(where: str, rule: str, source: object, hint: str) -> ArgumentError:
    kind = type(source)
    return ArgumentError(
        f"{where} {rule}",
        expected="an array or tensor whose memory holds its elements",
        got=f"{kind.__module__}.{kind.__qualname__}",
        hint=hint,
    )


def _keys(torch: Any, tensor: Any) -> int:
    """Return torch's dispatch keys of a tensor as a bit set, or 0 if torch hides them."""
    read = getattr(torch._C, "_dispatch_keys", None)
    return 0 if read is None else read(tensor).raw_repr()


@cache
def _plain_keys(device: str) -> int:
    """Return the dispatch keys that torch gives to an ordinary dense tensor on a kind of device.

    A tensor with other keys may be lazy, so that its memory does not contain its elements.
    """
    torch = sys.modules["torch"]
    # Tensors of inference mode have fewer keys than others.
    with torch.inference_mode(mode=False):
        return _keys(torch, torch.empty(0, device=device))


@dataclass(frozen=True)
class TensorOffsets:
    """The offsets where machine code reads whether a tensor's memory contains its elements.

    The word ``tensor_at`` of the Python object points at the tensor. If the word ``keys_at`` of a
    tensor has a bit of ``lazy``, its memory does not hold its elements. If the word ``gradient_at``
    is null, the tensor does not require gradients.
    """

    tensor_at: int
    keys_at: int
    gradient_at: int
    lazy: int


NO_GUARD = TensorOffsets(0, 0, 0, 0)
"""The guard of libraries whose tensors are always dense."""


def guard_of(kind: type) -> TensorOffsets | None:
    """Return the offsets by which machine code checks tensors of a type.

    None: only Python code can check the type.
    """
    torch = sys.modules.get("torch")
    return NO_GUARD if torch is None or not issubclass(kind, torch.Tensor) else _torch_guard()


@cache
def _torch_guard() -> TensorOffsets | None:
    """Find torch's offsets by a search in tensors whose addresses and dispatch keys are known."""
    torch = sys.modules["torch"]
    # Tensors of inference mode have fewer keys than others.
    with torch.inference_mode(mode=False):
        plain, gradient = torch.ones(2), torch.ones(2)
        probes = (plain, torch._neg_view(plain), torch.ones(2, dtype=torch.complex64).conj())
    if not hasattr(plain, "_cdata") or not _keys(torch, plain):
        return None
    heads = [_words(id(x), torch.Tensor.__basicsize__ // _WORD) for x in probes]
    bodies = [_words(x._cdata, _TENSOR_WORDS) for x in probes]
    before = _words(gradient._cdata, _TENSOR_WORDS)
    after = _words(gradient.requires_grad_()._cdata, _TENSOR_WORDS)
    found = (
        [n for n, words in enumerate(zip(*heads, strict=True))
         if list(words) == [x._cdata for x in probes]],
        [n for n, words in enumerate(zip(*bodies, strict=True))
         if list(words) == [_keys(torch, x) for x in probes]],
        [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old == 0 != new],
    )  # fmt: skip
    if any(len(places) != 1 for places in found):
        return None
    (tensor_at,), (keys_at,), (gradient_at,) = found
    return TensorOffsets(tensor_at, keys_at, gradient_at, _ALL_BITS & ~_keys(torch, plain))


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_uint64 * count).from_address(address))
