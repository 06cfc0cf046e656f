"""Run the blocks of a page.

Blocks with a file name after the language (``mlir dense.mlir``) are written first. Then Python
blocks run in order in one namespace, and so do the lines of ``sh`` and ``console`` blocks that
start with ``tw`` or ``tw-opt``. A shell runs those that start with a C or C++ compiler, with
``node`` or with ``./``. The output in a console block is compared; a line ``...`` matches any
lines. A block ``text print(x)`` shows a part of the output of this statement; ``…`` matches any
text, and numbers may differ, as machines do.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tilewright.tools.cli import main as tw
from tilewright.tools.opt.main import main as tw_opt

from .blocks import Block

COMMANDS: dict[str, Callable[[list[str]], int]] = {"tw": tw, "tw-opt": tw_opt}

SHELL = re.compile(r"(cc|c\+\+|node) |\./")
"""The start of a command that a shell runs."""


def write_files(own: list[Block], folder: Path) -> list[Path]:
    """Write the blocks that have a file name; return the paths."""
    files = [block for block in own if block.name and block.language != "text"]
    for block in files:
        (folder / block.name).write_text(block.text)
    return [folder / block.name for block in files]


def run_python(block: Block, namespace: dict[str, object]) -> None:
    # Empty lines give the code the line numbers of the page, for tracebacks.
    source = "\n" * block.line + block.text
    exec(compile(source, str(block.page), "exec"), namespace)


def check_print(block: Block, namespace: dict[str, object]) -> None:
    """Compare a block with the output of its ``print(…)``, up to white space and numbers."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(block.name, namespace)
    wanted = re.escape(" ".join(block.text.split())).replace("…", ".*?")
    pattern = re.sub(r"\d+", lambda _: r"\d+", wanted)
    assert re.search(pattern, " ".join(shown.getvalue().split())), f"{block}\n{shown.getvalue()}"


def needs_c_compiler(own: list[Block]) -> bool:
    """Return whether a command of a page compiles C or C++."""
    return _has_command(own, r"(cc|c\+\+) ")


def needs_node(own: list[Block]) -> bool:
    """Return whether a page runs WebAssembly in node."""
    return _has_command(own, "node ")


def _has_command(own: list[Block], pattern: str) -> bool:
    shells = [block for block in own if block.language in ("sh", "console")]
    return any(re.match(pattern, line) for block in shells for line, _ in commands(block))


def run_commands(block: Block) -> None:
    for command, shown in commands(block):
        words = shlex.split(command, comments=True)
        if words[0] in COMMANDS:
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = COMMANDS[words[0]](words[1:])
            printed = out.getvalue() + err.getvalue()
        elif SHELL.match(command):
            code, printed = run_in_shell(command)
        else:
            continue
        is_error = shown.startswith("error:")
        assert (code != 0) == is_error, f"{block}: {command} exits with {code}\n{printed}"
        if shown:
            pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*")
            assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"{block}\n{printed}"


def run_in_shell(command: str) -> tuple[int, str]:
    """Run a command in which ``tw`` is that of this Python; return exit code and output."""
    tool = f'tw() {{ {shlex.quote(sys.executable)} -m tilewright "$@"; }}'
    done = subprocess.run(
        ["bash", "-c", f"{tool}\n{command}"],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def commands(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a block, each with the output that the page shows."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        return [(line, "") for line in text.splitlines() if line.strip()]
    found = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not found[0].strip(), f"{block}: a console block starts with '$ '"
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in found[1:]]


def run_alone(
    pages: Iterable[Path], folder: Path, path: Iterable[str], missing: Iterable[str] = ()
) -> None:
    """Run pages in a process of their own, each in a new folder inside of a folder; see plain.py.

    path: where Python finds modules.  missing: modules that the process lacks.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs.plain", *map(str, pages), "--without", *missing],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def run_blocks(own: list[Block]) -> None:
    namespace: dict[str, object] = {"__name__": "page"}
    for block in own:
        if block.language == "python" and not block.name:
            run_python(block, namespace)
        elif block.language == "text" and block.name:
            check_print(block, namespace)
        elif block.language in ("sh", "console"):
            run_commands(block)
