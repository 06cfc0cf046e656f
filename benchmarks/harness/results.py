"""Results of a run: ratios of medians with their spread, and shares of the machine's peak.

In: the records of one run.  Out: an `Entry` for each system, stored in a file of the cache folder,
so that tables can combine several runs. Ratios only compare systems of one run.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from zoo.files import Facts

from .rounds import Record
from .systems import OURS


@dataclass(frozen=True)
class Entry:
    """The measurement of one network on one system. Units: seconds, bytes, operations.

    target: our target, if not this machine.  ratio: median time of the system over ours, above 1
    where ours is faster; low and high are the quartiles of the rounds' ratios.  at_least: lower
    bound of the ratio, for a system whose first run was stopped.  peak, read: FLOPs and bytes per
    second of the machine in the same run.
    """

    network: str
    threads: int
    system: str
    target: str = ""
    version: str = ""
    failed: str = ""
    median_s: float = math.nan
    spread: float = math.nan
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    at_least: float = math.nan
    quiet: int = 0
    error: float = math.nan
    flops: int = 0
    moved_bytes: int = 0
    peak: float = math.nan
    read: float = math.nan

    @property
    def speed(self) -> float:
        """Return the rate of products and convolutions, in operations per second."""
        return self.flops / self.median_s

    @property
    def of_peak(self) -> float:
        """Return the part of the machine's multiply-add peak that the system reaches."""
        return self.speed / self.peak

    @property
    def of_read(self) -> float:
        """Return the fraction of the read bandwidth that a run reaches.

        The run counts as moving its weights and arguments once.
        """
        return self.moved_bytes / self.median_s / self.read


def entries(
    network: str, threads: int, facts: Facts, records: Sequence[Record], *, target: str = ""
) -> list[Entry]:
    """Return the results of one run for each system."""
    by_name = {record.system: record for record in records}
    ours = by_name.get(OURS)
    peak, read = (_rate(by_name.get(name)) for name in ("fma", "read"))
    made: list[Entry] = []
    for record in records:
        if record.system in ("fma", "read"):
            continue
        known = {
            key: value for key, value in record.facts.items() if key in Entry.__dataclass_fields__
        }
        times = _times(record, ours) if record.batches and not record.failed else {}
        moved = facts.weight_bytes + facts.argument_bytes
        numbers = {"flops": facts.flops, "moved_bytes": moved, "peak": peak, "read": read}
        if "stopped_s" in record.facts and ours is not None and ours.batches:
            times = {"at_least": record.facts["stopped_s"] / median_s(ours)}
        known |= {**numbers, **times, "failed": record.failed}
        made.append(Entry(network, threads, record.system, target, **known))
    return made


def _rate(record: Record | None) -> float:
    """Return the work per second of one of the loops that measure the machine's limits."""
    if record is None or not record.batches:
        return math.nan
    return record.facts["work"] / median_s(record)


def median_s(record: Record) -> float:
    """Return the seconds per run: the median over the rounds of the median in each round."""
    return statistics.median(batch.median_s for batch in record.quiet().values())


def _times(record: Record, ours: Record | None) -> dict[str, float]:
    quiet = record.quiet()
    samples = [batch.median_s for batch in quiet.values()]
    middle = statistics.median(samples)
    low, high = quartiles(samples)
    times = {"median_s": middle, "spread": (high - low) / middle, "quiet": len(quiet)}
    if ours is None or not ours.batches or ours.failed:
        return times
    low, high = quartiles(ratios(record, ours))
    return {**times, "ratio": middle / median_s(ours), "low": low, "high": high}


def ratios(record: Record, ours: Record) -> list[float]:
    """Return the time of a system over our time, for each round in which both were undisturbed."""
    others = ours.quiet()
    return [
        batch.median_s / others[turn].median_s
        for turn, batch in record.quiet().items()
        if turn in others
    ]


def quartiles(samples: Sequence[float]) -> tuple[float, float]:
    """Return the first and the third quartile; one sample counts as both."""
    if len(samples) < 2:
        only = samples[0] if samples else math.nan
        return only, only
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return low, high


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of the values that are numbers."""
    logs = [math.log(value) for value in values if not math.isnan(value)]
    return math.exp(statistics.fmean(logs)) if logs else math.nan


def _key(entry: Entry) -> tuple[str, int, str, str]:
    return entry.network, entry.threads, entry.system, entry.target


def read_results(path: Path) -> list[Entry]:
    """Return the entries in a file, which earlier runs measured."""
    if not path.exists():
        return []
    return [Entry(**fields) for fields in json.loads(path.read_text())]


def merge_results(path: Path, new: Sequence[Entry]) -> list[Entry]:
    """Store entries in a file, and return all entries of the file.

    A new entry replaces the old one with the same network, threads and system. An entry without a
    ratio, of a run without our system, replaces no earlier entry.
    """
    kept = {_key(entry): entry for entry in read_results(path)}
    for entry in new:
        if not math.isnan(entry.ratio) or entry.failed or _key(entry) not in kept:
            kept[_key(entry)] = entry
    path.write_text(json.dumps([asdict(entry) for entry in kept.values()], indent=1))
    return list(kept.values())
