"""Random messages for RPC servers, and checks of the replies.

A session is a stream of bytes made from a seed: valid messages that upload, load, allocate and
find, then messages whose fields or bytes are often wrong, then a frame that ends the session. In
some sessions the messages are also in another order. The server in C is built with the sanitizers
of addresses, leaks and undefined behavior; its sandbox then has no filter of system calls.
"""

from __future__ import annotations

import io
import os
import re
import resource
import select
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.driver.host_programs.hosts import sanitizers, tool
from tilewright.runtime.rpc.channels import PipeChannel
from tilewright.runtime.rpc.errors import ProtocolError, RpcError
from tilewright.runtime.rpc.local_host import Limits, LocalHost
from tilewright.runtime.rpc.messages import (
    BY_NAME,
    BY_NUMBER,
    ERROR_FIELDS,
    HEADER,
    MAGIC,
    MAX_CHUNK_BYTES,
    MAX_COUNT,
    MAX_PAYLOAD_BYTES,
    TABLE,
    Buffer,
    RemoteFunction,
    RemoteTensor,
    RemoteValue,
    Status,
    frame,
    read,
    read_header,
    written,
)
from tilewright.runtime.rpc.proof import Handshake
from tilewright.runtime.rpc.remote_host import RemoteHost
from tilewright.runtime.rpc.server import SessionServer
from tilewright.tools.rpc_program import build_server

from .servers import exported, recording_library

MESSAGES = 400
"""The random messages of a session."""
REORDERED = 0.2
"""The part of the sessions with messages in another order."""
MEMORY_MB, MOST_MB = 64, 128
"""The limit of a session, and the most that its process may use with the sanitizers."""
# Freed memory is not kept for long, so that the peak is one of the memory that is in use.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=16"}
SILENCE_S = 300
"""After this time without an answer, a server hangs."""
NONCES = b"s" * 32, b"c" * 32

EDGES = (
    0, 1, 3, 31, 32, 33, 255, 256, 257, MAX_COUNT, MAX_COUNT + 1, MAX_CHUNK_BYTES,
    MAX_CHUNK_BYTES + 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
)  # fmt: skip
FLOAT32 = 0x12002
DTYPES = (FLOAT32, FLOAT32, FLOAT32, 0x10800, 0x10101, 0, 0xFFFFFFFF)
SHAPES = ((4, 8), (4, 8), (), (0,), (-1,), (1 << 40, 1 << 40), (0, 1 << 62, 4), (1,) * 33)
NAMES = ("m.so", "m.so", "p.so", "m.tar", "w.so", "x", "../x", "", "größe", "a" * 200, "a" * 201)
X, Y = RemoteTensor(2, FLOAT32, (4, 8)), RemoteTensor(3, FLOAT32, (4, 8))
VALID: Mapping[str, Sequence[Any]] = {
    "write": (1, 4, b"data"), "read": (1, 0, 4096), "copy": (2, 0, 1, 64, 128), "find": (4, "main"),
    "upload": ("x", 0, b"data"), "download": ("m.so", 0, 300), "load": ("m.so", 1),
    "call": (5, [X, Y]), "run": (4, [X]), "shapes": (4, [(4, 8)]), "time": (5, 1, 1, 0, 0, [X, Y]),
    "steps": (6,), "record": (7, 1, 1, [X, Y]),
}  # fmt: skip
"""Fields that the server accepts after `first_messages`."""
FUNCTIONS = ("main", "main", "main_output_shapes", "no", "", "f" * 255, "f" * 256)


@dataclass
class Fuzzer:
    """Makes the messages of a session.  handles: about how many objects the session has made."""

    random: Random
    handles: int = 0

    def handle(self, name: str, *, is_kept: bool = True) -> int:
        """Return a handle for a field, mostly one of the first messages, which are kept."""
        first = {"module": (4, 4, 6), "function": (5, 5, 7)}.get(name, (1, 2, 3))
        if is_kept and self.random.random() < 0.8:
            return self.random.choice(first)
        near = self.random.randint(8, self.handles + 1)
        return self.random.choice((near,) * 8 + (self.random.randrange(7), EDGES[-1]))

    def u32(self, name: str) -> int:
        usual = {"kind": (1, 1, 1, 0, 2), "index": (0,), "threads": (1, 1, 0, 2)}
        return self.random.choice(usual.get(name, ())) if name in usual else self.number(32)

    def u64(self, name: str) -> int:
        if name in ("memory", "target", "source", "module", "function"):
            return self.handle(name)
        return self.random.randrange(200) if self.random.random() < 0.7 else self.number(64)

    def number(self, bits: int) -> int:
        return self.random.choice(EDGES) % (1 << bits)

    def data(self) -> bytes:
        sizes = (0, 1, 64, 5000) if self.random.random() < 0.98 else EDGES[11:12]
        return self.random.randbytes(self.random.choice(sizes))

    def value(self) -> RemoteValue:
        tensor = RemoteTensor(
            self.handle("memory"), self.random.choice(DTYPES), self.random.choice(SHAPES)
        )
        text = "t" * self.random.choice((0, 3, 255, 256))
        other = (
            None,
            True,
            self.random.choice((-1, 7)),
            0.5,
            text,
            RemoteFunction(self.handle("function")),
        )
        return self.random.choice((tensor, *other, tensor, tensor))

    def values(self) -> list[RemoteValue]:
        if self.random.random() > 0.04:
            return [self.value() for _ in range(self.random.choice((0, 1, 1, 1, 2, 3)))]
        # About as many values, or sizes, as a call may have.
        value = self.random.choice((RemoteTensor(1, 0x10800, (1,) * 32), 1))
        return [value] * self.random.choice((128, 129, 256, 257, 300))

    def shapes(self) -> list[tuple[int, ...]]:
        return [self.random.choice(SHAPES) for _ in range(self.random.choice((0, 1, 1, 2, 256)))]

    def field(self, name: str, kind: str) -> Any:
        makers: Mapping[str, Callable[[], Any]] = {
            "u32": lambda: self.u32(name),
            "u64": lambda: self.u64(name),
            "text": lambda: self.random.choice(NAMES + FUNCTIONS),
            "bytes": self.data,
            "shapes": self.shapes,
            "values": self.values,
        }
        return makers[kind]()

    def changed(self, data: bytearray) -> bytearray:
        """Return bytes with a change at a random place."""
        at = self.random.randint(0, len(data))
        size = self.random.choice((1, 4, 8, 30))
        number = self.random.choice((self.number(64), self.random.getrandbits(64)))
        near = int.from_bytes(data[at : at + 4], "little") + self.random.choice((-1, 1))
        parts = {
            "cut": b"",
            "longer": data[at:] + self.random.randbytes(size),
            "random": self.random.randbytes(size) + data[at + size :],
            "edge": number.to_bytes(8, "little")[: min(size, 8)] + data[at + size :],
            "near": (near % (1 << 32)).to_bytes(4, "little") + data[at + 4 :],
            "removed": data[at + size :],
            "twice": data[at : at + size] + data[at:],
        }
        return data[:at] + parts[self.random.choice(tuple(parts))]

    def uploaded(self) -> tuple[str, int, bytes]:
        """Return an exported file, perhaps changed, for `upload`."""
        name = self.random.choice(("m.so", "m.tar"))
        data = bytearray(_files()[name])
        if self.random.random() < 0.3:
            return name, 0, bytes(data)
        at = self.random.choice((0, 0, self.random.randrange(len(data))))
        data[at : at + 1500] = self.changed(data[at : at + 1500])
        return self.random.choice((name, "w.so")), 0, bytes(data)

    def message(self) -> tuple[int, bytes]:
        """Return the number of a message that is allowed after the handshake, and its payload."""
        row = self.random.choice(TABLE[2:])
        values = list(VALID.get(row.name, ()))
        if not values or self.random.random() < 0.6:
            values = [self.field(*each) for each in row.request.items()]
        if row.name in ("free", "unload", "drop"):
            values = [self.handle(*row.request, is_kept=False)]
        if row.name == "remove":
            values = [self.random.choice(("x", "w.so", "no", ""))]
        if row.name == "upload" and self.random.random() < 0.15:
            values = [*self.uploaded()]
        payload = bytearray(b"".join(map(bytes, written(row.request, values))))
        for _ in range(self.random.choice((0, 0, 0, 0, 1, 1, 2))):
            payload = self.changed(payload)
        number = row.number if self.random.random() < 0.97 else self.random.choice(TABLE[2:]).number
        if number == BY_NAME["time"].number:
            payload[8:36] = self.short_measurement()[: len(payload[8:36])]
        self.handles += row.name in ("load", "find", "run") and self.random.random() < 0.4
        return number, bytes(payload)

    def short_measurement(self) -> bytes:
        """Return the numbers of `time`: a valid measurement takes no time."""
        number = self.random.choice((1, 1, 1, 3, 0, (1 << 40) + 1))
        repeat = self.random.choice((1, 1, 1, 1000, 0, 1001))
        row = BY_NAME["time"].request
        fields = {name: row[name] for name in ("number", "repeat", "least_ns", "cooldown_ns")}
        return b"".join(map(bytes, written(fields, (number, repeat, 0, 0))))

    def last(self) -> tuple[bytes, Status | None]:
        """Return bytes after which the session ends, and the status of the last reply."""
        kind, payload = self.message()
        size = len(payload)
        wrong: list[tuple[tuple[int, ...], Status | None]] = [
            ((MAGIC ^ 1 << self.random.randrange(32), kind, 0, 1, 0, size), Status.ENDED),
            ((MAGIC, kind, self.random.choice((1, 2, 3, 4, 65535)), 1, 0, size), Status.ENDED),
            ((MAGIC, kind, 0, 1, self.random.choice((1, 1 << 31)), size), Status.ENDED),
            ((MAGIC, kind, 0, 1, 0, MAX_PAYLOAD_BYTES + 1), Status.ENDED),
            ((MAGIC, kind, 0, 1, 0, (1 << 64) - 1), Status.ENDED),
            ((MAGIC, self.random.choice((1, 2)), 0, 1, 0, size), Status.ENDED),
            ((MAGIC, kind, 0, 1, 0, size + self.random.choice((1, 100))), None),
        ]
        head, status = self.random.choice(wrong)
        data = HEADER.pack(*head) + payload
        if status is None and self.random.random() < 0.5:
            return data[: self.random.randrange(HEADER.size)], None
        return data, status


@cache
def _files() -> dict[str, bytes]:
    made = {path.name: path.read_bytes() for path in exported().iterdir()}
    return made | {"p.so": recording_library()}


def request(number: int, kind: int, payload: Sequence[Buffer]) -> bytes:
    return b"".join(map(bytes, frame(kind, Status.REQUEST, number, payload)))


def first_messages() -> list[tuple[str, Sequence[Any]]]:
    """Return valid messages, so that the first handles are of memory, a module and a function."""
    uploads = [("upload", (name, 0, data)) for name, data in _files().items()]
    memory = [("allocate", (1, 0, size)) for size in (4096, 128, 128)]
    modules = [("load", ("m.so", 1)), ("find", (4, "main"))]
    modules += [("load", ("p.so", 1)), ("find", (6, "main"))]
    return [*uploads, *memory, *modules, ("find", (1, "main"))]


def stream_of(seed: int) -> tuple[list[bytes], bytes, Status | None]:
    """Return the requests of a session after the handshake, its last bytes, and their reply."""
    fuzzer, rows = Fuzzer(Random(seed), handles=8), first_messages()
    made = [(BY_NAME[name].number, written(BY_NAME[name].request, row)) for name, row in rows]
    for _ in range(MESSAGES):
        number, payload = fuzzer.message()
        made.append((number, [payload]))
    if fuzzer.random.random() < REORDERED:
        for _ in range(30):
            at, into = (fuzzer.random.randrange(len(made)) for _ in range(2))
            made.insert(into, made.pop(at))
    parts = [request(number, *row) for number, row in enumerate(made)]
    return parts, *fuzzer.last()


def check_replies(data: bytes, requests: Sequence[bytes], end: Status | None) -> int:
    """Check that a server answered all requests, in order; return how many it did not refuse.

    end: the status of the frame that then ends the session; None: the session just ends.
    """
    replies, accepted = io.BytesIO(data), 0
    for number, asked in enumerate(requests):
        kind = read_header(asked[: HEADER.size])[0]
        answered, status, got, size = read_header(replies.read(HEADER.size))
        assert (answered, got) == (kind, number), f"reply {number} is of another message"
        assert status in (Status.REPLY, Status.ERROR)
        fields = BY_NUMBER[kind].reply if status is Status.REPLY else ERROR_FIELDS
        values = read(fields, replies.read(size))
        assert status is Status.REPLY or all(values), "an error without words"
        accepted += status is Status.REPLY
    if end is not None:
        _, status, _, size = read_header(replies.read(HEADER.size))
        assert status is end
        assert all(read(ERROR_FIELDS, replies.read(size)))
    assert replies.read() == b""
    return accepted


@cache
def sanitized_server() -> Path:
    """Return the C server with sanitizers; it ends by `exit`, which looks for leaks."""
    path = exported().parent / "sanitized"
    build_server(path, [tool("gcc")], ("-std=gnu99", *sanitizers(), "-D_exit=exit"))
    return path


def answers_of(process: subprocess.Popen[bytes], data: bytes) -> bytes:
    """Return what a server answers until the end; it ends without an error or a report."""
    answers, report = process.communicate(data, timeout=SILENCE_S)
    assert report == b"", report.decode(errors="replace")
    assert process.returncode == 0, f"exit code {process.returncode}"
    return answers


def started() -> subprocess.Popen[bytes]:
    command = [str(sanitized_server()), "--stdio", "--memory-mb", str(MEMORY_MB)]
    command += ["--timeout", "300"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT)


def answers_while_alive(process: subprocess.Popen[bytes], requests: Sequence[bytes]) -> bytes:
    """Return the replies to requests; check the memory of the process, unless it has ended."""
    assert process.stdin is not None
    outgoing = process.stdin

    def send() -> None:
        with suppress(BrokenPipeError):
            outgoing.write(b"".join(requests))
            outgoing.flush()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(send)
        answers = bytearray()
        for _ in requests:
            head = next_bytes(process, HEADER.size)
            if len(head) < HEADER.size:
                return bytes(answers)
            answers += head + next_bytes(process, read_header(head)[3])
    assert peak_mb(process) < MOST_MB, "a session takes too much memory"
    return bytes(answers)


def next_bytes(process: subprocess.Popen[bytes], size: int) -> bytes:
    """Return the next bytes that a server writes, fewer at the end of the stream.

    Errors: TimeoutError if the server is silent for too long, which ends its process.
    """
    assert process.stdout is not None
    file, made = process.stdout.fileno(), bytearray()
    poller = select.poll()
    poller.register(file, select.POLLIN)
    while len(made) < size:
        if not poller.poll(1000 * SILENCE_S):
            process.kill()  # the thread that sends would wait, too
            raise TimeoutError(f"the server is silent for {SILENCE_S} seconds")
        data = os.read(file, size - len(made))
        if not data:
            break
        made += data
    return bytes(made)


def peak_mb(process: subprocess.Popen[bytes]) -> int:
    """Return the most MB that a process has had."""
    facts = Path(f"/proc/{process.pid}/status").read_text()
    return int(*re.findall(r"VmHWM:\s+(\d+) kB", facts)) >> 10


def begin(process: subprocess.Popen[bytes]) -> None:
    """Do the handshake."""
    assert process.stdin is not None
    assert process.stdout is not None
    RemoteHost(PipeChannel(process.stdout.fileno(), process.stdin.fileno()))


class Recorded:
    """A channel that reads bytes of a list, and keeps what is sent."""

    def __init__(self, data: bytes) -> None:
        self._data, self.sent = io.BytesIO(data), bytearray()

    def send(self, parts: Sequence[Buffer]) -> None:
        self.sent += b"".join(map(bytes, parts))

    def receive_into(self, memory: memoryview) -> None:
        if self._data.readinto(memory) != memory.nbytes:
            raise RpcError("the stream is at its end")

    def close(self) -> None:
        """There is nothing to close."""


def handshake() -> bytes:
    proof = Handshake(b"", *NONCES).of_client("", 0)
    rows = (("hello", (1, NONCES[1])), ("authenticate", ("", 0, proof)))
    return b"".join(
        request(0, BY_NAME[name].number, written(BY_NAME[name].request, row)) for name, row in rows
    )


def c_session(seed: int) -> tuple[int, int, int]:
    """Send a session to the C server; return the messages, the accepted ones, and its peak in MB.

    Errors: AssertionError for a wrong reply, a report of a sanitizer, or too much memory;
    TimeoutError or TimeoutExpired if the server hangs.
    """
    requests, last, end = stream_of(seed)
    with started() as process:
        try:
            begin(process)
            answers, peak = answers_while_alive(process, requests), peak_mb(process)
            answers += answers_of(process, last)
        finally:
            process.kill()
    return len(requests) + 1, check_replies(answers, requests, end), peak


def python_session(seed: int) -> tuple[int, int, int]:
    """Send a session to the Python server, in this process; see `c_session`."""
    requests, last, end = stream_of(seed)
    channel = Recorded(handshake() + b"".join(requests) + last)
    host = LocalHost(Limits(MEMORY_MB << 19, MEMORY_MB << 18))
    server = SessionServer(channel, host, "", {}, lambda ms: None)
    server._handshake = Handshake(b"", NONCES[0], b"")
    with suppress(ProtocolError):
        server.serve()
    answers = bytes(channel.sent)
    for _ in range(2):
        answers = answers[HEADER.size + read_header(answers[: HEADER.size])[3] :]
    accepted = check_replies(answers, requests, end)
    return len(requests) + 1, accepted, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
