"""``tw sign`` and ``tw verify``: sign an exported file, and check its signature and digests."""

from __future__ import annotations

from pathlib import Path

import click

from ...driver.module.export import sign_file
from ...runtime.module.verification import verify_file
from ..options import INPUT_FILE
from .help import ToolCommand


@click.command(
    "sign",
    cls=ToolCommand,
    examples=["tw sign model.so --key private.pem", "tw sign model.tar --key private.pem"],
)
@click.argument("file", type=INPUT_FILE)
@click.option("--key", required=True, type=INPUT_FILE, help="A private ed25519 key, PEM.")
def sign_command(file: Path, key: Path) -> None:
    """Write the signature of FILE, which export_library has written, to FILE.sig."""
    verify_file(file)
    click.echo(str(sign_file(file, key)), err=True)


@click.command(
    "verify",
    cls=ToolCommand,
    examples=["tw verify model.so --trusted public.pem", "tw verify model.so"],
)
@click.argument("file", type=INPUT_FILE)
@click.option(
    "--trusted",
    type=INPUT_FILE,
    multiple=True,
    help="A public ed25519 key, PEM, that may have signed FILE; may be repeated.",
)
def verify_command(file: Path, trusted: tuple[Path, ...]) -> None:
    """Compare all bytes of FILE and of its weights with their digests, without loading code.

    Exit code 1 for a difference, or if no trusted key has signed FILE.
    """
    verify_file(file, trusted or None)
    click.echo(f"{file}: intact{', signed by a trusted key' if trusted else ''}")
