"""gpu-plan-layouts: store values between convolutions with adjacent channels (channels last).

    te.kernel @conv(%x: tensor<8x64x56x56xf16>, ..) -> tensor<8x64x56x56xf16> {
      %y = te.compute @conv .. outs([n, o, h, w] add 0.0 : f32 : ..) .. }
==>
      %y = te.compute @conv .. outs([n, o, h, w] layout (n, o, h, w) -> (n, h, w, o) ..) .. }

Threads copy 16 bytes of such a value at once (targets/gpu/plan/channels_last.py), without a launch
that packs the value, and reads beyond its border need no memory that holds zeros.

A value gets the layout if a convolution by matrix instructions reads it as its image, and every
other reader and the writer can use the layout: convolutions of one group, and computes that read
the value element by element, or by windows, if their results have the same layout.  A compute that
reduces all pixels of an image reads any layout.  The readers must save more bytes of launches that
pack images than the writers need: a convolution that writes adjacent channels packs a row-major
image.  Values that main takes, returns or passes to
control flow stay row-major, and so do values that are linked to them by such computes.

Before: main and kernels on tensors, after te-outline; each kernel has one call.
After: types do not change; gpu-bufferize gives buffers the layouts.
Exact: only layouts change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.patterns.bodies import is_narrow
from ...analysis.patterns.convolution import find_convolution
from ...dialects import packed
from ...dialects.shape import dims_of
from ...dialects.te import Access, ComputeOp, ComputeView, KernelOp, TensorOp, kernels_of
from ...dialects.te.layout import innermost_layout
from ...dialects.te.role import Concat
from ...machines.target import Target
from ...machines.target_passes import TargetedPass
from ...support.entry import find_entry
from ...support.passes import ExactPass
from ...support.precision import Precision, parse_precision
from .intrinsics import intrinsic_of
from .plan.async_stages import ASYNC_COPY
from .plan.product import LEAST

_MULTIPLE = 16
"""The channels are a multiple of the elements along k of a matrix instruction of 16-bit types."""

_LEAST_RANK = 3
"""Images have a batch, channels and at least one dimension of pixels."""


@dataclass(frozen=True)
class GpuPlanLayouts(TargetedPass, ExactPass):
    """Give values between convolutions a layout with adjacent channels.

    precision: default or strict, which uses no matrix instructions for floats.
    """

    name = "gpu-plan-layouts"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main = find_entry(op)
        is_strict = parse_precision(self.precision) is Precision.STRICT
        if main is not None and self.target.has(ASYNC_COPY) and not is_strict:
            plan = _LayoutDemands(self.target)
            plan.read(main, {kernel.label: kernel for kernel in kernels_of(op)})
            for writer, number in plan.chosen():
                view = writer.view()
                rank = len(view.outputs[number].dims)
                view.outputs[number].layout = innermost_layout(rank, 1)
                writer.update(view)


@dataclass
class _LayoutDemands:
    """The requirements that the computes of a program have for the layouts of values.

    writers: by value, the compute that defines it, and the number of its output.
    links: the values that must have the same layout as a value.
    fixed: values that stay row-major.
    images: how many convolutions by matrix instructions read a value as their image.
    sources: the image of the convolution by matrix instructions that defines a value.
    """

    target: Target
    writers: dict[SSAValue, tuple[ComputeOp, int]] = field(
        default_factory=dict[SSAValue, tuple[ComputeOp, int]]
    )
    links: dict[SSAValue, set[SSAValue]] = field(default_factory=dict[SSAValue, set[SSAValue]])
    fixed: set[SSAValue] = field(default_factory=set[SSAValue])
    images: Counter[SSAValue] = field(default_factory=Counter[SSAValue])
    sources: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def read(self, main: FuncOp, kernels: Mapping[str, KernelOp]) -> None:
        """Record the requirements of all computes."""
        for op in packed.host_ops(main.body.block):
            if isinstance(op, packed.CallOp):
                self._read_kernel(op, kernels[op.kernel_name])
            else:
                self.fixed.update(op.operands)

    def chosen(self) -> Iterator[tuple[ComputeOp, int]]:
        """Yield the values to store channels last, each as (its compute, number of the output)."""
        done: set[SSAValue] = set()
        groups: list[set[SSAValue]] = []
        for value in self.images:
            group = self._linked(value) if value not in done else set()
            done |= group
            if group and all(each in self.writers and each not in self.fixed for each in group):
                groups.append(group)
        kept = self._profitable(groups)
        while len(kept) < len(groups):
            groups, kept = kept, self._profitable(kept)
        yield from (self.writers[each] for group in groups for each in group)

    def _profitable(self, groups: Sequence[set[SSAValue]]) -> list[set[SSAValue]]:
        """Return the groups for which the layout saves more bytes than it costs.

        groups: sets of values that must have the same layout. Channels last saves launches that
        pack the images of reading convolutions, but convolutions that write such values may have to
        pack their images.
        """
        packed_values = {value for group in groups for value in group}

        def saved(group: set[SSAValue]) -> int:
            written = [self.sources[value] for value in group if value in self.sources]
            needed = sum(_elements(image) for image in written if image not in packed_values)
            return sum(self.images[value] * _elements(value) for value in group) - needed

        return [group for group in groups if saved(group) > 0]

    def _linked(self, value: SSAValue) -> set[SSAValue]:
        """Return the values that must have the same layout as a value, and the value itself."""
        found, waiting = {value}, [value]
        while waiting:
            added = self.links.get(waiting.pop(), set()) - found
            found |= added
            waiting += added
        return found

    def _read_kernel(self, call: packed.CallOp, kernel: KernelOp) -> None:
        block = kernel.body.block
        last = block.last_op
        assert last is not None, "a kernel ends with te.return"
        homes: dict[SSAValue, SSAValue] = dict(zip(block.args, call.arguments, strict=True))
        homes |= dict(zip(last.operands, call.results, strict=True))
        for op in block.ops:
            if not isinstance(op, TensorOp):
                continue
            if isinstance(op, ComputeOp) and not op.has_role(Concat):
                self._read_compute(op, homes)
            else:
                self.fixed.update(homes.get(v, v) for v in (*op.operands, *op.results))

    def _read_compute(self, op: ComputeOp, homes: Mapping[SSAValue, SSAValue]) -> None:
        view = op.view()
        results = [homes.get(result, result) for result in op.results]
        image = _image_of(view, self.target)
        for number, result in enumerate(results):
            if result in homes.values() and _is_image(view, number):
                self.writers[result] = op, number
        for access in view.reads:
            if access.value is None or len(access.dims) < _LEAST_RANK:
                continue
            value = homes.get(access.value, access.value)
            if isinstance(value.owner, packed.ConstantOp):
                continue
            if image is not None and access is view.inputs[image]:
                is_whole = (access.dims[1].value or 1) % _MULTIPLE == 0
                self.sources.update(dict.fromkeys(results, value))
                if is_whole:
                    self.images[value] += 1
                else:
                    self.fixed.add(value)
            elif _sums_pixels(view, access):
                continue
            elif _keeps_channels(view, access, has_product=image is not None):
                for result in results:
                    self.links.setdefault(value, set()).add(result)
                    self.links.setdefault(result, set()).add(value)
            else:
                self.fixed.update((value, *results))


def _elements(value: SSAValue) -> int:
    assert isinstance(value.type, TensorType), "a value of main"
    return prod(dim.value or 1 for dim in dims_of(value.type))


def _is_image(view: ComputeView, number: int) -> bool:
    """Return whether an output may be stored channels last: 16 bits, many channels, fixed sizes."""
    out = view.outputs[number]
    type_ = out.type
    if not isinstance(type_, TensorType) or not is_narrow(out.element_type) or view.scan:
        return False
    sizes = [dim.value for dim in dims_of(type_)]
    axes = [index.variable() for index in out.indices or ()]
    is_plain = len(sizes) >= _LEAST_RANK and axes == view.parallel_axes()
    return is_plain and None not in sizes and (sizes[1] or 0) % _MULTIPLE == 0


def _image_of(view: ComputeView, target: Target) -> int | None:
    """Return the number of the input, in ``view.inputs``, that is the image of a convolution.

    None unless the compute is a convolution that matrix instructions can compute, with one group,
    with one reduction axis for the channels, and with enough filters to fill a tile.
    """
    found = find_convolution(view)
    if found is None or found.group or len(found.batch) != 1 or len(found.sums) < 1:
        return None
    image = view.inputs[found.image]
    indices = list(image.indices or ())
    channels = indices[1].variable() if len(indices) >= _LEAST_RANK else None
    if channels not in found.sums:
        return None
    if any(isinstance(n, int) and n < LEAST for n in (view.axes[found.rows],)):
        return None
    plain = [replace(access, pad=None) for access in view.inputs]
    first = replace(view, inputs=plain)
    return found.image if not isinstance(intrinsic_of(first, target), str) else None


def _sums_pixels(view: ComputeView, access: Access) -> bool:
    """Return whether a compute reduces all pixels of an operand, so that any layout suits."""
    pixels = [index.variable() for index in list(access.indices or ())[2:]]
    return bool(pixels) and {*pixels} <= {*view.reduced_axes()}


def _keeps_channels(view: ComputeView, access: Access, *, has_product: bool) -> bool:
    """Return whether the channels of a read operand are the channels of the result.

    access: the read, of single elements or of windows.  has_product: whether the compute is a
    convolution; then the read must belong to its epilogue.
    """
    if access.indices is None or len(view.outputs) != 1:
        return False
    (out,), indices = view.outputs, access.indices
    same = len(indices) == len(out.indices or ()) and indices[1] == (out.indices or [])[1]
    others: Sequence[Access] = view.inputs if view.reduced_axes() else ()
    is_single = len([each for each in others if each.value is not None]) <= 1
    return same and (is_single or (has_product and access not in view.inputs))
