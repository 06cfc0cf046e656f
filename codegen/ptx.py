"""Compile LLVM IR to PTX, and read the resource usage of kernels from CUDA's assembler.

    ptx = emit_ptx(text, "sm_80")
    assemble(ptx, "sm_80")["tw_k0"].registers

`ptxas` comes with CUDA, or with `pip install tilewright[cuda]`. Source: the output of its option
``-v``.
"""

from __future__ import annotations

import re
import shutil

from .external_tool import find_packaged, run_tool
from .isolated import compile_isolated
from .llvm import CodegenError, Machine
from .resources import Resources
from .worker import CompileOptions

_TRIPLE = "nvptx64-nvidia-cuda"
_UNKNOWN = "is not defined for option 'gpu-name'"
"""Words of the message by which ptxas refuses an architecture."""


class MissingAssembler(CodegenError):
    """The error raised if ptxas is not installed on this machine."""


def emit_ptx(text: str, architecture: str) -> str:
    """Compile an LLVM IR module for NVPTX to PTX; return the text.

    architecture: such as ``sm_80``.
    Errors: CodegenError if LLVM refuses the text.
    """
    machine = Machine(_TRIPLE, architecture)
    options = CompileOptions(machine, ("O3",), opt_level=3, is_assembly=True)
    return compile_isolated(text, options).decode()


def find_ptxas() -> str | None:
    """Return the path of CUDA's assembler, ptxas; None if it is not installed."""
    return find_packaged("nvidia", "cu*/bin/ptxas") or shutil.which("ptxas")


def assemble(ptx: str, architecture: str) -> dict[str, Resources]:
    """Assemble PTX; return the registers and the memory that each kernel uses, by kernel symbol.

    architecture: the name of the GPU architecture, such as ``sm_80``.
    Errors: as for `machine_code`.
    """
    return machine_code(ptx, architecture)[1]


def machine_code(ptx: str, architecture: str) -> tuple[bytes, dict[str, Resources]]:
    """Assemble PTX to a cubin file, machine code of an NVIDIA GPU.

    architecture: the name of the GPU architecture, such as ``sm_80``.
    Returns the bytes of the file, and the resources that each kernel uses, by kernel symbol.
    Errors: MissingAssembler; CodegenError if the assembler refuses the text or lacks the
    architecture, which later releases of CUDA drop.
    """
    ptxas = find_ptxas()
    if ptxas is None:
        raise MissingAssembler(
            "PTX cannot be assembled", got="no ptxas", hint="pip install tilewright[cuda]"
        )
    command = [ptxas, "-v", f"-arch={architecture}"]
    try:
        code, log = run_tool(command, ptx.encode(), name="ptxas", listing="ptx")
    except CodegenError as error:
        if _UNKNOWN not in str(error):
            raise
        raise CodegenError(
            "ptxas does not support the architecture of the target",
            got=f"{architecture}; {ptxas}",
            hint="use ptxas of another release of CUDA: pip install tilewright[cuda]",
        ) from error
    return code, _resources(log)


def _resources(log: str) -> dict[str, Resources]:
    """Return the resources of each kernel from the report of ``ptxas -v``."""
    paragraphs = re.split(r"Compiling entry function '([^']+)'", log)[1:]
    found: dict[str, Resources] = {}
    for name, text in zip(paragraphs[::2], paragraphs[1::2], strict=True):
        spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", text))
        found[name] = Resources(
            _number(r"Used (\d+) registers", text),
            spills,
            _number(r"(\d+) bytes stack frame", text),
            _number(r"(\d+) bytes smem", text),
        )
    return found


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0
