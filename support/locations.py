"""Locations of ops: the names of the model's nodes that an op computes.

A front end sets the location of each op to the name of its node. Fusion combines the locations of
the fused ops, so that kernels, their calls and their symbols can name all nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute


def name_location(name: str) -> LocationAttr:
    """Return the location that names a node or an initializer of the model."""
    return NameLoc(StringAttr(name), NoneAttr())


def fused_location(locations: Iterable[Attribute]) -> LocationAttr:
    """Return the location of an op that replaces several ops: all their names, once each."""
    names = dict.fromkeys(name for location in locations for name in node_names(location))
    found = tuple[Attribute, ...](map(name_location, names))
    if len(found) > 1:
        return FusedLoc(found, NoneAttr())
    return name_location(next(iter(names))) if names else UNKNOWN_LOC


def node_names(location: Attribute) -> tuple[str, ...]:
    """Return the names of the model's nodes in a location, in order."""
    return tuple(_names(location))


def _names(location: Attribute) -> Iterator[str]:
    if isinstance(location, NameLoc) and location.desc.data:
        yield location.desc.data
    if isinstance(location, FusedLoc):
        for each in cast("ArrayAttr[Attribute]", location.locations):
            yield from _names(each)
