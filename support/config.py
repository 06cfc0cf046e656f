"""Settings of the compiler from environment variables; no other file of the compiler reads them.

TILEWRIGHT_CACHE_DIR    folder of compiled artefacts (default $XDG_CACHE_HOME/tilewright,
                        then ~/.cache/tilewright)
TILEWRIGHT_CACHE_BYTES  its size limit: a number, optionally with K, M, G or T (default 4G)
TILEWRIGHT_LOG          lowest level logged: debug, info, warning (default), error
_TW_OPT_COMPLETE        set by the completion script of a shell when it calls tw-opt
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .diagnostics import TilewrightError

LOG_LEVELS: Mapping[str, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


OPT_COMPLETION = "_TW_OPT_COMPLETE"
"""The variable that the completion script of tw-opt sets."""

DEFAULT_CACHE_BYTES = 4 << 30
_UNITS: Mapping[str, int] = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class ProcessConfig:
    """The settings of one process, from its environment variables.

    cache_dir: the folder of compiled artefacts.  log_level: the lowest level logged.
    cache_limit_bytes: the size limit of the folder.
    """

    cache_dir: Path
    log_level: int
    cache_limit_bytes: int


def read_config(environ: Mapping[str, str] | None = None) -> ProcessConfig:
    """Return the settings in an environment, by default the environment of this process.

    Errors: TilewrightError for an unknown log level, a malformed size, or a cache folder in an
    unknown home folder.
    """
    env = os.environ if environ is None else environ
    return ProcessConfig(
        cache_dir=_cache_dir(env),
        log_level=_log_level(env),
        cache_limit_bytes=_cache_limit_bytes(env),
    )


def opt_completion() -> str:
    """Return the request of a shell's completion script to tw-opt, from the environment.

    Return "" if a user started tw-opt.
    """
    return os.environ.get(OPT_COMPLETION, "")


def _cache_dir(env: Mapping[str, str]) -> Path:
    own = env.get("TILEWRIGHT_CACHE_DIR")
    # Relative XDG paths are ignored (XDG base directory specification).
    shared = Path(env.get("XDG_CACHE_HOME", ""))
    try:
        if own:
            return Path(own).expanduser()
        return (shared if shared.is_absolute() else Path.home() / ".cache") / "tilewright"
    except RuntimeError as err:  # unknown home folder
        raise TilewrightError(
            "no folder for the cache",
            got=str(err),
            hint="set TILEWRIGHT_CACHE_DIR to a folder that you can write to",
        ) from err


def _cache_limit_bytes(env: Mapping[str, str]) -> int:
    text = env.get("TILEWRIGHT_CACHE_BYTES", "")
    if not text:
        return DEFAULT_CACHE_BYTES
    match = re.fullmatch(r"(\d+)([KMGT]?)", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise TilewrightError(
            "malformed size",
            expected="a number of bytes, such as 500000000, 500M or 2G",
            got=text,
            where="$TILEWRIGHT_CACHE_BYTES",
        )
    return int(match[1]) * _UNITS[match[2].upper()]


def _log_level(env: Mapping[str, str]) -> int:
    name = env.get("TILEWRIGHT_LOG", "") or "warning"
    if name.lower() not in LOG_LEVELS:
        raise TilewrightError(
            "unknown log level", expected=", ".join(LOG_LEVELS), got=name, where="$TILEWRIGHT_LOG"
        )
    return LOG_LEVELS[name.lower()]
