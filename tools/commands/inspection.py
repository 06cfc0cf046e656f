"""``tw inspect``: print a model's contents and unsupported nodes; with --kernels, its kernels.

exported_file.py prints the contents of exported files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ...runtime.display import byte_text
from ...runtime.module.inspection import is_exported
from ...testing.array_files import read_archive
from ..compilation import compile_request
from ..loading import compiler_options, refuse_options
from ..options import INPUT_FILE, CommandRequest, model_options, refuse_ir
from ..tables import kernel_table
from ..terminal import show_table, show_text, terminal
from .exported_file import show_file
from .help import ToolCommand

if TYPE_CHECKING:
    from ...codegen.resources import Resources
    from ...driver.module.compiled_module import CompiledModule
    from ...driver.report.describe import ModelReport, OperatorReport

MAX_SHOWN = 20
"""The most unsupported nodes that are printed; --json prints all."""


@click.command(
    "inspect",
    cls=ToolCommand,
    examples=["tw inspect model.onnx --shapes batch=8 --kernels", "tw inspect model.so"],
)
@model_options
@click.option("--kernels", is_flag=True, help="Also compile it: kernels, memory, times.")
@click.option(
    "--errors",
    type=INPUT_FILE,
    help="A .npz file of inputs: errors of the products with --precision bf16.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def inspect_command(
    request: CommandRequest, kernels: bool, errors: Path | None, as_json: bool
) -> None:
    """Show the inputs, outputs, weights and unsupported nodes of MODEL, or of an exported file.

    Exit code 1 if a node is not supported.
    """
    if is_exported(request.model):
        own = {"--shapes": request.shapes, "--values": request.values, "--errors": errors}
        refuse_options(request.model, {**compiler_options(request), **own})
        show_file(request.model, as_json=as_json)
        return
    refuse_ir(request.model)
    if errors is not None:
        _show_errors(request, errors, as_json=as_json)
        return
    from ...driver.report.describe import describe_model

    report = describe_model(request.model, shapes=request.shapes, values=request.values)
    module = compile_request(request) if kernels else None
    if as_json:
        compiled = {} if module is None else {"compiled": _compiled_fields(module)}
        supported = {"is_supported": report.is_supported}
        click.echo(json.dumps({**asdict(report), **supported, **compiled}, indent=2))
    else:
        _show(report, module)
    if not report.is_supported:
        raise click.exceptions.Exit(1)


def _show_errors(request: CommandRequest, file: Path, *, as_json: bool) -> None:
    """Print the errors of a model's matrix products against f32, for the inputs in a file."""
    from ...driver.quantize.product_errors import product_errors

    rows = product_errors(
        str(request.model),
        read_archive(file),
        precision=request.precision,
        target=request.target,
        threads=request.threads,
    )
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows], indent=2))
        return
    table = Table("product", "operands", "error", "f32 µs", f"{request.precision} µs", "saved")
    for row in rows:
        error = "" if row.error is None else f"{row.error:.2e}"
        kept = f"f32: {row.kept}" if row.kept else request.precision
        saved = "" if row.kept else f"{row.f32_us - row.us:.1f}"
        times = f"{row.f32_us:.1f}", f"{row.us:.1f}", saved
        table.add_row(escape(", ".join(row.nodes)), kept, error, *times)
    show_table(terminal(), table)


def _resources(module: CompiledModule) -> tuple[Mapping[str, Resources], str]:
    """Return the GPU resources of each kernel by kernel name, and why they are unknown.

    The reason is "" if they are known.  Without CUDA's assembler, the resources are empty.
    """
    from ...codegen.ptx import MissingAssembler

    try:
        return module.kernel_resources(), ""
    except MissingAssembler as err:
        return {}, str(err)


def _compiled_fields(module: CompiledModule) -> dict[str, Any]:
    """Return facts about compiled code for JSON; arena_bytes is None if sizes are dynamic."""
    is_dynamic = any(spec.is_symbolic() for spec in module.inputs)
    used = {name: asdict(resources) for name, resources in _resources(module)[0].items()}
    return {
        "kernels": [{**asdict(kernel), **used.get(kernel.name, {})} for kernel in module.kernels],
        "flops": sum(kernel.flops * kernel.calls for kernel in module.kernels),
        "arena_bytes": None if is_dynamic else module.manifest.arena_bytes,
        "weights_bytes": module.manifest.weights_bytes,
        "code_bytes": len(module.code),
        "target": module.manifest.target,
        "stage_s": dict(module.times),
    }


def _show(report: ModelReport, module: CompiledModule | None) -> None:
    console = terminal()
    for line in _lines(report):
        show_text(console, line)
    show_table(console, _tensors(report))
    show_table(console, _operators(report))
    for line in _problems(report):
        show_text(console, line)
    if module is not None:
        _show_compiled(console, module)


def _lines(report: ModelReport) -> Iterable[str]:
    opsets = ", ".join(f"{domain} {version}" for domain, version in report.opsets.items())
    made_by = f", made by {report.producer}" if report.producer else ""
    yield f"{report.file}: {byte_text(report.file_bytes)}, IR version {report.ir_version}{made_by}"
    yield f"opsets: {opsets}"
    yield f"parameters: {report.parameters:,} ({byte_text(report.parameter_bytes)})"


def _tensors(report: ModelReport) -> Table:
    table = Table("", "name", "type", "to bind")
    for tensor in report.inputs:
        table.add_row("in", escape(tensor.name), escape(str(tensor)), _binding(report, tensor.name))
    for tensor in report.outputs:
        table.add_row("out", escape(tensor.name), escape(str(tensor)), "")
    return table


def _binding(report: ModelReport, name: str) -> str:
    if name in report.value_inputs:
        return "its values"
    return "its sizes" if name in report.dynamic_inputs else ""


def _operators(report: ModelReport) -> Table:
    table = Table("operator", "nodes", "supported")
    for row in report.operators:
        name = f"{row.domain}::{row.op_type}" if row.domain else row.op_type
        table.add_row(escape(name), str(row.count), _support(row, report))
    return table


def _support(row: OperatorReport, report: ModelReport) -> str:
    if row.kind == "none":
        return "[red]no[/red]"
    if row.refused and report.is_bindable:
        return "when bound"
    if row.refused:
        return f"[red]not {row.refused} of them[/red]"
    return {"function": "function", "body": "by its definition"}.get(row.kind, "yes")


def _problems(report: ModelReport) -> Iterable[str]:
    if report.dynamic_inputs or report.value_inputs:
        yield "Sizes or values are open; --shapes and --values bind them beforehand."
    what = "open" if report.is_bindable else "not supported"
    for node in report.refused[:MAX_SHOWN]:
        yield f"{what}: {node}"
    if len(report.refused) > MAX_SHOWN:
        yield f"… and {len(report.refused) - MAX_SHOWN} more"
    if report.problem:
        yield f"error: {report.problem}"


def _show_compiled(console: Console, module: CompiledModule) -> None:
    fields = _compiled_fields(module)
    resources, reason = _resources(module)
    show_table(console, kernel_table(module.kernels, resources))
    if reason:
        show_text(console, f"registers: {reason}")
    times = Table("stage", "ms", title="compilation")
    for stage, time_s in module.times.items():
        times.add_row(stage, f"{1e3 * time_s:.1f}")
    show_table(console, times)
    known = {what: fields[f"{what}_bytes"] for what in ("arena", "weights", "code")}
    sizes = ", ".join(
        f"{what} {'by sizes' if count is None else byte_text(count)}"
        for what, count in known.items()
    )
    show_text(console, f"{1e-6 * fields['flops']:,.2f} MFLOP per call; {sizes}")
    show_text(console, f"for {fields['target']}")
