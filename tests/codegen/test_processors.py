"""Programs with code for several processors of x86-64, and how they find the one they run on."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.prelude import PASSES, part_source
from tilewright.codegen.processors import SYMBOL_PROCESSOR, processor_masks
from tilewright.machines import cpuid
from tilewright.machines.target import Target, running_target
from tilewright.machines.this_machine import LLVM_NAMES
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import Library
from tilewright.runtime.host import cpu_flags
from tilewright.runtime.module.inspection import inspect_file
from tilewright.support.diagnostics import TargetError
from tilewright.testing.models import (
    conv_model,
    encoder_model,
    ffn_model,
    inputs_for,
    softmax_model,
)
from tilewright.tools.cli import main

LEVELS = "x86-64-levels"
TARGET = Target(LEVELS)
NAMES = [each.cpu for each in (TARGET, *TARGET.alternatives)]
HERE = NAMES.index(running_target(TARGET).cpu)
MACHINE = Machine("x86_64-unknown-linux-gnu")
HEAD = '<ir_version: 10, opset_import: ["" : 18]> g '
EMULATED = {"qemu64": "x86-64", "Nehalem": "x86-64-v2", "Haswell": "x86-64-v3"}
"""Processors of QEMU, and the ones whose code they run."""
needs_qemu = pytest.mark.skipif(
    shutil.which("qemu-x86_64") is None, reason="needs qemu-x86_64 (apt-get install qemu-user)"
)


def on(cpu: str, program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a program on a processor of QEMU, or on this machine for an empty name."""
    emulator = ["qemu-x86_64", "-cpu", cpu] if cpu else []
    return subprocess.run(
        [*emulator, str(program), *map(str, words)], capture_output=True, text=True, check=False
    )


def test_a_target_names_several_processors() -> None:
    target = Target("llvm -mcpu=x86-64-v1,haswell,znver4 -sums=fixed")
    assert [target.cpu, *(each.cpu for each in target.alternatives)] == [
        "x86-64", "haswell", "znver4",
    ]  # fmt: skip
    assert all(each.fixed_sums for each in target.alternatives)
    assert Target(str(target)) == target == Target(target.export())
    assert Target(str(TARGET)) == TARGET


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("haswell,x86-64-v2", "x86-64-v2, which lacks avx"),
        ("x86-64,sapphirerapids", "permission of the system"),
        ("x86-64,haswell,x86-64-v1", "x86-64, which occurs twice"),
        ("cortex-a72,cortex-a76", "-mcpu=cortex-a72,cortex-a76"),
        ("x86-64,native", "-mcpu=x86-64,native"),
        ("x86-64,haswell -l2-kib=256", "-l2-kib"),
        ("x86-64,banana", "'banana'"),
        ("x86-64,cortex-a72", "cortex-a72"),
    ],
)
def test_processors_that_do_not_fit_together_are_refused(text: str, got: str) -> None:
    with pytest.raises(TargetError) as caught:
        Target(f"llvm -mcpu={text}")
    assert got in str(caught.value.got)


def test_each_bit_is_that_of_its_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system reads the same processor: /proc/cpuinfo lists the features that it uses."""
    flags = {LLVM_NAMES.get(flag, flag) for flag in cpu_flags()}
    choice = compile_ir(part_source("processor", "x86_64"), MACHINE, passes=PASSES)
    head = "declare i32 @tw_processor()\ndefine i32 @f() {"
    calling = compile_ir(f"{head} %r = call i32 @tw_processor()\n ret i32 %r }}", MACHINE)
    found: set[str] = set()
    for feature in cpuid.BITS:
        monkeypatch.setattr(Target, "needed_features", (feature,))
        masks = compile_ir(processor_masks([TARGET]), MACHINE)
        library = Library(link((choice, calling, masks), exports=("f",)))
        if ctypes.CFUNCTYPE(ctypes.c_int32)(library.address("f"))() == 1:
            found.add(feature)
    assert found == flags & set(cpuid.BITS)


MODELS: Mapping[str, Callable[[], onnx.ModelProto]] = {
    "vecadd": lambda: onnx.parser.parse_model(HEAD + "(float[1003] x, float[1003] y) => "
                                              "(float[1003] z) { z = Add(x, y) }"),
    "product": partial(ffn_model, m=9, k=40, n=70),
    "softmax": partial(softmax_model, shape=(6, 70)),
    "cnn": partial(conv_model, channels=6, filters=12, size=11),
    "transformer": partial(
        encoder_model, batch=1, seq=3, layers=1, hidden=16, heads=2, ffn=32
    ),
    "int8": lambda: onnx.parser.parse_model(HEAD + "(uint8[5, 70] x, int8[70, 40] y) => "
                                            "(int32[5, 40] z) { z = MatMulInteger(x, y) }"),
}  # fmt: skip


SLOW = ("cnn", "softmax", "transformer")


def arrays_of(model: onnx.ModelProto) -> dict[str, Any]:
    numbers = dict(zip([each.name for each in model.graph.input], inputs_for(model), strict=True))
    types = {each.name: each.type.tensor_type.elem_type for each in model.graph.input}
    dtypes = {name: onnx.helper.tensor_dtype_to_np_dtype(code) for name, code in types.items()}
    scale = {name: 1 if dtype == np.float32 else 40 for name, dtype in dtypes.items()}
    return {name: (scale[name] * x).astype(dtypes[name]) for name, x in numbers.items()}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly if name in SLOW else ()) for name in MODELS],
)
def test_each_processor_runs_its_code(name: str, tmp_path: Path) -> None:
    """In this process the slot chooses the code, in QEMU the emulated processor does."""
    model = MODELS[name]()
    given = arrays_of(model)
    module = tilewright.compile(model, target=LEVELS)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)
    slot = ctypes.c_int32.from_address(module._library.address(SYMBOL_PROCESSOR))
    assert slot.value == -1
    module.run(given)
    assert slot.value == HERE
    for number, processor in enumerate(NAMES[: HERE + 1]):
        slot.value = number
        made = [np.array(each) for each in module.run(given)]
        alone = [np.array(each) for each in tilewright.compile(model, target=processor).run(given)]
        for got, same, right in zip(made, alone, expected, strict=True):
            assert got.tobytes() == same.tobytes()
            np.testing.assert_allclose(got, right, rtol=2e-4, atol=2e-5)


def test_sizes_and_processor_choose_together() -> None:
    model, names = ffn_model(m="rows", k=24, n=40), ["x86-64", NAMES[HERE]]
    options: dict[str, Any] = {"specialize": {"rows": [8]}}
    module = tilewright.compile(model, target=f"llvm -mcpu={','.join(names)}", **options)
    assert len(module.kernels) == 4
    slot = ctypes.c_int32.from_address(module._library.address(SYMBOL_PROCESSOR))
    for number, processor in enumerate(names):
        slot.value = number
        alone = tilewright.compile(model, target=processor, **options)
        for rows in (3, 8):
            given = np.ones((rows, 24), np.float32)
            assert module(given).numpy().tobytes() == alone(given).numpy().tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs for all levels, ``m`` and ``open``, and for the highest, ``v4``."""
    made = tmp_path_factory.mktemp("programs")
    for name, rows, target in (("m", 4, LEVELS), ("open", "rows", LEVELS), ("v4", 4, "x86-64-v4")):
        module = tilewright.compile(ffn_model(m=rows, k=24, n=40), target=target)
        module.export_library(made / name, embed=True)
    np.save(made / "x.npy", X)
    return made


X = np.random.default_rng(0).standard_normal((4, 24), np.float32)


@needs_qemu
@pytest.mark.parametrize(("cpu", "processor"), [*EMULATED.items(), ("", NAMES[HERE])])
def test_a_program_runs_on_each_processor(cpu: str, processor: str, folder: Path) -> None:
    expected = tilewright.compile(ffn_model(m=4, k=24, n=40), target="x86-64")(X).numpy()
    for program in ("m", "open"):
        done = on(cpu, folder / program, "-o", folder / "y.npy", folder / "x.npy")
        assert done.returncode == 0, done.stderr
        np.testing.assert_allclose(np.load(folder / "y.npy"), expected, rtol=1e-4, atol=1e-5)
        shown = on(cpu, folder / program).stderr.splitlines()[-1]
        assert shown == f"runs the code for the processor {processor}"


@needs_qemu
def test_a_program_for_one_processor_dies_on_an_older_one(folder: Path) -> None:
    done = on("Nehalem", folder / "v4", "-o", folder / "y.npy", folder / "x.npy")
    assert done.returncode in (-4, 128 + 4)


@pytest.mark.parametrize("name", ["m.so", "m.a", "m.tar"])
def test_files_say_which_code_they_have(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = tmp_path / "m.onnx", tmp_path / name
    onnx.save(ffn_model(m=4, k=24, n=40), model)
    assert main(["compile", str(model), "--target", LEVELS, "-o", str(file)]) == 0
    assert inspect_file(file).cpu_flags == ("sse2",)
    capsys.readouterr()
    assert main(["inspect", str(file)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"code for the processors {', '.join(NAMES)}; this machine runs {NAMES[HERE]}" in shown
    if name != "m.a":
        expected = tilewright.compile(ffn_model(m=4, k=24, n=40), target=NAMES[HERE])(X).numpy()
        np.testing.assert_array_equal(load_module(file)(X).numpy(), expected)


CALLER = """
#include <stdio.h>
#include "m.h"
static float x[4 * 24], y[4 * 40];
int main(void)
{
    int64_t in[] = {4, 24}, out[] = {4, 40};
    struct tw_tensor tensors[] = {m_tensor(0, x, in), m_tensor(1, y, out)};
    if (fread(x, 1, sizeof x, stdin) != sizeof x || m_call(tensors) != 0)
        return puts(m_last_error), 1;
    return fwrite(y, 1, sizeof y, stdout) != sizeof y;
}
"""


@needs_qemu
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_program_in_c_links_code_for_all_processors(tmp_path: Path) -> None:
    module = tilewright.compile(ffn_model(m=4, k=24, n=40), target=LEVELS)
    module.export_library(tmp_path / "m.a", embed=True)
    (tmp_path / "main.c").write_text(CALLER)
    built = ["gcc", "-o", "main", "main.c", "m.a", "-lpthread"]
    subprocess.run(built, cwd=tmp_path, check=True)
    for cpu, processor in {**EMULATED, "": NAMES[HERE]}.items():
        command = [*(["qemu-x86_64", "-cpu", cpu] if cpu else []), "./main"]
        done = subprocess.run(
            command, cwd=tmp_path, input=X.tobytes(), capture_output=True, check=False
        )
        assert done.returncode == 0, (cpu, done.stderr)
        alone = tilewright.compile(ffn_model(m=4, k=24, n=40), target=processor)
        assert done.stdout == alone(X).numpy().tobytes(), cpu


def test_processors_share_the_weights_of_products_of_rows() -> None:
    """The register tiles of all levels have widths that divide the largest one."""
    alone, fat = (
        tilewright.compile(ffn_model(m=24, k=24, n=192), target=target)
        for target in ("x86-64-v4", LEVELS)
    )
    assert fat.manifest.weights_bytes == alone.manifest.weights_bytes
    slot = ctypes.c_int32.from_address(fat._library.address(SYMBOL_PROCESSOR))
    x = np.random.default_rng(0).standard_normal((24, 24), np.float32)
    for number, processor in enumerate(NAMES[: HERE + 1]):
        slot.value = number
        same = tilewright.compile(ffn_model(m=24, k=24, n=192), target=processor)
        np.testing.assert_array_equal(fat(x).numpy(), same(x).numpy())
