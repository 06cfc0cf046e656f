"""What `tw bench` measures: a compiled model, beside onnxruntime where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..testing.measure import Comparison, compare
from .tensors import Array

_LOG = logging.getLogger(__name__)

OURS = "tilewright"
ORT = "onnxruntime"


def compare_with_peers(
    ours: Callable[[], object],
    model: Path,
    inputs: Mapping[str, Array],
    *,
    threads: int | None,
    rounds: int,
    peers: bool = True,
) -> Comparison:
    """Time one call of our module by turns with the peers that are installed and take the model.

    One that refuses it is left out, with a warning in the log.
    """
    systems: dict[str, Callable[[], object]] = {OURS: ours}
    if peers and importlib.util.find_spec(ORT) is not None:
        try:
            call = onnxruntime_call(model, inputs, threads=threads)
            call()
        except Exception as err:  # its exceptions have no common class
            _LOG.warning("onnxruntime is left out, it refuses the model: %s", str(err).strip())
        else:
            systems[ORT] = call
    return compare(systems, rounds=rounds)


def onnxruntime_call(
    model: Path, inputs: Mapping[str, Array], *, threads: int | None
) -> Callable[[], object]:
    """Return a function that runs the model once in onnxruntime.

    Its idle workers sleep: spinning ones would slow down whoever is timed next.
    """
    # Optional and untyped.
    ort: Any = importlib.import_module(ORT)
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(str(model), options, ["CPUExecutionProvider"])
    feeds = dict(inputs)
    return lambda: session.run(None, feeds)
