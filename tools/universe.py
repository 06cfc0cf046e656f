"""Tilewright as an xDSL plugin (entry-point group ``xdsl.universe``): dialects, passes, outputs.

Every xDSL tool, such as `tw-opt` and `xdsl-opt`, finds these by name, and loads each when it is
first used.
"""

from __future__ import annotations

from typing import cast

from xdsl.universe import Universe
from xdsl.utils.target import Target

from ..support.lazy import load
from ..support.registry import DIALECTS, PASSES, dialect_factory, pass_factory


def _nested_output() -> type[Target]:
    return cast("type[Target]", load("tilewright.tools.opt.nested:NestedOutput"))


UNIVERSE = Universe(
    all_dialects={name: dialect_factory(entry) for name, entry in DIALECTS.items()},
    all_passes={name: pass_factory(entry) for name, entry in PASSES.items()},
    all_targets={"nested": _nested_output},
)
