"""The parser of the options of tw-opt, with short help and errors of one line.

The error for an unknown option suggests a similar option: options of mlir-opt have counterparts
here, and passes are values of ``-p``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NoReturn

from ...runtime.spelling import nearest
from ..pass_choice import LEVEL_HELP, OPT_LEVELS, PASS_OPTIONS

_MLIR_OPTIONS = {
    # Options of mlir-opt, and the options of tw-opt with the same effect.
    "print-after-all": "--print-after all",
    "mlir-print-ir-after-all": "--print-after all",
    "mlir-print-ir-after-change": "--print-diff",
    "mlir-print-ir-after": "--print-after PASS",
    "mlir-print-op-generic": "--print-op-generic",
    "mlir-print-debuginfo": "--print-debuginfo",
    "mlir-print-ir-before": "--dump-ir DIR",
    "mlir-print-ir-before-all": "--dump-ir DIR",
    "mlir-print-ir-after-failure": "--dump-ir DIR",
    "mlir-print-ir-tree-dir": "--dump-ir DIR",
    "mlir-pass-statistics": "--time-passes",
    "mlir-pass-pipeline-crash-reproducer": "--dump-ir DIR",
    "mlir-very-unsafe-disable-verifier-on-parsing": "--disable-verify",
    "dump-pass-pipeline": "--print-pipeline",
    "emit-bytecode": "-o FILE.mlirbc",
    "debug-only": "--debug",
    "mlir-timing": "--time-passes",
    "pass-pipeline": "-p PASS,PASS",
    "verify-each": "--verify-strict",
}
_WITHOUT_COUNTERPART = {
    # Options of mlir-opt, and why they are not needed here.
    "mlir-disable-threading": "passes run in one thread",
    "mlir-print-ir-module-scope": "the whole module is always printed",
    "mlir-elide-elementsattrs-if-larger": "texts never contain weights",
    "mlir-elide-resource-strings-if-larger": "texts never contain weights",
    "show-dialects": "all dialects of this project and of xDSL are loaded",
}
_HELP = {
    # Options for which the help of xdsl-opt lists all names.
    "--passes": "passes, separated by commas; --list-passes lists them",
    "--target": "form of the output, such as mlir (default) or llvm",
}


class _JoinedPasses(argparse.Action):
    """The argparse action of -p, which joins the passes of several options -p to one text."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        parts = (getattr(namespace, self.dest), values)
        setattr(namespace, self.dest, ",".join(filter(None, parts)))


class OptParser(argparse.ArgumentParser):
    """The parser of the options of tw-opt.

    passes: the names of all passes, to explain options that name a pass, as in mlir-opt.
    """

    passes: Collection[str] = ()
    """The names of all passes."""

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        """Add an option; texts of this module replace the long help of some options of xdsl-opt."""
        for name in names:
            options["help"] = _HELP.get(name, options.get("help"))
        if "--passes" in names:
            options["action"] = _JoinedPasses
        return super().add_argument(*names, **options)

    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Iterable[str] | None = None, namespace: Any = None
    ) -> Any:
        """Return the options; an unknown option is an error."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(self._as_passes(unknown) or self._unknown(unknown[0]))
        return options

    def actions(self) -> list[argparse.Action]:
        """Return all options and arguments."""
        return self._actions

    def error(self, message: str) -> NoReturn:
        """Print an error of one line, and exit with code 2."""
        self.exit(2, f"{self.prog}: error: {message}\n")

    def _as_passes(self, unknown: Sequence[str]) -> str:
        """Return the error message for passes that are written as options, as in mlir-opt.

        Return "" if an option is not the name of a pass.
        """
        names = [argument.lstrip("-") for argument in unknown if argument.startswith("-")]
        if not names or any(name not in self.passes for name in names):
            return ""
        return f"unknown option {unknown[0]!r}: did you mean -p {','.join(names)}?"

    def _unknown(self, argument: str) -> str:
        """Return the error message for an argument that is not an option of tw-opt."""
        if not argument.startswith("-"):
            return f"unexpected argument {argument!r}: the input is one file"
        name = argument.partition("=")[0].lstrip("-")
        if name in _WITHOUT_COUNTERPART:
            return f"unknown option {argument!r}: leave it out; {_WITHOUT_COUNTERPART[name]}"
        own = {text.lstrip("-"): text for text in self._option_string_actions}
        passes = {text: f"-p {text}" for text in self.passes}
        known = {**passes, **own, **_MLIR_OPTIONS}
        near = [name] if name in known else nearest(name, known, 2, 0.65)
        meant = dict.fromkeys(known[each] for each in near)
        hint = f"did you mean {' or '.join(meant)}?" if meant else "--help lists the options"
        return f"unknown option {argument!r}: {hint}"


def add_pass_options(add: Callable[..., object]) -> None:
    """Add the options that choose the passes of --to.

    add: `add_argument` of a parser.
    """
    add("-O", dest="opt_level", choices=OPT_LEVELS, help=f"of --to: {LEVEL_HELP}")
    for name, form, text in PASS_OPTIONS:
        add(name, action="append", default=[], metavar=form, help=f"of --to: {text}")
