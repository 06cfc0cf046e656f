"""The dialects and passes of Tilewright as an xDSL plugin (entry-point group ``xdsl.universe``).

Every xDSL tool, such as `tw-opt` and `xdsl-opt`, finds the dialects and passes by name, and loads
each when it is first used.
"""

from __future__ import annotations

from xdsl.universe import Universe

from ..support.registry import DIALECTS, PASSES, dialect_factory, pass_factory

UNIVERSE = Universe(
    all_dialects={name: dialect_factory(entry) for name, entry in DIALECTS.items()},
    all_passes={name: pass_factory(entry) for name, entry in PASSES.items()},
)
