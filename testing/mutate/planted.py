"""Plant one bug at a time in a copy of the checkout, and run the checks that ought to see it.

    with tempfile.TemporaryDirectory() as folder:
        copy = PlantedCheckout(Path(folder))
        print(copy.sighting(bug))

First, `tw bisect` checks the small models of the bug (probes.py), which contains the checks of `tw
validate`; then pytest runs the bug's files of tests until the first failure.  A check that runs out
of time has seen the bug, because the same check ends in seconds without it.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...support.diagnostics import TilewrightError
from .bugs import ROOT, Bug
from .probes import save_probe

_LEFT_OUT = shutil.ignore_patterns(".venv", ".git", ".*_cache", "build", ".site")
_REDUCTION_S = 90
_GUILTY = re.compile(r"^guilty: (.*)$", re.MULTILINE)
_OPS = re.compile(r"^reproducer: .*, (\d+) ops$", re.MULTILINE)


@dataclass(frozen=True)
class Sighting:
    """The first check that saw a bug.

    located: the part of the compiler that `tw bisect` names; empty if it saw nothing.  test: the
    first test that failed; empty if none did.
    cpu_s: the processor time of `tw bisect` and its workers on the probe that showed the bug; 0 if
    none did.  ops: the size of bisect's reproducer.
    """

    bug: Bug
    located: str
    test: str
    cpu_s: float = 0.0
    ops: int | None = None

    @property
    def is_seen(self) -> bool:
        """Return whether any check saw the bug."""
        return bool(self.located or self.test)

    def row(self) -> str:
        """Return the row of the Markdown table in docs/testing.md."""
        seen = " ".join(filter(None, (self.located, f"`{self.test}`" if self.test else "")))
        ops = "" if self.ops is None else str(self.ops)
        cpu_s = f"{self.cpu_s:.0f}" if self.located else ""
        bug = self.bug
        return f"| {bug.name} | {bug.kind} | `{bug.file}` | {seen or '**not seen**'} | " + (
            f"{cpu_s} | {ops} |"
        )


def _cpu_s() -> float:
    """Return the processor time of all child processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class PlantedCheckout:
    """A copy of the checkout, in which bugs are planted one at a time.

    timeout_s: the limit of each check, in seconds.
    """

    def __init__(self, folder: Path, timeout_s: float = 240.0) -> None:
        self._root, self._scratch, self._timeout_s = folder / "checkout", folder / "tmp", timeout_s
        self._scratch.mkdir()
        shutil.copytree(ROOT, self._root, ignore=_LEFT_OUT, symlinks=True)
        (self._root / ".site").mkdir()
        (self._root / ".site" / "tilewright").symlink_to("..")

    def sighting(self, bug: Bug) -> Sighting:
        """Plant a bug, run its checks until one sees it, and remove the bug.

        Errors: TilewrightError if the text of the bug does not occur in its file.
        """
        target = self._root / bug.file
        original = target.read_text()
        located, test, cpu_s, ops = "", "", 0.0, None
        target.write_text(bug.planted(original))
        try:
            self._generate(bug.file)
            for name in bug.probes:
                start_s = _cpu_s()
                located, ops = self._bisect(name)
                cpu_s = _cpu_s() - start_s
                if located:
                    break
            if not located:
                test = self._failing_test(bug.tests)
        finally:
            target.write_text(original)
            self._generate(bug.file)
        return Sighting(bug, located, test, cpu_s, ops)

    def _generate(self, file: str) -> None:
        """Translate the C parts of the runtime to LLVM IR again after a change of one.

        Errors: TilewrightError if the C compiler refuses the bug.
        """
        if file.endswith((".c", ".h")):
            done = self._run([sys.executable, "-m", "tests.codegen.native"])
            if done is None or done.returncode:
                got = "no end" if done is None else done.stderr.strip()[-200:]
                raise TilewrightError("the runtime does not compile", got=got, where=file)

    def _bisect(self, name: str) -> tuple[str, int | None]:
        """Run `tw bisect` on a probe; return the guilty part, and the size of the reproducer.

        The part is empty if bisect finds nothing.
        name: the probe, with ``@target`` for another target than the host.
        """
        model, _, target = name.partition("@")
        file = self._scratch / f"{model}.onnx"
        save_probe(model, file)
        command = [sys.executable, "-m", "tilewright", "bisect", str(file), "--no-cache"]
        command += ["--seconds", str(_REDUCTION_S), *(["--target", target] if target else [])]
        done = self._run(command)
        if done is None:
            return f"bisect of {name} does not end", None
        if done.returncode == 0:
            return "", None
        found, ops = _GUILTY.search(done.stdout), _OPS.search(done.stdout)
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        return found[1] if found else f"error: {lines[-1][:90]}", int(ops[1]) if ops else None

    def _failing_test(self, tests: Sequence[str]) -> str:
        """Run files of tests until the first failure; return its name."""
        command = [
            sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", "not nightly",
            "-p", "no:cacheprovider", "--no-header", *(f"tests/{name}" for name in tests),
        ]  # fmt: skip
        done = self._run(command)
        if done is None:
            return f"tests/{tests[0]} does not end"
        if done.returncode == 0:
            return ""
        lines = done.stdout.splitlines()
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        words = (failed or [f"ERROR tests/{tests[0]} crashes"])[0].split(" - ")[0]
        return words.split(" ", 1)[-1]

    def _run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str] | None:
        """Run a command in the copy of the checkout; return None if it runs out of time."""
        try:
            return subprocess.run(
                ["env", *self._environment(), *command],
                cwd=self._root,
                capture_output=True,
                text=True,
                timeout=self._timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None

    def _environment(self) -> Sequence[str]:
        return (
            f"PYTHONPATH={self._root / '.site'}",
            f"TMPDIR={self._scratch}",
            f"TILEWRIGHT_CACHE_DIR={self._scratch / 'cache'}",
            "CI=true",
        )
