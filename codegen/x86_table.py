"""The processor feature that each instruction of x86-64 needs, by its encoding.

A space is a combination of encoding and opcode map: ``legacy2`` is the map 0F 38 without VEX
prefix. A row lists opcodes of a space: two hexadecimal digits, or a range, then optional
conditions, each after a slash: a mandatory prefix (``np 66 f3 f2``) or the bit W (``w0 w1``). If
several rows contain an opcode, the first row counts. Features have their names in Linux; ``base``
stands for the features of every x86-64 processor.

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

PREFIXES = ("np", "66", "f3", "f2")
"""Mandatory prefixes, in the order of the field pp of VEX and EVEX."""

ROWS: tuple[tuple[str, str, str], ...] = (
    ("legacy1", "pni", "12/f2 12/f3 16/f3 7c 7d d0 f0/f2"),
    ("legacy1", "sse4a", "2b/f3 2b/f2"),
    ("legacy1", "popcnt", "b8/f3"),
    ("legacy1", "bmi1", "bc/f3"),
    ("legacy1", "abm", "bd/f3"),
    ("legacy1", "base", "05 0b 0d 10-18 1e 1f 28-2f 31 40-77 7e 7f 80-9f a2-a5 ab-b3 b6 b7 ba-c7 "
                        "c8-cf d1-ef f1-fe"),
    ("legacy2", "ssse3", "00-0b 1c-1e"),
    ("legacy2", "sse4_1", "10 14 15 17 20-25 28-2b 30-35 38-41"),
    ("legacy2", "sse4_2", "37 f0/f2 f1/f2"),
    ("legacy2", "movbe", "f0/np f1/np f0/66 f1/66"),
    ("legacy2", "gfni", "cf"),
    ("legacy2", "aes", "db-df"),
    ("legacy2", "adx", "f6/66 f6/f3"),
    ("legacy3", "ssse3", "0f"),
    ("legacy3", "sse4_1", "08-0e 14-17 20-22 40-42"),
    ("legacy3", "sse4_2", "60-63"),
    ("legacy3", "pclmulqdq", "44"),
    ("legacy3", "gfni", "ce cf"),
    ("vex1", "avx512f", "41/w0/np 42/w0/np 44-47/w0/np 4b/w0/66 90-93/w0/np 98/w0/np"),
    ("vex1", "avx512dq", "41/w0/66 42/w0/66 44-47/w0/66 4a/w0 90-93/w0/66 98/w0/66 99/w0"),
    ("vex1", "avx512bw", "41/w1 42/w1 44-47/w1 4a/w1 4b 90-93 98/w1 99/w1"),
    ("vex1", "avx", "10-17 28-2f 50-7f c2 c4-c6 d0-ef f0-fe"),
    ("vex2", "avx2", "16 36 45-47 58-5a 78 79 8c 8e 90-93"),
    ("vex2", "f16c", "13"),
    ("vex2", "avx_vnni", "50-53/66"),
    ("vex2", "fma", "96-9f a6-af b6-bf"),
    ("vex2", "bmi1", "f2 f3 f7/np"),
    ("vex2", "bmi2", "f5 f6 f7"),
    ("vex2", "gfni", "cf"),
    ("vex2", "aes", "db-df"),
    ("vex2", "amx_tile", "49 4b"),
    ("vex2", "amx_bf16", "5c/f3"),
    ("vex2", "amx_int8", "5e"),
    ("vex2", "avx", "00-0f 17-1a 1c-1e 20-25 28-35 37-41"),
    ("vex3", "avx2", "00-02 38 39 46"),
    ("vex3", "f16c", "1d"),
    ("vex3", "bmi2", "f0"),
    ("vex3", "gfni", "ce cf"),
    ("vex3", "pclmulqdq", "44"),
    ("vex3", "avx512f", "30/w1 32/w1"),
    ("vex3", "avx512dq", "30/w0 32/w0"),
    ("vex3", "avx512bw", "31 33"),
    ("vex3", "avx", "04-06 08-0f 14-19 20-22 40-42 4a-4c 60-63"),
    ("evex1", "avx512bw", "60 61 63-65 67-69 6b 6f/f2 7f/f2 70/f3 70/f2 71 73 74 75 c4 c5 d1 d5 "
                          "d8-da dc-de e0 e1 e3-e5 e8-ea ec-ee f1 f5 f6 f8 f9 fc fd"),
    ("evex1", "avx512dq", "54-57 5b/np/w1 78/66 79/66 7a/66 7b/66 7a/f2/w1 7a/f3/w1 e6/f3/w1"),
    ("evex1", "avx512f", "10-17 28-2f 51 58-5f 62 66 6a 6c-6f 70 72 76 78-7b 7e 7f c2 c6 d2-d4 d6 "
                         "db df e2 e6 e7 eb ef f2-f4 fa fb fe"),
    ("evex2", "avx512_vnni", "50-53/66"),
    ("evex2", "avx512_bf16", "52/f3 72/f3 72/f2"),
    ("evex2", "avx512_bitalg", "54 8f"),
    ("evex2", "avx512_vpopcntdq", "55"),
    ("evex2", "avx512_vbmi2", "62 63 70-73/66"),
    ("evex2", "avx512vbmi", "75/w0 7d/w0 8d/w0 83"),
    ("evex2", "avx512ifma", "b4 b5"),
    ("evex2", "avx512cd", "2a/f3 3a/f3 44 c4"),
    ("evex2", "gfni", "cf"),
    ("evex2", "vaes", "dc-df"),
    ("evex2", "avx512bw", "00 04 0b 1c 1d 10-12/66/w1 10/f3 20/f3 30/f3 20/66 30/66 26 28/f3 29/f3 "
                          "2b 38/66 3a/66 3c 3e 66 75 78-7b 7d 8d"),
    ("evex2", "avx512dq", "19/w0 1a/w1 1b/w0 38/f3 39/f3 40/w1 59/w0 5a/w1 5b/w0"),
    ("evex2", "avx512f", "0c 0d 11-16 18-1b 1e 1f 21-25 27-29 2a 2c 2d 31-37 39 3b 3d 3f 40 42 43 "
                         "45-47 4c-4f 58-5b 64 65 76 77 7c 7e 7f 88-8b 90-93 96-9f a0-a3 a6-af "
                         "b6-bf"),
    ("evex3", "avx512_fp16", "08/np 0a/np 26/np 27/np 56/np 57/np 66/np 67/np c2"),
    ("evex3", "avx512_vbmi2", "70-73"),
    ("evex3", "vpclmulqdq", "44"),
    ("evex3", "gfni", "ce cf"),
    ("evex3", "avx512bw", "0f 14 15 20 3e 3f 42"),
    ("evex3", "avx512dq", "16 18/w1 19/w1 1a/w0 1b/w0 22 38/w1 39/w1 3a/w0 3b/w0 50 51 56 57 66 "
                          "67"),
    ("evex3", "avx512f", "00 01 03-05 08-0b 17-1b 1d-1f 21 23 25-27 38-3b 43 54 55"),
    ("evex5", "avx512_fp16", "00-ff"),
    ("evex6", "avx512_fp16", "00-ff"),
)  # fmt: skip


class Encoding(NamedTuple):
    """The key of an instruction in the table: its space, opcode, mandatory prefix and bit W."""

    space: str
    opcode: int
    prefix: int
    wide: int


@cache
def features_by_place() -> Mapping[Encoding, str]:
    """Return the feature that each instruction in `ROWS` needs, by its encoding."""
    table: dict[Encoding, str] = {}
    for space, feature, words in ROWS:
        for word in words.split():
            for place in _places(space, word):
                table.setdefault(place, feature)
    return table


def opcodes(words: str) -> frozenset[int]:
    """Return the opcodes of a list of hexadecimal opcodes and ranges, as in a row of the table.

    words: the list, separated by spaces.
    """
    return frozenset(place.opcode for word in words.split() for place in _places("", word))


def _places(space: str, word: str) -> Iterator[Encoding]:
    span, *conditions = word.split("/")
    first, _, last = span.partition("-")
    prefixes = [n for n, name in enumerate(PREFIXES) if name in conditions] or range(4)
    wide = [bit for bit in (0, 1) if f"w{bit}" in conditions] or (0, 1)
    for opcode in range(int(first, 16), int(last or first, 16) + 1):
        yield from (Encoding(space, opcode, prefix, bit) for prefix in prefixes for bit in wide)
