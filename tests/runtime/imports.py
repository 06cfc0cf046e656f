"""The imports of a worker process that uses the runtime alone."""

from __future__ import annotations

import sys

import tilewright.runtime.module.module  # noqa: F401


def imported() -> list[str]:
    return sorted(sys.modules)
