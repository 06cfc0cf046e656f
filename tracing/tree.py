"""Trees of values: dicts, lists and tuples, also named tuples; other values are leaves.

    leaves, structure = flatten({"w": w, "b": [b, c]})      [w, b, c]
    structure.build([1, 2, 3])                              {"w": 1, "b": [2, 3]}

None is a tree without leaves.  The items of a dict with strings as keys are sorted by their keys,
so that the order in which they were added does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..support.diagnostics import TypeMismatch


@dataclass(frozen=True)
class Structure:
    """The structure of a tree without the values of its leaves; it is hashable.

    kind: dict, list, tuple, a class of named tuples, None for the tree None, or object for a leaf.
    keys: the keys of a dict, the names of a named tuple, or the indices of a sequence.
    parts: the structures of the items.
    """

    kind: type | None
    keys: tuple[Any, ...] = ()
    parts: tuple[Structure, ...] = ()

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return 1 if self.kind is object else sum(part.leaf_count for part in self.parts)

    def build(self, leaves: Iterable[object]) -> Any:
        """Return a tree of this structure from its leaves, of which surplus ones are ignored."""
        return self._built(iter(leaves))

    def _built(self, leaves: Iterator[object]) -> Any:
        if self.kind is object:
            return next(leaves)
        if self.kind is None:
            return None
        items = [part._built(leaves) for part in self.parts]
        if self.kind is dict:
            return dict(zip(self.keys, items, strict=True))
        return self.kind(*items) if hasattr(self.kind, "_fields") else self.kind(items)

    def paths(self, name: str) -> list[str]:
        """Return the path of each leaf, such as ``params.w.0``.

        name: the first part of each path, such as ``params``.
        """
        if self.kind is object:
            return [name]
        named = zip(self.keys, self.parts, strict=True)
        return [path for key, part in named for path in part.paths(f"{name}.{key}")]


LEAF = Structure(object)
"""The structure of a leaf."""


def flatten(tree: object) -> tuple[list[Any], Structure]:
    """Return the leaves of a tree, from left to right, and its structure."""
    leaves: list[Any] = []
    return leaves, _structure(tree, leaves)


def _structure(tree: object, leaves: list[Any]) -> Structure:
    if tree is None:
        return Structure(None)
    if type(tree) is dict:
        items = cast("dict[Any, Any]", tree)
        if all(isinstance(key, str) for key in items):
            items = dict(sorted(items.items()))
        return Structure(dict, tuple(items), tuple(_structure(x, leaves) for x in items.values()))
    if type(tree) in (list, tuple) or (isinstance(tree, tuple) and hasattr(tree, "_fields")):
        parts = tuple(_structure(x, leaves) for x in cast("Sequence[Any]", tree))
        keys = getattr(tree, "_fields", range(len(parts)))
        return Structure(type(tree), tuple(keys), parts)
    leaves.append(tree)
    return LEAF


def map_trees(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """Apply a function to corresponding leaves of trees; return the tree of the results.

    Errors: TypeMismatch for trees of different structures.
    """
    leaves, structure = flatten(tree)
    columns = [leaves]
    for other in others:
        found, form = flatten(other)
        if form != structure:
            raise TypeMismatch(
                "the trees have different structures",
                expected=", ".join(structure.paths("tree")),
                got=", ".join(form.paths("tree")),
            )
        columns.append(found)
    return structure.build([function(*row) for row in zip(*columns, strict=True)])
