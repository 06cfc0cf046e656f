"""Modules for another machine: this one compiles and exports them, and the other one runs them."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnx.parser
import pytest

import tilewright
from tilewright import te
from tilewright.driver.report.texts import source_at
from tilewright.machines.cpu import MACHINES
from tilewright.machines.target import Target
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.module.inspection import inspect_file
from tilewright.support.diagnostics import TargetError
from tilewright.testing.models import ffn_model, residual_model
from tilewright.tools.cli import main

OTHERS = {"x86_64": ("cortex-a72", "aarch64"), "aarch64": ("x86-64-v3", "x86_64")}
CPU, MACHINE = OTHERS[Target.native().architecture]
OTHER = f"llvm -mtriple={MACHINE}-linux-gnu -mcpu={CPU}"
X = np.random.default_rng(0).standard_normal((3, 8), np.float32)


QEMU = f"qemu-{MACHINE}"


def missing(machine: str) -> str:
    """Return why this machine cannot run programs of another one; empty if it can."""
    if shutil.which(f"qemu-{machine}") is None:
        return f"needs qemu-{machine} (apt-get install qemu-user)"
    if find_spec("ziglang") is None:
        return "needs the package ziglang, which has a C compiler and C libraries"
    return ""


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return tilewright.compile(ffn_model(m="rows", k=8, n=8), target=OTHER)


def test_a_module_for_another_machine_shows_its_code(module: tilewright.CompiledModule) -> None:
    here = tilewright.compile(ffn_model(m="rows", k=8, n=8))
    assert str(module) == str(here)
    assert module.kernels
    assert CPU in module.get_source("asm").splitlines()[0]
    assert module.manifest.weights_bytes == np.asarray(module.weights).nbytes


@pytest.mark.parametrize("name", ["m.so", "m.o", "m.a", "m.tar"])
def test_it_is_exported(name: str, module: tilewright.CompiledModule, tmp_path: Path) -> None:
    module.export_library(tmp_path / name)
    assert inspect_file(tmp_path / name).machine == MACHINE


def test_each_call_on_another_machine_is_an_error_of_its_own(
    module: tilewright.CompiledModule,
) -> None:
    depths: list[int] = []
    for _ in range(3):
        with pytest.raises(LoadError, match="cannot run the code") as caught:
            module(X)
        depths.append(len(caught.traceback))
    assert len(set(depths)) == 1


@pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"needs {QEMU} (apt-get install qemu-user)")
def test_an_emulator_runs_a_program(module: tilewright.CompiledModule, tmp_path: Path) -> None:
    module.export_library(tmp_path / "m")
    np.save(tmp_path / "x.npy", X)
    subprocess.run([QEMU, "./m", "-o", "y.npy", "x.npy"], cwd=tmp_path, check=True)
    here = tilewright.compile(ffn_model(m="rows", k=8, n=8))
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), here(X).numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["m.so", "m.o", "m.a", "m.tar"])
def test_the_command_writes_it(name: str, tmp_path: Path) -> None:
    model, made = tmp_path / "m.onnx", tmp_path / name
    onnx.save(ffn_model(m=2, k=8, n=8), model)
    assert main(["compile", str(model), "--target", OTHER, "-o", str(made)]) == 0
    assert inspect_file(made).machine == MACHINE


@pytest.mark.parametrize("name", ["m.so", "m.o", "m.a", "m.tar"])
@pytest.mark.parametrize("target", ["riscv64", "sifive-p670"])
def test_a_module_for_risc_v_is_exported(name: str, target: str, tmp_path: Path) -> None:
    module = tilewright.compile(ffn_model(m="rows", k=8, n=8), target=target)
    module.export_library(tmp_path / name)
    assert inspect_file(tmp_path / name).machine == "riscv64"
    with pytest.raises(LoadError, match="riscv64"):
        module(X)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("cortex-m55", f"a processor of {', '.join(MACHINES)}"),
        ("llvm -mtriple=riscv64-pc-windows-msvc", "x86_64 or aarch64"),
        ("llvm -mtriple=aarch64-none-elf", "linux-gnu or linux-musl or linux-android"),
    ],
)
def test_a_module_is_refused_before_any_work(target: str, expected: str) -> None:
    with pytest.raises(TargetError) as caught:
        tilewright.compile(ffn_model(m=2, k=8, n=8), target=target)
    assert caught.value.expected == expected


def test_a_system_without_modules_has_assembly() -> None:
    model, target = ffn_model(m=2, k=8, n=8), "llvm -mtriple=arm64-apple-darwin"
    assert "__TEXT,__text" in source_at(model, "asm", target=target)
    with pytest.raises(TargetError, match="machine code for the target is not made"):
        source_at(model, "asm", target="cortex-m4")
    assert "loop.for" in source_at(model, "loop", target="cortex-m4")


def test_the_level_of_the_code_generator_reaches_llvm() -> None:
    model, target = ffn_model(m=2, k=8, n=8), "x86-64-v3 -opt-level="
    texts = [source_at(model, "asm", target=f"{target}{n}").partition("\n")[2] for n in (0, 2)]
    assert len(texts[0]) > 1.2 * len(texts[1])
    assert source_at(model, "asm", target="x86-64-v3").partition("\n")[2] == texts[1]


CALLS: dict[str, Callable[[Any], object]] = {
    "call": lambda module: module(X),
    "run": lambda module: module.run([X]),
    "main": lambda module: module["main"](X, np.empty((3, 8), np.float32)),
    "output_shapes": lambda module: module.output_shapes([X.shape]),
    "time_evaluator": lambda module: module.time_evaluator("main", tilewright.cpu())(X),
    "profile": lambda module: module.profile([X]),
    "copy": lambda module: pickle.loads(pickle.dumps(module)),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_says_which_machine_runs_it(call: str, module: tilewright.CompiledModule) -> None:
    with pytest.raises(LoadError, match=f"machine(.|\\n)*expected: .*(.|\\n)*{MACHINE}"):
        CALLS[call](module)


def test_a_session_says_which_machine_runs_it() -> None:
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 18]>
        total (float[4] x, float[4] before) => (float[4] after) { after = Add (x, before) }""")
    module = tilewright.compile(model, target=OTHER, state={"before": "after"})
    with pytest.raises(LoadError, match=MACHINE):
        module.session()


def test_tensor_expressions_are_built_for_another_machine(tmp_path: Path) -> None:
    a = te.placeholder((te.var("n"),), name="A")
    module = tilewright.build(
        [a, te.compute(a.shape, lambda i: a[i] + 1.0, name="B")], target=OTHER
    )
    module.export_library(tmp_path / "add.so")
    with pytest.raises(LoadError, match="the code is for another machine"):
        load_module(tmp_path / "add.so")


def test_a_processor_that_this_machine_lacks_is_another_machine() -> None:
    if Target.native().architecture != "x86_64" or Target.native().has("amx-tile"):
        pytest.skip("this machine has all extensions of x86-64")
    module = tilewright.compile(ffn_model(m=2, k=8, n=8), target="sapphirerapids")
    with pytest.raises(LoadError, match="amx_tile"):
        module(X[:2])


PROGRAM = """
#include <stdio.h>
#include "net.h"
static float x[%(inputs)d], y[%(outputs)d];

int main(void)
{
    const void *data[2] = {x, y};
    struct tw_tensor tensors[2];
    static const int64_t shapes[2][4] = {{%(shape)s}, {%(shape)s}};
    if (fread(x, sizeof x, 1, stdin) != 1)
        return 2;
    for (int n = 0; n < 2; n++)
        tensors[n] = net_tensor(n, data[n], shapes[n]);
    if (net_apply(net_main, tensors, NET_ARGUMENTS) != 0) {
        fputs(net_last_error, stderr);
        return 1;
    }
    return fwrite(y, sizeof y, 1, stdout) != 1;
}
"""


@pytest.mark.slow
@pytest.mark.nightly  # zig first compiles a C library for the other machine
@pytest.mark.parametrize(
    ("target", "machine", "name"),
    [
        (OTHER, MACHINE, "net.o"),
        (OTHER, MACHINE, "net.a"),
        ("riscv64", "riscv64", "net.o"),
        ("ppc64le", "ppc64le", "net.o"),
        ("z14", "s390x", "net.o"),
    ],
)
def test_an_emulator_runs_a_network(target: str, machine: str, name: str, tmp_path: Path) -> None:
    if reason := missing(machine):
        pytest.skip(reason)
    model = residual_model()
    module = tilewright.compile(model, target=target)
    module.export_library(tmp_path / name, embed=True)
    shape = module.inputs[0].sizes()
    count = int(np.prod(shape))
    numbers = {"inputs": count, "outputs": count, "shape": ", ".join(map(str, shape))}
    (tmp_path / "main.c").write_text(PROGRAM % numbers)
    compiler = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        f"{machine}-linux-musl".replace("ppc", "powerpc"),
    ]
    subprocess.run([*compiler, "-static", "main.c", name], cwd=tmp_path, check=True)
    x = np.random.default_rng(1).standard_normal(shape, np.float32)
    order = ">f4" if machine == "s390x" else "<f4"
    done = subprocess.run(
        [f"qemu-{machine}", "./a.out"],
        cwd=tmp_path,
        input=x.astype(order).tobytes(),
        capture_output=True,
        check=True,
    )
    (expected,) = tilewright.compile(model, cache=False).run([x])
    got = np.frombuffer(done.stdout, order).reshape(shape)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5 * abs(expected).max())
