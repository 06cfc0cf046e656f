"""Many sessions of random messages, with a log that is resumed.

    python -m tests.rpc.fuzz --server c --messages 1000000 --log rpc-c.jsonl
    python -m tests.rpc.fuzz --server python --messages 1000000 --log rpc-python.jsonl

Each line of the log is a session: its seed, messages, accepted messages, the peak memory of the
server in MB, and what was wrong. A call continues after the last seed of the log. A session is sent
again by `fuzzing.c_session(seed)`. Exit code 1 if the log has a failure.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from .fuzzing import SILENCE_S, c_session, exported, python_session, sanitized_server

_CHUNK = 50
"""Sessions of one process, so that a leak shows in the peak and a crash ends few sessions."""
SESSIONS: dict[str, Callable[[int], tuple[int, int, int]]] = {
    "c": c_session,
    "python": python_session,
}


def recorded(server: str, seed: int) -> dict[str, Any]:
    """Send a session; return its line of the log."""
    try:
        messages, accepted, peak_mb = SESSIONS[server](seed)
    except Exception:
        failure = traceback.format_exc()[-2000:]
        return {"seed": seed, "messages": 0, "accepted": 0, "peak_mb": 0, "failure": failure}
    fields = {"seed": seed, "messages": messages, "accepted": accepted, "peak_mb": peak_mb}
    return {**fields, "failure": ""}


def chunk(server: str, seeds: range) -> list[dict[str, Any]]:
    """Send sessions in a process of their own; one that crashes or hangs fails all of them."""
    if server == "c":
        return [recorded(server, seed) for seed in seeds]  # each has a process anyway
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(1, mp_context=context)
    try:
        futures = [pool.submit(recorded, server, seed) for seed in seeds]
        return [future.result(SILENCE_S) for future in futures]
    except (BrokenProcessPool, TimeoutError) as err:
        words = f"one of these sessions crashed or hung: {type(err).__name__}"
        row = {"messages": 0, "accepted": 0, "peak_mb": 0, "failure": words}
        return [{"seed": seed, **row} for seed in seeds]
    finally:
        for process in [*(pool._processes or {}).values()]:
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)


def main() -> int:
    """Send messages until there are enough in the log; print a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", choices=[*SESSIONS], default="c")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args()
    exported()
    if given.server == "c":
        sanitized_server()
    lines = given.log.read_text().splitlines() if given.log.exists() else []
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    done = sum(row["messages"] for row in rows)
    with given.log.open("a") as log:
        while done < given.messages:
            first = rows[-1]["seed"] + 1 if rows else 1000
            for row in chunk(given.server, range(first, first + _CHUNK)):
                rows.append(row)
                log.write(json.dumps(row) + "\n")
                done += row["messages"]
            log.flush()
    failed = [row for row in rows if row["failure"]]
    accepted = sum(row["accepted"] for row in rows)
    peak_mb = max(row["peak_mb"] for row in rows)
    print(f"{done} messages in {len(rows)} sessions, {accepted} accepted, peak {peak_mb} MB")
    print(f"{len(failed)} failures", *(f"seed {row['seed']}" for row in failed[:20]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
