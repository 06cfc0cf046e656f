"""Sessions of exported decoders in programs without Python: bit for bit as those in Python."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.testing.models import ffn_model

from ...runtime.test_session import CAPACITY, DECODER, STATE, rows
from ..export.test_load_module import assert_equal, compiled, floats
from .hosts import (
    ADDRESSES,
    FLAGS,
    HOSTS,
    RACES,
    build,
    build_cpp,
    build_rust,
    link_runtime,
    output,
    read_tensors,
    run_host,
    sanitized,
    sanitizers,
    tool,
    write_tensors,
)

FOREIGN = str(Path(__file__).with_name("foreign.py"))
RESET, FORK, BACK, READ, BEGIN = (np.int64([-n]) for n in range(1, 6))
Run = Callable[[Path, Sequence[np.ndarray]], list[np.ndarray]]


def stepped(module: tilewright.CompiledModule, steps: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return what the steps of hosts/decodes.c return in Python."""
    sessions, results = [module.session()], list[np.ndarray]()
    for step in steps:
        session, change = sessions[-1], None if step.ndim > 1 else int(step[0])
        if change is None:
            results.append(np.array(session(step)))
        elif change == -1:
            session.reset()
        elif change == -2:
            sessions.append(session.fork())
        elif change == -3:
            sessions.pop()
        elif change == -4:
            results.append(np.array(session.state(module.states[0].spec.name)))
        else:
            session.rewind(change)
    return results


@pytest.fixture(scope="module", params=["c", "cpp", "rust", "tvm_ffi"])
def run(request, worker, tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "tvm_ffi":
        return lambda path, steps: worker.call(f"{FOREIGN}:decode", str(path), list(steps))
    makers = {
        "c": lambda: sanitized("decodes.c", folder),
        "cpp": lambda: build_cpp(HOSTS / "decodes.cpp", folder),
        "rust": lambda: build_rust(HOSTS / "decodes.rs", folder),
    }
    program = makers[request.param]()
    return lambda path, steps: run_host(program, path, steps)


@pytest.fixture(scope="module")
def c_program(tmp_path_factory) -> Path:
    return sanitized("decodes.c", tmp_path_factory.mktemp("decodes"))


@pytest.fixture(scope="module")
def decoder(tmp_path_factory) -> tuple[tilewright.CompiledModule, Path]:
    module = compiled(DECODER, state=STATE, capacity=CAPACITY, threads=1)
    return module, module.export_library(tmp_path_factory.mktemp("m") / "m.so")[0]


STEPS = (
    rows(5, 0), rows(1, 1), rows(1, 2), np.int64([2]), rows(1, 3), FORK, rows(3, 4), np.int64([0]),
    BACK, rows(1, 5), RESET, rows(2, 6, batch=3), rows(1, 7, batch=3),
)  # fmt: skip


def test_a_decoder_appends_rewinds_forks_and_resets(run, decoder):
    module, path = decoder
    assert any(state.appends for state in module.states)
    assert_equal(run(path, STEPS), stepped(module, STEPS))


def test_a_linked_decoder_has_sessions(decoder, tmp_path):
    module, _ = decoder
    module.export_library(tmp_path / "m.o")
    program = link_runtime(HOSTS / "decodes.c", tmp_path / "m.o")
    assert_equal(run_host(program, tmp_path / "m.o", STEPS), stepped(module, STEPS))


@pytest.fixture(scope="module", params=["c", "cpp", "rust"])
def program(request, tmp_path_factory) -> Path:
    """A program that also reads states, and begins with initial values."""
    folder, makers = tmp_path_factory.mktemp("faces"), {"c": sanitized_decodes, "cpp": build_cpp}
    suffix = {"c": ".c", "cpp": ".cpp", "rust": ".rs"}[request.param]
    return makers.get(request.param, build_rust)(HOSTS / f"decodes{suffix}", folder)


def sanitized_decodes(source: Path, folder: Path) -> Path:
    return sanitized(source.name, folder)


def test_the_value_of_a_state_is_that_of_python(decoder, program):
    module, path = decoder
    steps = [rows(3, 0), READ, rows(2, 1), READ, np.int64([4]), READ]
    assert_equal(run_host(program, path, steps), stepped(module, steps))


def test_a_session_starts_from_initial_values(decoder, program):
    module, path = decoder
    initial = [floats(1, 4, 3, 8), floats(1, 4, 3, 8)]
    session = module.session(dict(zip(STATE, initial, strict=True)))
    expected = [np.array(session(rows(2, 0))), np.array(session.state("past_k"))]
    session.reset()
    expected.append(np.array(session(rows(1, 1))))
    steps = [BEGIN, *initial, rows(2, 0), READ, RESET, rows(1, 1)]
    assert_equal(run_host(program, path, steps), expected)


def refusals(program: Path, path: Path, steps: Sequence[np.ndarray], folder: Path) -> Any:
    """Return the results and the errors of steps."""
    words = [program, path, write_tensors(folder / "in.bin", steps), folder / "out.bin"]
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return read_tensors(folder / "out.bin"), done.stderr


def errors_in_python(module: tilewright.CompiledModule, steps: Sequence[np.ndarray]) -> list[str]:
    """Return the errors of calls with the steps, and of changes by the numbers among them."""
    session, errors = module.session(), list[str]()
    for step in steps:
        try:
            session(step) if step.ndim > 1 else session.rewind(int(step[0]))
        except tilewright.ArgumentError as err:
            errors.append(str(err))
    return errors


def test_refused_calls_leave_the_states_as_they_were(decoder, c_program, tmp_path):
    module, path = decoder
    wrong = floats(1, 2, 31)
    steps = [wrong, rows(14, 0), rows(10, 1), rows(3, 2), wrong, np.int64([11]), rows(2, 3)]
    got, said = refusals(c_program, path, steps, tmp_path)
    assert [one.dtype == np.uint8 for one in got] == [True, True, False, True, True, False]
    assert_equal([got[2], got[5]], stepped(module, [rows(10, 1), rows(2, 3)]))
    errors = errors_in_python(module, steps)
    assert len(errors) == 5
    for error in errors:
        assert error.partition("\n    signature")[0] in said
    assert said.count("(x) has the wrong shape") == 2


def test_a_model_without_states_has_no_sessions(c_program, tmp_path):
    path = compiled(ffn_model(m=4, k=8, n=8)).export_library(tmp_path / "m.so")[0]
    done = subprocess.run([c_program, path, tmp_path, tmp_path], capture_output=True, check=False)
    assert done.returncode == 2  # no steps
    with pytest.raises(AssertionError, match=r"has no sessions\n  expected: a model that was"):
        run_host(c_program, path, [rows(1, 0)])


def test_random_steps_work_or_are_refused(decoder, tmp_path):
    assert output(sanitized("steps.c", tmp_path), decoder[1]) == "both\n"


@pytest.mark.parametrize("options", [ADDRESSES, RACES], ids=["addresses", "races"])
def test_threads_decode_at_once_and_the_program_brings_a_pool(decoder, tmp_path, options):
    module = compiled(ffn_model(m=256, k=128, n=256), threads=2)
    path = module.export_library(tmp_path / "m.so")[0]
    program = build([tool("gcc")], HOSTS / "parallel.c", tmp_path, *sanitizers(options))
    assert output(program, path, decoder[1]) == "pool: used, equal\n"


HEADER = """
#include <stdio.h>
#include "decoder.h"

int main(void)
{
    static float x[5 * 32], y[5 * 32];
    int64_t five[] = {1, 5, 32}, one[] = {1, 1, 32};
    for (int n = 0; n < 5 * 32; n++) x[n] = (float)(n % 7) / 8;
    struct tw_tensor first[] = {decoder_tensor(0, x, five), decoder_tensor(4, y, five)};
    struct tw_tensor next[] = {decoder_tensor(0, x, one), decoder_tensor(4, y, one)};
    struct tw_function_object *session = decoder_begin(), *twin;
    if (session == 0 || decoder_step(session, first) != 0 || decoder_rewind(session, 2) != 0)
        return puts(decoder_last_error), 1;
    twin = decoder_fork(session);
    if (twin == 0 || decoder_step(twin, next) != 0)
        return puts(decoder_last_error), 1;
    for (int n = 0; n < 32; n++) printf("%.9g\\n", (double)y[n]);
    if (decoder_rewind(session, 4) == 0 || decoder_reset(session) != 0)
        return 2;
    decoder_end(twin);
    decoder_end(session);
    decoder_release();
    return 0;
}
"""


def test_a_program_decodes_with_the_functions_of_the_header(decoder, tmp_path):
    module, _ = decoder
    assert [spec.name for spec in (*module.inputs, *module.outputs)][::4] == ["x", "y"]
    module.export_library(tmp_path / "decoder.o")
    (tmp_path / "app.c").write_text(HEADER)
    options = (*FLAGS, *sanitizers(), f"-I{tmp_path}", "-o", "app", "app.c", "decoder.o")
    subprocess.run([tool("gcc"), *options], check=True, cwd=tmp_path)
    x = (np.arange(160) % 7 / 8).astype(np.float32).reshape(1, 5, 32)
    expected = stepped(module, [x, np.int64([2]), x[:, :1]])[1]
    got = np.array(output(tmp_path / "app").split(), np.float32)
    np.testing.assert_array_equal(got, expected.ravel())
