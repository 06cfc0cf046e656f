"""Integers of 64 bits, which WGSL lacks: pairs of words, ``vec2<u32>`` with the low word first.

Input: an instruction on i64.  Output: a WGSL expression, and the functions that it calls.  The
results equal those of 64-bit arithmetic bit for bit.  A quotient of large values takes 64 steps.
"""

from __future__ import annotations

from collections.abc import Mapping

LONG = "vec2<u32>"
BINARY: Mapping[str, str] = {
    "and": "{0} & {1}",
    "or": "{0} | {1}",
    "xor": "{0} ^ {1}",
    "add": "add_long({0}, {1})",
    "sub": "sub_long({0}, {1})",
    "mul": "mul_long({0}, {1})",
    "shl": "shl_long({0}, {1}.x)",
    "lshr": "shr_long({0}, {1}.x, 0u)",
    "ashr": "shr_long({0}, {1}.x, sign_long({0}))",
    "udiv": "divide_long({0}, {1}).xy",
    "urem": "divide_long({0}, {1}).zw",
    "sdiv": "negate_long(divide_long(size_long({0}), size_long({1})).xy, "
    "sign_long({0}) ^ sign_long({1}))",
    "srem": "negate_long(divide_long(size_long({0}), size_long({1})).zw, sign_long({0}))",
}
"""The expression of two operands, which are names or constants, for each opcode."""

_LESS = {"s": "less_long({0}, {1})", "u": "below_long({0}, {1})"}
_TURNED = {"s": "less_long({1}, {0})", "u": "below_long({1}, {0})"}


def comparison(predicate: str) -> str:
    """Return the code that compares two 64-bit integers, with placeholders {0} and {1}.

    predicate: the comparison, named as in LLVM's icmp: ``eq``, ``slt``, ``uge`` and so on.
    """
    if predicate == "eq":
        return "all({0} == {1})"
    if predicate == "ne":
        return "any({0} != {1})"
    sign, order = predicate[0], predicate[1:]
    if order in ("lt", "ge"):
        return _LESS[sign] if order == "lt" else f"!{_LESS[sign]}"
    return _TURNED[sign] if order == "gt" else f"!{_TURNED[sign]}"


COUNT_ONES = f"{LONG}(countOneBits({{0}}.x) + countOneBits({{0}}.y), 0u)"
TO_POSITION = "position_of_long({0})"
TO_FLOAT = {
    "uitofp": "float_of_long({0})",
    "sitofp": "select(1.0f, -1.0f, sign_long({0}) != 0u) * float_of_long(size_long({0}))",
}
OF_FLOAT = {
    "fptoui": "long_of_float({0})",
    "fptosi": "negate_long(long_of_float(abs({0})), select(0u, 0xffffffffu, {0} < 0.0f))",
}

FUNCTIONS: Mapping[str, str] = {
    "sign_long": """\
fn sign_long(a: vec2<u32>) -> u32 {
    return bitcast<u32>(bitcast<i32>(a.y) >> 31u);
}""",
    "add_long": """\
fn add_long(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}""",
    "sub_long": """\
fn sub_long(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}""",
    "negate_long": """\
fn negate_long(a: vec2<u32>, sign: u32) -> vec2<u32> {
    return sub_long(a ^ vec2<u32>(sign, sign), vec2<u32>(sign, sign));
}""",
    "size_long": """\
fn size_long(a: vec2<u32>) -> vec2<u32> {
    return negate_long(a, sign_long(a));
}""",
    "mul_long": """\
fn mul_long(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let c = vec2<u32>(a.x & 0xffffu, a.x >> 16u);
    let d = vec2<u32>(b.x & 0xffffu, b.x >> 16u);
    let low = c.x * d.x;
    let first = c.x * d.y;
    let second = c.y * d.x;
    let middle = (low >> 16u) + (first & 0xffffu) + (second & 0xffffu);
    let high = c.y * d.y + (first >> 16u) + (second >> 16u) + (middle >> 16u);
    return vec2<u32>((low & 0xffffu) | (middle << 16u), high + a.x * b.y + a.y * b.x);
}""",
    "shl_long": """\
fn shl_long(a: vec2<u32>, n: u32) -> vec2<u32> {
    if (n == 0u) {
        return a;
    }
    if (n >= 32u) {
        return vec2<u32>(0u, a.x << (n - 32u));
    }
    return vec2<u32>(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}""",
    "shr_long": """\
fn shr_long(a: vec2<u32>, n: u32, sign: u32) -> vec2<u32> {
    if (n == 0u) {
        return a;
    }
    if (n == 32u) {
        return vec2<u32>(a.y, sign);
    }
    if (n > 32u) {
        return vec2<u32>((a.y >> (n - 32u)) | (sign << (64u - n)), sign);
    }
    return vec2<u32>((a.x >> n) | (a.y << (32u - n)), (a.y >> n) | (sign << (32u - n)));
}""",
    "below_long": """\
fn below_long(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) || ((a.y == b.y) && (a.x < b.x));
}""",
    "less_long": """\
fn less_long(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (bitcast<i32>(a.y) < bitcast<i32>(b.y)) || ((a.y == b.y) && (a.x < b.x));
}""",
    "divide_long": """\
fn divide_long(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if ((a.y | b.y) == 0u) {
        return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
    }
    var quotient = vec2<u32>(0u, 0u);
    var rest = vec2<u32>(0u, 0u);
    for (var i: u32 = 0u; i < 64u; i = i + 1u) {
        let carry = rest.y >> 31u;
        rest = vec2<u32>((rest.x << 1u) | (shr_long(a, 63u - i, 0u).x & 1u),
            (rest.y << 1u) | (rest.x >> 31u));
        quotient = shl_long(quotient, 1u);
        if ((carry != 0u) || !below_long(rest, b)) {
            rest = sub_long(rest, b);
            quotient.x = quotient.x | 1u;
        }
    }
    return vec4<u32>(quotient, rest);
}""",
    "position_of_long": """\
fn position_of_long(a: vec2<u32>) -> u32 {
    let fits = a.y == bitcast<u32>(bitcast<i32>(a.x) >> 31u);
    return select(0x7fffffffu ^ sign_long(a), a.x, fits);
}""",
    "float_of_long": """\
fn float_of_long(a: vec2<u32>) -> f32 {
    if (a.y == 0u) {
        return f32(a.x);
    }
    let shift = 32u - countLeadingZeros(a.y);
    let whole = shr_long(a, shift, 0u);
    let lost = any(shl_long(whole, shift) != a);
    return f32(whole.x | select(0u, 1u, lost)) * exp2(f32(shift));
}""",
    "long_of_float": """\
fn long_of_float(a: f32) -> vec2<u32> {
    let high = floor(a * 2.3283064365386963e-10f);
    return vec2<u32>(u32(a - high * 4294967296.0f), u32(high));
}""",
}
"""The helper functions by name; a function calls those whose names are in its code."""


def functions_of(text: str) -> Mapping[str, str]:
    """Return the helper functions that an expression needs, by name, with their definitions.

    These are the functions that it calls, and those that they call.
    """
    needed: dict[str, str] = {}
    texts = [text]
    while texts:
        text = texts.pop()
        for name, source in FUNCTIONS.items():
            if name not in needed and f"{name}(" in text:
                needed[name] = source
                texts.append(source)
    return needed
