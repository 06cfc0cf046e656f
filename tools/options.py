"""Arguments and options that several commands share, and the requests that contain their values."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from ..driver.given import DEFAULT_PLAN
from ..frontend.formats import contents_of, recognize
from ..machines.target_text import target_names
from ..runtime.host import MAX_THREADS
from ..support.config import read_config
from ..support.precision import Precision
from .arguments import (
    STANDARD_OUTPUT,
    dash_problem,
    output_problem,
    parse_counts,
    parse_named,
    parse_shapes,
    parse_states,
    parse_values,
)
from .commands.help import SectionOption
from .pass_choice import LEVEL_HELP, OPT_LEVELS, PASS_OPTIONS, pass_context

Command: TypeAlias = Callable[..., None]
LOGGER = "tilewright"
THREADS = click.IntRange(min=1, max=MAX_THREADS)
"""The parameter type of a number of threads."""


@dataclass(frozen=True)
class CommandRequest:
    """The values of the options that most commands share, such as the model and the target.

    target: the target string; None is this machine.  precision: the value of --precision.  shapes:
    the shape of each input, or the value or new name of a symbolic size, by name.  values: the
    values of inputs that become constants, by name of the input.  threads: the number of threads;
    None is the default.  cache: whether to keep machine code on disk.  plan: the source of
    schedules: a file, a folder, or records.  strict_plan: whether it is an error if a kernel cannot
    be planned.  unchecked_indices: whether to leave out the checks of indices at run time.  state:
    for inputs that are states, the output that becomes the input of the next call.  capacity: the
    largest value of each growing size, by name of the size.
    """

    model: Path
    target: str | None
    precision: str
    shapes: Mapping[str, Sequence[int] | str]
    values: Mapping[str, Sequence[float]]
    threads: int | None
    cache: bool
    plan: str
    strict_plan: bool
    unchecked_indices: bool
    state: Mapping[str, str] = field(default_factory=dict[str, str])
    capacity: Mapping[str, int] = field(default_factory=dict[str, int])


_OPTION_NAMES: Mapping[str, str] = {
    "plan": "--plan", "state": "--state", "capacity": "--capacity", "strict_plan": "--strict-plan",
    "unchecked_indices": "--unchecked-indices",
}  # fmt: skip
"""The options that some commands have no use for, by the field of `CommandRequest`."""


def refuse_options(request: CommandRequest, why: str) -> None:
    """Raise a UsageError if a request sets an option that a command would otherwise ignore.

    why: the reason for which the command has no use for any of `_OPTION_NAMES`.
    """
    unset = {"plan": DEFAULT_PLAN}
    for name, option in _OPTION_NAMES.items():
        if getattr(request, name) and getattr(request, name) != unset.get(name):
            raise click.UsageError(f"{option} has no effect here: {why}")


@dataclass(frozen=True)
class Feed:
    """The inputs of a run.

    files: the file of an input, by the name of the input.  seed: the seed of the random values of
    all other inputs.
    """

    files: Mapping[str, str]
    seed: int


class TargetText(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]
    """The click parameter type of a target: a name or a string that `Target` can parse."""

    name = "target"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return as completions the names of processors and targets that start with the word."""
        names = target_names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def holds_ir(path: Path) -> bool:
    """Return whether a file contains IR of any level, as text or bytecode."""
    is_ir = path.suffix in (".mlir", ".mlirbc")
    return is_ir and recognize(contents_of(path, None)) is None


def refuse_ir(path: Path) -> None:
    """Raise a UsageError if a file contains IR, for commands that need a model."""
    if holds_ir(path):
        raise click.UsageError(
            f"{str(path)!r} holds IR, and this command takes models.\n"
            "    hint: tw compile, run, bench and profile take IR; so does tw-opt"
        )


INPUT_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""The parameter type of a file to read."""


class CheckedPath(click.Path):
    """The click parameter type of a path that subclasses check."""

    def problem(self, path: Path) -> str:
        """Return the reason why the path is not accepted, or "" if it is accepted."""
        return ""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; fail if it has a problem."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if problem := self.problem(path):
            self.fail(problem, param, ctx)
        return path


class ModelFile(CheckedPath):
    """The click parameter type of a model: a file or folder of any format, or IR of any level."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)


class ProgramFile(CheckedPath):
    """The click parameter type of a program to read: ONNX by its suffix, else the text of IR."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def problem(self, path: Path) -> str:
        """Return the reason why the file contains no program, or "" if it contains one."""
        try:
            if path.suffix != ".onnx":
                path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return f"{str(path)!r} is neither a model (.onnx) nor the text of IR."
        return ""


class WrittenPath(CheckedPath):
    """The click parameter type of a file or folder to write; ``-`` is an error."""

    def problem(self, path: Path) -> str:
        """Return the reason why the path cannot be written, or "" if it can be written."""
        return dash_problem(str(path))


class OutputFile(WrittenPath):
    """The click parameter type of a file to write, which is checked before any work.

    suffix: the required suffix of the file, with its dot; empty: any suffix.
    """

    def __init__(self, suffix: str = "") -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self._suffix = suffix

    def problem(self, path: Path) -> str:
        """Return the reason why the file cannot be written, or "" if it can be written."""
        if problem := super().problem(path) or output_problem(path):
            return problem
        if self._suffix and path.suffix != self._suffix:
            return f"File {str(path)!r} needs the suffix {self._suffix}."
        return ""


class TextOutput(OutputFile):
    """The click parameter type of a file to write, or of ``-``, standard output."""

    def problem(self, path: Path) -> str:
        """Return the reason why the file cannot be written, or "" if it can, as for ``-``."""
        return "" if path == STANDARD_OUTPUT else super().problem(path)


class _ToolHandler(logging.Handler):
    """A log handler that writes to the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(self.format(record), err=True)


def configure_logging(verbosity: int) -> None:
    """Show the log messages of the library on standard error.

    verbosity: the number of options -v: 1 shows stages, 2 also passes, 0 the level of
    TILEWRIGHT_LOG.
    """
    level = read_config().log_level
    if verbosity:
        level = min(level, logging.INFO if verbosity == 1 else logging.DEBUG)
    logger = logging.getLogger(LOGGER)
    for handler in [h for h in logger.handlers if isinstance(h, _ToolHandler)]:
        logger.removeHandler(handler)
    handler = _ToolHandler()
    handler.setFormatter(logging.Formatter("%(levelname).1s %(name)s: %(message)s"))
    handler.setLevel(level)
    logger.addHandler(handler)
    logger.setLevel(level)


def is_verbose() -> bool:
    """Return whether the log shows messages of the level INFO."""
    return logging.getLogger(LOGGER).isEnabledFor(logging.INFO)


def _more_verbose(ctx: click.Context, param: click.Parameter, count: int) -> None:
    if count:
        configure_logging(count)


verbose_option = click.option(
    "-v",
    "--verbose",
    count=True,
    expose_value=False,
    callback=_more_verbose,
    help="Log stages; -vv also passes.",
)


_compiler_option = functools.partial(
    click.option, cls=SectionOption, section="Options of the compiler"
)
_input_option = functools.partial(click.option, cls=SectionOption, section="Inputs")


_UNCHANGED = ("precision", "cache", "plan", "strict_plan", "unchecked_indices")
"""The options whose values a `CommandRequest` has as they are."""


def model_options(command: Command) -> Command:
    """Add to a command the MODEL argument and the options of the compiler.

    The command is called with a `CommandRequest` as its first argument.
    """
    parameters = [
        click.argument("model", type=ModelFile()),
        _compiler_option(
            "--target", type=TargetText(), help="Target or CPU; default: this machine."
        ),
        _compiler_option(
            "--precision",
            type=click.Choice([str(p) for p in Precision]),
            default=str(Precision.DEFAULT),
            metavar="MODE",
            help="default, strict, bf16, bf16-forced or tf32.",
        ),
        _input_option("--shapes", multiple=True, metavar="x=1x3x224x224", help="Bind sizes."),
        _input_option("--values", multiple=True, metavar="x=1,2,3", help="Make inputs constants."),
        _input_option(
            "--state",
            multiple=True,
            metavar="INPUT=OUTPUT",
            help="OUTPUT is INPUT of the next call.",
        ),
        _input_option(
            "--capacity", multiple=True, metavar="SIZE=COUNT", help="Limit of a size that grows."
        ),
        _compiler_option("--threads", type=THREADS, help="Default: all cores."),
        _compiler_option(
            "--plan",
            default=DEFAULT_PLAN,
            metavar="PATH",
            help="Path of schedules or records; starter.",
        ),
        _compiler_option("--strict-plan", is_flag=True, help="Refuse what cannot be planned."),
        _compiler_option(
            "--unchecked-indices", is_flag=True, help="Leave out the checks of indices at run time."
        ),
        _compiler_option("-O", "opt_level", type=click.Choice(OPT_LEVELS), help=LEVEL_HELP),
        *(
            _compiler_option(name, multiple=True, metavar=form, help=text)
            for name, form, text in PASS_OPTIONS
        ),
        _compiler_option("--cache/--no-cache", default=True, help="Keep machine code on disk."),
        verbose_option,
    ]

    @functools.wraps(command)
    def wrapped(*, model: Path, target: str | None, threads: int | None, **rest: Any) -> None:
        request = CommandRequest(
            model=model,
            target=target,
            threads=threads,
            shapes=parse_shapes(rest.pop("shapes")),
            values=parse_values(rest.pop("values")),
            state=parse_states(rest.pop("state")),
            capacity=parse_counts(rest.pop("capacity")),
            **{name: rest.pop(name) for name in _UNCHANGED},
        )
        chosen = [rest.pop(f) for f in ("opt_level", "disable_pass", "require_pass", "config")]
        with pass_context(*chosen):
            command(request, **rest)

    return with_options(wrapped, parameters)


def input_options(command: Command) -> Command:
    """Add --input and --seed to a command, which gets a `Feed` as the argument ``feed``."""
    parameters = [
        _input_option(
            "--input", "files", multiple=True, metavar="[x=]FILE", help="A .npy or .npz file."
        ),
        _input_option(
            "--seed",
            default=0,
            show_default=True,
            help="Seed of inputs; integers: 0, 1.",
        ),
    ]

    @functools.wraps(command)
    def wrapped(*args: Any, files: Sequence[str], seed: int, **rest: Any) -> None:
        command(*args, feed=Feed(parse_named(files), seed), **rest)

    return with_options(wrapped, parameters)


def with_options(command: Command, parameters: Sequence[Callable[[Command], Command]]) -> Command:
    """Return a command with more options; its help lists them in this order.

    parameters: decorators of click, each of which adds one option.
    """
    return functools.reduce(lambda wrapped, add: add(wrapped), reversed(parameters), command)
