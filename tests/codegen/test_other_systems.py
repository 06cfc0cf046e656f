"""Libraries for Windows and macOS, objects for iOS, and shared objects for Android.

The files are read with the structures of their formats; the DLL also runs under Wine.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest

import tilewright
from tilewright.codegen import coff, macho
from tilewright.codegen.linker import Blob, LinkError
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime import load_module
from tilewright.runtime.abi.constants import MODULE_SYMBOLS
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.module.inspection import inspect_file
from tilewright.support.diagnostics import TargetError
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main

READOBJ = shutil.which("llvm-readobj")
WINE = shutil.which("wine64") or shutil.which("/usr/lib/wine/wine64")
X = np.random.default_rng(0).standard_normal((4, 24), np.float32)
STATE = """<ir_version: 10, opset_import: ["" : 18]> g (float[4] past) => (float[4] present) {
    present = Add(past, past)
}"""
PROCESSORS = "-mcpu=x86-64,x86-64-v3"
needs_zig = pytest.mark.skipif(
    find_spec("ziglang") is None, reason="needs the package ziglang (the extra cross)"
)


def compiled(triple: str) -> CompiledModule:
    return tilewright.compile(ffn_model(m="rows", k=24, n=40), target=f"llvm -mtriple={triple}")


class Pe:
    """The headers, sections, imports and exports of a DLL."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (at,) = struct.unpack_from("<I", data, 60)
        assert (data[:2], data[at : at + 4]) == (b"MZ", b"PE\0\0")
        self.machine, sections, _, _, _, size, self.flags = struct.unpack_from(
            "<HHIIIHH", data, at + 4
        )
        optional = at + 24
        assert struct.unpack_from("<H", data, optional) == (0x20B,)
        self.tables = [
            struct.unpack_from("<II", data, optional + 112 + 8 * index) for index in range(2)
        ]
        first = optional + size
        self.sections = [
            struct.unpack_from("<4I", data, first + 40 * index + 8) for index in range(sections)
        ]

    def at(self, address: int) -> int:
        for size, start, _, offset in self.sections:
            if start <= address < start + size:
                return offset + address - start
        raise AssertionError(address)

    def text(self, address: int) -> str:
        at = self.at(address)
        return self.data[at : self.data.index(b"\0", at)].decode()

    @property
    def exports(self) -> list[str]:
        row = struct.unpack_from("<10I", self.data, self.at(self.tables[0][0]))
        names = struct.unpack_from(f"<{row[6]}I", self.data, self.at(row[8]))
        return [self.text(each) for each in names]

    @property
    def imports(self) -> list[str]:
        at, found = self.at(self.tables[1][0]), list[str]()
        while (name := struct.unpack_from("<5I", self.data, at)[3]) != 0:
            found.append(self.text(name))
            at += 20
        return found


@needs_zig
@pytest.mark.parametrize(
    ("triple", "machine"),
    [
        (f"x86_64-windows-gnu {PROCESSORS}", 0x8664),
        ("x86_64-pc-windows-msvc", 0x8664),
        ("aarch64-windows-msvc", 0xAA64),
    ],
)
def test_a_dll_imports_libraries_of_windows_only(triple: str, machine: int, tmp_path: Path) -> None:
    files = compiled(triple).export_library(tmp_path / "m.dll")
    assert [file.name for file in files] == ["m.dll", "m.lib"]
    found = Pe(files[0].read_bytes())
    assert found.machine == machine
    assert found.flags & 0x2000  # a DLL
    assert set(MODULE_SYMBOLS) <= set(found.exports)
    assert ("__tw_processor" in found.exports) == (PROCESSORS in triple)
    assert set(found.imports) <= {"msvcrt.dll", "ntdll.dll"}
    assert b"__imp___tvm_ffi_main" in files[1].read_bytes()


def commands(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the kind, the place and the body of each load command of a Mach-O file."""
    magic, *_, count, _, _, _ = struct.unpack_from("<8I", data)
    assert magic == 0xFEEDFACF
    at = 32
    for _ in range(count):
        kind, size = struct.unpack_from("<II", data, at)
        yield kind, at, data[at : at + size]
        at += size


def public_symbols(data: bytes) -> dict[str, bool]:
    """Return whether a Mach-O file defines each of its symbols that other files see."""
    (body,) = (body for kind, _, body in commands(data) if kind == 2)
    rows_at, count, names_at, _ = struct.unpack_from("<4I", body, 8)
    found: dict[str, bool] = {}
    for index in range(count):
        name, kind, _, _, _ = struct.unpack_from("<IBBHQ", data, rows_at + 16 * index)
        if kind & 1 and not kind & 0x10:
            end = data.index(b"\0", names_at + name)
            found[data[names_at + name : end].decode()] = kind & 0x0E != 0
    return found


def system_of(data: bytes) -> tuple[int, int]:
    (body,) = (body for kind, _, body in commands(data) if kind == 0x32)
    platform, oldest = struct.unpack_from("<II", body, 8)
    return platform, oldest >> 16


@needs_zig
@pytest.mark.parametrize(
    ("triple", "cpu"),
    [(f"x86_64-apple-macos {PROCESSORS}", 0x01000007), ("arm64-apple-darwin", 0x0100000C)],
)
def test_a_library_for_macos_needs_its_c_library_only(
    triple: str, cpu: int, tmp_path: Path
) -> None:
    (made,) = compiled(triple).export_library(tmp_path / "m.dylib")
    data = made.read_bytes()
    rows = [(kind, body) for kind, _, body in commands(data)]
    assert struct.unpack_from("<4I", data)[1::2] == (cpu, 6)
    assert [body[24:].rstrip(b"\0") for kind, body in rows if kind == 0x0D] == [b"@rpath/m.dylib"]
    needed = [body[24:].rstrip(b"\0") for kind, body in rows if kind == 0x0C]
    assert needed == [b"/usr/lib/libSystem.B.dylib"]
    assert any(kind == 0x1D for kind, _ in rows) or cpu == 0x01000007  # a signature
    assert system_of(data) == (1, 11)
    symbols = public_symbols(data)
    assert {f"_{name}" for name in MODULE_SYMBOLS} <= {name for name in symbols if symbols[name]}
    undefined = {name for name in symbols if not symbols[name]}
    assert undefined <= {
        "_memcpy", "_memmove", "_memset", "_snprintf", "_aligned_alloc", "_free", "_dlsym",
        "_TVMFFIErrorSetRaisedFromCStr", "dyld_stub_binder",
    }  # fmt: skip


@needs_zig
@pytest.mark.parametrize(("triple", "system"), [("arm64-apple-ios", 2), ("arm64-apple-macos", 1)])
def test_an_object_for_apple_has_its_own_symbols(triple: str, system: int, tmp_path: Path) -> None:
    (made,) = compiled(triple).export_library(tmp_path / "m.o")
    data = made.read_bytes()
    assert struct.unpack_from("<4I", data)[3] == 1
    assert system_of(data)[0] == system
    symbols = public_symbols(data)
    assert symbols["___tvm_ffi_main"]
    assert symbols["___tw_manifest"]
    assert not {"_tw_run", "_tw.k.0", "_tw_weights_data"} & set(symbols)


@pytest.mark.parametrize(("machine", "page"), [("aarch64", 65536), ("x86_64", 16384)])
def test_a_library_for_android_fits_pages_of_16_kib(
    machine: str, page: int, tmp_path: Path
) -> None:
    path = compiled(f"{machine}-linux-android").export_library(tmp_path / "m.so")[0]
    data = path.read_bytes()
    (headers_at,), (count,) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<H", data, 56)
    rows = [struct.unpack_from("<II6Q", data, headers_at + 56 * each) for each in range(count)]
    loaded = [row for row in rows if row[0] == 1]
    assert {row[7] for row in loaded} == {page}
    assert all(row[2] % page == row[3] % page for row in loaded)
    (dynamic,) = (row for row in rows if row[0] == 2)
    tags = dict(struct.iter_unpack("<QQ", data[dynamic[2] : dynamic[2] + dynamic[5]]))
    name = tags[5] + tags[1]
    assert data[name : data.index(b"\0", name)] == b"libc.so"


@needs_zig
@pytest.mark.skipif(READOBJ is None, reason="needs llvm-readobj (apt-get install llvm)")
@pytest.mark.parametrize(
    ("triple", "name", "words"),
    [
        ("aarch64-linux-android", "m.so", ("Format: elf64-littleaarch64", "libc.so", "main")),
        ("arm64-apple-darwin", "m.dylib", ("Format: Mach-O arm64", "libSystem.B.dylib", "_main")),
        ("arm64-apple-ios", "m.o", ("Format: Mach-O arm64", "FileType: Relocatable", "_main")),
        ("x86_64-windows-gnu", "m.dll", ("Format: COFF-x86-64", "msvcrt.dll", "IMAGE_FILE_DLL")),
    ],
)
def test_llvm_reads_the_file_without_warnings(
    triple: str, name: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    made = compiled(triple).export_library(tmp_path / name)[0]
    kinds = ["--file-headers", "--sections", "--symbols", "--needed-libs", "--relocations"]
    kinds += ["--coff-imports"] * (name == "m.dll") + ["--dyn-symbols"] * (name == "m.so")
    done = subprocess.run([str(READOBJ), *kinds, made], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(word in done.stdout for word in words), done.stdout[:3000]
    made.write_bytes(made.read_bytes()[:200])
    broken = subprocess.run([str(READOBJ), *kinds, made], capture_output=True, text=True)
    assert broken.returncode != 0 or broken.stderr


HOST = """
typedef signed int i32; typedef unsigned int u32; typedef long long i64;
struct tensor { void *data; i32 kind, id, rank; u32 dtype; i64 *shape, *strides; i64 offset; };
struct value { i32 kind; u32 padding; void *pointer; };
__declspec(dllimport) i32 __tvm_ffi_main(void *, struct value *, i32, struct value *);
__declspec(dllimport) char __tw_last_error[];
__declspec(dllimport) void *CreateFileA(const char *, u32, u32, void *, u32, u32, void *);
__declspec(dllimport) i32 ReadFile(void *, void *, u32, u32 *, void *);
__declspec(dllimport) i32 WriteFile(void *, const void *, u32, u32 *, void *);
__declspec(dllimport) void *GetStdHandle(u32);
__declspec(dllimport) _Noreturn void ExitProcess(u32);
i32 _fltused;
static float x[4 * 24], y[4 * 40];
void start(void)
{
    u32 count;
    i64 in[] = {4, 24}, out[] = {4, 40};
    struct tensor tensors[] = {{x, 1, 0, 2, 0x12002, in, 0, 0}, {y, 1, 0, 2, 0x12002, out, 0, 0}};
    struct value values[] = {{7, 0, &tensors[0]}, {7, 0, &tensors[1]}}, none = {0, 0, 0};
    ReadFile(CreateFileA("x", 0x80000000, 1, 0, 3, 0, 0), x, sizeof x, &count, 0);
    i32 status = __tvm_ffi_main(0, values, 2, &none);
    WriteFile(CreateFileA("y", 0x40000000, 0, 0, 2, 0, 0), y, sizeof y, &count, 0);
    in[1] = 23;
    if (__tvm_ffi_main(0, values, 2, &none) != -1)
        status = 2;
    for (count = 0; __tw_last_error[count] != 0; count++)
        ;
    WriteFile(GetStdHandle((u32)-11), __tw_last_error, count, &count, 0);
    ExitProcess((u32)status);
}
"""


@needs_zig
@pytest.mark.nightly
@pytest.mark.skipif(WINE is None, reason="needs wine64 (apt-get install wine64)")
def test_a_program_of_windows_calls_the_dll(tmp_path: Path) -> None:
    compiled(f"x86_64-windows-gnu {PROCESSORS}").export_library(tmp_path / "m.dll")
    (tmp_path / "host.c").write_text(HOST)
    functions = (
        "CreateFileA", "ReadFile", "WriteFile", "GetStdHandle", "ExitProcess",
    )  # fmt: skip
    (tmp_path / "kernel32.def").write_text(
        "\n".join(("LIBRARY kernel32.dll", "EXPORTS", *functions))
    )
    X.tofile(tmp_path / "x")
    zig = [sys.executable, "-m", "ziglang"]
    target = ["-target", "x86_64-windows-gnu", "-ffreestanding", "-O1", "-fno-stack-protector"]
    for command in (
        [*zig, "cc", *target, "-fno-sanitize=all", "-c", "host.c", "-o", "host.obj"],
        [*zig, "lld-link", "/lib", "/machine:x64", "/def:kernel32.def", "/out:kernel32.lib"],
        [*zig, "lld-link", "/entry:start", "/subsystem:console", "/nodefaultlib", "/out:host.exe",
         "host.obj", "kernel32.lib", "m.lib"],
    ):  # fmt: skip
        subprocess.run(command, cwd=tmp_path, check=True)
    environ = {"WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all", "HOME": str(tmp_path)}
    done = subprocess.run(
        [str(WINE), "host.exe"], cwd=tmp_path, env=environ, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "got: size 23 in dimension 1" in done.stdout
    here = tilewright.compile(ffn_model(m="rows", k=24, n=40))(X).numpy()
    made = np.fromfile(tmp_path / "y", np.float32).reshape(here.shape)
    np.testing.assert_allclose(made, here, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("triple", "file", "expected"),
    [
        ("x86_64-windows-gnu", "m.dylib", ".dll"),
        ("arm64-apple-darwin", "m.dll", ".dylib or .o"),
        ("arm64-apple-ios", "m.dylib", ".o"),
    ],
)
def test_a_file_of_another_system_is_refused(
    triple: str, file: str, expected: str, tmp_path: Path
) -> None:
    with pytest.raises(ArgumentError) as caught:
        compiled(triple).export_library(tmp_path / file)
    assert caught.value.expected == f"a file that ends in {expected}"


def test_the_command_compiles_for_windows(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    onnx.save(ffn_model(m=2, k=8, n=8), model)
    words = ["compile", str(model), "--target", "llvm -mtriple=x86_64-windows-gnu", "-o"]
    assert main([*words, str(tmp_path / "m.so")]) == 2
    if find_spec("ziglang") is not None:
        assert main([*words, str(tmp_path / "m.dll")]) == 0
        assert Pe((tmp_path / "m.dll").read_bytes()).machine == 0x8664
        with pytest.raises(LoadError, match=r"file of another system\n.*ELF.*\n.*Windows"):
            inspect_file(tmp_path / "m.dll")
        with pytest.raises(LoadError, match="file of another system"):
            load_module(tmp_path / "m.dll")


def test_calls_and_sessions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot run the code"):
        compiled("x86_64-windows-gnu")(X)
    target = "llvm -mtriple=x86_64-windows-gnu"
    with pytest.raises(TargetError, match="modules are not made"):
        tilewright.compile(ffn_model(m=2, k=8, n=8), target="llvm -mtriple=riscv64-windows-gnu")
    doubling = onnx.parser.parse_model(STATE)
    module = tilewright.compile(doubling, target=target, state={"past": "present"})
    with pytest.raises(ArgumentError, match="has states"):
        module.export_library(tmp_path / "m.dll")


def test_a_missing_linker_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = [Blob("data", b"x")]
    monkeypatch.setattr(coff, "find_linker", lambda _name: None)
    monkeypatch.setattr(macho, "find_zig", lambda: None)
    with pytest.raises(LinkError, match=r"lld-link[^$]*tilewright\[cross\]"):
        coff.link_dll([], blobs=blobs, exports=[], machine="x86_64", file="m.dll")
    with pytest.raises(LinkError, match=r"zig[^$]*tilewright\[cross\]"):
        macho.link_object([], blobs=blobs, machine="aarch64", system="ios")
