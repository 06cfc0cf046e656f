"""Our dialects and passes as an xDSL plugin (entry-point group ``xdsl.universe``).

With it every xDSL tool, such as `tw-opt` and `xdsl-opt`, finds them by name; each is loaded when a
tool uses its name.
"""

from __future__ import annotations

from xdsl.universe import Universe

from ..support.registry import DIALECTS, PASSES, dialect_factory, pass_factory

UNIVERSE = Universe(
    all_dialects={name: dialect_factory(entry) for name, entry in DIALECTS.items()},
    all_passes={name: pass_factory(entry) for name, entry in PASSES.items()},
)
