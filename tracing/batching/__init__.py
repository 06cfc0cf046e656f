"""Programs for a batch: graph ops on values that have a batch as first dimension.

walk.py      the walk over a block; ops without a rule are computed by their te definitions
rules.py     the rules of ops without regions
control.py   the rules of control flow, checkpoints and custom gradients
"""

from __future__ import annotations
