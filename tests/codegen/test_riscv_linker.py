"""Linking for RISC-V: unicorn runs an image of two objects, and reads its relocations."""

from __future__ import annotations

import struct
from typing import Any

import pytest
import unicorn as _unicorn
from unicorn import riscv_const as registers

from tilewright.codegen import linker
from tilewright.codegen.elf import LinkError, ObjectFile, read_object
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import Machine, compile_ir
from tilewright.codegen.relocatable import combine
from tilewright.codegen.relocations import RISCV64

MACHINE = Machine("riscv64-unknown-linux-gnu")
BASE, STACK, OUTER, END = 0x100000, 0x800000, 0x900000, 0x900100
PAGE = 4096
FLAGS_AT, HIGH = 48, 23
unicorn: Any = _unicorn

FIRST = """
@counter = internal global i64 40
@table = constant [2 x ptr] [ptr @second, ptr @counter]
@far = external global i64
declare i64 @second(i64)
declare i64 @outer(i64)

define i64 @first(i64 %a) {
  %b = call i64 @second(i64 %a)
  %old = load i64, ptr @counter
  %c = add i64 %b, %old
  store i64 %c, ptr @counter
  %f = load volatile ptr, ptr @table
  %d = call i64 %f(i64 %c)
  %e = call i64 @outer(i64 %d)
  %g = load i64, ptr @far
  %h = add i64 %e, %g
  ret i64 %h
}
"""
SECOND = """
@spread = internal global [100000 x i8] zeroinitializer
@step = internal constant i64 2
define i64 @second(i64 %a) {
  %at = getelementptr i8, ptr @spread, i64 99992
  %seen = load volatile i64, ptr %at
  %s = load volatile i64, ptr @step
  %b = add i64 %a, %s
  store volatile i64 %b, ptr %at
  ret i64 %b
}
"""


def objects() -> list[bytes]:
    return [compile_ir(text, MACHINE) for text in (FIRST, SECOND)]


def called(image: bytes, argument: int) -> int:
    """Load an image at BASE; return the result of its function ``first``."""
    machine = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV64)
    for at, size in ((BASE, 1 << 20), (STACK, PAGE), (OUTER, PAGE)):
        machine.mem_map(at, size)
    (count,) = struct.unpack_from("<H", image, 56)
    rows = [struct.unpack_from("<IIQQQQQQ", image, 64 + 56 * n) for n in range(count)]
    for kind, _, at, address, _, size, *_ in rows:
        if kind == 1:
            machine.mem_write(BASE + address, image[at : at + size])
    start = next(row[2] for row in rows if row[0] == 2)
    dynamic = dict(struct.iter_unpack("<QQ", image[start : start + 160]))
    symbols: dict[str, int] = {}
    names: list[str] = []
    for at in range(dynamic[6], dynamic[5], 24):
        name, value = struct.unpack_from("<I4xQ", image, at)
        end = image.index(b"\0", dynamic[5] + name)
        names.append(image[dynamic[5] + name : end].decode())
        symbols[names[-1]] = BASE + value
    # The function outer adds 1; the number far is 1000.
    machine.mem_write(OUTER, struct.pack("<IIq", 0x00150513, 0x00008067, 1000))
    symbols |= {"outer": OUTER, "far": OUTER + 8}
    for at in range(dynamic[7], dynamic[7] + dynamic[8], 24):
        place, info, addend = struct.unpack_from("<QQq", image, at)
        value = BASE if info == RISCV64.relative else symbols[names[info >> 32]]
        assert info & 0xFF in (RISCV64.relative, RISCV64.word)
        machine.mem_write(BASE + place, struct.pack("<Q", value + addend))
    machine.reg_write(registers.UC_RISCV_REG_SP, STACK + PAGE - 64)
    machine.reg_write(registers.UC_RISCV_REG_RA, END)
    machine.reg_write(registers.UC_RISCV_REG_A0, argument)
    machine.emu_start(symbols["first"], END, count=1000)
    return machine.reg_read(registers.UC_RISCV_REG_A0)


def test_a_linked_image_runs() -> None:
    image = link(objects())
    # second adds 2, the counter 40, second 2 again, outer 1, far 1000.
    assert called(image, 7) == 7 + 2 + 40 + 2 + 1 + 1000
    assert struct.unpack_from("<I", image, FLAGS_AT) == (RISCV64.flags,)


def test_a_combined_object_links_to_the_same_image() -> None:
    combined = combine(objects(), exports={"first": "first"})
    assert struct.unpack_from("<I", combined, FLAGS_AT) == (RISCV64.flags,)
    assert called(link([combined]), 5) == called(link(objects()), 5)


def test_a_pair_without_its_first_instruction_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_firsts(data: bytes, name: str) -> ObjectFile:
        file = read_object(data, name)
        file.relocations = [each for each in file.relocations if each.kind != HIGH]
        return file

    monkeypatch.setattr(linker, "read_object", without_firsts)
    with pytest.raises(LinkError, match="the first instruction of a pair"):
        linker.link(objects())
