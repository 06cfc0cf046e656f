"""Find the processor features that x86-64 machine code uses.

In: the code of a section as LLVM writes it: instructions without gaps and without data.
Out: features by their names in Linux. The length of each instruction follows from its prefixes,
opcode and operands; its feature from `x86_table`. Some vector lengths need another feature: 256-bit
integer vectors need AVX2, and vectors shorter than 512 bits need AVX512VL. An instruction that the
table does not contain is an error, so no feature is missed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..runtime.errors import Error
from .elf import SectionFlag, read_object
from .x86_table import PREFIXES, Encoding, features_by_place, opcodes

_LEGACY_PREFIXES = frozenset(b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3")
_MANDATORY = {0x66: 1, 0xF3: 2, 0xF2: 3}
# The one-byte opcodes: with a ModRM byte, with a constant of one byte, of four bytes, with neither.
_MODRM = opcodes(
    "00-03 08-0b 10-13 18-1b 20-23 28-2b 30-33 38-3b 63 69 6b 80 81 83-8f c0 c1 c6 c7 d0-d3 d8-df "
    "f6 f7 fe ff"
)
_BYTE = opcodes("04 0c 14 1c 24 2c 34 3c 6a 6b 70-7f 80 83 a8 b0-b7 c0 c1 c6 cd e0-e3 eb")
_WORDS = opcodes("05 0d 15 1d 25 2d 35 3d 68 69 81 a9 c7 e8 e9")
_PLAIN = opcodes("50-5f 90-99 9b-9f a4-a7 aa-af c3 c9 cc f4 f5 f8-fd")
# The opcodes of the map 0F without a ModRM byte, and those with a constant of one byte.
_NO_MODRM = opcodes("05 0b 31 77 80-8f a2 c8-cf")
_MAP_BYTE = opcodes("70-73 a4 ac ba c2 c4-c6")
# Integer instructions that AVX has for 128 bits only.
_INTEGER = {
    "vex1": opcodes("60-6d 70-76 d1-d5 d7-df e0-e5 e8-ef f1-f6 f8-fe"),
    "vex2": opcodes("00-0b 1c-1e 20-25 28-2b 30-35 37-41"),
    "vex3": opcodes("0e 0f 42 4c"),
}
# Instructions on one element, whose length field has no meaning; scalar with a prefix F3 or F2.
_SCALAR = {
    "evex1": opcodes("12 13 16 17 2e 2f 6e 7e c4 c5 d6"),
    "evex2": opcodes("2d 43 4d 4f 99 9b 9d 9f a9 ab ad af b9 bb bd bf"),
    "evex3": opcodes("0a 0b 14-17 20-22 27 51 55 57 67"),
}
_SCALAR_WITH_PREFIX = opcodes("10 11 2a 2c 2d 51 58-5a 5c-5f 78 79 7b c2")
_DUPLICATES = (0x12, 0x16)


class UnknownInstruction(Error):
    """The error for machine code with an instruction that the table does not contain."""


def needed_features(objects: Iterable[bytes], target: Iterable[str]) -> list[str]:
    """Return the features of a target that the code of some objects uses.

    objects: the bytes of the object files.
    target: the features of the target by their names in Linux; empty for instruction sets other
    than x86-64.  All of them are returned if an object has an unknown instruction, for example from
    inline assembly.
    TZCNT does not count on a target without ``bmi1``: it runs as BSF there, and LLVM uses it only
    for values other than 0.
    """
    allowed, used = sorted(target), set[str]()
    try:
        for data in objects if allowed else ():
            used |= used_in_object(data)
    except UnknownInstruction:
        return allowed
    return [feature for feature in allowed if feature in used]


@lru_cache(maxsize=64)
def used_in_object(data: bytes) -> frozenset[str]:
    """Return the features that the code of an object file uses.

    Results are cached, because most objects of models are equal.
    Errors: UnknownInstruction.
    """
    used = set[str]()
    for section in read_object(data, "an object of the model").sections:
        if section.flags & SectionFlag.EXECUTE and section.body:
            used |= used_features(bytes(section.body))
    return frozenset(used)


def used_features(code: bytes) -> frozenset[str]:
    """Return the features that the instructions of a section use.

    Errors: UnknownInstruction.
    """
    at, found = 0, set[str]()
    while at < len(code):
        decoder = _Decoder(code, at)
        try:
            found |= decoder.features()
        except IndexError:
            raise decoder.unknown() from None
        at = decoder.at
    return frozenset(found - {"base"})


@dataclass
class _Decoder:
    """A decoder of one machine instruction.

    at: the position of the next byte to decode.
    prefix: the mandatory prefix, as an index of `PREFIXES`.
    wide: the bit W.
    """

    code: bytes
    at: int
    prefix: int = 0
    wide: int = 0

    def __post_init__(self) -> None:
        self.start = self.at

    def unknown(self) -> UnknownInstruction:
        got = self.code[self.start : self.start + 15].hex(" ")
        return UnknownInstruction(
            "machine code has an instruction of an unknown feature",
            expected="an instruction of codegen/x86_table.py",
            got=f"{got} at byte {self.start}",
        )

    def features(self) -> set[str]:
        """Decode the instruction; return the features that it needs.

        Then ``at`` is the end of the instruction.
        """
        first = self._byte()
        while first in _LEGACY_PREFIXES:
            self.prefix = max(self.prefix, _MANDATORY.get(first, 0))
            first = self._byte()
        if first in (0xC4, 0xC5):
            return self._vex(is_long=first == 0xC4)
        if first == 0x62:
            return self._evex()
        if first & 0xF0 == 0x40:
            self.wide, first = first >> 3 & 1, self._byte()
        return self._two_bytes() if first == 0x0F else self._one_byte(first)

    def _byte(self) -> int:
        self.at += 1
        return self.code[self.at - 1]

    def _one_byte(self, opcode: int) -> set[str]:
        if opcode not in _MODRM | _BYTE | _WORDS | _PLAIN and opcode & 0xF8 != 0xB8:
            raise self.unknown()
        selected = -1
        if opcode in _MODRM:
            selected = self.code[self.at] >> 3 & 7
            self._operands()
        is_test = opcode in (0xF6, 0xF7) and selected < 2
        word = 2 if self.prefix == 1 and not self.wide else 4
        if opcode & 0xF8 == 0xB8:
            self.at += 8 if self.wide else word
        elif opcode in (0xE8, 0xE9):
            self.at += 4
        elif opcode in _WORDS or (is_test and opcode == 0xF7):
            self.at += word
        elif opcode in _BYTE or is_test:
            self.at += 1
        return set()

    def _two_bytes(self) -> set[str]:
        opcode, number = self._byte(), 1
        if opcode in (0x38, 0x3A):
            number, opcode = (2 if opcode == 0x38 else 3), self._byte()
        place = Encoding(f"legacy{number}", opcode, self.prefix, self.wide)
        if number == 1 and opcode in _NO_MODRM:
            self.at += 4 if opcode & 0xF0 == 0x80 else 0
        else:
            self._operands()
            self.at += number == 3 or (number == 1 and opcode in _MAP_BYTE)
        return {self._feature(place)}

    def _vex(self, *, is_long: bool) -> set[str]:
        number, last = (self._byte() & 31 if is_long else 1), self._byte()
        self.wide = last >> 7 if is_long else 0
        self.prefix = last & 3
        opcode, is_256 = self._byte(), last >> 2 & 1
        place = Encoding(f"vex{number}", opcode, self.prefix, self.wide)
        feature, is_register = self._feature(place), False
        if place[:2] != ("vex1", 0x77):  # vzeroupper has no operands
            is_register = self._operands()
            self.at += number == 3 or (number == 1 and opcode in _MAP_BYTE)
        if feature != "avx":
            return {feature, *(("v" + feature,) if is_256 and feature in _LONGER else ())}
        # Broadcasts of a register, and integers of 256 bits.
        is_broadcast = number == 2 and opcode in (0x18, 0x19) and is_register
        needs_avx2 = is_broadcast or (is_256 and opcode in _INTEGER[place.space])
        return {"avx2" if needs_avx2 else "avx"}

    def _evex(self) -> set[str]:
        number, second, third = self._byte() & 7, self._byte(), self._byte()
        opcode = self._byte()
        self.wide, self.prefix = second >> 7, second & 3
        place = Encoding(f"evex{number}", opcode, self.prefix, self.wide)
        feature = self._feature(place)
        is_register = self._operands()
        self.at += number == 3 or (number == 1 and opcode in _MAP_BYTE)
        rounds = is_register and third >> 4 & 1  # the length field is then a rounding mode
        is_short = third >> 5 & 3 != 2 and not rounds and not _is_scalar(place)
        return {feature, "avx512f", *(("avx512vl",) if is_short else ())}

    def _feature(self, place: Encoding) -> str:
        feature = features_by_place().get(place)
        if feature is None:
            raise self.unknown()
        return feature

    def _operands(self) -> bool:
        """Move ``at`` past ModRM and displacement; return whether both operands are registers."""
        modrm = self._byte()
        mode, base = modrm >> 6, modrm & 7
        if mode == 3:
            return True
        if base == 4:
            base = self._byte() & 7
        if mode == 0:
            self.at += 4 if base == 5 else 0
        else:
            self.at += 1 if mode == 1 else 4
        if self.at > len(self.code):
            raise self.unknown()
        return False


_LONGER = ("aes", "pclmulqdq")


def _is_scalar(place: Encoding) -> bool:
    """Return whether an EVEX instruction processes a single element."""
    has_prefix = PREFIXES[place.prefix] in ("f3", "f2")
    if place.space in ("evex1", "evex5") and has_prefix and place.opcode in _SCALAR_WITH_PREFIX:
        return True
    if place.space == "evex1" and place.opcode in _DUPLICATES and has_prefix:
        return False
    return place.opcode in _SCALAR.get(place.space, ())
