"""The sessions of an exported model with states: runtime/native/states.c and its table.

In: the manifest of an exported model. Out: the objects, constants and symbols that its library has
for sessions; all are empty for a model without states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...codegen.linker import Blob
from ...codegen.objects import part_objects
from ...machines.platforms import Platform, platform_of
from ...machines.target import Target
from ...runtime.abi.constants import SESSION_SYMBOLS
from ...runtime.call.model import StateRow
from ...runtime.call.states import StatePair, states_of_manifest
from ...support.cache import user_cache


@dataclass(frozen=True)
class SessionCode:
    """The part of a library that implements sessions: runs that share the states of the model.

    states: the model's states, in the order of the inputs.  platform: the system that runs main.
    """

    states: tuple[StatePair, ...]
    platform: Platform

    @staticmethod
    def of(manifest: Mapping[str, Any], triple: str = "") -> SessionCode:
        """Return the code of sessions for the states of an exported model.

        manifest: the manifest of the model.  triple: the triple of the system that runs main;
        empty: that of the target in the manifest.
        """
        platform = platform_of(triple) if triple else Target(manifest["target"]).main_platform
        return SessionCode(states_of_manifest(manifest["states"]), platform)

    @property
    def objects(self) -> Sequence[bytes]:
        """The objects to link with the objects of the model."""
        return part_objects(("states",), self.platform.triple, user_cache()) if self.states else ()

    @property
    def symbols(self) -> Sequence[str]:
        """The names that the objects export."""
        return SESSION_SYMBOLS if self.states else ()

    @property
    def blobs(self) -> Sequence[Blob]:
        """The constants from which the code of sessions reads the positions and sizes of the
        states.
        """
        if not self.states:
            return ()
        rows = b"".join(self.platform.pack("4iq", *StateRow.of(each)) for each in self.states)
        count = self.platform.pack("i", len(self.states))
        return (
            Blob("tw_states", rows, is_exported=False),
            Blob("tw_state_count", count, is_exported=False),
        )
