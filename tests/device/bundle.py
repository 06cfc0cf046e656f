"""Compile the cases of device bundles; `make device-bundle` runs this module.

    python -m tests.device.bundle FOLDER [--arch sm_90a …] [--cases NAME …]

In: the operators of cases.py and the networks of networks.py. Out: a folder that a machine with a
GPU runs without the compiler; `runtime/measure/device_case.py` lists its files. Cases that the
folder has are not compiled again. References are computed here, in float32, by onnxruntime for
operators and by torch for networks.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import shutil
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
import onnxruntime

import tilewright
from tilewright.codegen.ptx import machine_code
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.measure.device_case import (
    DeviceCase,
    drawn,
    read_cases,
    read_values,
    sampled,
)
from tilewright.targets.gpu.launch_lists import Straight, launch_list

from .cases import (
    LARGE,
    NETWORK_TOLERANCES,
    NETWORKS,
    NORMAL,
    TOLERANCES,
    NetworkCase,
    OperatorCase,
    cases,
)

HERE = Path(__file__).parent
ZOO = HERE.parent.parent / "benchmarks" / "zoo"
ARCHITECTURES = ("sm_80", "sm_90a")
Values: TypeAlias = "np.ndarray | tuple[str, float, float]"
Results: TypeAlias = Callable[..., Sequence[Any]]
FEW = 256
"""Weights of at most this many values are stored as indices of their values."""


@dataclass
class Bundle:
    """A bundle that is written to a folder.

    architectures: those of the code.  has_machine_code: whether ptxas assembles the PTX.
    """

    folder: Path
    architectures: Sequence[str]
    has_machine_code: bool = True
    cases: list[DeviceCase] = field(default_factory=list[DeviceCase])

    def __post_init__(self) -> None:
        for name in ("data", "blobs", *self.architectures):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        if (self.folder / "bundle.json").exists():
            self.cases = list(read_cases(self.folder).values())

    def add_operator(self, case: OperatorCase) -> CompiledModule:
        """Compile and write an operator; return its module for the last architecture."""
        row = DeviceCase(
            case.name,
            case.dtype,
            {},
            TOLERANCES[case.dtype],
            case.operator.flops,
            is_timed=case.is_timed,
            peer={"operator": case.operator.peer, "dtype": case.dtype},
        )
        return self.add_model(row, case.model(), case.draws, by_onnxruntime(case.reference()))

    def add_network(self, case: NetworkCase) -> CompiledModule:
        """Compile and write a network; needs torch."""
        from . import networks

        peer = {"network": case.network, "dtype": case.dtype}
        tolerance = NETWORK_TOLERANCES[case.dtype]
        row = DeviceCase(case.name, case.dtype, {}, tolerance, is_timed=True, peer=peer)
        module, inputs = networks.module_of(case), networks.inputs_of(case)
        values = [NORMAL if x.is_floating_point() else x.numpy() for x in inputs]
        return self.add_model(row, module, values, networks.results_of(module), inputs=inputs)

    def add_model(
        self,
        case: DeviceCase,
        model: Any,
        values: Sequence[Values],
        results: Results,
        **options: Any,
    ) -> CompiledModule:
        """Compile a model for each architecture, and write it; return the last module.

        values: the inputs, or how they are drawn.  results: computes the results from the inputs,
        floats in f32.  options: those of `compile`.
        """
        precision = "tf32" if case.dtype == "tf32" else "default"
        for architecture in self.architectures:
            target = f"cuda -arch={architecture}"
            mod = tilewright.compile(
                model, target=target, precision=precision, cache=False, **options
            )
            straight = launch_list(mod._made[1])
            self._write_program(case.name, architecture, straight)
        regions = straight.launches.regions
        inputs = [region for region in regions if region.role == "input"]
        outputs = [region for region in regions if region.role == "output"]
        given = {region.name: value for region, value in zip(inputs, values, strict=True)}
        draws = {name: value for name, value in given.items() if isinstance(value, tuple)}
        stored = {name: value for name, value in given.items() if name not in draws}
        moved_bytes = sum(region.size_bytes for region in regions if region.role != "arena")
        self.cases.append(replace(case, inputs=draws, moved_bytes=moved_bytes))
        wide = [
            _wide(drawn(case.name, region, draws[region.name]), region.dtype)
            if region.name in draws
            else stored[region.name]
            for region in inputs
        ]
        made = zip(outputs, results(*wide), strict=True)
        arrays = {f"out.{region.name}": sampled(np.asarray(y)) for region, y in made}
        arrays |= {f"in.{name}": x for name, x in stored.items()}
        np.savez_compressed(self.folder / "data" / case.name, **arrays)
        self._write_cases()
        return mod

    def _write_program(self, name: str, architecture: str, straight: Straight) -> None:
        folder = self.folder / architecture
        (folder / f"{name}.ptx").write_bytes(straight.kernels_code)
        resources: Mapping[str, Any] = {}
        if self.has_machine_code:
            code, found = machine_code(straight.kernels_code.decode(), architecture)
            (folder / f"{name}.cubin").write_bytes(code)
            resources = {straight.names[symbol]: asdict(row) for symbol, row in found.items()}
        program = {
            "launches": straight.launches.fields(),
            "weights": [self._weight(array) for array in straight.weights],
            "resources": resources,
        }
        (folder / f"{name}.json").write_text(json.dumps(program, separators=(",", ":")))

    def _weight(self, array: np.ndarray) -> Mapping[str, Any]:
        """Write a weight as a blob; equal blobs are one file."""
        bits = np.ascontiguousarray(array).reshape(-1)
        bits = bits.view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[bits.itemsize])
        values, indices = np.unique(bits, return_inverse=True)
        if len(values) > FEW:
            return {"data": self._blob(bits.tobytes()), "values": ""}
        packed = np.packbits(indices.astype(bool)) if len(values) <= 2 else indices.astype(np.uint8)
        facts = {"values": values.tobytes().hex(), "dtype": bits.dtype.name, "count": bits.size}
        return {"data": self._blob(packed.tobytes()), **facts}

    def _blob(self, data: bytes) -> str:
        key = hashlib.blake2b(data, digest_size=12).hexdigest()
        path = self.folder / "blobs" / key
        if not path.exists():
            path.write_bytes(zlib.compress(data, 6))
        return key

    def _write_cases(self) -> None:
        rows = {"architectures": list(self.architectures), "cases": list(map(asdict, self.cases))}
        (self.folder / "bundle.json").write_text(json.dumps(rows, indent=1))

    def finish(self) -> None:
        """Write the list of cases, and the code that measures torch."""
        self._write_cases()
        shutil.copy(HERE / "peers.py", self.folder)
        shutil.copytree(
            ZOO,
            self.folder / "zoo",
            ignore=shutil.ignore_patterns("__pycache__", "files.py"),
            dirs_exist_ok=True,
        )


def _wide(array: np.ndarray, dtype: str) -> np.ndarray:
    """Return values of a stored input, narrow floats as float32."""
    values = read_values(array, dtype)
    return values.astype(np.float32) if dtype == "float16" else values


def by_onnxruntime(model: onnx.ModelProto) -> Results:
    """Return a function that computes the results of a model."""

    def results(*inputs: np.ndarray) -> Sequence[Any]:
        session = onnxruntime.InferenceSession(model.SerializeToString())
        arrays = {
            x.name: array.astype(np.float64) if x.type == "tensor(double)" else array
            for x, array in zip(session.get_inputs(), inputs, strict=True)
        }
        return session.run(None, arrays)

    return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a bundle."""
    parser = argparse.ArgumentParser(prog="python -m tests.device.bundle")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", nargs="+", default=list(ARCHITECTURES))
    parser.add_argument("--cases", nargs="*", default=["*"], help="names, or patterns with *")
    given = parser.parse_args(arguments)
    bundle = Bundle(given.folder, given.arch)

    known = {case.name for case in bundle.cases}

    def is_chosen(name: str) -> bool:
        return name not in known and any(fnmatch.fnmatch(name, p) for p in given.cases)

    for operator in cases(LARGE, is_timed=True):
        if is_chosen(operator.name):
            bundle.add_operator(operator)
    for network in NETWORKS:
        if is_chosen(network.name):
            bundle.add_network(network)
    bundle.finish()
    size = sum(path.stat().st_size for path in given.folder.rglob("*") if path.is_file())
    sys.stdout.write(f"{len(bundle.cases)} cases, {size / 1e6:.1f} MB in {given.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
