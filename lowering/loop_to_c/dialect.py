"""C99 as a dialect of the printer of C-like languages, its types, and C++ for synthesis.

    const float *image      int32_t h      (uint32_t)image[h] * 3u

Integer arithmetic on data is unsigned, as in the other C-like languages, because only unsigned C
arithmetic wraps. Positions are int32_t. High-level synthesis (HLS) makes circuits of the same text
as C++, in which pragmas say which loops become a pipeline and which become hardware side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute

from ..simt_to_c.dialect import CDialect
from ..simt_to_c.types import CType

_SIGNED = {f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)}
_UNSIGNED = {format_: f"u{name}" for format_, name in _SIGNED.items()}

C99 = CDialect(
    name="C99",
    types={"i1": "bool", "float": "float", "double": "double", "i128": "int8x16_t", **_UNSIGNED},
    signed=_SIGNED,
    bits={
        ("float", "i32"): "bits_of_float",
        ("i32", "float"): "float_of_bits",
        ("double", "i64"): "bits_of_double",
        ("i64", "double"): "double_of_bits",
    },
    prologue=(),
    kernel="static void {name}",
    pointer="{const}{type} *restrict {name}",
    size="",
    block="",
    thread="",
    barriers={},
    shared="",
    local="{type} {name}[{count}];",
    helper="static ",
    population="population",
    spaces={"global": "", "local": ""},
    vectors={},
    float_suffix="f",
)
"""The syntax of C99."""


@dataclass(frozen=True)
class Language:
    """A language for which printed C99 text needs only small changes, such as C++ for synthesis.

    suffix: the suffix of source files.
    standard: the compiler option that selects the language.
    converts_pointers: whether ``void *`` converts to other pointers without a cast.
    prologue: the lines after the includes.
    pipelined: the pragma in a loop whose iterations form a pipeline; empty if the compiler decides.
    unrolled: the pragma in a loop whose iterations run side by side; empty if the compiler decides.
    """

    name: str
    suffix: str
    standard: str
    converts_pointers: bool
    prologue: str = ""
    pipelined: str = ""
    unrolled: str = ""


LANGUAGES: Mapping[str, Language] = {
    "c": Language("C99", ".c", "-std=c99", converts_pointers=True),
    "hls": Language(
        "C++ for high-level synthesis",
        ".cpp",
        "-std=c++14",
        converts_pointers=False,
        prologue="/* C++ has this word with underscores only. */\n#define restrict __restrict__",
        pipelined="#pragma HLS PIPELINE II=1",
        unrolled="#pragma HLS UNROLL",
    ),
}
"""The languages by kind of target.  Source of the pragmas: AMD UG1399, HLS pragmas."""


class C99Type(CType):
    """A type whose constants are printed as C99, where a long may have 32 bits."""

    suffixes: ClassVar[Mapping[str, str]] = {"i32": "u", "i64": "ull"}


_PACKED_BITS = (32, 128)


def packed_type(attribute: Attribute) -> C99Type | None:
    """Return the C type of a vector of short integers, one C value; None for other types."""
    if not isinstance(attribute, VectorType) or not isinstance(attribute.element_type, IntegerType):
        return None
    bits = attribute.element_type.width.data * attribute.get_shape()[0]
    is_short = 8 <= attribute.element_type.width.data < 32
    return C99Type.made(f"i{bits}") if is_short and bits in _PACKED_BITS else None


def _bits(name: str, result: str, given: str) -> str:
    return f"""\
static {result} {name}({given} x)
{{
    union {{ {given} given; {result} result; }} both;
    both.given = x;
    return both.result;
}}"""


FUNCTIONS: Mapping[str, str] = {
    "bits_of_float": _bits("bits_of_float", "uint32_t", "float"),
    "float_of_bits": _bits("float_of_bits", "float", "uint32_t"),
    "bits_of_double": _bits("bits_of_double", "uint64_t", "double"),
    "double_of_bits": _bits("double_of_bits", "double", "uint64_t"),
    "word_at": """\
/* Four bytes as one word; their address need not be a multiple of 4. */
static uint32_t word_at(const void *bytes)
{
    uint32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}""",
    "population": """\
static uint64_t population(uint64_t x)
{
    uint64_t count = 0;
    for (; x != 0; x &= x - 1)
        count++;
    return count;
}""",
    "nearest": """\
/* The nearest integer, to even between two: the sum has no bits for a fraction. |x| < 2^22 */
static int32_t nearest(float x)
{
    return (int32_t)((x + 12582912.0f) - 12582912.0f);
}""",
}
"""The functions that printed C99 may call, by name."""
