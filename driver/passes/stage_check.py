"""Validation of the stages of a compilation, in time for whole networks.

    check = StageValidation()
    with tilewright.PassContext(instruments=[check]):
        tilewright.compile(model)
    print(ValidationTable(check.rows))

After each stage, the changed functions must pass the verifier and parse back equal.  A program
whose kernels are plain numpy runs as a whole, and its kernel calls are recorded.  Later stages
change kernels only: a changed kernel runs on its recorded arguments, whole if that is cheap, else
in the iterations that sampled elements of its results need (analysis/needed_iterations.py); a
changed main function runs with the numpy form of each kernel in place of its loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, cast

from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ...analysis.verify import check_level, parse_back, verify_module
from ...dialects.packed import CallOp, ConstantOp, ViewOp
from ...dialects.te import KernelOp, kernels_of
from ...interp import packed
from ...interp.compare import expect_close, relative_bound, scaled_error
from ...interp.program import interpret, is_bufferized, random_inputs, result_label
from ...interp.sizes import with_call_sizes
from ...support.diagnostics import TilewrightError, WrongStage
from ...support.entry import entry_of
from ...support.instruments import PassInfo, PassInstrument, StageInfo
from .check import moved
from .checked_parts import PROGRAM, CheckedPart
from .kernel_checks import PLACE_BARRIERS, check_race, stored
from .kernel_samples import KernelSample, is_plain, run_against, run_loops, run_sample
from .split_kernels import (
    CallWatch,
    MergedKernel,
    SplitCalls,
    SplitKernel,
    joined,
    launched,
    part_arguments,
)

Array: TypeAlias = NDArray[Any]
Kernel: TypeAlias = KernelOp | FuncOp


@dataclass
class _Call:
    """A recorded call of a kernel.

    op: the call in main.  before, after: copies of the arguments before and after the call.
    """

    op: CallOp
    before: list[Array]
    after: list[Array]


@dataclass
class _Forms:
    """The last program whose kernels numpy runs without loops, as the reference for later stages.

    kernels: the kernels by name.  calls: the first recorded call of each kernel.
    originals: for a kernel and the index of an argument, the constants that calls pass there.
    packs: for each kernel, the storage layouts of its packed arguments, by index.
    splits: the kernels that passes have split since, by name.  parts: the parts of these kernels as
    functions of loops, by name, after they were compared with the split kernel.
    merged: the kernels that compute several kernels in one launch, by name.
    """

    kernels: dict[str, Kernel] = field(default_factory=dict[str, Kernel])
    calls: dict[str, _Call] = field(default_factory=dict[str, _Call])
    originals: dict[tuple[str, int], list[Array]] = field(
        default_factory=dict[tuple[str, int], "list[Array]"]
    )
    packs: dict[str, Mapping[int, Any]] = field(default_factory=dict[str, "Mapping[int, Any]"])
    splits: dict[str, SplitKernel] = field(default_factory=dict[str, SplitKernel])
    parts: dict[str, FuncOp] = field(default_factory=dict[str, FuncOp])
    merged: dict[str, MergedKernel] = field(default_factory=dict[str, MergedKernel])


class StageValidation(PassInstrument):
    """An instrument that checks the program after each stage of a compilation.

    The changed functions must pass the verifier and parse back equal. While all kernels are plain
    numpy (without loops), the program is interpreted as a whole, and its kernel calls are recorded;
    after later stages, a changed kernel runs on the recorded arguments, completely or for sampled
    elements of its results.
    inputs: the arguments of main; None: random arguments.  each_pass: whether to check the program
    after each pass, and not only after the last pass of a stage.
    rows: the table, one row for each checked part.

    Errors: TilewrightError that names the stage or pass, and the wrong kernel or result.
    """

    def __init__(self, inputs: Sequence[Array] | None = None, *, each_pass: bool = False) -> None:
        self._given, self._each_pass = inputs, each_pass
        self.rows: list[CheckedPart] = []

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._ctx = ctx
        self.inputs = random_inputs(module) if self._given is None else list(self._given)
        self.reference = interpret(module, self.inputs)
        self._texts = _texts(module)
        self._forms = _Forms()
        self._calls: CallWatch | None = None

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._calls = CallWatch(module) if self._forms.calls else None

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if self._calls is not None:
            splits = (s for s in self._calls.splits(module) if s.name in self._forms.calls)
            self._forms.splits |= {split.name: split for split in splits}
            self._forms.merged |= {each.name: each for each in self._calls.merges(module)}
        for kernel in kernels_of(module):
            if kernel.pack_maps:
                self._forms.packs[kernel.label] = dict(kernel.pack_maps)
        if self._each_pass:
            self._check(module, StageInfo(info.name, info.level, info.dialects))

    def run_after_stage(self, module: ModuleOp, stage: StageInfo) -> None:
        if not self._each_pass:
            self._check(module, stage)

    def written(self, kernel: str) -> tuple[int, ...] | None:
        """Return the indices of the arguments that the recorded call of a kernel has changed.

        kernel: the name of the kernel.  Return None if no call of it was recorded.
        """
        call = self._forms.calls.get(kernel)
        if call is None:
            return None
        pairs = enumerate(zip(call.before, call.after, strict=True))
        return tuple(n for n, (x, y) in pairs if x.tobytes() != y.tobytes())

    def call_of(self, kernel: str) -> CallOp | None:
        """Return the recorded call of a kernel, with numbers as sizes; None if there is none.

        kernel: the name of the kernel.
        """
        call = self._forms.calls.get(kernel)
        return None if call is None else call.op

    def _check(self, module: ModuleOp, stage: StageInfo) -> None:
        texts = _texts(module)
        changed = {name for name, text in texts.items() if self._texts.get(name) != text}
        places_barriers = stage.name == PLACE_BARRIERS
        if texts.keys() == self._texts.keys() and not changed and not places_barriers:
            self._add(stage, PROGRAM, [], verdict="unchanged")
            return
        try:
            if places_barriers:
                self._check_races(module)
            self._verify(module, stage, changed)
            self._compare(module, stage, changed)
        except TilewrightError as err:
            self._add(stage, err.where or PROGRAM, [], verdict="WRONG")
            hint = "" if self._each_pass else "`tw bisect` finds the pass"
            raise moved(err, stage.name, hint) from err
        except VerifyException as err:
            self._add(stage, PROGRAM, [], verdict="INVALID")
            got = str(err).partition("\n")[0]
            raise WrongStage("the program is invalid", got=got, where=stage.name) from err
        self._texts = texts

    def _verify(self, module: ModuleOp, stage: StageInfo, changed: set[str]) -> None:
        verify_module(module)
        check_level(module, stage.level, stage.dialects)
        part = module.clone()
        for name, op in [*_named(part).items()]:
            if name not in changed and isinstance(op, Kernel):
                part.body.block.erase_op(op, safe_erase=False)
        parse_back(part, str(part), self._ctx)

    def _compare(self, module: ModuleOp, stage: StageInfo, changed: set[str]) -> None:
        main = entry_of(module).sym_name.data
        kernels = {name: k for name, k in packed.symbols(module).items() if name != main}
        if not (kernels and self._forms.calls) or all(map(is_plain, kernels.values())):
            self._compare_program(module, stage)
            return
        for name, kernel in kernels.items():
            if name in changed and name in self._forms.calls:
                self._compare_kernel(name, kernel, stage)
        for split in self._forms.splits.values():
            if not changed.isdisjoint(split.parts):
                self._compare_split(split, kernels, stage)
        for merged in self._forms.merged.values():
            if merged.name in changed:
                self._compare_merged(merged, kernels[merged.name], stage)
        self._gathered = SplitCalls(self._forms.splits.values())
        if main in changed:
            results = packed.run(module, *self.inputs, call=self._substitute)
            self._compare_results(module, stage, results)

    def _compare_program(self, module: ModuleOp, stage: StageInfo) -> None:
        """Interpret the whole program, record the calls of its kernels, and compare its results."""
        if not is_bufferized(module):
            self._compare_results(module, stage, interpret(module, self.inputs))
            return
        forms = self._forms = _Forms(kernels={**packed.symbols(module.clone())})

        def call(op: CallOp, kernel: Kernel, arrays: Sequence[Array]) -> None:
            name, before = op.kernel_name, [array.copy() for array in arrays]
            for number, (value, array) in enumerate(zip(op.arguments, arrays, strict=True)):
                if isinstance(value.owner, ConstantOp | ViewOp):
                    forms.originals.setdefault((name, number), []).append(array)
            packed.call_kernel(kernel, arrays)
            if name not in forms.calls:
                forms.calls[name] = _Call(op, before, [array.copy() for array in arrays])

        results = packed.run(module, *self.inputs, call=call)
        self._compare_results(module, stage, results)

    def _compare_results(
        self, module: ModuleOp, stage: StageInfo, results: Sequence[Array]
    ) -> None:
        pairs = [(got, self.reference[n]) for n, got in enumerate(results)]
        for n, (got, expected) in enumerate(pairs):
            expect_close(got, expected, result_label(module, n))
        self._add(stage, PROGRAM, pairs)

    def _compare_kernel(self, name: str, kernel: Kernel, stage: StageInfo) -> None:
        """Run a changed kernel on the arguments of its recorded call, and compare the results.

        The expected results are those of the recorded call. A row is added to the table.
        name: the name of the kernel.  stage: the stage or pass that changed it.
        """
        call = self._forms.calls[name]
        before, after = self._packed(name, call.before), self._packed(name, call.after)
        bound = with_call_sizes(kernel, call.op)
        self._add_sample(name, stage, partial(run_sample, bound, before, after))

    def _compare_split(
        self, split: SplitKernel, kernels: Mapping[str, Kernel], stage: StageInfo
    ) -> None:
        """Compare the parts of a split kernel with the kernel; add rows to the table.

        Parts with loops run together on the arguments of the recorded call of the kernel.  A part
        for a GPU is compared with its form with loops; buffers between parts have random values.
        kernels: all kernels, by name.  stage: the stage or pass that changed a part.
        """
        call = self._forms.calls[split.name]
        names = [name for name in split.parts if name in kernels]
        parts = {n: cast(FuncOp, with_call_sizes(kernels[n], call.op)) for n in names}
        before, after = (self._packed(split.name, arrays) for arrays in (call.before, call.after))
        mapped = launched(parts)
        if not mapped:
            kernel, used = joined(split, parts)
            given = [before[n] for n in used], [after[n] for n in used]
            self._add_sample(split.name, stage, partial(run_sample, kernel, *given))
            self._forms.parts |= {name: part.clone() for name, part in parts.items()}
        for name in (name for name in mapped if name in self._forms.parts):
            form = self._forms.parts[name]
            given, run = part_arguments(split, form, before), partial(run_loops, form)
            self._add_sample(name, stage, partial(run_against, parts[name], run, given))

    def _compare_merged(self, merged: MergedKernel, kernel: Kernel, stage: StageInfo) -> None:
        """Compare a merged kernel with the kernels that it computes; add a row to the table.

        The arguments are those of the recorded calls of these kernels.
        kernel: the merged kernel.
        """
        given: dict[int, Array] = {}
        for name, numbers in merged.parts:
            for number, array in zip(numbers, self._arguments(name), strict=True):
                given.setdefault(number, array)
        arrays = [given[n] for n in range(len(given))]

        def run_parts(expected: Sequence[Array], wanted: Mapping[int, Array]) -> None:
            for name, numbers in merged.parts:
                own = [expected[n] for n in numbers]
                at = {i: wanted[n] for i, n in enumerate(numbers) if n in wanted}
                if name in self._forms.parts:
                    run_loops(self._forms.parts[name], own, at)
                else:
                    self._run_recorded(name, self._forms.calls[name].op, own)

        bound = cast(FuncOp, kernel)
        run = partial(run_against, bound, run_parts, arrays, merged.last_blocks)
        self._add_sample(merged.name, stage, run)

    def _arguments(self, name: str) -> list[Array]:
        """Return arguments for a kernel, or for a part of a split kernel."""
        if name not in self._forms.parts:
            return self._packed(name, self._forms.calls[name].before)
        split = next(each for each in self._forms.splits.values() if name in each.parts)
        before = self._packed(split.name, self._forms.calls[split.name].before)
        return part_arguments(split, self._forms.parts[name], before)

    def _add_sample(self, name: str, stage: StageInfo, run: Callable[[], KernelSample]) -> None:
        """Run a sample of a kernel, compare its results, and add a row to the table.

        name: the kernel.  run: runs the sample.
        """
        try:
            found = run()
            for got, expected in found.pairs:
                expect_close(got, expected, "a result")
        except TilewrightError as err:
            raise err.named(f"kernel @{name}") from None
        verdict = "ok" if found.pairs else "not run: too long"
        self._add(stage, f"@{name}", found.pairs, found, verdict)

    def _packed(self, name: str, arrays: Sequence[Array]) -> list[Array]:
        """Return the arguments of a kernel, in the storage layouts of its packed arguments."""
        return stored(arrays, self._forms.packs.get(name, {}))

    def _check_races(self, module: ModuleOp) -> None:
        """Check the barriers of all kernels, which may be missing in an unchanged kernel, too."""
        for name, kernel in packed.symbols(module).items():
            if (call := self._forms.calls.get(name)) is not None:
                arrays = self._packed(name, call.before)
                check_race(with_call_sizes(kernel, call.op), arrays)

    def _substitute(self, op: CallOp, kernel: Kernel, arrays: Sequence[Array]) -> None:
        """Run a kernel call of a changed main, by the recorded kernel of the same name.

        The recorded kernel has no loops, so it runs faster than ``kernel``, which runs only if none
        is recorded.  A call of a merged kernel runs the kernels that it computes.
        op: the call.  arrays: its arguments.
        """
        merged = self._forms.merged.get(op.kernel_name)
        if merged is not None:
            for name, numbers in merged.parts:
                self._run_known(name, op, [arrays[n] for n in numbers])
        elif not self._run_known(op.kernel_name, op, arrays):
            packed.call_kernel(kernel, arrays)

    def _run_known(self, name: str, op: CallOp, arrays: Sequence[Array]) -> bool:
        """Run the recorded kernel of a name; return False if none is recorded.

        The calls of the parts of a split kernel run the split kernel, at the call of the last part.
        """
        if name in self._gathered:
            gathered = self._gathered.take(name, arrays)
            if gathered is None:
                return True
            name, call = gathered.split.name, self._forms.calls[gathered.split.name]
            given = [gathered.copies.get(n, x) for n, x in enumerate(call.before)]
            self._run_recorded(name, op, given)
            for number in self.written(name) or ():
                gathered.arrays[number][...] = given[number]
        elif name in self._forms.kernels:
            self._run_recorded(name, op, arrays)
        else:
            return False
        return True

    def _run_recorded(self, name: str, op: CallOp, arrays: Sequence[Array]) -> None:
        """Run the recorded kernel of a name, with the sizes of a call."""
        given = list(arrays)
        for number, layout in self._forms.packs.get(name, {}).items():
            given[number] = self._original(name, number, layout, arrays[number])
        packed.call_kernel(with_call_sizes(self._forms.kernels[name], op), given)

    def _original(self, name: str, number: int, layout: Any, got: Array) -> Array:
        """Return the constant that main passes to a kernel in packed form.

        name, number: the kernel, and the index of the argument.  layout: the layout of the packed
        form.  got: the argument, in packed form.

        Errors: TilewrightError if the argument is the packed form of no constant.
        """
        for array in self._forms.originals.get((name, number), ()):
            (packed_array,) = stored([array], {0: layout})
            if packed_array.tobytes() == got.tobytes():
                return array
        raise TilewrightError(
            "a packed weight has other values than the weight",
            got=f"argument {number}",
            where=f"kernel @{name}",
        )

    def _add(
        self,
        stage: StageInfo,
        kernel: str,
        pairs: Sequence[tuple[Array, Array]],
        found: KernelSample | None = None,
        verdict: str = "ok",
    ) -> None:
        """Add a row for a checked part to the table.

        kernel: the checked part, as in `CheckedPart`.  pairs: computed and expected arrays.
        found: the sample from which the pairs come; None if the pairs cover the results completely.
        """
        error = max((scaled_error(*pair) for pair in pairs), default=0.0)
        floats = [x.dtype for _, x in pairs if x.dtype.kind not in "iub"]
        bound = max(map(relative_bound, floats), default=0.0)
        share = found.share if found is not None else float(bool(pairs))
        row = CheckedPart(stage.name, kernel, error, bound, share, verdict)
        self.rows.append(row)


class PassWatch(StageValidation):
    """The checks after each pass, which also remember the last pass and the program before it.

    before: the program before the pass that runs or ran last.  info: that pass.
    is_done: whether that pass has ended.
    """

    def __init__(self) -> None:
        super().__init__(each_pass=True)
        self.before: ModuleOp | None = None
        self.info: PassInfo | None = None
        self.is_done = False

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        super().run_before_pass(module, info)
        self.before, self.info, self.is_done = module.clone(), info, False

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self.is_done = True
        super().run_after_pass(module, info)


def _named(module: ModuleOp) -> dict[str, Operation]:
    """Return the ops of a module by symbol name, or by kind and number if they have none."""
    found: dict[str, Operation] = {}
    for number, op in enumerate(module.ops):
        is_symbol = isinstance(op, KernelOp | FuncOp)
        found[op.sym_name.data if is_symbol else f"{op.name} {number}"] = op
    return found


def _texts(module: ModuleOp) -> dict[str, str]:
    return {name: str(op) for name, op in _named(module).items()}
