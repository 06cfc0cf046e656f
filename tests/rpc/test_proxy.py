"""The proxy: servers that only connect out, encrypted clients, and what it refuses."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import rpc
from tilewright.runtime.rpc.errors import RpcError
from tilewright.runtime.rpc.proxy_process import Parking

from .farms import TOKEN, started
from .servers import PYTHON_SERVER, c_server, exported, library_with, needs_c, needs_x86

PROXY = (sys.executable, "-m", "tilewright", "rpc-proxy", "--port", "0")
X = np.ones((4, 8), np.float32)


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of 127.0.0.1 that signs itself, and its key; return both paths."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "proxy")])
    place = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(place, critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, private


@needs_c
@needs_x86
@pytest.mark.slow
def test_a_server_waits_at_a_proxy_for_encrypted_clients(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(TOKEN)
    secret = "--token-file", str(token_file)
    certificate, key = write_certificate(tmp_path)
    words = *PROXY, *secret, "--certificate", str(certificate), "--private-key", str(key)
    with started(*words) as (_, place):
        server = str(c_server()), "--port", "0", *secret, "--proxy", place, "--key", "board"
        with started(*server):

            def connect(key: str = "board", token: str = TOKEN) -> rpc.RPCSession:
                return rpc.connect(place, key=key, token=token, authority=str(certificate))

            for _ in range(2):  # the server waits again after the first client
                with connect() as remote:
                    remote.upload(exported() / "m.tar")
                    got = remote.load_module("m.tar")(X).numpy()
            assert (got == tilewright.load_module(exported() / "m.so")(X).numpy()).all()
            with connect() as remote:
                data = np.arange(20 << 20, dtype=np.uint8)
                assert remote.download(remote.upload(data.tobytes(), "big")) == data.tobytes()
                remote.upload(next(exported().glob("*.safetensors")))
                remote.upload(library_with(bytes.fromhex("0f0b")), "bad.so")
                with pytest.raises(RpcError, match="signal 4"):
                    remote.load_module("bad.so")(X)
            with pytest.raises(RpcError, match="token"):
                connect(token="wrong")
            with pytest.raises(tilewright.ArgumentError, match="encrypts"):
                rpc.connect(place, key="board", token=TOKEN)
            (tmp_path / "other").mkdir()
            other, _ = write_certificate(tmp_path / "other")
            with pytest.raises(RpcError, match="certificate"):
                rpc.connect(place, key="board", token=TOKEN, authority=str(other))


@pytest.mark.slow
def test_the_python_server_waits_at_a_proxy() -> None:
    with (
        started(*PROXY) as (_, place),
        started(*PYTHON_SERVER, "--port", "0", "--proxy", place, "--key", "gpu"),
        rpc.connect(place, key="gpu") as remote,
    ):
        assert remote.facts["server"] == "python"


def test_only_servers_that_live_get_clients() -> None:
    parking = Parking()
    pairs = [socket.socketpair() for _ in range(3)]
    for near, _ in pairs:
        parking.park("board", near)
    pairs[0][1].close()  # its server has ended
    pairs[1][1].send(b"no server")
    assert parking.take("other", 0) is None
    assert parking.counts() == {"board": 1}
    assert parking.take("board", 0) is pairs[2][0]
    assert parking.take("board", 0.01) is None
    for pair in pairs:
        for end in pair:
            end.close()


@needs_c
@pytest.mark.slow
def test_a_tracker_lends_servers_that_wait_at_a_proxy(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(TOKEN)
    secret = "--token-file", str(token_file)
    certificate, key = write_certificate(tmp_path)
    tls = "--certificate", str(certificate), "--private-key", str(key)
    tracker = sys.executable, "-m", "tilewright", "rpc-tracker", "--port", "0"
    with (
        started(*tracker, *secret, "--heartbeat", "0.5") as (_, place),
        started(*PROXY, *secret, *tls) as (_, proxy),
        ExitStack() as servers,
    ):
        words = "--port", "0", *secret, "--proxy", proxy, "--tracker", place, "--key", "board"
        for _ in range(2):
            servers.enter_context(started(str(c_server()), *words))
        with rpc.connect_tracker(place, token=TOKEN, authority=str(certificate)) as farm:
            with farm.request("board") as one, farm.request("board") as other:
                addresses = {row["address"] for row in farm.summary()["devices"]}
                assert len(addresses) == 2
                assert all(each.startswith(f"{proxy}/") for each in addresses)
                for remote in (one, other):  # each server has one session
                    remote.upload(exported() / "m.tar")
                    got = remote.load_module("m.tar")(X).numpy()
                    assert (got == tilewright.load_module(exported() / "m.so")(X).numpy()).all()
            with farm.request("board") as again:
                again.upload(b"", "x")
