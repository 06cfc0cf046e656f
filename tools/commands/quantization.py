"""``tw quantize``: write a model whose matrix products compute in 8 bits where that is faster.

In: a model, and files of typical inputs. Out: a file, and a table with the error and the times of
each matrix product, and the reason why some remain f32. `quantize_by_layer` does the work.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from ...driver.quantize.calibration import Method
from ...driver.quantize.layer_choice import LayerChoice, LayerLimits
from ...driver.quantize.quantize import SHARE, quantize_by_layer
from ...testing.array_files import read_archive
from ..options import INPUT_FILE, THREADS, ModelFile, OutputFile, is_verbose, refuse_ir
from ..tables import counted
from ..terminal import show_table, show_text, terminal
from .help import ToolCommand


@click.command(
    "quantize",
    cls=ToolCommand,
    examples=[
        "tw quantize model.onnx inputs.npz -o small.onnx",
        "tw quantize model.onnx a.npz b.npz --most-error 0.02 -o small.onnx",
    ],
)
@click.argument("model", type=ModelFile())
@click.argument("calibration", nargs=-1, required=True, type=INPUT_FILE)
@click.option("-o", "--output", required=True, type=OutputFile(), help="A file.")
@click.option(
    "--method", type=click.Choice([str(each) for each in Method]), default=str(Method.MINMAX)
)
@click.option("--share", default=SHARE, help="Of the values between percentiles.")
@click.option("--smooth", default=0.0, help="Share of ranges moved to weights: 0.5.")
@click.option("--most-error", default=LayerLimits.error, show_default=True)
@click.option("--least-gain", type=click.FloatRange(min=0), help="Default: times decide nothing.")
@click.option("--keep", multiple=True, metavar="NODE", help="A node that stays f32.")
@click.option("--threads", type=THREADS, help="Default: all cores.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def quantize_command(
    model: Path,
    calibration: Sequence[Path],
    output: Path,
    method: str,
    share: float,
    smooth: float,
    most_error: float,
    least_gain: float | None,
    keep: Sequence[str],
    threads: int | None,
    as_json: bool,
) -> None:
    """Write MODEL with 8-bit products.

    CALIBRATION: .npz files, the inputs of a call in each.

    A product stays f32 if the relative error of its result exceeds --most-error. With --least-gain
    it also stays f32 if its measured time in f32 is less than that many times its time in 8 bits.
    """
    refuse_ir(model)
    limits = LayerLimits(most_error, LayerLimits.gain if least_gain is None else least_gain)
    runs = [read_archive(file) for file in calibration]
    with _shown(f"quantizing {model.name}: {counted(len(runs), 'call')} to calibrate"):
        _, layers = quantize_by_layer(
            model,
            runs,
            output,
            limits=limits,
            keep=keep,
            method=method,
            share=share,
            smooth=smooth,
            threads=threads,
        )
    if as_json:
        click.echo(json.dumps([asdict(layer) for layer in layers], indent=2))
        return
    console = terminal()
    show_table(console, _table(layers))
    show_text(console, _summary(layers, limits))


def _table(layers: Sequence[LayerChoice]) -> Table:
    table = Table("product", "operator", "error", "f32 µs", "int8 µs", "operands")
    for layer in layers:
        table.add_row(
            escape(layer.name),
            layer.operator,
            f"{layer.error:.2e}",
            f"{layer.f32_us:.1f}",
            f"{layer.int8_us:.1f}",
            f"f32: {layer.kept}" if layer.kept else "int8",
        )
    return table


def _summary(layers: Sequence[LayerChoice], limits: LayerLimits) -> str:
    chosen = [layer for layer in layers if not layer.kept]
    text = f"{len(chosen)} of {counted(len(layers), 'product')} in 8 bits"
    if chosen:
        before = sum(layer.f32_us for layer in chosen)
        after = sum(layer.int8_us for layer in chosen)
        text += f": they took {before:.1f} µs in f32 and take {after:.1f} µs in int8"
    rule = f"a product stays in f32 if its error is above {limits.error:g}"
    if limits.gain:
        rule += f" or its gain below {limits.gain:g}"
    return f"{text}; {rule}"


@contextlib.contextmanager
def _shown(text: str) -> Generator[None]:
    """Show a line of text on a terminal while the ``with`` block runs.

    Nothing is shown with the option -v, because the log then shows the progress.
    """
    console = terminal(stderr=True)
    if not console.is_terminal or is_verbose():
        yield
        return
    with console.status(text):
        yield
