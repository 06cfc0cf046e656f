"""Names in C of exported objects: none is a name of the C library, of C, or of the runtime."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import tilewright
from tilewright import te
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.file.sections import Sections
from tilewright.targets.library.c_header import c_prefix

from ..host_programs.hosts import NATIVE
from .test_export import c_compiler

REFUSED = (
    "tw", "tw_pool", "TW", "timer", "timerfd", "sem", "epoll", "pthread", "pthread_mutex", "thrd",
    "mtx", "memfd", "posix_spawnattr", "backtrace", "va", "__tw", "_Exit",
)  # fmt: skip
# Keywords and other words of C and C++, names of headers, and stems that are no identifiers.
ALLOWED = (
    "new", "class", "static", "std", "main", "errno", "tilewright", "stdint", "read", "end", "fork",
    "twin", "9.5", "a-b", "模型",
)  # fmt: skip
INCLUDED = (
    "errno.h", "fcntl.h", "math.h", "pthread.h", "semaphore.h", "signal.h", "stdint.h", "stdio.h",
    "stdlib.h", "string.h", "sys/epoll.h", "sys/mman.h", "time.h", "unistd.h",
)  # fmt: skip


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    a = te.placeholder((4,), name="A")
    return tilewright.build([a, te.compute((4,), lambda i: a[i] * 2)], name="double")


@pytest.mark.parametrize("stem", REFUSED)
def test_stems_of_other_owners_are_refused(
    module: tilewright.CompiledModule, tmp_path: Path, stem: str
) -> None:
    with pytest.raises(ArgumentError, match=r"belong to(?s:.*)hint: export to model_") as caught:
        module.export_library(tmp_path / f"{stem}.o")
    assert [*tmp_path.iterdir()] == []
    hint = str(caught.value).rpartition("export to ")[2]
    assert c_prefix(hint).startswith("model_")
    module.export_library(tmp_path / f"{stem}.so")  # its names are no names in C


@pytest.mark.parametrize("language", ["c", "c++"])
def test_allowed_stems_compile_with_the_headers_of_the_system(
    module: tilewright.CompiledModule, tmp_path: Path, language: str
) -> None:
    lines = [f"#include <{name}>" for name in INCLUDED] + ['#include "tilewright.h"']
    objects: list[str] = []
    for stem in ALLOWED:
        files = module.export_library(tmp_path / f"{stem}.o", embed=True)
        objects.append(files[0].name)
        lines.append(f'#include "{stem}.h"')
    prefixes = [c_prefix(f"{stem}.o") for stem in ALLOWED]
    calls = [f"    {prefix}_destroy({prefix}_create());" for prefix in prefixes]
    timer = "timer_t timer; if (timer_create(CLOCK_MONOTONIC, 0, &timer) != 0) return 1;"
    source = "\n".join([*lines, "int main(void)\n{", f"    {timer}", *calls, "    return 0;\n}\n"])
    suffix, standard = {"c": (".c", "-std=c99"), "c++": (".cpp", "-std=c++17")}[language]
    (tmp_path / f"app{suffix}").write_text(source)
    *start, compiler = c_compiler()
    compiler = compiler if language == "c" else re.sub("cc$", "c++", compiler)
    command = [
        *start, compiler, standard, "-D_GNU_SOURCE", f"app{suffix}", *objects,
        f"-I{NATIVE}", "-o", "app", "-lpthread", "-lrt",
    ]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "app"], check=True)


def test_every_name_of_this_c_library_is_refused(module: tilewright.CompiledModule) -> None:
    path = next(
        line.split()[-1]
        for line in Path("/proc/self/maps").read_text().splitlines()
        if re.search(r"/libc[.-][^/]*so[^/]*$", line)
    )
    found = Sections(memoryview(Path(path).read_bytes()), path)
    names = {symbol.name for symbol in found.symbols}
    assert "timer_create" in names
    words = "create|destroy|run|main|pool|threads|release|symbols|set_input|get_output|session"
    for name in names:
        if matched := re.fullmatch(rf"([A-Za-z]\w*)_({words})", name):
            with pytest.raises(ArgumentError, match="belong to the C library"):
                c_prefix(f"{matched[1]}.o")
