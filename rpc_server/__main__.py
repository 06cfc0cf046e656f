"""Start the Python server; see runtime/rpc/server_process.py."""

from __future__ import annotations

import sys

from ..runtime.rpc.server_process import main

if __name__ == "__main__":
    sys.exit(main())
