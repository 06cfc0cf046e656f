"""sched.annotate: attach an annotation to computes or loops, for later levels."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute

from ....dialects.annotations import ANNOTATIONS
from ..engine.step import Handles, Step


def annotate(step: Step) -> Handles:
    """Attach an annotation, a key and a value, to computes or loops.

        loop.for %i = 0 to 8 { .. }
        %a = sched.annotate %i {key = pipeline, value = 2}
    ==>
        loop.for %i = 0 to 8 attributes {annotations = {pipeline = 2 : i64}} { .. }

    The value is a number, a name or an affine map, by default 1.  The compiler does not interpret
    the value. It prints the value, and copies it to the loop level: from a loop to the loop, from a
    compute to its outermost loops, or to its stores if it has no loops.  An annotated loop is kept
    even if it runs only once.
    Before: the key has no other value yet.
    Errors: ScheduleError otherwise; for another kind of value.
    """
    key, value = step.word("key"), _value(step)
    for op in step.handles[0]:
        before = op.properties.get(ANNOTATIONS)
        entries = before.data if isinstance(before, DictionaryAttr) else {}
        if entries.get(key, value) != value:
            raise step.error(
                f"{key} has a value",
                expected=f"a key that is none of {', '.join(entries)}",
                got=f"{key} = {entries[key]}",
            )
        op.properties[ANNOTATIONS] = DictionaryAttr({**entries, key: value})
    return [step.handles[0]]


def _value(step: Step) -> Attribute:
    value = step.params.get("value", 1)
    if isinstance(value, list):
        raise step.error(
            "the value of an annotation", expected="a number, a name or an affine map", got=value
        )
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    return StringAttr(value) if isinstance(value, str) else value
