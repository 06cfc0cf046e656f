"""Core ATen operators: each is imported or refused by name, and rarer ones equal eager torch."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from torch._decomp import core_aten_decompositions  # noqa: E402

from tilewright.driver.torch.backend import tilewright_backend  # noqa: E402
from tilewright.frontend.torch.importer import converters  # noqa: E402
from tilewright.gradient.aten_backward import CONVERTERS as BACKWARD  # noqa: E402

aten, functional = torch.ops.aten, torch.nn.functional

REFUSED = {
    "_native_batch_norm_legit.default",
    *("_fft_r2c", "_fft_c2r", "_local_scalar_dense", "nonzero", "randperm", "resize_"),
}
"""Core operators without a converter: complex and random numbers, sizes that depend on data."""


def core_operators() -> list[Any]:
    """Return all overloads that torch marks as core ATen."""
    found: list[Any] = []
    for full in torch._C._dispatch_get_all_op_names():
        space, _, name = full.partition("::")
        packet, _, overload = name.partition(".")
        if space == "aten" and hasattr(aten, packet):
            found.append(getattr(getattr(aten, packet), overload or "default", None))
    return [each for each in found if each is not None and torch.Tag.core in each.tags]


def test_each_core_operator_is_imported_or_refused() -> None:
    table, decomposed = {**converters(), **BACKWARD}, core_aten_decompositions()
    missing: set[str] = set()
    for operator in core_operators():
        name, _, overload = str(operator).removeprefix("aten.").partition(".")
        is_size = name.startswith("sym_")  # arithmetic on sizes, which needs no converter
        if is_size or operator in decomposed or {name, f"{name}.{overload}"} & set(table):
            continue
        missing.add(f"{name}.{overload}" if f"{name}.{overload}" in REFUSED else name)
    assert missing == REFUSED


def distances(x: Any, y: Any) -> Any:
    orders = (0.0, 1.0, 2.0, 3.0, float("inf"))
    both = torch.cdist(x[None].expand(2, 4, 6), y)
    return *(torch.cdist(x, y, p) for p in orders), both, functional.pdist(x)


def strides(x: Any, _: Any) -> Any:
    return (
        x.as_strided((2, 3), (6, 2), 1),
        (x * 2).as_strided((3, 2), (1, 4)),
        x.t().as_strided((4,), (1,)),
        torch.empty_strided((2, 3), (3, 1)).fill_(1) + x[0, :3],
        x.unfold(1, 3, 2),
        x.unfold(0, 2, 1),
    )


def masks(x: Any, y: Any) -> Any:
    return x.masked_scatter(x > 0, y), x.masked_scatter(x[0] > 0, y)


def norms(x: Any, y: Any) -> Any:
    image = x.reshape(2, 3, 2, 2)
    return (
        functional.instance_norm(image),
        functional.batch_norm(image, None, None, y[0, :3], y[1, :3], training=True),
        aten.native_dropout(x, 0.5, False),
        aten.upsample_bilinear2d.vec(image, [5, 3], False, None),
        aten.upsample_nearest2d.vec(image, None, [2.0, 1.5]),
    )


def sorts(x: Any, y: Any) -> Any:
    scalar = x[0, 0]
    return (
        *torch.sort(x, dim=0, descending=True, stable=False),
        *torch.sort(x, dim=-2, stable=True),
        *x.sort(0, True),
        *scalar.sort(),
        *scalar.topk(1),
        scalar.index_select(0, torch.tensor([0])),
    )


def bags(x: Any, y: Any) -> Any:
    words, starts = torch.tensor([1, 2, 3, 0, 2, 2]), torch.tensor([0, 2, 2, 5])
    call = functional.embedding_bag
    return (
        *(call(words, x, starts, mode=mode) for mode in ("sum", "mean", "max")),
        *(call(words, x, starts, mode=mode, padding_idx=2) for mode in ("sum", "mean", "max")),
        call(words, x, torch.tensor([0, 2, 2, 6]), mode="sum", include_last_offset=True),
        call(words, x, starts, mode="sum", per_sample_weights=y[0]),
        call(words.reshape(2, 3), x),
    )


def systems(x: Any, y: Any) -> Any:
    a = x[:, :4] @ x[:, :4].mT + torch.eye(4)
    stack, rhs = torch.stack([a, x[:, 1:5] + 3 * torch.eye(4)]), y[:4]
    linalg = torch.linalg
    factor = linalg.cholesky_ex(a).L
    return (
        *linalg.cholesky_ex(a),
        *linalg.cholesky_ex(a[None].triu(), upper=True),
        linalg.cholesky_ex(torch.diag(torch.tensor([1.0, 2.0, -1.0, 3.0]))).info,
        *linalg.inv_ex(stack),
        linalg.inv_ex(torch.diag(torch.tensor([1.0, 0.0, 2.0]))).info,
        *linalg.solve_ex(stack, rhs),
        *linalg.solve_ex(stack, stack[:, 0]),
        *linalg.solve_ex(a, rhs.mT, left=False),
        linalg.solve_triangular(stack, rhs, upper=True),
        linalg.solve_triangular(stack, rhs, upper=False, unitriangular=True),
        linalg.solve_triangular(a, rhs.mT, upper=True, left=False),
        torch.cholesky_solve(rhs, factor),
        torch.cholesky_solve(rhs, factor.mT, upper=True),
        linalg.det(stack),
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [distances, strides, masks, norms, bags, sorts, systems])
def test_operators_equal_eager(function: Any) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x, y = torch.randn(4, 6), torch.randn(5, 6)
    with torch.no_grad():
        got = torch.compile(function, backend=tilewright_backend, fullgraph=True)(x, y)
        torch.testing.assert_close(got, function(x, y), rtol=1e-5, atol=1e-5)


def test_windows_of_a_dynamic_axis() -> None:
    torch._dynamo.reset()
    run = torch.compile(
        lambda x: x.unfold(0, 4, 2), backend=tilewright_backend, fullgraph=True, dynamic=True
    )
    for size in (9, 12):
        x = torch.randn(size, 3)
        assert torch.equal(run(x), x.unfold(0, 4, 2))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: torch.randperm(3) + x, "aten.randperm.default draws random numbers"),
        (lambda x: x.as_strided((2,), (5,)), "memory outside of a tensor"),
        (lambda x: torch.linalg.inv(torch.diag(x)), "raises an error at run time"),
    ],
)
def test_an_error_names_the_reason(function: Any, reason: str) -> None:
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=reason):
        torch.compile(function, backend=tilewright_backend, fullgraph=True)(torch.ones(3))


def test_an_argument_that_a_converter_does_not_read_is_refused() -> None:
    torch._dynamo.reset()
    table: Any = converters()
    with (
        mock.patch.dict(table, {"add": lambda b, x, y: b.map("add", x, y)}),
        pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="keyword arguments are not"),
    ):
        torch.compile(
            lambda x: torch.add(x, x, alpha=3), backend=tilewright_backend, fullgraph=True
        )(torch.ones(3))
