"""``tw reduce``: shrink a failing model or program, and print a command that shows its failure."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from ...support.diagnostics import TilewrightError
from ...testing.fuzz.checks import FAILURES, CheckOutcome
from ...testing.fuzz.program import MODES
from ...testing.fuzz.targets import TARGETS
from ...testing.reduce.keeps import Checker, command_keeps, scratch_file
from ...testing.reduce.models import narrower_models, node_count, smaller_models
from ...testing.reduce.shrink import Candidate, shrink
from ...testing.reduce.texts import op_count, smaller_texts
from ..options import OutputFile, ProgramFile
from .help import ToolCommand

# The backspace keeps click from folding the lines of a paragraph.
HELP = """Make a failing model (.onnx) or module (.mlir) small.

\b
--keeps failure        it fails as it does now, with the same exception
--keeps wrong          an outcome of tw fuzz: plan-error, wrong, crash, …
--keeps 'COMMAND {}'   a command that succeeds: {} is the file

The result is written beside PROGRAM, or to --output.
"""


@click.command(
    cls=ToolCommand,
    help=HELP,
    examples=["tw reduce failing.onnx", "tw reduce failing.onnx --keeps wrong -o small.onnx"],
)
@click.argument("program", type=ProgramFile())
@click.option(
    "--keeps",
    default="failure",
    show_default=True,
    metavar="OUTCOME|COMMAND",
    help="What a smaller program must keep.",
)
@click.option("--mode", type=click.Choice(MODES), help="Default: plan, then run if that passes.")
@click.option(
    "--target", "targets", multiple=True, help="As of tw fuzz. Default: every class, in turn."
)
@click.option("-o", "--output", type=OutputFile())
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds a try.")
def reduce(
    program: Path,
    keeps: str,
    mode: str | None,
    targets: Sequence[str],
    output: Path | None,
    timeout_s: float,
) -> None:
    """Make a failing model or module small."""
    file = output or program.with_name(f"{program.stem}.reduced{program.suffix}")
    folder, scratch = scratch_file(program.suffix)
    with folder, Checker(timeout_s) as checker:
        shutil.copyfile(program, scratch)
        known = program.with_suffix(".npz")
        if known.exists():
            shutil.copyfile(known, scratch.with_suffix(".npz"))
        if keeps == "failure" or keeps in FAILURES:
            texts = [TARGETS.get(target, target) for target in targets]
            is_kept, replay = _outcome_keeps(checker, scratch, keeps, mode, texts)
        else:
            is_kept, replay = command_keeps(keeps, timeout_s), keeps
        _reduced(program, scratch, file, is_kept)
    click.echo(f"replay: {replay.replace('{}', str(file))}")


def _outcome_keeps(
    checker: Checker, scratch: Path, wanted: str, mode: str | None, targets: Sequence[str]
) -> tuple[Callable[[Path], bool], str]:
    """Return a test whether a program fails like the original, and a command that shows it.

    checker: runs programs in other processes.  scratch: a file with the original program.  wanted:
    the kind of outcome to preserve, or ``failure`` for any failure.  mode: the mode of ``tw fuzz``
    to check with; None tries all modes.  targets: the targets to check for.

    Errors: TilewrightError if the program does not have this outcome.
    """
    for each in (mode,) if mode else MODES:
        given = (targets or list(TARGETS.values())) if each == "plan" else ()
        first = checker.outcome(scratch, each, given)
        if first.kind == wanted or (wanted == "failure" and first.is_failure):
            click.echo(f"{first.kind}: {first.message.splitlines()[0]}")
            return _fails_alike(checker, first, each, [first.target] if first.target else given)
    raise TilewrightError(
        "the program does not fail", expected=wanted, hint="name --mode and --target of the failure"
    )


def _fails_alike(
    checker: Checker, first: CheckOutcome, mode: str, targets: Sequence[str]
) -> tuple[Callable[[Path], bool], str]:
    words = [f"tw fuzz --program {{}} --mode {mode}", *(f"--target '{t}'" for t in targets)]
    return lambda file: checker.outcome(file, mode, targets).has_cause_of(first), " ".join(words)


def _reduced(program: Path, scratch: Path, file: Path, is_kept: Callable[[Path], bool]) -> None:
    """Reduce a program, write the smallest one that still fails to ``file``, print both sizes.

    scratch: the file that receives each candidate.  is_kept: whether the program in a file fails.
    Errors: TilewrightError if the original program, which ``scratch`` holds, does not fail.
    """
    if not is_kept(scratch):
        raise TilewrightError(
            "the program does not have the property that --keeps names",
            expected="a program that fails as --keeps says",
            got=str(program),
            hint="check the value of --keeps on this program first",
        )
    is_model = program.suffix == ".onnx"
    rules = (smaller_models, narrower_models) if is_model else (_smaller_ir,)

    def keeps(data: bytes) -> bool:
        scratch.write_bytes(data)
        return is_kept(scratch)

    before = program.read_bytes()
    after = shrink(before, rules, keeps, file.write_bytes)
    file.write_bytes(after)
    first, last = (node_count(x) if is_model else op_count(x.decode()) for x in (before, after))
    unit = "nodes" if is_model else "ops"
    click.echo(f"{file}: {first} {unit} to {last}")


def _smaller_ir(data: bytes) -> list[Candidate[bytes]]:
    return [partial(_encoded, candidate) for candidate in smaller_texts(data.decode())]


def _encoded(candidate: Candidate[str]) -> bytes | None:
    text = candidate()
    return None if text is None else text.encode()
