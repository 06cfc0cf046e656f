"""Networks exported for GPUs in C, C++ and Rust programs: bit for bit as in Python.

The processes contain no Python. The mock drivers of CUDA and HIP run the kernels of the networks on
fibers, and PoCL is the OpenCL driver. A decoder runs in a session of the program.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright import CompiledModule
from tilewright.codegen.code_object import kernels_in
from tilewright.lowering.simt_to_c import CUDA, emit_program
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.models import ffn_model, inputs_for

from ... import cuda_device, hip_device
from ...cuda_device import MockDriver, compile_kernels
from ...driver.host_programs.hosts import HOSTS, build, build_cpp, build_rust, run_host, tool
from ...hip_device import MockHip
from ...mock_drivers import HERE, compile_cpp
from ...opencl_device import variables_of_driver

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = {"mobilenet_v2": "mobilenet_v2_script", "bert": "bert_dynamo_symbolic"}
TOKENS = [np.array([[token]]) for token in (5, 700, 9, 31)]
STATES = {f"past.{part}.{layer}": f"present.{part}.{layer}"
          for part in ("key", "value") for layer in range(2)}  # fmt: skip

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Case:
    """An exported network.

    steps: the inputs of the only call, or of one step of a session each.  wanted: the outputs in
    Python.  variables: environment variables with which a program finds the driver.
    """

    library: Path
    steps: Arrays
    wanted: Arrays
    variables: Mapping[str, str]


def network(name: str, target: str) -> tuple[CompiledModule, Arrays]:
    """Return a compiled network, and the inputs of its call or the steps of its session."""
    if name == "llama_decode":
        model = fixture_model(FIXTURES / "llama_decode_dynamo_symbolic.onnx")
        size = {"past": 16}
        mod = tilewright.compile(model, target=target, cache=False, state=STATES, capacity=size)
        return mod, TOKENS
    if name == "ffn":
        model = ffn_model(m=4, k=8, n=8)
        return tilewright.compile(model, target=target, cache=False), inputs_for(model)
    model = fixture_model(FIXTURES / f"{FILES[name]}.onnx")
    mod, given = tilewright.compile(model, target=target, cache=False), fixture_inputs(model)
    return mod, [given[each.name] for each in mod.inputs]


def results(mod: CompiledModule, steps: Arrays) -> Arrays:
    """Return the outputs of the call in Python, or of the steps of a session."""
    if not mod.states:
        return [np.array(array.numpy()) for array in mod.run(steps)]
    session = mod.session()
    return [np.array(session(step)) for step in steps]


def opencl_case(name: str, folder: Path, _patch: pytest.MonkeyPatch) -> Case:
    (libraries := folder / "libraries").mkdir()
    variables = variables_of_driver(libraries)
    mod, steps = network(name, "opencl")
    library = mod.export_library(folder / "m.so")[0]
    return Case(library, steps, results(mod, steps), variables)


def cuda_case(name: str, folder: Path, patch: pytest.MonkeyPatch) -> Case:
    driver, listed, ptx = MockDriver(folder), folder / "programs", folder / "m.ptx"
    compile_cpp(HERE / MockDriver.source, folder / "libcuda.so.1", "-Wl,-soname,libcuda.so.1")
    variables = {"LD_LIBRARY_PATH": str(folder), "MOCK_CUDA_PROGRAMS": str(listed)}
    for _ in cuda_device.mocked(driver, patch):
        mod, steps = network(name, "cuda")
        driver.add(mod)
        ptx.write_text(mod.get_source("ptx"))
        listed.write_text("".join(f"{ptx} {kernels}\n" for kernels in driver.programs.values()))
        library = mod.export_library(folder / "m.so")[0]
        return Case(library, steps, results(mod, steps), variables)
    raise AssertionError("the fixture runs once")


def rocm_case(name: str, folder: Path, patch: pytest.MonkeyPatch) -> Case:
    listed = folder / "programs"
    variables = {"LD_LIBRARY_PATH": str(folder), "MOCK_HIP_PROGRAMS": str(listed)}
    compile_cpp(HERE / MockHip.source, folder / "libamdhip64.so", "-Wl,-soname,libamdhip64.so")
    patch.setenv("MOCK_HIP_PROGRAMS", str(listed))
    for _ in hip_device.mocked(MockHip(folder), patch):
        mod, steps = network(name, "rocm")
        listed.write_text(registered_kernels(mod, folder))
        library = mod.export_library(folder / "m.so")[0]
        return Case(library, steps, results(mod, steps), variables)
    raise AssertionError("the fixture runs once")


def registered_kernels(mod: CompiledModule, folder: Path) -> str:
    """Return the line that registers the code object of a module in the mock driver of HIP."""
    image, lines, made = (folder / name for name in ("m.hsaco", "kernels", "kernels.so"))
    image.write_bytes(b64decode(mod.get_source("hsaco")))
    lines.write_text(hip_device.kernel_lines(image.read_bytes()))
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    kernels = {f"tw_k{n}": each for n, each in enumerate(kernel_functions(module))}
    assert {kernel[".name"] for kernel in kernels_in(image.read_bytes())} == kernels.keys()
    compile_kernels(emit_program([*kernels.items()], CUDA), [*kernels], made)
    return f"{image} {lines} {made}\n"


CASES: Mapping[str, Callable[[str, Path, pytest.MonkeyPatch], Case]] = {
    "cuda": cuda_case,
    "rocm": rocm_case,
    "opencl": opencl_case,
}
CELLS = [
    pytest.param("ffn", "opencl", "c"),
    *(
        pytest.param(name, device, language, marks=[pytest.mark.nightly, pytest.mark.slow])
        for name in (*FILES, "llama_decode")
        for device in CASES
        for language in ("c", "cpp", "rs")
    ),
]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, str], Case]]:
    """Return a function that keeps the last exported network."""
    with pytest.MonkeyPatch.context() as patch:
        yield lru_cache(maxsize=1)(
            lambda name, device: CASES[device](name, tmp_path_factory.mktemp(name), patch)
        )


@pytest.mark.parametrize(("name", "device", "language"), CELLS)
def test_a_program_has_the_bits_of_python(
    name: str, device: str, language: str, case: Callable[[str, str], Case], tmp_path: Path
) -> None:
    made = case(name, device)
    source = HOSTS / f"{'decodes' if name == 'llama_decode' else 'runs'}.{language}"
    builders = {"cpp": build_cpp, "rs": build_rust}
    program = (
        build([tool("gcc")], source, tmp_path)
        if language == "c"
        else builders[language](source, tmp_path)
    )
    got = run_host(program, made.library, made.steps, made.variables)
    assert [array.tobytes() for array in got] == [array.tobytes() for array in made.wanted]
    assert [array.shape for array in got] == [array.shape for array in made.wanted]


def test_a_driver_without_shared_virtual_memory_is_an_error(
    case: Callable[[str, str], Case], tmp_path: Path
) -> None:
    source, program = tmp_path / "empty.cpp", build([tool("gcc")], HOSTS / "runs.c", tmp_path)
    source.write_text('extern "C" int clGetPlatformIDs() { return 0; }\n')
    compile_cpp(source, tmp_path / "libOpenCL.so.1")
    made = case("ffn", "opencl")
    with pytest.raises(AssertionError, match=r"lacks a function\n(?s:.*)got: no clGetDeviceIDs"):
        run_host(program, made.library, made.steps, {"LD_LIBRARY_PATH": str(tmp_path)})
