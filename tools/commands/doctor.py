"""``tw doctor``: report the machine, versions, the cache folder, and a check of compiled code.

The report contains the facts that a bug report needs. The exit code is 1 if there is a problem.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from itertools import groupby
from pathlib import Path

import click
import numpy as np
from rich.markup import escape
from rich.table import Table

from ... import __version__
from ...machines.cpu_numbers import measurable_numbers
from ...machines.measured_numbers import MEASURED, rounded, write_numbers
from ...machines.target import Target
from ...machines.this_machine import processor_name
from ...runtime.display import byte_text
from ...runtime.host import available_threads
from ...support.cache import user_cache
from ...support.diagnostics import TilewrightError
from ..terminal import numbers, show_table, show_text, terminal
from .help import ToolCommand

_PROGRAM = """
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x17xf32>) -> tensor<24x17xf32> {
  %a = graph.matmul %x, %w : tensor<24x40xf32>, tensor<40x17xf32> -> tensor<24x17xf32>
  %y = graph.tanh %a : tensor<24x17xf32>
  func.return %y : tensor<24x17xf32>
}
"""
_TOLERANCE = 1e-5


@dataclass(frozen=True)
class InstallationCheck:
    """One row of the report of `tw doctor`.

    section: the title of the part of the report.  name: the fact, such as ``CPU``.  result: its
    value or the result of a check.  ok: whether the row shows no problem.
    """

    section: str
    name: str
    result: str
    ok: bool = True


@click.command(
    cls=ToolCommand,
    examples=["tw doctor", "tw doctor --json", "tw doctor --calibrate row.json"],
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--calibrate",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Measure numbers of this processor, and write them to FILE.",
)
def doctor(as_json: bool, calibrate: Path | None) -> None:
    """Check the installation and show what a bug report needs.

    A small program is compiled, run and compared with numpy. Exit code 1 if anything is wrong.
    A compilation uses the numbers of --calibrate with --target "native -numbers=FILE".
    """
    if calibrate is not None:
        _calibrate(calibrate, as_json=as_json)
        return
    checks = [*examine()]
    ok = all(check.ok for check in checks)
    if as_json:
        click.echo(json.dumps({"ok": ok, "checks": [asdict(check) for check in checks]}, indent=2))
    else:
        show_table(terminal(), _table(checks))
    if not ok:
        raise click.exceptions.Exit(1)


def examine() -> Iterator[InstallationCheck]:
    """Check the machine, the packages, the cache and compiled code; yield rows of the report."""
    yield from _machine()
    yield from _versions()
    yield from _extras()
    yield _cache()
    yield _self_check()


def _table(checks: list[InstallationCheck]) -> Table:
    table = Table(title=f"tilewright {__version__}", show_header=False)
    for overflow in ("ignore", "ignore", "fold"):
        table.add_column(overflow=overflow)
    for section, rows in groupby(checks, key=lambda check: check.section):
        for index, row in enumerate(rows):
            mark = "" if row.ok else "[red]problem:[/red] "
            table.add_row("" if index else section, row.name, mark + escape(row.result))
        table.add_section()
    return table


def _calibrate(path: Path, *, as_json: bool) -> None:
    """Measure the numbers of this processor; write them to a file, and show them."""
    from ...tuning.processor_numbers import trials  # imports the compiler

    target = Target.native()
    timer = trials.NativeTimer(target)
    measured = trials.measured_numbers(target, timer, threads=available_threads())
    row = rounded(measured)
    write_numbers(path, row, cpu=target.cpu, processor=processor_name())
    if as_json:
        click.echo(json.dumps({"cpu": target.cpu, "measured": measured, "numbers": dict(row)}))
        return
    show_table(terminal(), number_table(target, measured))
    show_text(terminal(), f'to use {path}: --target "native -numbers={path}"', "dim")


def number_table(target: Target, measured: Mapping[str, float]) -> Table:
    """Return a table of measured numbers next to those of the processor's row, with their ratios.

    target: the target whose row is shown.  measured: the numbers by name; some may be missing.
    """
    columns = numbers("row", "measured", "ratio")
    table = Table("number", "what", "unit", *columns, title=f"{target.cpu}: {processor_name()}")
    for name, number in measurable_numbers(target).items():
        what, found = MEASURED[name], measured.get(name)
        cells = ("", "") if found is None else (f"{found:.3g}", f"{found / number:.2f}")
        table.add_row(name, what.meaning, what.unit, f"{number:.3g}", *cells)
    return table


def _machine() -> Iterator[InstallationCheck]:
    target = Target.native()
    caches = (target.l1_bytes, target.l2_bytes, target.l3_bytes)
    usable, present = len(os.sched_getaffinity(0)), os.cpu_count()
    yield InstallationCheck("machine", "system", platform.platform())
    yield InstallationCheck("machine", "CPU", processor_name())
    yield InstallationCheck("machine", "features", " ".join(target.features))
    yield InstallationCheck("machine", "caches", ", ".join(f"{size >> 10} KiB" for size in caches))
    yield InstallationCheck("machine", "cores", f"{usable} usable of {present}", ok=usable > 0)
    yield InstallationCheck("machine", "target", str(target))


def _versions() -> Iterator[InstallationCheck]:
    from ...codegen.llvm import version as llvm_version

    yield InstallationCheck(
        "versions", "python", f"{platform.python_implementation()} {platform.python_version()}"
    )
    yield InstallationCheck("versions", "tilewright", __version__)
    for text in requires("tilewright") or ():
        if "extra ==" not in text:
            yield _requirement(text)
    yield InstallationCheck("versions", "LLVM", llvm_version().rpartition(" ")[2])


def _requirement(text: str) -> InstallationCheck:
    name = _name_of(text)
    found = _version(name)
    exact = re.fullmatch(r"==([\d.]+)", text[len(name) :].strip())
    fits = found is not None and (exact is None or found == exact[1])
    if found is not None and fits:
        return InstallationCheck("versions", name, found)
    return InstallationCheck("versions", name, f"{found or 'missing'}, wanted: {text}", ok=False)


def _extras() -> Iterator[InstallationCheck]:
    """Yield a row per extra (optional packages) of the distribution; compilation needs none."""
    texts = requires("tilewright") or ()
    for extra in metadata("tilewright").get_all("Provides-Extra") or ():
        wanted = [_name_of(t) for t in texts if re.search(rf"extra == ['\"]{extra}['\"]", t)]
        versions = {name: _version(name) for name in wanted}
        found = [f"{name} {number}" for name, number in versions.items() if number]
        absent = [name for name, number in versions.items() if not number]
        if found and absent:
            found.append(f"without {', '.join(absent)}")
        yield InstallationCheck("optional", extra, ", ".join(found) or "not installed")


def _name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None, requirement
    return match[0]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _cache() -> InstallationCheck:
    cache = user_cache()
    try:
        cache.check_writable()
        state = cache.state()
    except TilewrightError as err:
        return InstallationCheck(
            "cache", "folder", f"{cache.folder}: {err.rule}: {err.got}", ok=False
        )
    sizes = f"{byte_text(state.size_bytes)} of {byte_text(cache.limit_bytes)}"
    return InstallationCheck("cache", "folder", f"{cache.folder}: {state.entries} entries, {sizes}")


def _self_check() -> InstallationCheck:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((24, 40)).astype(np.float32)
    w = rng.standard_normal((40, 17)).astype(np.float32)
    expected = np.tanh(x.astype(np.float64) @ w)
    try:
        got = _computed(x, w)
    except (TilewrightError, RuntimeError, OSError) as err:
        return InstallationCheck(
            "self-check", "compile, run", f"{type(err).__name__}: {err}", ok=False
        )
    error = float(np.max(np.abs(got - expected)))
    text = f"largest error against numpy {error:.1e}, at most {_TOLERANCE:.0e} expected"
    return InstallationCheck("self-check", "compile, run", text, ok=error <= _TOLERANCE)


def _computed(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    from xdsl.parser import Parser

    from ...driver.compile_module import compile_module
    from ...support.registry import new_context

    module = Parser(new_context(), _PROGRAM).parse_module()
    (result,) = compile_module(module, cache=False).run([x, w])
    return result.numpy()
