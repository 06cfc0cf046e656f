"""What `tw doctor` looks at: versions, this machine, the cache folder, optional peers."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version

from ..support.config import read_config
from ..support.target import Target

# Not needed to compile; used when installed.
OPTIONAL = ("onnxruntime", "torch")


@dataclass(frozen=True)
class Check:
    """One row of the report."""

    name: str
    result: str
    ok: bool = True


def examine() -> list[Check]:
    """Return what was found, problems marked."""
    return [
        Check("python", f"{platform.python_version()} on {platform.platform()}"),
        Check("cores", str(len(os.sched_getaffinity(0)))),
        Check("target", str(Target.host())),
        *_requirements(),
        *(Check(name, _version(name) or "not installed (optional)") for name in OPTIONAL),
        _cache(),
    ]


def _requirements() -> Iterator[Check]:
    for text in requires("tilewright") or ():
        if "extra ==" in text:
            continue
        match = re.match(r"[\w.-]+", text)
        assert match is not None, text
        name = match.group()
        found = _version(name)
        exact = re.fullmatch(r"==([\d.]+)", text[len(name) :].strip())
        fits = found is not None and (exact is None or found == exact.group(1))
        yield Check(name, f"{found or 'missing'} (wanted: {text})", fits)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _cache() -> Check:
    folder = read_config().cache_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as err:
        return Check("cache", f"{folder}: {err}", ok=False)
    size_bytes = sum(path.stat().st_size for path in folder.glob("*.bin"))
    return Check("cache", f"{folder} ({size_bytes / 1e6:.1f} MB)")
