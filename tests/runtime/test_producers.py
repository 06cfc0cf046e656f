"""Tensors whose memory does not hold their elements are refused, by every call and each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ArgumentError, GraphModule, cpu, nd, te
from tilewright.runtime.abi import producers
from tilewright.runtime.abi.capsules import capsule_of, dense_tensor
from tilewright.runtime.abi.ndarray import NDArray

torch = pytest.importorskip("torch")

A = te.placeholder((3,), name="a")
MODULE = tilewright.build([A, te.compute((3,), lambda i: A[i] * 2, name="b")], name="twice")


def _fake(x: Any) -> Any:
    from torch._subclasses import FakeTensorMode

    return FakeTensorMode().from_tensor(x)


# By kind: a tensor, and a part of the error.
LAZY: dict[str, tuple[Callable[[], object], str]] = {
    "negated": (lambda: torch._neg_view(torch.ones(3)), r"pass x\.resolve_neg\(\)"),
    "imaginary": (lambda: torch.ones(3, dtype=torch.complex64).conj().imag, "negated lazily"),
    "conjugated": (lambda: torch.ones(3, dtype=torch.complex64).conj(), r"resolve_conj\(\)"),
    "zero": (lambda: torch._efficientzerotensor((3,)), "has no memory"),
    "fake": (lambda: _fake(torch.ones(3)), "not stored as a dense tensor"),
    "meta": (lambda: torch.ones(3, device="meta"), "not stored as a dense tensor"),
    "sparse": (lambda: torch.ones(3).to_sparse(), "not stored as a dense tensor"),
    "mkldnn": (lambda: torch.ones(3).to_mkldnn(), "not stored as a dense tensor"),
    "masked": (lambda: np.ma.masked_array(np.ones(3, "f4"), [0, 1, 0]), r"x\.filled\(value\)"),
}


def _spellings() -> dict[str, Callable[..., object]]:
    """Return the ways to call the function of the module with an input and an output."""
    executor = GraphModule(MODULE["default"](cpu(0)))
    return {
        "module": MODULE,
        "name": MODULE["twice"],
        "main": MODULE["main"],
        "get_function": MODULE.get_function("twice"),
        "default": MODULE["default"],
        "time": MODULE.time_evaluator("twice", number=1),
        "set_input": lambda x, y: executor.set_input("a", x),
    }


def _learn(*tensors: object) -> None:
    """Let fast calls know the types of tensors: they learn them in their first call."""
    for tensor in tensors:
        with pytest.raises(ArgumentError):
            MODULE(tensor, tensor, tensor)


@pytest.mark.parametrize("kind", LAZY)
def test_elements_outside_of_memory_are_refused(kind: str) -> None:
    make, words = LAZY[kind]
    x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    _learn(torch.ones(3), make())
    for spelling, call in _spellings().items():
        with pytest.raises(ArgumentError, match=words):
            call(make(), y)
        if spelling != "set_input":
            with pytest.raises(ArgumentError, match=words):
                call(x, make())
    for call in (MODULE, lambda lazy: MODULE.run([lazy]), lambda lazy: MODULE(a=lazy)):
        with pytest.raises(ArgumentError, match=words):
            call(make())
    if kind != "masked":
        with pytest.raises(ArgumentError, match=words):
            nd.from_dlpack(make())
    assert not y.any()


def test_wrappers_of_transformations_are_refused() -> None:
    def call(x: Any) -> Any:
        with pytest.raises(ArgumentError, match="argument 0"):
            MODULE(x)
        return x

    torch.vmap(call)(torch.ones(2, 3))
    torch.func.grad(lambda x: call(x).sum())(torch.ones(3))


def test_inputs_may_require_gradients_and_outputs_may_not() -> None:
    x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
    for make in (
        lambda: torch.ones(3, requires_grad=True),
        lambda: torch.nn.Parameter(torch.ones(3)),
    ):
        for _ in range(3):  # the first call, and fast ones
            assert (np.asarray(MODULE(make())) == 2).all()
            assert (np.asarray(MODULE.run([make()])[0]) == 2).all()
            given = make()
            for spelling, call in _spellings().items():
                y[:] = 0
                call(given, y)
                assert spelling == "set_input" or (y == 2).all()
                if spelling != "set_input":
                    with pytest.raises(ArgumentError, match=r"gradients|read-only"):
                        call(x, given)
            assert given.detach().eq(1).all()
            assert not nd.from_dlpack(given).numpy().flags.writeable


def test_views_and_tensors_without_gradients_are_filled() -> None:
    x = np.ones(3, np.float32)
    views = torch.zeros(9)[3:6], torch.zeros(3, requires_grad=True).detach()
    for y in (*views, torch.zeros(3, requires_grad=True).requires_grad_(False)):
        for call in (MODULE, MODULE["twice"]):
            y.zero_()
            call(x, y)
            call(x, y)
            assert y.eq(2).all()


def test_the_guard_reads_what_torch_says() -> None:
    guard = producers.guard_of(torch.nn.Parameter)
    assert guard is not None
    assert guard.lazy
    assert producers.guard_of(NDArray) == producers.NO_GUARD


def test_a_torch_of_another_layout_has_no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(producers, "_keys", lambda library, tensor: 0)
    assert producers._torch_guard.__wrapped__() is None
    monkeypatch.setattr(producers, "_keys", lambda library, tensor: 12345)
    assert producers._torch_guard.__wrapped__() is None


def test_a_first_call_in_inference_mode_decides_nothing() -> None:
    """Tensors of inference mode have fewer dispatch keys than others."""
    for cached in (producers._plain_keys, producers._torch_guard):
        cached.cache_clear()
    with torch.inference_mode():
        inside = torch.ones(3)
        assert producers.in_memory(inside, "x") is inside
        guard = producers._torch_guard()
    for x in (inside, torch.ones(3), torch.ones(3, requires_grad=True).detach()):
        assert producers.in_memory(x, "x") is x
    producers._torch_guard.cache_clear()
    assert producers._torch_guard() == guard


def test_a_capsule_of_another_name_is_refused() -> None:
    class Other:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

        def __dlpack__(self, **options: object) -> object:
            return np.zeros(3, np.float32).__dlpack__(), "no capsule"

    with pytest.raises(ArgumentError, match="cannot be exported with DLPack"):
        MODULE(Other())


def test_a_capsule_may_be_dropped_while_an_exception_is_raised() -> None:
    memory = np.arange(6, dtype=np.float32)

    class Owner:
        returned = 0

        def __del__(self) -> None:
            Owner.returned += 1

    def capsule() -> object:
        tensor, sizes = dense_tensor(memory.ctypes.data, (3, 2), [1, 3], "float32")
        return capsule_of(tensor, (sizes, Owner()))

    for _ in range(50):
        with pytest.raises(ZeroDivisionError):  # drops the capsule on the stack of the interpreter
            print(capsule(), 1 // 0)
    assert Owner.returned == 50
    taken = np.from_dlpack(Producer(capsule()))
    np.testing.assert_array_equal(taken, memory.reshape(2, 3).T)
    assert Owner.returned == 50
    del taken
    assert Owner.returned == 51


class Producer:
    """A tensor in the memory of the host that hands out a capsule."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **options: object) -> object:
        return self._capsule
