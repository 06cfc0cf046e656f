"""Files mapped into memory without an open descriptor, so a process may map any number of files.

`mmap.mmap` of Python keeps a descriptor for each mapping, so this module calls the function of the
C library itself.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import weakref
from functools import cache
from pathlib import Path
from typing import Any


def mapped(path: Path) -> memoryview:
    """Map a file into memory; return its bytes, read-only.

    The mapping ends when no object refers to the returned bytes.

    Errors: OSError.
    """
    with path.open("rb") as file:
        size_bytes = os.fstat(file.fileno()).st_size
        if size_bytes == 0:  # the system refuses to map nothing
            return memoryview(b"")
        address = _libc().mmap(None, size_bytes, mmap.PROT_READ, mmap.MAP_PRIVATE, file.fileno(), 0)
        if address == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "the file cannot be mapped", str(path))
    array = (ctypes.c_char * size_bytes).from_address(address)
    # At exit, other threads may still read the memory; the end of the process unmaps it anyway.
    weakref.finalize(array, _libc().munmap, address, size_bytes).atexit = False
    return memoryview(array).cast("B").toreadonly()


@cache
def _libc() -> Any:
    """Return the C library, with the types of `mmap` and `munmap`."""
    libc = ctypes.CDLL(None, use_errno=True)
    number, size, offset = ctypes.c_int, ctypes.c_size_t, ctypes.c_ssize_t
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, size, number, number, number, offset)
    libc.munmap.argtypes = (ctypes.c_void_p, size)
    return libc
