"""Dot products of a block of 32 activations and 32 weights of 4 or 8 bits, as te.intrinsic ops.

An activation is a sum of digits, signed bytes that have a unit each
(dialects/graph/block_product.py).  In: a block of weights of 16 columns, unsigned as a model stores
them, with their scales; the digits of 32 activations.  Out: f32 accumulators of the columns, to
which the dot products of the block are added.  The products of a digit are added in i32, without
rounding; these sums are then multiplied by the digit's unit and the column's scale in f32.
plan/block_product.py decides when a kernel uses these intrinsics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

FEATURE = "avx512vnni"
"""The CPU feature that the instructions need."""

LANES, TERMS, STEP = 16, 32, 4
"""Columns, terms of a block, and terms that one instruction adds to a lane."""


@dataclass(frozen=True)
class Block:
    """The form of a block of weights, by which an intrinsic multiplies 32 activations.

    bits: bits of a weight.  digits: the number of signed bytes (digits) that represent an
    activation.  scale: the type of the scales.  zeros: whether each column has a zero point;
    without zero points, the initial value of the accumulators contains their contribution.
    """

    bits: int
    digits: int
    scale: str
    zeros: bool

    @property
    def name(self) -> str:
        """The name of the intrinsic for blocks of this form."""
        zeros = "_zeros" if self.zeros else ""
        return f"block_i{self.bits}_x{self.digits}_{self.scale}{zeros}"

    @property
    def halves(self) -> int:
        """The number of weights in a byte."""
        return 8 // self.bits

    @property
    def words(self) -> int:
        """The number of 4-byte words that hold the weights of a column."""
        return TERMS // STEP // self.halves


_TEXT = """
te.intrinsic @{name} features ["avx512vnni"] cycles {cycles} source "vpdpbusd: one zmm per cycle"
    definition(%c: memref<16xf32>, {buffers}) {{
  te.compute @dot [{axes}]
      ins({reads})
      outs(%c[i] add acc : memref<16xf32>)
      body({arguments}) {{
    {body}
  }}
}} emission(%c: vector<16xf32>, {vectors}) {{
    {emission}
}}
"""


def block_text(block: Block) -> str:
    """Return the source (IR text) of the intrinsic for blocks of a form."""
    inputs = list(_inputs(block))
    buffers = {name: "x".join([*map(str, shape), element]) for name, shape, element, _ in inputs}
    digits = f"t: {block.digits} red, " if block.digits > 1 else ""
    return _TEXT.format(
        name=block.name,
        cycles=float(block.digits * TERMS // STEP),
        buffers=", ".join(f"%{n}: memref<{t}>" for n, t in buffers.items()),
        axes=f"{digits}q: {block.words} red, i: {LANES}, r: {STEP} red",
        reads=", ".join(f"%{n}[{axes}] : memref<{buffers[n]}>" for n, _, _, axes in inputs),
        arguments=", ".join(f"%{n}_: {element}" for n, _, element, _ in inputs),
        body="\n    ".join(_body(block)),
        vectors=", ".join(f"%{n}: vector<{prod(s)}x{e}>" for n, s, e, _ in inputs),
        emission="\n    ".join(_emission(block)),
    )


def _inputs(block: Block) -> Iterator[tuple[str, tuple[int, ...], str, str]]:
    """Yield the (name, shape, element type, axes) of each input of the intrinsic's definition."""
    digits = (block.digits,) if block.digits > 1 else ()
    t = ["t"] * len(digits)
    for half in range(block.halves):
        yield f"x{half}", (*digits, block.words, STEP), "i8", ", ".join([*t, "q", "r"])
    yield "w", (block.words, LANES, STEP), "i8", "q, i, r"
    yield "unit", digits, "f32", ", ".join(t)
    yield "shift", (), "f32", ""
    yield "scale", (LANES,), block.scale, "i"
    if block.zeros:
        yield "zero", (LANES,), "i8", "i"


def _body(block: Block) -> Iterator[str]:
    """Yield the IR of the definition's body: (x * weight * unit + shift * zero / terms) * scale.

    x: a digit.  shift: minus the sum of the block's activations.  terms: the number of terms over
    which the definition sums; each term adds an equal part of the shift.
    """
    if block.halves == 2:
        yield "%low = arith.constant 15 : i8"
        yield "%four = arith.constant 4 : i8"
        yield "%w0 = arith.andi %w_, %low : i8"
        yield "%w1 = arith.shrui %w_, %four : i8"
    for half in range(block.halves):
        byte = f"%w{half}" if block.halves == 2 else "%w_"
        yield f"%a{half} = arith.extsi %x{half}_ : i8 to i32"
        yield f"%b{half} = arith.extui {byte} : i8 to i32"
        yield f"%p{half} = arith.muli %a{half}, %b{half} : i32"
    total = "%p0"
    if block.halves == 2:
        yield "%p = arith.addi %p0, %p1 : i32"
        total = "%p"
    shift = "%shift_"
    if block.zeros:
        yield "%zf = arith.uitofp %zero_ : i8 to f32"
        yield "%zs = arith.mulf %shift_, %zf : f32"
        shift = "%zs"
    yield f"%f = arith.sitofp {total} : i32 to f32"
    yield "%g = arith.mulf %f, %unit_ : f32"
    yield f"%n = arith.constant {1 / (block.digits * block.words * STEP)} : f32"
    yield f"%h = arith.mulf {shift}, %n : f32"
    yield "%u = arith.addf %g, %h : f32"
    scale = "%scale_"
    if block.scale == "f16":
        yield "%s = arith.extf %scale_ : f16 to f32"
        scale = "%s"
    yield f"%y = arith.mulf %u, {scale} : f32"
    yield "te.yield %y : f32"


def _emission(block: Block) -> Iterator[str]:
    """Yield the IR of the emission: each digit's dot products in i32, their sum in f32."""
    yield from _unpacked(block)
    yield from _column_numbers(block)
    yield from _sums(block)
    for digit in range(block.digits):
        yield from _weighed(block, digit)
    scale = "%scales" if block.scale == "f16" else "%scale"
    yield "%r = " + _fma(f"%total{block.digits - 1}", scale, "%c")
    yield "te.yield %r : vector<16xf32>"


def _unpacked(block: Block) -> Iterator[str]:
    width = block.words * LANES * STEP
    if block.halves == 2:
        yield "%b15 = arith.constant 15 : i8"
        yield f"%low = loop.broadcast %b15 : i8 to vector<{width}xi8>"
        yield "%b4 = arith.constant 4 : i8"
        yield f"%four = loop.broadcast %b4 : i8 to vector<{width}xi8>"
        yield f"%h0 = arith.andi %w, %low : vector<{width}xi8>"
        yield f"%h1 = arith.shrui %w, %four : vector<{width}xi8>"
    for half, word in product(range(block.halves), range(block.words)):
        source = f"%h{half}" if block.halves == 2 else "%w"
        part = f"{word * LANES * STEP} : vector<{width}xi8> to vector<64xi8>"
        yield f"%w{half}_{word} = loop.slice {source} {part}"


def _column_numbers(block: Block) -> Iterator[str]:
    """Yield the IR that loads two numbers for each column of a block.

    They are the scale in f32, and the correction for the zero point, with which the accumulators
    start.
    """
    if block.scale == "f16":
        yield "%scales = arith.extf %scale : vector<16xf16> to vector<16xf32>"
    yield "%k = loop.extract %shift 0 : vector<1xf32>"
    yield "%shifts = loop.broadcast %k : f32 to vector<16xf32>"
    if block.zeros:
        yield '%z32 = loop.cast "extui" %zero : vector<16xi8> to vector<16xi32>'
        yield '%zeros = loop.cast "sitofp" %z32 : vector<16xi32> to vector<16xf32>'
        yield "%total = arith.mulf %shifts, %zeros : vector<16xf32>"
    yield "%n0 = arith.constant 0 : i32"
    yield "%none = loop.broadcast %n0 : i32 to vector<16xi32>"


def _sums(block: Block) -> Iterator[str]:
    """Yield the IR of each digit's dot products with the weights, as %f<digit> in f32.

    The instructions of the digits alternate: the eight instructions of one digit form a dependence
    chain, and without the chains of other digits each would wait for the one before.
    """
    width = block.digits * block.words * STEP
    totals = ["%none"] * block.digits
    for word, half, digit in product(range(block.words), range(block.halves), range(block.digits)):
        at = (digit * block.words + word) * STEP
        name = f"{digit}_{half}_{word}"
        yield f"%g{name} = loop.slice %x{half} {at} : vector<{width}xi8> to vector<4xi8>"
        yield f"%v{name} = loop.repeat %g{name} : vector<4xi8> to vector<64xi8>"
        types = "(vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>"
        arguments = f"({totals[digit]}, %w{half}_{word}, %v{name})"
        totals[digit] = f"%t{name}"
        call = f'loop.call_llvm "llvm.x86.avx512.vpdpbusd.512"{arguments}'
        yield f"{totals[digit]} = {call} : {types}"
    for digit, total in enumerate(totals):
        yield f'%f{digit} = loop.cast "sitofp" {total} : vector<16xi32> to vector<16xf32>'


def _weighed(block: Block, digit: int) -> Iterator[str]:
    """Yield the IR that adds the part of one digit to the sums: dot products times a unit.

    digit: the number of the digit, whose unit is meant.  The IR adds to ``%total<digit - 1>``; the
    result is ``%total<digit>``.
    """
    yield f"%u{digit} = loop.extract %unit {digit} : vector<{block.digits}xf32>"
    yield f"%uv{digit} = loop.broadcast %u{digit} : f32 to vector<16xf32>"
    before = f"%total{digit - 1}" if digit else "%total" if block.zeros else "%shifts"
    yield f"%total{digit} = " + _fma(f"%f{digit}", f"%uv{digit}", before)


def _fma(a: str, b: str, c: str) -> str:
    v = "vector<16xf32>"
    return f'loop.call_llvm "llvm.fma.v16f32"({a}, {b}, {c}) : ({v}, {v}, {v}) -> {v}'


_FORMS = product((4, 8), (1, 3), ("f32", "f16"), (False, True))

BLOCKS: Mapping[str, Block] = {block.name: block for block in (Block(*form) for form in _FORMS)}
"""The forms of blocks, by the names of their intrinsics."""

BLOCK_INTRINSICS: Mapping[str, str] = {name: block_text(form) for name, form in BLOCKS.items()}
"""The source (IR text) of each intrinsic, by its name."""
