"""The C runtime, runtime/native/tilewright.c: C programs on exported modules, under sanitizers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import te
from tilewright.runtime.abi.constants import ABI_VERSION, SYMBOL_MANIFEST
from tilewright.runtime.file.elf_reader import BUILD_ID_BYTES, Image, image_digest
from tilewright.testing.models import encoder_model, ffn_model

from ..export.test_export import c_compiler
from .hosts import (
    ADDRESSES,
    FLAGS,
    HOSTS,
    NATIVE,
    RACES,
    build,
    build_cpp,
    build_rust,
    output,
    sanitized,
    sanitizers,
    tool,
)

RUN = NATIVE.parents[1] / "examples" / "deploy" / "run.c"
SIZE_LIMIT_BYTES = 100_000


def ramp(rows: int) -> np.ndarray:
    return (np.arange(rows * 8, dtype=np.float32) / np.float32(32)).reshape(rows, 8)


def printed(text: str) -> np.ndarray:
    return np.array(text.split(), np.float32)


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)


def test_the_example_prints_the_results_of_the_module(module, tmp_path):
    assert len(RUN.read_text().splitlines()) <= 20
    module.export_library(tmp_path / "m.so")
    text = output(build(c_compiler(), RUN, tmp_path), tmp_path / "m.so")
    np.testing.assert_array_equal(printed(text), np.array(module(ramp(4))).ravel())


def prints_and_refuses(program, module, library) -> str:
    """Check what an example prints; return what it says about a library that does not exist."""
    text = output(program, library)
    np.testing.assert_array_equal(printed(text), np.array(module(ramp(4))).ravel())
    words = [str(program), "absent.so"]
    refused = subprocess.run(words, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    return refused.stderr


def test_the_example_in_cpp_prints_the_same_and_throws_errors(module, tmp_path):
    program = build_cpp(RUN.with_suffix(".cpp"), tmp_path)
    module.export_library(tmp_path / "m.so")
    stderr = prints_and_refuses(program, module, tmp_path / "m.so")
    assert stderr.startswith("RuntimeError: absent.so cannot be loaded\n  expected:")


def test_the_example_in_rust_prints_the_same_and_returns_errors(module, tmp_path):
    program = build_rust(RUN.with_suffix(".rs"), tmp_path)
    module.export_library(tmp_path / "m.so")
    stderr = prints_and_refuses(program, module, tmp_path / "m.so")
    assert "absent.so cannot be loaded" in stderr


def test_the_rust_face_refuses_wrong_calls(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    assert output(build_rust(HOSTS / "faces.rs", tmp_path), tmp_path / "m.so") == "all refused\n"


def test_a_program_runs_a_model_for_all_sizes(tmp_path):
    module = tilewright.compile(ffn_model(m="rows", k=8, n=8), threads=1)
    module.export_library(tmp_path / "m.so")
    program = sanitized("shapes.c", tmp_path)
    for rows in (1, 3, 70):
        text = output(program, tmp_path / "m.so", rows)
        np.testing.assert_array_equal(printed(text), np.array(module(ramp(rows))).ravel())


def test_functions_tensors_devices_and_arenas_work(tmp_path):
    said = output(sanitized("parts.c", tmp_path))
    assert "expected: a registered name, such as addtwo\n  got: add_two" in said
    assert "the view leaves the tensor\n  expected: bytes 0 to 24\n  got: bytes -4 to 20" in said
    assert "quiet failed without an error" in said


def test_the_bare_build_does_the_same_without_libc(tmp_path):
    hosted = output(build([tool("gcc")], HOSTS / "parts.c", tmp_path))
    assert output(build([tool("gcc")], HOSTS / "parts.c", tmp_path, "-DTW_BARE")) == hosted
    made = tmp_path / "bare.o"
    options = ("-DTW_BARE", "-ffreestanding", "-fno-stack-protector", "-Os", "-c")
    subprocess.run([tool("gcc"), *FLAGS, *options, "-o", made, NATIVE / "tilewright.c"], check=True)
    undefined = output("nm", "-u", made).split()
    # Compilers call these four for copies of structures, also without libc.
    assert {*undefined} <= {"U", "memcpy", "memmove", "memset", "memcmp"}


def test_the_stripped_runtime_is_small_and_needs_only_libc(tmp_path):
    made = tmp_path / "runtime.so"
    options = ("-O2", "-fPIC", "-shared", "-s")
    source = NATIVE / "tilewright.c"
    subprocess.run(
        [tool("gcc"), *FLAGS, *options, "-o", made, source, "-ldl", "-lpthread"], check=True
    )
    assert made.stat().st_size < SIZE_LIMIT_BYTES
    needed = [line for line in output("objdump", "-p", made).splitlines() if "NEEDED" in line]
    # Parts of glibc: older ones have more files, and thread-local data names the loader.
    libc = {"libc", "libdl", "libpthread", "ld-linux-x86-64"}
    assert {line.split()[1].split(".")[0] for line in needed} <= libc


def test_random_arguments_work_or_are_refused(module, tmp_path):
    module.export_library(tmp_path / "m.so")
    assert output(sanitized("arguments.c", tmp_path), tmp_path / "m.so") == "both\n"


def test_threads_share_modules_registry_and_pool(tmp_path):
    module = tilewright.compile(ffn_model(m=64, k=8, n=8), threads=2)
    module.export_library(tmp_path / "m.so")
    program = build([tool("gcc")], HOSTS / "threads.c", tmp_path, *sanitizers(RACES))
    assert output(program, tmp_path / "m.so") == ""


def outcomes(folder: Path, paths: list[Path]) -> list[str]:
    """Return "loaded" or the error for each library."""
    return output(sanitized("refused.c", folder), *paths).split("\n%\n")[:-1]


def test_damaged_libraries_are_refused(module, tmp_path):
    library, *_ = module.export_library(tmp_path / "m.so")
    data = library.read_bytes()
    end = max(s.offset + s.size for s in Image(data).segments if s.kind == 1 and s.flags & 2)
    rng, paths = np.random.default_rng(0), []
    for number in range(300):
        damaged = bytearray(data)
        at = int(rng.integers(64, end))
        if number % 3:
            damaged[at] ^= int(rng.integers(1, 256))
        else:
            del damaged[at:]
        paths.append(tmp_path / f"damaged{number}.so")
        paths[-1].write_bytes(damaged)
    said = outcomes(tmp_path, [*paths, library])
    assert said[-1] == "loaded"
    for text in said[:-1]:
        assert "cannot be loaded\n  expected: a library of Module.export_library\n  got: " in text


def changed(library: Path, name: str, old: str, new: str) -> Path:
    """Write a library with another text in its manifest and the build ID of the changed code."""
    data = bytearray(library.read_bytes())
    image = Image(memoryview(data))
    manifest = image.bytes_of(SYMBOL_MANIFEST)
    text = bytes(manifest)
    assert text.count(old.encode()) == 1
    manifest[:] = text.replace(old.encode(), new.encode())
    at = image.build_id_at
    data[at : at + BUILD_ID_BYTES] = image_digest(image)
    made = library.parent / name
    made.write_bytes(data)
    return made


def test_libraries_of_other_runtimes_and_processors_are_refused(module, tmp_path):
    library, *_ = module.export_library(tmp_path / "m.so")
    flag = json.loads(Image(library.read_bytes()).text(SYMBOL_MANIFEST))["cpu_flags"][0]
    other = "x" * len(flag)
    paths = [
        changed(library, "abi.so", f'"abi": {ABI_VERSION}', '"abi": 7'),
        changed(library, "processor.so", f'"cpu_flags": ["{flag}"', f'"cpu_flags": ["{other}"'),
    ]
    abi, processor = outcomes(tmp_path, paths)
    assert f"expected: ABI {ABI_VERSION}" in abi
    assert f"got: a processor without {other}" in processor


def test_a_module_with_parts_for_other_targets_is_refused_by_name(tmp_path):
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["": 20]>
        g (float[2, 4] x) => (float[2, 4] z) { y = Exp(x) z = Softmax(y) }"""
    )
    module = tilewright.compile(model, target="opencl", placement={"softmax": "llvm"})
    (said,) = outcomes(tmp_path, module.export_library(tmp_path / "m.so")[:1])
    assert "only load_module of Python runs it" in said


@pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang (the extra `check`)")
@pytest.mark.parametrize(
    "machine",
    [
        "arm-linux-musleabihf",
        *(
            pytest.param(name, marks=[pytest.mark.nightly, pytest.mark.slow])
            for name in ("x86-linux-musl", "powerpc64le-linux-musl", "riscv64-linux-musl")
        ),
    ],
)
def test_the_runtime_compiles_for_other_machines(machine, tmp_path):
    command = [sys.executable, "-m", "ziglang", "cc", "-target", machine, "-std=c99", "-Wall"]
    command += ["-Wextra", "-Werror", "-Wno-atomic-alignment", "-c", NATIVE / "tilewright.c"]
    subprocess.run([*map(str, command), "-o", tmp_path / "tilewright.o"], check=True)


def test_missing_weights_are_an_error_of_the_load(module, tmp_path):
    library, weights = module.export_library(tmp_path / "m.so")
    weights.unlink()
    (said,) = outcomes(tmp_path, [library])
    assert weights.name in said


CALLER = """
#include <stdio.h>
#include "tilewright.h"

/* Add 1 to each element of the first tensor. */
static int32_t increment(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    const struct tw_tensor *from = args[0].payload.pointer, *to = args[1].payload.pointer;
    (void)self, (void)count, (void)result;
    for (int64_t at = 0; at < from->shape[0]; at++)
        ((float *)to->data)[at] = ((const float *)from->data)[at] + 1;
    return 0;
}

int main(int argc, char **argv)
{
    struct tw_module *module;
    struct tw_function run, own = {"c_runtime.increment", increment, NULL};
    struct tw_value result;
    int64_t shape[] = {4};
    puts(tw_load(argv[argc - 1], &module) == 0 ? "loaded" : tw_error_message());
    (void)tw_register(&own, 0);
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 1, shape, TW_CPU, 0);
    struct tw_tensor_object *y = tw_tensor_new(TW_FLOAT32, 1, shape, TW_CPU, 0);
    for (int at = 0; at < 4; at++)
        ((float *)tw_data(x))[at] = (float)at;
    struct tw_value args[] = {tw_of_tensor(x), tw_of_tensor(y)};
    if (tw_load(argv[argc - 1], &module) || tw_module_find(module, "main", &run) ||
        tw_call(&run, args, 2, &result))
        return puts(tw_error_message()), 1;
    printf("%g\\n", (double)((float *)tw_data(y))[3]);
    tw_release(x);
    tw_release(y);
    tw_unload(module);
    return 0;
}
"""


def test_a_model_calls_a_registered_function_of_the_program(tmp_path):
    a = te.placeholder((4,), "float32", "a")
    b = te.extern(
        (4,), [a], lambda ins, outs: te.call_packed("c_runtime.increment", ins[0], outs[0]), "b"
    )
    tilewright.register_func("c_runtime.increment", lambda x, y: None, override=True)
    library, *_ = tilewright.build([a, b]).export_library(tmp_path / "m.so")
    (tmp_path / "caller.c").write_text(CALLER)
    said = output(
        build([tool("gcc")], tmp_path / "caller.c", tmp_path, *sanitizers(ADDRESSES)), library
    )
    assert "expected: a registered name\n  got: c_runtime.increment" in said
    assert said.endswith("\n4\n")


def test_the_page_shows_the_example():
    page = NATIVE.parents[1] / "docs" / "c-runtime.md"
    assert f"```c run.c\n{RUN.read_text()}```\n" in page.read_text()


@pytest.mark.parametrize("embed", [False, True])
def test_verification_finds_each_changed_byte_of_the_weights(tmp_path, embed):
    module = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    library, *weights = module.export_library(tmp_path / "m.so", embed=embed)
    changed = weights[0] if weights else library
    data = changed.read_bytes()
    start = Image(data).code_end if embed else 8 + int.from_bytes(data[:8], "little")
    program = sanitized("verified.c", tmp_path)
    assert output(program, library) == "verified\n%\n"
    for at in np.random.default_rng(0).integers(start, len(data), 12):
        damaged = bytearray(data)
        damaged[at] ^= 64
        changed.write_bytes(damaged)
        assert "that differ from their digest" in output(program, library)


def test_random_damage_of_weights_is_refused_or_verified(tmp_path):
    """Without verification a changed weight is read; nothing else is accepted."""
    module = tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)
    library, weights = module.export_library(tmp_path / "m.so")
    data, rng, paths = weights.read_bytes(), np.random.default_rng(1), list[Path]()
    for number in range(100):
        damaged, at = bytearray(data), int(rng.integers(len(data)))
        damaged[at] ^= int(rng.integers(1, 256))
        if number % 3 == 0:
            del damaged[at:]
        folder = tmp_path / str(number)
        folder.mkdir()
        paths.append(Path(shutil.copy(library, folder)))
        (folder / weights.name).write_bytes(damaged)
    said = output(sanitized("verified.c", tmp_path), *paths).split("\n%\n")[:-1]
    assert len(said) == len(paths)
    for text in said:
        assert "the weights cannot be loaded" in text or "differ from their digest" in text


def test_a_run_with_wrong_counts_or_tensors_is_refused(tmp_path):
    model = encoder_model(layers=1, hidden=64, heads=4, ffn=128, batch="batch", seq="seq")
    (path, _) = tilewright.compile(model, threads=1).export_library(tmp_path / "m.so")
    said = output(sanitized("counts.c", tmp_path), path).splitlines()
    assert said[0] == f"{os.path.realpath(path)}: wrong number of inputs"
    assert "argument 0 (hidden_states) is not a tensor" in said[3]
    assert "has no argument of this position" in said[-3]
