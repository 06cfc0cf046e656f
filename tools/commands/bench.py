"""``tw bench``: time a compiled model, alternating with onnxruntime if it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.table import Column, Table

from ...frontend.formats import EXPORTED_PROGRAM, contents_of, is_stablehlo, recognize
from ...frontend.onnx.file.proto import read_proto, with_ir_version
from ...runtime.rpc.places import RpcPlace
from ...testing.measure import WINDOW_S, TimedComparison, Timing, compare
from ..compilation import ReadyModel
from ..loading import ready_model
from ..options import CommandRequest, Feed, holds_ir, input_options, model_options
from ..remote import remote_model, rpc_options
from ..tables import compile_text, flops_text
from ..tensors import Array
from ..terminal import show_table, terminal
from .help import ToolCommand

_LOG = logging.getLogger(__name__)

OURS = "tilewright"
ORT = "onnxruntime"


@click.command(
    cls=ToolCommand,
    examples=[
        "tw bench model.onnx --threads 1",
        "tw bench model.onnx --shapes batch=8 --rounds 50 --json",
        "tw bench model.onnx --rpc 127.0.0.1:9190 --key rpi4",
    ],
)
@model_options
@input_options
@rpc_options
@click.option("--rounds", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--peers/--no-peers", default=True, help="Also time onnxruntime if installed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(
    request: CommandRequest, feed: Feed, place: RpcPlace | None, rounds: int, peers: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Time MODEL in rounds, by turns with onnxruntime if it is installed. Exported files are timed
    alone; times on other machines exclude the network.
    """
    if place is not None:
        _bench_there(place, request, feed, rounds=rounds, as_json=as_json)
        return
    ready = ready_model(request, feed)
    peers = peers and not ready.is_exported
    module, threads = ready.module, request.threads
    systems: dict[str, Callable[[], object]] = {
        OURS: lambda: module.run(ready.inputs, threads=threads)
    }
    if peers:
        feeds = {**request.values, **ready.constants, **ready.inputs}
        systems |= peer_calls(request.model, feeds, threads=threads)
    result = compare(systems, rounds=rounds)
    rows = _rows(result, ready.flops)
    if as_json:
        fields = {"model": str(request.model), **ready.times(), "systems": rows}
        click.echo(json.dumps(fields))
        return
    _show(request, ready, rows)
    if peers and importlib.util.find_spec(ORT) is None:
        terminal().print("install onnxruntime to time it in the same run", style="dim")


def _bench_there(
    place: RpcPlace, request: CommandRequest, feed: Feed, *, rounds: int, as_json: bool
) -> None:
    with remote_model(place, request, feed) as remote:
        arrays = [remote.ready.inputs[spec.name] for spec in remote.module.inputs]
        evaluate = remote.module.time_evaluator(
            "main", number=1, repeat=rounds, min_repeat_ms=1e3 * WINDOW_S
        )
        measured = evaluate(*arrays)
        rows = _rows(TimedComparison((Timing(OURS, measured.results),)), remote.ready.flops)
        if as_json:
            times, place_fields = remote.ready.times(), remote.fields()
            fields = {"model": str(request.model), **times, **place_fields, "systems": rows}
            click.echo(json.dumps(fields))
            return
        _show(request, remote.ready, rows)
        terminal().print(remote.text())


def _show(request: CommandRequest, ready: ReadyModel, rows: Sequence[Mapping[str, Any]]) -> None:
    show_table(terminal(), timing_table(rows, title=request.model.name))
    flops = "" if ready.flops is None else f"; {flops_text(ready.flops)} per call"
    terminal().print(f"{compile_text(ready)}{flops}")
    terminal().print("spread: distance of the quartiles over the median", style="dim")


def peer_calls(
    model: Path, inputs: Mapping[str, Array | Sequence[float]], *, threads: int | None
) -> dict[str, Callable[[], object]]:
    """Return a function that runs the model once in onnxruntime, by name of the runtime.

    The result is empty if onnxruntime is not installed, or if it rejects the model, which is logged
    as a warning.
    inputs: the value of each input; numbers get the element type of the input.
    """
    if importlib.util.find_spec(ORT) is None:
        return {}
    if holds_ir(model) or is_stablehlo(contents_of(model, None)):
        _LOG.warning("onnxruntime is left out, it reads ONNX only")
        return {}
    try:
        call = onnxruntime_call(model, inputs, threads=threads)
        call()
    except Exception as err:  # its exceptions have no common class
        _LOG.warning("onnxruntime is left out, it refuses the model: %s", str(err).strip())
        return {}
    return {ORT: call}


def onnxruntime_call(
    model: Path, inputs: Mapping[str, Array | Sequence[float]], *, threads: int | None
) -> Callable[[], object]:
    """Load a model into onnxruntime; return a function that runs the model once.

    Idle worker threads of onnxruntime sleep, because spinning workers would slow down the system
    that is timed next. If onnxruntime is too old for the IR version of the model, it loads a copy
    of the model with an older IR version.
    inputs: the value of each input; numbers get the element type of the input.
    """
    # Optional and untyped.
    ort: Any = importlib.import_module(ORT)
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = _session(ort, _readable(model), options)
    except Exception as err:  # its exceptions have no common class
        newest = re.search(r"max supported IR version: (\d+)", str(err))
        if newest is None:
            raise
        _LOG.warning(
            "onnxruntime times a copy of the model with IR version %s, the newest that it reads",
            newest[1],
        )
        # The copy is in memory; this option locates the external data files of the model.
        options.add_session_config_entry(
            "session.model_external_initializers_file_folder_path", str(model.parent.resolve())
        )
        session = _session(ort, with_ir_version(model, int(newest[1])), options)
    feeds = {value.name: _fed(value, inputs[value.name]) for value in session.get_inputs()}
    return lambda: session.run(None, feeds)


def _fed(value: Any, given: Array | Sequence[float]) -> Array:
    """Return the array to pass to an input of an onnxruntime session.

    value: onnxruntime's description of the input, with its element type.  given: an array, or
    numbers from the command line, which get this type.
    """
    if isinstance(given, np.ndarray):
        return given
    name = value.type.removeprefix("tensor(").removesuffix(")")
    array = np.asarray(given, {"float": "float32", "double": "float64"}.get(name, name))
    return array.reshape((1,) * len(value.shape)) if array.size == 1 else array


def _readable(model: Path) -> str | bytes:
    """Return the model in a form that onnxruntime loads: its path, or its ONNX form serialized.

    Programs that torch has exported are converted to ONNX.
    """
    if recognize(contents_of(model, None)) is EXPORTED_PROGRAM:
        return read_proto(model)[0].SerializeToString()
    return str(model)


def _session(ort: Any, source: str | bytes, options: Any) -> Any:
    return ort.InferenceSession(source, options, ["CPUExecutionProvider"])


def _rows(result: TimedComparison, flops: int | None) -> list[dict[str, Any]]:
    return [
        {
            "system": timing.name,
            "median_ms": 1e3 * timing.median_s,
            "min_ms": 1e3 * timing.min_s,
            "spread": timing.spread,
            "gflops": None if flops is None else 1e-9 * flops / timing.median_s,
            "ratio": result.ratio(timing.name, over=OURS),
        }
        for timing in result.timings
    ]


def timing_table(rows: Sequence[Mapping[str, Any]], *, title: str) -> Table:
    """Return a table of the measured times of each system.

    rows: the fields of each system, as `tw bench --json` prints them.
    """
    titles = ("median ms", "min ms", "spread", "GFLOP/s", "time / ours")
    table = Table("system", *(Column(each, justify="right") for each in titles), title=title)
    for row in rows:
        table.add_row(
            row["system"],
            f"{row['median_ms']:.3f}",
            f"{row['min_ms']:.3f}",
            f"{row['spread']:.0%}",
            "-" if row["gflops"] is None else f"{row['gflops']:.1f}",
            f"{row['ratio']:.2f}",
        )
    return table
