"""The contents of codegen/prelude/, generated from runtime/native/ by ``make prelude``.

The C compiler is clang from the ``ziglang`` wheel, pinned in pyproject.toml, whose LLVM has the
major version of llvmlite's. The texts are committed, so neither a build nor an installation needs a
compiler.

A part is one text for all machines with one width of addresses. The C sources pass no structures
by value, so clang's front ends for x86-64, AArch64 and RISC-V write the same calls, except that
RISC-V has ``signext`` on 32-bit integers, which the other machines ignore. So the front end for
RISC-V translates a part; then clang optimizes it for x86-64. For addresses of 32 bits both are
those of ARM. A test compares the front ends.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path

from tilewright.codegen.prelude import SYSTEM_MACHINES

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "runtime" / "native"
TEXTS = ROOT / "codegen" / "prelude"
PARTS = (
    "print", "bare", "pool", "timer", "python", "tensors", "repack", "entry", "trace", "embedded",
    "weights", "session", "states", "bindings", "executor", "bundle", "program", "device",
)  # fmt: skip
"""The parts from the bottom up: each calls functions of the parts before it only."""
OWN_PARTS = (("processor", "x86_64"), ("web", "wasm32"))
"""The parts for one instruction set only."""
SYSTEM_PARTS = (("windows", "windows-gnu"),)
"""The parts for one system only, and the system whose headers they include."""
NARROW_PARTS = ("print", "entry")
"""The parts that machines with addresses of 32 bits have, too."""
FRONT_ENDS = {64: "riscv64", 32: "arm"}
"""The machine whose front end translates the parts, by the width of addresses."""
OPTIMIZERS = {64: "x86_64", 32: "arm"}
"""The machine whose costs decide about optimizations, by the width of addresses."""
_TRIPLES = {
    "arm": "arm-linux-gnueabihf",
    "ppc64le": "powerpc64le-linux-gnu",
    "wasm32": "wasm32-freestanding",
}
"""The triples of zig where they are not the name of the machine with linux-gnu."""
FLAGS = (
    "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Qunused-arguments",
    # Exported symbols stay replaceable by a slot table; the linker binds them inside the module.
    "-fPIC", "-g0", "-fno-ident",
    # A loop stays a loop: no call of memset, memcpy or strlen that the source does not name.
    "-fno-builtin", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-jump-tables",
    # The linker has no thread-local data and no unwind tables.
    "-fno-stack-protector", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
    "-fomit-frame-pointer", "-fno-sanitize=all", "-fno-strict-aliasing",
    # One meaning of `char` on all machines.
    "-fsigned-char",
    # Names of variables make the text readable.
    "-fno-discard-value-names", "-Wno-override-module",
)  # fmt: skip
HOT_PARTS = ("pool", "timer", "python", "entry")
"""The parts that a call spends its time in."""
_HOT = ("-Os",)
# No function with several callers is inlined, and equal code of two branches moves out of both.
_COLD = (
    "-Xclang", "-Oz", "-mllvm", "-inline-threshold=-500",
    "-mllvm", "-enable-gvn-hoist", "-mllvm", "-enable-gvn-sink",
)  # fmt: skip
_OPTIONS = {
    # Vectors, which the instruction set does not require.
    "loongarch64": ("-mno-lsx",),
    # Other names of the functions for texts, because of wider floats.
    "ppc64le": ("-mabi=ibmlongdouble",),
}
_TEXT = ("-S", "-emit-llvm")
_UNOPTIMIZED = (*_TEXT, "-O2", "-Xclang", "-disable-llvm-passes")
_HEADER = """; Generated from runtime/native/{source} by `make prelude`; do not edit.
; ziglang {version}
"""
_DROPPED_LINES = ("; ModuleID", "; Function Attrs", "source_filename", "target ", "!")
_DROPPED_CALLS = ("@llvm.experimental.noalias.scope.decl(", "@llvm.lifetime.")


def zig_target(machine: str) -> tuple[str, ...]:
    """Return the options of zig's clang for any processor of an instruction set."""
    triple = _TRIPLES.get(machine, f"{machine}-linux-gnu")
    return "-target", triple, *_OPTIONS.get(machine, ())


def pinned_version() -> str:
    """Return the version of ziglang that pyproject.toml pins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = (each for each in project["optional-dependencies"]["check"] if "ziglang" in each)
    return next(wanted).partition("==")[2]


def contents() -> dict[str, bytes]:
    """Return the generated files by name: texts of parts and of machines, objects of machines.

    Errors: PackageNotFoundError without ziglang, CalledProcessError if clang reports anything.
    """
    made = {f"{part}.ll": _part(part, 64).encode() for part in PARTS}
    made |= {f"{part}.32.ll": _part(part, 32).encode() for part in NARROW_PARTS}
    made |= {f"machine.{each}.ll": machine_text(each).encode() for each in ("x86_64", "aarch64")}
    made["machine.ll"] = machine_text(FRONT_ENDS[64]).encode()
    made |= {f"{part}.{machine}.ll": _own_part(part, machine) for part, machine in OWN_PARTS}
    made |= {f"{part}.ll": _own_part(part, OPTIMIZERS[64], name) for part, name in SYSTEM_PARTS}
    return made | {f"start.{machine}.o": _start(machine) for machine in SYSTEM_MACHINES}


def front_end_text(part: str, machine: str) -> str:
    """Return the LLVM IR of a part as the front end for a machine writes it, not optimized."""
    return portable(_compiled(f"{part}.c", machine, *_UNOPTIMIZED).decode())


def _part(part: str, pointer_bits: int) -> str:
    """Return the LLVM IR of one C file for all instruction sets with this width of addresses."""
    text = front_end_text(part, FRONT_ENDS[pointer_bits])
    optimizer = OPTIMIZERS[pointer_bits]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{part}.ll"
        # The parser of LLVM IR needs the width of addresses; clang then takes its own layout.
        layout = "" if pointer_bits == 64 else f'target datalayout = "e-p:{pointer_bits}:32"\n'
        made.write_text(layout + text)
        flags = _HOT if part in HOT_PARTS else _COLD
        optimized = _compiled(str(made), optimizer, *_TEXT, *flags)
        return _headed(f"{part}.c", portable(optimized.decode()))


def _own_part(part: str, machine: str, system: str = "") -> bytes:
    """Return the LLVM IR of one C file as clang makes it for one instruction set and system."""
    source, target = f"{part}.c", ("-target", f"{machine}-{system}") if system else ()
    text = _compiled(source, machine, *_TEXT, *_COLD, *target).decode()
    return _headed(source, portable(text)).encode()


def machine_text(machine: str) -> str:
    """Return the LLVM IR of machine.c for an instruction set: functions that are inlined."""
    text = portable(_compiled("machine.c", machine, *_TEXT, *_HOT).decode())
    lines = (line for line in text.splitlines() if not line.startswith("attributes"))
    inlined = "\n".join(re.sub(r" #\d+", "", line) for line in lines)
    inlined = re.sub(
        r"^define hidden (.*) local_unnamed_addr {", r"define internal \1 alwaysinline {",
        inlined, flags=re.MULTILINE,
    )  # fmt: skip
    return _headed("machine.c", f"{inlined}\n")


def _start(machine: str) -> bytes:
    """Return the object of start.c for an instruction set."""
    return _compiled("start.c", machine, "-O2", "-c")


def _headed(source: str, text: str) -> str:
    return _HEADER.format(source=source, version=version("ziglang")) + text


def _compiled(source: str, machine: str, *options: str) -> bytes:
    """Return what clang makes of a file; options follow `FLAGS`."""
    command = (sys.executable, "-m", "ziglang", "cc", *zig_target(machine), *FLAGS)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made"
        subprocess.run([*command, *options, "-o", str(made), source], cwd=SOURCES, check=True)
        return made.read_bytes()


def portable(text: str) -> str:
    """Return clang's text without what depends on its own target machine.

    codegen/prelude/ adds the data layout; triple, processor and features come from the target of
    each compilation (codegen/llvm.py). Metadata is dropped, with the calls that declare its scopes
    of aliases. So are the lifetimes of variables, which only let buffers share stack space.
    """
    lines = (
        line
        for line in text.splitlines()
        if not line.startswith(_DROPPED_LINES) and not any(call in line for call in _DROPPED_CALLS)
    )
    return "\n".join(map(_without_machine, lines)).strip() + "\n"


def _without_machine(line: str) -> str:
    """Return a line without attachments of metadata and without attributes for a back end."""
    if line.startswith("attributes #"):
        return re.sub(r' "(?!no-builtins")[^"]*"(="[^"]*")?', "", line)
    return re.sub(r", ![\w.]+ !\d+", "", line)


def main() -> None:
    """Write the files."""
    for name, data in contents().items():
        (TEXTS / name).write_bytes(data)


if __name__ == "__main__":
    main()
