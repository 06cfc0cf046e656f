"""Networks of the benchmarks, made small: compiled exports give the same results as torch."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright
from zoo.files import read_folder, write_folder
from zoo.networks import Network

from ..sweeps import sampled

IMAGE = {"x": (1, 3, 32, 32)}
IDS = {"input_ids": 50}
TINY = {"hidden": 32, "heads": 2}
CACHE = {f"past.{i}.{kind}": (1, 2, 5, 16) for i in range(2) for kind in ("key", "value")}

NETWORKS = {
    "resnet": Network("vision.ResNet", IMAGE, {"depths": (1, 1), "bottleneck": True, "width": 16}),
    "mobilenet": Network("vision.MobileNetV2", IMAGE, {"stages": ((1, 16, 1, 1), (6, 24, 2, 2))}),
    "efficientnet": Network(
        "efficientnet.EfficientNet", IMAGE, {"stages": ((1, 16, 1, 1, 3), (6, 24, 2, 2, 5))}
    ),
    "vgg": Network("vision.Vgg", {"x": (1, 3, 28, 28)}, {"depths": (1, 1), "hidden": 16}),
    "unet": Network("vision.UNet", IMAGE, {"width": 8, "levels": 2}),
    "vit": Network("vision.VisionTransformer", IMAGE, {"size": 32, "layers": 1, **TINY}),
    "swin": Network(
        "swin.Swin",
        {"x": (1, 3, 56, 56)},
        {"image": 56, "hidden": 32, "depths": (2, 1), "heads": (2, 4)},
    ),
    "bert": Network(
        "text.Bert",
        dict.fromkeys(("input_ids", "attention_mask", "token_type_ids"), (1, 8)),
        {"layers": 1, "kinds": True, "vocabulary": 50, **TINY},
        {**IDS, "token_type_ids": 2},
        frozenset({"attention_mask"}),
    ),
    "prefill": Network(
        "text.Gpt2", {"input_ids": (1, 8)}, {"layers": 2, "vocabulary": 50, **TINY}, IDS
    ),
    "decode": Network(
        "text.Gpt2", {"input_ids": (1, 1), **CACHE}, {"layers": 2, "vocabulary": 50, **TINY}, IDS
    ),
    "llama": Network(
        "text.LlamaBlocks",
        {"x": (1, 8, 32)},
        {"rows": 8, "layers": 1, "hidden": 32, "heads": 4, "kv_heads": 2, "inner": 48},
    ),
    "llama_decode": Network(
        "text.LlamaBlocks",
        {"x": (1, 1, 64), **CACHE},
        {"rows": 6, "layers": 2, "hidden": 64, "heads": 4, "kv_heads": 2, "inner": 48},
    ),
    "whisper": Network(
        "audio.WhisperEncoder", {"x": (1, 8, 22)}, {"frames": 11, "bands": 8, **TINY}
    ),
    "lstm": Network("plain.Lstm", {"x": (1, 6, 8)}, {"size": 8, "hidden": 16}),
    "mlp": Network("plain.Mlp", {"x": (4, 8)}, {"sizes": (8, 16, 10)}),
}


@pytest.mark.slow
# torch's exporter uses deprecated parts of torch.
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", sampled(NETWORKS, str, one_in=4, each_family=False))
def test_a_network_computes_what_torch_computes(name: str, tmp_path: Path) -> None:
    for package in ("torch", "onnxscript"):
        pytest.importorskip(package, reason=f"needs {package}, of the extra `peers`")
    network = NETWORKS[name]
    write_folder(tmp_path, network)
    case = read_folder(tmp_path, name, network)
    module = tilewright.compile(str(case.path))
    outputs = [x.numpy() for x in module.run(case.inputs)]
    assert case.error(outputs) < 1e-5
    assert case.facts.flops > 0
    outputs[-1] = outputs[-1] + 1
    assert case.error(outputs) > 1e-2
