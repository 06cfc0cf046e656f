"""Random numbers in torch.compile: dropout in training, and the distributions of draws."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch.backend import tilewright_backend  # noqa: E402

functional = torch.nn.functional


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch.manual_seed(0)


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend=tilewright_backend, fullgraph=True, **options)


def test_dropout_of_training_has_the_mask_of_its_gradient() -> None:
    run = compiled(lambda x: functional.dropout(x.sin(), 0.25))
    x = torch.rand(100, 300, dtype=torch.float64) + 0.5
    x.requires_grad_()
    results = []
    for _ in range(2):
        x.grad = None
        y = run(x)
        y.sum().backward()
        kept = y != 0
        torch.testing.assert_close(y, kept * x.sin() / 0.75, rtol=1e-15, atol=0)
        torch.testing.assert_close(x.grad, kept * x.cos() / 0.75, rtol=1e-15, atol=0)
        results.append(kept)
    first, second = results
    deviation = sqrt(0.25 * 0.75 / first.numel())
    assert abs(float(first.double().mean()) - 0.75) < 5 * deviation
    # Draws of two calls are independent: both keep an element with probability 0.75 ** 2.
    both = float((first & second).double().mean())
    assert abs(both - 0.75**2) < 5 * sqrt(0.75**2 * (1 - 0.75**2) / first.numel())


def test_a_seed_makes_calls_repeatable_and_draws_of_a_graph_differ() -> None:
    def drawn(x: Any) -> Any:
        return functional.dropout(x), torch.rand_like(x), torch.rand_like(x)

    run = compiled(drawn)
    x = torch.ones(64)
    first, other = run(x), run(x)
    torch.manual_seed(0)
    assert all(torch.equal(a, b) for a, b in zip(first, run(x), strict=True))
    assert not any(torch.equal(a, b) for a, b in zip(first, other, strict=True))
    assert not torch.equal(first[1], first[2])


DRAWS = {
    "rand": (lambda x: torch.rand(x.shape), 1 / 2, sqrt(1 / 12)),
    "randn": (lambda x: torch.randn_like(x, dtype=torch.float64), 0, 1),
    "uniform": (lambda x: torch.empty_like(x).uniform_(-1, 3), 1, 4 * sqrt(1 / 12)),
    "normal": (lambda x: torch.empty_like(x).normal_(2, 3), 2, 3),
    "exponential": (lambda x: torch.empty_like(x).exponential_(2), 1 / 2, 1 / 2),
    "bernoulli": (lambda x: torch.bernoulli(x * 0 + 0.1), 0.1, 0.3),
    "channels": (lambda x: functional.dropout1d(x[:, :, None], 0.2)[:, :, 0], 1, 1 / 2),
    "nothing": (lambda x: functional.dropout(x, 1.0), 0, 0),
}
"""By name: a function that draws numbers, and the mean and standard deviation of the numbers."""


def test_draws_have_the_moments_of_their_distributions() -> None:
    def drawn(x: Any) -> Any:
        return tuple(function(x) for function, _, _ in DRAWS.values())

    x = torch.ones(100, 200)
    made = compiled(drawn)(x)
    for (name, (function, mean, deviation)), numbers in zip(DRAWS.items(), made, strict=True):
        assert numbers.dtype == function(x).dtype, name
        tolerance = 5 * deviation / sqrt(x.numel())
        assert abs(float(numbers.double().mean()) - mean) <= tolerance, name
        assert abs(float(numbers.double().std()) - deviation) <= 0.05 * deviation, name


def test_a_layer_with_dropout_trains_without_graph_breaks() -> None:
    """Attention, too, has dropout here; its expected result is that without dropout."""
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, 0.1, batch_first=True)
    run = compiled(layer)
    x = torch.randn(2, 5, 8, requires_grad=True)
    run(x).square().sum().backward()
    assert all(each.grad is not None and each.grad.any() for each in (x, *layer.parameters()))
    q = torch.randn(1, 1, 4, 8, requires_grad=True)
    attend = compiled(lambda q: functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5))
    mean = torch.stack([attend(q).detach() for _ in range(400)]).mean(0)
    wanted = functional.scaled_dot_product_attention(q, q, q).detach()
    assert float((mean - wanted).abs().max()) < 0.3
    assert torch._dynamo.utils.counters["graph_break"] == {}


def test_draws_of_a_checkpoint_are_refused() -> None:
    """The backward graph must not draw other numbers than the forward graph."""
    from torch.utils.checkpoint import checkpoint

    def loss(x: Any) -> Any:
        return checkpoint(lambda x: functional.dropout(x.sin()).sin(), x, use_reentrant=False)

    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="of a checkpoint again"):
        compiled(loss)(torch.ones(4, requires_grad=True))
