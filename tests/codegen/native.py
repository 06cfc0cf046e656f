"""The contents of codegen/prelude/, generated from runtime/native/ by ``make prelude``.

The C compiler is clang from the ``ziglang`` wheel, pinned in pyproject.toml, whose LLVM has the
major version of llvmlite's. The texts are committed, so neither a build nor an installation needs a
compiler.

A part is one text for all machines with addresses of 64 bits. The C sources pass no structures
by value, so clang's front ends for x86-64, AArch64 and RISC-V write the same calls, except that
RISC-V has ``signext`` on 32-bit integers, which the other machines ignore. So the front end for
RISC-V translates a part; then clang optimizes it for x86-64. A test compares the front ends.

The texts of `NEUTRAL_PARTS` also serve addresses of 32 bits. LLVM's ``instcombine`` replaces the
fields of a structure by numbers of bytes, so it does not run, and alignments that follow from types
are dropped. A test compares the structures with those of a 32-bit machine.
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
NEUTRAL_PARTS = ("print", "entry")
"""The parts that machines with addresses of 32 bits have, too."""
FRONT_END = "riscv64"
"""The machine whose front end translates the parts."""
NARROW_FRONT_END = "arm"
"""The machine whose front end translates what depends on addresses of 32 bits."""
_OPTIMIZER = "x86_64"
"""The machine whose costs decide about optimizations."""
_KEEP_FIELDS = ("-mllvm", "-opt-disable=instcombine,aggressive-instcombine")
_OPERATIONS = {
    r"call i64 @tw_most_bytes\(\)": "ptrtoint ptr inttoptr (i64 -1 to ptr) to i64",
    r"call ptr @tw_exchange\(ptr [^,]*?(\S+), ptr [^)]*?(\S+)\)": (
        r"atomicrmw xchg ptr \1, ptr \2 acq_rel"
    ),
}
"""What replaces the calls of the operations of width.h."""
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
# Equal code at the ends of two branches moves behind them. No pass copies code or adds variables to
# make loops faster.
_LEAN = (
    "-mllvm", "-sink-common-insts",
    "-mllvm", "-enable-pre=0", "-mllvm", "-enable-load-pre=0", "-mllvm", "-keep-loops=0",
    "-mllvm", "-opt-disable=licm,indvars",
)  # fmt: skip
_HOT = ("-Os",)
HOT_PARTS = {"pool": _HOT, "timer": _HOT, "python": _HOT, "entry": (*_HOT, *_LEAN)}
"""The parts that a call spends its time in, and how they are optimized."""
# No function with several callers is inlined.
_COLD = ("-Xclang", "-Oz", "-mllvm", "-inline-threshold=-500", *_LEAN)
_OPTIONS = {
    # Vectors, which the instruction set does not require.
    "loongarch64": ("-mno-lsx",),
    # Other names of the functions for texts, because of wider floats.
    "ppc64le": ("-mabi=ibmlongdouble",),
}
_TEXT = ("-S", "-emit-llvm")
_UNOPTIMIZED = (*_TEXT, "-Xclang", "-disable-llvm-passes")
_ATTRIBUTES = ("cold", "minsize", "nounwind", "optsize", '"no-builtins"')
"""The attributes of functions that LLVM's code generators read."""
_HEADER = "; Generated from runtime/native/{} by `make prelude` (ziglang {}); do not edit.\n"
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
    made = {f"{part}.ll": _part(part).encode() for part in PARTS}
    made |= {f"machine.{each}.ll": machine_text(each).encode() for each in ("x86_64", "aarch64")}
    made["machine.ll"] = machine_text(FRONT_END).encode()
    made |= {f"{part}.{machine}.ll": _own_part(part, machine) for part, machine in OWN_PARTS}
    made |= {f"{part}.ll": _own_part(part, _OPTIMIZER, name) for part, name in SYSTEM_PARTS}
    return made | {f"start.{machine}.o": _start(machine) for machine in SYSTEM_MACHINES}


def front_end_text(part: str, machine: str) -> str:
    """Return the LLVM IR of a part as the front end for a machine writes it, not optimized."""
    level = ("-O2",) if part in HOT_PARTS else ("-Xclang", "-Oz")
    return portable(_compiled(f"{part}.c", machine, *_UNOPTIMIZED, *level).decode())


def _part(part: str) -> str:
    """Return the LLVM IR of one C file for all instruction sets."""
    text, is_neutral = front_end_text(part, FRONT_END), part in NEUTRAL_PARTS
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{part}.ll"
        made.write_text(text)
        flags = (*HOT_PARTS.get(part, _COLD), *(_KEEP_FIELDS if is_neutral else ()))
        optimized = portable(_compiled(str(made), _OPTIMIZER, *_TEXT, *flags).decode())
        return _headed(f"{part}.c", _neutral(optimized) if is_neutral else optimized)


def _neutral(text: str) -> str:
    """Return optimized LLVM IR for addresses of 32 and of 64 bits."""
    for call, instruction in _OPERATIONS.items():
        text = re.sub(rf"(?:tail )?{call}( #\d+)?", instruction, text)
    declared = r"^declare .*@tw_(most_bytes|exchange)\(.*\n+"
    dropped = r", align [1248]$| initializes\(\(.*?\)\)"
    return re.sub(rf"{declared}|{dropped}", "", text, flags=re.MULTILINE)


def _own_part(part: str, machine: str, system: str = "") -> bytes:
    """Return the LLVM IR of one C file as clang makes it for one instruction set and system."""
    source, target = f"{part}.c", ("-target", f"{machine}-{system}") if system else ()
    text = _compiled(source, machine, *_TEXT, *_COLD, *target).decode()
    return _headed(source, portable(text)).encode()


def machine_text(machine: str) -> str:
    """Return the LLVM IR of machine.c for an instruction set: functions that are inlined."""
    source = "machine.c"
    text = portable(_compiled(source, machine, *_TEXT, *_HOT).decode())
    inlined = re.sub(
        r"^define hidden (.*) local_unnamed_addr #\d+ {", r"define internal \1 alwaysinline {",
        text, flags=re.MULTILINE,
    )  # fmt: skip
    return _headed(source, inlined)


def _start(machine: str) -> bytes:
    """Return the object of start.c for an instruction set."""
    return _compiled("start.c", machine, "-O2", "-c")


def _headed(source: str, text: str) -> str:
    return _HEADER.format(source, version("ziglang")) + _compact(text)


def _compact(text: str) -> str:
    """Return optimized LLVM IR without groups of attributes and without empty lines.

    Defined functions get the attributes that code generation reads. Declarations and calls need
    none, except that a cold call makes the branches to it unlikely. The declarations follow the
    functions. A switch is one line, and the first block of a function has no label.
    """
    groups = dict(re.findall(r"^attributes #(\d+) = \{ (.*) \}$", text, re.MULTILINE))

    def words(line: str) -> str:
        read = _ATTRIBUTES if line.startswith("define ") else _ATTRIBUTES[:1]
        return re.sub(
            r" #(\d+)(?= \{$|$)",
            lambda group: "".join(f" {each}" for each in read if each in groups[group[1]].split()),
            line,
        )

    text = re.sub(r"^define .*?^}", lambda each: _short(each[0]), text, flags=re.M | re.DOTALL)
    lines = [words(line) for line in text.splitlines() if line]
    declared = [line for line in lines if line.startswith("declare ")]
    others = [line for line in lines if not line.startswith(("declare ", "attributes "))]
    return "\n".join((*others, *declared, ""))


def _short(function: str) -> str:
    """Return the definition of a function with less text for the same instructions.

    Every named value has a name of the C source, so the numbers of the values without a name begin
    at 0. That becomes the number of the first block, and the values get the next numbers.
    """
    switches = r"^  switch [^\n]*\[\n.*?^  \]$"
    function = re.sub(
        switches, lambda each: "  " + " ".join(each[0].split()), function, flags=re.M | re.DOTALL
    )
    function = re.sub(r"%(\d+)\b", lambda number: f"%{int(number[1]) + 1}", function)
    function = re.sub(r"^(\d+):$", lambda number: f"{int(number[1]) + 1}:", function, flags=re.M)
    return re.sub(r"%entry(?![\w.])", "%0", function.replace("\nentry:\n", "\n", 1))


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
    of aliases. So are the lifetimes of variables, which only let buffers share stack space, the
    predecessors of basic blocks, and the empty lines before these.
    """
    lines = (
        line
        for line in text.splitlines()
        if not line.startswith(_DROPPED_LINES) and not any(call in line for call in _DROPPED_CALLS)
    )
    kept = "\n".join(map(_without_machine, lines)).strip() + "\n"
    return re.sub(r"\n+(\S+:) +; preds = .*", r"\n\1", kept)


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
