"""Small models on every machine: in emulators, compared with onnxruntime and with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.codegen import narrow_program
from tilewright.codegen.linker import LinkError
from tilewright.driver.report.texts import source_at
from tilewright.machines.target import Target
from tilewright.runtime.errors import ArgumentError
from tilewright.targets.cpu.emit import program
from tilewright.tools.emulation import run_emulated

from .machine_models import NAMES, compiled, emulated, referenced
from .web.web_module import needs_web

SVE, RVV = "aarch64 -mattr=+sve", "riscv64 -mattr=+v"
MACHINES = {
    # The target, and the length of vectors whose length the processor chooses.
    "aarch64": ("aarch64", 0),
    "SVE of 128 bits": (SVE, 128),
    "SVE of 256 bits": (f"{SVE} -vector-bits=256", 256),
    "SVE of 512 bits": (f"{SVE} -vector-bits=512", 512),
    "code for SVE of 128 bits, with 512": (SVE, 512),
    "code for SVE of 256 bits, with 512": (f"{SVE} -vector-bits=256", 512),
    "riscv64": ("riscv64", 0),
    "RVV of 128 bits": (RVV, 128),
    "RVV of 256 bits": (f"{RVV} -vector-bits=256", 256),
    "code for RVV of 128 bits, with 256": (RVV, 256),
    "loongarch64": ("loongarch64", 0),
    "ppc64le": ("ppc64le", 0),
    "pwr9": ("pwr9", 0),
    "s390x": ("s390x", 0),
    "z14": ("z14", 0),
    "armv7": ("armv7", 0),
    "hexagon": ("hexagon", 0),
}
SAMPLE = {
    ("CNN", "ppc64le"),
    ("transformer", "s390x"),
    ("int8 product", "z14"),
    ("vector addition", "loongarch64"),
    ("product", "SVE of 256 bits"),
    ("CNN", "code for SVE of 256 bits, with 512"),
    ("softmax", "RVV of 256 bits"),
    ("CNN", "armv7"),
    ("product", "hexagon"),
}
"""The pairs that run in every test run."""
PAIRS = [
    pytest.param(name, machine, marks=[] if (name, machine) in SAMPLE else pytest.mark.nightly)
    for machine in MACHINES
    for name in NAMES
]


@pytest.mark.parametrize(("name", "machine"), PAIRS)
def test_a_model_gives_what_another_program_gives(name: str, machine: str) -> None:
    text, bits = MACHINES[machine]
    assert emulated(text)
    module, given, wanted = compiled(name, text, strict_plan=True)
    errors = run_emulated(module, given, wanted, text, bits).errors
    assert max(errors.values()) <= (0 if "int8" in name else 1e-5)


@pytest.mark.parametrize(
    "text",
    [pytest.param(each, marks=[] if each == "s390x" else pytest.mark.nightly)
     for each in ("aarch64", "riscv64", "loongarch64", "ppc64le", "s390x", "armv7", "hexagon")],
)  # fmt: skip
def test_a_wrong_kernel_is_found(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert emulated(text)
    right = program.emit_kernel

    def wrong(*arguments: Any, **attributes: Any) -> str:
        return right(*arguments, **attributes).replace("fadd", "fsub")

    monkeypatch.setattr(program, "emit_kernel", wrong)
    module, given, wanted = compiled("vector addition", text)
    assert run_emulated(module, given, wanted, text).errors["y"] > 0.1


@pytest.fixture(scope="module")
def strict() -> np.ndarray:
    """Return the outputs of the CNN on x86-64, with the sums of any processor."""
    module, given, wanted = compiled("CNN", "x86-64", precision="strict", strict_plan=True)
    (got,) = (each.numpy() for each in module.run(given))
    assert not np.array_equal(got, wanted["y"]), "the test needs a result that sums determine"
    return got


STRICT = {
    text: [] if text in ("aarch64", "riscv64", "s390x") else [pytest.mark.nightly]
    for text, bits in MACHINES.values()
    if bits in (0, Target(text).scalable_bits)
}
STRICT["wasm32"] = [pytest.mark.nightly, needs_web]


@pytest.mark.parametrize("text", [pytest.param(text, marks=m) for text, m in STRICT.items()])
def test_strict_outputs_have_the_same_bits_on_all_machines(text: str, strict: np.ndarray) -> None:
    assert emulated(text)
    module, given, _ = compiled("CNN", text, precision="strict", strict_plan=True)
    got = run_emulated(module, given, {}, text).outputs["y"]
    np.testing.assert_array_equal(got, strict)


@pytest.mark.parametrize(
    ("text", "instruction"),
    [
        (f"{SVE} -vector-bits=256", "fmla z"),
        (f"{SVE} -vector-bits=512", "fmla z"),
        (RVV, "vfmacc.vf"),
        ("armv7", "vfma.f32 q"),
        ("ppc64le", "xvmaddasp"),
        ("z14", "vfmasb"),
    ],
)
def test_a_product_multiplies_and_adds_vectors(text: str, instruction: str) -> None:
    lines = source_at(referenced("product")[0], "asm", target=text).split("\n")
    words = [line.split() for line in lines]
    found = [" ".join(word) for word in words if word and word[0] == instruction.split()[0]]
    assert sum(each.startswith(instruction) for each in found) >= 8


def test_a_program_without_zig_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = compiled("vector addition", "armv7")[0]
    with pytest.raises(ArgumentError, match="a program, a file without a suffix"):
        module.export_library(tmp_path / "sum.o")
    monkeypatch.setattr(narrow_program, "find_zig", lambda: None)
    with pytest.raises(LinkError, match=r"armv7 cannot be linked(?s:.*)tilewright\[cross\]"):
        module.export_library(tmp_path / "sum")
