"""Signatures of exported files, which prove the author of a file, in a file next to it.

    m.so        the file: its manifest contains the digests of its code and of its weights
    m.so.sig    JSON: the public key, and the ed25519 signature of the SHA-256 of all bytes of m.so

An export that replaces a signed file also keeps the signature of the replaced file, because a
process may have opened that file. In: a file and a private key, or public keys that are trusted.
Out: the signature file, or an error if none of these keys has signed the bytes. A signed file names
the digest of its weights, so a loader that checks both knows that all files are of one author.

The package `cryptography` (the extra ``sign``) computes signatures. Keys are in PEM form.

Source: RFC 8032 (ed25519), RFC 8410 (its keys).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from ..abi.library import LoadError
from ..errors import ArgumentError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

Key: TypeAlias = object
"""A key in PEM form: a path, the text or its bytes; or a key object of `cryptography`."""

_Key = TypeVar("_Key")
SIGNATURE_SUFFIX = ".sig"
_FORMAT = "tilewright-signature"
# The prefix of each signed message, so that a signature made for another purpose is not valid for a
# file.
_PURPOSE = b"tilewright exported file\0"
_MOST_BYTES = 1 << 16


def signature_path(path: Path) -> Path:
    """Return the path of the signature of a file."""
    return path.with_name(path.name + SIGNATURE_SUFFIX)


def private_key(key: Key) -> Ed25519PrivateKey:
    """Return the private key in a PEM.

    Errors: ArgumentError if it is no ed25519 key, or encrypted; OSError for a path that cannot be
    read.
    """
    _require_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    return _read_key(key, Ed25519PrivateKey, "private", lambda pem: load_pem_private_key(pem, None))


def public_key(key: Key) -> Ed25519PublicKey:
    """Return the public key in a PEM.

    Errors: ArgumentError if it is no ed25519 key; OSError for a path that cannot be read.
    """
    _require_cryptography()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    return _read_key(key, Ed25519PublicKey, "public", load_pem_public_key)


def _read_key(key: Key, kind: type[_Key], name: str, load: Callable[[bytes], object]) -> _Key:
    if isinstance(key, kind):
        return key
    try:
        made = load(_pem(key))
    except (ValueError, TypeError) as err:
        raise _wrong_key(name, err) from err
    if not isinstance(made, kind):
        raise _wrong_key(name, type(made).__name__)
    return made


def signature_of(data: bytes, key: Key) -> bytes:
    """Sign bytes; return the contents of the signature file.

    key: a private key.
    """
    signing = private_key(key)
    fields = {
        "format": _FORMAT,
        "algorithm": "ed25519",
        "key": signing.public_key().public_bytes_raw().hex(),
        "signature": signing.sign(_message(data)).hex(),
    }
    return json.dumps(fields, indent=1).encode() + b"\n"


def replacing_signature(path: Path, data: bytes, key: Key) -> bytes:
    """Sign the bytes that replace a signed file; return the contents of the new signature file.

    The contents include the signature of the replaced bytes from the present signature file, if
    this signature is by the same key.

    path: the signed file.  data: its new bytes.
    """
    made = json.loads(signature_of(data, key))
    try:
        raw, signature = _read(path)[0]
    except (OSError, ValueError, KeyError, TypeError):
        raw, signature = b"", b""  # there is none, or none that could be checked
    if raw.hex() == made["key"]:
        made["replaced"] = {"key": made["key"], "signature": signature.hex()}
    return json.dumps(made, indent=1).encode() + b"\n"


def check_file_signature(path: Path, data: bytes, trusted: Sequence[Key]) -> None:
    """Check that one of the trusted keys has signed the bytes of a file.

    path: the file, whose signature is next to it.  data: its bytes.

    Errors: LoadError if none of the keys has signed them; ArgumentError for a list without public
    keys.
    """
    _require_cryptography()
    from cryptography.exceptions import InvalidSignature

    keys = {key.public_bytes_raw(): key for key in map(public_key, _listed(trusted))}
    place = signature_path(path)
    try:
        found = _read(place)
    except FileNotFoundError as err:
        raise _untrusted(path, f"no signature: {place.name} is missing") from err
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise _untrusted(path, f"a signature that is malformed: {err!r}") from err
    own = [(keys[raw], signature) for raw, signature in found if raw in keys]
    if not own:
        name = found[0][0].hex()[:16]
        raise _untrusted(path, f"a signature of the key {name}…, which is not trusted")
    for key, signature in own:
        try:
            return key.verify(signature, _message(data))
        except InvalidSignature:
            continue
    raise _untrusted(path, "other contents than those that were signed")


def _message(data: bytes) -> bytes:
    return _PURPOSE + hashlib.sha256(data).digest()


def _read(path: Path) -> list[tuple[bytes, bytes]]:
    """Return the pairs (key, signature) of a signature file, as bytes.

    The first pair is for the file itself. The second one, if any, is for the file that it replaced.
    Errors: OSError, ValueError, KeyError or TypeError if the file is no signature file.
    """
    with path.open("rb") as file:
        text = file.read(_MOST_BYTES)
    fields = cast("dict[str, Any]", json.loads(text))
    if fields["format"] != _FORMAT or fields["algorithm"] != "ed25519":
        raise ValueError(f"another format: {fields['format']!r}\n    hint: sign it with tw sign")
    rows = [fields, *([fields["replaced"]] if "replaced" in fields else [])]
    return [(bytes.fromhex(row["key"]), bytes.fromhex(row["signature"])) for row in rows]


def _listed(trusted: Sequence[Key]) -> Sequence[Key]:
    if isinstance(trusted, (str, bytes, os.PathLike)) or not trusted:
        raise ArgumentError(
            "trusted is no list of public keys",
            expected="at least one, as a path, text or bytes of PEM",
            got=type(trusted).__name__ if trusted else "an empty list",
            hint='pass trusted=["key.pub.pem"]',
        )
    return trusted


def _pem(key: Key) -> bytes:
    if isinstance(key, (bytes, bytearray)):
        return bytes(key)
    if isinstance(key, str) and "-----BEGIN" in key:
        return key.encode()
    if not isinstance(key, (str, os.PathLike)):
        raise TypeError(f"not a PEM: {type(key).__name__}\n    hint: pass a path, text or bytes")
    return Path(cast("str", key)).read_bytes()


def _require_cryptography() -> None:
    if find_spec("cryptography") is None:
        raise ArgumentError(
            "signatures need the package cryptography",
            got="no such package",
            hint="pip install 'tilewright-runtime[sign]'",
        )


def _wrong_key(kind: str, got: object) -> ArgumentError:
    return ArgumentError(
        f"the {kind} key cannot be used",
        expected=f"the PEM of an ed25519 {kind} key, without a password",
        got=got,
        hint="openssl genpkey -algorithm ed25519 -out key.pem; "
        "openssl pkey -in key.pem -pubout -out key.pub.pem",
    )


def _untrusted(path: Path, got: str) -> LoadError:
    return LoadError(
        f"{path} is not signed by a trusted key",
        expected=f"{signature_path(path).name} next to it, made with one of these keys",
        got=got,
        hint="sign it with tw sign, or leave out trusted= if you trust the file",
    )
