"""Import a graph of ATen operators as a module of graph ops.

In: a graph that torch has traced for inference, or the forward or backward graph of a training
step, and the values of those inputs that are constants.  Out: a function ``@main``, whose
arguments are the other inputs, and a description of where each result of the graph comes from.
Sizes are torch's symbols.  The location of an op is the name of its node with the path of its
torch module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Block

from ...dialects.params import ParamTable
from ...dialects.shape import tensor_type
from ...dialects.sizes import sources_of
from ...support.diagnostics import TilewrightError, UnequalSizes, UnsupportedOp
from ...support.lazy import family_tables
from ..onnx.builder import Tensor
from ..onnx.entry_function import entry_function
from ..onnx.scope import initializer
from ..onnx.sizes.equal_sizes import SizeFacts
from .aten import AtenBuilder, Converter, array_of, dtype_of
from .sizes import dim_of, symbol_name

REASONS = (
    (r"rng_state", "draws the random numbers of a checkpoint again"),
    (r"rand|multinomial|poisson|cauchy|geometric", "draws random numbers"),
    (r"backward", "computes a gradient"),
    (r"_native_batch_norm_legit", "updates statistics in training"),
    (r"nonzero|unique|masked_select", "has a result whose size depends on data"),
    (r"_local_scalar_dense", "turns an element into a number of Python"),
    (r"fft|complex|_conj", "has complex numbers"),
    (r"with_effects|_linalg_check_errors",
     "raises an error at run time; of torch.linalg, use cholesky_ex, inv_ex and solve_ex"),
)  # fmt: skip
"""Patterns for names of operators that deliberately have no converter, with the reason."""


OF_RESULT = (
    "dtype",
    "layout",
    "device",
    "pin_memory",
    "memory_format",
    "non_blocking",
)
"""Keyword arguments that need no conversion.

Torch's description of the result already reflects them, or they change no element.
"""


class NodesUnsupported(UnsupportedOp):
    """The error about nodes of a torch graph that have no converter.

    refused: each node with the reason, for the message.
    """

    def __init__(self, refused: Sequence[tuple[Any, str]]) -> None:
        listed = "\n      ".join(["", *(f"{reason}{_line(node)}" for node, reason in refused)])
        count = len({str(node.target) for node, _ in refused})
        super().__init__(
            "1 operator is not supported" if count == 1 else f"{count} operators are not supported",
            got=listed,
            hint="leave out fullgraph=True: these calls then run in torch, outside of our code",
        )
        self.refused = tuple(refused)


@dataclass(frozen=True)
class GraphResult:
    """The origin of a result of a graph; for the result None, no field is set, else exactly one.

    output: the result's position among the results of ``main``.  argument: the position of the
    graph's argument that is returned unchanged.  size: a SymInt or a number.
    """

    output: int | None = None
    argument: int | None = None
    size: Any = None


@dataclass
class Imported:
    """An imported graph: a module with the function ``main``, and how torch's graph relates to it.

    inputs: for each argument of ``main``, its position among the arguments of torch's graph.  If
    the graph draws random numbers, ``main`` has one more argument: the key, two words of 32 bits.
    draws: whether the graph draws random numbers.
    sizes: the positions of the arguments that are integers, not tensors.  results: the origin of
    each result of torch's graph.  outputs: the number of results of ``main``.
    """

    module: ModuleOp
    inputs: list[int] = field(default_factory=list[int])
    draws: bool = False
    sizes: set[int] = field(default_factory=set[int])
    results: list[GraphResult] = field(default_factory=list[GraphResult])
    outputs: int = 0


@cache
def converters() -> Mapping[str, Converter]:
    """Return the converters by name of the torch operator, or by its name and overload."""
    tables = cast(
        "tuple[dict[str, Converter], ...]",
        family_tables(__package__ or "", "CONVERTERS", without=__name__),
    )
    return {name: converter for table in tables for name, converter in table.items()}


def import_graph(
    graph: Any,
    constants: Mapping[int, Any],
    params: ParamTable,
    more: Mapping[str, Converter] | None = None,
) -> Imported:
    """Import a graph of ATen operators, a ``torch.fx.Graph``.

    constants: by argument position, the array of each argument that is a constant.
    params: records these constants as parameters named ``p<position>``.
    more: converters for further operators.
    Errors: NodesUnsupported for operators without a converter; any TilewrightError of a converter.
    """
    facts = SizeFacts()
    while True:
        importer = _TorchImport(graph, constants, params, facts, {**converters(), **(more or {})})
        try:
            return importer.run()
        except UnequalSizes as err:
            refined = importer.builder.facts.after(err)
            if refined is None:
                raise
            facts = refined


class _NodeOptions(dict[str, Any]):
    """The keyword arguments of a node.

    read: the names of the arguments that a converter has read, to find those that it ignores.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.read: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:  # pyright: ignore
        self.read.add(key)
        return super().get(key, default)


class _TorchImport:
    def __init__(
        self,
        graph: Any,
        constants: Mapping[int, Any],
        params: ParamTable,
        facts: SizeFacts,
        table: Mapping[str, Converter],
    ) -> None:
        self.graph, self.table = graph, table
        self.values: dict[Any, Any] = {}
        self.refused: list[tuple[Any, str]] = []
        self.block = Block()
        self.builder = AtenBuilder(self.block, facts)
        self.made = Imported(ModuleOp([]))
        self.positions: dict[Any, int] = {}
        self._add_arguments(constants, params)

    def _add_arguments(self, constants: Mapping[int, Any], params: ParamTable) -> None:
        """Convert the arguments of torch's graph to constants or to arguments of the function main.

        constants: by argument position, the array of each argument that is a constant.
        An integer argument becomes an argument of main only if no tensor argument has this size.
        """
        nodes = [node for node in self.graph.nodes if node.op == "placeholder"]
        symbols: dict[str, tuple[int, Any]] = {}
        for position, node in enumerate(nodes):
            self.positions[node] = position
            value = node.meta.get("val")
            if position in constants:
                self.values[node] = initializer(constants[position], f"p{position}", params)
            elif hasattr(value, "dtype") and not value.dtype.is_complex:
                dims = self.builder.dims(value.shape)
                type_ = self.builder.facts.of_type(tensor_type(dtype_of(value.dtype), dims))
                argument = self.block.insert_arg(type_, len(self.block.args))
                self.values[node] = Tensor.of_ssa(argument)
                self.made.inputs.append(position)
            elif hasattr(value, "node") and value.node.expr.is_Symbol:
                symbols[str(value.node.expr)] = position, value
        known = sources_of([argument.type for argument in self.block.args])
        for name, (position, value) in symbols.items():
            symbol = symbol_name(value.node.expr, value.node.shape_env)
            if symbol not in known and nodes[position].users:
                argument = self.block.insert_arg(tensor_type(i64, ()), len(self.block.args))
                self.builder.bound[name] = self.builder.computed_size(Tensor.of_ssa(argument))
                self.made.inputs.append(position)
                self.made.sizes.add(position)

    def run(self) -> Imported:
        """Convert all nodes; return the function main and its description."""
        output: Any = None
        for node in self.graph.nodes:
            if node.op == "output":
                output = node
            elif node.op == "get_attr":
                held = getattr(self.graph.owning_module, node.target)
                self.values[node] = Tensor.of_array(array_of(held), node.name)
            elif node.op != "placeholder":
                self._convert(node)
        if self.refused:
            raise NodesUnsupported(self.refused)
        values = self._collect(output.args[0])
        names = [f"y{n}" for n in range(len(values))]
        inputs = [f"x{n}" for n in self.made.inputs]
        inputs += [] if self.builder.key is None else ["key"]
        self.made.draws = self.builder.key is not None
        function = entry_function(self.builder, inputs, list(zip(names, values, strict=True)))
        self.made.module = ModuleOp([function])
        self.made.outputs = len(values)
        return self.made

    def _collect(self, results: Sequence[Any]) -> list[Tensor]:
        """Return the distinct tensors that main returns.

        Also record the origin of each result of torch's graph; see `GraphResult`.
        """
        numbers: dict[Any, int] = {}
        values: list[Tensor] = []
        for node in results:
            if node is None or not hasattr(node, "meta"):
                self.made.results.append(GraphResult(size=node))
            elif node in self.positions:
                self.made.results.append(GraphResult(argument=self.positions[node]))
            elif not hasattr(node.meta["val"], "dtype"):
                self.made.results.append(GraphResult(size=node.meta["val"]))
            else:
                if node not in numbers:
                    numbers[node] = len(values)
                    values.append(self._result(node))
                self.made.results.append(GraphResult(output=numbers[node]))
        return values

    def _result(self, node: Any) -> Tensor:
        value = self.values[node]
        assert isinstance(value, Tensor), f"{node} is no tensor"
        return self.builder.cast(value, dtype_of(node.meta["val"].dtype))

    def _convert(self, node: Any) -> None:
        """Convert one node, or record why it is unsupported.

        If an operand is the result of an unsupported node, check only that this node has a
        converter, so that one error lists all unsupported operators.
        """
        if getattr(node.target, "__name__", "") == "getitem":
            if node.args[0] not in self.values:
                return  # the node was refused
            whole = self.values[node.args[0]]
            if isinstance(whole, tuple | list) and whole[node.args[1]] is not None:
                self.values[node] = whole[node.args[1]]
            else:
                self.refused.append((node.args[0], f"result {node.args[1]} of {node.args[0].name}"))
            return
        value = node.meta.get("val")
        if hasattr(value, "node") and not hasattr(value, "dtype"):
            return  # arithmetic on sizes: `_argument` reads the expression
        try:
            self._check_types(node)
            schema = getattr(node.target, "_schema", None)
            converter = None if schema is None else _converter(node.target, self.table)
            if schema is None or converter is None:
                raise UnsupportedOp(_reason(node.target))
            if all(self._knows(each) for each in node.all_input_nodes):
                self.values[node] = self._called(node, schema, converter)
        except UnsupportedOp as err:
            detail = "" if err.got is None else f": {err.got}"
            name = str(node.target)
            reason = err.rule if name in err.rule else f"{name}: {err.rule}"
            self.refused.append((node, reason + detail))
        except UnequalSizes:
            raise
        except TilewrightError as err:
            raise err.named(f"{node.target}{_line(node)}") from err.__cause__

    def _check_types(self, node: Any) -> None:
        values = [each.meta.get("val") for each in (node, *node.all_input_nodes)]
        for value in values:
            for each in value if isinstance(value, tuple | list) else (value,):
                if hasattr(each, "dtype"):
                    dtype_of(each.dtype)

    def _called(self, node: Any, schema: Any, converter: Converter) -> Any:
        options = _NodeOptions({name: self._argument(value) for name, value in node.kwargs.items()})
        self.builder.start(node, options, node_name(node))
        positional = [a.name for a in schema.arguments if not a.kwarg_only]
        arguments = [self._argument(value) for value in node.args]
        for name in positional[len(arguments) :]:
            if name not in options:
                break
            arguments.append(options[name])
        converted = converter(self.builder, *arguments)
        ignored = {
            name: value
            for name, value in options.items()
            if name not in {*options.read, *positional, *OF_RESULT} and value is not None
        }
        if ignored:
            raise UnsupportedOp("these keyword arguments are not supported", got=str(ignored))
        return converted

    def _knows(self, node: Any) -> bool:
        return node in self.values or not hasattr(node.meta.get("val"), "dtype")

    def _argument(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._argument(each) for each in value]
        if not hasattr(value, "meta"):
            return value
        if value in self.values:
            return self.values[value]
        held = value.meta["val"]
        if isinstance(held, int | float | bool):
            return held
        if type(held).__name__ == "SymFloat":
            return self.builder.number(held)
        if type(held).__name__ != "SymInt":
            raise UnsupportedOp("a number that depends on a dynamic size", got=str(held))
        size = dim_of(held, self.builder.bound)
        return size if size.value is None else size.value


def _converter(target: Any, table: Mapping[str, Converter]) -> Converter | None:
    schema = target._schema
    namespace, _, name = schema.name.partition("::")
    base = name if namespace in ("aten", "prims") else schema.name
    overload = schema.overload_name or "default"
    return table.get(f"{base}.{overload}") or table.get(base)


def _reason(target: Any) -> str:
    reasons = (reason for pattern, reason in REASONS if re.search(pattern, str(target)))
    return f"{target} {next(reasons, 'has no converter')}"


def node_name(node: Any) -> str:
    """Return the path of the torch module that contains a node, followed by the node's name."""
    stack = node.meta.get("nn_module_stack") or {}
    path = str(list(stack.values())[-1][0]) if stack else ""
    path = re.sub(r"^L(\['\w+'\]|__\w+__)\.?", "", path)
    path = re.sub(r"(?:_modules)?\['(\w+)'\]|\[(\d+)\]", r".\1\2", path).replace("._modules", "")
    return f"{path.strip('.')}/{node.name}" if path.strip(".") else str(node.name)


def source_lines(node: Any) -> list[tuple[str, int]]:
    """Return the file and line of each user call that leads to a node, outermost first."""
    trace = node.meta.get("stack_trace") or ""
    return [(file, int(line)) for file, line in re.findall(r'File "(.+?)", line (\d+)', trace)]


def _line(node: Any) -> str:
    lines = source_lines(node)
    return f', file "{lines[-1][0]}", line {lines[-1][1]}' if lines else ""
