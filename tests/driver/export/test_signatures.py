"""Signatures of exported files: only files that a trusted key has signed are loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.module.verification import verify_file
from tilewright.testing.models import ffn_model
from tilewright.tools.cli import main

from .exported import weights_of
from .test_load_module import assert_equal, results

X = [np.ones((4, 8), np.float32)]
FORMATS = ["m.so", "m.tar", "m.o", "m.a", "m"]


@dataclass(frozen=True)
class Pair:
    """A private and a public key, as text of PEM."""

    private: str
    public: str


def pem(key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey, password: bytes = b"") -> str:
    hidden = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden).decode()


def pair() -> Pair:
    key = ed25519.Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return Pair(pem(key), public.decode())


OURS, OTHERS = pair(), pair()


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return tilewright.compile(ffn_model(m=4, k=8, n=8), threads=1)


@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize("name", ["m.so", "m.tar"])
def test_a_signed_file_is_loaded(name: str, embed: bool, module, tmp_path: Path) -> None:
    files = module.export_library(tmp_path / name, embed=embed, sign=OURS.private)
    assert files[-1] == tmp_path / f"{name}.sig"
    for trusted in ([OURS.public], [OTHERS.public, OURS.public.encode()]):
        loaded = load_module(tmp_path / name, trusted=trusted)
        assert_equal(results(loaded, X), results(module, X))
    assert_equal(results(load_module(tmp_path / name), X), results(module, X))


def test_keys_are_paths_texts_bytes_or_objects(module, tmp_path: Path) -> None:
    private, public = tmp_path / "key.pem", tmp_path / "key.pub.pem"
    private.write_text(OURS.private)
    public.write_text(OURS.public)
    own = ed25519.Ed25519PrivateKey.generate()
    cases = [
        (private, public),
        (str(private), str(public)),
        (OURS.private.encode(), OURS.public),
        (own, own.public_key()),
    ]
    for number, (key, trusted) in enumerate(cases):
        module.export_library(tmp_path / f"{number}.so", sign=key)
        load_module(tmp_path / f"{number}.so", trusted=[trusted])


def changed(path: Path, at: int = -1) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def unsign(library: Path) -> None:
    library.with_name("m.so.sig").unlink()


def sign_by_others(library: Path) -> None:
    tilewright.compile(ffn_model(m=4, k=8, n=8)).export_library(library, sign=OTHERS.private)


def claim_our_key(library: Path) -> None:
    """Put our public key into a signature of another key."""
    signature = library.with_name("m.so.sig")
    ours = json.loads(signature.read_text())["key"]
    sign_by_others(library)
    signature.write_text(json.dumps(json.loads(signature.read_text()) | {"key": ours}))


def change_model(library: Path) -> None:
    """Replace library and weights by intact ones of another model."""
    tilewright.compile(ffn_model(m=4, k=8, n=16)).export_library(library)


def damage(signature: str) -> Callable[[Path], None]:
    return lambda library: library.with_name("m.so.sig").write_text(signature) and None


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "no signature": (unsign, "m.so.sig is missing"),
    "another key": (sign_by_others, "which is not trusted"),
    "a key that is claimed": (claim_our_key, "other contents than those that were signed"),
    "another model": (change_model, "other contents than those that were signed"),
    "one bit": (lambda library: changed(library, 4096), "other contents"),
    "no JSON": (damage("-"), "malformed"),
    "another form": (damage("[]"), "malformed"),
    "no hexadecimal text": (
        damage('{"format": "tilewright-signature", "algorithm": "ed25519", "key": "?"}'),
        "malformed",
    ),
    "weights": (lambda lib: changed(weights_of(lib)), "differ from their digest"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_signed_is_refused(change: str, module, tmp_path: Path) -> None:
    library, *_ = module.export_library(tmp_path / "m.so", sign=OURS.private)
    make, message = CHANGES[change]
    make(library)
    for check in (load_module, verify_file):
        with pytest.raises(LoadError, match=message):
            check(library, trusted=[OURS.public])


@pytest.mark.parametrize("trusted", [[], "key.pem", OURS.public, [OURS.private], ["no key"], [3]])
def test_wrong_lists_of_keys_are_errors(trusted, module, tmp_path: Path) -> None:
    module.export_library(tmp_path / "m.so", sign=OURS.private)
    with pytest.raises((ArgumentError, FileNotFoundError)):
        load_module(tmp_path / "m.so", trusted=trusted)


CURVE = pem(ec.generate_private_key(ec.SECP256R1()))


@pytest.mark.parametrize("key", [OURS.public, CURVE, b"-----BEGIN", 3])
def test_wrong_private_keys_are_refused_before_the_export(key, module, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"private key cannot be used\n.*ed25519"):
        module.export_library(tmp_path / "m.so", sign=key)
    assert not [*tmp_path.iterdir()]


def test_a_key_with_a_password_is_refused(module, tmp_path: Path) -> None:
    key = pem(ed25519.Ed25519PrivateKey.generate(), b"secret")
    with pytest.raises(ArgumentError, match="without a password"):
        module.export_library(tmp_path / "m.so", sign=key)


def test_a_machine_without_cryptography_says_what_to_install(
    module, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module.export_library(tmp_path / "m.so", sign=OURS.private)
    monkeypatch.setattr("tilewright.runtime.file.file_signing.find_spec", lambda _: None)
    with pytest.raises(ArgumentError, match=r"tilewright-runtime\[sign\]"):
        load_module(tmp_path / "m.so", trusted=[OURS.public])
    load_module(tmp_path / "m.so")


@pytest.mark.parametrize("name", FORMATS)
def test_tools_sign_and_verify_each_format(
    name: str, module, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(module.export_library(tmp_path / name)[0])
    for stem, keys in (("ours", OURS), ("others", OTHERS)):
        (tmp_path / f"{stem}.pem").write_text(keys.private)
        (tmp_path / f"{stem}.pub").write_text(keys.public)
    trusted, unknown = (["--trusted", str(tmp_path / each)] for each in ("ours.pub", "others.pub"))
    assert main(["verify", file]) == 0
    assert main(["verify", file, *trusted]) == 1
    assert "is missing" in capsys.readouterr().err
    assert main(["sign", file, "--key", str(tmp_path / "ours.pem")]) == 0
    assert main(["verify", file, *unknown, *trusted]) == 0
    assert "signed by a trusted key" in capsys.readouterr().out
    assert main(["verify", file, *unknown]) == 1
    if name != "m.tar":
        changed(weights_of(tmp_path / name))
        assert main(["verify", file]) == 1
        assert main(["sign", file, "--key", str(tmp_path / "ours.pem")]) == 1
        changed(weights_of(tmp_path / name))
    changed(tmp_path / name, 2000)
    assert main(["verify", file, *trusted]) == 1
