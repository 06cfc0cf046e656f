"""Set up the session, and collect the RUN lines of tests/filecheck/**/*.mlir as tests.

RUN lines run inside the test process, because starting Python takes at least 0.3 s, a run in a warm
process 0.01 s. Known commands: ``tw-opt``, ``filecheck``, ``not COMMAND``, ``cat``, joined by
``|``, with ``2>&1``. Substitutions: ``%s`` this file, ``%p`` its folder, ``%t`` a scratch file.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options
from filecheck.parser import Parser
from hypothesis import HealthCheck, settings

from tilewright.testing.worker import WorkerProcess
from tilewright.tools.opt.main import main as opt_main

from .built_files import FOLDER, built_once
from .sweeps import mark_nightly_cases

FILECHECK_FOLDER = Path(__file__).parent / "filecheck"

# The machine may be shared and slow, so a deadline would only report its load.
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)

# Another installed package has a folder `tests` too. When sys.path changes, Python looks for this
# folder again, in sys.path only. A list stays as it is.
sys.modules["tests"].__path__ = [str(Path(__file__).parent)]


def pytest_configure(config: pytest.Config) -> None:
    """Choose the hypothesis profile and give the session an empty cache folder."""
    settings.load_profile("ci" if os.environ.get("CI") else "default")
    folder = tempfile.mkdtemp(prefix="tilewright-test-cache-")
    os.environ["TILEWRIGHT_CACHE_DIR"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    if FOLDER not in os.environ:  # The workers of pytest-xdist have it from their controller.
        files = os.environ[FOLDER] = tempfile.mkdtemp(prefix="tilewright-test-files-")
        config.add_cleanup(lambda: shutil.rmtree(files, ignore_errors=True))


@pytest.hookimpl(tryfirst=True)  # before pytest selects tests by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of sweeps to the night."""
    mark_nightly_cases(items)


def pytest_collection_finish() -> None:
    """Collect garbage less often: compilers make many objects, which mostly live until a test ends.

    The modules and tests that exist by now stay, so that no later collection visits them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="module", autouse=True)
def small_heap(request: pytest.FixtureRequest) -> None:
    """Let the collections that a module starts visit the objects of its own tests only.

    After some thousands of tests, a collection of all objects takes 0.7 s.
    """
    if hasattr(request.module, "gc"):
        gc.collect()
        gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped for each reason."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)
    if reasons:
        terminalreporter.section("skipped tests by reason")
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count:5} {reason}")


@pytest.fixture(scope="session")
def worker() -> Iterator[WorkerProcess]:
    """Yield a process that runs compiled code: a crash is one failed test."""
    with WorkerProcess() as started:
        yield started


@pytest.fixture(scope="session")
def wheels() -> list[Path]:
    """Build the wheels of compiler, runtime and server from a copy of the checkout."""
    return wheels_in(built_once("wheels", build_wheels))


def build_wheels(folder: Path) -> list[Path]:
    """Build the wheels from a copy of the checkout in a folder, as `make wheel` does."""
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")
    source = folder / "source"
    # Not copystat: all files of the copy are new.
    root = Path(__file__).parents[1]
    shutil.copytree(root, source, ignore=ignored, copy_function=shutil.copyfile)
    # The environment of the tests is there already.
    tools = f"BIN={Path(sys.executable).parent}"
    command = ["make", "--silent", "-o", ".venv/.tilewright-installed", tools, "wheel"]
    subprocess.run(command, cwd=source, check=True)
    return wheels_in(folder)


def wheels_in(folder: Path) -> list[Path]:
    """Return the wheels that `build_wheels` made in a folder."""
    return sorted((folder / "source" / "dist").glob("*.whl"))


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    """Collect IR files that have RUN lines."""
    if file_path.suffix != ".mlir" or FILECHECK_FOLDER not in file_path.parents:
        return None
    return MlirFile.from_parent(parent, path=file_path)


class MlirFile(pytest.File):
    """One IR file; each RUN line is a test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the RUN lines; a backslash at the end of a line continues it on the next."""
        lines = self.path.read_text().splitlines()
        commands = [line.split("RUN:", 1)[1] for line in lines if line.startswith("// RUN:")]
        joined = "\n".join(commands).replace("\\\n", " ").splitlines()
        if not joined:
            raise self.CollectError(f"{self.path} has no line that starts with '// RUN:'")
        for i, command in enumerate(joined):
            yield RunLine.from_parent(self, name=f"RUN{i}", command=command.strip())


class RunLineError(Exception):
    """A RUN line failed; the text says which stage and why."""


class RunLine(pytest.Item):
    """One RUN line."""

    def __init__(self, *, command: str, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.command = command

    def runtest(self) -> None:
        """Run the stages from left to right; the first failure counts (pipefail)."""
        with tempfile.TemporaryDirectory() as folder:
            run_command(
                self.command.replace("%s", str(self.path))
                .replace("%p", str(self.path.parent))
                .replace("%t", str(Path(folder) / "scratch"))
            )

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException], style: None = None
    ) -> str:
        """Show failures of RUN lines without a traceback."""
        if isinstance(excinfo.value, RunLineError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file and the name shown in reports."""
        return self.path, 0, f"{self.path.name}:{self.name}"


@dataclass
class Stage:
    """The output and exit code of one stage of a RUN line."""

    code: int
    out: str
    err: str


def run_command(command: str) -> str:
    """Run a pipeline such as ``not tw-opt a.mlir 2>&1 | filecheck a.mlir``; return its output."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    data = ""
    words: list[str] = []
    for word in [*lexer, "|"]:
        if word != "|":
            words.append(word)
            continue
        data = run_stage(words, data)
        words = []
    return data


def run_stage(words: list[str], data: str) -> str:
    """Run one command on its input and return its output, or raise `RunLineError`."""
    merge = "2>&1" in words
    words = [word for word in words if word != "2>&1"]
    negate = words[0] == "not"
    tool, *args = words[1:] if negate else words
    if tool not in TOOLS:
        raise RunLineError(f"unknown command {tool!r} in a RUN line; known: {', '.join(TOOLS)}")
    stage = TOOLS[tool](args, data)
    if (stage.code != 0) != negate:
        verdict = "should have failed" if negate else f"failed with exit code {stage.code}"
        shown = f"--- stderr ---\n{stage.err}\n--- stdout ---\n{stage.out}\n--- stdin ---\n{data}"
        raise RunLineError(f"{shlex.join(words)}\n{verdict}\n{shown}")
    return stage.err + stage.out if merge else stage.out


def _opt(args: list[str], data: str) -> Stage:
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = opt_main(args)
    except SystemExit as stop:  # argparse
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        sys.stdin = stdin
    return Stage(code, out.getvalue(), err.getvalue())


def _filecheck(args: list[str], data: str) -> Stage:
    options = parse_argv_options(["filecheck", *args])
    log = io.StringIO()
    with contextlib.redirect_stdout(log):
        matcher = Matcher(options, FInput("-", data), Parser.from_opts(options))
        matcher.stderr = log
        code = matcher.run()
    return Stage(code, "", log.getvalue())


def _cat(args: list[str], data: str) -> Stage:
    return Stage(0, "".join(Path(arg).read_text() for arg in args) or data, "")


TOOLS: dict[str, Callable[[list[str], str], Stage]] = {
    "tw-opt": _opt,
    "filecheck": _filecheck,
    "cat": _cat,
}
