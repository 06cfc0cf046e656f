"""The start of static programs, system calls and variable arguments, on each instruction set.

A program in C takes the place of runtime/native/program.c: zig's clang and LLD make it of the
committed files, and QEMU runs it if it is for another machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.prelude import PASSES, SYSTEM_MACHINES, part_source, start_object
from tilewright.machines.target import Target

from . import native

PROGRAM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "program.h"

static int failed;

static void check(int line, int is_true)
{
    if (!is_true && failed == 0)
        failed = line;
}

#define CHECK(condition) check(__LINE__, condition)

static int done;
static signed char source[100], target[100];

static void *run(void *argument)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%s %d %lld", "thread", 1, 2LL);
    CHECK(length == 10 && memcmp(text, "thread 1 2", 11) == 0);
    __atomic_store_n(&done, *(int *)argument, __ATOMIC_SEQ_CST);
    return NULL;
}

int tw_program(int argc, char **argv)
{
    char text[200];
    int length = snprintf(text, sizeof text, "%d %s %lld %llu %#llx %.3s %d %d %d %lld%s", -1,
        "two", -3000000000LL, 4000000000000ULL, 0x5abcULL, "sixth", 7, -8, 9, -10LL, "!");
    const char *wanted = "-1 two -3000000000 4000000000000 0x5abc six 7 -8 9 -10!";
    CHECK(length == (int)strlen(wanted) && memcmp(text, wanted, strlen(wanted) + 1) == 0);
    CHECK(snprintf(text, 4, "%s", "longer") == 6 && memcmp(text, "lon", 4) == 0);
    for (int n = 0; n < 100; n++)
        source[n] = (signed char)(n + 1);
    for (size_t count = 0; count < 40; count++)
        for (int from = 0; from < 9; from++) {
            CHECK(memset(target, -1, sizeof target) == target && target[99] == -1);
            CHECK(memcpy(target + 8, source + from, count) == target + 8);
            CHECK(memcmp(target + 8, source + from, count) == 0);
            CHECK(target[7] == -1 && target[8 + count] == -1);
        }
    memmove(source + 1, source, 99);
    CHECK(source[0] == 1 && source[1] == 1 && source[99] == 99);
    memmove(source, source + 1, 99);
    CHECK(source[0] == 1 && source[98] == 99);
    CHECK(open("/no such file", O_RDONLY) == -1);
    CHECK(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED);
    int file = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    CHECK(file >= 0 && write(file, "0123456789", 10) == 10 && lseek(file, 3, SEEK_SET) == 3);
    CHECK(read(file, text, 4) == 4 && memcmp(text, "3456", 4) == 0);
    char *mapped = mmap(NULL, 10, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(mapped != MAP_FAILED && mapped[9] == '9' && munmap(mapped, 10) == 0);
    CHECK(close(file) == 0 && read(file, text, 1) == -1);
    uint64_t processors[16] = {0};
    CHECK(sched_getaffinity(0, sizeof processors, (cpu_set_t *)(void *)processors) >= 0);
    CHECK(processors[0] != 0);
    CHECK(syscall(SYS_getpid) > 0 && syscall(SYS_close, -1) == -1);
    CHECK(((uintptr_t)aligned_alloc(64, 100) & 63) == 0);
    pthread_t thread;
    int number = 42;
    int is_created = pthread_create(&thread, NULL, run, &number) == 0;
    while (is_created && __atomic_load_n(&done, __ATOMIC_SEQ_CST) == 0) {}
    CHECK(is_created && done == 42 && argc == 2);
    return failed == 0 ? 0 : failed - 256 * (failed / 256) + (failed % 256 == 0);
}
"""


@pytest.mark.skipif(find_spec("ziglang") is None, reason="needs the package ziglang: a C compiler")
@pytest.mark.parametrize("machine", SYSTEM_MACHINES)
def test_a_program_starts_calls_the_system_and_ends(
    machine: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch
) -> None:
    emulator = [] if machine == Target.native().architecture else [f"qemu-{machine}"]
    if emulator and shutil.which(emulator[0]) is None:
        pytest.skip(f"needs {emulator[0]} (apt-get install qemu-user)")
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "zig"))
    zig = [sys.executable, "-m", "ziglang"]
    (tmp_path / "main.c").write_text(PROGRAM)
    options = [*native.zig_target(machine), "-std=c99", "-O1", "-fPIC", "-fno-builtin"]
    options += ["-fno-stack-protector", "-fno-sanitize=all", "-Werror", f"-I{native.SOURCES}"]
    subprocess.run([*zig, "cc", *options, "-c", "main.c"], cwd=tmp_path, check=True)
    target = Machine(f"{machine}-unknown-linux-gnu")
    for part in ("bare", "print"):
        made = compile_ir(part_source(part, machine), target, passes=PASSES)
        (tmp_path / f"{part}.o").write_bytes(made)
    (tmp_path / "start.o").write_bytes(start_object(machine))
    objects = ["main.o", "bare.o", "print.o", "start.o"]
    link = [*zig, "ld.lld", "-pie", "--no-dynamic-linker", *objects, "-o", "program"]
    subprocess.run(link, cwd=tmp_path, check=True)
    done = subprocess.run([*emulator, "./program", "file"], cwd=tmp_path, check=False)
    line = PROGRAM.splitlines()[done.returncode - 1] if done.returncode > 0 else ""
    assert done.returncode == 0, line.strip()
