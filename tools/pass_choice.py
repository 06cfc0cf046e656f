"""The options of `tw` and `tw-opt` that choose passes, as a PassContext."""

from __future__ import annotations

from collections.abc import Iterable

from ..driver.passes.pass_context import LEVELS, PassContext
from ..support.diagnostics import TilewrightError

OPT_LEVELS = [str(level) for level in LEVELS]
LEVEL_HELP = "Optimization level, 0 to 3; default: 3."
CONFIG_FORM = "PASS.OPTION=VALUE"
PASS_OPTIONS = (
    ("--disable-pass", "PASS", "A pass that does not run."),
    ("--require-pass", "PASS", "A pass that runs at every level."),
    ("--config", CONFIG_FORM, "An option of a pass."),
)
"""The name, the form of the value and the help of options that may be repeated."""


def pass_context(
    level: str | None, disabled: Iterable[str], required: Iterable[str], config: Iterable[str]
) -> PassContext:
    """Return the PassContext for the options -O, --disable-pass, --require-pass and --config.

    level: one of `OPT_LEVELS`; None: the highest level.  disabled, required: texts of names of
    passes, separated by commas.  config: texts such as ``te-outline.budget_bytes=65536``.
    Errors: TilewrightError for a malformed option.
    """
    return PassContext(
        opt_level=LEVELS[-1] if level is None else int(level),
        disabled_pass=[name for text in disabled for name in text.split(",")],
        required_pass=[name for text in required for name in text.split(",")],
        config=dict(map(_entry, config)),
    )


def _entry(text: str) -> tuple[str, object]:
    """Split an argument of --config into the name of the option and its value."""
    key, found, value = text.partition("=")
    if not found or not key:
        raise TilewrightError(
            "malformed argument", expected=CONFIG_FORM, got=text, where="--config"
        )
    words: dict[str, object] = {"true": True, "false": False}
    is_count = value.removeprefix("-").isascii() and value.removeprefix("-").isdecimal()
    return key, int(value) if is_count else words.get(value.lower(), value)


__all__ = ["LEVEL_HELP", "OPT_LEVELS", "PASS_OPTIONS", "PassContext", "pass_context"]
