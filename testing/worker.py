"""A worker process for generated code, in which a crash is one failed test.

    worker = WorkerProcess()
    worker.call("package.module:function", *arguments)

The function is named by an importable module, or by a file (``/path/file.py:function``), because
the worker is a fresh interpreter that shares no state with the caller. Arguments and results are
pickled. A worker that dies is replaced at the next call.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import importlib.util
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")
_STDERR_LINES = 20


class WorkerDied(RuntimeError):
    """The error raised if the worker process ends during a call; its message has the last output.

    ran_out_of_time: whether the worker was killed because the call took too long.
    """

    def __init__(self, words: str, *, ran_out_of_time: bool = False) -> None:
        super().__init__(words)
        self.ran_out_of_time = ran_out_of_time


class WorkerProcess:
    """A worker process that starts with the first call; calls from several threads take turns.

    memory_bytes: the limit of the process's address space; a call that needs more raises
    MemoryError.
    """

    def __init__(self, *, memory_bytes: int | None = None) -> None:
        self._memory_bytes = memory_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self._lock = threading.Lock()

    def call(self, function: str, *arguments: Any, timeout_s: float = 120.0) -> Any:
        """Call a function in the worker process and return its result.

        function: an importable module and a function, ``package.module:function``, or a file and a
        function, ``/path/file.py:function``.  timeout_s: the limit of the call.
        Errors: the function's own exception, with the worker's traceback as a note; WorkerDied if
        the process ended or ran out of time.
        """
        with self._lock:
            process = self._started()
            expired = threading.Event()

            def stop() -> None:
                expired.set()
                process.kill()

            watch = threading.Timer(timeout_s, stop)
            watch.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                _send(process.stdin, (function, arguments))
                succeeded, result = _receive(process.stdout)
            except (EOFError, BrokenPipeError) as err:
                raise self._died(function, process, expired.is_set()) from err
            finally:
                watch.cancel()
        if succeeded:
            return result
        raise result

    def kill(self) -> None:
        """Kill the worker process now; a call in another thread raises WorkerDied."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the worker process."""
        with self._lock:
            self._stop()
            self._stderr.close()

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._stderr.seek(0)
            self._stderr.truncate()
            module = __spec__.name if __spec__ else __name__
            self._process = subprocess.Popen(
                # A kernel that cannot be planned is an error here too: PlanWarning.
                [
                    *(sys.executable, "-W", "error::UserWarning", "-m", module),
                    str(self._memory_bytes or ""),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
            )
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                # Flushing to a dead process fails, but still closes the pipe.
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        process.kill()
        process.wait()

    def _died(
        self, function: str, process: subprocess.Popen[bytes], ran_out_of_time: bool
    ) -> WorkerDied:
        code = process.wait()
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self._stderr.seek(0)
        words = self._stderr.read().decode(errors="replace").splitlines()[:_STDERR_LINES]
        self._stop()
        text = "\n".join((f"worker died in {function}: {cause}", *words))
        return WorkerDied(text, ran_out_of_time=ran_out_of_time)


def _send(pipe: BinaryIO | Any, message: object) -> None:
    data = pickle.dumps(message)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def _receive(pipe: BinaryIO | Any) -> Any:
    """Return the next message from a pipe.

    Errors: EOFError if the other side has closed the pipe.
    """
    header = pipe.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(header)
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def _resolve(name: str) -> Callable[..., Any]:
    """Return a function by ``module:function`` or ``/path/file.py:function``.

    A file imports the modules in its folder, as the program ``python file.py`` does.
    """
    place, _, attribute = name.rpartition(":")
    module = _module_of_file(place) if place.endswith(".py") else importlib.import_module(place)
    return getattr(module, attribute)


def _module_of_file(path: str) -> ModuleType:
    known = sys.modules.get(path)
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(path, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[path] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path]
        raise
    return module


def _answer(message: Any) -> tuple[bool, Any]:
    """Run the call that a message describes in the worker.

    Return True and the result, or False and the exception that the function raised.
    """
    function, arguments = message
    try:
        return True, _resolve(function)(*arguments)
    except Exception as err:
        err.add_note(traceback.format_exc())
        return False, err


def main() -> None:
    """Answer calls from standard input until it ends."""
    faulthandler.enable()
    if len(sys.argv) > 1 and sys.argv[1]:
        limit_bytes = int(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep what the function prints out of the replies
    while True:
        try:
            message = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(replies, _answer(message))


if __name__ == "__main__":
    main()
