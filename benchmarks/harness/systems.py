"""One adapter for each measured system.

Another system is a subclass of `System` in `SYSTEMS`; no other code names it. Libraries are
imported in `load`, inside the worker process of the system.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.interp.memory import aligned_bytes
from tilewright.machines.target import Target
from zoo.files import Case, cache_folder

OURS = "tilewright"
# Below the limit of an answer, so that a slow compiler ends before its worker does.
COMPILER_LIMIT_S = 280


class System:
    """A system that can run a network: load, compile, run repeatedly, return outputs.

    name: the name on the command line and in tables.  package: the distribution whose version is
    shown.
    target: the target of our compiler; other systems have no such option.  is_timed: whether the
    system takes turns with the others; otherwise only its results are checked.
    """

    name = ""
    package = ""
    is_timed = True

    def __init__(self, case: Case, threads: int, target: Target) -> None:
        self.case, self.threads, self.target = case, threads, target

    @classmethod
    def environment(cls, threads: int) -> Mapping[str, str]:
        """Return the environment variables that must be set before libraries are imported."""
        return {}

    def load(self) -> None:
        """Import libraries and do all work that must not count as compile time."""

    def compile(self) -> None:
        """Compile the network."""
        raise NotImplementedError

    def run(self) -> None:
        """Run the network once; the results are complete when this returns."""
        raise NotImplementedError

    def outputs(self) -> list[np.ndarray]:
        """Return the results of the last run."""
        raise NotImplementedError

    def memory(self) -> dict[str, int]:
        """Return the sizes of memory that the system reports, in bytes by name."""
        return {}


class Tilewright(System):
    """Tilewright through its public interface, with preallocated outputs."""

    name = package = OURS
    precision = "default"

    def load(self) -> None:
        import tilewright

        self._tilewright = tilewright

    def compile(self) -> None:
        self._module = self._tilewright.compile(
            str(self.case.path),
            target=self.target,
            threads=self.threads,
            precision=self.precision,
        )
        inputs = [self.case.inputs[spec.name] for spec in self._module.inputs]
        self._outputs = [aligned_floats(x.shape) for x in self.case.expected]
        self._arguments = (*inputs, *self._outputs)

    def run(self) -> None:
        self._module(*self._arguments)

    def outputs(self) -> list[np.ndarray]:
        return self._outputs

    def memory(self) -> dict[str, int]:
        manifest = self._module.manifest
        return {"weights": manifest.weights_bytes, "arena": manifest.arena_bytes}


class Strict(Tilewright):
    """Our compiler with ``precision="strict"``: no algorithm that is less exact than plain sums."""

    name, precision, is_timed = f"{OURS}.strict", "strict", False


class OnnxRuntime(System):
    """onnxruntime with its default options; inputs and outputs are bound once."""

    name = package = "onnxruntime"

    def load(self) -> None:
        import onnxruntime

        self._library = onnxruntime

    def compile(self) -> None:
        options = self._library.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.log_severity_level = 3
        self._session = self._library.InferenceSession(
            self.case.path, options, ["CPUExecutionProvider"]
        )
        self._binding = self._session.io_binding()
        for name, array in self.case.inputs.items():
            self._binding.bind_cpu_input(name, array)
        names = [output.name for output in self._session.get_outputs()]
        made = self._library.OrtValue.ortvalue_from_numpy
        self._outputs = [made(aligned_floats(x.shape)) for x in self.case.expected]
        for name, value in zip(names, self._outputs, strict=True):
            self._binding.bind_ortvalue_output(name, value)

    def run(self) -> None:
        self._session.run_with_iobinding(self._binding)

    def outputs(self) -> list[np.ndarray]:
        return [value.numpy() for value in self._outputs]


class OpenVino(System):
    """OpenVINO with the hint for latency, in f32 like all other systems."""

    name = package = "openvino"

    def load(self) -> None:
        import openvino

        self._library = openvino

    def compile(self) -> None:
        properties = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
            "INFERENCE_NUM_THREADS": self.threads,
        }
        core = self._library.Core()
        self._compiled = core.compile_model(str(self.case.path), "CPU", properties)
        self._request = self._compiled.create_infer_request()
        for port in self._compiled.inputs:
            array = next(self.case.inputs[n] for n in port.get_names() if n in self.case.inputs)
            self._request.set_tensor(port, self._library.Tensor(array, shared_memory=True))

    def run(self) -> None:
        self._request.infer()

    def outputs(self) -> list[np.ndarray]:
        return [np.array(self._request.get_tensor(p).data) for p in self._compiled.outputs]


class Torch(System):
    """The torch module that defines the network, run eagerly."""

    name = package = "torch"

    @classmethod
    def environment(cls, threads: int) -> Mapping[str, str]:
        return {"OMP_NUM_THREADS": str(threads)}

    def load(self) -> None:
        import torch

        torch.set_num_threads(self.threads)
        self._torch = torch
        self._module = self.case.network.build()
        self._arguments = tuple(torch.from_numpy(x) for x in self.case.inputs.values())

    def compile(self) -> None:
        self._function: Callable[..., Any] = self._module

    def run(self) -> None:
        with self._torch.inference_mode():
            self._result = self._function(*self._arguments)

    def outputs(self) -> list[np.ndarray]:
        results = self._result if isinstance(self._result, tuple) else (self._result,)
        return [x.numpy() for x in results]


class TorchCompile(Torch):
    """torch.compile with frozen weights, so that it can pack them."""

    name = "torch.compile"

    @classmethod
    def environment(cls, threads: int) -> Mapping[str, str]:
        folder = str(cache_folder() / "inductor")
        return {**super().environment(threads), "TORCHINDUCTOR_CACHE_DIR": folder}

    def compile(self) -> None:
        import torch._inductor.config

        torch._inductor.config.freezing = True
        self._function = self._torch.compile(self._module)
        self.run()

    def run(self) -> None:
        with self._torch.no_grad():
            self._result = self._function(*self._arguments)


class Iree(System):
    """IREE: import, iree-compile at O3 for this machine, and the runtime's Python API."""

    name, package = "iree", "iree-base-compiler"
    flags = (
        "--iree-hal-target-device=local",
        "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=host",
        "--iree-opt-level=O3",
        "--iree-opt-data-tiling",
        # For layer normalizations; the default of 32 KiB rejects them.
        "--iree-llvmcpu-stack-allocation-limit=1048576",
    )

    def load(self) -> None:
        import iree.runtime

        self._runtime = iree.runtime

    def compile(self) -> None:
        self._load_program(self._program())

    def _program(self) -> Path:
        """Return the compiled file, which is kept because compiling takes long.

        It does not depend on the number of threads.
        """
        from iree.compiler.tools.binaries import find_tool

        path = self.case.path.with_name("iree.vmfb")
        if not path.exists():
            graph, part = path.with_suffix(".mlir"), path.with_suffix(".part")
            importer = (sys.executable, "-m", "iree.compiler.tools.import_onnx")
            _command([*importer, self.case.path, "-o", graph])
            _command([find_tool("iree-compile"), graph, "-o", part, *self.flags])
            graph.unlink()
            part.rename(path)
        return path

    def _load_program(self, path: Path) -> None:
        if self.threads == 1:
            config = self._runtime.Config("local-sync")
        else:
            self._runtime.flags.parse_flags(f"--task_topology_group_count={self.threads}")
            config = self._runtime.Config("local-task")
        context = self._runtime.SystemContext(config=config)
        module = self._runtime.VmModule.mmap(config.vm_instance, str(path))
        context.add_vm_module(module)
        names = (n for n in module.function_names if "$" not in n and not n.startswith("__"))
        self._function = context.modules[module.name][next(names)]
        self._arguments = [
            self._runtime.asdevicearray(config.device, x) for x in self.case.inputs.values()
        ]

    def run(self) -> None:
        self._result = self._function(*self._arguments)

    def outputs(self) -> list[np.ndarray]:
        results = self._result if isinstance(self._result, tuple | list) else (self._result,)
        return [np.asarray(x.to_host()) for x in results]


class Tvm(System):
    """TVM: the Relax importer and the default pipeline, without tuning."""

    name, package = "tvm", "apache-tvm"

    @classmethod
    def environment(cls, threads: int) -> Mapping[str, str]:
        return {"TVM_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}

    def load(self) -> None:
        import tvm
        from tvm import relax

        self._tvm, self._relax = tvm, relax

    def compile(self) -> None:
        path = self.case.path.with_name("tvm.so")
        if not path.exists():
            part = path.with_name("tvm-part.so")
            self._built().export_library(str(part))
            part.rename(path)
        module = self._tvm.runtime.load_module(str(path))
        self._function = self._relax.VirtualMachine(module, self._tvm.cpu())["main"]
        self._arguments = [self._tvm.runtime.tensor(x) for x in self.case.inputs.values()]

    def _built(self) -> Any:
        import onnx
        from tvm.relax.frontend.onnx import from_onnx

        module = from_onnx(onnx.load(self.case.path), keep_params_in_input=False)
        module = self._relax.transform.DecomposeOpsForInference()(module)
        target = self._tvm.target.Target({"kind": "llvm", "mcpu": Target.native().cpu})
        return self._tvm.compile(module, target=target)

    def run(self) -> None:
        self._result = self._function(*self._arguments)

    def outputs(self) -> list[np.ndarray]:
        single = hasattr(self._result, "numpy")
        return [x.numpy() for x in ([self._result] if single else self._result)]


def aligned_floats(shape: tuple[int, ...]) -> np.ndarray:
    """Return an f32 array for a result, aligned for vectors."""
    return aligned_bytes(4 * math.prod(shape)).view(np.float32).reshape(shape)


def _command(command: list[object]) -> None:
    """Run the command of a compiler; on failure, its output becomes the message of the error."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=COMPILER_LIMIT_S
    )
    if done.returncode:
        text = done.stderr.strip()
        raise RuntimeError(text[max(0, text.find("error:")) :][:400] or f"exit {done.returncode}")


SYSTEMS: dict[str, type[System]] = {
    system.name: system
    for system in (Tilewright, Strict, OnnxRuntime, OpenVino, Torch, TorchCompile, Iree, Tvm)
}
