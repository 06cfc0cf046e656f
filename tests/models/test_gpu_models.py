"""Networks on devices of OpenCL, Vulkan and WebGPU (PoCL, lavapipe), as exact as onnxruntime.

Files with dynamic sizes are compiled once for all sizes, and no kernel but those of a few elements
runs on one thread. Building the kernels takes PoCL up to a minute per network, so the tests run by
night.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import Device
from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.reference import reference_results, relative_error, tolerance

from ..opencl_device import opencl_device
from ..peer import peer_results
from ..vulkan_device import vulkan_device
from ..webgpu_device import webgpu_device

FOLDER = Path(__file__).parents[1] / "fixtures"
OPEN = [
    "bert_dynamo_symbolic",
    "efficientnet_dynamo_symbolic",
    "gpt2_decode_script_symbolic",
    "gru_dynamo_symbolic",
    "llama_decode_dynamo_symbolic",
    "llama_prefill_script_symbolic",
    "lstm_dynamo_symbolic",
    "mobilenet_v2_script_symbolic",
    "vit_dynamo_symbolic",
    "whisper_dynamo_symbolic",
]
FIXED = ["detector_dynamo", "detector_nms_dynamo", "unet_dynamo", "zoo/resnet18"]

pytestmark = [pytest.mark.slow, pytest.mark.nightly]


@pytest.mark.parametrize("name", [*OPEN, *FIXED])
@pytest.mark.parametrize("there", [opencl_device, vulkan_device, webgpu_device])
def test_a_network_on_a_device_is_as_exact_as_onnxruntime(
    there: Callable[[], Device], name: str
) -> None:
    target = str(there()).partition(":")[0]
    model = fixture_model(FOLDER / f"{name}.onnx")
    inputs = fixture_inputs(model)
    module = tilewright.compile(model, target=target, strict_plan=True, cache=False)
    got, again = ([np.array(x.numpy()) for x in module.run(inputs)] for _ in range(2))
    assert [x.tobytes() for x in got] == [x.tobytes() for x in again]
    exact = reference_results(model, inputs)
    rows = zip(model.graph.output, got, peer_results(model, inputs), exact, strict=True)
    for value, ours, theirs, expected in rows:
        assert ours.shape == expected.shape, value.name
        error, bound = relative_error(ours, expected), tolerance(theirs, expected)
        assert error <= bound, f"{value.name}: relative error {error:.2e}, allowed {bound:.2e}"
    if name in OPEN:
        assert not module.reason
        assert serial_work(module.get_source("simt")) < 10_000


def serial_work(text: str) -> int:
    """Return the most operations of a kernel that runs on one thread."""
    headers = [line for line in text.splitlines() if "tw.launch" in line]
    alone = [line for line in headers if "grid [1], block [1]," in line]
    return max((int(n) for line in alone for n in re.findall(r"flops = (\d+)", line)), default=0)
