"""Run the server from the command line; see command.py."""

from __future__ import annotations

from .command import serve_command

if __name__ == "__main__":
    serve_command(prog_name="python -m tilewright.serve")
