"""The builder with which converters of ATen operators append graph ops.

The builder knows the current node of torch's graph and torch's description of its results. Tables
of converters map operators to functions that take a builder and the operator's arguments. Among
these arguments, tensors are `Tensor`s, symbolic integers are `Dim`s, and all others are torch's
own objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import f64, i1
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects.dtypes import element_type, is_float
from ...dialects.graph import ELEMENTWISE, RandomBitsOp
from ...dialects.graph.random import KEY
from ...dialects.shape import Dim, normalize_axis
from ...runtime.abi.constants import DTYPES
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Builder, Tensor, size_array
from ..onnx.operators import append_operator
from ..onnx.sizes.equal_sizes import SizeFacts
from .sizes import dim_of, dim_of_expression

Converted: TypeAlias = "Tensor | tuple[Tensor | None, ...] | list[Tensor]"
Converter: TypeAlias = Callable[..., Converted]
"""A function that converts one node, given the builder and the operator's arguments in order."""
Number: TypeAlias = Any
"""A Python number, or a size."""
Scalar: TypeAlias = Any
"""A tensor or a number."""

FLOAT_FUNCTIONS = {
    "Add": "add", "Mul": "mul", "FloatTrueDiv": "div", "IntTrueDiv": "div", "FloatPow": "pow",
}  # fmt: skip
"""The elementwise op for each function of sympy and torch in a float that depends on sizes."""


@dataclass(frozen=True)
class Spec:
    """The dimensions and the element type of a node's result, as torch infers them."""

    dims: tuple[Dim, ...]
    dtype: Attribute


def dtype_of(dtype: Any) -> Attribute:
    """Return the element type for a torch.dtype.

    Errors: UnsupportedOp for complex and other unsupported types.
    """
    name = str(dtype).rpartition(".")[2]
    if name not in DTYPES or name.startswith("complex"):
        raise UnsupportedOp("element type is not supported", got=name)
    if name == "bool":
        return i1
    return element_type(np.dtype(name) if hasattr(np, name) else _narrow(name))


def _narrow(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(import_module("ml_dtypes"), name))


class AtenBuilder(Builder):
    """A builder of graph ops that knows torch's description of the node being converted.

    node: this node of the torch graph.  place: the name of the node, for locations and messages.
    options: the keyword arguments of the node.
    bound: some torch symbols are integer arguments instead of sizes of tensor arguments; for each
    of them, the size that the main function computes from the argument.
    key: the last argument of the main function, the key of random numbers; None if the function
    draws none.
    """

    def __init__(self, block: Block, facts: SizeFacts) -> None:
        super().__init__(block, facts=facts)
        self.bound: dict[str, Dim] = {}
        self.key: SSAValue | None = None
        self._draws = 0
        self.node: Any = None
        self.place = ""
        self.options: Mapping[str, Any] = {}

    def start(self, node: Any, options: Mapping[str, Any], name: str) -> None:
        """Begin the conversion of a node.

        options: the keyword arguments of the node.  name: the location of the ops appended from now
        on.
        """
        self.node, self.options, self.place = node, options, name
        self.locate(name)

    def random_bits(self, dims: Sequence[Dim]) -> Tensor:
        """Draw independent uniform 32-bit integers, other ones at each call of the main function.

        The key is an argument of the main function, and the counter numbers the draws of a graph.
        """
        if self.key is None:
            self.key = self.block.insert_arg(KEY, len(self.block.args))
        counter = Tensor.of_array(np.array([0, 0, self._draws, 0], np.uint32))
        self._draws += 1
        return self.emit(RandomBitsOp(self.key, self.ssa(counter), dims))

    @property
    def results(self) -> list[Any]:
        """Torch's descriptions (fake tensors or numbers) of the node's results."""
        value = self.node.meta["val"]
        return list(value) if isinstance(value, tuple | list) else [value]

    def spec(self, position: int = 0) -> Spec:
        """Return the dimensions and the element type of the node's result at ``position``."""
        value = self.results[position]
        return Spec(self.dims(value.shape), dtype_of(value.dtype))

    @property
    def out(self) -> Spec:
        """The dimensions and the element type of the node's first result."""
        return self.spec()

    def dims(self, shape: Sequence[Any]) -> tuple[Dim, ...]:
        """Convert a shape of torch, whose sizes may be symbolic, to dimensions."""
        return tuple(size if isinstance(size, Dim) else dim_of(size, self.bound) for size in shape)

    def number(self, size: Any) -> Tensor:
        """Append ops that compute a float that depends on sizes (a ``torch.SymFloat``), in f64.

        Errors: UnsupportedOp for a function that has no graph op.
        """
        return self._number(size.node.expr, size.node.shape_env)

    def _number(self, expr: Any, shape_env: Any) -> Tensor:
        if expr.is_Float or expr.is_Rational:
            return self.scalar(float(expr), f64)
        name, rule = type(expr).__name__, FLOAT_FUNCTIONS.get(type(expr).__name__)
        if name == "ToFloat" or expr.is_integer:
            size = expr.args[0] if name == "ToFloat" else expr
            return self.size(dim_of_expression(size, shape_env, self.bound), f64)
        if rule is None:
            raise UnsupportedOp("a number that depends on a dynamic size", got=str(expr))
        return reduce(partial(self.apply, rule), (self._number(x, shape_env) for x in expr.args))

    def wants(self, position: int) -> bool:
        """Return whether a later node reads the node's result at ``position``."""
        return any(user.args[1] == position for user in self.node.users)

    def tensor(self, x: Scalar, dtype: Attribute) -> Tensor:
        """Convert an operand (a tensor, a number or a size) to a tensor of an element type."""
        if isinstance(x, Tensor):
            return self.cast(x, dtype)
        return self.size(x, dtype) if isinstance(x, Dim) else self.scalar(x, dtype)

    def cast(self, x: Tensor, dtype: Attribute, *, saturate: bool = True) -> Tensor:
        """Convert elements to a dtype as torch does: for bool, every nonzero number becomes true.

        saturate: whether numbers outside of the range of a float8 dtype become its largest number.
        """
        if dtype == i1 and x.dtype != i1:
            return self.apply("not", self.apply("eq", x, 0))
        return super().cast(x, dtype, saturate=saturate)

    def map(self, name: str, *operands: Scalar, dtype: Attribute | None = None) -> Tensor:
        """Convert operands to one element type, broadcast them, and append an elementwise op.

        name: the name of the graph op, such as "add"; for booleans, the corresponding logical op is
        used.
        dtype: the element type; by default, that of the node's first result.
        """
        dtype = self.out.dtype if dtype is None else dtype
        if dtype == i1:
            name = {"add": "or", "mul": "and", "max": "or", "min": "and"}.get(name, name)
        tensors = self.broadcast(*(self.tensor(x, dtype) for x in operands))
        return self.emit(ELEMENTWISE[name](*(self.ssa(x) for x in tensors)))

    def promoted(self, *positions: int) -> Attribute:
        """Return the element type to which torch promotes the node's arguments at ``positions``."""
        values = [self.node.args[p] for p in positions]
        metas = [getattr(v, "meta", {}).get("val", v) for v in values]
        known = [0 if hasattr(m, "node") and not hasattr(m, "dtype") else m for m in metas]
        return dtype_of(import_module("torch").result_type(*known))

    def axis(self, axis: int, rank: int) -> int:
        """Convert an axis number of torch to a non-negative one; a scalar has the axes 0 and -1."""
        return normalize_axis(axis, max(rank, 1))

    def axes(self, axes: int | Sequence[int] | None, rank: int) -> list[int]:
        """Convert axis numbers of torch to non-negative ones; None and an empty list mean all."""
        if isinstance(axes, int):
            axes = [axes]
        return [self.axis(a, rank) for a in axes] if axes else list(range(rank))

    def onnx(
        self, op_type: str, *inputs: Tensor | None, outputs: int = 1, **attributes: Any
    ) -> list[Tensor]:
        """Append the graph ops to which an ONNX operator is converted; return their results.

        inputs: the operands, with None for an omitted one.  outputs: the number of results to
        return.
        attributes: the attributes of the ONNX operator.
        """
        return append_operator(self, op_type, inputs, attributes, outputs=outputs, place=self.place)

    def integers(self, values: Sequence[Any]) -> Tensor:
        """Return a rank-1 tensor of integers, which may be symbolic sizes."""
        return Tensor.of_sizes(size_array([v if isinstance(v, Dim) else int(v) for v in values]))


def is_of_floats(x: Tensor) -> bool:
    """Return whether the elements of a tensor are floats."""
    return is_float(x.dtype)


def array_of(tensor: Any) -> np.ndarray:
    """Return the elements of a torch tensor as an array, which shares memory if possible."""
    torch = import_module("torch")
    name = str(tensor.dtype).rpartition(".")[2]
    with torch._C._DisableTorchDispatch():
        dense = tensor.detach().contiguous().resolve_conj().resolve_neg()
        if hasattr(np, name) or name == "bool":
            return dense.numpy()
        bits = torch.uint8 if tensor.element_size() == 1 else torch.int16
        return dense.view(bits).numpy().view(_narrow(name))
