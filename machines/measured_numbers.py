"""Measured numbers of a processor, which replace those of its row in the tables.

    Target("native -numbers=row.json")                          from a file of tw doctor --calibrate
    Target("znver4 -numbers=clock_hz:3.7e+09,memory_rate:8")    in full, as targets are printed

In: the value of the target option ``-numbers``.  Out: pairs of a name and a number.  They are part
of the target, so they are part of every key of compiled code, and of every record of a tuner.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias, cast

from ..support.diagnostics import TargetError
from .cpu import CpuModel

Numbers: TypeAlias = "tuple[tuple[str, float], ...]"
"""Pairs (name, number), sorted by name."""

SUFFIX = ".json"
"""The suffix of a file of measured numbers."""

FORMAT = "tilewright processor numbers 1"
_DIGITS = 3


@dataclass(frozen=True)
class MeasuredNumber:
    """A number of a processor that can be measured.

    meaning: the description of the number in a table.  unit: the unit of the number.
    is_port: whether the number is a field of `CpuModel`, so that it is rounded to a whole number;
    other numbers are fields of `CpuNumbers`.
    """

    meaning: str
    unit: str
    is_port: bool = False


MEASURED: Mapping[str, MeasuredNumber] = {
    "clock_hz": MeasuredNumber("clock frequency with the widest vectors", "Hz"),
    "fma_latency": MeasuredNumber("latency of a multiply-add", "cycles", is_port=True),
    "fma_ports": MeasuredNumber("multiply-adds of the widest vectors", "per cycle", is_port=True),
    "load_ports": MeasuredNumber("loads of the widest vectors", "per cycle", is_port=True),
    "broadcast_ports": MeasuredNumber("loads of a broadcast element", "per cycle", is_port=True),
    "unit_bits": MeasuredNumber("execution units of a divided vector", "bits", is_port=True),
    "issues": MeasuredNumber("issued instructions", "per cycle"),
    "stores": MeasuredNumber("stores of the widest vectors", "per cycle"),
    "store_cycles": MeasuredNumber("store of a vector and load of another one", "cycles"),
    "l2_rate": MeasuredNumber("reads from L2", "bytes per cycle"),
    "l3_rate": MeasuredNumber("reads from L3", "bytes per cycle"),
    "memory_rate": MeasuredNumber("reads from memory in order", "bytes per cycle"),
    "memory_latency": MeasuredNumber("load from a random address of memory", "cycles"),
    "start_of_region": MeasuredNumber("start of the threads of a parallel loop", "cycles"),
}
"""The numbers that ``tw doctor --calibrate`` measures, in the order of its table."""


def row_with(row: CpuModel, numbers: Numbers) -> CpuModel:
    """Return a copy of a processor's row in which measured ports and latencies replace its own."""
    own = {name: int(number) for name, number in numbers if MEASURED[name].is_port}
    return replace(row, **own) if own else row


def rounded(numbers: Mapping[str, float]) -> Numbers:
    """Return measured numbers as a target has them.

    Ports and latencies are whole numbers of at least 1; other numbers have three digits, so that
    two measurements on an idle machine rarely differ.
    """
    return tuple(
        (name, float(max(1, round(number))) if MEASURED[name].is_port else _short(number))
        for name, number in sorted(numbers.items())
    )


def _short(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def numbers_text(numbers: Numbers) -> str:
    """Return numbers as the value of the option ``-numbers``; `parse_numbers` reads it back."""
    return ",".join(f"{name}:{number:g}" for name, number in numbers)


def parse_numbers(text: str, cpu: str) -> Numbers:
    """Return the numbers in the value of the option ``-numbers``.

    text: pairs ``name:number``, or the path of a file with the suffix of `SUFFIX`.
    cpu: the name of the target's processor, whose row the numbers replace.
    Errors: TargetError for an unknown name, a number that is not positive, a file that cannot be
    read or is damaged, and a file for another processor.
    """
    if text.endswith(SUFFIX):
        return _read(Path(text), cpu)
    pairs = (item.partition(":") for item in text.split(","))
    return _checked({name: number for name, _, number in pairs}, "the target option -numbers")


def write_numbers(path: Path, numbers: Numbers, *, cpu: str, processor: str) -> None:
    """Write measured numbers to a file; a reader finds the old file or the whole new one.

    cpu: the name of the processor's row.  processor: its name, as the system reports it.
    Errors: TargetError for a name without the suffix of `SUFFIX`, and for a file that cannot be
    written.
    """
    if path.suffix != SUFFIX:
        raise TargetError(
            "the name is not that of a file of measured numbers",
            expected=f"a name with the suffix {SUFFIX}",
            got=str(path),
            hint=f"the target option -numbers recognizes a file by {SUFFIX}",
        )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    fields = {"format": FORMAT, "cpu": cpu, "processor": processor, "at": now}
    text = json.dumps({**fields, "numbers": dict(numbers)}, indent=2) + "\n"
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as err:
        raise TargetError(
            "cannot write the measured numbers", got=str(err), where=str(path)
        ) from err


def _read(path: Path, cpu: str) -> Numbers:
    where = str(path)
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise TargetError("cannot read the measured numbers", got=str(err), where=where) from err
    except ValueError as err:
        raise _foreign(where, str(err)) from err
    fields = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    numbers: object = fields.get("numbers")
    if fields.get("format") != FORMAT or not isinstance(numbers, dict):
        raise _foreign(where, f"format {fields.get('format')!r}")
    if fields.get("cpu") != cpu:
        raise TargetError(
            "the numbers are of another processor",
            expected=f"numbers of {cpu}",
            got=f"numbers of {fields.get('cpu')} ({fields.get('processor')})",
            hint=f"on a machine with {cpu}: tw doctor --calibrate FILE",
            where=where,
        )
    return _checked(cast("Mapping[str, object]", numbers), where)


def _foreign(where: str, got: str) -> TargetError:
    return TargetError(
        "the file has no measured numbers of a processor",
        expected=f"a file of tw doctor --calibrate, of the format {FORMAT!r}",
        got=got,
        hint=f"write it again: tw doctor --calibrate {where}",
        where=where,
    )


def _checked(given: Mapping[str, object], where: str) -> Numbers:
    found: dict[str, float] = {}
    for name, number in given.items():
        try:
            value = float(cast("str", number))
        except (TypeError, ValueError):
            value = 0.0
        is_whole = name not in MEASURED or not MEASURED[name].is_port or value.is_integer()
        if name not in MEASURED or not isfinite(value) or value <= 0 or not is_whole:
            raise TargetError(
                "no measured number of a processor",
                expected=f"a positive number, whole for ports, named {', '.join(MEASURED)}",
                got=f"{name}:{number}",
                where=where,
            )
        found[name] = value
    return tuple(sorted(found.items()))
