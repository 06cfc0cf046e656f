"""Check and measure the kernels of a bundle on the GPU of this machine.

    python -m tilewright.runtime.measure.device_check BUNDLE [--out FILE] [--seconds N]
                                                      [--cases NAME …] [--ptx]

In: a bundle of compiled cases (`make device-bundle`; device_case.py lists its files). Out: a table
on standard output, and a JSON file with the device, the versions, and a row per case: whether its
results are right, whether two more runs give the same bits, and the times of one call and of torch,
if torch is installed. Only numpy and `tilewright-runtime` are needed. A worker process runs the
cases. If a case ends the process, or its kernels do not end, the case fails, and a new process runs
the cases after it. The exit status is 1 if a case fails.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias

from .. import __version__
from ..abi.device import device
from ..device.gpu_driver_devices import CudaDevices
from ..errors import ArgumentError
from .device_case import CASE_LIMIT_S, LOST_CONTEXT, read_cases

Row: TypeAlias = dict[str, Any]

_WORKER = f"{__package__}.device_case"
_LOG_LINES = 5


def chosen_code(architectures: Sequence[str], here: str) -> tuple[str, str]:
    """Return the architecture whose code a device can run, and the suffix of the code's files.

    The code is machine code for the architecture of the device, such as sm_90a for sm_90, or else
    PTX for an older architecture, unless this code needs features of only one architecture.

    architectures: those in the bundle.  here: the architecture of the device.

    Errors: ArgumentError if the bundle has no code for the device.
    """
    own = [name for name in architectures if _number(name) == _number(here)]
    older = [
        name for name in architectures if name[-1:].isdigit() and _number(name) < _number(here)
    ]
    if own:
        return own[0], "cubin"
    if older:
        return max(older, key=_number), "ptx"
    raise ArgumentError(
        "the bundle has no code for the device",
        expected=", ".join(architectures),
        got=here,
        hint=f"make device-bundle ARCH={here}",
    )


def _number(architecture: str) -> int:
    found = re.search(r"\d+", architecture)
    return int(found[0]) if found else 0


class CaseWorker:
    """A process that runs the cases of a request; the constructor waits for its end.

    request: the argument of the process, as in device_case.py.  rows: the rows of the cases that
    have ended.  begun: the name of the last case that has begun.  status: the exit status.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.rows: list[Row] = []
        self.begun = ""
        command = [sys.executable, "-m", _WORKER, json.dumps(request)]
        with tempfile.TemporaryFile("w+") as log:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True
            ) as process:
                assert process.stdout is not None, "it is a pipe"
                for line in process.stdout:
                    self._take(json.loads(line))
            log.seek(0)
            self.status, self._log = process.returncode, log.read()

    def _take(self, row: Row) -> None:
        if "begins" in row:
            self.begun = row["begins"]
            return
        self.rows.append(row)
        _show(line_of(row))

    @property
    def failed(self) -> Row | None:
        """The row of the case that ended the process; None if all cases that began have ended."""
        if self.status in (0, LOST_CONTEXT):
            return None
        last = "\n".join(self._log.strip().splitlines()[-_LOG_LINES:])
        why = f"the process ended with status {self.status}"
        if self.status == -signal.SIGALRM:
            why = f"the case takes more than {CASE_LIMIT_S} seconds"
        return {"case": self.begun or "start of the process", "failed": f"{why}\n{last}".strip()}


def run_cases(request: Mapping[str, Any]) -> list[Row]:
    """Run the cases of a request; return a row for each, also for those that were skipped.

    After a case that ends its process, a new process runs the other cases.
    """
    left, ends = list(request["cases"]), time.monotonic() + request["seconds"]
    rows: list[Row] = []
    while left and (seconds := ends - time.monotonic()) > 0:
        worker = CaseWorker({**request, "cases": left, "seconds": seconds})
        rows += worker.rows
        failed = worker.failed
        if failed is not None:
            rows.append(failed)
            _show(line_of(failed))
        done = {row["case"] for row in rows}
        if not worker.begun or worker.status == 0:
            break
        left = [name for name in left if name not in done]
    done = {row["case"] for row in rows}
    return rows + [{"case": name, "skipped": True} for name in request["cases"] if name not in done]


_COLUMNS = (
    ("case", 34), ("right", 6), ("same", 5), ("error", 9), ("steps", 6), ("warm", 10), ("cold", 10),
    ("torch", 10), ("graph", 10), ("cold", 10), ("warm ×", 7), ("cold ×", 7), ("TFLOP/s", 8),
    ("GB/s", 7),
)  # fmt: skip


def heading() -> str:
    """Return the first line of the table."""
    return "".join(name.ljust(n) if n > 30 else name.rjust(n) for name, n in _COLUMNS)


def line_of(row: Row) -> str:
    """Return the line of a row: times in microseconds, and the speed relative to torch."""
    if "skipped" in row or "failed" in row:
        return f"{row['case']:34}{'skipped' if 'skipped' in row else 'FAILED: ' + row['failed']}"
    ours, torch = row.get("ours_us", {}), row.get("torch_us", {})
    warm, cold = ours.get("warm"), ours.get("cold")
    cells = [
        "yes" if row["is_right"] else "NO",
        "yes" if row["repeats"] else "NO",
        "-" if row["error"] is None else f"{row['error']:.1e}",
        str(row["launches"]),
        *(_shown(time_us) for time_us in (warm, cold)),
        *(_shown(torch.get(kind)) for kind in ("eager", "graph", "cold")),
        _ratio(torch.get("graph"), warm),
        _ratio(torch.get("cold"), cold),
        _ratio(row.get("flops"), warm, 1e-6, 1),
        _ratio(row.get("moved_bytes"), cold, 1e-3, 0),
    ]
    widths = [width for _, width in _COLUMNS[1:]]
    return f"{row['case']:34}" + "".join(map(str.rjust, cells, widths))


def _shown(time_us: float | None) -> str:
    return "" if time_us is None else f"{time_us:.1f}"


def _ratio(over: float | None, under: float | None, scale: float = 1, digits: int = 2) -> str:
    return f"{scale * over / under:.{digits}f}" if over and under else ""


def is_failure(row: Row) -> bool:
    """Return whether a case failed: wrong results, other bits in a second run, or an error."""
    return "failed" in row or not (row.get("is_right", True) and row.get("repeats", True))


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tilewright.runtime.measure.device_check")
    parser.add_argument("bundle", type=Path, help="the folder that make device-bundle wrote")
    parser.add_argument("--out", type=Path, default=Path("device.json"), help="the results")
    parser.add_argument("--seconds", type=float, default=600, help="begin no case after this time")
    parser.add_argument("--cases", nargs="*", default=["*"], help="names, or patterns with *")
    parser.add_argument("--ptx", action="store_true", help="let the driver assemble the PTX")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases of a bundle; return the exit status."""
    given = _parser().parse_args(arguments)
    place = device("cuda")
    if not place.exist:
        _show(f"this machine has no CUDA device: {CudaDevices.needs}")
        return 2
    names = [
        name
        for name in read_cases(given.bundle)
        if any(fnmatch.fnmatch(name, pattern) for pattern in given.cases)
    ]
    try:
        architectures = json.loads((given.bundle / "bundle.json").read_text())["architectures"]
        folder, suffix = chosen_code(architectures, str(place.attributes["arch"]))
    except ArgumentError as err:
        _show(str(err))
        return 2
    _show(heading())
    rows = run_cases(
        {
            "bundle": str(given.bundle),
            "folder": folder,
            "suffix": "ptx" if given.ptx else suffix,
            "device": ("cuda", 0),
            "cases": names,
            "seconds": given.seconds,
        }
    )
    versions = {name: _version(name) for name in ("numpy", "torch")}
    facts = {
        "device": dict(place.attributes),
        "tilewright": __version__,
        "python": platform.python_version(),
        **versions,
        "code": [folder, "ptx" if given.ptx else suffix],
    }
    given.out.write_text(json.dumps({**facts, "rows": rows}, indent=1) + "\n")
    failures = [row["case"] for row in rows if is_failure(row)]
    skipped = sum("skipped" in row for row in rows)
    _show(f"{len(rows)} cases, {len(failures)} failed, {skipped} skipped; see {given.out}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
