"""docs/performance.md: rewrites the text between its marks."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tilewright.machines.target import Target
from zoo.networks import MODELS, OPERATORS

from .costs import Cost, cost_sheet
from .results import Entry
from .systems import SYSTEMS
from .tables import failures, sheets

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
NETWORKS_START, OPERATORS_START, END = (
    "<!-- made by benchmarks/zoo_bench.py -->",
    "<!-- single operators, made by benchmarks/zoo_bench.py -->",
    "<!-- end -->",
)


def write_page(known: Sequence[Entry], costs: Sequence[Cost]) -> None:
    """Replace the tables of networks and of single operators that have results."""
    text = PAGE.read_text()
    for start, names in ((NETWORKS_START, MODELS), (OPERATORS_START, OPERATORS)):
        found = [entry for entry in known if entry.network in names]
        if found:
            text = replaced(text, start, _tables(found, costs, names))
    PAGE.write_text(text)


def replaced(text: str, start: str, tables: str) -> str:
    """Return a page whose text between a start mark and the next end mark is replaced by tables."""
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(END)
    return f"{before}{start}\n\n{tables}\n{END}{after}"


def commit() -> str:
    """Return the short hash of the commit that is checked out."""
    command = ["git", "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _tables(known: Sequence[Entry], costs: Sequence[Cost], names: Sequence[str]) -> str:
    parts = [_machine(), _versions(known)]
    parts += [sheet.markdown() for sheet in sheets(known, names)]
    compiled = cost_sheet(costs, names)
    if compiled.rows:
        parts.append(compiled.markdown())
    lost = failures(known)
    if lost:
        parts.append("Not measured:\n\n" + "\n".join(f"- {line}" for line in lost) + "\n")
    return "\n".join(parts)


def _machine() -> str:
    target = Target.native()
    sizes = (target.l1_bytes, target.l2_bytes, target.l3_bytes)
    caches = ", ".join(f"{size >> 10} KiB" for size in sizes)
    return f"Measured, commit {commit()}. Machine: `{target}`, caches {caches}.\n"


def _versions(known: Sequence[Entry]) -> str:
    versions = {e.system: e.version for e in known if e.version}
    rows = (f"{name} {versions[name]}" for name in SYSTEMS if name in versions)
    return f"Versions: {', '.join(rows)}.\n"
