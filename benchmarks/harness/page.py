"""docs/performance.md: the tables between its two marks are written anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilewright.support.target import Target
from zoo.networks import MODELS, OPERATORS

from .costs import Cost, cost_sheet
from .results import Entry
from .systems import SYSTEMS
from .tables import failures, sheets

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
START, END = "<!-- made by benchmarks/zoo_bench.py -->", "<!-- end -->"


def write_page(known: Sequence[Entry], costs: Sequence[Cost]) -> None:
    """Replace the tables of the page."""
    text = PAGE.read_text()
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n\n{_tables(known, costs)}\n{END}{after}")


def _tables(known: Sequence[Entry], costs: Sequence[Cost]) -> str:
    parts = [_machine(), _versions(known)]
    parts += [sheet.markdown() for sheet in sheets(known, (*MODELS, *OPERATORS))]
    parts.append(cost_sheet(costs, MODELS).markdown())
    lost = failures(known)
    if lost:
        parts.append("Not measured:\n\n" + "\n".join(f"- {line}" for line in lost) + "\n")
    return "\n".join(parts)


def _machine() -> str:
    target = Target.host()
    sizes = (target.l1_bytes, target.l2_bytes, target.l3_bytes)
    caches = ", ".join(f"{size >> 10} KiB" for size in sizes)
    return f"Machine: `{target}`, caches {caches}.\n"


def _versions(known: Sequence[Entry]) -> str:
    versions = {e.system: e.version for e in known if e.version}
    rows = (f"{name} {versions[name]}" for name in SYSTEMS if name in versions)
    return f"Versions: {', '.join(rows)}.\n"
