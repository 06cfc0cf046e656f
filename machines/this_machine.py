"""Features of the processor and sizes of the caches of this machine, read from the system."""

from __future__ import annotations

import platform
import re
from functools import cache
from pathlib import Path

from ..runtime.host import cpu_flags, request_tiles
from ..support.diagnostics import TargetError

LLVM_NAMES = {
    "sse4_1": "sse4.1", "sse4_2": "sse4.2", "pni": "sse3", "bmi1": "bmi", "abm": "lzcnt",
    "avx512_vnni": "avx512vnni", "avx512_bf16": "avx512bf16", "avx512_fp16": "avx512fp16",
    "avx512_vbmi2": "avx512vbmi2", "avx512_bitalg": "avx512bitalg",
    "avx512_vpopcntdq": "avx512vpopcntdq", "avx_vnni": "avxvnni", "amx_tile": "amx-tile",
    "amx_int8": "amx-int8", "amx_bf16": "amx-bf16",
}  # fmt: skip
"""LLVM's names of features by the names of Linux, where these differ."""


def is_supported_host() -> bool:
    """Return whether the compiler supports this machine as a target."""
    return platform.machine() in ("x86_64", "AMD64")


@cache
def host_has(flag: str) -> bool:
    """Return whether code may use a processor feature on this machine.

    flag: LLVM's name of the feature.  False on a machine that the compiler does not support.
    """
    return is_supported_host() and flag in host_flags()


def host_flags() -> set[str]:
    """Return the processor flags that code may use on this machine, by LLVM's names.

    AMX requires a permission of the kernel; without it, the flags of AMX are missing.
    Errors: TargetError if this machine is no target.
    """
    if not is_supported_host():
        raise TargetError(
            "this host is not supported yet", expected="x86_64", got=platform.machine()
        )
    flags = cpu_flags()
    if request_tiles(flags):
        flags = frozenset(flag for flag in flags if not flag.startswith("amx"))
    return {LLVM_NAMES.get(flag, flag) for flag in flags} or {"sse2"}


def processor_name() -> str:
    """Return the name of the processor, as the system reports it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()


def host_model() -> tuple[str, int, int]:
    """Return the vendor, family and model of this processor of x86-64; ("", 0, 0) without Linux."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return "", 0, 0
    names = "vendor_id", "cpu family", "model"
    found = [re.search(rf"^{name}\s*:\s*(\S+)$", text, re.MULTILINE) for name in names]
    vendor, family, model = (match[1] if match else "0" for match in found)
    return vendor, int(family), int(model)


def host_caches_kib(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> dict[str, int]:
    """Return the data cache sizes of the first core, by level: ``l1``, ``l2`` and ``l3``.

    folder: the folder of Linux that describes the caches; levels that it does not describe are
    missing.
    """
    out: dict[str, int] = {}
    for cache_folder in sorted(folder.glob("index*")):
        try:
            level, kind, size = (
                (cache_folder / name).read_text().strip() for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if kind != "Instruction" and level in "123" and size.endswith("K") and size[:-1].isdigit():
            out[f"l{level}"] = int(size[:-1])
    return out
