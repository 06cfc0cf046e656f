"""Tables of results, for a terminal and for a page."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from .results import Entry, geometric_mean
from .systems import OURS, SYSTEMS

# The ratio compares our time with the best of these systems.
RIVALS = ("onnxruntime", "openvino", "torch", "torch.compile")
# Above this relative error a result is wrong, or less exact than single precision.
LARGEST_ERROR = 1e-4


@dataclass(frozen=True)
class Sheet:
    """A table as text: a title, headings and rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def rich(self) -> Table:
        """Return the table in a form for a terminal."""
        table = Table(title=self.title, title_justify="left")
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """Return the table in Markdown."""
        lines = [self.columns, ("---", *("---:" for _ in self.columns[1:])), *self.rows]
        body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"### {self.title}\n\n{body}\n"


def read_sheet(text: str, title: str) -> Sheet:
    """Return the first table with a title that a page contains.

    Errors: ValueError if the page has none.
    """
    lines = text.splitlines()
    start = lines.index(f"### {title}") + 2
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in itertools.takewhile(lambda line: line.startswith("|"), lines[start:])
    ]
    return Sheet(title, rows[0], tuple(rows[2:]))


def sheets(entries: Sequence[Entry], order: Sequence[str]) -> list[Sheet]:
    """Return all tables of some networks, in the given order.

    For targets other than this machine, the tables show only our share of the target's peak.
    """
    own = [entry for entry in entries if not entry.target]
    counts = sorted({entry.threads for entry in own})
    made = [_speed(own, order, threads) for threads in counts]
    made += [_roofline(own, order), _errors(own, order)]
    for target in sorted({entry.target for entry in entries if entry.target}):
        made.append(_roofline([e for e in entries if e.target == target], order, target))
    return [sheet for sheet in made if sheet.rows]


def best_ratio(row: dict[str, Entry]) -> tuple[str, float]:
    """Return the name of the fastest other system, and the ratio of its time to ours."""
    found = [(row[n].ratio, n) for n in RIVALS if n in row and _counts(row[n])]
    ratio, name = min(found, default=(math.nan, ""))
    return name, ratio


def _counts(entry: Entry) -> bool:
    return not math.isnan(entry.ratio) and entry.error < LARGEST_ERROR


def _rows(
    entries: Sequence[Entry], order: Sequence[str], threads: int
) -> dict[str, dict[str, Entry]]:
    rows: dict[str, dict[str, Entry]] = {}
    for name in order:
        row = {e.system: e for e in entries if (e.network, e.threads) == (name, threads)}
        if row:
            rows[name] = row
    return rows


def _speed(entries: Sequence[Entry], order: Sequence[str], threads: int) -> Sheet:
    """Return the table of our times, and of the ratio of each other system's time to ours."""
    rows = _rows(entries, order, threads)
    peers = [
        name
        for name, kind in SYSTEMS.items()
        if name != OURS and kind.is_timed and any(name in row for row in rows.values())
    ]
    lines: list[tuple[str, ...]] = []
    for name, row in rows.items():
        ours = row.get(OURS)
        best, ratio = best_ratio(row)
        cells = [_ratio(row.get(peer)) for peer in peers]
        lines.append((name, _ms(ours), *cells, f"{number(ratio)} {best}".strip()))
    means = [
        geometric_mean(r[peer].ratio for r in rows.values() if peer in r and _counts(r[peer]))
        for peer in peers
    ]
    best_mean = geometric_mean(best_ratio(row)[1] for row in rows.values())
    lines.append(("**geometric mean**", "", *map(number, means), number(best_mean)))
    title = f"Time over ours, {threads} thread{'s' * (threads > 1)}"
    return Sheet(title, ("network", "ours, ms", *peers, "best of f32 rivals"), tuple(lines))


def _roofline(entries: Sequence[Entry], order: Sequence[str], target: str = "") -> Sheet:
    """Return the table of the parts of the machine's limits that we and the best peer reach."""
    lines: list[tuple[str, ...]] = []
    for threads in sorted({entry.threads for entry in entries}):
        for name, row in _rows(entries, order, threads).items():
            if OURS not in row or row[OURS].failed:
                continue
            ours, rival = row[OURS], row.get(best_ratio(row)[0])
            lines.append(
                (
                    name,
                    str(threads),
                    number(1e-9 * ours.flops),
                    number(1e-9 * ours.speed),
                    percent(ours.of_peak),
                    percent(rival.of_peak) if rival else "",
                    number(1e-9 * ours.peak),
                    number(1e-6 * ours.moved_bytes),
                    percent(ours.of_read),
                    number(1e-9 * ours.read),
                )
            )
    columns = (
        "network", "threads", "GFLOP", "GFLOP/s", "of peak", "best rival", "peak GFLOP/s",
        "MB moved", "of bandwidth", "GB/s read",
    )  # fmt: skip
    title = f"Share of the measured peak{target and f', for {target}'}"
    return Sheet(title, columns, tuple(lines))


def _errors(entries: Sequence[Entry], order: Sequence[str]) -> Sheet:
    """Return the table of the largest relative L2 errors, compared with double precision."""
    used = [name for name in SYSTEMS if any(e.system == name for e in entries)]
    lines: list[tuple[str, ...]] = []
    for name in order:
        rows = [e for e in entries if e.network == name]
        if rows:
            errors = (
                max((e.error for e in rows if e.system == s and not e.failed), default=math.nan)
                for s in used
            )
            lines.append((name, *("" if math.isnan(x) else f"{x:.1e}" for x in errors)))
    return Sheet("Relative error, compared with double precision", ("network", *used), tuple(lines))


def failures(entries: Sequence[Entry]) -> list[str]:
    """Return a sentence for each system that did not run."""
    return [
        f"{e.network}, {e.threads} threads, {e.system}: {e.failed}" for e in entries if e.failed
    ]


def _ratio(entry: Entry | None) -> str:
    if entry is None:
        return ""
    if entry.failed:
        return "failed" if math.isnan(entry.at_least) else f"> {number(entry.at_least)}"
    if math.isnan(entry.ratio):
        return f"{_ms(entry)} ms"
    mark = "" if entry.error < LARGEST_ERROR else " inexact"
    reach = max(entry.high - entry.ratio, entry.ratio - entry.low, 0.0)
    spread = "" if math.isnan(entry.low) else f" ±{reach:.2f}"
    return f"{number(entry.ratio)}{spread}{mark}"


def _ms(entry: Entry | None) -> str:
    if entry is None:
        return ""
    return "failed" if entry.failed else number(1e3 * entry.median_s)


def number(value: float) -> str:
    """Return a number with three digits; an empty string for NaN."""
    if math.isnan(value):
        return ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f}" if value >= 0.01 else f"{value:.3g}"


def percent(value: float) -> str:
    """Return a share in percent; an empty string for NaN."""
    return "" if math.isnan(value) else f"{value:.0%}"


def megabytes(size: float) -> str:
    """Return a size in MB."""
    return f"{size / 1e6:.0f}" if size >= 1e7 else f"{size / 1e6:.1f}"
