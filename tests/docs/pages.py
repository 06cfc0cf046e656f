"""Run the blocks of a page.

Blocks with a file name after the language (``mlir dense.mlir``) are written first. Then Python
blocks run in order in one namespace, and so do the lines of ``sh`` and ``console`` blocks that
start with ``tw``, ``tw-opt`` or ``cc``, or with a program in the folder (``./app``). The output in
a console block is compared; a line ``...`` matches any lines. A block ``text print(x)`` shows a
part of the output of this statement; ``…`` matches any text, and numbers may differ, as machines
do.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tilewright.tools.cli import main as tw
from tilewright.tools.opt import main as tw_opt

from .blocks import Block

COMMANDS: dict[str, Callable[[list[str]], int]] = {"tw": tw, "tw-opt": tw_opt}


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


def c_compiler() -> list[str]:
    """Return the command of a C compiler, or nothing on a machine without one."""
    if shutil.which("cc"):
        return ["cc"]
    has_zig = importlib.util.find_spec("ziglang") is not None
    return [sys.executable, "-m", "ziglang", "cc"] if has_zig else []


def needs_c_compiler(own: list[Block]) -> bool:
    """Return whether a command of a page compiles C."""
    shells = [block for block in own if block.language in ("sh", "console")]
    return any(command.startswith("cc ") for block in shells for command, _ in commands(block))


def run_command(words: list[str]) -> tuple[int, str] | None:
    """Return the exit code and the output of a command, or None if pages do not run it."""
    if words[0] in COMMANDS:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = COMMANDS[words[0]](words[1:])
        return code, out.getvalue() + err.getvalue()
    if words[0] != "cc" and not words[0].startswith("./"):
        return None
    program = [*c_compiler(), *words[1:]] if words[0] == "cc" else words
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def run_commands(block: Block) -> None:
    for command, shown in commands(block):
        words = shlex.split(command, comments=True)
        done = run_command(words)
        if done is None:
            continue
        code, printed = done
        is_error = shown.startswith("error:")
        assert (code != 0) == is_error, f"{block}: {command} exits with {code}\n{printed}"
        if shown:
            pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*")
            assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"{block}\n{printed}"


def commands(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a block, each with the output that the page shows."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        return [(line, "") for line in text.splitlines() if line.strip()]
    found = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not found[0].strip(), f"{block}: a console block starts with '$ '"
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in found[1:]]


def run_blocks(own: list[Block]) -> None:
    namespace: dict[str, object] = {"__name__": "page"}
    for block in own:
        if block.language == "python" and not block.name:
            run_python(block, namespace)
        elif block.language == "text" and block.name:
            check_print(block, namespace)
        elif block.language in ("sh", "console"):
            run_commands(block)
