"""The CUDA C++ of networks and of kernels of 16-bit floats, compiled by nvcc and NVRTC."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Sequence
from ctypes import byref, c_char_p, c_size_t, c_void_p
from importlib.util import find_spec
from pathlib import Path

import pytest

from ...sweeps import in_turn
from ..cpu.machine_models import NAMES
from ..cpu.machine_models import compiled as compiled_model
from .plan import test_vectors

KERNELS = {
    "product": ("{d}[256, 256] a, {d}[256, 256] b) => ({d}[256, 256] y)", "y = MatMul (a, b)"),
    "softmax": ("{d}[64, 1024] x) => ({d}[64, 1024] y)", test_vectors.ROWS["softmax"]),
    "attention": (
        "{d}[1, 4, 300, 64] q, {d}[1, 4, 300, 64] k, {d}[1, 4, 300, 64] v) "
        "=> ({d}[1, 4, 300, 64] y)",
        "y = Attention <is_causal = 1> (q, k, v)",
    ),
}
"""Kernels of f16 and bf16: signature and body."""
ARCHITECTURES = ("sm_75", "sm_80", "sm_90a", "sm_120")
SOURCES = {
    **{name: (name, "") for name in NAMES},
    **{f"{name} {d}": (name, d) for name in KERNELS for d in ("float16", "bfloat16")},
    "copied tiles": ("tiles", "float"),
}


def source_of(name: str, architecture: str) -> str:
    """Return the CUDA C++ of a model or kernel of `SOURCES`."""
    kernel, dtype = SOURCES[name]
    target = f"cuda -arch={architecture}"
    if not dtype:
        return compiled_model(kernel, target)[0].get_source("cuda")
    if kernel == "tiles":
        signature = "float[1024, 1024] a, float[1024, 1024] b) => (float[1024, 1024] y)"
        text = test_vectors.compiled(signature, "y = MatMul (a, b)", target).get_source("cuda")
        assert ("cuda_pipeline.h" in text) == (architecture != "sm_75")
        return text
    signature, body = KERNELS[kernel]
    return test_vectors.compiled(signature.format(d=dtype), body, target).get_source("cuda")


def toolkit() -> Path:
    """Return the folder of the CUDA toolkit with nvcc; skip the test without one."""
    found = shutil.which("nvcc")
    if found is None:
        pytest.skip("no nvcc: install NVIDIA's CUDA toolkit")
    listed = subprocess.run([found, "--dryrun", "-E", "-x", "cu", "/dev/null"],
                            capture_output=True, text=True, check=False)  # fmt: skip
    (top,) = [line.partition("TOP=")[2] for line in listed.stderr.splitlines() if "TOP=" in line]
    return Path(top).resolve()


def by_nvcc(source: str, architecture: str, folder: Path) -> None:
    """Compile a text to machine code."""
    nvcc, file = toolkit() / "bin" / "nvcc", folder / "k.cu"
    file.write_text(source)
    options = ["-fmad=false", f"-arch={architecture}", "-cubin", "-Werror", "all-warnings"]
    quiet = ["--diag-suppress", "177"]  # a block or thread index that the kernel does not use
    command = [str(nvcc), *options, *quiet, "-o", str(folder / "k.cubin"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "k.cubin").read_bytes().startswith(b"\x7fELF")


def nvrtc_library() -> ctypes.CDLL:
    """Load NVRTC from its wheel or from the system; skip the test without it."""
    package = find_spec("nvidia")
    for folder in list(package.submodule_search_locations or ()) if package else []:
        for path in sorted(Path(folder).rglob("libnvrtc-builtins.so*")):
            ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
        for path in sorted(Path(folder).rglob("libnvrtc.so.*")):
            return ctypes.CDLL(str(path))
    for name in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    pytest.skip("no NVRTC: pip install nvidia-cuda-nvrtc, or install NVIDIA's CUDA toolkit")


def by_nvrtc(source: str, architecture: str, folder: Path) -> None:
    """Compile a text in this process to machine code."""
    library, program, size = nvrtc_library(), c_void_p(), c_size_t()
    made = library.nvrtcCreateProgram(byref(program), source.encode(), b"k.cu", 0, None, None)
    assert made == 0
    includes = [f"-I{toolkit() / 'include'}"] if "#include" in source else []
    options = [each.encode() for each in (f"-arch={architecture}", "-fmad=false", *includes)]
    status = library.nvrtcCompileProgram(program, len(options), _texts(options))
    assert library.nvrtcGetProgramLogSize(program, byref(size)) == 0
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
    assert library.nvrtcGetCUBINSize(program, byref(size)) == 0
    code = ctypes.create_string_buffer(size.value)
    assert library.nvrtcGetCUBIN(program, code) == 0
    assert code.raw.startswith(b"\x7fELF")
    library.nvrtcDestroyProgram(byref(program))


def _texts(texts: Sequence[bytes]) -> ctypes.Array[c_char_p]:
    return (c_char_p * len(texts))(*texts)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("compiler", [by_nvcc, by_nvrtc])
@pytest.mark.parametrize(
    ("name", "architecture"), in_turn(SOURCES, [(each,) for each in ARCHITECTURES])
)
def test_a_compiler_takes_the_source(
    name: str, architecture: str, compiler: Callable[[str, str, Path], None], tmp_path: Path
) -> None:
    compiler(source_of(name, architecture), architecture, tmp_path)
