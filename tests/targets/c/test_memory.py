"""Limits of memory: plans that fit, their results, and the error of a model that does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import TargetError
from tilewright.targets.c import loading
from tilewright.tools.boards import run_on_board

from ...lowering.test_main_in_c import parsed
from .person_detection import IMAGE, byte_network, float_network
from .test_boards import on_boards


@pytest.fixture(autouse=True)
def _with_compiler() -> None:
    if loading.c_compiler() is None:
        pytest.skip("no C compiler")


def compiled(model: onnx.ModelProto, limit: str = "", **options: str) -> tilewright.CompiledModule:
    target = f"c -max-ram={limit}" if limit else "c"
    return tilewright.compile(model, target=target, cache=False, strict_plan=True, **options)


def ram_of(module: tilewright.CompiledModule) -> int:
    found = re.search(r"_ARENA_BYTES (\d+)", module.get_source("h"))
    assert found is not None
    return int(found[1])


def branches() -> onnx.ModelProto:
    """Return a model in which two convolutions read one value, which so stays whole."""
    model = parsed("""branches (float[1, 4, 16, 16] image) => (float[1, 4, 16, 16] y) {
      a = Conv (image, w) whole = Relu (a) c = Conv <group = 4, pads = [1, 1, 1, 1]> (whole, d)
      e = Conv <group = 4, pads = [1, 1, 1, 1]> (whole, v) f = Conv (e, w) y = Add (c, f) }""")
    rng = np.random.default_rng(1)
    for name, shape in (("w", (4, 4, 1, 1)), ("d", (4, 1, 3, 3)), ("v", (4, 1, 3, 3))):
        array = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "shape", "last", "share"),
    [
        (lambda: float_network(24, 4), (1, 1, 24, 24), r"layer\d_relu \(\d+\)", 0.6),
        (branches, (1, 4, 16, 16), r"whole \(\d+\)", 0.9),
    ],
    ids=["chain", "branches"],
)
def test_smaller_plans_fit_and_give_the_same_bits(
    make: Callable[[], onnx.ModelProto], shape: tuple[int, ...], last: str, share: float
) -> None:
    model, image = make(), np.random.default_rng(0).standard_normal(shape, np.float32)
    free = compiled(model, precision="strict")
    (want,) = free.run([image])
    needed = [ram_of(free)]
    while True:
        try:
            made = compiled(model, str(needed[-1] - 1), precision="strict")
        except TargetError as err:
            text = str(err)
            break
        np.testing.assert_array_equal(made.run([image])[0], want)
        needed.append(ram_of(made))
    assert needed == sorted({*needed}, reverse=True)
    assert needed[-1] < share * needed[0]
    assert "do not fit into the memory of the target" in text
    assert re.search(last, text)


def test_without_need_the_plan_is_the_fast_one() -> None:
    model = float_network(24, 2)
    free = compiled(model)
    assert len(compiled(model, str(ram_of(free))).kernels) == len(free.kernels)


@on_boards
@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize(("limit", "most"), [("", 57_000), ("32K", 32 << 10)])
def test_a_person_detector_takes_the_predicted_memory(limit: str, most: int) -> None:
    (want,) = compiled(byte_network()).run([IMAGE])
    made = tilewright.compile(
        byte_network(),
        target=f"c -mcpu=cortex-m4{f' -max-ram={limit}' if limit else ''}",
        cache=False,
        strict_plan=True,
    )
    run = run_on_board(made, {"image": IMAGE}, "cortex-m4")
    np.testing.assert_array_equal(run.outputs["scores"], np.asarray(want))
    assert ram_of(made) <= most
    assert 0 <= run.arena_bytes - ram_of(made) < 4, "the board counts words"
    assert run.instructions < 40_000_000
