"""Exported files with a changed byte, which loading with ``verify=True`` must refuse."""

from __future__ import annotations

import random
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from ..driver.module.compiled_module import CompiledModule
from ..runtime.abi.library import LoadError
from ..runtime.module.exported import load_module


def accepted_damage(module: CompiledModule, count: int) -> str:
    """Export a module as an archive, and change ``count`` bytes of its members, one at a time.

    Return the first changed byte with which the archive is loaded; "" if all are refused.
    """
    rng = random.Random(0)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "module.tar"
        module.export_library(path)
        with tarfile.open(path) as archive:
            members = [member for member in archive.getmembers() if member.size]
        data = path.read_bytes()
        for member in members:
            for _ in range(count // len(members) + 1):
                at = member.offset_data + rng.randrange(member.size)
                path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
                try:
                    load_module(path, verify=True)
                except LoadError:
                    continue
                return f"an archive was loaded whose member {member.name} has another byte"
    return ""
