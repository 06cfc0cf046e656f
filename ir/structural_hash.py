"""A number for the structure of a program: equal structures have equal numbers in every process.

In: an operation of any dialect. Out: an integer of 64 bits. As for `diff`, the names of values,
locations, and the order of attributes do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from xdsl.ir import Attribute, Block, Operation, SSAValue

from .difference import op_name

_BYTES = 8


def structural_hash(op: Operation) -> int:
    """Return a number that is equal for operations between which `diff` finds no difference.

    Different structures have different numbers, but for a chance of 2^-64. The number does not
    depend on the process, the machine or PYTHONHASHSEED.
    """
    digest, numbers = blake2b(digest_size=_BYTES), dict[SSAValue | Block, int]()

    def number(value: SSAValue | Block) -> int:
        return numbers.setdefault(value, len(numbers))

    # An op comes before the ops in its regions. With the number of ops in each block, the sequence
    # of parts determines the structure.
    pending = [op]  # the next op is the last one, so that deep programs need no recursion
    while pending:
        each = pending.pop()
        nested = [x for region in each.regions for block in region.blocks for x in block.ops]
        pending += reversed(nested)
        parts = (
            op_name(each),
            [number(value) for value in each.operands],
            [(number(value), str(value.type)) for value in each.results],
            _texts(each.properties),
            _texts(each.attributes),
            [number(block) for block in each.successors],
            [
                [
                    (number(block), len(block.ops), [(number(x), str(x.type)) for x in block.args])
                    for block in region.blocks
                ]
                for region in each.regions
            ],
        )
        digest.update(repr(parts).encode())
    return int.from_bytes(digest.digest(), "big")


def _texts(attributes: Mapping[str, Attribute]) -> list[tuple[str, str]]:
    return sorted((key, str(value)) for key, value in attributes.items())
