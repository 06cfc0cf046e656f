"""Constants of torch.compile: no write to a tensor is missed, nor a neighbor's write reported.

A copy of all bytes, compared by numpy, is the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch import constants as torch_constants  # noqa: E402
from tilewright.driver.torch.constants import MOST_ALARMS, TensorBytes  # noqa: E402
from tilewright.driver.torch.page_writes import own_pages  # noqa: E402

BYTES = 1 << 18
MECHANISMS = ["pages", "copies"]


@pytest.fixture(params=MECHANISMS)
def mechanism(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "pages" and own_pages() is None:
        pytest.skip("the system does not record writes to memory")
    if request.param == "pages":
        yield request.param
        return
    with mock.patch.object(torch_constants, "own_pages", return_value=None):
        yield request.param


def carved(memory: np.ndarray, rng: np.random.Generator) -> list[Any]:
    """Return tensors in random ranges of memory, with gaps of any size; some ranges overlap."""
    tensors: list[Any] = []
    at = 0
    while at < BYTES - 40000:
        count = int(rng.choice([0, 4, 300, 4096, 9000, 40000]))
        tensors.append(torch.from_numpy(memory[at : at + count]))
        at += max(count + int(rng.choice([0, 0, 60, 5000, -200])), 0) + (count == 0)
    return tensors


@pytest.mark.parametrize("seed", range(6))
def test_every_write_is_seen(seed: int, mechanism: str) -> None:
    rng = np.random.default_rng(seed)
    memory = np.zeros(BYTES, np.uint8)
    tensors = carved(memory, rng)
    held = [TensorBytes(tensors), TensorBytes(tensors[::2])]
    kept = [memory.copy()] * 2
    for step in range(60):
        for _ in range(int(rng.integers(3))):
            at = int(rng.integers(BYTES))
            memory[at : at + int(rng.choice([1, 5000]))] ^= np.uint8(rng.integers(2))
        for n, some in enumerate([tensors, tensors[::2]]):
            if rng.integers(2):
                continue
            same = memory.copy()
            want = []
            for position, tensor in enumerate(some):
                at = tensor.data_ptr() - memory.ctypes.data
                count = tensor.numel()
                if count and (same[at : at + count] != kept[n][at : at + count]).any():
                    want.append(position)
            got = held[n].changed(some)
            assert set(want) <= set(got), (step, want, got)
            assert held[n].changed(some) == got
            if mechanism == "copies":
                assert got == want
            if got:
                held[n], kept[n] = TensorBytes(some), same
                assert held[n].changed(some) == []


def test_writes_to_neighbors_are_no_changes(mechanism: str) -> None:
    memory = np.zeros(BYTES, np.uint8)
    tensors = [torch.from_numpy(memory[100:90000]), torch.from_numpy(memory[90100:200000])]
    held = TensorBytes(tensors)
    for _ in range(3 * MOST_ALARMS):
        memory[90050] += 1
        memory[200000] += 1
        assert held.changed(tensors) == []
    memory[90099] += 1
    memory[90100] += 1
    assert held.changed(tensors) == [1]
    held = TensorBytes(tensors)
    memory[150000] += 1
    assert held.changed(tensors) == [1]


def test_a_moved_tensor_is_changed(mechanism: str) -> None:
    tensors = [torch.zeros(30000), torch.zeros(30000), torch.zeros(3)]
    held = TensorBytes(tensors)
    tensors[1].set_(torch.ones(30000))
    tensors[2].data = torch.ones(3)
    assert held.changed(tensors) == [1, 2]


def test_large_tensors_are_not_compared() -> None:
    if own_pages() is None:
        pytest.skip("the system does not record writes to memory")
    tensors = [torch.zeros(300000), torch.zeros(3)]
    held = TensorBytes(tensors)
    compare = mock.Mock(return_value=0)
    with mock.patch.object(torch_constants, "_compare_bytes", return_value=compare):
        held.changed(tensors)  # the first call may have alarms about pages of neighbors
        compare.reset_mock()
        assert held.changed(tensors) == []
    assert sum(count for _, _, count in (call.args for call in compare.call_args_list)) <= 3 * 4096


def test_shared_memory_is_compared() -> None:
    tensor = torch.zeros(300000).share_memory_()
    held = TensorBytes([tensor])
    assert held.changed([tensor]) == []
    tensor[200000] = 1
    assert held.changed([tensor]) == [0]
