"""Calls that come again on a device: graphs of the driver, and what makes them impossible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import Device, device, nd

from ...cuda_device import MockDriver, mocked
from .decoder_layer import DecoderLayer


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> MockDriver:
    return MockDriver(tmp_path_factory.mktemp("cuda"))


@pytest.fixture(autouse=True)
def gpu(driver: MockDriver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    for _ in mocked(driver, monkeypatch):
        yield device("cuda")


def compiled(driver: MockDriver, text: str) -> Any:
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 18]> {text}')
    made = tilewright.compile(model, target="cuda", strict_plan=True, cache=False)
    driver.add(made)
    return made


CHAIN = "g (float[n, 8] x) => (float[n, 8] y) { a = Exp(x) b = Softmax(a) y = Add(b, a) }"


def chain(x: np.ndarray) -> np.ndarray:
    a = np.exp(x)
    return np.exp(a) / np.exp(a).sum(1, keepdims=True) + a


def floats(seed: int, rows: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, 8), np.float32)


class Counts:
    """How often functions of the driver are called in a block."""

    def __init__(self, driver: MockDriver) -> None:
        self._driver = driver
        self._before = self._read()

    def _read(self) -> tuple[int, int]:
        return self._driver.calls("cuLaunchKernel"), self._driver.calls("cuGraphLaunch")

    def taken(self) -> tuple[int, int]:
        """Return launches of kernels and of graphs since the last time."""
        now, before = self._read(), self._before
        self._before = now
        return now[0] - before[0], now[1] - before[1]


def test_the_third_call_is_one_launch_of_a_graph(driver: MockDriver) -> None:
    mod = compiled(driver, CHAIN)
    counts = Counts(driver)
    taken = []
    for seed in range(4):
        np.testing.assert_allclose(mod(floats(seed)).numpy(), chain(floats(seed)), rtol=1e-5)
        taken.append(counts.taken())
    launches = taken[0][0]
    assert launches > 1
    assert taken == [(launches, 0), (launches, 1), (0, 1), (0, 1)]


def test_a_decoder_step_is_one_graph(driver: MockDriver) -> None:
    """Products, attention over a cache, rotary positions and norms become one launch."""
    layer = DecoderLayer(width=128, heads=2, past=12, inner=96)
    mod = tilewright.compile(layer.model(), target="cuda", strict_plan=True, cache=False)
    driver.add(mod)
    counts, inputs = Counts(driver), layer.inputs()
    taken: list[tuple[int, int]] = []
    calls: list[list[np.ndarray]] = []
    for _ in range(3):
        calls.append([result.numpy() for result in mod.run(inputs)])
        taken.append(counts.taken())
    for first, second, third, want in zip(*calls, layer.expected(), strict=True):
        assert np.linalg.norm(first - want) <= 1e-6 * np.linalg.norm(want)
        np.testing.assert_array_equal(second, first)
        np.testing.assert_array_equal(third, first)
    assert taken == [(taken[0][0], 0), (taken[0][0], 1), (0, 1)]


def test_arrays_of_the_device_have_a_graph_per_address(driver: MockDriver, gpu: Device) -> None:
    mod = compiled(driver, CHAIN)
    xs = [nd.array(floats(seed), gpu) for seed in range(2)]
    ys = [nd.empty((3, 8), "float32", gpu) for _ in xs]
    for _ in range(3):
        for x, y in zip(xs, ys, strict=True):
            mod(x, y)
    counts = Counts(driver)
    xs[0].copyfrom(floats(7))
    for x, y in zip(xs, ys, strict=True):
        mod(x, y)
    assert counts.taken() == (0, 2)
    np.testing.assert_allclose(ys[0].numpy(), chain(floats(7)), rtol=1e-5)
    np.testing.assert_allclose(ys[1].numpy(), chain(floats(1)), rtol=1e-5)


def test_memory_that_grows_makes_old_graphs_useless(driver: MockDriver) -> None:
    mod = compiled(driver, CHAIN)
    for rows in (2, 2, 2, 9000, 2, 2, 9000, 9000, 2, 4):
        x = floats(rows, rows)
        np.testing.assert_allclose(mod(x).numpy(), chain(x), rtol=1e-5)


def test_programs_that_read_elements_have_no_graph(driver: MockDriver) -> None:
    mod = compiled(
        driver,
        """g (bool c, float[n, 8] x) => (float[n, 8] y) {
           z = If(c) <then_branch = t () => (float[n, 8] p) { p = Exp(x) },
                      else_branch = e () => (float[n, 8] q) { q = Neg(x) }>
           y = Tanh(z) }""",
    )
    counts = Counts(driver)
    for number in range(6):
        x, condition = floats(number), number % 2 == 0
        expected = np.tanh(np.exp(x) if condition else -x)
        np.testing.assert_allclose(mod(np.array(condition), x).numpy(), expected, rtol=1e-5)
    assert counts.taken()[1] == 0


def test_indices_in_an_input_are_checked_before_the_graph(driver: MockDriver) -> None:
    text = "g (float[9, 8] x, int64[k] i) => (float[k, 8] y) { a = Gather(x, i) y = Tanh(a) }"
    mod, x = compiled(driver, text), floats(4, 9)
    counts = Counts(driver)
    for seed in range(4):
        i = np.random.default_rng(seed).integers(-9, 9, 5)
        np.testing.assert_allclose(mod(x, i).numpy(), np.tanh(x[i]), rtol=1e-5)
    assert counts.taken()[1] == 3
    with pytest.raises(tilewright.OutOfRangeError, match=r"9 at \[1\] of the indices"):
        mod(x, np.array([0, 9, 0, 0, 0]))
    assert counts.taken() == (0, 0)
    np.testing.assert_allclose(mod(x, i).numpy(), np.tanh(x[i]), rtol=1e-5)


def test_a_loop_over_unaligned_rows_is_a_graph(driver: MockDriver) -> None:
    text = """g (float[3] s, float[6, 3] xs) => (float[3] y, float[6, 3] ys) {
        y, ys = Scan<num_scan_inputs = 1, body = b (float[3] v, float[3] x) =>
            (float[3] w, float[3] z) { w = Add(v, x) z = Exp(w) }>(s, xs) }"""
    mod, xs = compiled(driver, text), floats(5, 6)[:, :3].copy()
    counts = Counts(driver)
    for _ in range(3):
        y, ys = mod(xs[0], xs)
        np.testing.assert_allclose(y.numpy(), xs[0] + xs.sum(0), rtol=1e-5)
        np.testing.assert_allclose(ys.numpy(), np.exp(xs[0] + xs.cumsum(0)), rtol=1e-5)
    assert counts.taken()[1] == 2


def test_programs_that_compute_sizes_have_no_graph(driver: MockDriver) -> None:
    mod = compiled(driver, "g (float[n, 8] x) => (int64[2, m] y) { y = NonZero(x) }")
    for seed in (0, 1, 1, 2):
        x = np.where(floats(seed) > 0.5, floats(seed), 0).astype(np.float32)
        np.testing.assert_array_equal(mod(x).numpy(), np.stack(x.nonzero()))


def test_loops_of_a_fixed_number_of_steps_are_a_graph(driver: MockDriver) -> None:
    text = """g (float[2, 8] x) => (float[2, 8] y) {
        steps = Constant<value = int64 {5}>() on = Constant<value = bool {1}>()
        y = Loop(steps, on, x) <body = b (int64 i, bool c, float[2, 8] v) => (bool d, float[2, 8] w)
            { d = Identity(c) e = Tanh(v) w = Add(e, x) }> }"""
    mod, x = compiled(driver, text), floats(3, 2)
    expected = x
    for _ in range(5):
        expected = np.tanh(expected) + x
    for _ in range(4):
        np.testing.assert_allclose(mod(x).numpy(), expected, rtol=1e-5)


def test_profiles_run_each_kernel(driver: MockDriver) -> None:
    mod = compiled(driver, CHAIN)
    for _ in range(3):
        mod(floats(0))
    profile = mod.profile(floats(0), rounds=2)
    assert {kernel.name for kernel in mod.kernels} <= {row.kernel for row in profile.rows}
    np.testing.assert_allclose(mod(floats(1)).numpy(), chain(floats(1)), rtol=1e-5)
