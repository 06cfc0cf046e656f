"""How a program on x86-64 finds the features of its processor: bits of CPUID and of XCR0.

In: features by LLVM's names.  Out: for each register of a CPUID leaf, the bits that a processor
with these features sets.  A feature with large registers also needs bits of XCR0: they say that the
system saves these registers.  runtime/native/processor.c reads the rows.
Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID, and volume 1,
section 13.3; AMD64 Architecture Programmer's Manual, volume 3, appendix E.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

EAX, EBX, ECX, EDX, XCR0 = range(5)
_SSE_AVX, _AVX512 = 0b110, 0b1110_0110
"""The bits of XCR0 for registers of 256 bits, and for those of 512 bits and masks."""


class Place(NamedTuple):
    """A register in which a program on x86-64 finds features of its processor.

    leaf, subleaf: the arguments of the instruction CPUID that fills the register; 0 for `XCR0`.
    register: one of `EAX`, `EBX`, `ECX`, `EDX` and `XCR0`.
    """

    leaf: int
    subleaf: int
    register: int


_EXTENDED, _MORE = 0x80000001, Place(7, 1, EAX)
_FEATURES: Mapping[Place, Mapping[str, int]] = {
    Place(1, 0, ECX): {
        "sse3": 0, "ssse3": 9, "fma": 12, "sse4.1": 19, "sse4.2": 20, "movbe": 22, "popcnt": 23,
        "avx": 28, "f16c": 29,
    },
    Place(1, 0, EDX): {"sse2": 26},
    Place(7, 0, EBX): {
        "bmi": 3, "avx2": 5, "bmi2": 8, "avx512f": 16, "avx512dq": 17, "avx512ifma": 21,
        "avx512cd": 28, "avx512bw": 30, "avx512vl": 31,
    },
    Place(7, 0, ECX): {
        "avx512vbmi": 1, "avx512vbmi2": 6, "gfni": 8, "avx512vnni": 11, "avx512bitalg": 12,
        "avx512vpopcntdq": 14,
    },
    Place(7, 0, EDX): {"avx512fp16": 23},
    _MORE: {"avxvnni": 4, "avx512bf16": 5},
    Place(_EXTENDED, 0, ECX): {"lzcnt": 5, "sse4a": 6},
}  # fmt: skip
"""The bit of each feature that needs no permission of the system."""
BITS = {name: (place, bit) for place, row in _FEATURES.items() for name, bit in row.items()}
"""The place and the bit of each feature."""
_XCR0 = Place(0, 0, XCR0)


def unknown_features(features: Iterable[str]) -> list[str]:
    """Return those of some features that CPUID alone does not report, such as AMX.

    AMX, for example, also needs a permission of the system.  features: LLVM's names.
    """
    return sorted(set(features) - set(BITS))


def feature_masks(features: Iterable[str]) -> Mapping[Place, int]:
    """Return the bits by which a program recognizes a machine with some features.

    features: LLVM's names.  The result maps each register to a mask; all bits of the mask are set
    in the register of a machine that has the features.

    Before: `unknown_features` returns nothing for the features.
    """
    masks: dict[Place, int] = {}
    for feature in features:
        place, bit = BITS[feature]
        masks[place] = masks.get(place, 0) | 1 << bit
        if feature.startswith("avx") or feature in ("fma", "f16c"):
            saved = _AVX512 if feature.startswith("avx512") else _SSE_AVX
            masks[_XCR0] = masks.get(_XCR0, 0) | saved
    return dict(sorted(masks.items()))
