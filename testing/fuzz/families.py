"""The families of random programs, and the program for a family and a seed."""

from __future__ import annotations

from collections.abc import Sequence

from ...frontend.te.program import make_program, signature_of
from .checks import CheckOutcome
from .draw import Draw
from .graph_builder import GraphBuilder, NotInStandard
from .graphs import GRAPHS
from .pairs import PAIRS, drawn_pairs
from .program import FuzzProgram, IrProgram, OnnxProgram
from .schedules import drawn_schedule
from .te_programs import TE_PROGRAMS

FAMILIES: tuple[str, ...] = (
    *GRAPHS,
    *PAIRS,
    *(f"te.{name}" for name in TE_PROGRAMS),
    *(f"schedule.{name}" for name in TE_PROGRAMS),
    *(f"buffers.{name}" for name in TE_PROGRAMS),
)
"""Graphs; quantized graphs; tensor expressions; these with a schedule of loops, or buffers too."""


def drawn_graph(family: str, seed: int) -> GraphBuilder:
    """Return the graph that a family and a seed determine.

    If a draw uses an operator with a type that ONNX does not define for it, draw again, up to three
    times in all.
    """
    refused: NotInStandard | None = None
    for attempt in ("", " again", " once more"):
        builder = GraphBuilder(Draw(f"{family} {seed}{attempt}"))
        try:
            GRAPHS[family](builder)
            return builder
        except NotInStandard as err:
            refused = err
    raise AssertionError(f"{family} {seed} draws what the standard does not have") from refused


def drawn_program(family: str, seed: int, target: str | None = None) -> FuzzProgram:
    """Return the program that a family and a seed determine.

    target: the target for which a random schedule is drawn; None is this machine.
    """
    if family in GRAPHS:
        graph = drawn_graph(family, seed)
        return OnnxProgram(graph.model().SerializeToString(), graph.feeds)
    if family in PAIRS:
        pairs = drawn_pairs(family, seed)
        models = (form.model().SerializeToString() for form in (pairs.pairs, pairs.integers))
        data, integers = models
        return OnnxProgram(data, pairs.pairs.feeds, integers)
    kind, _, name = family.partition(".")
    if kind == "te":
        tensors = TE_PROGRAMS[name](Draw(f"{family} {seed}"))
        return IrProgram(str(make_program(signature_of(tensors, None), "main")))
    schedule = drawn_schedule(name, seed, buffers=kind == "buffers", target=target)
    return IrProgram(str(schedule.program()))


def check_drawn(family: str, seed: int, mode: str, targets: Sequence[str]) -> CheckOutcome:
    """Check the program that a family and a seed determine; return the outcome.

    mode: a mode of ``tw fuzz``, such as plan.  targets: the targets to check for;
    without targets, check for this machine.
    """
    device = targets[0] if mode == "run" and targets else None
    return drawn_program(family, seed, device).check(mode, targets)
