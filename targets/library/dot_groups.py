"""Operands of dot-product instructions: groups of adjacent elements, and the type of their sums."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class DotGroup:
    """A dot product of ``count`` adjacent elements, which an instruction adds to a lane.

    element: the type of the elements.  sum: the type of the accumulator.  extend: the arith ops
    that extend the elements of each operand.  multiply: the arith op that multiplies them.
    """

    element: str
    count: int
    sum: str
    extend: tuple[str, str]
    multiply: str

    @property
    def words(self) -> dict[str, str]:
        """The texts that replace the placeholders in an intrinsic's template, such as ELEMENT.

        The keys are the placeholders.
        """
        return {
            "GROUP": str(self.count), "ELEMENT": self.element, "SUM": self.sum,
            "MULTIPLY": self.multiply, "EXTEND_A": self.extend[0], "EXTEND_B": self.extend[1],
        }  # fmt: skip

    @property
    def signs(self) -> tuple[str, str]:
        """The type of each operand of a dot product of bytes: ``s8`` or ``u8``."""
        lhs, rhs = ("u8" if op == "extui" else "s8" for op in self.extend)
        return lhs, rhs

    @property
    def unsigned_sides(self) -> list[str]:
        """The attributes of simt.mma for unsigned operands: ``lhs_unsigned``, ``rhs_unsigned``."""
        sides = zip(("lhs_unsigned", "rhs_unsigned"), self.extend, strict=True)
        return [side for side, op in sides if op == "extui"]


U8_S8 = DotGroup("i8", 4, "i32", ("extui", "extsi"), "muli")
S8_U8 = DotGroup("i8", 4, "i32", ("extsi", "extui"), "muli")
S8_S8 = DotGroup("i8", 4, "i32", ("extsi", "extsi"), "muli")
U8_U8 = DotGroup("i8", 4, "i32", ("extui", "extui"), "muli")
S16_S16 = DotGroup("i16", 2, "i32", ("extsi", "extsi"), "muli")
BF16 = DotGroup("bf16", 2, "f32", ("extf", "extf"), "mulf")
F16 = replace(BF16, element="f16")
BYTES = (S8_S8, S8_U8, U8_S8, U8_U8)
"""The dot products of bytes, with all combinations of signs."""


def doubled(group: DotGroup) -> DotGroup:
    """Return a group of twice as many terms, which matrix instructions multiply."""
    return replace(group, count=2 * group.count)


def filled(template: str, words: dict[str, str]) -> str:
    """Return a template with its placeholders replaced, in the order of ``words``.

    The text for a placeholder may contain later placeholders.
    """
    for word, text in words.items():
        template = template.replace(word, text)
    return template
