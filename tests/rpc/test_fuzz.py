"""Random messages: a server answers each one or ends the session, and makes no forbidden access."""

from __future__ import annotations

import codecs
import struct
from random import Random

import pytest

from tilewright.runtime.rpc.local_host import LocalHost
from tilewright.runtime.rpc.messages import (
    BY_NAME,
    ERROR_FIELDS,
    HEADER,
    TABLE,
    Status,
    read,
    read_header,
    written,
)
from tilewright.runtime.rpc.server import SessionServer

from .fuzzing import (
    MESSAGES,
    NONCES,
    Fuzzer,
    Recorded,
    answers_of,
    begin,
    c_session,
    python_session,
    request,
    started,
)
from .servers import needs_c

SESSIONS = (range(1), pytest.param(range(1, 271), marks=pytest.mark.nightly))


@needs_c
@pytest.mark.slow
@pytest.mark.parametrize("seeds", SESSIONS, ids=["sample", "all"])
def test_the_c_server_answers_random_messages(seeds: range) -> None:
    for seed in seeds:
        _, accepted, _ = c_session(seed)
        assert MESSAGES // 40 < accepted < MESSAGES, f"seed {seed}"


@needs_c
@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 500), marks=pytest.mark.nightly)]
)
def test_the_c_server_ends_sessions_without_a_handshake(seeds: range) -> None:
    for seed in seeds:
        fuzzer = Fuzzer(Random(seed), handles=8)
        row = fuzzer.random.choice(TABLE)
        payload = fuzzer.changed(bytearray(fuzzer.random.randbytes(80)))
        streams = request(0, row.number, [bytes(payload)]), fuzzer.random.randbytes(100)
        with started() as process:
            answers = answers_of(process, fuzzer.random.choice(streams))
        assert read_header(answers[: HEADER.size])[1] is Status.ENDED
        assert all(read(ERROR_FIELDS, answers[HEADER.size :]))


def replaced(error: UnicodeError) -> tuple[str, int]:
    """Handle bytes that are not UTF-8: each becomes a question mark."""
    assert isinstance(error, UnicodeDecodeError)
    return "?" * (error.end - error.start), error.end


@needs_c
@pytest.mark.slow
def test_words_of_the_c_server_are_utf_8() -> None:
    """A client sends names that are not; the errors with these names are what Python decodes."""
    codecs.register_error("question marks", replaced)
    random = Random(0)
    wild = ("é€😀\x7f", "߿ࠀ￿\U0010ffff", "xyz")
    names = [random.choice(wild).encode() for _ in range(300)]
    names += [bytes.fromhex(each) for each in ("c080", "eda080", "f48fbfbf", "f4908080", "e0809f")]
    for at, name in enumerate(names):
        changed = bytearray(name)
        changed[random.randrange(len(name))] = random.randrange(1, 256)
        names[at] = bytes(changed) if at < 300 else name
    heads = [struct.pack("<QI", 0, len(name)) for name in names]
    find = BY_NAME["find"].number
    rows = zip(heads, names, strict=True)
    data = b"".join(request(n, find, [head, name]) for n, (head, name) in enumerate(rows))
    with started() as process:
        begin(process)
        answers = answers_of(process, data)
    for name in names:
        size = read_header(answers[: HEADER.size])[3]
        payload, answers = answers[HEADER.size :][:size], answers[HEADER.size + size :]
        assert name.decode(errors="question marks") in read(ERROR_FIELDS, payload)[1]
    assert answers == b""


@pytest.mark.slow
@pytest.mark.parametrize("seeds", SESSIONS, ids=["sample", "all"])
def test_the_python_server_answers_random_messages(seeds: range) -> None:
    for seed in seeds:
        python_session(seed)


def test_the_python_server_ends_with_a_client_that_goes_within_a_message() -> None:
    hello = request(0, BY_NAME["hello"].number, written(BY_NAME["hello"].request, (1, NONCES[1])))
    for end in range(len(hello)):
        channel = Recorded(hello[:end])
        SessionServer(channel, LocalHost(), "", {}, lambda ms: None).serve()
        assert channel.sent == b""
