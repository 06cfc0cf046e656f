"""The backends of this package, of extensions and of installed packages, by kind of target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, cast

from ..machines.target import Target, TargetText, chosen_target, is_known_kind
from ..support.diagnostics import TargetError
from ..support.lazy import load
from ..targets.backend import Backend

if TYPE_CHECKING:
    from .extension import Extension

BACKENDS: Mapping[str, str] = {
    "llvm": "tilewright.targets.cpu.backend:CPU",
    "interpreter": "tilewright.targets.interpreter.backend:INTERPRETER",
    "c": "tilewright.targets.c.backend:C",
    "hls": "tilewright.targets.c.backend:HLS",
    "opencl": "tilewright.targets.gpu.backend:OPENCL",
    "metal": "tilewright.targets.gpu.backend:METAL",
    "cuda": "tilewright.targets.gpu.backend:CUDA",
    "rocm": "tilewright.targets.gpu.backend:ROCM",
    "vulkan": "tilewright.targets.gpu.backend:VULKAN",
    "webgpu": "tilewright.targets.gpu.backend:WEBGPU",
}
"""The module and the object name of each backend of this package, by kind of target.

A backend is imported on first use.
"""
_BY_FORMAT: Mapping[str, str] = {
    "coff": "tilewright.targets.cpu.other_system:OTHER_SYSTEM",
    "elf32": "tilewright.targets.cpu.other_system:OTHER_SYSTEM",
    "macho": "tilewright.targets.cpu.other_system:OTHER_SYSTEM",
    "wasm": "tilewright.targets.cpu.web:WEB",
}
"""The backends of CPU targets that use another object format than 64-bit ELF, by object format."""


_GROUP = "tilewright.backends"
"""The Python entry-point group of backends; an entry point is named after its kind of target."""


def backend_of(target: Target, extensions: Sequence[Extension] = ()) -> Backend:
    """Return the backend of a target.

    Errors: TargetError if no package and no extension has a backend for its kind.
    """
    for backend in _added(extensions):
        if backend.kind == target.kind:
            return backend
    if target.kind not in BACKENDS and (found := _installed(target.kind)) is not None:
        return found
    if target.kind not in BACKENDS:
        raise TargetError(
            "there is no backend for the target",
            expected=f"one of {', '.join((*(b.kind for b in _added(extensions)), *BACKENDS))}",
            got=str(target),
            hint=f"a package adds a backend by extensions=[…] or an entry point of {_GROUP}",
        )
    object_format = "" if target.platform is None else target.platform.object_format
    return cast(Backend, load(_BY_FORMAT.get(object_format, BACKENDS[target.kind])))


@cache
def _installed(kind: str) -> Backend | None:
    """Return the backend that an installed package declares for a kind of targets, or None.

    Errors: TargetError for an entry point that is no backend.
    """
    from ..support.installed import find_installed  # imports xdsl

    found = find_installed(_GROUP, kind)
    made = found() if isinstance(found, type) else found
    if made is not None and not (isinstance(made, Backend) and made.kind == kind):
        raise TargetError(
            "an entry point is no backend of its kind",
            expected="a subclass or an instance of tilewright.targets.backend.Backend",
            got=repr(found),
            where=f"entry point {kind} of {_GROUP}",
        )
    return made


def text_kinds() -> tuple[str, ...]:
    """Return the kinds of text that `Module.get_source` prints for the backends of this package.

    The levels (``graph``, ``te``, …) come first, then the listings (``ll``, ``asm``, …).
    """
    backends = [cast(Backend, load(entry)) for entry in BACKENDS.values()]
    levels = dict.fromkeys(kind for backend in backends for kind in backend.levels)
    return tuple({**levels, **dict.fromkeys(k for b in backends for k in b.listings)})


def _added(extensions: Sequence[Extension]) -> list[Backend]:
    return [backend for extension in extensions for backend in extension.backends]


def target_of(target: TargetText | Target | None, extensions: Sequence[Extension] = ()) -> Target:
    """Parse the text of a target; for None, return the target of this machine.

    extensions: their backends parse the texts of their own kinds of targets.

    Errors: TargetError for a text that names no target.
    """
    if isinstance(target, str):
        words = target.split()
        for backend in _added(extensions):
            if words[:1] == [backend.kind]:
                return backend.parse(target)
        if words and not is_known_kind(words[0]) and (found := _installed(words[0])) is not None:
            return found.parse(target)
    return chosen_target(target)
