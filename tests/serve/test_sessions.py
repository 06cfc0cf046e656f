"""Sessions of decoders: their end by a request, by time, and when a client leaves."""

from __future__ import annotations

import asyncio
import gc
import json
import time

import pytest

from .test_http import events, value

PATH = "/v2/models/sum/generate_stream"
KEPT = {"ids": [0], "max_tokens": 2, "keep_session": True}


def begun(server) -> str:
    """Return a session that a request has left open."""
    return events(server.post(PATH, json=KEPT))[-1]["session"]


def test_a_session_ends_once_by_a_request(client, repository) -> None:
    server = client(repository("sum"))
    session = begun(server)
    assert value(server, "tilewright_sessions") == 1
    path = f"/v2/sessions/{session}"
    assert (server.delete(path).status_code, server.delete(path).status_code) == (200, 404)
    assert value(server, "tilewright_sessions") == 0
    answer = server.post(PATH, json={"ids": [2], "session": session})
    assert answer.status_code == 404
    assert "the session is unknown" in answer.json()["error"]


def test_an_idle_session_is_unknown(client, repository) -> None:
    server = client(repository("sum"), session_idle_s=0)
    answer = server.post(PATH, json={"ids": [2], "session": begun(server)})
    assert answer.status_code == 404
    assert "it was idle too long" in answer.json()["error"]


def test_idle_sessions_end_without_another_request(client, repository) -> None:
    server = client(repository("sum"), session_idle_s=0.01)
    begun(server)
    ends_s = time.monotonic() + 30
    while value(server, "tilewright_sessions") and time.monotonic() < ends_s:
        time.sleep(0.01)
    assert value(server, "tilewright_sessions") == 0


def test_more_sessions_than_allowed_get_503(client, repository) -> None:
    server = client(repository("sum"), max_sessions=1)
    session = begun(server)
    assert server.post(PATH, json=KEPT).status_code == 503
    assert server.delete(f"/v2/sessions/{session}").status_code == 200
    assert server.post(PATH, json=KEPT).status_code == 200


def test_a_busy_session_takes_no_other_request(client, repository) -> None:
    server = client(repository("sum"))
    session = begun(server)
    sessions = server.app.state.service.sessions
    sessions._open[session].is_running = True
    assert server.post(PATH, json={"ids": [2], "session": session}).status_code == 409
    assert server.delete(f"/v2/sessions/{session}").status_code == 409
    sessions.finish(session, keep=True)
    assert server.delete(f"/v2/sessions/{session}").status_code == 200


def test_a_client_that_leaves_before_the_first_byte_leaves_no_session(client, repository) -> None:
    from starlette.requests import ClientDisconnect

    server = client(repository("sum"))
    body = json.dumps(KEPT).encode()
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "method": "POST",
        "path": PATH, "raw_path": PATH.encode(), "query_string": b"", "headers": [],
    }  # fmt: skip

    async def receive() -> dict:
        return {"type": "http.request", "body": body}

    async def send(_: object) -> None:
        raise OSError("the connection is closed")

    async def ask() -> None:
        with pytest.raises(ClientDisconnect):
            await server.app(scope, receive, send)
        gc.collect()
        for _ in range(3):  # the loop closes the generator in a task of its own
            await asyncio.sleep(0)

    server.portal.call(ask)
    assert value(server, "tilewright_sessions") == 0
