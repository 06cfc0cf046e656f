"""Compile the cases of device bundles; `make device-bundle` runs this module.

    python -m tests.device.bundle FOLDER [--arch sm_90a …] [--cases NAME …]

In: the operators of cases.py and the networks of networks.py. Out: a folder that a machine with a
GPU runs without the compiler; `runtime/measure/device_case.py` lists its files. References are
computed here, in float32, by onnxruntime for operators and by torch for networks.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import shutil
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

import tilewright
from tilewright.codegen.ptx import machine_code
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.runtime.measure.device_case import Case, drawn, read_values, sampled
from tilewright.targets.gpu.launch_lists import Straight, launch_list

from .cases import LARGE, TOLERANCES, OperatorCase, cases

HERE = Path(__file__).parent
ZOO = HERE.parent.parent / "benchmarks" / "zoo"
ARCHITECTURES = ("sm_80", "sm_90a")
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
    cases: list[Case] = field(default_factory=list[Case])

    def __post_init__(self) -> None:
        for name in ("data", "blobs", *self.architectures):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def add_operator(self, case: OperatorCase) -> CompiledModule:
        """Compile and write an operator; return its module for the last architecture."""
        precision = "tf32" if case.dtype == "tf32" else "default"
        for architecture in self.architectures:
            target = f"cuda -arch={architecture}"
            mod = tilewright.compile(case.model(), target=target, precision=precision, cache=False)
            straight = launch_list(mod._made[1])
            self._write_program(case.name, architecture, straight)
        inputs = {
            region.name: drawn(case.name, region, case.draws[region.name])
            for region in straight.launches.regions
            if region.role == "input"
        }
        np.savez_compressed(self.folder / "data" / case.name, **_expected(case, inputs, straight))
        peer = {"operator": case.operator.peer, "dtype": case.dtype} if case.is_timed else {}
        flops, draws = case.operator.flops, case.draws
        made = Case(case.name, case.dtype, draws, TOLERANCES[case.dtype], flops, peer=peer)
        self.add(replace(made, is_timed=case.is_timed), straight)
        return mod

    def add(self, case: Case, straight: Straight) -> None:
        """Add the row of a case whose files are written."""
        regions = straight.launches.regions
        moved_bytes = sum(r.size_bytes for r in regions if r.role != "arena")
        self.cases.append(replace(case, moved_bytes=moved_bytes))

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

    def finish(self) -> None:
        """Write the list of cases, and the code that measures torch."""
        rows = {"architectures": list(self.architectures), "cases": list(map(asdict, self.cases))}
        (self.folder / "bundle.json").write_text(json.dumps(rows, indent=1))
        shutil.copy(HERE / "peers.py", self.folder)
        shutil.copytree(
            ZOO,
            self.folder / "zoo",
            ignore=shutil.ignore_patterns("__pycache__", "files.py"),
            dirs_exist_ok=True,
        )


def _expected(
    case: OperatorCase, inputs: Mapping[str, np.ndarray], straight: Straight
) -> dict[str, np.ndarray]:
    """Return the sampled results of an operator, by onnxruntime: f32 for all types of floats."""
    dtypes = {region.name: region.dtype for region in straight.launches.regions if region.name}
    wide = {
        name: read_values(array, dtypes[name]).astype(np.float32)
        if dtypes[name] in ("float16", "bfloat16")
        else array
        for name, array in inputs.items()
    }
    model = case.model("f32") if case.dtype != "i8" else case.model()
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (y,) = session.run(None, wide)
    return {"out.y": sampled(y)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a bundle."""
    parser = argparse.ArgumentParser(prog="python -m tests.device.bundle")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", nargs="+", default=list(ARCHITECTURES))
    parser.add_argument("--cases", nargs="*", default=["*"], help="names, or patterns with *")
    given = parser.parse_args(arguments)
    bundle = Bundle(given.folder, given.arch)
    for case in cases(LARGE, is_timed=True):
        if any(fnmatch.fnmatch(case.name, pattern) for pattern in given.cases):
            bundle.add_operator(case)
    bundle.finish()
    size = sum(path.stat().st_size for path in given.folder.rglob("*") if path.is_file())
    sys.stdout.write(f"{len(bundle.cases)} cases, {size / 1e6:.1f} MB in {given.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
