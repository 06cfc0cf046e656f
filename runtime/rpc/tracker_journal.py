"""The file in which a tracker stores its state: an SQLite table of JSON rows by kind and name.

When `put` or `remove` returns, the change survives the end of the process, but after a power
failure the last changes may be missing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ArgumentError

_SCHEMA = "CREATE TABLE IF NOT EXISTS rows (kind TEXT, name TEXT, fields TEXT, UNIQUE(kind, name))"


class Journal:
    """The stored rows of a tracker.

    path: the file; None: the rows are in memory only.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open a journal, or begin a new one.

        Errors: ArgumentError for a file that is no journal, or that another tracker uses.
        """
        try:
            self._file = sqlite3.connect(
                path or ":memory:", isolation_level=None, check_same_thread=False, timeout=0.1
            )
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._file.execute(_SCHEMA)
            self._file.execute("INSERT OR REPLACE INTO rows VALUES ('tracker', 'version', '1')")
        except sqlite3.Error as err:
            raise ArgumentError(
                f"{path} cannot be the journal of a tracker",
                got=err,
                hint="name another file, or stop the tracker that uses it",
            ) from err

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """Return the fields of all rows of a kind, oldest row first."""
        found = self._file.execute("SELECT fields FROM rows WHERE kind = ? ORDER BY rowid", [kind])
        return [json.loads(fields) for (fields,) in found]

    def put(self, kind: str, name: str, fields: Mapping[str, Any]) -> None:
        """Store a row, and replace an earlier row of the same kind and name."""
        row = kind, name, json.dumps(fields)
        self._file.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", row)

    def remove(self, kind: str, name: str) -> None:
        """Remove the row of a kind and a name."""
        self._file.execute("DELETE FROM rows WHERE kind = ? AND name = ?", [kind, name])

    def close(self) -> None:
        """Close the file."""
        self._file.close()
