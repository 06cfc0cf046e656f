"""Decoded loads and stores of vector registers as functions of a wave."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .memory import Memory
from .scalar_code import Code
from .scalar_rules import signed
from .wave import FIRST_ACCUMULATOR, FIRST_VECTOR, FULL, Wave

_PARTS = {
    "U8": np.uint8, "I8": np.int8, "U16": np.uint16, "I16": np.int16, "UBYTE": np.uint8,
    "SBYTE": np.int8, "USHORT": np.uint16, "SSHORT": np.int16, "B8": np.uint8, "B16": np.uint16,
    "BYTE": np.uint8, "SHORT": np.uint16,
}  # fmt: skip
Addresses = Callable[[Wave], np.ndarray]


def _words(size: str) -> int:
    """Return the words of a size such as B128 or DWORDX4; 0 for less than a word."""
    found = re.fullmatch(r"B(\d+)|DWORD(?:X(\d+))?", size)
    if found is None:
        return 0
    return int(found[1]) // 32 if found[1] else int(found[2] or 1)


def _number(inst: Any, operand: Any) -> int:
    """Return the number of the first register of data, which may be an accumulator."""
    first = FIRST_ACCUMULATOR if getattr(inst, "acc", 0) else 0
    return operand.offset - FIRST_VECTOR + first


def global_code(inst: Any, name: str, no_address: int) -> Code:
    """Return the code of an access to global memory, or to memory of a thread."""
    found = re.fullmatch(r"(GLOBAL|FLAT|SCRATCH)_(LOAD|STORE)_(\w+)", name)
    if found is None:
        raise NotImplementedError(name)
    base = inst.saddr.offset if found[1] != "FLAT" else no_address
    offset, vector = signed(inst.offset, 13), inst.addr.offset - FIRST_VECTOR
    if found[1] == "SCRATCH":
        return _private_code(inst, found[2], found[3], base, no_address)

    def addresses(w: Wave) -> np.ndarray:
        low = w.vectors[vector][w.active].astype(np.int64)
        if base != no_address:
            return w.read_scalar(base, 2) + low + offset
        return (low | w.vectors[vector + 1][w.active].astype(np.int64) << 32) + offset

    data = _number(inst, inst.vdst if found[2] == "LOAD" else inst.data)
    return _access(found[2], found[3], data, addresses, lambda w: w.memory)


def _access(
    kind: str, size: str, data: int, addresses: Addresses, memory: Callable[[Wave], Memory]
) -> Code:
    """Return the code of an access; data: its first register."""
    words = _words(size)
    if not words:
        return _part_access(kind, *_part(size), data, addresses, memory)

    def run(w: Wave) -> None:
        if not w.active.any():
            return
        cells = slice(data, data + words), w.active
        if kind == "LOAD":
            w.vectors[cells] = memory(w).load(addresses(w), words)
        else:
            memory(w).store(addresses(w), w.vectors[cells])

    return run


def _part(size: str) -> tuple[Any, int]:
    """Return the type of a size of less than a word, and the bits of the register."""
    half = re.fullmatch(r"(D16_HI_|D16_)?(.+?)(_D16_HI|_D16)?", size)
    assert half is not None, "it matches all sizes"
    name, place = half[2], half[1] or half[3] or ""
    return _PARTS[name], {"": FULL, "D16": 0xFFFF, "D16_HI": 0xFFFF0000}[place.strip("_")]


def _part_access(
    kind: str,
    dtype: Any,
    mask: int,
    data: int,
    addresses: Addresses,
    memory: Callable[[Wave], Memory],
) -> Code:
    """Return the code of an access to less than a word; mask: the bits of the register."""
    shift = 16 if mask == 0xFFFF0000 else 0

    def run(w: Wave) -> None:
        if not w.active.any():
            return
        if kind == "LOAD":
            _merge(w, data, memory(w).load_part(addresses(w), dtype), mask)
        else:
            value = w.vectors[data, w.active] >> np.uint32(shift)
            memory(w).store_part(addresses(w), value.astype(dtype))

    return run


def _merge(w: Wave, data: int, values: np.ndarray, mask: int) -> None:
    """Write values of less than a word to the bits of a mask of a register."""
    shift = np.uint32(16 if mask == 0xFFFF0000 else 0)
    made = values.astype(np.int64).astype(np.uint32) << shift
    kept = w.vectors[data, w.active] & np.uint32(~mask & FULL)
    w.vectors[data, w.active] = kept | made & np.uint32(mask)


def _private_code(inst: Any, kind: str, size: str, base: int, no_address: int) -> Code:
    """Return the code of an access to memory of a thread, whose addresses start at zero."""
    words, offset = _words(size), signed(inst.offset, 13)
    dtype, mask = (np.uint32, FULL) if words else _part(size)
    size_bytes = 4 * words or np.dtype(dtype).itemsize
    vector, has_vector = inst.addr.offset - FIRST_VECTOR, bool(inst.sve)
    data = _number(inst, inst.vdst if kind == "LOAD" else inst.data)

    def run(w: Wave) -> None:
        lanes = np.flatnonzero(w.active)
        at = np.full(lanes.size, offset, np.int64)
        if base != no_address:
            at += w.read_scalar(base, 1)
        if has_vector:
            at += w.vectors[vector][lanes].astype(np.int64)
        if lanes.size and (at.min() < 0 or at.max() + size_bytes > 4 * w.private.shape[1]):
            raise RuntimeError("an access is outside of the memory of a thread")
        # Halves and bytes may be accessed together, so words need no alignment.
        raw, cells = w.private.view(np.uint8), (lanes[:, None], at[:, None] + np.arange(size_bytes))
        if kind == "LOAD":
            made = np.ascontiguousarray(raw[cells]).view(dtype)
            if words:
                w.vectors[data : data + words, lanes] = made.T
            else:
                _merge(w, data, made[:, 0], mask)
        else:
            held = w.vectors[data : data + max(1, words), lanes].T
            shift = np.uint32(16 if mask == 0xFFFF0000 else 0)
            raw[cells] = np.ascontiguousarray((held >> shift).astype(dtype)).view(np.uint8)

    return run


def _swizzle_code(inst: Any) -> Code:
    """Return the code of an exchange within 32 lanes, in the bit mask mode."""
    pattern = inst.offset0 | inst.offset1 << 8
    if pattern >> 15:
        raise NotImplementedError(f"ds_swizzle with the pattern {pattern:#x}")
    kept, set_, flipped = (pattern >> shift & 31 for shift in (0, 5, 10))
    source, target = (_number(inst, each) for each in (inst.addr, inst.vdst))

    def run(w: Wave) -> None:
        lanes = np.arange(w.active.size)
        others = lanes & ~31 | (lanes & kept | set_) ^ flipped
        if not w.active[others[w.active]].all():
            raise RuntimeError("an exchange reads a lane that does not take part")
        w.vectors[target, w.active] = w.vectors[source, others[w.active]]

    return run


def shared_code(inst: Any, name: str) -> Code:
    """Return the code of an access to shared memory, or of an exchange by its hardware."""
    if name == "DS_SWIZZLE_B32":
        return _swizzle_code(inst)
    name = name.replace("DS_READ", "DS_LOAD").replace("DS_WRITE", "DS_STORE")
    name = re.sub(r"(LOAD|STORE)2(ST64)?_", lambda m: f"{m[1]}_2ADDR{'_STRIDE64' * bool(m[2])}_",
                  name)  # fmt: skip
    found = re.fullmatch(r"DS_(LOAD|STORE)_(2ADDR_)?(STRIDE64_)?(\w+)", name)
    if found is None:
        raise NotImplementedError(name)
    kind, size = found[1], found[4]
    vector = inst.addr.offset - FIRST_VECTOR
    first = _number(inst, inst.vdst if kind == "LOAD" else inst.data0)

    def at(offset: int) -> Addresses:
        return lambda w: w.vectors[vector][w.active].astype(np.int64) + offset

    def shared(w: Wave) -> Memory:
        return w.shared

    if not found[2]:
        return _access(kind, size, first, at(inst.offset0 | inst.offset1 << 8), shared)
    unit = int(size[1:]) // 8 * (64 if found[3] else 1)
    second = _number(inst, inst.data1) if kind == "STORE" else first + _words(size)
    pair = [(inst.offset0, first), (inst.offset1, second)]
    if kind == "LOAD":

        def load(w: Wave) -> None:
            if w.active.any():
                made = [w.shared.load(at(offset * unit)(w), _words(size)) for offset, _ in pair]
                for (_, register), rows in zip(pair, made, strict=True):
                    w.vectors[register : register + _words(size), w.active] = rows

        return load
    codes = [_access(kind, size, data, at(offset * unit), shared) for offset, data in pair]

    def run(w: Wave) -> None:
        for code in codes:
            code(w)

    return run
