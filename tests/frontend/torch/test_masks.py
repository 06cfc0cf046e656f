"""Modules of torch with masks, whose exports have sizes that data decides: experts, selections."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import tilewright

torch = pytest.importorskip("torch", reason="torch is not installed")
functional = torch.nn.functional


class Expert(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = torch.nn.Linear(4, 6, bias=False)
        self.down = torch.nn.Linear(6, 4, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(functional.silu(self.up(x)))


class Experts(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = torch.nn.Linear(4, 3, bias=False)
        self.experts = torch.nn.ModuleList([Expert() for _ in range(3)])


class TopExperts(Experts):
    """Two experts per token: index_add_ at the places of a mask."""

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        x = hidden.view(-1, 4)
        weights, chosen = torch.topk(functional.softmax(self.gate(x), dim=1), 2, dim=-1)
        mask = functional.one_hot(chosen, num_classes=3).permute(2, 1, 0)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rank, token = torch.where(mask[number])
            made = expert(x[None, token].reshape(-1, 4)) * weights[token, rank, None]
            out.index_add_(0, token, made)
        return out.reshape(hidden.shape)


class OneExpert(Experts):
    """One expert per token: assignment at the places of a mask."""

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        probabilities = functional.softmax(self.gate(hidden), dim=-1)
        mask = functional.one_hot(torch.argmax(probabilities, -1), num_classes=3)
        out = torch.zeros_like(hidden)
        for number, expert in enumerate(self.experts):
            at = mask[:, :, number].bool()
            out[at] = expert(hidden[at])
        return probabilities.max(-1).values.unsqueeze(-1) * out


class MaskedSums(torch.nn.Module):
    """Boolean indices that TorchScript exports as one NonZero for each tensor."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        m = x[:, 0] > 0
        product = x.masked_select(m[:, None]) * y.masked_select(m[:, None])
        out = x.clone()
        out[m] = x[m] + y[m]
        return out.masked_scatter(m[:, None].expand_as(x), y) + product.sum()


def exported(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], dynamo: bool) -> Any:
    logging.disable(logging.WARNING)
    export: Any = torch.onnx.export
    try:
        if dynamo:
            return export(model, inputs, dynamo=True, verbose=False).model_proto
        written = io.BytesIO()
        export(model, inputs, written, dynamo=False)
        return onnx.load_from_string(written.getvalue())
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "shapes", "dynamo"),
    [
        (TopExperts, [(2, 5, 4)], False),
        (MaskedSums, [(9, 4), (9, 4)], False),
        pytest.param(OneExpert, [(2, 17, 4)], True, marks=pytest.mark.nightly),
        pytest.param(TopExperts, [(2, 5, 4)], True, marks=pytest.mark.nightly),
    ],
)
def test_exports_of_torch_with_masks(
    make: Callable[[], torch.nn.Module], shapes: list[tuple[int, ...]], dynamo: bool
) -> None:
    torch.manual_seed(3)
    model = make()
    draw = lambda: tuple(torch.randn(*shape) for shape in shapes)  # noqa: E731
    proto = exported(model, draw(), dynamo)
    module = tilewright.compile(proto, cache=False)
    peer = onnxruntime.InferenceSession(proto.SerializeToString())
    for _ in range(3):
        inputs = draw()
        wanted = model(*inputs).detach().numpy()
        feeds = {i.name: x.numpy() for i, x in zip(proto.graph.input, inputs, strict=True)}
        got = np.asarray(module.run(feeds)[0])
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(got, np.asarray(peer.run(None, feeds)[0]), rtol=1e-4, atol=1e-5)
