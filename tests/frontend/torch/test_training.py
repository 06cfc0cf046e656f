"""Training by torch.compile: the losses, gradients and statistics of eager torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any
from unittest import mock

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch.backend import (  # noqa: E402
    CompiledGraph,
    GraphBreakWarning,
    tilewright_backend,
)

nn, functional = torch.nn, torch.nn.functional
compile_: Any = CompiledGraph._compile  # pyright: ignore[reportPrivateUsage]
given: Any = CompiledGraph._given  # pyright: ignore[reportPrivateUsage]
F64 = torch.float64


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch.manual_seed(0)
    with torch._dynamo.config.patch(allow_rnn=True):
        yield


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend=tilewright_backend, **{"fullgraph": True, **options})


class Convolutions(nn.Module):
    """Two convolutions with a batch normalization and pools, and a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 8, 3), nn.Conv2d(8, 8, 3, stride=2, padding=1)
        self.norm, self.head = nn.BatchNorm2d(8), nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        x = functional.max_pool2d(self.norm(self.first(x)).relu(), 2)
        return self.head(functional.avg_pool2d(self.second(x), 2).flatten(1))


class Residual(nn.Module):
    """A block of a ResNet that halves the image, and a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8))
        self.second = nn.Sequential(nn.Conv2d(8, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8))
        self.short = nn.Sequential(nn.Conv2d(1, 8, 1, 2, bias=False), nn.BatchNorm2d(8))
        self.head = nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        y = (self.second(self.first(x).relu()) + self.short(x)).relu()
        return self.head(functional.adaptive_avg_pool2d(y, 1).flatten(1))


class Recurrent(nn.Module):
    """An embedding with a padding row, and an LSTM; the embedding is the last product, too."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(11, 8, padding_idx=3)
        self.lstm = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x: Any) -> Any:
        return self.lstm(self.table(x))[0] @ self.table.weight.mT


class Transformer(nn.Module):
    """An embedding and a causal layer of a transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(11, 8), nn.Linear(8, 11)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True, activation="gelu")

    def forward(self, x: Any) -> Any:
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1], dtype=F64)
        return self.head(self.layer(self.table(x), src_mask=mask, is_causal=True))


def perceptron() -> Any:
    return nn.Sequential(nn.Flatten(), nn.Linear(100, 8), nn.Tanh(), nn.Linear(8, 4))


def images(batch: int) -> Any:
    return torch.randn(batch, 1, 10, 10, dtype=F64), torch.arange(batch) % 4


def sentences(batch: int) -> Any:
    words = torch.randint(0, 11, (batch, 7))
    return words[:, :-1], words[:, 1:]


def losses(model: Any, batches: Any, step: Any) -> list[float]:
    """Train a model by Adam; return the losses."""
    found: list[float] = []
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        loss = functional.cross_entropy(step(x).flatten(0, -2), y.flatten())
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


NETWORKS: dict[str, tuple[Callable[[], Any], Callable[[int], Any]]] = {
    "MLP": (perceptron, images),
    "CNN": (Convolutions, images),
    "ResNet": (Residual, images),
    "LSTM": (Recurrent, sentences),
    "transformer": (Transformer, sentences),
}
"""By name: a maker of the network, and a maker of batches."""


NIGHTLY = [
    pytest.param(name, marks=pytest.mark.nightly) for name in ("ResNet", "LSTM", "transformer")
]


@pytest.mark.parametrize("name", ["MLP", "CNN", *NIGHTLY])
def test_a_network_trains_as_in_eager_torch(name: str) -> None:
    """One pair of graphs serves all batch sizes, and the statistics are updated, too."""
    make, batch = NETWORKS[name]
    eager = make().to(F64).train()
    own, batches = deepcopy(eager), [batch(4 + n % 3) for n in range(20)]
    for x, _ in batches:
        torch._dynamo.mark_dynamic(x, 0)
    with mock.patch.object(CompiledGraph, "_compile", autospec=True, side_effect=compile_) as calls:
        got = losses(own, batches, compiled(own))
    assert got == pytest.approx(losses(eager, batches, eager), rel=1e-11)
    assert got[-1] != pytest.approx(got[0], rel=1e-3)
    torch.testing.assert_close(own.state_dict(), eager.state_dict(), rtol=1e-8, atol=1e-10)
    assert calls.call_count == 2
    assert not torch._dynamo.utils.counters["graph_break"]


def test_gradients_accumulate() -> None:
    layer = nn.Linear(4, 3)
    run, x, y = compiled(lambda x: (layer(x) ** 2).sum()), torch.randn(2, 4), torch.randn(2, 4)
    with mock.patch.object(CompiledGraph, "_given", autospec=True, side_effect=given) as calls:
        run(x).backward()
        run(y).backward()
    wanted = torch.autograd.grad((layer(x) ** 2).sum() + (layer(y) ** 2).sum(), layer.weight)[0]
    torch.testing.assert_close(layer.weight.grad, wanted)
    assert sum(call.args[2] is layer.weight for call in calls.call_args_list) == 2


def test_a_gradient_that_is_not_supported_breaks_the_graph() -> None:
    x = torch.randn(3, requires_grad=True)
    function: Any = lambda x: torch.special.i0(x * 2).sum()  # noqa: E731
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="special_i"):
        compiled(function)(x)
    torch._dynamo.reset()
    with pytest.warns(GraphBreakWarning, match="special_i"):
        y = compiled(function, fullgraph=False)(x)
    (got,) = torch.autograd.grad(y, x)
    torch.testing.assert_close(got, torch.autograd.grad(function(x), x)[0])
