"""Machine code of CUDA kernels: assemble PTX, disassemble it, and count the main loop."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tilewright.codegen.ptx import find_ptxas

_LABEL = re.compile(r"\s*(\.L_x_\d+):")
_INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)(.*)")
_TARGET = re.compile(r"BRA.*`\((\.L_x_\d+)\)")


@dataclass(frozen=True)
class Loop:
    """The instructions of a loop by mnemonic."""

    counts: Counter[str]

    def per(self, mnemonic: str) -> float:
        """Return how many instructions there are per instruction of a mnemonic."""
        return sum(self.counts.values()) / self.counts[mnemonic]


def find_disassembler() -> str | None:
    """Return the path of nvdisasm: of CUDA, of its wheel or of Triton; None without one."""
    for package in ("nvidia", "triton"):
        found = find_spec(package)
        for folder in list(found.submodule_search_locations or ()) if found else []:
            for path in Path(folder).rglob("nvdisasm"):
                return str(path)
    return shutil.which("nvdisasm")


def disassembled(ptx: str, architecture: str, folder: Path) -> str:
    """Return the machine code of PTX as text; skip the test without CUDA's tools."""
    ptxas, nvdisasm = find_ptxas(), find_disassembler()
    if ptxas is None or nvdisasm is None:
        pytest.skip("no ptxas and nvdisasm: pip install tilewright[cuda] nvidia-cuda-nvdisasm")
    source, binary = folder / "kernels.ptx", folder / "kernels.cubin"
    source.write_text(ptx)
    subprocess.run([ptxas, f"-arch={architecture}", str(source), "-o", str(binary)], check=True)
    text = subprocess.run([nvdisasm, "-c", str(binary)], check=True, capture_output=True, text=True)
    return text.stdout


def main_loop(text: str, mnemonic: str) -> Loop:
    """Return the loop that has the most instructions of a mnemonic, of those without inner loops.

    The whole kernel if the assembler unrolled the loop.

    text: the machine code of a kernel.
    """
    labels: dict[str, int] = {}
    names: list[str] = []
    loops: list[Loop] = []
    for line in text.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(names)
        if found := _INSTRUCTION.search(line):
            names.append(found[1])
            target = _TARGET.search(line)
            if target and target[1] in labels:
                loops.append(Loop(Counter(names[labels[target[1]] :])))
    with_mnemonic = [loop for loop in loops if loop.counts[mnemonic]]
    if not with_mnemonic:
        return Loop(Counter(names))
    return max(with_mnemonic, key=lambda loop: loop.counts[mnemonic])


__all__ = ["Loop", "disassembled", "find_disassembler", "main_loop"]
