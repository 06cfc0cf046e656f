"""Composite operators equal torch: on te tensors, and on arrays of a traced function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as fn

import tilewright
from tilewright import ops, te
from tilewright.support.diagnostics import TypeMismatch

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 8, 4, 6)).astype(np.float32) * 3
C = RNG.uniform(0.5, 1.5, (4, 8)).astype(np.float32)
N = np.array([[0, 3], [5, 2]])
Z = np.array([1, -np.inf, np.inf, np.nan], np.float32)


def results(x: Any, c: Sequence[Any], n: Any, z: Any) -> list[Any]:
    """Return the result of each operator."""
    return [
        ops.clip(x, -1, 2), ops.log2(ops.abs(x)), ops.log10(ops.abs(x)), ops.trunc(x),
        ops.is_inf(z), ops.is_finite(z), ops.leaky_relu(x), ops.prelu(x, 0.3), ops.elu(x, 0.7),
        ops.selu(x), ops.softplus(ops.mul(x, 20)), ops.mish(x), ops.hard_sigmoid(x),
        ops.hard_swish(x), ops.depth_to_space(x, 2), ops.expand_dims(x, -1), ops.flip(x, (1, -1)),
        ops.one_hot(n, 5), ops.repeat(x, 3, 1), ops.sequence_mask(n, 4), ops.space_to_depth(x, 2),
        *ops.split(x, 2, 1), *ops.split(x, [1, 3, 2], -1),
        ops.squeeze(ops.expand_dims(ops.expand_dims(x, 0), 2), 2), ops.stack([x, x], 2),
        ops.tile(x, [1, 2, 1, 3]), ops.cumprod(x, 1), ops.cumsum(x, -1), ops.prod(x, (1, 3)),
        ops.variance(x, 1), ops.std(x, (2, 3), keep=True),
        ops.logsumexp(ops.mul(x, 30), 1), ops.logsumexp(x, keep=True),
        ops.batch_norm(x, *c), ops.group_norm(x, 4, c[2], c[3]), ops.instance_norm(x),
        ops.l2_normalize(x, 1), ops.global_avg_pool2d(x), ops.global_max_pool2d(x),
    ]  # fmt: skip


def expected() -> list[torch.Tensor]:
    """Return what torch computes, in the order of `results`."""
    x, c, n, z = (torch.tensor(a) for a in (X, C, N, Z))
    spread = fn.pixel_unshuffle(x, 2)
    return [
        x.clip(-1, 2), x.abs().log2(), x.abs().log10(), x.trunc(), z.isinf(), z.isfinite(),
        fn.leaky_relu(x), fn.prelu(x, torch.tensor(0.3)), fn.elu(x, 0.7), fn.selu(x),
        fn.softplus(x * 20), fn.mish(x), fn.hardsigmoid(x), fn.hardswish(x), fn.pixel_shuffle(x, 2),
        x[..., None], x.flip((1, 3)), fn.one_hot(n, 6)[..., :5], x.repeat_interleave(3, 1),
        torch.arange(4) < n[..., None], spread, *x.split(4, 1), *x.split([1, 3, 2], -1), x[None],
        torch.stack([x, x], 2), x.repeat(1, 2, 1, 3), x.cumprod(1), x.cumsum(-1),
        x.prod(3).prod(1), x.var(1, correction=0), x.std((2, 3), correction=0, keepdim=True),
        (x * 30).logsumexp(1), x.logsumexp((0, 1, 2, 3), keepdim=True),
        fn.batch_norm(x, c[0], c[1], c[2], c[3]), fn.group_norm(x, 4, c[2], c[3]),
        fn.instance_norm(x), fn.normalize(x, dim=1), x.mean((2, 3), keepdim=True),
        x.amax((2, 3), keepdim=True),
    ]  # fmt: skip


def _compare(got: Sequence[Any]) -> None:
    for number, (value, wanted) in enumerate(zip(got, expected(), strict=True)):
        np.testing.assert_allclose(value, wanted, 1e-5, 2e-6, err_msg=f"result {number}")


def test_te_tensors() -> None:
    x, z = te.placeholder(X.shape, name="x"), te.placeholder(Z.shape, name="z")
    n = te.placeholder(N.shape, "int64", name="n")
    c = [te.placeholder((8,), name=f"c{number}") for number in range(4)]
    run = tilewright.build([x, *c, n, z, *results(x, c, n, z)], target="interpreter")
    _compare(run(X, *C, N, Z))


def test_traced_arrays() -> None:
    run = tilewright.function(lambda x, c, n, z: results(x, c, n, z), target="interpreter")
    _compare(run(X, list(C), N, Z))


def test_wrong_arguments() -> None:
    x = te.placeholder((2, 5), name="x")
    with pytest.raises(TypeMismatch, match="the parts are not the axis"):
        ops.split(x, 2, 1)
    with pytest.raises(TypeMismatch, match="one number per axis"):
        ops.tile(x, [2])
    with pytest.raises(TypeMismatch, match="axis is outside"):
        ops.flip(x, 2)
