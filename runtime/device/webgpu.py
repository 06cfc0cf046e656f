"""WebGPU by the package wgpu: adapters, and the parameters of kernels in WGSL source.

The package finds adapters of any driver of Vulkan, Metal or Direct3D, which webgpu_devices.py
opens. WebGPU does not report the parameters of a kernel, so this module reads them from the source:
they are the buffers that the source declares between the previous kernel and this kernel. Without
such buffers, the kernel has the parameters of the previous kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ATTRIBUTES = r"((?:@\w+(?:\([^)]*\))?\s*)*)"
_ITEM = re.compile(
    rf"struct\s+(?P<struct>\w+)\s*\{{(?P<fields>[^}}]*)\}}"
    rf"|{_ATTRIBUTES}var<(?P<space>storage|uniform)(?:\s*,\s*(?P<access>\w+))?\s*>"
    r"\s*\w+\s*:\s*(?P<type>\w+)"
    rf"|{_ATTRIBUTES}fn\s+(?P<function>\w+)\s*\((?P<parameters>[^{{]*)"
)
_FIELD = re.compile(r"\w+\s*:\s*(\w+)")
_BLOCK = re.compile(r"@workgroup_size\(([^)]*?),?\s*\)")
_BACKENDS = ("Vulkan", "Metal", "D3D12")
_RANK = {"DiscreteGPU": 0, "IntegratedGPU": 1}


@dataclass(frozen=True)
class WgslKernel:
    """A kernel of a WGSL source.

    buffers: the binding type of each buffer.  numbers: the types of the fields of the uniform
    structure.  block: the threads per block along x, y and z; empty if the source uses names for
    these sizes.  folds: whether the kernel reads the number of blocks, so that a grid along x may
    be distributed over two dimensions.
    """

    buffers: tuple[str, ...]
    numbers: tuple[str, ...]
    block: tuple[int, ...]
    folds: bool


def entries_of(source: str) -> Mapping[str, WgslKernel]:
    """Return the kernels of a WGSL source by name."""
    structs: dict[str, tuple[str, ...]] = {}
    found: dict[str, WgslKernel] = {}
    buffers, numbers, is_new = list[str](), tuple[str, ...](), True
    for item in _ITEM.finditer(_COMMENT.sub("", source)):
        if item["struct"]:
            structs[item["struct"]] = tuple(_FIELD.findall(item["fields"]))
        elif item["space"]:
            if is_new:
                buffers, numbers, is_new = [], (), False
            if item["space"] == "uniform":
                numbers = structs.get(item["type"], (item["type"],))
            else:
                is_written = item["access"] == "read_write"
                buffers.append("storage" if is_written else "read-only-storage")
        elif "@compute" in item[0]:
            folds = "num_workgroups" in item["parameters"]
            entry = WgslKernel(tuple(buffers), numbers, _block_of(item[0]), folds)
            found[item["function"]], is_new = entry, True
    return found


def _block_of(head: str) -> tuple[int, ...]:
    found = _BLOCK.search(head)
    words = [word.strip().rstrip("u") for word in found[1].split(",")] if found else []
    sizes = [int(word) for word in words if word.isdigit()]
    return (*sizes, 1, 1)[:3] if words and len(sizes) == len(words) else ()


def has_package() -> bool:
    """Return whether the package wgpu is installed."""
    return find_spec("wgpu") is not None


@cache
def adapters() -> Sequence[Any]:
    """Return the adapters of all drivers: GPUs first, processors last."""
    if not has_package():
        return ()
    return sorted(_adapters(), key=lambda adapter: _RANK.get(adapter.info["adapter_type"], 2))


def _adapters() -> Iterator[Any]:
    try:
        found = import_module("wgpu").gpu.enumerate_adapters_sync()
    except (ImportError, OSError, RuntimeError):
        return
    yield from (adapter for adapter in found if adapter.info["backend_type"] in _BACKENDS)
