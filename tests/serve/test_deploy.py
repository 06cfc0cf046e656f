"""The files for deployment: validators where they are installed, and the scratch image's tree."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.testing import models

DEPLOY = Path(__file__).parents[2] / "serve" / "deploy"


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["Dockerfile", "scratch.Dockerfile"])
def test_hadolint_accepts_the_images(name: str) -> None:
    hadolint = shutil.which("hadolint")
    if hadolint is None:
        pytest.skip("needs hadolint, of the extra serve-test")
    subprocess.run([hadolint, "--failure-threshold", "style", str(DEPLOY / name)], check=True)


@pytest.mark.nightly
def test_kubernetes_accepts_the_manifests() -> None:
    validate = pytest.importorskip("kubernetes_validate", reason="needs the extra serve-test")
    yaml = pytest.importorskip("yaml", reason="needs the extra serve-test")
    resources = [*yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())]
    assert {resource["kind"] for resource in resources} == {"Deployment", "Service"}
    for resource in resources:
        validate.validate(resource, validate.latest_version(), strict=True)
    # KServe's own resource has no schema there, but its containers are those of a pod.
    (service,) = yaml.safe_load_all((DEPLOY / "inference-service.yaml").read_text())
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": service["metadata"],
        "spec": {"containers": service["spec"]["predictor"]["containers"]},
    }
    validate.validate(pod, validate.latest_version(), strict=True)
    assert {*yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]} == {
        "serve",
        "prometheus",
    }


def test_the_options_of_the_files_exist() -> None:
    pytest.importorskip("uvicorn", reason="needs the extra serve")
    from tilewright.serve.command import serve_command

    known = {option for each in serve_command.params for option in each.opts}
    for path in DEPLOY.iterdir():
        quoted = re.findall(r'"(--[\w-]+)"', path.read_text())
        assert {*quoted} <= known, path


PT_INTERP = 3
"""The type of the program header that names the loader of an ELF file."""


def program_headers(program: bytes) -> list[int]:
    """Return the types of the program headers of an ELF file for 64 bits."""
    assert program[:5] == b"\x7fELF\x02"
    (offset,) = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    return [struct.unpack_from("<I", program, offset + n * size)[0] for n in range(count)]


def test_the_scratch_image_runs_without_a_system(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    module = tilewright.compile(models.ffn_model(m="rows", k=8, n=8))
    module.export_library(made / "model", embed=True)
    root = tmp_path / "root"
    root.mkdir()
    # The image has what the lines COPY name, and nothing else.
    (patterns,) = re.findall(r"^COPY (.*) /$", (DEPLOY / "scratch.Dockerfile").read_text(), re.M)
    for pattern in patterns.split():
        (found,) = made.glob(pattern)
        shutil.copy(found, root / found.name)
    (root / "data").mkdir()
    x = np.ones((3, 8), np.float32)
    np.savez(root / "data" / "in.npz", x=x)
    assert PT_INTERP not in program_headers((root / "model").read_bytes())
    assert PT_INTERP in program_headers(Path(sys.executable).resolve().read_bytes())
    # Only root may change the root folder: others run the program without an environment.
    enter = "os.chroot('.')\n" if os.geteuid() == 0 else ""
    code = (
        f"import os, sys\nos.chdir(sys.argv[1])\n{enter}"
        "os.execve('./model', ['./model', '-o', 'data/out.npz', 'data/in.npz'], {})\n"
    )
    subprocess.run([sys.executable, "-c", code, str(root)], check=True)
    (output,) = np.load(root / "data" / "out.npz").values()
    np.testing.assert_array_equal(output, np.asarray(module(x)))
