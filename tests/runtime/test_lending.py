"""Arrays that a Python function keeps after a call of compiled code stay as they were."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import ArgumentError, te
from tilewright.runtime.abi import lending
from tilewright.runtime.abi.ndarray import NDArray

SIZE = 200
Callback = Callable[[NDArray, NDArray], object]
Keep = Callable[[NDArray], object]


@pytest.fixture
def build() -> Iterator[Callable[[Callback], Any]]:
    """Return a maker of modules that compute 6 x, by way of a function that copies 2 x."""

    def made(function: Callback) -> Any:
        tilewright.register_func("test.copy", function, override=True)
        x = te.placeholder((SIZE,), name="x")
        twice = te.compute((SIZE,), lambda i: x[i] * 2, name="twice")
        copy = te.extern(
            (SIZE,),
            [twice],
            lambda ins, outs: te.call_packed("test.copy", "text", ins[0], outs[0]),
            name="copy",
        )
        result = te.compute((SIZE,), lambda i: copy[i] * 3, name="result")
        return tilewright.build([x, result], name="six")

    yield made
    tilewright.remove_global_func("test.copy")


def filled(value: float) -> np.ndarray[Any, Any]:
    return np.full(SIZE, value, np.float32)


def copy(x: NDArray, out: NDArray) -> None:
    out.numpy()[...] = x.numpy()


def _torch(x: NDArray) -> object:
    return pytest.importorskip("torch").from_dlpack(x)


KEEPS: dict[str, Keep] = {
    "ndarray": lambda x: x,
    "array": np.asarray,
    "view": lambda x: x[1:],
    "view of a view": lambda x: np.asarray(x)[1:].reshape(-1, 1)[::2],
    "memoryview": lambda x: memoryview(x.numpy()),
    "closure": lambda x: lambda: x.numpy(),
    "torch": _torch,
}


def elements(kept: object) -> set[float]:
    value = kept() if callable(kept) else kept
    return set(np.asarray(value).ravel().tolist())


@pytest.mark.parametrize("kind", KEEPS)
def test_kept_arrays_outlive_the_module(build, kind: str) -> None:
    kept: list[object] = []

    def keep(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        kept.extend((KEEPS[kind](x), KEEPS[kind](out)))

    module = build(keep)
    for value in range(1, 5):
        assert elements(module(filled(value))) == {6 * value}
    del module
    gc.collect()
    junk = [filled(7) for _ in range(10)]
    assert [elements(each) for each in kept] == [{2.0 * (1 + n // 2)} for n in range(8)]
    del junk


@pytest.mark.parametrize("kind", [kind for kind in KEEPS if kind not in ("ndarray", "closure")])
def test_a_view_that_a_later_call_keeps_is_an_error_once(build, kind: str) -> None:
    kept: list[object] = []

    def keep(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        if x[0] > 5:
            kept.append(KEEPS[kind](x))

    module = build(keep)
    for value in (1, 2):
        assert elements(module(filled(value))) == {6 * value}
    with pytest.raises(ArgumentError, match=r"test\.copy keeps an array") as caught:
        module(filled(3))
    assert "argument 1" in str(caught.value)  # argument 0 is the text
    for value in (4, 5):
        assert elements(module(filled(value))) == {6 * value}
    del module
    gc.collect()
    assert [elements(each) for each in kept[1:]] == [{8.0}, {10.0}]
    assert len(elements(kept[0])) >= 1  # its memory is still there


def test_functions_that_keep_nothing_receive_the_memory_itself(build) -> None:
    addresses: list[int] = []

    def look(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        addresses.append(x.numpy().ctypes.data)

    module = build(look)
    taken = 0

    def take_copy(array: NDArray) -> Any:
        nonlocal taken
        taken += 1
        return original(array)

    original = NDArray.take_copy
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NDArray, "take_copy", take_copy)
        for value in range(1, 6):
            assert elements(module(filled(value))) == {6 * value}
    assert taken == 2  # the two arrays of the first call
    assert len({*addresses[1:]}) == 1


def test_a_large_first_call_lends_its_memory(build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lending, "_MOST_COPIED_BYTES", 8 * SIZE - 1)
    kept: list[object] = []

    def keep(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        kept.append(x.numpy())

    module = build(keep)
    with pytest.raises(ArgumentError, match="keeps an array"):
        module(filled(1))
    assert elements(module(filled(2))) == {12}


def test_arrays_of_a_traceback_stay(build) -> None:
    def fail(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        if x[0] > 2:
            raise KeyError("the reason")

    module = build(fail)
    module(filled(1))
    for value in (3, 4):
        with pytest.raises(KeyError, match="the reason") as caught:
            module(filled(value))
        local = caught.traceback[-1].locals
        module(filled(1))
        assert elements(local["x"]) == elements(local["out"]) == {2 * value}


def test_values_that_hold_an_argument_are_copies(build) -> None:
    seen: list[object] = []

    def look(_: str, x: NDArray, out: NDArray) -> object:
        copy(x, out)
        seen.append({"x": x.numpy()})
        return [x, {"out": out}]

    module = build(look)
    for value in (1, 2, 3):
        module(filled(value))
    assert [elements(each["x"]) for each in seen] == [{2}, {4}, {6}]  # pyright: ignore


def test_read_only_memory_is_not_written() -> None:
    tilewright.register_func("test.write", lambda x, out: out.numpy().fill(x.numpy()[0]))
    x = te.placeholder((SIZE,), name="x")
    made = te.extern(
        (SIZE,), [x], lambda ins, outs: te.call_packed("test.write", ins[0], outs[0]), name="y"
    )
    given = filled(3)
    given.flags.writeable = False
    module = tilewright.build([x, made])
    try:
        for _ in range(2):
            assert elements(module(given)) == {3}
    finally:
        tilewright.remove_global_func("test.write")


def test_without_counts_of_references_all_calls_take_copies(
    build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lending, "_free_references", lambda: None)
    kept: list[NDArray] = []

    def keep(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        kept.append(x)

    module = build(keep)
    for value in (1, 2, 3):
        assert elements(module(filled(value))) == {6 * value}
    assert [elements(each) for each in kept] == [{2}, {4}, {6}]


def test_calls_at_the_same_time_keep_their_own_arrays(build) -> None:
    kept: list[tuple[float, object]] = []

    def keep(_: str, x: NDArray, out: NDArray) -> None:
        copy(x, out)
        kept.append((float(x[0]), x[1:]))

    module = build(keep)

    def run(value: float) -> None:
        for _ in range(20):
            assert elements(module(filled(value))) == {6 * value}

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(run, (1, 2, 3, 4)))
    assert len(kept) == 80
    assert all(elements(array) == {value} for value, array in kept)
