"""The weight files of exports in tests, whose names contain a digest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tilewright.runtime.module.exported_files import named_weights_file


def weights_of(library: Path) -> Path:
    """Return the weight file that an export needs."""
    return library.with_name(named_weights_file(library))


def plain_names(names: Iterable[str]) -> list[str]:
    """Return names of files without the digests of weights: ``m.so.*.safetensors``."""
    return [re.sub(r"\.[0-9a-f]{16}\.safetensors$", ".*.safetensors", name) for name in names]
