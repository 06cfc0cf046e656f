"""The part of a buffer that a thread uses: digits of its position."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from tilewright.analysis.threads.fork_join import thread_sizes
from tilewright.analysis.threads.thread_accesses import Accesses, Share, by_buffer
from tilewright.support.affine import Index
from tilewright.support.registry import new_context

LOCAL = """
func.func @k(%x: memref<64xf32>) {{
  %s = loop.alloc "local" : memref<128xf32>
  loop.for bind threadIdx.y %y = 0 to 2 {{
    loop.for bind threadIdx.x %t = 0 to 32 {{
      loop.for %i = 0 to 2 {{
        %v = loop.load %x[%t] : memref<64xf32>, f32
        loop.store %v, %s[{store}] : memref<128xf32>, f32
      }}
    }}
  }}
  loop.for bind threadIdx.y %y = 0 to 2 {{
    loop.for bind threadIdx.x %t = 0 to 32 {{
      %v = loop.load %s[{load}] : memref<128xf32>, {type}
      %w = loop.load %s[{load}] : memref<128xf32>, {type}
    }}
  }}
  func.return
}}
"""


def share_of(store: str, load: str, type_: str = "f32") -> Share | None:
    # The verifier refuses the cases of threads that exchange data.
    text = LOCAL.format(store=store, load=load, type=type_)
    (function,) = Parser(new_context(), text).parse_module().ops
    assert isinstance(function, FuncOp)
    accesses = Accesses(thread_sizes(function))
    found = [
        one
        for buffer, one in by_buffer(accesses.of(function.body.block.ops, {})).items()
        if buffer.name_hint == "s"
    ]
    (share,) = accesses.shares(found[0]) or [None]
    return share


@pytest.mark.parametrize(
    ("store", "load", "type_", "extent"),
    [
        ("%y * 64 + %i * 32 + %t", "%y * 64 + 32 + %t", "f32", 2),
        ("%y * 64 + %t * 2 + %i", "%y * 64 + %t * 2", "vector<2xf32>", 2),
        ("%y * 64 + %i * 16 + %t floordiv 4 * 2", "%y * 64 + %t floordiv 4 * 2 + 16",
         "vector<2xf32>", 4),
    ],
    ids=["above", "vector", "both"],
)  # fmt: skip
def test_a_thread_has_the_digits_between_those_of_threads(
    store: str, load: str, type_: str, extent: int
) -> None:
    share = share_of(store, load, type_)
    assert share is not None
    assert share.extent == extent


@pytest.mark.parametrize(
    ("store", "load"),
    [
        ("%y * 64 + %i * 32 + %t", "%y * 64 + %t * -1 + 31"),
        ("%y * 64 + %i * 32 + %t", "%y * 64 + 5 + %t"),
        ("%y * 32 + %i * 32 + %t", "%y * 32 + 32 + %t"),
        ("%y * 64 + %i * 16 + %t", "%y * 64 + %t"),
    ],
    ids=["reversed", "shifted", "same digit", "overlapping"],
)
def test_threads_that_exchange_data_have_no_part(store: str, load: str) -> None:
    assert share_of(store, load) is None


def test_each_position_has_a_place_of_its_own() -> None:
    share = share_of("%y * 64 + %i * 16 + %t floordiv 4 * 2", "%y * 64 + 1 + %t floordiv 4 * 2")
    assert share is not None
    rest = [Index(None, 16 * i + j) for i, j in product(range(2), range(2))]
    assert [share.place(index).const for index in rest] == [0, 1, 2, 3]
    term = share.place(Index({0: 16}, 1))
    assert (term.terms, term.const) == ({0: 2}, 1)
