"""Any batch and length gets the kernels of batch 1, without division by a batch or length."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.dialects.sizes import record_sizes
from tilewright.dialects.te import ComputeOp, TensorOp, kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.testing.models import decoder_model, encoder_model, inputs_for

from ....peer import peer_results

TARGET = Target("llvm -mcpu=skylake-avx512")
PAST = 11


def encoder(batch: int | str, seq: int | str) -> onnx.ModelProto:
    return encoder_model(layers=2, hidden=64, heads=4, ffn=256, batch=batch, seq=seq)


def decoder(batch: int, seq: int) -> onnx.ModelProto:
    return decoder_model(hidden=64, heads=4, past=PAST, batch=batch, seq=seq)


def decoder_of_rows(batch: int, seq: int) -> onnx.ModelProto:
    return decoder_model(hidden=64, heads=4, past=PAST, batch=batch, seq=seq, rows=True)


MODELS = (encoder, decoder, decoder_of_rows)


def structure(model: onnx.ModelProto, level: str) -> tuple[list[list[str]], set[int]]:
    """Return the names of the ops of each kernel, and all divisors of index expressions."""
    module = import_model(load(model))
    record_sizes(entry_of(module))
    run_pipeline(module, new_context(), TARGET, to=level)
    divisors: set[int] = set()
    for op in module.walk():
        if isinstance(op, ComputeOp):
            indices = [e for access in op.view().accesses() for e in access.indices or ()]
            divisors |= {atom.divisor for index in indices for atom in index.atoms()}
    names = [
        [op.label for op in kernel.walk() if isinstance(op, TensorOp)]
        for kernel in kernels_of(module)
    ]
    return names, divisors


@pytest.mark.parametrize("make", MODELS)
def test_batches_get_the_kernels_of_one_sequence(make) -> None:
    expected, _ = structure(make(1, 35), "sched")
    for batch, seq in ((3, 7), (7, 5), (2, 13)):
        names, _ = structure(make(batch, seq), "sched")
        assert names == expected, (batch, seq)


def test_symbolic_batches_and_lengths_get_the_kernels_of_one_sequence() -> None:
    expected, _ = structure(encoder(1, 35), "sched")
    assert structure(encoder("b", "s"), "sched")[0] == expected


@pytest.mark.parametrize("make", MODELS)
def test_no_index_divides_by_a_batch_or_length(make) -> None:
    for level in ("te", "scheduled"):
        _, divisors = structure(make(3, 7), level)
        assert not divisors & {3, 7, 21, PAST, PAST + 7, 3 * (PAST + 7)}, level


@pytest.mark.one_in(3)
@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize(("batch", "seq"), [(3, 7), (5, 2), (6, 1)])
def test_batches_compute_the_same_as_onnxruntime(make, batch: int, seq: int) -> None:
    model = make(batch, seq)
    inputs = inputs_for(model)
    expected = peer_results(model, inputs)
    module = tilewright.compile(model)
    runs = [[out.numpy() for out in module.run(inputs, threads=n)] for n in (1, 2, 3)]
    for got, wanted in zip(runs[0], expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)
    assert len({b"".join(x.tobytes() for x in outputs) for outputs in runs}) == 1
