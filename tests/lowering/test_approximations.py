"""Accuracy of math functions that use a GPU's approximations, with emulated instructions.

The emulated instructions return the correctly rounded result, or the number 1 or 2 units of the
last place above or below it, and flush subnormal numbers as the PTX ISA states.
"""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.lowering.loop_to_llvm import kernel
from tilewright.lowering.loop_to_llvm.emitter import KernelEmitter
from tilewright.lowering.loop_to_llvm.math_builder import MathBuilder
from tilewright.lowering.loop_to_llvm.math_exp import exp2
from tilewright.lowering.loop_to_llvm.types import LlvmType
from tilewright.support.accuracy import FUNCTIONS

from .native import AVX2, RUNNABLE, SSE2
from .test_math_accuracy import F32, INF, NAN, SPECIAL, evaluate, exact, samples, ulps

TARGET = AVX2 if AVX2 in RUNNABLE else SSE2
OFF = {"exp2": 2, "exp2_of_normals": 2, "reciprocal": 1}
"""The documented error of each instruction, in units of the last place."""


class Emulator(KernelEmitter):
    """An emitter whose target has approximations.

    sign: the direction of their errors, 0 for none.
    """

    sign = 0

    @property
    def approximates(self) -> bool:
        return not self.strict_math

    def approximate(self, function: str, type_: LlvmType, x: str) -> str:
        m = MathBuilder(self, type_)
        flushes = function != "exp2"
        wide = MathBuilder(self, type_.of("f64"))
        if function == "reciprocal":
            x = self._flushed(m, x)
            y = wide.div(wide.const(1.0), self.cast("fpext", x, type_, wide.type))
        else:
            y = exp2(wide, self.cast("fpext", x, type_, wide.type))
        rounded = self.cast("fptrunc", y, wide.type, type_)
        is_inner = m.logic(
            "and",
            m.compare("olt", m.abs(rounded), m.const(2.0**127)),
            m.compare("ogt", m.abs(rounded), m.const(2.0**-126)),
        )
        moved = m.from_bits(m.int_op("add", m.to_bits(rounded), self.sign * OFF[function]))
        out = m.select(is_inner, moved, rounded)
        return self._flushed(m, out) if flushes else out

    @staticmethod
    def _flushed(m: MathBuilder, x: str) -> str:
        is_small = m.compare("olt", m.abs(x), m.const(2.0**-126))
        return m.select(is_small, m.copysign(m.const(0.0), x), x)


@pytest.fixture(params=[-1, 0, 1])
def _emulated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Emulator, "sign", request.param)
    monkeypatch.setattr(kernel, "KernelEmitter", Emulator)
    return


emulated = pytest.mark.usefixtures("_emulated")


@emulated
@pytest.mark.parametrize(
    ("name", "interval"),
    [
        ("exp", (-110, 100)),
        ("exp2", (-155, 130)),
        ("sinh", (-95, 95)),
        ("cosh", (-95, 95)),
        ("tanh", (-12, 12)),
        ("erf", (-6, 6)),
        ("rsqrt", (1e-30, 3e30)),
    ],
)
def test_errors_are_within_the_documented_bounds(name: str, interval: tuple[float, float]) -> None:
    x = samples(*interval, F32)
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble) if name != "erf" else x.astype(np.float64)
        want = exact(name)(wide)
    error = ulps(evaluate(f"math.{name}", x, target=TARGET), want)
    bound = FUNCTIONS[name].approximated
    assert bound is not None
    assert error <= bound + 0.01, f"{error:.2f} ulp"


@emulated
def test_exp_inside_softmax_flushes_only_tiny_results() -> None:
    x = np.linspace(-120, 0, 60001, dtype=F32)
    got = evaluate("math.exp", x, target=TARGET, attributes="fastmath<afn>")
    want = np.exp(x.astype(np.longdouble))
    is_normal = want > 2.0**-125
    assert ulps(got[is_normal], want[is_normal]) <= 4.51
    assert (got[~is_normal] <= 2.0**-124).all()
    assert got[0] == 0


@emulated
@pytest.mark.parametrize("name", ["exp", "exp2", "tanh", "sinh", "cosh", "erf"])
def test_special_values_are_exact(name: str) -> None:
    with np.errstate(all="ignore"):
        want = exact(name)(SPECIAL.astype(np.float64)).astype(F32)
    got = evaluate(f"math.{name}", SPECIAL.astype(F32), target=TARGET)
    is_special = ~np.isfinite(want) | (want == 0)
    np.testing.assert_array_equal(got[is_special], want[is_special])


def quotients(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return evaluate("arith.divf", a, b, target=TARGET)


@emulated
def test_quotients_are_within_one_ulp() -> None:
    rng = np.random.default_rng(0)
    exponents = rng.integers(-60, 60, (2, 60000))
    a, b = (rng.uniform(1, 2, exponents.shape) * 2.0**exponents).astype(F32)
    want = a.astype(np.longdouble) / b
    assert ulps(quotients(a, b), want) <= 1.01
    whole = rng.integers(1, 4096, (2, 60000)).astype(F32)
    np.testing.assert_array_equal(quotients(whole[0] * whole[1], whole[1]), whole[0])


@emulated
def test_quotients_of_extreme_numbers() -> None:
    a = np.array([0, 1, -1, 1, INF, INF, 0, NAN, 1, 3e38, 3e38, -3e38, 1e-30, 1, 2.0**127])
    b = np.array([2, INF, -INF, 0, 2, INF, 0, 1, NAN, 2e38, 1e-30, 3e38, 3e38, 3e38, 2.0**127])
    with np.errstate(all="ignore"):
        want = (a.astype(F32) / b.astype(F32)).astype(F32)
    got = quotients(a.astype(F32), b.astype(F32))
    is_normal = ~(np.abs(want) < 2.0**-126) | (want == 0)
    assert ulps(got[is_normal], want[is_normal].astype(np.longdouble)) <= 1.01
    assert (np.abs(got[~is_normal]) < 2.0**-125).all()
