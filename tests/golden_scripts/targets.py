"""Targets as strings, dicts and tags; a library for a board from another machine."""

import json
from pathlib import Path

import tilewright as tvm
from tilewright.target import Target
from tilewright.testing import models

board = Target("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72")
for same in (
    Target({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"}),
    Target(json.dumps(dict(board.export()))),
    Target("raspberry-pi/4b-aarch64"),
    Target("raspberrypi4"),
    Target(str(board)),
):
    assert same == board
assert board.kind == "llvm"
assert Target("cuda", host="llvm") == Target("cuda")
assert Target("cuda -arch=sm_80", host=board).host == board

MEANT = {
    "llvm -mcpu=banana": "tw targets",
    "cuda -arch=banana": "-arch=sm_80",
    "ext_dev": "extensions=",
    "llvm -keys=arm_cpu": "-mcpu=NAME",
    "llvm -libs=cblas": "te.extern",
}
for text, meant in MEANT.items():
    message = ""
    try:
        Target(text)
    except tvm.TargetError as err:
        message = str(err)
    assert meant in message, (text, message)

lib = tvm.compile(models.ffn_model(m=2, k=8, n=8), target=board)
for name in ("net.so", "net.o", "net.a", "net.tar"):
    lib.export_library(name)
E_MACHINE, AARCH64 = 18, 183
for name in ("net.so", "net.o"):
    head = Path(name).read_bytes()[:20]
    assert head[:5] == b"\x7fELF\x02"
    assert int.from_bytes(head[E_MACHINE:20], "little") == AARCH64
