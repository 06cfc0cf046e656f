"""tilewright.compile_step: states stay in the session, also when the batch changes."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import ops, optim
from tilewright.runtime.errors import ArgumentError

torch = pytest.importorskip("torch")

NIGHTLY = pytest.mark.nightly
"""Machine code, whose compilation takes most of the time."""


def mlp(p, x):
    return ops.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def torch_mlp(p, x):
    return torch.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@pytest.mark.parametrize(
    ("target", "steps"), [("interpreter", 8), pytest.param(None, 100, marks=NIGHTLY)]
)
def test_a_network_trains_as_in_torch(target, steps):
    rng = np.random.default_rng(0)
    sizes = {"w1": (6, 8), "b1": (8,), "w2": (8, 3), "b2": (3,)}
    params = {name: rng.standard_normal(size) for name, size in sizes.items()}
    adam = optim.adam(1e-2)

    def step(params, opt, x, labels):
        def loss(p):
            return ops.cross_entropy(mlp(p, x), labels)

        value, gradients = tilewright.value_and_grad(loss)(params)
        return value, *adam.update(params, gradients, opt)

    compiled = tilewright.compile_step(step, state=("params", "opt"), target=target)
    session = compiled.session(params=params, opt=adam.init(params))
    theirs = {name: torch.tensor(value, requires_grad=True) for name, value in params.items()}
    reference = torch.optim.Adam(theirs.values(), 1e-2)
    for _ in range(steps):
        x, labels = rng.standard_normal((8, 6)), rng.integers(0, 3, 8)
        reference.zero_grad()
        logits = torch_mlp(theirs, torch.tensor(x))
        wanted = torch.nn.functional.cross_entropy(logits, torch.tensor(labels))
        wanted.backward()
        reference.step()
        assert float(session(x, labels)) == pytest.approx(wanted.item(), rel=1e-10)
    for name, value in session.state("params").items():
        np.testing.assert_allclose(value, theirs[name].detach(), rtol=1e-10)
    assert int(session.state("opt")["count"]) == steps
    assert len(compiled._programs) == 1


def test_a_step_updates_only_the_rows_of_a_table_that_it_reads():
    """The table is not copied: all buffers together are smaller, and rows may occur twice."""
    rng, sgd = np.random.default_rng(0), optim.sgd(0.1)
    table = rng.standard_normal((1000, 16))

    def step(table, opt, ids, wanted):
        def loss(table):
            return ((ops.gather(table, ids, axis=0) - wanted) ** 2).sum()

        value, gradient = tilewright.value_and_grad(loss)(table)
        return value, *sgd.update(table, gradient, opt)

    compiled = tilewright.compile_step(step, state=("table", "opt"))
    session = compiled.session(table=table, opt=sgd.init(table))
    theirs = torch.tensor(table, requires_grad=True)
    for _ in range(3):
        ids, wanted = rng.integers(0, 20, 30), rng.standard_normal((30, 16))
        loss = torch.nn.functional.embedding(torch.tensor(ids), theirs) - torch.tensor(wanted)
        loss = loss.square().sum()
        (gradient,) = torch.autograd.grad(loss, theirs)
        theirs = (theirs - 0.1 * gradient).detach().requires_grad_()
        assert float(session(ids, wanted)) == pytest.approx(loss.item(), rel=1e-12)
    np.testing.assert_allclose(session.state("table"), theirs.detach(), rtol=1e-12)
    assert session.memory().arena < table.nbytes / 4


def counted(total, x):
    return total["sum"] * 2, {"sum": total["sum"] + x.sum(), "count": total["count"] + 1}


def test_another_shape_runs_another_program_on_the_same_states():
    step = tilewright.compile_step(counted, state=["total"], target="interpreter")
    first = {"sum": np.float32(1), "count": np.int32(0)}
    session = step.session(total=first)
    assert float(session.state("total")["sum"]) == 1
    assert [float(session(np.ones(n, np.float32))) for n in (2, 3, 2)] == [2, 6, 12]
    state = session.state("total")
    assert (float(state["sum"]), int(state["count"])) == (8, 3)
    assert float(step.session(total=first)(np.ones(2, np.float32))) == 2
    names = [spec.name for spec in session.module.inputs]
    assert names == ["total.count", "total.sum", "x"]


def test_wrong_states():
    def changed(total, x):
        return x, {"sum": total["sum"]}

    first = {"sum": np.float32(1), "count": np.int32(0)}
    session = tilewright.compile_step(changed, state=["total"]).session(total=first)
    with pytest.raises(ArgumentError, match="the last results of a step are the new states"):
        session(np.float32(1))
    step = tilewright.compile_step(counted, state=["total"])
    with pytest.raises(ArgumentError, match="takes the initial values of its states"):
        step.session()
    with pytest.raises(ArgumentError, match="the session has the states"):
        step.session(total=first)(x=np.ones(1), total=first)
    with pytest.raises(ArgumentError, match="parameters of the step"):
        tilewright.compile_step(counted, state=["params"])
    with pytest.raises(ArgumentError, match="params is not a state"):
        step.session(total=first).state("params")
