"""te-winograd: turn convolutions with 3x3 windows into transforms and matrix products.

    te.kernel @conv(%x, %w: memref<64x32x3x3xf32>, %out) {
      te.compute @conv [.., o: 64, h: 56, w: 56, i: 32 red, r: 3 red, s: 3 red] ..
        role(winograd 4 2) ..
    }
==>
    te.kernel @conv(%x, %w: memref<36x32x64xf32>, %out) {
      loop.for parallel %b = 0 to 7 {
        %v = loop.alloc : memref<36x28x32xf32>      %m = loop.alloc : memref<36x28x64xf32>
        te.compute @conv_in [ty: 2, tx: 14, i: 32]                   36 reads of %x, 36 values of %v
        te.compute @conv_product [k: 36, t: 28, o: 64, i: 32 red]    %m = %v * %w
        te.compute @conv [ty: 2, tx: 14, o: 64]                      36 reads of %m, 16 pixels
      }
    }

A tile of 4x4 outputs reads 6x6 inputs and needs 36 products instead of 144; a tile of 2x2 needs 16
instead of 36.  The first number of the role is the tile size.  The second is the number of tile
rows that one task transforms, multiplies and transforms back while they are in its cache; it
divides the number of tile rows.  With 0, each phase is a separate kernel, on buffers for all tiles.
A third number divides a row of tiles into blocks.  Batch, rows and columns may have a symbolic
extent; with blocks, symbolic rows and columns must be multiples of the tile size.  The epilogue
moves into the last phase; pixels beyond the image are not stored.  This pass transforms the
weights, once.

If the direct convolution is faster for some sizes of a call, the role has a condition.  Then each
call of the three kernels, and of a fourth kernel that convolves directly, runs under a condition.
With ``else 2`` in the role, the fourth kernel becomes three kernels for tiles of 2:

    role(winograd 4 0 when min(1, floordiv(1000 * h, 5000 * floordiv(h + 3, 4))))
==>
    packed.call when <min(..)> @conv_in(%x, %v) ..           packed.call when <1 - min(..)>
    packed.call when <min(..)> @conv_product(%v, %w, %m) ..    @conv_small(%x, %w0, %y) ..
    packed.call when <min(..)> @conv(%m, %y) ..

For symbolic images, the size parameters of the matrix product's kernel are the numbers of products
and of tiles, so that te-deduplicate leaves one kernel for both tile sizes, and for all layers with
equal channels:

    packed.call @conv_product(%v, %w, %m) sizes [36, h * w] ..

Before: kernels in buffer form; each kernel with the role has one call, and its weights are
constant.  After: no compute has the role.
Errors: LoweringError for a marked compute that is not a convolution of this kind.
Error: relative L2 up to 2e-6 per convolution, compared with 0.3e-6 for the direct sum; see
passes/te/toom_cook.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd, prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FunctionType,
    MemRefType,
    ModuleOp,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.patterns.window import Window, find_window
from ...dialects import loop, packed
from ...dialects.shape import (
    MOST,
    SIZES,
    Dim,
    DimsAttr,
    Extent,
    extent_of,
    memref_type,
    multiple_of,
    size_parameters,
    symbol_of_count,
)
from ...dialects.sizes import record_not_negative, recorded_not_negative, with_sizes
from ...dialects.te import (
    STORE,
    Access,
    ComputeOp,
    ComputeView,
    KernelOp,
    TensorOp,
    YieldOp,
    axis_ranges,
    kernels_of,
    role,
)
from ...dialects.te import ReturnOp as KernelReturnOp
from ...dialects.te.scalars import Scalars, scalar_attr
from ...dialects.weights import WeightAttr
from ...support.affine import Index, Key, constant, variable
from ...support.diagnostics import LoweringError
from ...support.names import Names, symbol_names
from ..rewrite.compose import copy_body
from ..rewrite.sections import Run, disjoint_sections, sections
from .toom_cook import TILES, TileTransforms


@dataclass(frozen=True)
class Winograd(ModulePass):
    """Turn the marked convolutions into transforms and matrix products."""

    name = "te-winograd"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls = {c.kernel_name: c for c in op.walk() if isinstance(c, packed.CallOp)}
        weights: dict[tuple[WeightAttr, tuple[int, ...], int], packed.ConstantOp] = {}
        names = symbol_names(op)
        for kernel in kernels_of(op):
            for compute in [o for o in kernel.body.block.ops if isinstance(o, ComputeOp)]:
                if compute.has_role(role.WinogradTiles):
                    _Rewrite(kernel, compute, calls[kernel.label], weights, names).run_all()


def whole_tiles(view: ComputeView) -> ComputeView:
    """Return a compute with role winograd with its pixel axes rounded up to whole tiles.

    Other computes are returned unchanged.
    """
    window = find_window(view) if isinstance(view.role, role.WinogradTiles) else None
    if not isinstance(view.role, role.WinogradTiles) or window is None:
        return view
    size = view.role.tile
    pixels = {
        a: extent_of(Dim.of(view.axes[a]).ceildiv(size) * size)
        for a in (window.rows, window.columns)
    }
    return replace(view, axes={**view.axes, **pixels})


@dataclass
class _Rewrite:
    """The rewrite of one convolution into three phases: input transform, product, output transform.

    weights: the transformed weights of main, by weight, permutation and tile size.  names: all
    symbols of the module.  asked: the role of the convolution.  row, column: the axes over tile
    rows and over the tiles of a row.
    """

    kernel: KernelOp
    op: ComputeOp
    call: packed.CallOp
    weights: dict[tuple[WeightAttr, tuple[int, ...], int], packed.ConstantOp]
    names: Names
    view: ComputeView = field(init=False)
    window: Window = field(init=False)
    tile: TileTransforms = field(init=False)
    asked: role.WinogradTiles = field(init=False)

    def __post_init__(self) -> None:
        self.view = self.op.view()
        found = find_window(self.view)
        if found is None:
            raise LoweringError(
                f"@{self.op.label}: the role winograd is for sums of products of 3x3 windows",
                hint="leave it out",
            ).at(self.op)
        self.window = found
        asked = self.view.role
        assert isinstance(asked, role.WinogradTiles), "only such computes are rewritten"
        self.op.take_role(None)
        self.tile, self.asked = TILES[asked.tile], asked
        axes = self.view.extents
        fresh = Names(self.view.axes)
        self.row, self.column = fresh.fresh("ty"), fresh.fresh("tx")
        taken = Names(o.label for o in self.kernel.body.walk() if isinstance(o, TensorOp))
        # All blocks of columns have the same labels, so that one schedule fits them.
        self.labels = [taken.fresh(f"{self.view.name}_{phase}") for phase in ("in", "product")]
        self.rows, self.columns = (
            extent_of(Dim.of(self.view.axes[a]).ceildiv(self.tile.out))
            for a in (found.rows, found.columns)
        )
        self.channels, self.features = axes[found.channel], axes[found.feature]
        self.batch = {a: self.view.axes[a] for a in found.batch}

    def run_all(self) -> None:
        """Rewrite the kernel and its call; if needed, add a version for other sizes.

        The role's condition excludes these sizes: calls with them convolve directly, or by smaller
        tiles.
        """
        when, other = self.asked.when, self.asked.other
        made = None if when is None else self._copy(when)
        self.run()
        if made is not None and other:
            kernel, call = made
            computes = (o for o in kernel.body.block.ops if isinstance(o, ComputeOp))
            op = next(o for o in computes if o.label == self.view.name)
            op.take_role(role.WinogradTiles(other, 0))
            _Rewrite(kernel, op, call, self.weights, self.names).run()

    def run(self) -> None:
        """Rewrite the kernel and its call to the three phases."""
        rows = self.asked.rows
        assert not rows or Dim.of(self.rows) % rows == Dim.const(0), (
            f"{rows} does not divide {self.rows} rows of tiles"
        )
        self._transform_weights()
        if rows:
            self._in_blocks(rows)
        else:
            self._apart()
        self.kernel.update_function_type()

    def _copy(self, when: Dim) -> tuple[KernelOp, packed.CallOp]:
        """Add a kernel that convolves directly, with a call for sizes where ``when`` is 0.

        Returns the kernel and its call.
        """
        sizes = dict(zip(size_parameters(self.kernel), self.call.sizes, strict=True))
        condition = when.substitute(sizes)
        copy = self.kernel.clone()
        name = self.names.fresh(f"{self.kernel.label}_small")
        copy.sym_name = StringAttr(name)
        direct = packed.CallOp(name, self.call.arguments, sizes=self.call.sizes, when=1 - condition)
        direct.location = self.call.location
        self.call.when = DimsAttr((condition,))
        Rewriter.insert_op(direct, InsertPoint.after(self.call))
        Rewriter.insert_op(copy, InsertPoint.before(self.kernel))
        return copy, direct

    # ---- weights

    def _transform_weights(self) -> None:
        """Replace the weights by transformed weights of shape (product, input, output channel)."""
        access = self.view.inputs[self.window.weights]
        argument = access.value
        assert argument is not None, "weights are an operand"
        order = (self.window.taps[0], self.window.taps[1], self.window.channel, self.window.feature)
        axes = [cast(str, e.variable()) for e in access.indices or []]
        perm = tuple(axes.index(a) for a in order)
        position = self.kernel.body.block.args.index(argument)  # pyright: ignore
        constant_op = self.call.arguments[position].owner
        assert isinstance(constant_op, packed.ConstantOp), "weights are constant"
        key = constant_op.value, perm, self.tile.out
        if key not in self.weights:
            made = self.tile.transformed(WeightAttr.derived("transpose", [constant_op.value], perm))
            type_ = MemRefType(f32, made.stored.shape)
            self.weights[key] = constant_op.insert_derived(made, type_)
        self.call.pass_constant(position, self.weights[key])
        self.transformed = Rewriter.replace_value_with_new_type(
            argument, self.weights[key].res.type
        )

    # ---- one kernel

    def _in_blocks(self, rows: int) -> None:
        """Insert the phases in loops over the batch and over blocks of tile rows.

        rows: the number of tile rows per block.
        """
        block = loop.make_loop_body([])
        outer: dict[Key, Index] = {}
        count = self._bound(extent_of(Dim.of(self.rows) // rows))
        nest = loop.ForOp.make(0, count, Region(block), kind="parallel")
        start = variable(nest.variable) * rows
        for axis, extent in reversed(self.batch.items()):
            if extent == 1:
                outer[axis] = constant(0)
                continue
            around = loop.make_loop_body([])
            around.add_ops([nest, loop.YieldOp.create()])
            nest = loop.ForOp.make(0, self._bound(extent), Region(around), kind="parallel")
            outer[axis] = variable(nest.variable)
        columns = self.asked.columns or self.columns
        assert isinstance(columns, int), "the tiles of a symbolic row are in blocks"
        tiles = rows * columns
        v = loop.AllocOp.make(MemRefType(f32, (self.tile.products, tiles, self.channels)))
        m = loop.AllocOp.make(MemRefType(f32, (self.tile.products, tiles, self.features)))
        v.res.name_hint, m.res.name_hint = "v", "m"
        parent = self.kernel.body.block
        parent.insert_op_before(nest, self.op)
        block.add_ops([v, m])
        block.add_op(loop.YieldOp.create())
        for run in self._blocks_of_columns(columns):
            size = run.size
            assert isinstance(size, int), "blocks have constant sizes"
            body, first = block, constant(0)
            if run.count != 1:
                body = loop.make_loop_body([])
                body.add_op(loop.YieldOp.create())
                high = [self._size(bound) for bound in run.bounds]
                around = loop.ForOp.make(0, high, Region(body))
                self._append(block, [around])
                first = variable(around.variable) * size + self._size(run.first)
            axes: dict[str, Extent] = {self.row: rows, self.column: size}
            tile = variable(self.row) * size + variable(self.column)
            place = self._place(axes, outer, start, first, [tile])
            self._append(body, self._phases(place, v.res, m.res, self.transformed))
        self._drop(self.op)

    def _blocks_of_columns(self, columns: int) -> list[Run]:
        """Return the blocks of a row of tiles; in a symbolic row, the last ones are smaller.

        columns: the number of tiles per full block.
        """
        if isinstance(self.columns, int):
            return sections(self.columns, columns)
        rest = gcd(columns, multiple_of(self.columns))
        return disjoint_sections(self.columns, columns, rest)

    def _append(self, block: Block, ops: Sequence[Operation]) -> None:
        last = block.last_op
        assert last is not None, "a loop body ends with loop.yield"
        block.insert_ops_before(list(ops), last)

    def _size(self, extent: Extent) -> Index:
        return loop.size_at_start(self.kernel.body.block, extent)

    def _bound(self, extent: Extent) -> int | list[Index]:
        return extent if isinstance(extent, int) else [self._size(extent)]

    def _phases(
        self, place: _PhasePositions, v: SSAValue, m: SSAValue, weights: SSAValue
    ) -> list[ComputeOp]:
        numbers = [n for n in place.axes.values() if isinstance(n, int)]
        made = [
            self._input_transform(place, self.view.inputs[self.window.image].value, v),
            self._product(v, weights, m, self.tile.products, [prod(numbers)]),
            self._output_transform(place, m),
        ]
        for op in made:
            op.location = self.op.location
        return made

    def _drop(self, op: Operation) -> None:
        op.detach()
        op.drop_all_references()

    # ---- three kernels

    def _apart(self) -> None:
        """Make one kernel per phase, with buffers between them that hold all tiles of the image."""
        place, tiles = self._whole_image()
        v_type = memref_type(f32, (self.tile.products, *tiles, self.channels))
        m_type = memref_type(f32, (self.tile.products, *tiles, self.features))
        block, call = self.kernel.body.block, self.call
        sizes = dict(zip(size_parameters(self.kernel), call.sizes, strict=True))
        v, m = (packed.AllocOp(with_sizes(type_, sizes)) for type_ in (v_type, m_type))
        v.res.name_hint, m.res.name_hint = "v", "m"
        image = self.view.inputs[self.window.image].value
        assert image is not None
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, call.arguments, strict=True))
        x, w = values[image], values[self.transformed]

        first = Block(arg_types=[x.type, v_type])
        first.add_op(self._input_transform(place, first.args[0], first.args[1]))
        calls = [self._make_kernel("in", first, (), [x, v.res])]
        if len(tiles) > 1:
            given = [Dim.of(n).substitute(sizes) for n in tiles]
            calls += self._product_of_any_tiles(v.res, w, m.res, given)
        else:
            second = Block(arg_types=[v_type, w.type, m_type])
            x_arg, w_arg, m_arg = second.args
            second.add_op(self._product(x_arg, w_arg, m_arg, self.tile.products, tiles))
            calls.append(self._make_kernel("product", second, (1,), [v.res, w, m.res]))
        Rewriter.insert_op([v, m], InsertPoint.before(call))
        Rewriter.insert_op(calls, InsertPoint.before(call))
        products = block.insert_arg(m_type, 0)
        products.name_hint = "m"
        last = self._output_transform(place, products)
        last.location = self.op.location
        block.insert_op_before(last, self.op)
        self._drop(self.op)
        self._drop_arguments([m.res, *call.arguments])

    def _product_of_any_tiles(
        self, v: SSAValue, weights: SSAValue, m: SSAValue, counts: Sequence[Dim]
    ) -> list[Operation]:
        """Make the matrix product's kernel with its own size parameters; return its views and call.

        The same kernel then serves both tile sizes, and all layers with equal numbers of channels.
        v, weights, m: the operands and the result of the product.  counts: the number of tiles per
        axis of the image, in sizes of the main function.
        """
        tiles = prod(counts, start=Dim.const(1))
        multiple = multiple_of(tiles)
        name = symbol_of_count("tiles", counts)
        products, count = Dim.sym("products"), Dim.sym(name) * multiple
        block = Block(
            arg_types=[
                memref_type(f32, (products, count, self.channels)),
                memref_type(f32, (products, self.channels, self.features)),
                memref_type(f32, (products, count, self.features)),
            ]
        )
        v_arg, w_arg, m_arg = block.args
        block.add_op(self._product(v_arg, w_arg, m_arg, products, [count]))
        views = [
            packed.ViewOp(value, memref_type(f32, (self.tile.products, tiles, extent)))
            for value, extent in ((v, self.channels), (m, self.features))
        ]
        for view in views:
            view.location, view.res.name_hint = self.op.location, view.x.name_hint
        sizes = {"products": Dim.const(self.tile.products), name: tiles // multiple}
        arguments = [views[0].res, weights, views[1].res]
        return [*views, self._make_kernel("product", block, (1,), arguments, sizes)]

    def _whole_image(self) -> tuple[_PhasePositions, list[Extent]]:
        """Return the positions of all tiles, and the sizes of the buffers' tile dimensions."""
        axes = {**self.batch, self.row: self.rows, self.column: self.columns}
        if isinstance(self.rows, Dim) or isinstance(self.columns, Dim):
            tile = [variable(axis) for axis in axes]
            return self._place(axes, {}, constant(0), constant(0), tile), [*axes.values()]
        one = variable(self.row) * self.columns + variable(self.column)
        size, tiles = self.rows * self.columns, Dim.const(self.rows * self.columns)
        for axis, extent in reversed(self.batch.items()):
            one, tiles = one + variable(axis) * size, tiles * extent
            size *= extent if isinstance(extent, int) else 1  # no axis is outside of it
        return self._place(axes, {}, constant(0), constant(0), [one]), [extent_of(tiles)]

    def _place(
        self,
        axes: Mapping[str, Extent],
        outer: Mapping[Key, Index],
        first_row: Index,
        first_column: Index,
        tile: Sequence[Index],
    ) -> _PhasePositions:
        size = self.tile.out
        row, column = first_row + variable(self.row), first_column + variable(self.column)
        return _PhasePositions(axes, outer, tile, row * size, column * size)

    def _make_kernel(
        self,
        phase: str,
        block: Block,
        constants: Sequence[int],
        arguments: Sequence[SSAValue],
        sizes: Mapping[str, Dim] | None = None,
    ) -> packed.CallOp:
        """Insert the kernel of a phase before this kernel; return its call.

        phase: the suffix of the kernel's name.  block: the body of the kernel.  constants: the
        indices of constant arguments.  sizes: the kernel's size parameters and their values; by
        default the parameters and values of this kernel.
        """
        for n, argument in enumerate(block.args[:-1]):
            argument.name_hint = f"{'w' if n in constants else 'x'}{n}"
        block.args[-1].name_hint = "out"
        for op in block.ops:
            op.location = self.op.location
        block.add_op(KernelReturnOp())
        name = self.names.fresh(f"{self.kernel.label}_{phase}")
        kernel = KernelOp(name, FunctionType.from_lists([], []), Region(block), constants=constants)
        kernel.update_function_type()
        kernel.location = self.kernel.location
        if sizes is not None:
            kernel.properties[SIZES] = ArrayAttr([StringAttr(size) for size in sizes])
        elif self.kernel.sizes is not None:
            kernel.properties[SIZES] = self.kernel.sizes
            record_not_negative(kernel, recorded_not_negative(self.kernel))
        Rewriter.insert_op(kernel, InsertPoint.before(self.kernel))
        values = self.call.sizes if sizes is None else [*sizes.values()]
        call = packed.CallOp(name, arguments, sizes=values)
        call.when = self.call.when
        call.location = self.call.location
        return call

    def _drop_arguments(self, arguments: Sequence[SSAValue]) -> None:
        """Remove the unused arguments from the kernel and its call.

        arguments: the arguments of the call, one per argument of the kernel.
        """
        block = self.kernel.body.block
        constants = {p + 1 for p in self.kernel.constant_positions}
        kept = [n for n, a in enumerate(block.args) if a.uses]
        for n in reversed(range(len(block.args))):
            if n not in kept:
                block.erase_arg(block.args[n])
        weights = [new for new, old in enumerate(kept) if old in constants]
        self.kernel.properties.pop("constants", None)
        if weights:
            self.kernel.properties["constants"] = DenseArrayBase.from_list(i64, weights)
        self.call.operands = [arguments[n] for n in kept]

    # ---- phases

    def _input_transform(
        self, place: _PhasePositions, image: SSAValue | None, v: SSAValue
    ) -> ComputeOp:
        """Return the compute ``v[6 y + x] = (B d Bᵀ)[y, x]`` for the 6x6 inputs d of each tile.

        place: the positions of the tiles.  image: the buffer of the inputs.  v: the buffer of the
        results.
        """
        window, access = self.window, self.view.inputs[self.window.image]
        axes, leaves = {**place.axes, window.channel: self.channels}, self._exceeds(access)
        inputs: list[Access] = []
        for y in range(self.tile.size):
            for x in range(self.tile.size):
                values: dict[Key, Index] = {
                    **place.outer,
                    window.rows: place.first_row,
                    window.columns: place.first_column,
                    window.taps[0]: constant(y),
                    window.taps[1]: constant(x),
                }
                moved = replace(access, value=image)
                inputs.append(_moved(moved, values, axes, leaves=leaves))
        tile = [*place.tile, variable(window.channel)]
        outputs = [Access(v, [constant(k), *tile]) for k in range(self.tile.products)]
        block = Block(arg_types=[f32] * self.tile.products)
        s = Scalars(block)
        block.add_op(YieldOp(self.tile.transform_input(s, block.args)))
        return _compute(
            self.labels[0],
            axes,
            inputs,
            outputs,
            block,
            role.Transform(),
        )

    def _product(
        self,
        v: SSAValue,
        weights: SSAValue,
        m: SSAValue,
        products: Extent,
        tiles: Sequence[Extent],
    ) -> ComputeOp:
        """Return the compute ``m[k, t, o] = sum v[k, t, i] * w[k, i, o]``; t may be several axes.

        products: the extent of k.  tiles: the extents of t.
        """
        names = ["t"] if len(tiles) == 1 else [f"t{n}" for n in range(len(tiles))]
        axes: dict[str, Extent] = {
            "k": products,
            **dict(zip(names, tiles, strict=True)),
            "o": self.features,
            "i": self.channels,
        }
        k, *t, o, i = (variable(a) for a in axes)
        inputs = [Access(v, [k, *t, i]), Access(weights, [k, i, o])]
        output = Access(m, [k, *t, o], combiner="add", init=scalar_attr(0.0, f32))
        block = Block(arg_types=[f32, f32])
        block.add_op(YieldOp([Scalars(block).mul(*block.args)]))
        return _compute(self.labels[1], axes, inputs, [output], block)

    def _output_transform(self, place: _PhasePositions, m: SSAValue) -> ComputeOp:
        """Return the compute ``y = A m Aᵀ`` and its epilogue for the 6x6 products m of a tile."""
        window, view = self.window, self.view
        axes = {**place.axes, window.feature: self.features}
        tile = [*place.tile, variable(window.feature)]
        inputs = [Access(m, [constant(k), *tile]) for k in range(self.tile.products)]
        pixels = [
            {
                **place.outer,
                window.rows: place.first_row + y,
                window.columns: place.first_column + x,
            }
            for y in range(self.tile.out)
            for x in range(self.tile.out)
        ]
        outputs = [self._pixel(values, axes) for values in pixels]
        posts = [
            [_moved(a, values, axes, leaves=self._leaves(a)) for a in view.post]
            for values in pixels
        ]
        for access in (a for own in posts for a in own):
            if access not in inputs:
                inputs.append(access)
        block = Block(arg_types=[a.argument_type for a in inputs])
        s = Scalars(block)
        values = self.tile.transform_output(s, block.args[: self.tile.products])
        if view.then.blocks:
            values = [
                copy_body(
                    block, view.then.block, [value, *(block.args[inputs.index(a)] for a in own)]
                )[0]
                for value, own in zip(values, posts, strict=True)
            ]
        block.add_op(YieldOp(values))
        return _compute(view.name, axes, inputs, outputs, block, role.Transform())

    def _pixel(self, values: Mapping[Key, Index], axes: Mapping[str, Extent]) -> Access:
        """Return the store of one pixel of every tile, clipped to the image.

        values: the position of the pixel, by axis of the convolution.  axes: the axes of the phase.
        """
        output = self.view.outputs[0]
        image = [e.range(self.view.range_of) for e in output.indices or []]
        moved = _moved(replace(output, combiner=STORE, init=None), values, axes)
        spans = [e.range(axis_ranges(axes)) for e in moved.indices or []]
        pairs = zip(spans, image, strict=True)
        # Whole tiles fill a symbolic image.
        if not self._leaves(output) and all(
            last >= MOST or (low >= first and high <= last) for (low, high), (first, last) in pairs
        ):
            return replace(moved, pad=None)
        ends = (self._end(e) for e in output.indices or [])
        clip = tuple((low, end) for (low, _), end in zip(image, ends, strict=True))
        return replace(moved, pad=None, clip=clip)

    def _leaves(self, access: Access) -> bool:
        """Return whether an access uses a symbolic axis whose last tile may be partial."""
        return any(self._is_ragged(key) for e in access.indices or () for key in e.variables())

    def _is_ragged(self, key: Key) -> bool:
        extent = self.view.axes.get(key, 1) if isinstance(key, str) else 1
        is_tiled = key in (self.window.rows, self.window.columns)
        return is_tiled and isinstance(extent, Dim) and multiple_of(extent) % self.tile.out != 0

    def _exceeds(self, access: Access) -> bool:
        """Return whether reads of whole tiles may leave a buffer along a symbolic axis.

        They may if the axis need not be a multiple of the tile size.
        """
        axes = whole_tiles(self.view).axes
        return any(
            not (Dim.of(size) - _end_of(index, axes)).is_at_least(0)
            for index, size in zip(access.indices or (), access.extents, strict=True)
            if any(map(self._is_ragged, index.variables()))
        )

    def _end(self, index: Index) -> Extent:
        """Return the end of the positions that an index takes in the image.

        The end is a size expression if the index has a symbolic axis that need not be a multiple of
        the tile size, else an integer.
        """
        if not any(map(self._is_ragged, index.variables())):
            return min(index.range(self.view.range_of)[1] + 1, MOST)
        return extent_of(_end_of(index, self.view.axes))


@dataclass(frozen=True)
class _PhasePositions:
    """The positions of the tiles that one phase computes.

    axes: the axes of the phase's computes that run over tiles.  outer: the positions along the axes
    for which there are loops around the phase.  tile: the position of a tile in the buffers between
    phases.
    first_row, first_column: the first pixel of a tile.
    """

    axes: Mapping[str, Extent]
    outer: Mapping[Key, Index]
    tile: Sequence[Index]
    first_row: Index
    first_column: Index


def _end_of(index: Index, axes: Mapping[str, Extent]) -> Dim:
    """Return the end of the positions that an index takes, as a size expression.

    axes: the extents of the axes.
    """
    rest, end = index, Dim.const(1)
    for key in index.variables():
        if isinstance(key, str):
            factor = index.coefficient(key)
            rest, end = rest.without(key), end + (Dim.of(axes[key]) - 1) * factor
    start = loop.size_of_index(rest)
    assert start is not None, f"an image starts at a size: {index}"
    return end + start


def _moved(
    access: Access,
    values: Mapping[Key, Index],
    axes: Mapping[str, Extent],
    *,
    leaves: bool = False,
) -> Access:
    """Return an access with axes substituted, and padded if its positions may leave the buffer.

    values: the new value of each substituted axis.  axes: the extents of the new axes.  leaves:
    whether positions leave the buffer in some calls; if not, positions along a symbolic size are
    inside, because whole tiles fill the size.
    """
    if access.indices is None:
        return access

    range_of = axis_ranges(axes)
    indices = [e.substitute(values, range_of) for e in access.indices]
    if access.is_index:
        return replace(access, indices=indices)
    spans = zip((e.range(range_of) for e in indices), access.extents, strict=True)
    leaves |= any(low < 0 or high >= size for (low, high), size in spans if isinstance(size, int))
    leaves |= access.pad is not None and any(isinstance(size, Dim) for size in access.extents)
    zero = scalar_attr(0, access.element_type) if access.pad is None else access.pad
    return replace(access, indices=indices, pad=zero if leaves else None)


def _compute(
    name: str,
    axes: Mapping[str, Extent],
    inputs: Sequence[Access],
    outputs: Sequence[Access],
    body: Block,
    purpose: role.Role | None = None,
) -> ComputeOp:
    view = ComputeView(
        name, dict(axes), list(inputs), [], list(outputs), Region(body), role=purpose
    )
    return ComputeOp.from_view(view)
