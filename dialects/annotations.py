"""The properties ``annotations`` and ``origin``, which ops print among their attributes.

    loop.for %i = 0 to 8 attributes {annotations = {pipeline = 2 : i64}} { .. }

annotations: values by key, set by sched.annotate.  origin: the compute whose loop nest contains
this loop, the name of the loop in that nest, and whether it is a reduction loop; present only while
a schedule is applied.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

ANNOTATIONS, ORIGIN = "annotations", "origin"


def shown_attributes(op: Operation) -> dict[str, Attribute]:
    """Return the dictionary that an op prints: its attributes, and its annotations and origin."""
    own = {k: op.properties[k] for k in (ANNOTATIONS, ORIGIN) if k in op.properties}
    return {**op.attributes, **own}


def take_attributes(op: Operation, parsed: DictionaryAttr | None) -> None:
    """Set the attributes of an op, its annotations and its origin from a parsed dictionary.

    parsed: the dictionary, or None if the text of the op has none; then nothing is set.
    """
    for key, value in (parsed.data if parsed else {}).items():
        (op.properties if key in (ANNOTATIONS, ORIGIN) else op.attributes)[key] = value


def print_attributes(printer: Printer, op: Operation) -> None:
    """Print `` attributes {..}`` for an op, or nothing if the op has no attributes to print."""
    if shown := shown_attributes(op):
        printer.print_op_attributes(shown, print_keyword=True)


def parse_attributes(parser: Parser, op: Operation) -> None:
    """Parse the form that ``print_attributes`` prints, and set the attributes of the op."""
    take_attributes(op, parser.parse_optional_attr_dict_with_keyword())
