"""The command line of the server: ``tw serve``, or ``python -m tilewright.serve`` alone.

The command needs the package click, which uvicorn installs.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import click

from .server import serve
from .settings import Settings


@click.command("serve")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: all interfaces.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--grpc-port", type=click.IntRange(1, 65535), help="Also serve gRPC on this port.")
@click.option("--threads", type=click.IntRange(1), help="Budget of all calls; default: all cores.")
@click.option("--max-body-mb", default=64, show_default=True, type=click.IntRange(1))
@click.option("--max-requests", default=1024, show_default=True, type=click.IntRange(1))
@click.option("--timeout", "request_s", default=60.0, show_default=True, help="Seconds, else 504.")
@click.option("--poll", "poll_s", default=0.0, show_default=True, help="Seconds; 0: load API only.")
@click.option("--drain", "drain_s", default=30.0, show_default=True, help="Seconds after SIGTERM.")
@click.option(
    "--drain-delay", "drain_delay_s", default=0.0, show_default=True,
    help="Seconds with a failing readiness check before the sockets close.",
)  # fmt: skip
@click.option("--trusted", multiple=True, help="A public key, PEM, that may have signed models.")
def serve_command(folder: Path, max_body_mb: int, trusted: tuple[str, ...], **options: Any) -> None:
    """Serve the models FOLDER/NAME/VERSION/model.so (or model.tar) until Ctrl-C or SIGTERM.

    Example: tw compile model.onnx -o models/classifier/1/model.so, then tw serve models.
    """
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    settings = Settings(max_body_bytes=max_body_mb << 20, trusted=trusted, **options)
    serve(folder, settings)
