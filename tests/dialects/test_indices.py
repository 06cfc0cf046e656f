"""Maps of accesses decode to the expressions that they encode, over any values."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block

from tilewright.dialects.loop.indices import (
    decode_index,
    decode_indices,
    encode_indices,
    is_affine,
    results_over,
)
from tilewright.support.affine import Atom, Index

BLOCK = Block(arg_types=[IndexType()] * 3)
ROW, COLUMN, LANE = BLOCK.args
HALF = Atom("floordiv", Index({COLUMN: 1}), 2)
INDICES = [Index({ROW: 8, COLUMN: 1}, 3), Index({HALF: -2, LANE: 1}), Index(None, 7)]


def test_decoding_gives_what_was_encoded() -> None:
    values, map_ = encode_indices(INDICES)
    assert values == [ROW, COLUMN, LANE]
    assert decode_indices(map_, values) == INDICES
    assert [decode_index(map_, values, number) for number in range(3)] == INDICES


def test_decoding_over_other_values_renames() -> None:
    _, map_ = encode_indices(INDICES)
    other = Atom("floordiv", Index({ROW: 1}), 2)
    renamed = [Index({LANE: 8, ROW: 1}, 3), Index({other: -2, COLUMN: 1}), Index(None, 7)]
    assert decode_indices(map_, [LANE, ROW, COLUMN]) == renamed
    assert decode_indices(map_, [ROW, COLUMN, LANE]) == INDICES


def test_terms_of_one_value_are_added() -> None:
    _, map_ = encode_indices([Index({ROW: 8, COLUMN: 1}), Index({ROW: 1, COLUMN: -1})])
    assert decode_indices(map_, [LANE, LANE]) == [Index({LANE: 9}), Index()]
    assert decode_index(map_, [LANE, LANE], 0) == Index({LANE: 9})


def test_results_over_names_are_kept() -> None:
    _, map_ = encode_indices([Index({ROW: 8, COLUMN: 1})])
    found = results_over(map_, ("h", "w"))
    assert found == (Index({"h": 8, "w": 1}),)
    assert results_over(map_, ("h", "w")) is found
    assert results_over(map_, ("w", "h")) == (Index({"w": 8, "h": 1}),)
    assert is_affine(map_)
    assert not is_affine(encode_indices(INDICES)[1])
