"""Lower random bits to a compute of blocks of four words, and a compute that orders the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from ...dialects import packed
from ...dialects.graph import RandomBitsOp
from ...dialects.graph.random import WORD
from ...dialects.index_syntax import INDEX
from ...dialects.shape import MOST, Dim, Extent, dims_of, element_count, extent_of, type_of
from ...dialects.te.build import ComputeResult, position, read
from ...dialects.te.scalars import Scalars
from ...support.affine import ZERO, Index, Key, Range, divide, variable
from .builder import Rule, TeBuilder, static_axes_of, te_type

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
LOW = 0xFFFFFFFF


def lower_random_bits(op: RandomBitsOp, builder: TeBuilder) -> SSAValue:
    """Lower to computes of Philox4x32-10, which maps a counter to a block of four words.

    Block i is that of ``counter + i``, and has elements 4 i to 4 i + 3 of the result.
    """
    count = element_count(dims_of(type_of(op.out)))
    blocks = {"i": extent_of(count.ceildiv(4))}
    key, counter = builder.value(op.key), builder.value(op.counter)
    inputs = [
        *(read(key, [n]) for n in range(2)),
        *(read(counter, [n]) for n in range(4)),
        position("i"),
    ]
    results = [ComputeResult(("i",), i32)] * 4
    words = builder.computes("philox", blocks, inputs, results, _block)
    if count.value is None:
        # An index has no products of sizes, so the words in order are viewed as the result.
        made = _ordered(words, {"e": count}, variable("e"), builder)
        return builder.append(packed.ViewOp(made, te_type(op.out.type))).results[0]
    axes, flat = static_axes_of(op.out), ZERO
    for name, size in axes.items():
        flat = flat * size + variable(name)
    return _ordered(words, axes, flat, builder)


def _ordered(
    words: Sequence[SSAValue], axes: Mapping[str, Extent], flat: Index, builder: TeBuilder
) -> SSAValue:
    """Append a compute that orders the words of all blocks; return its result.

    Each point has word ``flat mod 4`` of block ``flat floordiv 4``.
    words: the tensors of the first, second, third and fourth words of all blocks.
    axes: the axes of the result.
    flat: the row-major number of a point, as an index expression.
    """

    def range_of(key: Key) -> Range:
        size = axes[str(key)]
        return 0, (MOST if isinstance(size, Dim) else size) - 1

    block, word = (divide(kind, flat, 4, range_of) for kind in ("floordiv", "mod"))
    reads = [*(read(x, [block]) for x in words), position(word)]
    return builder.pointwise("random_bits", axes, reads, i32, _word)


def _word(s: Scalars, a: SSAValue, b: SSAValue, c: SSAValue, d: SSAValue, n: SSAValue) -> SSAValue:
    first = s.select(s.compare("eq", n, s.like(0, n)), a, b)
    second = s.select(s.compare("eq", n, s.like(2, n)), c, d)
    return s.select(s.compare("lt", n, s.like(2, n)), first, second)


def _block(s: Scalars, k0: SSAValue, k1: SSAValue, *counter: SSAValue) -> list[SSAValue]:
    """Return the four 32-bit words of a block of Philox random numbers.

    k0, k1: the key.  counter: the four words of the counter, then the number of the block, which is
    added to them.  The words are computed in 64-bit integers.
    """
    *given, at = counter
    c0, c1, c2, c3 = (s.cast(c, WORD, i64) for c in given)
    start = s.add(c0, s.emit(arith.ShLIOp, [c1, s.like(32, c1)], i64))
    number = s.add(start, s.cast(at, INDEX, i64))
    words = [_low(s, number), _high(s, number), c2, c3]
    keys = [s.cast(k, WORD, i64) for k in (k0, k1)]
    for _ in range(ROUNDS):
        first = s.mul(words[0], s.constant(MULTIPLIERS[0], i64))
        second = s.mul(words[2], s.constant(MULTIPLIERS[1], i64))
        words = [
            s.bit_xor(s.bit_xor(_high(s, second), words[1]), keys[0]),
            _low(s, second),
            s.bit_xor(s.bit_xor(_high(s, first), words[3]), keys[1]),
            _low(s, first),
        ]
        keys = [
            _low(s, s.add(k, s.constant(step, i64)))
            for k, step in zip(keys, KEY_STEPS, strict=True)
        ]
    return [s.cast(word, i64, WORD) for word in words]


def _low(s: Scalars, x: SSAValue) -> SSAValue:
    return s.bit_and(x, s.like(LOW, x))


def _high(s: Scalars, x: SSAValue) -> SSAValue:
    return s.emit(arith.ShRUIOp, [x, s.like(32, x)], i64)


RULES: dict[type, Rule] = {RandomBitsOp: lower_random_bits}
