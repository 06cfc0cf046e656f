"""Hostile names: programs whose names have a meaning in C, LLVM, the linker or Tilewright itself.

    for seed in range(500):
        check_program(seed)

A program is built twice, with plain names and with names drawn from `HOSTILE`.  Both builds must
have the same code, give the same correct results and reject a call with a wrong shape.  Programs
are tensor expressions, ONNX models, and the printed IR of both at the levels that have kernels.

``rename`` renames everything in a module of any level; ``text_without_names`` prints a module
without names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from .. import build, compile, compile_module, te
from ..dialects.functions import COST
from ..dialects.packed import CallOp
from ..dialects.results import ARG_NAMES, NAME, RESULT_NAMES, record_name
from ..dialects.sched import ScriptOp
from ..dialects.te import ComputeOp, KernelOp, ScatterOp, TensorOp, kernels_of
from ..driver.module.compiled_module import CompiledModule
from ..interp.compare import expect_close
from ..runtime.errors import ArgumentError
from ..support.diagnostics import TilewrightError
from ..support.entry import ENTRY, entry_of, kernel_functions, mark_entry
from ..support.names import Names, value_hint
from ..support.registry import new_context

Array: TypeAlias = np.ndarray[Any, Any]
Namer: TypeAlias = Callable[[], str]

IDENTIFIERS = (
    # keywords of C, of LLVM, of Python and of our own grammar
    "int", "return", "struct", "void", "while", "define", "declare", "global", "undef", "true",
    "br", "i32", "default", "vec", "lanes", "even", "axis", "into", "prefetch", "red", "scan",
    "mod", "floordiv", "index", "affine_map", "inf", "role", "None",
    # symbols of libc, the linker and our runtime
    "memcpy", "snprintf", "free", "aligned_alloc", "dlsym", "malloc", "exp", "main", "_start",
    "_init", "tw_run", "tw_name", "tw_specs", "tw_launch", "tw_section_task", "__tw_weights",
    "__tw_manifest", "__tw_pool", "__tvm_ffi_main", "__tvm_ffi_default", "_library_ctx",
    "_library_bin", "TVMFFIErrorSetRaisedFromCStr",
    # names that steps and passes generate
    "halo", "stage", "kernel", "x0", "y0", "args", "task", "worker", "entry", "k", "ko", "ki",
    "ko_1", "c0", "c1", "f0", "f3", "d0", "ty", "tx", "t", "o", "i", "x_in0", "x_fill", "x_local",
    "o_start", "o_total", "conv_in", "conv_product", "softmax",
    "a" * 1000,
)  # fmt: skip
"""Names that every form of a program can hold."""
HOSTILE = (
    *IDENTIFIERS, "tw.k.0", "llvm.memcpy", "llvm.memcpy.p0.p0.i64", ".L", "$x", "0", "-1", "1st",
    "a.b", "%s%n", "a b", 'quo"te', "back\\slash", "new\nline", "tab\t", "größe", "名前",
    "\N{GRINNING FACE}", "@x", "%x", "#x", "!0", "{}", "()", ";", "//", "ü" * 1000,
)  # fmt: skip
"""Names that models and printed IR can hold too."""
IN_TEXT = (*HOSTILE, "")
"""Names that only printed IR can hold."""
LEVELS = ("sched", "scheduled", "loop", "packed")
_FUNCTIONS = re.compile(
    r"^define [^@\n]*@tw(?:\.k\.\d+|_run|_derive)\(.*?^}", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Built:
    """A compiled program, valid inputs, and the results to expect for them."""

    module: CompiledModule
    inputs: Sequence[Array]
    expected: Sequence[Array]


def names_from(seed: int, names: Sequence[str]) -> Namer:
    """Return a function that returns a random one of ``names`` at each call."""
    rng = random.Random(seed)
    return lambda: rng.choice(names)


def plain_names() -> Namer:
    """Return a function that returns a new name without any meaning at each call."""
    names = Names()
    return lambda: names.fresh("plain")


def check_program(seed: int) -> str:
    """Compare the program of a seed with plain and with hostile names; return its kind and level.

    Errors: TilewrightError if the code or the results depend on names.
    """
    kind, make = list(MAKERS.items())[seed % len(MAKERS)]
    given = IDENTIFIERS if kind == "te" else HOSTILE
    plain, hostile = make(seed, plain_names()), make(seed, names_from(seed, given))
    _compare(plain, hostile)
    level = LEVELS[seed // len(MAKERS) % len(LEVELS)]
    text = hostile_text(plain.module.get_source(level), names_from(seed, IN_TEXT))
    again = compile_module(text, threads=1)
    _compare(plain, Built(again, plain.inputs, plain.expected))
    return f"{kind}, {level}"


def hostile_text(text: str, name: Namer) -> str:
    """Return a printed program with new names for symbols, computes, arguments and values.

    name: returns the next new name.
    """
    module = Parser(new_context(), text).parse_module()
    rename(module, name)
    module.verify()
    return str(module)


def rename(module: ModuleOp, name: Namer) -> None:
    """Rename everything that has a name in a module: symbols, computes, arguments, values, axes.

    Names that must be distinct stay distinct: those of symbols, of the computes of a kernel, and of
    the axes of a compute. Axes keep their names where schedules or register tiles refer to them.
    name: returns the next new name.
    """
    called = _rename_symbols(module, name)
    for op in module.walk():
        for value in _values(op):
            value.name_hint = value_hint(name())
    for op in entry_of(module).body.walk():
        if isinstance(op, TensorOp):
            op.properties["sym_name"] = StringAttr(name())
    computes = {kernel.label: _rename_computes(kernel, name) for kernel in kernels_of(module)}
    scripts = [op for op in module.ops if isinstance(op, ScriptOp)]
    for script in scripts:
        new = called[script.kernel_name]
        script.properties["kernel"] = StringAttr(new)
        _rename_matches(script, computes[new])
    if not scripts:
        for op in module.walk():
            if isinstance(op, ScatterOp) or (isinstance(op, ComputeOp) and not op.tile.data):
                _rename_axes(op, name)


def _rename_symbols(module: ModuleOp, name: Namer) -> dict[str, str]:
    """Rename kernels, the entry function, and its arguments and results.

    Return the new names of functions and kernels by the old names.
    """
    entry, taken = entry_of(module), Names()
    called: dict[str, str] = {}
    for op in (entry, *kernel_functions(module), *kernels_of(module)):
        called[op.sym_name.data] = taken.fresh(name())
        op.properties["sym_name"] = StringAttr(called[op.sym_name.data])
    mark_entry(entry)
    record_name(entry, name())
    for key in (ARG_NAMES, RESULT_NAMES):
        count = len(cast("ArrayAttr[StringAttr]", entry.attributes.get(key, ArrayAttr([]))))
        scope = Names()
        entry.attributes[key] = ArrayAttr([StringAttr(scope.fresh(name())) for _ in range(count)])
    for op in module.walk():
        if isinstance(op, CallOp):
            op.properties["callee"] = SymbolRefAttr(called[op.kernel_name])
    return called


def _rename_computes(kernel: KernelOp, name: Namer) -> dict[str, str]:
    """Rename the computes of a kernel; return the new names by the old names."""
    found: dict[str, str] = {}
    taken = Names()
    for op in [op for op in kernel.body.walk() if isinstance(op, TensorOp)]:
        found.setdefault(op.label, taken.fresh(name()))
        op.properties["sym_name"] = StringAttr(found[op.label])
    return found


def _rename_axes(op: ComputeOp | ScatterOp, name: Namer) -> None:
    taken = Names()
    names = {axis.data: StringAttr(taken.fresh(name())) for axis in op.axes}
    op.properties["axes"] = ArrayAttr([names[axis.data] for axis in op.axes])
    if isinstance(op, ComputeOp) and op.scan is not None:
        op.properties["scan"] = names[op.scan.data]


def text_without_names(module: ModuleOp) -> str:
    """Return the text of a lowered program with numbered functions and values without names."""
    copy = module.clone()
    symbols: dict[str, StringAttr] = {}
    for op in copy.walk():
        for value in _values(op):
            value.name_hint = None
        if isinstance(op, FuncOp):
            numbered = StringAttr(f"f{len(symbols)}")
            op.properties["sym_name"] = symbols.setdefault(op.sym_name.data, numbered)
            for key in (NAME, ARG_NAMES, RESULT_NAMES, ENTRY, COST):
                op.attributes.pop(key, None)
    for op in copy.walk():
        if isinstance(op, CallOp):
            op.properties["callee"] = SymbolRefAttr(symbols[op.kernel_name])
    return str(copy)


def _values(op: Operation) -> list[SSAValue]:
    return [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]


def _rename_matches(script: ScriptOp, names: dict[str, str]) -> None:
    for step in script.steps:
        if step.name == "sched.match":
            params = step.arguments()
            params["name"] = names[str(params["name"])]
            made = type(step).make(*step.operands, by_axis={}, **params)
            step.properties["params"] = made.params


def te_program(seed: int, name: Namer) -> Built:
    """Build a program of random tensor expressions.

    name: returns the next name of a tensor or an axis.
    """
    rng, values = random.Random(seed), np.random.default_rng(seed)
    m, k = rng.choice((3, 8, 17)), rng.choice((4, 16, 24))
    x = te.placeholder((m, k), name=name())
    w = te.placeholder((k, k), name=name())
    arrays = [values.standard_normal(shape, np.float32) for shape in ((m, k), (k, k))]
    made, got = x, arrays[0]
    for _ in range(rng.randint(2, 4)):
        made, got = _STEPS[rng.randrange(len(_STEPS))](made, got, w, arrays[1], name)
    made, got = _shifted(made, got, w, arrays[1], name)
    module = build(made, [x, w, made], name=name(), threads=1)
    return Built(module, arrays, [got])


def _shifted(t: Any, a: Array, w: Any, b: Array, name: Namer) -> tuple[Any, Array]:
    return te.compute(t.shape, lambda i, j: t[i, j] + w[0, 0], name=name()), a + b[0, 0]


def _scaled(t: Any, a: Array, w: Any, _: Array, name: Namer) -> tuple[Any, Array]:
    return te.compute(t.shape, lambda i, j: t[i, j] * 0.5 + 1.0, name=name()), a * 0.5 + 1


def _product(t: Any, a: Array, w: Any, b: Array, name: Namer) -> tuple[Any, Array]:
    r = te.reduce_axis((0, b.shape[0]), name=name())
    made = te.compute(t.shape, lambda i, j: te.sum(t[i, r] * w[r, j], axis=r), name=name())
    return made, (a.astype(np.float64) @ b).astype(np.float32)


def _centered(t: Any, a: Array, w: Any, _: Array, name: Namer) -> tuple[Any, Array]:
    r = te.reduce_axis((0, a.shape[1]), name="r")
    top = te.compute((a.shape[0],), lambda i: te.max(t[i, r], axis=r), name=name())
    made = te.compute(t.shape, lambda i, j: t[i, j] - top[i], name=name())
    return made, a - a.max(1, keepdims=True)


_STEPS = (_scaled, _product, _centered)


def onnx_program(seed: int, name: Namer) -> Built:
    """Build a random small ONNX model.

    name: returns the next name of a node or a value.
    """
    rng, values = random.Random(seed), np.random.default_rng(seed)
    fresh = Names()

    def named() -> str:
        return fresh.fresh(name())

    rows, width = rng.choice((2, 5)), rng.choice((8, 12))
    shape = [rows, width]
    source, nodes, weights = named(), [], []
    last = source
    for _ in range(rng.randint(2, 5)):
        kind, out = rng.choice(("MatMul", "Relu", "Softmax", "Concat", "Add")), named()
        inputs = [last]
        if kind in ("MatMul", "Add"):
            sizes = (width, width) if kind == "MatMul" else (width,)
            inputs.append(named())
            data = values.standard_normal(sizes, np.float32) / 4
            weights.append(numpy_helper.from_array(data, inputs[-1]))
        if kind == "Concat":
            inputs.append(last)
        node = helper.make_node(kind, inputs, [out], name=name())
        if kind == "Concat":
            node.attribute.append(helper.make_attribute("axis", 0))
            rows *= 2
        nodes.append(node)
        last = out
    given = helper.make_tensor_value_info(source, TensorProto.FLOAT, shape)
    wanted = helper.make_tensor_value_info(last, TensorProto.FLOAT, [rows, width])
    graph = helper.make_graph(nodes, name(), [given], [wanted], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x = values.standard_normal(shape, np.float32)
    expected = [np.asarray(y) for y in ReferenceEvaluator(model).run(None, {source: x})]
    return Built(compile(model, threads=1, cache=False), [x], expected)


MAKERS: dict[str, Callable[[int, Namer], Built]] = {"te": te_program, "onnx": onnx_program}


def _compare(plain: Built, hostile: Built) -> None:
    if code_of(plain.module) != code_of(hostile.module):
        raise TilewrightError("the code depends on names")
    results = [built.module.run(list(built.inputs)) for built in (plain, hostile)]
    for n, (one, other, expected) in enumerate(zip(*results, plain.expected, strict=True)):
        expect_close(np.asarray(one), expected, f"result {n}")
        if np.asarray(one).tobytes() != np.asarray(other).tobytes():
            raise TilewrightError(f"result {n} depends on names")
    _check_refusal(hostile)


def _check_refusal(built: Built) -> None:
    """Check that an input of a wrong shape raises an error that names the argument."""
    first, *others = built.inputs
    outputs = [np.empty_like(x) for x in built.expected]
    try:
        built.module["main"](np.zeros((*first.shape, 2), np.float32), *others, *outputs)
    except ArgumentError as err:
        if "argument 0 (" not in str(err) or "dimensions" not in str(err):
            raise TilewrightError("the error does not say what is wrong", got=str(err)) from err
    else:
        raise TilewrightError("a wrong shape is accepted")


def code_of(module: CompiledModule) -> list[str]:
    """Return the LLVM IR of a module's functions, without names that the module stores as data."""
    return _FUNCTIONS.findall(module.get_source("ll"))
