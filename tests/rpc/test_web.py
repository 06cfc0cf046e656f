"""The server in node: WebAssembly modules, called from Python, and what it refuses."""

from __future__ import annotations

import gc
import hashlib
import json
import socket
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import pytest

import tilewright
from tilewright import GraphModule, nd, rpc
from tilewright.codegen import webassembly
from tilewright.runtime import include_dir
from tilewright.runtime.abi.constants import DTYPES
from tilewright.runtime.rpc import requests
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.messages import (
    BY_NAME,
    ERROR_FIELDS,
    HEADER,
    MAGIC,
    MAX_CHUNK_BYTES,
    MAX_PAYLOAD_BYTES,
    TABLE,
    Status,
    read,
    read_header,
)
from tilewright.runtime.rpc.messages import written as payload_of
from tilewright.runtime.rpc.places import sent_module
from tilewright.testing.models import with_weights

from ..targets.cpu.web.web_module import needs_web, script
from .farms import TOKEN
from .servers import serving
from .test_messages import SAMPLES

pytestmark = needs_web
SOURCES = include_dir() / "rpc"
NODE = ("node", str(SOURCES / "node.mjs"))
CNN = with_weights(
    """<ir_version: 9, opset_import: ["": 18]>
    cnn (float[2, 3, 8, 8] x) => (float[2, 4, 4, 4] scores) {
      a = Conv <pads = [1, 1, 1, 1]> (x, w)
      b = Relu (a)
      c = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (b)
      scores = Softmax <axis = 1> (c)
    }""",
    w=(4, 3, 3, 3),
)
SUM = """<ir_version: 9, opset_import: ["": 18]>
    g (float[n, 8] x) => (float[n, 8] y) { y = Add (x, x) }"""
X = np.random.default_rng(0).standard_normal((4, 8), np.float32)
SESSION_MESSAGES = 22
"""The first messages of the table, which the server has; it refuses later ones with an error."""
MESSAGES = """
import { readFileSync } from "node:fs";
import { TABLE, Malformed, joined, read, written } from "WIRE";
import { DTYPES } from "HOST";

function isMalformed(kinds, payload) {
  try {
    read(kinds, payload);
    return false;
  } catch (error) {
    return error instanceof Malformed;
  }
}

const again = JSON.parse(readFileSync("payloads.json")).map(([at, side, hex]) => {
  const kinds = TABLE[at][side], payload = Uint8Array.from(Buffer.from(hex, "hex"));
  for (let end = 0; end < payload.length; end++)
    if (!isMalformed(kinds, payload.subarray(0, end)))
      throw new Error(`${TABLE[at].name} is read from its first ${end} bytes`);
  if (!isMalformed(kinds, joined([payload, new Uint8Array(1)])))
    throw new Error(`${TABLE[at].name} is read from more bytes`);
  return Buffer.from(joined(written(kinds, read(kinds, payload)))).toString("hex");
});
console.log(JSON.stringify({ table: TABLE, again, dtypes: DTYPES }));
"""
STUB = """
(module
  (memory (export "memory") 1)
  (global (export "__tw_last_error") i32 (i32.const 0))
  (global (export "tw_error_kind") i32 (i32.const 0))
  (func (export "tw_allocate_memory") (param i32) (result i32) (i32.const 4096))
  (func (export "tw_free_memory") (param i32))
  (func (export "__tvm_ffi_main") (param i32 i32 i32 i32) (result i32) BODY))
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


@cache
def exported() -> Path:
    """Return the path of an exported model that doubles an array of any number of rows."""
    path = Path(_folder().name) / "sum.wasm"
    tilewright.compile(onnx.parser.parse_model(SUM), target="wasm32").export_library(path)
    return path


def with_digest(code: bytes) -> bytes:
    """Return a module with the section of its digest."""
    return webassembly.with_section(code, "build_id", b"\x20" + hashlib.sha256(code).digest())


def stub(body: str) -> bytes:
    """Return a module whose main function is a text of WebAssembly."""
    wasmtime = pytest.importorskip("wasmtime")
    code = bytes(wasmtime.wat2wasm(STUB.replace("BODY", body)))
    text = webassembly.section_of(exported().read_bytes(), "tilewright")
    assert text is not None
    fields = json.loads(text)
    for spec in (*fields["inputs"], *fields["outputs"]):
        spec |= {"shape": [*X.shape], "entries": [-1, -1]}
    return with_digest(webassembly.with_section(code, "tilewright", json.dumps(fields).encode()))


def session(*options: str) -> rpc.PopenSession:
    """Return a session with a server in node, on its standard streams."""
    return rpc.PopenSession([*NODE, "--stdio", *options])


def test_the_server_has_the_same_table(tmp_path: Path) -> None:
    rows = [*TABLE[:SESSION_MESSAGES], BY_NAME["announce"], BY_NAME["park"]]
    payloads = [
        (at, side, b"".join(map(bytes, payload_of(fields, [SAMPLES[k] for k in fields.values()]))))
        for at, row in enumerate(rows)
        for side, fields in (("request", row.request), ("reply", row.reply))
    ]
    listed = [(at, side, payload.hex()) for at, side, payload in payloads]
    (tmp_path / "payloads.json").write_text(json.dumps(listed))
    text = MESSAGES
    for name in ("wire", "host"):
        text = text.replace(name.upper(), (SOURCES / f"{name}.mjs").as_uri())
    made = json.loads(script(text, tmp_path))
    assert made["again"] == [payload for _, _, payload in listed]
    assert made["table"] == [
        {
            "number": row.number,
            "name": row.name,
            "request": [*row.request.values()],
            "reply": [*row.reply.values()],
        }
        for row in rows
    ]
    assert {name: tuple(row) for name, row in made["dtypes"].items()} == DTYPES


def test_a_network_gives_the_bits_of_this_machine() -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 8), np.float32)
    there = tilewright.compile(CNN, target="wasm32", precision="strict")
    want = tilewright.compile(CNN, precision="strict")(x).numpy()
    with session() as remote:
        module = sent_module(remote, there)
        assert (module(x).numpy() == want).all()
        executor = GraphModule(module["default"](remote.cpu(0)))
        executor.set_input("x", x)
        executor.run()
        assert (executor.get_output(0).numpy() == want).all()


def test_arrays_stay_in_node() -> None:
    with session() as remote:
        assert remote.facts["server"] == "web"
        remote.upload(exported())
        module = remote.load_module("sum.wasm")
        device = remote.cpu(0)
        assert device.exist
        assert not remote.cpu(1).exist
        for x in (X, X[:1]):
            result = module(nd.array(x, device))
            assert result.device == device
            assert (result.numpy() == x + x).all()
            filled = np.zeros(x.shape, np.float32)
            module["main"](x, filled)
            assert (filled == x + x).all()
        assert remote.download("sum.wasm") == exported().read_bytes()
        data = np.arange(2 * MAX_CHUNK_BYTES + 5, dtype=np.uint64).astype(np.uint8)
        twin = nd.empty(data.shape, "uint8", device).copyfrom(nd.array(data, device))
        assert (twin.numpy() == data).all()


def test_every_repeat_is_measured_in_node() -> None:
    with session() as remote:
        remote.upload(exported())
        module = remote.load_module("sum.wasm")
        placed = nd.array(X, remote.cpu(0))
        measured = module.time_evaluator("main", number=300, repeat=4, cooldown_interval_ms=0.1)(
            placed
        )
        assert measured.number == 300
        assert len(measured.results) == 4
        assert min(measured.results) > 0
        assert measured.round_trip_s > 0
        longer = module.time_evaluator("main", number=1, repeat=2, min_repeat_ms=2)(X)
        assert longer.number > 1
        assert all(each * longer.number >= 1.999e-3 for each in longer.results)


def test_sizes_may_depend_on_elements(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 18]>
        g (float[n, 8] x) => (int64[2, found] y) { y = NonZero(x) }"""
    there = tilewright.compile(onnx.parser.parse_model(text), target="wasm32")
    there.export_library(tmp_path / "found.wasm")
    with session() as remote:
        remote.upload(tmp_path / "found.wasm")
        module = remote.load_module("found.wasm")
        for rows in (1, 5):
            x = np.arange(8 * rows, dtype=np.float32).reshape(rows, 8) % 3
            for got in (module(x).numpy(), module(nd.array(x, remote.cpu(0))).numpy()):
                np.testing.assert_array_equal(got, np.stack(np.nonzero(x)))


def test_errors_of_the_server_are_those_of_a_call() -> None:
    with session("--memory-mb", "64") as remote:
        remote.upload(exported())
        module = remote.load_module("sum.wasm")
        wrong = nd.empty((2, 9), "float32", remote.cpu(0))
        with pytest.raises(tilewright.ArgumentError, match="wrong shape"):
            module["main"](wrong, wrong)
        with pytest.raises(KeyError):
            module["absent"]
        with pytest.raises(KeyError):
            remote.get_function("absent")
        with pytest.raises(KeyError):
            remote.load_module("absent.wasm")
        with pytest.raises(tilewright.ArgumentError):
            remote.upload(b"data", "../file")
        with pytest.raises(MemoryError, match="too much memory"):
            nd.empty((65 << 20,), "uint8", remote.cpu(0))
        with pytest.raises(MemoryError, match="too large"):
            remote.upload(bytes(33 << 20), "large")
        for body in ("(memory.grow (i32.const 1025))", "(memory.grow (i32.const 65535))"):
            remote.upload(stub(f"(i32.ne {body} (i32.const -1))"), "grows.wasm")
            remote.load_module("grows.wasm")(X)  # its memory does not grow
        assert (module(X).numpy() == X + X).all()


def test_the_memory_of_modules_counts() -> None:
    grows = "(i32.eq (memory.grow (i32.const 600)) (i32.const -1))"  # 39 MB
    with session("--memory-mb", "64") as remote:
        remote.upload(stub(grows), "m.wasm")
        for _ in range(3):  # a module that is dropped frees its memory
            remote.load_module("m.wasm")(X)
            gc.collect()
        first, second = remote.load_module("m.wasm"), remote.load_module("m.wasm")
        first(X)
        with pytest.raises(RpcError, match="bytes of memory, more than"):
            second(X)


def test_a_changed_module_is_refused() -> None:
    data = exported().read_bytes()
    middle = bytearray(data)
    middle[len(data) // 2] ^= 1
    other = with_digest(b"\0asm\1\0\0\0")
    imports = bytes.fromhex("0061736d0100000001040160000002070101650166 0000".replace(" ", ""))
    with session() as remote:
        for changed, reason in (
            (bytes(middle), "differs from its digest"),
            (data[:-1], "no WebAssembly module"),
            (b"", "no WebAssembly module"),
            (other, "no section tilewright"),
            (with_digest(imports), "a module with imports"),
            (with_digest(b"\x7fELF"), "refuses the module"),
        ):
            remote.upload(changed, "m.wasm")
            with pytest.raises((tilewright.LoadError, tilewright.ArgumentError), match=reason):
                remote.load_module("m.wasm")
        remote.upload(data, "m.wasm")
        remote.load_module("m.wasm")(X)


def ended(port: int, data: bytes) -> str:
    """Send bytes to a server that ends the session; return the reason that it gives."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(data)
        got = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    _, status, _, size = read_header(got[: HEADER.size])
    assert status is Status.ENDED
    assert len(got) == HEADER.size + size
    return read(ERROR_FIELDS, got[HEADER.size :])[1]


def test_a_client_without_the_token_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(TOKEN)
    options = "--token-file", str(tmp_path / "token"), "--sessions", "1"
    with serving(NODE, *options) as (port, lacks):
        assert lacks == ""
        for wrong in ("", "another secret", TOKEN + "x"):
            with pytest.raises(RpcError, match="token"):
                rpc.connect("127.0.0.1", port, token=wrong)
        for kind, size, reason in (
            (BY_NAME["ping"].number, 0, "not allowed before"),
            (BY_NAME["hello"].number, 2000, "too long"),
            (BY_NAME["write"].number, MAX_PAYLOAD_BYTES + 1, "more than"),
        ):
            header = HEADER.pack(MAGIC, kind, Status.REQUEST, 1, 0, size)
            assert reason in ended(port, header + bytes(min(size, 2000)))
        assert "another protocol" in ended(port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with rpc.connect("127.0.0.1", port, token=TOKEN) as remote:
            with pytest.raises(RpcError, match="1 sessions"):
                rpc.connect("127.0.0.1", port, token=TOKEN)
            remote.upload(b"data", "file")
            later = {**BY_NAME, "ping": replace(BY_NAME["ping"], number=31)}
            monkeypatch.setattr(requests, "BY_NAME", later)
            with pytest.raises(NotImplementedError, match="31"):
                remote.round_trip_s()
            assert remote.download("file") == b"data"
    done = subprocess.run([*NODE, "--host", "0.0.0.0"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "token" in done.stderr


def run_stub(remote: rpc.RPCSession, body: str) -> None:
    """Upload, load and call a module whose main function is a text of WebAssembly."""
    remote.upload(stub(body), "m.wasm")
    remote.load_module("m.wasm")(X)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason", "timeout_s"),
    [
        ("unreachable", "unreachable", 0),
        ("(drop (i32.load (i32.const 0x7fffffff))) (i32.const 0)", "out of bounds", 0),
        ("(loop (br 0)) (i32.const 0)", "time is up: at most 1.5 seconds", 1.5),
    ],
    ids=["trap", "address", "endless loop"],
)
def test_a_broken_module_ends_only_its_session(body: str, reason: str, timeout_s: float) -> None:
    with serving(NODE) as (port, _), rpc.connect("127.0.0.1", port) as other:
        other.upload(exported())
        with rpc.connect("127.0.0.1", port, session_timeout=timeout_s) as remote:
            with pytest.raises(RpcError, match=reason):
                run_stub(remote, body)
            with pytest.raises(RpcError, match=reason):  # the session stays ended
                remote.upload(b"", "x")
        assert (other.load_module("sum.wasm")(X).numpy() == X + X).all()
