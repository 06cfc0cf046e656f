"""The results of onnxruntime, with which those of compiled networks are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import onnxruntime


def peer_results(
    model: onnx.ModelProto, inputs: Mapping[str, np.ndarray] | Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Run a model on one thread of the host; return its outputs.

    inputs: the arrays by name, or in the order of the model's inputs.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, options, ["CPUExecutionProvider"])
    if not isinstance(inputs, Mapping):
        names = [each.name for each in session.get_inputs()]
        inputs = dict(zip(names, inputs, strict=True))
    return session.run(None, inputs)
