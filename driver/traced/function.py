"""tilewright.function: compile a Python function of trees of arrays at its first call.

    @tilewright.function
    def loss(params, x, y):
        e = x @ params["w"] + params["b"] - y
        return (e * e).mean()

    loss(params, x, y)                      # traces, compiles and runs
    tilewright.grad(loss)(params, x, y)     # the gradient with respect to params

Calls with other shapes, dtypes or trees compile another program; ``shapes=`` names sizes that
differ from call to call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, update_wrapper
from typing import Any, TypeAlias, Unpack, overload

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute

from ...analysis.entry import name_dynamic_sizes
from ...dialects.dtypes import element_type
from ...dialects.results import ARG_NAMES, RESULT_NAMES
from ...dialects.shape import tensor_type
from ...runtime.abi.dltensor import as_array
from ...runtime.errors import ArgumentError
from ...runtime.spelling import SuggestsNames
from ...support.entry import entry_of
from ...tracing.array import Array, number_dtype
from ...tracing.trace import current_trace
from ...tracing.transform import call_function, trace_function
from ...tracing.tree import Structure, flatten
from ..compile_module import compile_source
from ..module.compiled_module import CompiledModule
from ..request import Options

Shape: TypeAlias = "Sequence[int | str]"
"""The shape of an argument: integers, and names of sizes that only a call determines."""


@dataclass(frozen=True)
class ArrayLeaf:
    """A leaf in the tree of an argument: an array of some shape and dtype, or a constant.

    name: the path of the leaf, such as ``params.w``.
    shape, dtype: the type of the array; a size is a number or the name of a dynamic size.
    is_number: whether the leaf is a Python number, which takes the dtype of arrays.
    constant: the value of a leaf that is no array; it becomes part of the program.
    """

    name: str
    shape: tuple[int | str, ...] = ()
    dtype: str = ""
    is_number: bool = False
    constant: Any = None

    @property
    def type(self) -> Attribute:
        """The tensor type."""
        return tensor_type(element_type(np.dtype(self.dtype)), self.shape)


@dataclass(frozen=True)
class DescribedArgument:
    """An argument of a call: its tree structure, its leaves, and the arrays among them.

    A program depends on ``structure`` and ``leaves``; ``arrays`` are the inputs of the call.
    """

    structure: Structure
    leaves: tuple[ArrayLeaf, ...]
    arrays: list[Any] = field(compare=False)


@dataclass(frozen=True)
class TracedProgram:
    """A traced and compiled function.

    source: the traced module of graph ops.  structure: the tree structure of the result.
    module: the compiled module.
    """

    source: ModuleOp
    structure: Structure
    module: CompiledModule


class Function(SuggestsNames):
    """A Python function that is traced, compiled and run; see `function`.

    Inside another traced function, a call becomes a graph.call of a function of the module.
    """

    def __init__(
        self, python: Callable[..., Any], shapes: Mapping[str, Shape], options: Options
    ) -> None:
        self.__name__ = getattr(python, "__name__", "function")
        update_wrapper(self, python)
        self.python, self._shapes, self._options = python, shapes, options
        self._programs: dict[Any, TracedProgram] = {}
        self.signature = inspect.signature(python)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function on arrays; return the tree of its results."""
        if current_trace() is not None:
            return call_function(self.python, self.__name__, args, kwargs)
        arrays, program = self._prepared(args, kwargs)
        return program.structure.build(program.module.run(arrays))

    def module(self, *args: Any, **kwargs: Any) -> CompiledModule:
        """Return the compiled module that runs a call with these arguments."""
        return self._prepared(args, kwargs)[1].module

    def ir(self, *args: Any, **kwargs: Any) -> ModuleOp:
        """Return the traced module of graph ops for a call with these arguments."""
        return self._prepared(args, kwargs)[1].source.clone()

    def __repr__(self) -> str:
        return f"<tilewright.function {self.__name__}{self.signature}>"

    def _prepared(self, args: Any, kwargs: Any) -> tuple[list[Any], TracedProgram]:
        key, arrays = self.key(self.arguments(args, kwargs))
        return arrays, self.program(key)

    def program(self, key: tuple[Structure, tuple[ArrayLeaf, ...]]) -> TracedProgram:
        """Return the program for the trees, shapes and dtypes of a key; compile it if necessary.

        key: see `key_of`.
        """
        if key not in self._programs:
            self._programs[key] = self._compiled(*key)
        return self._programs[key]

    def arguments(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """Return the arguments of a call by the names of the function's parameters."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as err:
            raise ArgumentError(f"{self.__name__}: {err}", expected=str(self.signature)) from None
        bound.apply_defaults()
        return dict(bound.arguments)

    def key(
        self, given: Mapping[str, Any]
    ) -> tuple[tuple[Structure, tuple[ArrayLeaf, ...]], list[Any]]:
        """Return the key of the program that runs these arguments, and the arrays of the call.

        given: the arguments by parameter name.
        """
        described = {name: self.describe(name, tree) for name, tree in given.items()}
        return self.key_of(described), [x for each in described.values() for x in each.arrays]

    def key_of(
        self, given: Mapping[str, DescribedArgument]
    ) -> tuple[Structure, tuple[ArrayLeaf, ...]]:
        """Return the key of a program: the tree structure and the leaves of all its arguments.

        given: the described arguments by parameter name.
        """
        # The arguments keep the order of the parameters, which is that of the module's inputs.
        parts = tuple(each.structure for each in given.values())
        facts = tuple(leaf for each in given.values() for leaf in each.leaves)
        return Structure(dict, tuple(given), parts), facts

    def describe(self, parameter: str, tree: Any) -> DescribedArgument:
        """Describe the argument of a parameter.

        parameter: the name of the parameter.  tree: the argument.

        Errors: ArgumentError for a leaf that is neither an array nor a hashable constant, and for
        an array that does not fit the shape of ``shapes=``.
        """
        leaves, structure = flatten(tree)
        pairs = zip(structure.paths(parameter), leaves, strict=True)
        found = [self._leaf(name, leaf) for name, leaf in pairs]
        arrays = [array for _, array in found if array is not None]
        return DescribedArgument(structure, tuple(fact for fact, _ in found), arrays)

    def _leaf(self, name: str, value: Any) -> tuple[ArrayLeaf, Any]:
        """Describe a leaf of the arguments.

        Return the description, and the array that a call passes to the program; None in place of
        the array if the leaf is a constant.
        name: the path of the leaf.

        Errors: see `describe`.
        """
        if isinstance(value, bool | int | float):
            dtype = number_dtype(value)
            return ArrayLeaf(name, (), _name(dtype), is_number=True), np.asarray(value, dtype)
        if not hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return ArrayLeaf(name, constant=_hashable(name, value)), None
        array = as_array(value, name)
        shape = tuple(self._shapes.get(name, array.shape))
        pairs = zip(shape, array.shape, strict=False)
        if len(shape) != array.ndim or any(n != m for n, m in pairs if isinstance(n, int)):
            raise ArgumentError(
                f"{self.__name__}: {name} has another shape than shapes= says",
                expected=shape,
                got=array.shape,
            )
        return ArrayLeaf(name, shape, _name(array.dtype)), array

    def _compiled(self, structure: Structure, leaves: tuple[ArrayLeaf, ...]) -> TracedProgram:
        source, result = self.traced(structure, leaves)
        return TracedProgram(source, result, compile_source(source, self._options))

    def traced(
        self, structure: Structure, leaves: Sequence[ArrayLeaf]
    ) -> tuple[ModuleOp, Structure]:
        """Trace the function; return its module and the tree structure of its result.

        structure: the trees of all arguments.  leaves: the leaves of these trees, in order.
        """
        python, tensors = self.python, [leaf for leaf in leaves if leaf.dtype]

        def arguments(values: Sequence[Any]) -> Any:
            rest = iter(values)
            made = [
                Array(next(rest), is_weak=leaf.is_number) if leaf.dtype else leaf.constant
                for leaf in leaves
            ]
            bound = self.signature.bind_partial()
            bound.arguments.update(structure.build(made))
            return [bound]

        def called(bound: inspect.BoundArguments) -> Any:
            return python(*bound.args, **bound.kwargs)

        made = trace_function(called, [leaf.type for leaf in tensors], arguments)
        module = made.module()
        main = entry_of(module)
        _record(main.attributes, ARG_NAMES, [leaf.name for leaf in tensors])
        _record(main.attributes, RESULT_NAMES, made.structure.paths("result"))
        name_dynamic_sizes(module)
        module.verify()
        return module, made.structure


@cache
def _name(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype; it is cached, because numpy builds it anew at each read."""
    return dtype.name


def _hashable(name: str, value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise ArgumentError(
            f"{name} is neither an array nor a constant",
            expected="an array, a number, a tree of these, or a hashable constant",
            got=f"{value!r} of type {type(value).__name__}",
        ) from None
    return value


def _record(attributes: dict[str, Attribute], key: str, names: Sequence[str]) -> None:
    attributes[key] = ArrayAttr([StringAttr(name) for name in names])


@overload
def function(
    python: Callable[..., Any],
    *,
    shapes: Mapping[str, Shape] | None = None,
    **options: Unpack[Options],
) -> Function: ...
@overload
def function(
    python: None = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    **options: Unpack[Options],
) -> Callable[[Callable[..., Any]], Function]: ...
def function(
    python: Callable[..., Any] | None = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    **options: Unpack[Options],
) -> Function | Callable[[Callable[..., Any]], Function]:
    """Compile a Python function of arrays, and of dicts, lists and tuples of arrays.

    A call traces the function once for each set of shapes, dtypes and trees, and compiles the
    trace; Python numbers are inputs of the program, and other values constants.  The function
    computes with `tilewright.ops` and the operators of arrays; loops in Python are unrolled.
    shapes: by name of a parameter, a shape with names for sizes that only a call determines; equal
    names are equal sizes.  A leaf of a tree has a name such as ``batch.x``.
    options: target, threads and others, as of `tilewright.compile`.
    Errors: when called, TypeMismatch for operands that do not fit, with the line of the function;
    ArgumentError for arguments that are no arrays; the errors of `tilewright.compile_module`.

    >>> @tilewright.function(shapes={"x": ("n", 4)})
    ... def scores(w, x):
    ...     return tilewright.ops.softmax(x @ w, axis=-1)
    >>> scores(np.ones((4, 3), np.float32), np.ones((2, 4), np.float32)).shape
    (2, 3)
    """
    if python is None:
        return partial(function, shapes=shapes, **options)
    return Function(python, shapes or {}, options)
