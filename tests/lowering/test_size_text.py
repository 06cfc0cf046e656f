"""Values of dimension expressions in LLVM IR and C: shared products, and the check of 64 bits."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.dialects.shape import Dim, Extent
from tilewright.lowering.main.c_functions import HEAD, parts_text
from tilewright.lowering.main.c_integers import CIntegers, CStatements
from tilewright.lowering.main.llvm_integers import LlvmIntegers
from tilewright.lowering.main.size_text import LARGEST, CheckedSizeText, SizeText

from ..driver.export.test_export import c_compiler
from .native import HOST, Compiled
from .test_main_in_c import FLAGS

B, S = Dim.sym("b"), Dim.sym("s")
SIZES = [
    4 * B * S + 1, 8 * B * S - 3 * S, B * B - 2 * B, (S + 1) // 2 * 16 + B, (B * S) % 7 * 100,
    (B + S) % 8 * 3, (S - 5).max(B) * S, B.ceildiv(S + 1) * 64,
]  # fmt: skip


class Lines:
    """A function of %b and %s under construction."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: set[str] = set()

    def emit(self, instruction: str) -> str:
        self.lines.append(f" %t{len(self.lines)} = {instruction}")
        return f"%t{len(self.lines) - 1}"


class Checked:
    """The flag of 64 bits for sizes b and s, and the values of expressions over them."""

    def __init__(self, dims: list[Dim]) -> None:
        self.code, self.count = Compiled(checked_text(dims), HOST), len(dims)
        prototype = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self.entry = prototype(self.code.address("f"))

    def __call__(self, b: int, s: int) -> tuple[bool, list[int]]:
        values = (ctypes.c_int64 * self.count)()
        return self.entry(b, s, ctypes.addressof(values)), list(values)


def checked_text(dims: list[Dim]) -> str:
    """Return a function (b, s, values) that stores values and returns the flag of 64 bits."""
    text = Lines()
    sizes = CheckedSizeText(LlvmIntegers(text))
    sizes.values.update({B: "%b", S: "%s"})
    for number, dim in enumerate(dims):
        value = sizes.value(dim)
        at = text.emit(f"getelementptr i64, ptr %out, i64 {number}")
        text.lines.append(f" store i64 {value}, ptr {at}")
    flag = sizes.overflow()
    body = [*text.declarations, "define i1 @f(i64 %b, i64 %s, ptr %out) {", *text.lines]
    return "\n".join([*body, f" ret i1 {flag}", "}"])


class CheckedInC(Checked):
    """The same in C, compiled by a C compiler."""

    def __init__(self, dims: list[Dim]) -> None:
        text = CStatements(set())
        sizes = CheckedSizeText(CIntegers(text))
        sizes.values.update({B: "b", S: "s"})
        for number, dim in enumerate(dims):
            text.line(f"out[{number}] = {sizes.value(dim)};")
        text.line(f"return {sizes.overflow()};")
        head = "bool f(int64_t b, int64_t s, int64_t *out)"
        source = "\n".join([HEAD, *parts_text(text.used), head, "{", *text.lines, "}"])
        with TemporaryDirectory() as folder:
            made = Path(folder) / "sizes.so"
            command = [*c_compiler(), *FLAGS, "-shared", "-x", "c", "-", "-o", str(made)]
            subprocess.run(command, input=source.encode(), check=True)
            self.library, self.count = ctypes.CDLL(str(made)), len(dims)
        prototype = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        self.entry = prototype(("f", self.library))


@pytest.fixture(scope="module", params=[Checked, CheckedInC])
def function(request: pytest.FixtureRequest) -> Checked:
    return request.param(SIZES)


@given(b=st.integers(0, 1 << 21), s=st.integers(0, 1 << 20))
def test_the_code_computes_the_expressions(function: Checked, b: int, s: int) -> None:
    wrong, values = function(b, s)
    assert not wrong
    assert values == [dim.evaluate({"b": b, "s": s}) for dim in SIZES]


@given(b=st.integers(0, (1 << 63) - 1), s=st.integers(0, (1 << 63) - 1))
def test_values_are_right_or_reported(function: Checked, b: int, s: int) -> None:
    wrong, values = function(b, s)
    assert wrong or values == [dim.evaluate({"b": b, "s": s}) for dim in SIZES]


@pytest.mark.parametrize("kind", [Checked, CheckedInC])
@pytest.mark.parametrize(("s", "wrong"), [(LARGEST // 8, False), (LARGEST // 8 + 1, True)])
def test_the_largest_sum(kind: type[Checked], s: int, wrong: bool) -> None:
    assert kind([8 * S, B])(0, s)[0] == wrong


def test_strides_share_the_product_of_sizes() -> None:
    text = Lines()
    sizes = SizeText(LlvmIntegers(text))
    sizes.values.update({B: "%b", S: "%s"})
    strides: list[Extent] = [B * S * factor for factor in (1, 2, 3, 2)]
    assert [sizes.value(stride) for stride in strides] == ["%t0", "%t1", "%t2", "%t1"]
    assert len(text.lines) == 3
