"""Random arguments against compiled modules, with every tensor between inaccessible pages.

    python -m tilewright.testing.argument_fuzz 100000

Each case calls a module twice with arguments of which some are altered: views, strides, byte
orders, data types, devices, read-only memory, tensors of torch, None, scalars, wrong shapes and
wrong counts, outputs that overlap inputs or each other. A case draws the spelling of its calls,
such as ``mod["main"]`` or a GraphModule. Both calls succeed, with the results of plain arrays, or
both are refused with an error that names the argument, what was expected and what was passed. All
else is a finding, and an access out of bounds ends the process; so tests run cases in a worker
(testing/worker.py).
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, cast

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from .. import CompiledModule, build, compile, te
from ..dialects.shape import MOST
from ..runtime.abi.device import cpu
from ..runtime.abi.ndarray import NDArray, numpy_dtype
from ..runtime.abi.registry import get_global_func, register_func
from ..runtime.errors import Error, OutOfRangeError
from ..runtime.file.manifest import TensorSpec
from ..runtime.module.exported import load_module
from ..runtime.module.graph_executor import GraphModule
from ..runtime.module.module import Module
from ..runtime.module.programs import ProgramSet
from .guard import guarded
from .models import conv_model, encoder_model, ffn_model, softmax_model

Array: TypeAlias = np.ndarray[Any, Any]
_TORCH_TYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
)  # fmt: skip
_REGISTERED = "testing.argument_fuzz"


def _node_model(
    op: str,
    inputs: Mapping[str, tuple[int, Sequence[int | str]]],
    out: int | Sequence[int] = TensorProto.FLOAT,
    constants: Mapping[str, Any] | None = None,
    **attributes: Any,
) -> Any:
    """Return a model of one operator, whose outputs y, or y0, y1, …, have no declared shape.

    inputs: the element type and shape of each input.  out: the element type of each output.
    constants: further inputs of the operator, as initializers.  attributes: those of the operator.
    """
    more = constants or {}
    types = {"y": out} if isinstance(out, int) else {f"y{n}": each for n, each in enumerate(out)}
    infos = [helper.make_tensor_value_info(name, *row) for name, row in inputs.items()]
    results = [helper.make_tensor_value_info(name, each, None) for name, each in types.items()]
    node = helper.make_node(op, [*inputs, *more], list(types), op, **attributes)
    tensors = [numpy_helper.from_array(np.array(value), name) for name, value in more.items()]
    graph = helper.make_graph([node], op, infos, results, tensors)
    return helper.make_model(graph, ir_version=9)


def _vecadd() -> CompiledModule:
    a, b = te.placeholder((33,), name="a"), te.placeholder((33,), name="b")
    return build([a, b, te.compute((33,), lambda i: a[i] + b[i], name="c")])


_F32, _F16, _F64, _I8, _U8, _I64, _BOOL = (
    TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT8,
    TensorProto.UINT8, TensorProto.INT64, TensorProto.BOOL,
)  # fmt: skip
KINDS: Mapping[str, Callable[[], CompiledModule]] = {
    "elementwise": _vecadd,
    "product": lambda: compile(ffn_model(m=5, k=24, n=19)),
    "product of all sizes": lambda: compile(ffn_model(m="rows", k=24, n=19)),
    "product with versions": lambda: compile(
        ffn_model(m="rows", k=24, n=19), specialize={"rows": [3]}
    ),
    "convolution": lambda: compile(conv_model(channels=3, filters=8, size=7)),
    "softmax": lambda: compile(softmax_model(shape=(3, 37))),
    "attention": lambda: compile(
        encoder_model(layers=1, hidden=16, heads=2, ffn=16, batch="b", seq="s")
    ),
    "gather": lambda: compile(_node_model("Gather", {"x": (_F32, [9, 5]), "i": (_I64, ["n"])})),
    "sizes from data": lambda: compile(_node_model("NonZero", {"x": (_F32, ["n", 4])}, out=_I64)),
    "half precision": lambda: compile(_node_model("Exp", {"x": (_F16, [3, 9])}, out=_F16)),
    "bytes": lambda: compile(_node_model("Abs", {"x": (_I8, [70])}, out=_I8)),
    "copy": lambda: compile(_node_model("Transpose", {"x": (_F32, [5, 7, 3])}, perm=[2, 0, 1])),
    "scalar": lambda: compile(_node_model("Sin", {"x": (_F32, [])})),
    "scalar result": lambda: compile(_node_model("ReduceSum", {"x": (_F32, ["n", 9])}, keepdims=0)),
    "comparison": lambda: compile(
        _node_model("Less", {"x": (_F32, [6, "n"]), "z": (_F32, [6, "n"])}, out=_BOOL)
    ),
    "copy of bytes": lambda: compile(_node_model("Transpose", {"x": (_I8, [9, "n"])}, out=_I8)),
    "plain copy": lambda: compile(_node_model("Identity", {"x": (_F32, [4, "n"])})),
    "several copies": lambda: compile(
        _node_model("Split", {"x": (_F32, [6, "n"])}, [_F32] * 3, num_outputs=3)
    ),
    "sort": lambda: compile(_node_model("TopK", {"x": (_F32, ["n", 9])}, [_F32, _I64], {"k": [3]})),
    "double precision": lambda: compile(
        _node_model("Mul", {"x": (_F64, [5, 7]), "z": (_F64, [5, 7])}, out=_F64)
    ),
    "integers": lambda: compile(
        _node_model("Add", {"x": (_I64, ["n"]), "z": (_I64, ["n"])}, out=_I64)
    ),
    "quantized": lambda: compile(
        _node_model(
            "QuantizeLinear",
            {"x": (_F32, ["n", 16])},
            _U8,
            {"scale": np.float32(0.1), "zero": np.uint8(128)},
        )
    ),
    "several programs": lambda: compile(
        _node_model("Reshape", {"x": (_F32, ["n", 6]), "target": (_I64, [2])})
    ),
}
"""Modules, by the kind of their kernel."""
BINDINGS: Mapping[str, Sequence[Mapping[str, Sequence[int]]]] = {
    "several programs": [{"target": [3, -1]}, {"target": [-1, 2]}, {"target": [-1, 6]}],
}
"""The bindings of values for which a module is exported, by its kind."""


@dataclass(frozen=True)
class Finding:
    """A case whose outcome is wrong.

    kind: the kind of module, a key of `KINDS`.  seed: the number of the case.  words: a description
    of the error.
    """

    kind: str
    seed: int
    words: str

    def __str__(self) -> str:
        return f"{self.kind}, seed {self.seed}: {self.words}"


class OnAnotherDevice:
    """A fake tensor whose DLPack methods claim that it is in the memory of another device."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **_: object) -> object:
        raise BufferError("the memory is that of a device")


def _strided(x: Array, rng: random.Random) -> Array:
    if not x.ndim:
        return guarded(x)
    if rng.random() < 0.5:
        return guarded(np.repeat(x, 2, axis=0))[::2]
    return guarded(np.repeat(x, 2, axis=-1))[..., ::2]


def _misaligned(x: Array, rng: random.Random) -> Array:
    memory = guarded(np.zeros(x.nbytes + 1, np.uint8))
    view = memory[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def _reshaped(x: Array, rng: random.Random) -> Array:
    shape = list(x.shape)
    match rng.randrange(5):
        case 0:
            shape.append(1)
        case 1 if shape:
            shape.pop()
        case 2 if shape:
            shape[rng.randrange(len(shape))] = 0
        case 3 if len(shape) > 1:
            shape[rng.randrange(len(shape))] = MOST + 1
            shape[shape.index(MOST + 1) - 1] = 0  # an empty array, of any size
        case _:
            shape = [size + rng.choice((-1, 1)) for size in shape] or [2]
    return guarded(np.zeros([max(0, size) for size in shape], x.dtype))


def _read_only(x: Array, rng: random.Random) -> Array:
    view = guarded(x).view()
    view.flags.writeable = False
    return view


def _other_type(x: Array, rng: random.Random) -> Array:
    types = ("f4", "f8", "i4", "i8", "u1", "?", "c8", "f2", "O", "U3", "M8[s]")
    return np.zeros(x.shape, rng.choice([t for t in types if np.dtype(t) != x.dtype]))


def _has_torch(x: Array) -> bool:
    return x.dtype.name in _TORCH_TYPES and find_spec("torch") is not None


def _torch(x: Array, rng: random.Random) -> Any:
    """Return a torch tensor with the elements of an array, at random in one of several forms.

    Forms are a plain tensor, one that requires a gradient, a parameter, a lazily negated tensor and
    a strided view.  If torch lacks the dtype, the result is a guarded numpy array.
    """
    if not _has_torch(x):
        return guarded(x)
    torch: Any = import_module("torch")
    tensor = torch.from_numpy(guarded(x))
    match rng.randrange(5):
        case 0 if x.dtype.kind == "f":
            return tensor.requires_grad_()
        case 1 if x.dtype.kind == "f":
            return torch.nn.Parameter(tensor)
        case 2 if x.dtype.kind in "fi":
            return torch._neg_view(torch.from_numpy(guarded(-x)))
        case 3:
            return torch.stack([tensor, tensor], -1)[..., 0]
        case _:
            return tensor


def _without_memory(x: Array, rng: random.Random) -> Any:
    """Return an array or tensor without plain elements in memory: masked, sparse, fake or meta."""
    if rng.random() < 0.2 or not _has_torch(x):
        return np.ma.masked_array(guarded(x), np.ones(x.shape, np.bool_))
    torch: Any = import_module("torch")
    tensor = torch.from_numpy(guarded(x))
    match rng.randrange(4):
        case 0:
            return import_module("torch._subclasses").FakeTensorMode().from_tensor(tensor)
        case 1:
            return tensor.to("meta")
        case 2:
            return tensor.to_sparse()
        case _:
            return torch._efficientzerotensor(tensor.shape, dtype=tensor.dtype)


NO_ARRAYS = (None, 3, 2.5, "text", b"bytes", [], {}, ..., object(), np.dtype("f4"))
Alter: TypeAlias = Callable[[Array, random.Random], object]

EQUAL: Sequence[Alter] = (
    _strided,
    _misaligned,
    _read_only,
    lambda x, rng: guarded(np.flip(x)).__getitem__((slice(None, None, -1),) * x.ndim),
    lambda x, rng: guarded(np.asfortranarray(x).T).T,
    lambda x, rng: guarded(x).astype(x.dtype.newbyteorder(">")),
    lambda x, rng: NDArray(guarded(x)),
    lambda x, rng: memoryview(cast("Any", guarded(x))) if x.dtype.isbuiltin == 1 else guarded(x),
    lambda x, rng: np.ma.masked_array(guarded(x)),
    _torch,
    _torch,
)
"""Functions that change how an argument is stored, but no element."""

OTHER: Sequence[Alter] = (
    _reshaped,
    _other_type,
    lambda x, rng: np.broadcast_to(guarded(x.reshape(-1)[:1]).reshape((1,) * x.ndim), x.shape),
    lambda x, rng: x.tolist(),
    lambda x, rng: OnAnotherDevice(),
    lambda x, rng: rng.choice(NO_ARRAYS),
    _without_memory,
)
"""Functions that replace an argument by something else."""


def _shared_part(other: Array, like: Array, rng: random.Random) -> Array | None:
    """Return an array with the shape and dtype of ``like`` that shares the memory of ``other``.

    It starts where ``other`` starts, or ends where ``other`` ends. Return None if the memory is too
    small or not a plain, writable array.
    """
    is_plain = other.flags.c_contiguous and other.flags.writeable and not other.dtype.hasobject
    room = other.nbytes - like.nbytes
    if (
        not is_plain
        or room < 0
        or like.nbytes == 0
        or not other.dtype.itemsize
        or like.dtype.hasobject
    ):
        return None
    start = rng.choice((0, room // like.dtype.itemsize * like.dtype.itemsize))
    memory = other.reshape(-1).view(np.uint8)[start : start + like.nbytes]
    return memory.view(like.dtype).reshape(like.shape)


def _valid(module: Module, rng: random.Random) -> list[Array]:
    """Return plain arrays of random sizes for all inputs of a module.

    Some integers may be out of range as indices.
    """
    sizes: dict[str, int] = {}
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    arrays: list[Array] = []
    for spec in module.inputs:
        shape = [
            size if isinstance(size, int) else sizes.setdefault(size, rng.choice((1, 2, 3, 7)))
            for size in spec.shape
        ]
        dtype = numpy_dtype(spec.dtype)
        if isinstance(module, ProgramSet) and spec.name in module.bindings[0]:
            arrays.append(rng.choice(module.bindings)[spec.name].copy())
        elif spec.dtype == "int64":
            most = 9 if rng.random() < 0.9 else 12
            arrays.append(numbers.integers(-most, most, shape, dtype))
        else:
            arrays.append(np.asarray(3 * numbers.standard_normal(shape)).astype(dtype))
    return arrays


@dataclass
class _CaseArguments:
    """The arguments of a case.

    plain: valid inputs as plain arrays.  expected: the outputs for these inputs; None if the inputs
    are not valid.  given: the arguments to pass: inputs, then outputs.
    altered: whether an argument differs from a plain array.  is_equal: whether the inputs in
    ``given`` have the elements of ``plain``.
    overlaps: whether an output shares memory with another argument.
    """

    module: Module
    plain: list[Array]
    expected: Sequence[Any] | None
    given: list[object]
    outputs: list[Array]
    altered: bool = False
    is_equal: bool = True
    overlaps: bool = False

    def alter(self, rng: random.Random) -> None:
        """Replace up to two arguments at random.

        Rarely, also let two arguments overlap, or pass too many or too few.
        """
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            if (position := rng.randrange(len(self.given))) in self._changed:
                continue
            source = (*self.plain, *self.outputs)[position]
            keeps = rng.random() < 0.5 or not source.size
            self.given[position] = rng.choice(EQUAL if keeps else OTHER)(source, rng)
            self.altered = True
            self.is_equal = self.is_equal and keeps
            self._changed.add(position)
        if rng.random() < 0.1:
            self._overlap(rng)
        if rng.random() < 0.1:
            more = [*self.given, guarded(self.plain[0])]
            self.given = self.given[:-1] if rng.random() < 0.5 else more
            self.altered, self.is_equal = True, False

    def _overlap(self, rng: random.Random) -> None:
        """Let an output overlap an input or another output, in all of its bytes or at the end.

        A call with such arguments must raise an error or give the same results as without overlap.
        """
        if not self.outputs:
            return
        position = rng.randrange(len(self.plain), len(self.given))
        others = [x for n, x in enumerate(self.given) if n != position]
        output, other = self.given[position], rng.choice(others)
        if type(output) is not np.ndarray or type(other) is not np.ndarray:
            return
        shared = _shared_part(cast("Array", other), cast("Array", output), rng)
        if shared is not None:
            self.given[position], self.altered, self.overlaps = shared, True, True

    def __post_init__(self) -> None:
        self._changed: set[int] = set()


def _call(modules: Sequence[Module], rng: random.Random) -> _CaseArguments:
    """Return the arguments of a random case: valid arguments, some of which are altered.

    modules: the forms of the module, one of which is called.
    """
    module, expected, outputs = rng.choice(modules), None, list[Array]()
    plain = _valid(module, rng)
    # An index out of range is an error of a valid call.
    with suppress(OutOfRangeError):
        expected = modules[0].run([x.copy() for x in plain])
    if expected is not None and not module.manifest.computes_sizes and rng.random() < 0.5:
        outputs = [guarded(np.zeros_like(x.numpy()), at_start=rng.random() < 0.5) for x in expected]
    inputs = [guarded(x, at_start=rng.random() < 0.5) for x in plain]
    made = _CaseArguments(module, plain, expected, [*inputs, *outputs], outputs)
    made.alter(rng)
    return made


def _executor(module: Module, *inputs: object) -> object:
    executor = GraphModule(module["default"](cpu(0)))
    for position, value in enumerate(inputs):
        executor.set_input(position, value)
    executor.run()
    return [executor.get_output(n) for n in range(executor.get_num_outputs())]


def _registered(module: Module, *arrays: object) -> object:
    register_func(_REGISTERED, module[module.name], override=True)
    return get_global_func(_REGISTERED)(*arrays)


def _timed(module: Module, *arrays: object) -> None:
    module.time_evaluator("main", number=1)(*arrays)


Spelling: TypeAlias = Callable[..., object]
WITH_INPUTS: Mapping[str, Spelling] = {
    "mod": lambda module, *x: module(*x),
    "run": lambda module, *x: module.run(x),
    "default": lambda module, *x: module["default"](*x),
    "GraphModule": _executor,
}
"""Calls that return their results."""
WITH_OUTPUTS: Mapping[str, Spelling] = {
    "mod": lambda module, *x: module(*x),
    "fill": lambda module, *x: module.fill(x),
    "main": lambda module, *x: module["main"](*x),
    "name": lambda module, *x: module[module.name](*x),
    "get_function": lambda module, *x: module.get_function("main")(*x),
    "get_global_func": _registered,
    "default": lambda module, *x: module["default"](*x),
    "time_evaluator": _timed,
}
"""Calls that fill their outputs."""


def _case(modules: Sequence[Module], rng: random.Random) -> str:
    """Run one random case, which ``rng`` determines; return ``done`` or ``refused``.

    modules: a module in several forms, one of which is called.
    Errors: AssertionError for wrong results, and for an error that does not name the argument, what
    was expected and what was passed.
    """
    call = _call(modules, rng)
    spellings = WITH_OUTPUTS if call.outputs else WITH_INPUTS
    name = rng.choice(sorted(spellings))
    if name == "time_evaluator" and isinstance(call.module, ProgramSet):
        name = "main"  # which has no compiled loop
    first = _end(call, spellings[name])
    if not call.overlaps:  # a call may have overwritten its inputs
        again = _end(call, spellings[name])
        assert first == again, f"{name}: the first call ends as {first}, the second as {again}"
    return first.partition(":")[0]


def _end(call: _CaseArguments, spelling: Spelling) -> str:
    """Make a call and check its outcome; return ``done``, or ``refused`` and the violated rule.

    spelling: makes the call in one of its Python forms, such as ``module.run(x)``.
    """
    try:
        results = spelling(call.module, *call.given)
    except Error as err:
        _check_refusal(str(err), call.module, is_due=call.altered or call.expected is None)
        return f"refused: {err.rule}"
    outputs = call.given[len(call.plain) :]
    assert all(map(_is_writable, outputs)), "an output that is read-only was filled"
    for spec, array in zip(call.module.inputs, call.given, strict=False):
        assert _may_fit(spec, array), f"{spec.name} was taken with another shape"
    filled = outputs if results is None else results
    if call.is_equal:
        assert call.expected is not None, "an index out of range is not refused"
        _check_results(filled, call.expected)
    return "done"


def _is_writable(output: Any) -> bool:
    """Return whether a call may fill an output."""
    array = output.numpy() if type(output) is NDArray else output
    is_array = isinstance(array, np.ndarray)
    return array.flags.writeable if is_array else not getattr(array, "requires_grad", False)


def _may_fit(spec: TensorSpec, array: object) -> bool:
    """Return whether an array has the rank and the static sizes of an argument, and legal sizes.

    For anything else than an array of numpy, return True.
    """
    if type(array) is not np.ndarray:
        return True
    pairs = [*zip(spec.shape, array.shape, strict=False)]
    fits = all(not isinstance(size, int) or size == got for size, got in pairs)
    return fits and len(spec.shape) == array.ndim and all(size <= MOST for size in array.shape)


def _check_refusal(text: str, module: Module, *, is_due: bool) -> None:
    """Check that an error names the argument, what was expected and what was passed.

    text: the message of the error.  is_due: whether the arguments may be refused.
    """
    assert is_due, f"valid arguments are refused: {text}"
    names = [spec.name for spec in (*module.inputs, *module.manifest.filled)]
    named = any(name in text for name in names) or "argument" in text or "index" in text
    assert named, f"the error names no argument: {text}"
    for label in ("expected:", "got:"):
        assert label in text, f"the error has no '{label}': {text}"


def _check_results(results: Any, expected: Sequence[Any]) -> None:
    got = results if isinstance(results, (list, tuple)) else [results]
    for one, other in zip(got, expected, strict=True):
        assert np.asarray(one).tobytes() == other.numpy().tobytes(), "the results differ"
        assert type(one) is not NDArray or one.numpy().flags.writeable, "a result is read-only"


@cache
def _modules(kind: str) -> Sequence[Module]:
    return _forms(KINDS[kind](), BINDINGS.get(kind))


def _forms(made: CompiledModule, values: Sequence[Mapping[str, Any]] | None) -> Sequence[Module]:
    """Return a module in several forms: compiled here, and loaded from a .so and a .tar file.

    If calls of the module must bind certain input values, return only the loaded modules.
    values: these bindings.
    """
    with TemporaryDirectory() as folder:
        files = (made.export_library(f"{folder}/m{end}", values=values) for end in (".so", ".tar"))
        exported: Sequence[Module] = [load_module(path) for path, *_ in files]
        # Calls with other values would compile.
        return exported if values else (made, *exported)


def run_cases(kind: str, first: int, count: int) -> tuple[Counter[str], list[Finding]]:
    """Run ``count`` cases of a kind of module, with the seeds from ``first`` on.

    Return the number of cases by outcome, and the cases whose outcome is wrong.
    kind: a key of `KINDS`.
    """
    return _run_cases(_modules(kind), kind, first, count)


def first_finding(made: CompiledModule, count: int) -> str:
    """Call a module ``count`` times with random arguments; return the first finding, or "".

    An access out of bounds ends the process.
    """
    _, findings = _run_cases(_forms(made, None), made.name, 0, count)
    return str(findings[0]) if findings else ""


def _run_cases(
    modules: Sequence[Module], kind: str, first: int, count: int
) -> tuple[Counter[str], list[Finding]]:
    ends: Counter[str] = Counter()
    findings: list[Finding] = []
    for seed in range(first, first + count):
        try:
            ends[_case(modules, random.Random(f"{kind} {seed}"))] += 1
        except Exception as err:
            findings.append(Finding(kind, seed, f"{type(err).__name__}: {err}"))
    return ends, findings


def main(count: int) -> int:
    """Run about ``count`` cases of all kinds; print the wrong cases and return their number."""
    each, found = -(-count // len(KINDS)), 0
    for kind in KINDS:
        ends, findings = run_cases(kind, 0, each)
        print(kind, dict(ends), len(findings), "findings", *findings[:5], sep="\n  ")
        found += len(findings)
    return found


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1])) else 0)
