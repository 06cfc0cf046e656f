"""The options of tw-opt as its users write them: short help, and errors of one line.

An unknown option is answered with the one that was probably meant: the words of mlir-opt have their
counterparts here, and passes are values of ``-p``.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable
from typing import Any, NoReturn

from ..runtime.spelling import nearest

_MLIR_OPTIONS = {
    # Options of mlir-opt, and what has their effect here.
    "print-after-all": "--print-after all",
    "mlir-print-ir-after-all": "--print-after all",
    "mlir-print-ir-after-change": "--print-after all",
    "mlir-print-ir-after": "--print-after PASS",
    "mlir-print-op-generic": "--print-op-generic",
    "mlir-print-debuginfo": "--print-debuginfo",
    "mlir-timing": "--time-passes",
    "pass-pipeline": "-p PASS,PASS",
    "verify-each": "--verify-strict",
}
_HELP = {
    # Texts of xdsl-opt that list all names.
    "--passes": "passes, separated by commas; --list-passes lists them",
    "--target": "form of the output, such as mlir (default) or llvm",
}


class OptParser(argparse.ArgumentParser):
    """The parser of the options of tw-opt."""

    passes: Collection[str] = ()
    """The names of all passes."""

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        """Add an option, with our help text if there is one."""
        for name in names:
            options["help"] = _HELP.get(name, options.get("help"))
        return super().add_argument(*names, **options)

    def parse_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Iterable[str] | None = None, namespace: Any = None
    ) -> Any:
        """Return the options; an unknown one is an error."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown[0]))
        return options

    def error(self, message: str) -> NoReturn:
        """Print one line, and exit with code 2."""
        self.exit(2, f"{self.prog}: error: {message}\n")

    def _unknown(self, argument: str) -> str:
        """Return the message for an argument that is no option."""
        if not argument.startswith("-"):
            return f"unexpected argument {argument!r}: the input is one file"
        name = argument.partition("=")[0].lstrip("-")
        own = {text.lstrip("-"): text for text in self._option_string_actions}
        passes = {text: f"-p {text}" for text in self.passes}
        known = {**passes, **own, **_MLIR_OPTIONS}
        near = [name] if name in known else nearest(name, known, 2, 0.65)
        meant = dict.fromkeys(known[each] for each in near)
        hint = f"did you mean {' or '.join(meant)}?" if meant else "--help lists the options"
        return f"unknown option {argument!r}: {hint}"
