"""A hundred thousand calls on random views: each is right or rejected, none is out of bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...sweeps import NIGHTLY
from .views import KERNELS

WORKER_FILE = Path(__file__).with_name("views.py")
CALLS = (100_000 if NIGHTLY else 10_000) // len(KERNELS)


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(KERNELS)), ids=[row[0] for row in KERNELS])
def test_random_views_are_right_or_refused(worker, index):
    ran, refused = worker.call(f"{WORKER_FILE}:check_views", index, CALLS, timeout_s=600)
    assert ran + refused == CALLS
    assert ran > CALLS // 10
    assert refused > CALLS // 20
