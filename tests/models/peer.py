"""The results of onnxruntime, with which those of compiled networks are compared."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime


def peer_results(model: onnx.ModelProto, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Run a model on one thread of the host."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    return session.run(None, inputs)
