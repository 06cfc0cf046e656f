"""The backend of torch.compile: results of eager torch, changed weights, graph breaks, errors."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from tilewright.driver.torch import constants as torch_constants  # noqa: E402
from tilewright.driver.torch.backend import (  # noqa: E402
    MODES,
    CompiledGraph,
    GraphBreakWarning,
    tilewright_backend,
)
from tilewright.driver.torch.page_writes import own_pages  # noqa: E402
from tilewright.frontend.torch.importer import NodesUnsupported  # noqa: E402
from tilewright.support.diagnostics import ModelError  # noqa: E402

outputs: Any = CompiledGraph._outputs  # pyright: ignore[reportPrivateUsage]
compile_: Any = CompiledGraph._compile  # pyright: ignore[reportPrivateUsage]
nn, functional = torch.nn, torch.nn.functional
F32, BOOL, I64 = torch.float32, torch.bool, torch.int64


@pytest.fixture(autouse=True)
def _fresh() -> Any:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch.manual_seed(0)
    with torch.no_grad():
        yield


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend=tilewright_backend, **{"fullgraph": True, **options})


def check(function: Any, *inputs: Any, error: float = 1e-5) -> None:
    want, got = function(*inputs), compiled(function)(*inputs)
    torch.testing.assert_close(got, want, rtol=error, atol=error)


def test_the_backend_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch finds the entry point of the project, here in metadata of an installation."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    points = project["entry-points"]["torch_dynamo_backends"]
    info = tmp_path / f"{project['name']}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[torch_dynamo_backends]", *lines]))
    monkeypatch.syspath_prepend(tmp_path)
    registry = torch._dynamo.backends.registry
    registry._discover_entrypoint_backends.cache_clear()
    registry._discover_entrypoint_backends()
    assert registry.lookup_backend("tilewright") is tilewright_backend
    run = torch.compile(torch.neg, backend="tilewright", mode="max-autotune", fullgraph=True)
    with mock.patch.object(CompiledGraph, "_outputs", autospec=True, side_effect=outputs) as calls:
        assert torch.equal(run(torch.ones(2)), -torch.ones(2))
    assert calls.call_count == 1


def test_all_modes_of_torch_are_modes() -> None:
    assert set(torch._inductor.list_mode_options()) <= set(MODES)


OPERATORS: dict[str, Any] = {
    "floats": lambda x, y: (x + 2 * y, x - y, 3 - x, x / 2, x**2, torch.rsqrt(y.abs() + 1)),
    "rounding": lambda x, y: (
        x.floor(),
        x.round(),
        x.trunc(),
        torch.div(x, y, rounding_mode="floor"),
    ),
    "remainders": lambda x, y: (x % y, torch.fmod(x, y)),
    "comparisons": lambda x, y: (x > y, x != y, (x < y) & (x >= 0), torch.where(x > 0, x, y)),
    "activations": lambda x, y: (
        functional.gelu(x),
        functional.silu(x),
        functional.elu(x),
        functional.hardswish(x),
        functional.softplus(x),
        functional.leaky_relu(x),
        functional.mish(x),
        torch.atan2(x, y),
    ),
    "types": lambda x, y: (x.to(I64), (x * 10).to(torch.int8), x.bool(), x.double(), x.half()),
    "reductions": lambda x, y: (
        x.sum(0),
        x.mean(),
        x.amax(-1, keepdim=True),
        x.var(1),
        x.std(0, unbiased=False),
        x.argmax(1),
        x.max(0).indices,
        x.cumsum(1),
        (x > 0).any(1),
        x.logsumexp(1),
        x.norm(dim=1),
    ),
    "orders": lambda x, y: (*x.topk(2, 1), *x.sort(1), *y.sort(0, descending=True)),
    "views": lambda x, y: (
        x.t(),
        x[1:, ::2],
        x[:, -1],
        x[None],
        x.flatten(),
        x.expand(2, 4, 6),
        x.flip(1),
        x.roll(2, 1),
        x.repeat(2, 1),
        torch.cat([x, y], 1),
        *x.split(4, 1),
        torch.stack([x, y]),
    ),
    "pads": lambda x, y: (
        functional.pad(x, (1, 2)),
        functional.pad(x, (-1, 1), value=3.0),
        functional.pad(x[None], (2, 1), mode="reflect"),
        x.tril(),
        x.triu(1),
    ),
    "fills": lambda x, y: (
        torch.arange(6) + x,
        torch.ones_like(x) * 2,
        torch.full((2,), 1.5) * x[0, 0],
    ),
    "indices": lambda x, y: (
        x[torch.tensor([2, 0])],
        x[torch.tensor([0, -1]), torch.tensor([1, 2])],
        x[:, torch.tensor([[0, 1], [2, 3]])],
        x.gather(1, torch.zeros(4, 2, dtype=I64)),
        x.scatter(1, torch.ones(4, 1, dtype=I64), 7.0),
        x.masked_fill(y > 0, 0.0),
    ),
    "writes": lambda x, y: x.clone().index_put_((torch.tensor([0, 2]),), y[:2]).add_(1),
    "slices": lambda x, y: _written(x, y),
    "products": lambda x, y: (x @ y.t(), torch.addmm(y[:, :4], x, y.t()), functional.linear(x, y)),
    "norms": lambda x, y: (
        functional.layer_norm(x, (6,), y[0], y[1]),
        functional.rms_norm(x, (6,), y[0]),
        functional.group_norm(x, 3, y[0], y[1]),
        x.softmax(-1),
        x.log_softmax(0),
    ),
}


def _written(x: Any, y: Any) -> Any:
    x = x.clone()
    x[1:3] = y[:2]
    x[:, 2] *= 3
    return x


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_operators_equal_eager(name: str) -> None:
    check(OPERATORS[name], torch.randn(4, 6) * 2, torch.randn(4, 6) + 0.1)


IMAGES: dict[str, Any] = {
    "convolutions": lambda x, w: (
        functional.conv2d(x, w, stride=2, padding=1),
        functional.conv_transpose2d(x, w.transpose(0, 1), stride=2, padding=1, output_padding=1),
        functional.conv2d(x, w[:4, :1], groups=4, dilation=2),
    ),
    "pools": lambda x, w: (
        functional.max_pool2d(x, 3, 2, 1),
        functional.avg_pool2d(x, 2),
        functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        *functional.max_pool2d(x, 2, return_indices=True),
        functional.adaptive_avg_pool2d(x, (1, 4)),
    ),
    "resizes": lambda x, w: (
        functional.interpolate(x, scale_factor=2),
        functional.interpolate(x, size=(5, 7), mode="bilinear"),
        functional.interpolate(x, size=(5, 7), mode="bilinear", align_corners=True),
    ),
    "bicubic": lambda x, w: functional.interpolate(x, scale_factor=1.5, mode="bicubic"),
    "attention": lambda x, w: (
        functional.scaled_dot_product_attention(x, x, x),
        functional.scaled_dot_product_attention(
            x, x[:, :2], x[:, :2], is_causal=True, enable_gqa=True
        ),
        functional.scaled_dot_product_attention(x, x, x, attn_mask=x[0, 0] > 1.5),
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        *sorted(set(IMAGES) - {"bicubic"}),
        pytest.param("bicubic", marks=pytest.mark.nightly),
    ],
)
def test_operators_on_images_equal_eager(name: str) -> None:
    check(IMAGES[name], torch.randn(2, 4, 8, 8), torch.randn(6, 4, 3, 3), error=3e-5)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_floats(dtype: Any) -> None:
    layer = nn.Linear(8, 4).to(dtype).eval()
    check(lambda x: layer(x).relu(), torch.randn(3, 8, dtype=dtype), error=2e-2)


def test_results_of_any_structure() -> None:
    check(
        lambda d: {"a": d["x"] + 1, "b": (d["y"] * 2, 3, None)},
        {"x": torch.ones(2), "y": torch.arange(3)},
    )


def test_an_input_is_written_in_place() -> None:
    x, y = torch.ones(3), torch.ones(3)

    def add(x: Any) -> Any:
        x.add_(2)
        return x * 2

    assert torch.equal(compiled(add)(x), add(y))
    assert torch.equal(x, y)


def small(size: int = 4) -> Any:
    return nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, 2)).eval()


WATCHED = 96
"""A size whose weights fill whole pages, which the kernel watches."""


@contextmanager
def detection(mechanism: str) -> Generator[None]:
    """Find changes of weights by pages of memory, or by copies of all bytes."""
    if mechanism == "pages" and own_pages() is None:
        pytest.skip("the system does not record writes to memory")
    if mechanism != "copies":
        yield
        return
    with mock.patch.object(torch_constants, "own_pages", return_value=None):
        yield


def random_like(x: Any) -> Any:
    return torch.randn(x.shape)


def overwrite(array: Any) -> None:
    array[...] = 3


TORCH_COUNTS: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda layer: None,
    "in place": lambda layer: layer[0].weight.mul_(2),
    "another parameter": lambda layer: setattr(layer[2], "bias", nn.Parameter(torch.ones(2))),
    "data replaced": lambda layer: setattr(layer[0].weight, "data", random_like(layer[0].weight)),
    "set": lambda layer: layer[0].weight.set_(random_like(layer[0].weight)),
    "state": lambda layer: layer.load_state_dict({k: v + 1 for k, v in layer.state_dict().items()}),
    "optimizer": lambda layer: stepped(layer),
}
"""Changes of weights that torch counts."""

TORCH_MISSES: dict[str, Callable[[Any], Any]] = {
    "data": lambda layer: layer[0].weight.data.copy_(random_like(layer[0].weight)),
    "array": lambda layer: overwrite(layer[0].weight.numpy()),
    "storage": lambda layer: (
        layer[0].weight.untyped_storage().copy_(random_like(layer[0].weight).untyped_storage())
    ),
    "one bit": lambda layer: layer[2].bias.data.view(torch.int32)[1].bitwise_xor_(1 << 22),
}
"""Changes of weights that torch does not count."""


def stepped(layer: Any) -> None:
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.1)
    with torch.enable_grad():
        layer(torch.ones(1, layer[0].in_features)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()


@pytest.mark.parametrize("mechanism", ["pages", "copies", "freeze"])
def test_changed_weights_are_used(mechanism: str) -> None:
    is_frozen, layer = mechanism == "freeze", small(WATCHED)
    run, x = compiled(layer, options={"freeze": is_frozen}), torch.randn(3, WATCHED)
    with detection(mechanism):
        for change in (TORCH_COUNTS | ({} if is_frozen else TORCH_MISSES)).values():
            change(layer)
            torch.testing.assert_close(run(x), layer(x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mechanism", ["pages", "copies"])
def test_weights_that_change_under_inference_mode_are_used(mechanism: str) -> None:
    changes = [TORCH_COUNTS["nothing"], TORCH_COUNTS["in place"], *TORCH_MISSES.values()]
    with detection(mechanism), torch.inference_mode():
        layer = small(WATCHED)
        run, x = compiled(layer), torch.randn(3, WATCHED)
        for change in changes:
            change(layer)
            torch.testing.assert_close(run(x), layer(x), rtol=1e-5, atol=1e-5)


def test_two_programs_see_the_changes_of_shared_weights() -> None:
    """The program that sees a write first does not hide it from the other one."""
    layer = small(WATCHED)
    runs, x = [compiled(layer), compiled(lambda x: layer(x) + 1)], torch.randn(3, WATCHED)
    for _ in range(2):
        for n, run in enumerate(runs):
            torch.testing.assert_close(run(x), layer(x) + n, rtol=1e-5, atol=1e-5)
        layer[0].weight.data.mul_(-2)


def test_changed_weights_compile_nothing() -> None:
    layer = small()
    run, x = compiled(layer), torch.randn(3, 4)
    run(x)
    with mock.patch.object(CompiledGraph, "_compile", side_effect=AssertionError):
        for change in (TORCH_COUNTS["optimizer"], TORCH_MISSES["data"]):
            change(layer)
            torch.testing.assert_close(run(x), layer(x), rtol=1e-6, atol=1e-6)


def test_weights_that_are_no_range_of_bytes_are_inputs() -> None:
    layer = small()
    layer[0].weight = nn.Parameter(torch.randn(4, 8)[:, ::2])
    layer[2].weight = nn.Parameter(torch.randn(4, 2).t())
    run, x = compiled(layer), torch.randn(3, 4)
    for _ in range(2):
        torch.testing.assert_close(run(x), layer(x), rtol=1e-6, atol=1e-6)
        layer[0].weight.data.mul_(2)
        layer[2].weight.data.mul_(2)


def test_tables_of_rows_are_inputs() -> None:
    """Calls compare the weights of products, but not the tables, of which they read some rows."""

    class Words(nn.Module):
        def __init__(self, tied: bool) -> None:
            super().__init__()
            self.table = nn.Embedding(50, 4)
            self.head = nn.Linear(4, 50, bias=False)
            if tied:
                self.head.weight = self.table.weight

        def forward(self, x: Any) -> Any:
            return self.head(self.table(x))

    for tied in (False, True):
        layer, x = Words(tied).eval(), torch.tensor([[3, 1, 49]])
        run = compiled(layer)
        with mock.patch.object(CompiledGraph, "_compile", autospec=True, side_effect=compile_) as c:
            for _ in range(2):
                torch.testing.assert_close(run(x), layer(x))
                layer.table.weight.data.mul_(-2)
        (_, constants), _ = c.call_args_list[0]
        assert [tuple(t.shape) for t in constants] == [(50, 4)]


def test_weights_change_between_calls_of_several_threads() -> None:
    layer = nn.Linear(64, 64).eval().requires_grad_(requires_grad=False)
    run, x = compiled(layer), torch.randn(8, 64)
    run(x)
    for round_ in range(2):
        layer.weight.data.mul_(1 + round_)
        want = layer(x)
        with ThreadPoolExecutor(4) as pool:
            for got in pool.map(lambda _: run(x), range(8)):
                torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-5)


def test_two_layers_share_a_graph() -> None:
    layers = [nn.Linear(4, 4).eval() for _ in range(2)]
    runs, x = [compiled(layer) for layer in layers], torch.randn(3, 4)
    for _ in range(2):
        for layer, run in zip(layers, runs, strict=True):
            torch.testing.assert_close(run(x), layer(x))


def test_new_batch_sizes_compile_nothing() -> None:
    run = compiled(nn.Linear(4, 4).eval(), dynamic=True)
    for batch in (2, 3, 7):
        assert run(torch.ones(batch, 4)).shape == (batch, 4)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def unknown(x: Any) -> Any:
    y = x.relu()
    z = torch.special.bessel_j0(y)  # the line of the error
    return z + 1


def line_of(function: Any) -> int:
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if "the line of the error" in line)


def test_an_unknown_operator_is_an_error_of_one_graph() -> None:
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed) as caught:
        compiled(unknown)(torch.ones(4))
    assert isinstance(caught.value.inner_exception, NodesUnsupported)
    assert "aten.special_bessel_j0.default has no converter" in str(caught.value)
    assert f'test_compile.py", line {line_of(unknown)}' in str(caught.value)
    assert not torch._dynamo.utils.counters["graph_break"]


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return self.second(self.middle(self.first(x)))

    def middle(self, x: Any) -> Any:
        x = x + 1
        return torch.special.bessel_j0(x)  # the line of the error


def spectrum(x: Any) -> Any:
    return torch.fft.fft(x.relu()).abs() + 1  # the line of the error


def loop(x: Any) -> Any:
    for _ in range(2):
        x = torch.special.bessel_j0(x + 1)  # the line of the error
    return x


# A method that contains the operator is a frame of its own, with a break of its own.  The operator
# and the function of complex numbers after it are calls of torch with a break each.  Dynamo breaks
# no loops, so it leaves the whole frame to torch.
@pytest.mark.parametrize(
    ("function", "line", "breaks", "graphs"),
    [
        (unknown, unknown, 1, 2),
        (Inner().eval(), Inner.middle, 2, 3),
        (spectrum, spectrum, 2, 2),
        (loop, loop, 1, 0),
    ],
)
def test_an_unknown_operator_breaks_the_graph(
    function: Any, line: Any, breaks: int, graphs: int
) -> None:
    run, x = compiled(function, fullgraph=False), torch.randn(4)
    with (
        mock.patch.object(CompiledGraph, "_outputs", autospec=True, side_effect=outputs) as calls,
        pytest.warns(GraphBreakWarning, match=f'test_compile.py", line {line_of(line)}'),
    ):
        got = run(x)
    torch.testing.assert_close(got, function(x))
    counters = torch._dynamo.utils.counters
    assert sum(counters["graph_break"].values()) == breaks
    assert (counters["stats"]["unique_graphs"], calls.call_count) == (graphs, graphs)
    torch.testing.assert_close(run(x + 1), function(x + 1))
    assert sum(counters["graph_break"].values()) == breaks


def test_a_failure_of_the_compiler_is_our_error() -> None:
    """A graph that we import, but cannot compile, neither breaks nor runs in torch."""
    with (
        mock.patch(f"{CompiledGraph.__module__}.compile_own", side_effect=ModelError("no")),
        pytest.raises(ModelError, match="no"),
    ):
        compiled(lambda x: x + 1, fullgraph=False)(torch.ones(2))


def test_results_of_an_unknown_operator_are_not_listed() -> None:
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed) as caught:
        compiled(lambda x: torch.linalg.qr(x).R)(torch.ones(2, 4))
    assert "1 operator is not supported" in str(caught.value)
    assert "getitem" not in str(caught.value)


def test_random_permutations_are_refused() -> None:
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match="draws random numbers"):
        compiled(lambda x: x + torch.randperm(3))(torch.ones(3))


@pytest.mark.parametrize(
    ("options", "message"),
    [({"options": {"thread": 1}}, "did you mean threads"), ({"mode": "fast"}, "no mode 'fast'")],
)
def test_wrong_options(options: Any, message: str) -> None:
    with pytest.raises(Exception, match=message):
        compiled(lambda x: x + 1, **options)(torch.ones(2))
