"""The bytes of messages: the table, the Python end, and the numbers in the C end."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest

from tilewright.runtime import include_dir
from tilewright.runtime.rpc.errors import ProtocolError
from tilewright.runtime.rpc.messages import (
    BY_NAME,
    HEADER,
    MAX_CHUNK_BYTES,
    MAX_PAYLOAD_BYTES,
    TABLE,
    TRACKER_TABLE,
    VERSION,
    RemoteFunction,
    RemoteTensor,
    Status,
    frame,
    read,
    read_header,
    written,
)

SAMPLES = {
    "u32": 7,
    "u64": 1 << 40,
    "text": "größe.so",
    "bytes": b"abc",
    "sizes": (1, -2, 1 << 40),
    "shapes": [(2, 3), ()],
    "values": [
        None, True, -5, 0.5, "text", RemoteFunction(9), RemoteTensor(3, 0x12002, (4, 8)),
    ],
}  # fmt: skip


@pytest.mark.parametrize("row", [*TABLE, *TRACKER_TABLE[2:]], ids=lambda row: row.name)
def test_a_message_is_read_as_it_was_written(row) -> None:
    for fields in (row.request, row.reply):
        values = [SAMPLES[kind] for kind in fields.values()]
        payload = b"".join(map(bytes, written(fields, values)))
        got = [
            bytes(each) if isinstance(each, memoryview) else each for each in read(fields, payload)
        ]
        assert got == values
        for end in range(len(payload)):
            with pytest.raises(ProtocolError):
                read(fields, payload[:end])
        with pytest.raises(ProtocolError):
            read(fields, payload + b"\0")


def test_the_bytes_are_those_of_the_document() -> None:
    """docs/rpc.md shows this frame."""
    parts = frame(4, Status.REQUEST, 1, written(TABLE[3].request, (1, 0, 4096)))
    text = (
        "54 57 52 31 04 00 00 00 01 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00 "
        "01 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00"
    )
    assert b"".join(map(bytes, parts)).hex(" ") == text
    assert text.replace(" ", "") in re.sub(
        r"\s", "", (include_dir().parents[1] / "docs" / "rpc.md").read_text()
    )


def test_headers_of_other_protocols_are_refused() -> None:
    good = HEADER.pack(0x31525754, 3, 0, 1, 0, 0)
    assert read_header(good) == (3, Status.REQUEST, 1, 0)
    for at in range(4):
        with pytest.raises(ProtocolError, match="another protocol"):
            read_header(good[:at] + b"\xff" + good[at + 1 :])
    with pytest.raises(ProtocolError, match="more than"):
        read_header(HEADER.pack(0x31525754, 3, 0, 1, 0, MAX_PAYLOAD_BYTES + 1))


def test_a_list_cannot_ask_for_much_memory() -> None:
    huge = struct.pack("<QI", 1, 0xFFFFFFFF)
    with pytest.raises(ProtocolError, match="elements"):
        read({"function": "u64", "arguments": "values"}, huge)


def test_the_c_server_has_the_same_table() -> None:
    source = (include_dir() / "rpc" / "wire.c").read_text()
    numbers = {
        name.lower(): int(number) for name, number in re.findall(r"MSG_(\w+) = (\d+)", source)
    }
    assert numbers == {row.name: row.number for row in (*TABLE, BY_NAME["announce"])}
    assert f"PROTOCOL_VERSION = {VERSION}" in source
    assert MAX_CHUNK_BYTES == 8 << 20
    assert "MAX_CHUNK_BYTES = 8 << 20" in source
    assert "MAX_PAYLOAD_BYTES = MAX_CHUNK_BYTES + (64 << 10)" in source


def test_large_data_is_not_copied() -> None:
    data = np.zeros(1 << 20, np.uint8).data
    parts = frame(6, Status.REQUEST, 1, written(TABLE[5].request, (1, 0, data)))
    assert any(part is data for part in parts)
