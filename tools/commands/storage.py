"""``tw cache``: show or clear the folder of compiled code."""

from __future__ import annotations

import json
import time

import click

from ...runtime.display import byte_text
from ...support.cache import CacheState, DiskCache, user_cache
from ...support.durations import parse_duration
from ..tables import counted


@click.group("cache")
def cache_command() -> None:
    """Show or empty the folder of compiled code.

    TILEWRIGHT_CACHE_DIR says where it is, TILEWRIGHT_CACHE_BYTES how large it may become; the least
    recently used entries are deleted first.
    """


@cache_command.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def info(as_json: bool) -> None:
    """Show the cache's folder, its size and limit, and the ages of its entries.

    Exit code 1 if the folder cannot be written.
    """
    cache = user_cache()
    state = cache.state()
    if as_json:
        click.echo(json.dumps(_fields(cache, state)))
    else:
        _show(cache, state)
    cache.check_writable()


@cache_command.command()
@click.option("--older-than", "age", metavar="30d", help="Keep what was used since (d, h, m, s).")
def clear(age: str | None) -> None:
    """Delete cached code; models are compiled again when needed."""
    deleted = user_cache().clear(
        unused_for_s=0.0 if age is None else parse_duration(age, "--older-than")
    )
    number = counted(deleted.entries, "entry", "entries")
    click.echo(f"deleted {number}, {byte_text(deleted.size_bytes)}")


def _show(cache: DiskCache, state: CacheState) -> None:
    click.echo(f"folder:  {cache.folder}")
    click.echo(f"entries: {state.entries}")
    click.echo(f"size:    {byte_text(state.size_bytes)} of {byte_text(cache.limit_bytes)}")
    if state.oldest_s is not None and state.newest_s is not None:
        ages = dict.fromkeys((_age(state.newest_s), _age(state.oldest_s)))
        click.echo(f"used:    {' to '.join(ages)} ago")


def _fields(cache: DiskCache, state: CacheState) -> dict[str, object]:
    return {
        "folder": str(cache.folder),
        "entries": state.entries,
        "size_bytes": state.size_bytes,
        "limit_bytes": cache.limit_bytes,
        "oldest_s": state.oldest_s,
        "newest_s": state.newest_s,
    }


def _age(used_s: float) -> str:
    seconds = max(0.0, time.time() - used_s)
    for unit, length_s in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * length_s:
            return f"{seconds / length_s:.0f} {unit}"
    return counted(round(seconds), "second")
