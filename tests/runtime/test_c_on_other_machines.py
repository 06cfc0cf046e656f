"""The C runtime on machines for which nothing is exported: 32 bits, big-endian, other calls.

zig's clang compiles all of runtime/native/ for them; a small program runs in an emulator.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tilewright.runtime import include_dir

EMULATORS = {
    "arm-linux-musleabihf": "qemu-arm",
    "powerpc64le-linux-musl": "qemu-ppc64le",
    "s390x-linux-musl": "qemu-s390x",
    "x86-linux-musl": "qemu-i386",
}
"""The emulators of programs, by zig's names of the machines."""

OTHERS = {"opencl.c", "params.c", "processor.c", "start.c", "web.c"}
PARTS = sorted({path.name for path in include_dir().glob("*.c")} - OTHERS)
"""The C files that are compiled; tilewright.c includes opencl.c and params.c.

web.c is for WebAssembly, processor.c for x86-64, and start.c for some instruction sets.
"""

needs_zig = pytest.mark.skipif(
    find_spec("ziglang") is None, reason="needs the package ziglang: a C compiler"
)

PROGRAM = r"""
#include <math.h>
#include "tilewright.c"

enum { TASKS = 1000, NUMBERS = 200000 };

static int32_t counts[TASKS];

static void count(void *args, int64_t task, int64_t worker)
{
    (void)worker;
    __atomic_fetch_add((int32_t *)args + task, 1, __ATOMIC_RELAXED);
}

static int32_t twice(
    void *self, const struct tw_value *args, int32_t count, struct tw_value *result)
{
    (void)self;
    *result = tw_of_int(count == 1 ? 2 * args[0].payload.integer : 0);
    return 0;
}

/* Return the number of square roots that differ from those of the C library. */
static int wrong_roots(void)
{
    int wrong = 0;
    uint64_t bits = 1;
    for (int n = 0; n < NUMBERS; n++) {
        double x, got, wanted;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        uint64_t positive = n < NUMBERS / 2 ? bits >> 1 : bits >> 20; /* then subnormal or small */
        memcpy(&x, &positive, sizeof x);
        got = square_root(x);
        wanted = sqrt(x);
        wrong += memcmp(&got, &wanted, sizeof got) != 0 && !(isnan(got) && isnan(wanted));
    }
    return wrong;
}

int main(void)
{
    int64_t shape[] = {3, 4}, turned[] = {4, 3}, strides[] = {1, 4};
    struct tw_tensor_object *x = tw_tensor_new(TW_FLOAT32, 2, shape, TW_CPU, 0);
    for (int n = 0; n < 12; n++)
        ((float *)tw_data(x))[n] = (float)n;
    struct tw_tensor_object *view = tw_tensor_view(x, 2, turned, strides, 0);
    struct tw_tensor_object *y = tw_tensor_new(TW_FLOAT32, 2, turned, TW_CPU, 0);
    tw_release(x);
    if (view == NULL || tw_tensor_copy(&view->tensor, &y->tensor) != 0
        || ((float *)tw_data(y))[1] != 4 || ((float *)tw_data(y))[11] != 11)
        return 1;
    if (tw_tensor_view(y, 1, shape, NULL, 11) != NULL || strcmp(tw_error_kind(), "ValueError") != 0)
        return 2;
    tw_release(view);
    tw_release(y);
    struct tw_function function = {"test.twice", twice, NULL}, found;
    struct tw_value argument = tw_of_int(-((int64_t)1 << 40)), result;
    if (tw_register(&function, 0) != 0 || tw_find("test.twice", &found) != 0
        || tw_call(&found, &argument, 1, &result) != 0
        || result.payload.integer != -((int64_t)1 << 41))
        return 3;
    if (__tw_pool_run(count, counts, TASKS, 4) != 0)
        return 4;
    for (int task = 0; task < TASKS; task++)
        if (counts[task] != 1)
            return 5;
    return wrong_roots() == 0 ? 0 : 6;
}
"""


@needs_zig
@pytest.mark.parametrize(
    "machine",
    [
        "s390x-linux-musl",
        "x86-linux-musl",
        pytest.param("arm-linux-musleabihf", marks=pytest.mark.nightly),
        pytest.param("powerpc64le-linux-musl", marks=pytest.mark.nightly),
    ],
)
def test_all_parts_compile(machine: str, tmp_path: Path) -> None:
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", machine, "-std=c99", "-pedantic"]
    options = ["-Wall", "-Wextra", "-Werror", "-fPIC", "-c", "-o", str(tmp_path / "made.o")]
    for part in PARTS:
        subprocess.run([*compiler, *options, part], cwd=include_dir(), check=True)


@needs_zig
@pytest.mark.slow
@pytest.mark.nightly  # zig first compiles a C library for each machine
@pytest.mark.parametrize("machine", EMULATORS)
def test_a_program_runs(machine: str, tmp_path: Path) -> None:
    emulator = EMULATORS[machine]
    if shutil.which(emulator) is None:
        pytest.skip(f"needs {emulator} (apt-get install qemu-user)")
    (tmp_path / "main.c").write_text(PROGRAM)
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", machine, "-std=gnu99", "-O2"]
    options = ["-static", f"-I{include_dir()}", "main.c", "-lm"]
    subprocess.run([*compiler, *options], cwd=tmp_path, check=True)
    assert subprocess.run([emulator, "./a.out"], cwd=tmp_path, check=False).returncode == 0
