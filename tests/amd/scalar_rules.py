"""What scalar instructions compute: functions of integers to a result and the condition SCC.

A condition of None leaves it as it is. Results are cut to the size of the instruction. Source: AMD,
RDNA3 and CDNA3 Instruction Set Architecture.
"""

from __future__ import annotations

from collections.abc import Callable

FULL = 0xFFFFFFFF
ScalarRule = Callable[..., tuple[int, bool | None]]
RULES: dict[str, ScalarRule] = {}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "EQ": lambda x, y: x == y, "LG": lambda x, y: x != y, "GT": lambda x, y: x > y,
    "GE": lambda x, y: x >= y, "LT": lambda x, y: x < y, "LE": lambda x, y: x <= y,
}  # fmt: skip


def signed(x: int, bits: int) -> int:
    """Return the signed number of bits."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def _bits_rules(bits: int) -> None:
    """Rules that words of 32 and 64 bits have in common."""
    full = (1 << bits) - 1

    def tested(name: str, compute: Callable[..., int]) -> None:
        def rule(*operands: int) -> tuple[int, bool]:
            made = compute(*operands) & full
            return made, made != 0

        RULES[f"S_{name}_B{bits}"] = rule

    tested("AND", lambda x, y: x & y)
    tested("OR", lambda x, y: x | y)
    tested("XOR", lambda x, y: x ^ y)
    for name in ("ANDN2", "AND_NOT1"):
        tested(name, lambda x, y: x & ~y)
    for name in ("ORN2", "OR_NOT1"):
        tested(name, lambda x, y: x | ~y)
    tested("NAND", lambda x, y: ~(x & y))
    tested("NOR", lambda x, y: ~(x | y))
    tested("XNOR", lambda x, y: ~(x ^ y))
    tested("NOT", lambda x: ~x)
    tested("LSHL", lambda x, y: x << (y & bits - 1))
    tested("LSHR", lambda x, y: x >> (y & bits - 1))
    RULES[f"S_MOV_B{bits}"] = lambda x: (x, None)

    def shifted(x: int, y: int) -> tuple[int, bool]:
        made = signed(x, bits) >> (y & bits - 1) & full
        return made, made != 0

    RULES[f"S_ASHR_I{bits}"] = shifted

    def field(x: int, y: int) -> tuple[int, bool]:
        offset, width = y & bits - 1, y >> 16 & 127
        made = x >> offset & ((1 << width) - 1)
        return made, made != 0

    RULES[f"S_BFE_U{bits}"] = field


for _bits in (32, 64):
    _bits_rules(_bits)


def _add(x: int, y: int) -> tuple[int, bool]:
    return x + y, x + y > FULL


def _signed_add(x: int, y: int) -> tuple[int, bool]:
    total = signed(x, 32) + signed(y, 32)
    return total, total != signed(total, 32)


def _signed_sub(x: int, y: int) -> tuple[int, bool]:
    total = signed(x, 32) - signed(y, 32)
    return total, total != signed(total, 32)


def _absolute(x: int) -> tuple[int, bool]:
    made = abs(signed(x, 32))
    return made, made != 0


def _sign_bits(x: int) -> tuple[int, None]:
    """Return the leading bits that equal the sign; -1 for 0 and -1."""
    rest = x ^ (FULL if x >> 31 else 0)
    return (32 - rest.bit_length() if rest else -1), None


def _leading_zeros(x: int) -> tuple[int, None]:
    return (32 - x.bit_length() if x else -1), None


def _trailing_zeros(x: int) -> tuple[int, None]:
    return ((x & -x).bit_length() - 1 if x else -1), None


def _lesser(x: int, y: int, *, is_signed: bool, least: bool) -> tuple[int, bool]:
    a, b = (signed(x, 32), signed(y, 32)) if is_signed else (x, y)
    first = a < b if least else a > b
    return (x if first else y), first


RULES.update(
    {
        "S_ADD_U32": _add,
        "S_SUB_U32": lambda x, y: (x - y, y > x),
        "S_ADD_I32": _signed_add,
        "S_SUB_I32": _signed_sub,
        "S_MUL_I32": lambda x, y: (x * y, None),
        "S_MUL_HI_U32": lambda x, y: (x * y >> 32, None),
        "S_MUL_HI_I32": lambda x, y: (signed(x, 32) * signed(y, 32) >> 32, None),
        "S_ABS_I32": _absolute,
        "S_MIN_I32": lambda x, y: _lesser(x, y, is_signed=True, least=True),
        "S_MAX_I32": lambda x, y: _lesser(x, y, is_signed=True, least=False),
        "S_MIN_U32": lambda x, y: _lesser(x, y, is_signed=False, least=True),
        "S_MAX_U32": lambda x, y: _lesser(x, y, is_signed=False, least=False),
        "S_SEXT_I32_I16": lambda x: (signed(x, 16), None),
        "S_SEXT_I32_I8": lambda x: (signed(x, 8), None),
        "S_FLBIT_I32": _sign_bits,
        "S_CLS_I32": _sign_bits,
        "S_FLBIT_I32_B32": _leading_zeros,
        "S_CLZ_I32_U32": _leading_zeros,
        "S_FF1_I32_B32": _trailing_zeros,
        "S_CTZ_I32_B32": _trailing_zeros,
        "S_BREV_B32": lambda x: (int(f"{x:032b}"[::-1], 2), None),
        "S_PACK_LL_B32_B16": lambda x, y: (x & 0xFFFF | y << 16, None),
    }
)
for _count in range(1, 5):
    RULES[f"S_LSHL{_count}_ADD_U32"] = lambda x, y, by=_count: _add(x << by, y)
