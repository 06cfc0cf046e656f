"""The header of a file in safetensors layout that holds one tensor of bytes.

    length of the header (8 bytes) | header (JSON, padded with spaces) | data

Source: the format description of the safetensors project.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

DATA_ALIGNMENT_BYTES = 64


def header(name: str, size_bytes: int, metadata: Mapping[str, str]) -> bytes:
    """Return the bytes before the data, which then start at a multiple of 64 bytes."""
    tensor = {"dtype": "U8", "shape": [size_bytes], "data_offsets": [0, size_bytes]}
    text = json.dumps({"__metadata__": dict(metadata), name: tensor}).encode()
    text += b" " * (-(8 + len(text)) % DATA_ALIGNMENT_BYTES)
    return len(text).to_bytes(8, "little") + text
