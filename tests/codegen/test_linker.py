"""Linking: valid contents of objects, behaviour of the image, and error messages."""

from __future__ import annotations

import ctypes
import platform
import shutil
import struct
import subprocess

import pytest

from tilewright.codegen.elf import LinkError
from tilewright.codegen.linker import Blob, link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.relocatable import combine
from tilewright.codegen.relocations import ARCHITECTURES, TABLE_MIDDLE
from tilewright.runtime.abi.library import Library, LoadError
from tilewright.runtime.file.elf_reader import Image

X86 = Machine("x86_64-unknown-linux-gnu")
ARM = Machine("aarch64-unknown-linux-gnu")
HOST = Machine(f"{platform.machine()}-unknown-linux-gnu")

# Exercises calls between objects, private and constant data, a table of pointers, zeroed data, a
# constant pool, an external function, and an undefined weak one.
FIRST = """
@zeroed = global [1000 x i32] zeroinitializer, align 64
@counter = global i32 40
@greeting = private constant [6 x i8] c"hello\\00"
@table = constant [3 x ptr] [ptr @greeting, ptr @second, ptr @counter]
declare i32 @second(i32)
declare extern_weak i32 @nobody_has_this(i32)
declare ptr @malloc(i64)
declare ptr @memcpy(ptr, ptr, i64)

define i32 @first(i32 %a) {
  %b = call i32 @second(i32 %a)
  %c = load i32, ptr @counter
  %d = add i32 %b, %c
  store i32 %d, ptr @counter
  %z = getelementptr i32, ptr @zeroed, i64 999
  store i32 %d, ptr %z
  ret i32 %d
}
define i32 @through_table(i32 %a) {
  %at = getelementptr ptr, ptr @table, i64 1
  %f = load ptr, ptr %at
  %r = call i32 %f(i32 %a)
  ret i32 %r
}
define ptr @copied_greeting() {
  %m = call ptr @malloc(i64 6)
  %g = load ptr, ptr @table
  %r = call ptr @memcpy(ptr %m, ptr %g, i64 6)
  ret ptr %m
}
define i32 @weak_is_null() {
  %null = icmp eq ptr @nobody_has_this, null
  %r = zext i1 %null to i32
  ret i32 %r
}
define double @scaled(double %x) {
  %y = fmul double %x, 0x400921FB54442D18
  ret double %y
}
"""
SECOND = """
@counter = external global i32
@note = internal global i32 2
define internal i32 @helper(i32 %a) noinline {
  %n = load i32, ptr @note
  %r = mul i32 %a, %n
  ret i32 %r
}
define i32 @second(i32 %a) {
  %r = call i32 @helper(i32 %a)
  ret i32 %r
}
define hidden i32 @hidden() { ret i32 1 }
"""


def compiled(text: str, machine: Machine = HOST) -> bytes:
    return compile_ir(text, machine)


@pytest.fixture(scope="module")
def library() -> Library:
    blobs = [Blob("manifest", b'{"abi": 1}\0'), Blob("weights", bytes(range(100)), 4096)]
    return Library(link([compiled(FIRST), compiled(SECOND)], blobs=blobs))


def function(library: Library, name: str, result: type, *arguments: type):
    return ctypes.CFUNCTYPE(result, *arguments)(library.address(name))


def test_objects_call_each_other_and_share_data(library):
    first = function(library, "first", ctypes.c_int32, ctypes.c_int32)
    assert [first(1), first(2)] == [42, 46]
    counter = ctypes.c_int32.from_address(library.address("counter"))
    assert counter.value == 46
    zeroed = (ctypes.c_int32 * 1000).from_address(library.address("zeroed"))
    assert sum(zeroed) == zeroed[999] == 46
    assert library.address("zeroed") % 64 == 0


def test_pointers_in_constants_are_filled_when_loading(library):
    assert function(library, "through_table", ctypes.c_int32, ctypes.c_int32)(21) == 42


def test_constant_pools_are_kept(library):
    scaled = function(library, "scaled", ctypes.c_double, ctypes.c_double)
    assert scaled(2) == 6.283185307179586


def test_externals_come_from_the_process_and_weak_ones_may_be_missing(library):
    assert function(library, "copied_greeting", ctypes.c_char_p)() == b"hello"
    assert function(library, "weak_is_null", ctypes.c_int32)() == 1


def test_blobs_are_exported_and_aligned(library):
    assert library.text("manifest") == '{"abi": 1}'
    assert library.address("weights") % 4096 == 0
    assert ctypes.string_at(library.address("weights"), 100) == bytes(range(100))


def test_objects_that_no_export_needs_are_left_out():
    root = "declare i32 @used()\ndefine i32 @root() {\n %x = call i32 @used()\n ret i32 %x\n}"
    used = "define i32 @used() {\n ret i32 1\n}"
    # Of a weak and a strong definition of `used`, the strong one counts, in any order.
    weak = 'define weak i32 @used() {\n ret i32 2\n}\n@unused = global [4096 x i8] c"%s"'
    weak %= "a" * 4096
    for texts in ([root, used, weak], [weak, used, root]):
        objects = [compiled(text) for text in texts]
        image = link(objects, exports=["root"])
        assert function(Library(image), "root", ctypes.c_int32)() == 1
        assert len(image) < len(link(objects)) - 4096
        combined = combine(objects, exports={"root": "renamed"})
        assert len(combined) < 4096
        assert function(Library(link([combined])), "renamed", ctypes.c_int32)() == 1


def test_hidden_and_unlisted_symbols_are_not_exported(library):
    assert library.find("hidden") == 0
    assert library.find("helper") == 0
    image = link([compiled(SECOND), compiled("@counter = global i32 1")], exports=["second"])
    few = Library(image)
    assert few.find("second") != 0
    assert few.find("counter") == 0


def test_an_external_data_symbol_is_bound_when_loading():
    text = """
    @environ = external global ptr
    @pointer = global ptr @environ
    define ptr @get() { ret ptr @environ }
    """
    library = Library(link([compiled(text)]))
    expected = ctypes.addressof(ctypes.c_void_p.in_dll(ctypes.CDLL(None), "environ"))
    assert function(library, "get", ctypes.c_void_p)() == expected
    assert ctypes.c_void_p.from_address(library.address("pointer")).value == expected


def test_a_strong_definition_replaces_a_weak_one():
    weak = "define weak i32 @answer() { ret i32 1 }"
    strong = "define i32 @answer() { ret i32 42 }"
    for objects in ([weak, strong], [strong, weak], [weak, weak, strong]):
        library = Library(link([compiled(text) for text in objects]))
        assert function(library, "answer", ctypes.c_int32)() == 42


def test_linking_is_reproducible():
    objects = [compiled(FIRST), compiled(SECOND)]
    assert link(objects) == link(objects)


def test_an_unresolved_symbol_fails_when_loading():
    image = link(
        [
            compiled(
                "declare void @nowhere()\ndefine void @f() {\n call void @nowhere()\n ret void\n}"
            )
        ]
    )
    with pytest.raises(LoadError, match="nowhere"):
        Library(image)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        (["define void @f() { ret void }"] * 2, "object 1: symbol f is defined twice"),
        (["@t = thread_local global i32 1"], "thread-local"),
        (["@c = common global i32 0"], "common"),
        (
            ["define void @f() { ret void }\n@llvm.global_ctors = appending global [1 x "
             "{ i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]"],
            "constructors",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_linked_is_named(objects, message):
    with pytest.raises(LinkError, match=message):
        link([compiled(text, X86) for text in objects])


def test_malformed_and_mixed_objects_are_refused():
    plain = "define void @f() { ret void }"
    with pytest.raises(LinkError, match="object 0: not an ELF64 object"):
        link([b"text"])
    with pytest.raises(LinkError, match="expected a relocatable object, got ELF type 3"):
        link([link([compiled(plain, X86)])])
    with pytest.raises(LinkError, match=r"\[62, 183\]"):
        link([compiled(plain, X86), compiled(plain, ARM)])
    with pytest.raises(LinkError, match="cannot link ELF machine 43"):
        link([compiled(plain, Machine("sparcv9-unknown-linux-gnu"))])
    with pytest.raises(LinkError, match="exported symbols are not defined: g"):
        link([compiled(plain, X86)], exports=["g"])


def test_an_unsupported_relocation_is_named():
    text = "@x = external global i32\ndefine i32 @f() {\n %v = load i32, ptr @x\n ret i32 %v\n}"
    large = compile_ir(text, Machine(X86.triple, code_model="large"))
    with pytest.raises(LinkError, match=r"relocation \d+ against .*not supported\n.*small"):
        link([large])


def run_tool(*command: object) -> str:
    """Return what a tool of binutils prints; skip without it."""
    name, *arguments = map(str, command)
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    return subprocess.run([name, *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def image_file(tmp_path):
    """An image with every kind of section."""
    blobs = [
        Blob("manifest", b"{}\0"),
        Blob("quiet", b"hidden", is_exported=False),
        Blob("big", bytes(range(256)) * 40, 4096, is_apart=True),
    ]
    path = tmp_path / "m.so"
    objects = [compiled(FIRST), compiled(SECOND)]
    path.write_bytes(link(objects, blobs=blobs, exports=["first"], has_build_id=True))
    return path


def test_tools_read_the_symbols_of_an_image(image_file):
    rows = [line.split() for line in run_tool("nm", "-D", image_file).splitlines()]
    kinds = {row[-1]: row[-2] for row in rows}
    assert kinds == {
        "first": "T", "manifest": "R", "big": "R",
        "malloc": "U", "memcpy": "U", "nobody_has_this": "w",
    }  # fmt: skip
    every = {line.split()[-1]: line.split()[-2] for line in run_tool("nm", image_file).splitlines()}
    assert every["helper"] == every["hidden"] == "t"
    assert every["zeroed"] == "b"
    assert every["counter"] == "d"


def test_tools_disassemble_functions_by_name(image_file):
    text = run_tool("objdump", "-d", image_file)
    assert {"<first>:", "<helper>:"} <= {line.split(" ")[-1] for line in text.splitlines()}


def test_tools_find_every_section_of_an_image(image_file):
    text = run_tool("readelf", "-SWn", image_file)
    names = [
        ".note.gnu.build-id", ".hash", ".dynsym", ".dynstr", ".rela.dyn", ".rodata", ".text",
        ".plt", ".dynamic", ".got", ".data", ".bss", ".weights", ".symtab", ".strtab", ".shstrtab",
    ]  # fmt: skip
    assert [name for name in names if f" {name} " in text] == names
    assert f"Build ID: {'0' * 64}" in text
    assert "Warning" not in text


def test_an_image_without_its_symbols_still_loads(image_file, tmp_path):
    run_tool("strip", "-o", tmp_path / "stripped.so", image_file)
    library = Library((tmp_path / "stripped.so").read_bytes())
    first = function(library, "first", ctypes.c_int32, ctypes.c_int32)
    assert first(1) == 42
    assert ctypes.string_at(library.address("big"), 512) == bytes(range(256)) * 2
    assert library.find("quiet") == 0


class Arm:
    """A reader of a linked aarch64 image that decodes it like the processor."""

    def __init__(self, image: bytes) -> None:
        self.image = image
        rows = range(64, 64 + 56 * 5, 56)
        self.segments = [struct.unpack_from("<IIQQQQQQ", image, at) for at in rows]
        self.code = self.segments[1]

    def word(self, at: int) -> int:
        return struct.unpack_from("<I", self.image, at)[0]

    def page(self, at: int) -> int:
        """Return the result of the adrp at an address."""
        word = self.word(at)
        assert word & 0x9F000000 == 0x90000000
        pages = (word >> 29 & 3) | (word >> 5 & 0x7FFFF) << 2
        pages -= (pages & 1 << 20) << 1
        return (at & ~0xFFF) + (pages << 12)

    def low(self, at: int, scale: int = 0) -> int:
        return (self.word(at) >> 10 & 0xFFF) << scale

    def branch(self, at: int) -> int:
        distance = self.word(at) & 0x3FFFFFF
        distance -= (distance & 1 << 25) << 1
        return at + 4 * distance


def test_aarch64_instructions_reach_their_targets():
    text = """
    @near = internal global i64 7
    declare void @away()
    define i64 @f() {
      call void @away()
      %v = load volatile i64, ptr @near
      ret i64 %v
    }
    """
    arm = Arm(link([compiled(text, ARM)]))
    start, size = arm.code[3], arm.code[5]
    words = range(start, start + size, 4)
    calls = [at for at in words if arm.word(at) >> 26 == 0x25]
    pages = [at for at in words if arm.word(at) & 0x9F000000 == 0x90000000]
    assert len(calls) == 1
    stub = arm.branch(calls[0])
    assert stub in pages
    slot = arm.page(stub) + arm.low(stub + 4, 3)
    dynamic = dict(struct.iter_unpack("<QQ", arm.image[arm.segments[3][2] :][:160]))
    relocation = struct.unpack_from("<QQq", arm.image, dynamic[7])
    assert relocation[:2] == (slot, 1 << 32 | 1025)
    load = next(at for at in pages if at != stub)
    value = arm.page(load) + arm.low(load + 4, 3)
    assert struct.unpack_from("<q", arm.image, value) == (7,)


@pytest.mark.parametrize("machine", ["loongarch64", "ppc64le", "s390x"])
def test_libraries_of_other_machines_call_functions_outside(machine: str) -> None:
    text = """
    declare i64 @outer(i64)
    @far = external global i64
    @table = constant [2 x ptr] [ptr @outer, ptr @f]
    define i64 @f(i64 %a) {
      %b = call i64 @outer(i64 %a)
      %c = load i64, ptr @far
      %d = add i64 %b, %c
      ret i64 %d
    }"""
    code = link([compiled(text, Machine(f"{machine}-unknown-linux-gnu"))])
    image = Image(code)
    assert {*image.symbols} == {"f", "table"}
    (made,) = (each for each in ARCHITECTURES.values() if each.machine == image.machine)
    stub = made.stub(0, 64, TABLE_MIDDLE)
    # The first instruction of a stub does not depend on addresses, apart from the slot's.
    assert stub[: 4 if machine == "ppc64le" else 2] in code
    if machine == "ppc64le":
        # A call of a stub restores the address of the table of contents.
        assert code.count(made.after_stub) == 1
