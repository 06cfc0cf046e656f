"""Relocations per instruction set: the address that each kind refers to, and its patch function.

Sources: x86-64 psABI 1.0 section 4.4; ELF for the Arm 64-bit Architecture (AArch64) section 5.7;
RISC-V ELF psABI 1.0 chapter 8; ELF for the LoongArch Architecture, section on relocations; 64-Bit
ELF V2 ABI for Power, section 3.5; s390x ELF ABI 1.6, section 2.5.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ..runtime.file.elf_format import BIG, LITTLE, ElfFormat

# Arguments: the bytes of a section, the position of an instruction or word in them, the address of
# this position, and the address to which the relocation refers.
Patch = Callable[[bytearray, int, int, int], None]


class Need(Enum):
    """What a relocation needs: the kind of address to which it refers."""

    WORD = "a 64-bit absolute address, written by the dynamic loader"
    ADDRESS = "the symbol itself, which must be in the same image"
    CALL = "the symbol, or a stub that jumps to it"
    SLOT = "the symbol's entry in the global offset table"
    TABLE = "the symbol itself, as a distance from the middle of the table of contents"
    PAIR = "the target of the relocation at the symbol, which is the first of two instructions"


@dataclass(frozen=True)
class RelocationKind:
    """A kind of relocation of an instruction set.

    name: its name in the specification.
    need: the kind of address to which it refers.
    patch: the function that writes the address or distance into the bytes of a section.
    """

    name: str
    need: Need
    patch: Patch


class RelocationOutOfRange(ValueError):
    """The error for a value that does not fit the instruction field of a relocation."""


@dataclass(frozen=True)
class Architecture:
    """The properties of an instruction set on which linking depends.

    machine: the ELF number of the instruction set.
    kinds: the relocation kinds by number.
    slot, relative, word: the numbers of the dynamic relocations for an entry of the global offset
    table, for an address within the image, and for an address of an external symbol.
    stub: returns the code of a jump through a slot, given the addresses of the stub, the slot and
    the table of contents.
    stub_bytes: the size of this code.
    flags: the flags in the ELF header.
    elf: the layouts of ELF structures.
    local_entry: returns the offset of the local entry point of a function, given the field st_other
    of its symbol.
    after_stub: the instruction that must follow a call of a stub; empty if none must.
    hash_word: the type of the numbers in a hash table, as a format character of `struct`.
    """

    name: str
    machine: int
    page_bytes: int
    kinds: dict[int, RelocationKind]
    slot: int
    relative: int
    word: int
    stub: Callable[[int, int, int], bytes]
    stub_bytes: int = 16
    flags: int = 0
    elf: ElfFormat = LITTLE
    local_entry: Callable[[int], int] = lambda _: 0
    after_stub: bytes = b""
    hash_word: str = "I"


def _signed(value: int, bits: int) -> int:
    """Return the bits of a signed field that holds a value, as a non-negative number.

    bits: the width of the field.
    Errors: RelocationOutOfRange if the field cannot hold the value.
    """
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise RelocationOutOfRange(f"{value} does not fit {bits} bits")
    return value & ((1 << bits) - 1)


def _relative_32(body: bytearray, offset: int, place: int, target: int) -> None:
    struct.pack_into("<I", body, offset, _signed(target - place, 32))


def _relative_64(body: bytearray, offset: int, place: int, target: int) -> None:
    struct.pack_into("<q", body, offset, target - place)


def _by_loader(body: bytearray, offset: int, place: int, target: int) -> None:
    """Change nothing: the loader writes the word by a dynamic relocation."""


def _x86_stub(stub: int, slot: int, _table: int) -> bytes:
    # jmp *slot(%rip), then padding that is never executed.
    return b"\xff\x25" + struct.pack("<i", slot - stub - 6) + b"\xcc" * 10


X86_64 = Architecture(
    name="x86-64",
    machine=62,
    page_bytes=4096,
    kinds={
        1: RelocationKind("R_X86_64_64", Need.WORD, _by_loader),
        2: RelocationKind("R_X86_64_PC32", Need.ADDRESS, _relative_32),
        4: RelocationKind("R_X86_64_PLT32", Need.CALL, _relative_32),
        9: RelocationKind("R_X86_64_GOTPCREL", Need.SLOT, _relative_32),
        24: RelocationKind("R_X86_64_PC64", Need.ADDRESS, _relative_64),
        41: RelocationKind("R_X86_64_GOTPCRELX", Need.SLOT, _relative_32),
        42: RelocationKind("R_X86_64_REX_GOTPCRELX", Need.SLOT, _relative_32),
    },
    slot=6,
    relative=8,
    word=1,
    stub=_x86_stub,
)


def _set_field(body: bytearray, offset: int, value: int, bits: int, shift: int) -> None:
    """Replace a field in a 32-bit instruction by a value.

    body: the bytes of the section.
    offset: the position of the instruction in them.
    bits: the width of the field.
    shift: the position of its lowest bit.
    """
    (word,) = struct.unpack_from("<I", body, offset)
    mask = ((1 << bits) - 1) << shift
    struct.pack_into("<I", body, offset, word & ~mask | value << shift & mask)


def _arm_page(body: bytearray, offset: int, place: int, target: int) -> None:
    pages = _signed((target >> 12) - (place >> 12), 21)
    _set_field(body, offset, pages & 3, 2, 29)
    _set_field(body, offset, pages >> 2, 19, 5)


def _arm_low(scale: int) -> Patch:
    """Return the patch function for the low 12 bits of an address, in units of 2**scale bytes."""

    def patch(body: bytearray, offset: int, place: int, target: int) -> None:
        if target & ((1 << scale) - 1):
            raise RelocationOutOfRange(f"{target:#x} is not aligned to {1 << scale} bytes")
        _set_field(body, offset, (target & 0xFFF) >> scale, 12, 10)

    return patch


def _arm_branch(body: bytearray, offset: int, place: int, target: int) -> None:
    _set_field(body, offset, _signed((target - place) >> 2, 26), 26, 0)


def _arm_stub(stub: int, slot: int, _table: int) -> bytes:
    # adrp x16, slot; ldr x17, [x16, :lo12:slot]; br x17; brk #0
    body = bytearray(struct.pack("<4I", 0x90000010, 0xF9400211, 0xD61F0220, 0xD4200000))
    _arm_page(body, 0, stub, slot)
    _arm_low(3)(body, 4, stub + 4, slot)
    return bytes(body)


AARCH64 = Architecture(
    name="aarch64",
    machine=183,
    page_bytes=65536,
    kinds={
        257: RelocationKind("R_AARCH64_ABS64", Need.WORD, _by_loader),
        260: RelocationKind("R_AARCH64_PREL64", Need.ADDRESS, _relative_64),
        261: RelocationKind("R_AARCH64_PREL32", Need.ADDRESS, _relative_32),
        275: RelocationKind("R_AARCH64_ADR_PREL_PG_HI21", Need.ADDRESS, _arm_page),
        277: RelocationKind("R_AARCH64_ADD_ABS_LO12_NC", Need.ADDRESS, _arm_low(0)),
        278: RelocationKind("R_AARCH64_LDST8_ABS_LO12_NC", Need.ADDRESS, _arm_low(0)),
        282: RelocationKind("R_AARCH64_JUMP26", Need.CALL, _arm_branch),
        283: RelocationKind("R_AARCH64_CALL26", Need.CALL, _arm_branch),
        284: RelocationKind("R_AARCH64_LDST16_ABS_LO12_NC", Need.ADDRESS, _arm_low(1)),
        285: RelocationKind("R_AARCH64_LDST32_ABS_LO12_NC", Need.ADDRESS, _arm_low(2)),
        286: RelocationKind("R_AARCH64_LDST64_ABS_LO12_NC", Need.ADDRESS, _arm_low(3)),
        299: RelocationKind("R_AARCH64_LDST128_ABS_LO12_NC", Need.ADDRESS, _arm_low(4)),
        311: RelocationKind("R_AARCH64_ADR_GOT_PAGE", Need.SLOT, _arm_page),
        312: RelocationKind("R_AARCH64_LD64_GOT_LO12_NC", Need.SLOT, _arm_low(3)),
    },
    slot=1025,
    relative=1027,
    word=257,
    stub=_arm_stub,
)


def _riscv_high(body: bytearray, offset: int, place: int, target: int) -> None:
    # Rounded, because the lower 12 bits of the distance are signed.
    _set_field(body, offset, _signed(target - place + 0x800, 32) >> 12, 20, 12)


def _riscv_low(body: bytearray, offset: int, place: int, target: int) -> None:
    _set_field(body, offset, (target - place) & 0xFFF, 12, 20)


def _riscv_low_store(body: bytearray, offset: int, place: int, target: int) -> None:
    low = (target - place) & 0xFFF
    _set_field(body, offset, low >> 5, 7, 25)
    _set_field(body, offset, low & 31, 5, 7)


def _riscv_call(body: bytearray, offset: int, place: int, target: int) -> None:
    _riscv_high(body, offset, place, target)
    _riscv_low(body, offset + 4, place, target)


def _riscv_stub(stub: int, slot: int, _table: int) -> bytes:
    # auipc t3, slot; ld t3, slot(t3); jalr t1, t3; nop
    body = bytearray(struct.pack("<4I", 0x00000E17, 0x000E3E03, 0x000E0367, 0x00000013))
    _riscv_call(body, 0, stub, slot)
    return bytes(body)


RISCV64 = Architecture(
    name="riscv64",
    machine=243,
    page_bytes=4096,
    kinds={
        2: RelocationKind("R_RISCV_64", Need.WORD, _by_loader),
        19: RelocationKind("R_RISCV_CALL_PLT", Need.CALL, _riscv_call),
        20: RelocationKind("R_RISCV_GOT_HI20", Need.SLOT, _riscv_high),
        23: RelocationKind("R_RISCV_PCREL_HI20", Need.ADDRESS, _riscv_high),
        24: RelocationKind("R_RISCV_PCREL_LO12_I", Need.PAIR, _riscv_low),
        25: RelocationKind("R_RISCV_PCREL_LO12_S", Need.PAIR, _riscv_low_store),
        57: RelocationKind("R_RISCV_32_PCREL", Need.ADDRESS, _relative_32),
    },
    slot=2,
    relative=3,
    word=2,
    stub=_riscv_stub,
    # Compressed instructions, and floats in registers of 64 bits.
    flags=0x5,
)


def _loong_page(body: bytearray, offset: int, place: int, target: int) -> None:
    # Rounded, because the lower 12 bits of the distance are signed.
    pages = _signed((target + 0x800 >> 12) - (place >> 12), 20)
    _set_field(body, offset, pages, 20, 5)


def _loong_low(body: bytearray, offset: int, place: int, target: int) -> None:
    _set_field(body, offset, target & 0xFFF, 12, 10)


def _loong_branch(body: bytearray, offset: int, place: int, target: int) -> None:
    words = _signed((target - place) >> 2, 26)
    _set_field(body, offset, words & 0xFFFF, 16, 10)
    _set_field(body, offset, words >> 16, 10, 0)


def _loong_far_call(body: bytearray, offset: int, place: int, target: int) -> None:
    # pcaddu18i adds the upper bits, jirl the lower 18 bits.
    distance = target - place
    _set_field(body, offset, _signed(distance + (1 << 17) >> 18, 20), 20, 5)
    _set_field(body, offset + 4, distance >> 2 & 0xFFFF, 16, 10)


def _loong_stub(stub: int, slot: int, _table: int) -> bytes:
    # pcalau12i $t3, slot; ld.d $t3, $t3, slot; jr $t3; nop
    body = bytearray(struct.pack("<4I", 0x1A00000F, 0x28C001EF, 0x4C0001E0, 0x03400000))
    _loong_page(body, 0, stub, slot)
    _loong_low(body, 4, stub + 4, slot)
    return bytes(body)


LOONGARCH64 = Architecture(
    name="loongarch64",
    machine=258,
    page_bytes=65536,
    kinds={
        2: RelocationKind("R_LARCH_64", Need.WORD, _by_loader),
        66: RelocationKind("R_LARCH_B26", Need.CALL, _loong_branch),
        71: RelocationKind("R_LARCH_PCALA_HI20", Need.ADDRESS, _loong_page),
        72: RelocationKind("R_LARCH_PCALA_LO12", Need.ADDRESS, _loong_low),
        75: RelocationKind("R_LARCH_GOT_PC_HI20", Need.SLOT, _loong_page),
        76: RelocationKind("R_LARCH_GOT_PC_LO12", Need.SLOT, _loong_low),
        99: RelocationKind("R_LARCH_32_PCREL", Need.ADDRESS, _relative_32),
        109: RelocationKind("R_LARCH_64_PCREL", Need.ADDRESS, _relative_64),
        110: RelocationKind("R_LARCH_CALL36", Need.CALL, _loong_far_call),
    },
    slot=2,
    relative=3,
    word=2,
    stub=_loong_stub,
    # The object file ABI v1, and floats in registers of 64 bits.
    flags=0x43,
)

TABLE_MIDDLE = 0x8000
"""The offset in a table of contents of the address that the TOC register holds."""


def _power_half(shift: int, keeps: int = 0, rounds: int = 0) -> Patch:
    """Return the patch function for 16 bits of a distance, from bit ``shift`` on.

    keeps: a mask of the low bits of the field that belong to the instruction.
    rounds: a number to add before the shift, because the lower half is signed.
    """

    def patch(body: bytearray, offset: int, place: int, target: int) -> None:
        distance = _signed(target - place, 32 if shift or rounds or not keeps else 16)
        (old,) = struct.unpack_from("<H", body, offset)
        half = (distance + rounds >> shift) & 0xFFFF & ~keeps
        struct.pack_into("<H", body, offset, half | old & keeps)

    return patch


def _power_branch(body: bytearray, offset: int, place: int, target: int) -> None:
    _set_field(body, offset, _signed(target - place, 26) >> 2, 24, 2)


def _power_stub(_stub: int, slot: int, table: int) -> bytes:
    # std r2, 24(r1); addis r12, r2, slot@ha; ld r12, slot@l(r12); mtctr r12; bctr
    code = (0xF8410018, 0x3D820000, 0xE98C0000, 0x7D8903A6, 0x4E800420)
    body = bytearray(struct.pack("<5I", *code))
    _power_half(16, rounds=0x8000)(body, 4, table, slot)
    _power_half(0, keeps=3)(body, 8, table, slot)
    return bytes(body)


POWER64 = Architecture(
    name="powerpc64le",
    machine=21,
    page_bytes=65536,
    kinds={
        10: RelocationKind("R_PPC64_REL24", Need.CALL, _power_branch),
        26: RelocationKind("R_PPC64_REL32", Need.ADDRESS, _relative_32),
        38: RelocationKind("R_PPC64_ADDR64", Need.WORD, _by_loader),
        44: RelocationKind("R_PPC64_REL64", Need.ADDRESS, _relative_64),
        63: RelocationKind("R_PPC64_TOC16_DS", Need.TABLE, _power_half(0, keeps=3)),
        250: RelocationKind("R_PPC64_REL16_LO", Need.ADDRESS, _power_half(0)),
        252: RelocationKind("R_PPC64_REL16_HA", Need.ADDRESS, _power_half(16, rounds=0x8000)),
    },
    slot=20,
    relative=22,
    word=38,
    stub=_power_stub,
    stub_bytes=20,
    # The ABI ELFv2.
    flags=2,
    local_entry=lambda other: (1 << (other >> 5)) >> 2 << 2,
    # ld r2, 24(r1)
    after_stub=struct.pack("<I", 0xE8410018),
)


def _big_endian(bits: int, shift: int = 0) -> Patch:
    """Return the patch function for a big-endian distance in units of 2**shift bytes.

    bits: the width of the field.
    """

    def patch(body: bytearray, offset: int, place: int, target: int) -> None:
        value = _signed((target - place) >> shift, bits)
        body[offset : offset + bits // 8] = value.to_bytes(bits // 8, "big")

    return patch


def _s390_stub(stub: int, slot: int, _table: int) -> bytes:
    # lgrl %r1, slot; br %r1
    return struct.pack(">Hi", 0xC418, (slot - stub) >> 1) + b"\x07\xf1"


S390X = Architecture(
    name="s390x",
    machine=22,
    page_bytes=4096,
    kinds={
        5: RelocationKind("R_390_PC32", Need.ADDRESS, _big_endian(32)),
        16: RelocationKind("R_390_PC16DBL", Need.ADDRESS, _big_endian(16, 1)),
        19: RelocationKind("R_390_PC32DBL", Need.ADDRESS, _big_endian(32, 1)),
        20: RelocationKind("R_390_PLT32DBL", Need.CALL, _big_endian(32, 1)),
        22: RelocationKind("R_390_64", Need.WORD, _by_loader),
        23: RelocationKind("R_390_PC64", Need.ADDRESS, _big_endian(64)),
        26: RelocationKind("R_390_GOTENT", Need.SLOT, _big_endian(32, 1)),
    },
    slot=10,
    relative=12,
    word=22,
    stub=_s390_stub,
    stub_bytes=8,
    elf=BIG,
    hash_word="Q",
)

ARCHITECTURES = {
    each.machine: each for each in (X86_64, AARCH64, RISCV64, LOONGARCH64, POWER64, S390X)
}
