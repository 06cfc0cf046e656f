"""Machine code of CUDA kernels: assemble PTX, disassemble it, and count the main loop."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

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


@cache
def find_tools() -> tuple[str, str] | None:
    """Return the paths of ptxas and nvdisasm; None if one is missing."""
    ptxas, nvdisasm = find_ptxas(), _find_disassembler()
    return (str(ptxas), nvdisasm) if ptxas and nvdisasm else None


def _find_disassembler() -> str | None:
    """Return the path of nvdisasm: of CUDA, of its wheel or of Triton; None without one."""
    for package in ("nvidia", "triton"):
        found = find_spec(package)
        for folder in list(found.submodule_search_locations or ()) if found else []:
            for path in Path(folder).rglob("nvdisasm"):
                return str(path)
    return shutil.which("nvdisasm")


def disassembled(ptx: str, architecture: str, folder: Path) -> str:
    """Return the machine code of PTX as text, which CUDA's tools make."""
    tools = find_tools()
    assert tools is not None, "the file's tests are skipped without CUDA's tools"
    ptxas, nvdisasm = tools
    source, binary = folder / "kernels.ptx", folder / "kernels.cubin"
    source.write_text(ptx)
    subprocess.run([ptxas, f"-arch={architecture}", str(source), "-o", str(binary)], check=True)
    text = subprocess.run([nvdisasm, "-c", str(binary)], check=True, capture_output=True, text=True)
    return text.stdout


def instructions(text: str) -> list[str]:
    """Return the instructions of machine code with their suffixes, without NOP."""
    found = (_INSTRUCTION.search(line) for line in text.splitlines())
    names = [each[1] + each[2].split(" ")[0].rstrip(";") for each in found if each]
    return [name for name in names if name != "NOP"]


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


def loops_of(text: str) -> tuple[Counter[str], list[Loop]]:
    """Return all instructions of a kernel by mnemonic, and the loops without inner loops.

    Instructions that no thread executes are left out, and so is the code after the end of the
    kernel: divisions and roots of special numbers.
    """
    labels: dict[str, int] = {}
    names: list[str] = []
    ends: list[tuple[int, int]] = []
    for line in text.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(names)
        found = _INSTRUCTION.search(line)
        if found is None or "@!PT" in line or found[1] == "NOP":
            continue
        names.append(found[1])
        if found[1] == "EXIT" and "@" not in line:
            break
        target = _TARGET.search(line)
        if target and labels.get(target[1], len(names)) < len(names) - 1:
            ends.append((labels[target[1]], len(names)))
    inner = [
        (a, b) for a, b in ends if not any(a <= c and d <= b and (a, b) != (c, d) for c, d in ends)
    ]
    return Counter(names), [Loop(Counter(names[a:b])) for a, b in inner]


__all__ = ["Loop", "disassembled", "find_tools", "instructions", "loops_of", "main_loop"]
