"""The backend of torch.compile: graphs of dynamo become compiled modules.

    torch.compile(model, backend="tilewright")

Torch traces the graph to ATen operators, the front end imports them, and the calls of the graph run
our module on torch's tensors, without copies.

If autograd records a call, torch makes two graphs: the forward graph, which also returns the values
that it saves for the gradient, and the backward graph. All their tensors are arguments, and a
program of each graph serves all values. Optimizers are outside of both graphs.

In a graph for inference, parameters and buffers are constants.  A program belongs to the constant
tensors that it was compiled with; if one of them changes, its new values are packed before the next
call runs. Torch does not count every kind of write. So each call asks the Linux kernel which pages
were written or, where the kernel does not record writes, compares all bytes with a copy. With the
option freeze, a call only compares addresses and version counters.
"""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Condition
from traceback import FrameSummary
from typing import Any

import numpy as np

from ...analysis.entry import name_dynamic_sizes
from ...dialects.params import ParamTable
from ...frontend.torch.aten import array_of
from ...frontend.torch.importer import Imported, NodesUnsupported, import_graph, source_lines
from ...runtime.errors import ArgumentError
from ...runtime.spelling import advice
from ...support.diagnostics import TilewrightError
from ..compile_module import compile_own
from ..module.compiled_module import CompiledModule
from ..passes.pipeline import import_passes
from ..request import OwnModule, Request, object_cache
from ..settings import CompilationSettings, settings_for
from .constants import PackedValues, TensorBytes, TensorStamps, is_dense

MODES = ("default", "lite", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
OPTIONS = (
    "target", "precision", "threads", "cache", "freeze", "strict_plan", "unchecked_indices",
)  # fmt: skip
MOST_PROGRAMS = 64
"""The largest number of programs cached per graph; each program has other tensors as constants."""


class GraphBreakWarning(UserWarning):
    """The warning that torch runs a call itself, because the call cannot be compiled.

    The call separates two compiled graphs.
    """


def tilewright_backend(
    graph_module: Any,
    inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """Compile a graph of dynamo for inference or training; return the function that runs it.

    mode: any mode of torch.compile; it has no effect.  options: target, precision, threads, cache,
    strict_plan and unchecked_indices, as for `tilewright.compile`; threads is by default
    torch.get_num_threads() at each call.  The option freeze promises that only operators of torch
    write parameters, and only outside of inference mode, so that version counters count all writes.
    Errors: TilewrightError, inside of torch's BackendCompilerFailed.
    """
    import torch
    from torch._decomp import core_aten_decompositions
    from torch._functorch.aot_autograd import aot_module_simplified

    from ...frontend.torch.whole_calls import keep_whole

    chosen = _CheckedOptions(mode, options or {})
    _check_device(torch, inputs)
    keep_whole(graph_module)
    is_whole = _is_whole()
    compiler: Any = partial(_compiled, options=chosen, is_whole=is_whole)
    training: Any = partial(compiler, is_training=True)
    decompositions: Any = core_aten_decompositions()
    return aot_module_simplified(
        graph_module,
        inputs,
        fw_compiler=training,
        bw_compiler=training,
        inference_compiler=compiler,
        partition_fn=partial(_partitioned, is_whole=is_whole),
        decompositions=decompositions,
    )


class _CheckedOptions:
    """The options of torch.compile for this backend, after a check of their names.

    threads, cache, freeze: the values of these options, as described at `tilewright_backend`.
    """

    def __init__(self, mode: str | None, options: Mapping[str, Any]) -> None:
        if mode is not None and mode not in MODES:
            raise ArgumentError(f"torch.compile has no mode {mode!r}", hint=advice(mode, MODES))
        for name in options:
            if name not in OPTIONS:
                raise ArgumentError(
                    f"the backend tilewright has no option {name!r}", hint=advice(name, OPTIONS)
                )
        self.threads: int | None = options.get("threads")
        self.cache = bool(options.get("cache", True))
        self.freeze = bool(options.get("freeze", False))
        self._flags: dict[str, Any] = {n: bool(options.get(n, False)) for n in OPTIONS[-2:]}
        self._target, self._precision = options.get("target"), options.get("precision", "default")

    def settings(self) -> CompilationSettings:
        """Return the compiler settings that these options request."""
        settings = settings_for(self._target, self._precision, **self._flags)
        settings.backend.check_host(settings.target)
        return settings


def _check_device(torch: Any, inputs: Sequence[Any]) -> None:
    """Refuse inputs on another device than the processor.

    Errors: TilewrightError.
    """
    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    other = next((x for x in tensors if x.device.type != "cpu"), None)
    if other is not None:
        raise TilewrightError(
            "the backend tilewright runs on the processor",
            expected="tensors on the device cpu",
            got=f"a tensor on {other.device}",
            hint="move the model and its inputs: model.cpu(), x.cpu()",
        )


def _is_whole() -> bool:
    """Return whether a graph must be compiled as a whole, without graph breaks.

    This is so with fullgraph=True, and outside of dynamo.
    """
    translator = _translator()
    return translator is None or translator.one_graph or translator.error_on_graph_break


def _translator() -> Any:
    """Return the object with which dynamo translates the current frame; None outside of dynamo."""
    from torch._dynamo.symbolic_convert import InstructionTranslator

    try:
        return InstructionTranslator.current_tx().output.root_tx
    except AttributeError:
        return None


def _compiled(
    graph_module: Any,
    inputs: Sequence[Any],
    *,
    options: _CheckedOptions,
    is_whole: bool,
    is_training: bool = False,
) -> Callable[..., Any]:
    """Compile a graph of ATen operators; return a function that takes its arguments as one list.

    is_whole: whether graph breaks are excluded.
    is_training: whether the graph is a forward or backward graph of training, without constants.
    """
    from torch._guards import TracingContext

    context: Any = TracingContext.try_get()
    facts = None if context is None or is_training else context.fw_metadata
    fixed = set[int]() if facts is None else set(facts.static_input_indices or ())
    fixed -= set() if facts is None else set(facts.mutated_inp_runtime_indices)
    with _breaking_graphs(is_whole=is_whole):
        compiled = CompiledGraph(graph_module.graph, sorted(fixed), options)
        compiled.check()
    return _boxed(compiled)


def _partitioned(joint: Any, inputs: Sequence[Any], *, is_whole: bool, **numbers: Any) -> Any:
    """Divide torch's graph of results and gradients into a forward and a backward graph.

    The backward graph computes cheap values again instead of reading saved ones, as torch chooses.
    The backward graph is checked here for unsupported nodes: torch compiles it at the first call of
    ``backward``, when it is too late for a graph break.

    joint: torch's graph.  is_whole: whether graph breaks are excluded.
    numbers: further keyword arguments of torch, which are passed to its own partition function.
    """
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    from ...frontend.torch.whole_calls import compute_attention_again

    compute_attention_again(joint.graph)
    forward, backward = min_cut_rematerialization_partition(joint, inputs, **numbers)
    with _breaking_graphs(is_whole=is_whole):
        _imported(backward.graph, {}, ParamTable())
    return forward, backward


@contextmanager
def _breaking_graphs(*, is_whole: bool) -> Generator[None]:
    """Break torch's graph at the nodes that a ``with`` block finds unsupported.

    The block signals such nodes by NodesUnsupported.
    is_whole: whether graph breaks are excluded; then the error is only raised again.
    Errors: NodesUnsupported.
    """
    try:
        yield
    except NodesUnsupported as err:
        if not is_whole:
            _break_graph(err)
        raise


def _imported(graph: Any, constants: Mapping[int, Any], params: ParamTable) -> Imported:
    from ...gradient.aten_backward import CONVERTERS

    return import_graph(graph, constants, params, CONVERTERS)


def _boxed(compiled: CompiledGraph) -> Callable[..., Any]:
    """Wrap a compiled graph in a function of one list of arguments, as torch requires."""

    def run(arguments: list[Any]) -> Any:
        return compiled(arguments)

    run._boxed_call = True  # pyright: ignore[reportFunctionMemberAccess]
    return run


def _break_graph(err: NodesUnsupported) -> None:
    """Make dynamo analyze the frame again, with graph breaks at the lines of unsupported nodes.

    This uses dynamo's own mechanism: the log of its speculations says which instruction of the
    frame ends a graph.  The call of a function that contains an unsupported operator then runs as a
    frame of its own. Dynamo breaks that frame in the same way, down to torch's own function, which
    torch runs.  Dynamo compiles the rest of a frame after a break as another frame, so each frame
    has at most one break.
    """
    from torch._dynamo import exc
    from torch._dynamo.symbolic_convert import InstructionTranslatorBase
    from torch._dynamo.utils import counters

    root = _translator()
    assert root is not None, "is_whole holds without dynamo"
    entries = root.speculation_log.entries
    reason = "; ".join(dict.fromkeys(text for _, text in err.refused))
    text = f"tilewright: {reason}"
    if not any(entry._failed and isinstance(entry.reason, _BreakReason) for entry in entries):
        counters["graph_break"][text] += 1
        warnings.warn(f"graph break: {err.got}".replace("\n      ", " "), GraphBreakWarning, 2)
    lines = {source_lines(node)[0] for node, _ in err.refused if source_lines(node)}
    last: dict[tuple[str, int], Any] = {}
    for entry in entries:
        known = getattr(InstructionTranslatorBase, entry.inst.opname, None)
        ends_graphs = hasattr(known, "__wrapped__")
        if (entry.filename, entry.lineno) in lines and ends_graphs and not entry._failed:
            last[entry.filename, entry.lineno] = entry
    is_in_loop = any(_is_in_loop(root, entry.inst) for entry in last.values())
    if not last or root.active_generic_context_managers or is_in_loop:
        raise exc.SkipFrame(text) from err
    # The last call of the line may follow the operator; then the graph up to it is refused again.
    frames = [FrameSummary(file, line, "forward") for file, line in lines]
    for entry in last.values():
        entry._failed, entry.error_on_graph_break = True, False
        entry.reason = _BreakReason(reason, frames)
    raise exc.TensorifyScalarRestartAnalysis(restart_reason=reason) from err


@dataclass
class _BreakReason:
    """The fields of torch's GraphCompileReason, for graph breaks that this backend causes."""

    reason: str
    user_stack: list[FrameSummary]
    graph_break: bool = True


def _is_in_loop(root: Any, instruction: Any) -> bool:
    """Return whether an instruction is in a loop, where dynamo cannot break a graph.

    It is in a loop if a later instruction jumps to it or before it.
    """
    at = instruction.offset
    later = [each for each in root.instructions if (each.offset or 0) > at]
    return any(each.target is not None and (each.target.offset or 0) <= at for each in later)


class _BoundModule:
    """A module compiled with the values of certain tensors as constants.

    module: the compiled module; None if the graph has no outputs.
    constants: the record that shows whether the tensors still have these values.
    running: the number of calls of the module that are running now.
    """

    def __init__(self, module: CompiledModule | None, constants: PackedValues) -> None:
        self.module, self.constants = module, constants
        self.running = 0


def _is_packed(node: Any) -> bool:
    """Return whether a parameter becomes a packed constant of the program.

    False for a table from which the graph only gathers rows (an embedding): packing gains nothing,
    and each call would compare all rows.
    """
    value = node.meta.get("val")
    if not node.users or not is_dense(value):
        return False
    is_table = all(
        str(user.target) == "aten.embedding.default" and user.args[1] is not node
        for user in node.users
    )
    return not (is_table and value.is_contiguous())


class CompiledGraph:
    """A graph of ATen operators, compiled in its first call with the constants of that call.

    fixed: the positions of the arguments whose values may become constants, such as parameters.
    """

    def __init__(self, graph: Any, fixed: Sequence[int], options: _CheckedOptions) -> None:
        self._graph, self._options = graph, options
        nodes = [node for node in graph.nodes if node.op == "placeholder"]
        self._fixed = [n for n in fixed if _is_packed(nodes[n])]
        self._symbols = {
            str(value.node.expr): n
            for n, value in enumerate(node.meta.get("val") for node in nodes)
            if hasattr(value, "node") and not hasattr(value, "dtype")
        }
        self._programs: OrderedDict[tuple[int, ...], _BoundModule] = OrderedDict()
        self._calls = Condition()
        self._inputs: list[int] = []
        self._draws = False
        self._results: list[Callable[[Sequence[Any], Sequence[Any]], Any]] = []

    def check(self) -> None:
        """Import the graph without the values of its constants.

        Errors: NodesUnsupported, TilewrightError.
        """
        # Without values, constants are arguments like others.
        imported = _imported(self._graph, {}, ParamTable())
        self._inputs = [n for n in imported.inputs if n not in self._fixed]
        self._draws = imported.draws
        self._results = [self._result(each) for each in imported.results]

    def _result(self, result: Any) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
        """Return a function that computes one result of a call of the graph.

        The function takes the arguments of the call and the outputs of the module.  The result is
        an output, an argument, or a size computed from integer arguments.
        result: the origin of the result; see `GraphResult`.
        """
        if result.output is not None:
            return lambda _, outputs, n=result.output: outputs[n]
        if result.argument is not None:
            return lambda arguments, _, n=result.argument: arguments[n]
        if not hasattr(result.size, "node"):
            return lambda *_, value=result.size: value
        expr, places = result.size.node.expr, self._symbols

        def evaluated(arguments: Sequence[Any], _: Sequence[Any]) -> Any:
            known = {s: arguments[places[str(s)]] for s in expr.free_symbols}
            return type(result.size.node.hint)(expr.xreplace(known))

        return evaluated

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Run the graph on the arguments that torch passes."""
        program = self._started([arguments[n] for n in self._fixed])
        try:
            outputs = () if program.module is None else self._outputs(program.module, arguments)
        finally:
            self._end(program)
        return tuple(result(arguments, outputs) for result in self._results)

    def _outputs(self, module: CompiledModule, arguments: Sequence[Any]) -> list[Any]:
        import torch

        given = [self._given(torch, arguments[n], n) for n in self._inputs]
        if self._draws:
            given.append(torch.randint(1 << 32, (2,)).numpy().astype(np.uint32))
        threads = self._options.threads or torch.get_num_threads()
        if threads != module.threads:
            outputs = module.run(given, threads=threads)
        else:
            outputs = module(*given)
            outputs = outputs if isinstance(outputs, tuple | list) else (outputs,)
        return [torch.from_dlpack(each) for each in outputs]

    def _given(self, torch: Any, value: Any, position: int) -> Any:
        if not isinstance(value, torch.Tensor):
            return np.asarray(value, np.int64)
        return value if value.is_contiguous() else value.contiguous()

    def _started(self, tensors: Sequence[Any]) -> _BoundModule:
        """Return the program for the present values of the constants, and count a call as running.

        If no program has these values, compile one, or pack the constants of an earlier one again.

        tensors: the tensors that are constants.
        """
        key = tuple(map(id, tensors))
        with self._calls:
            program = self._programs.get(key)
            if program is not None:
                program.running += 1
        if program is not None:
            if not program.constants.changed(tensors):
                return program
            self._end(program)
        with self._calls:
            program = self._updated(key, tensors)
            program.running += 1
            return program

    def _end(self, program: _BoundModule) -> None:
        with self._calls:
            program.running -= 1
            if not program.running:
                self._calls.notify_all()

    def _updated(self, key: tuple[int, ...], tensors: Sequence[Any]) -> _BoundModule:
        """Return the program for the present values of the constants, with up-to-date weights.

        If constants of an earlier program have changed, its packed weights are computed again after
        all running calls have ended. If that is impossible, or if no program exists yet, a new
        program is compiled.

        key: the identities of the tensors.
        """
        program, changed = self._programs.get(key), list[int]()
        while program is not None and (changed := program.constants.changed(tensors)):
            if not program.running:
                break
            # The calls that run read the packed weights, which are replaced afterwards.
            self._calls.wait()
            program = self._programs.get(key)
        if program is not None and not changed:
            return program
        is_frozen = self._options.freeze or not tensors
        constants = TensorStamps(tensors) if is_frozen else TensorBytes(tensors)
        if program is not None and self._repack(program, tensors, changed):
            program.constants = constants
            return program
        self._programs[key] = made = _BoundModule(self._compile(tensors), constants)
        self._programs.move_to_end(key)
        for tensor in tensors if program is None else ():
            # Another tensor may get the identity of a dead one.
            weakref.finalize(tensor, self._programs.pop, key, None)
        while len(self._programs) > MOST_PROGRAMS:
            self._programs.popitem(last=False)
        return made

    def _repack(
        self, program: _BoundModule, tensors: Sequence[Any], changed: Sequence[int]
    ) -> bool:
        """Pack the changed constants of a program again; return whether this was possible.

        It is impossible, and nothing changes, if the code itself depends on a changed constant.

        changed: the positions of the changed constants among ``tensors``.
        """
        module = program.module
        if module is None:
            return False
        values = {f"p{self._fixed[n]}": array_of(tensors[n]) for n in changed}
        specs = module.params.specs
        if any(name not in specs or specs[name].reason for name in values):
            return False
        module.load_params(values)
        return True

    def _compile(self, tensors: Sequence[Any]) -> CompiledModule | None:
        """Compile the graph with the present values of its constants; None if it has no outputs."""
        import torch

        params = ParamTable()
        values = {n: array_of(t) for n, t in zip(self._fixed, tensors, strict=True)}
        imported = _imported(self._graph, values, params)
        if not imported.outputs:
            return None
        settings, module = self._options.settings(), imported.module
        import_passes(settings.backend)
        name_dynamic_sizes(module)
        threads = self._options.threads or torch.get_num_threads()
        cache = object_cache(wanted=self._options.cache)
        return compile_own(
            Request(OwnModule(module, params), settings, threads=threads, cache=cache)
        )
