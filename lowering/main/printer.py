"""The interface between the lowering of main and the languages in which main is printed.

    packed.copy %x to %y : memref<4xf32>, memref<4xf32>
==>
    printer.copy(printer.argument(1), printer.argument(0), "16")

In: calls of a printer's methods, in the order in which main, the program's host function, executes
the steps.  Out: the text of a module that defines main.  The lowering (packed_to_main.py) decides
what main does and calls a method of a `MainPrinter` for each step; a printer decides only how its
language spells the step.  The printers are LLVM IR (llvm_printer.py) and C99 (c_printer.py).

A printed module defines, for the entry code of the model (runtime/native/entry.h):

    i32 tw_run(data, arena, threads)     main
    i32 tw_derive(sizes, stage)          computes the sizes of a stage, if there are symbols

data: pointers to the inputs, then to the outputs, then, if main has symbolic sizes, to the table of
sizes (size_table.py).  arena: the first block of the arena.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...runtime.abi.constants import TypeIndex

Value: TypeAlias = str
"""A printed number of 64 bits, condition or address.  Integer literals are decimal."""

FALSE: Value = "false"
TRUE: Value = "true"
"""The printed constant conditions."""

CONCAT = "tw_concat_task"
"""The function that each printed module with a concat defines: task n copies operand n."""


class Integers(Protocol):
    """Methods that print arithmetic on sizes, which are signed integers of 64 bits."""

    def binary(
        self, kind: Literal["add", "mul", "and"], x: Value, y: Value, *, fits: bool = False
    ) -> Value:
        """Return the sum, product or bitwise and of two numbers, modulo 2**64.

        kind: which of the three.  fits: whether the exact result is known to fit in 64 bits.
        """
        ...

    def product(self, x: Value, y: Value) -> tuple[Value, Value]:
        """Return a product modulo 2**64, and the condition that it overflows."""
        ...

    def extremum(self, kind: Literal["min", "max"], x: Value, y: Value) -> Value:
        """Return the smaller (kind: min) or larger (kind: max) of two numbers."""
        ...

    def divided(
        self,
        kind: Literal["floordiv", "mod"],
        x: Value,
        divisor: int | Value,
        *,
        non_negative: bool,
    ) -> Value:
        """Return the quotient or remainder of a division by a positive divisor, rounded down.

        non_negative: whether ``x`` is known to be at least 0.
        """
        ...

    def is_negative(self, x: Value) -> Value:
        """Return the condition that a size is below 0."""
        ...

    def exceeds(self, x: Value, most: int) -> Value:
        """Return the condition that a size is less than ``-most`` or greater than ``most``."""
        ...

    def either(self, x: Value, y: Value) -> Value:
        """Return the condition that at least one of two conditions holds."""
        ...


class SizeFunction(Protocol):
    """A printed function that computes entries of the table of sizes.

    integers: prints arithmetic in this function.
    number: the printed iteration number of a loop, the argument of a function for its iterations.
    """

    integers: Integers
    number: Value

    def load(self, position: int) -> Value:
        """Load the entry at a position of the table; return its value."""
        ...

    def store(self, position: int, value: Value) -> None:
        """Store a value as the entry at a position of the table."""
        ...

    def finish(self, negative: Value, overflow: Value) -> None:
        """End the function: return 1 if ``overflow`` holds, 2 if ``negative`` holds, else 0."""
        ...


@dataclass(frozen=True)
class Check:
    """The facts about an index check that are known at compile time.

    place: the node of the model whose indices are checked.
    shape: the sizes of the index tensor; dynamic ones are negative.
    elements: the product of the shape.
    bounds: the number of valid indices of each column of the index tensor, if static; one number if
    all are equal.
    columns: the number of bounds.
    wraps: whether negative indices count from the end.
    """

    place: str
    shape: tuple[int, ...]
    elements: int
    bounds: tuple[int, ...]
    columns: int
    wraps: bool


class MemoryForms(Protocol):
    """Methods that print address computations, loads and stores."""

    def argument(self, position: int) -> Value:
        """Return the address of argument ``position`` of main."""
        ...

    def weight(self, offset: int, name: str) -> Value:
        """Return the address of the weight at an offset of the weights, in bytes.

        name: the weight's name in the model, or empty.
        """
        ...

    def buffer(self, stage: int, offset: int | Value, name: str) -> Value:
        """Return an address in the arena's block of a stage of main.

        offset: bytes from the start of the block.  name: the buffer's name in the model, or empty.
        """
        ...

    def within(self, address: Value, offset: int | Value) -> Value:
        """Return the address that is ``offset`` bytes after another address."""
        ...

    def is_same(self, x: Value, y: Value) -> Value:
        """Return the condition that two addresses are equal."""
        ...

    def zero_if(self, condition: Value, x: Value) -> Value:
        """Return 0 if a condition holds, else ``x``."""
        ...

    def copy(self, target: Value, source: Value, size: Value) -> None:
        """Copy ``size`` bytes between buffers that do not overlap."""
        ...

    def load_number(self, address: Value) -> Value:
        """Load a number of 64 bits; return it."""
        ...

    def load_element(self, address: Value, position: int) -> Value:
        """Load element ``position`` of an array of numbers of 64 bits; return it."""
        ...

    def store_number(self, address: Value, value: Value) -> None:
        """Store a number of 64 bits."""
        ...

    def load_condition(self, address: Value) -> Value:
        """Load a condition, which is one byte in memory; return it."""
        ...

    def size(self, position: int) -> Value:
        """Return the value of the entry at a position of the table of sizes."""
        ...

    def sizes(self, position: int) -> Value:
        """Return the address of the entry at a position of the table of sizes.

        Further sizes follow this entry.
        """
        ...


class CallForms(Protocol):
    """Methods that print calls of functions.  If a call fails, main returns its status.

    A function is the symbol of a kernel, or `CONCAT`.
    """

    threads: Value
    """The number of threads that the caller of main chose."""

    def store_arguments(self, addresses: Sequence[Value], first: int) -> None:
        """Store addresses in the array of arguments, the first one at position ``first``."""
        ...

    def one_thread_if_zero(self, size: Value) -> Value:
        """Return 1 if a size is 0, else the number of threads that the caller of main chose."""
        ...

    def run_task(self, function: str) -> None:
        """Run task 0 of a function in this thread, with the array of arguments."""
        ...

    def run_tasks(self, function: str, count: int) -> None:
        """Run ``count`` tasks of a function in this thread, with the array of arguments."""
        ...

    def launch(self, function: str, count: Value, threads: Value, *, is_sized: bool) -> None:
        """Run the tasks of a function in several threads, with the array of arguments.

        is_sized: whether the count is known only at run time, so that it may be 0 or 1.
        """
        ...

    def arguments_from(self, first: int) -> Value:
        """Return the address of element ``first`` of the array of arguments."""
        ...

    def section(self, position: int, function: str, arguments: Value, count: Value) -> None:
        """Store a row of the table of calls, which are launched together.

        position: the position of the row.  arguments: the address of the call's arguments.  count:
        the number of its tasks.
        """
        ...

    def launch_sections(self, count: Value, *, is_sized: bool) -> None:
        """Run the tasks of all calls in the table of calls in several threads.

        count: the number of these tasks.  is_sized: whether the count is known only at run time.
        """
        ...

    def concat_table(self, fields: Sequence[int]) -> Value:
        """Return the address of a constant table, which describes a concat (concats.py)."""
        ...

    def bind(self, stage: int, value: Value) -> None:
        """Begin a stage of main, at which the value of a symbol becomes known.

        stage: the number of the stage.  value: the value of the symbol.
        """
        ...

    def iterate(self, loop: int, number: Value) -> None:
        """Compute the entries of the table of sizes that depend on an iteration number.

        loop: the number of the loop in main.  number: the iteration number.
        """
        ...

    def check_table(self, check: Check) -> tuple[Value, Value]:
        """Return the addresses of a check's description and static bounds, which are constants."""
        ...

    def sized_check(self, table: Value, shape: Value, elements: Value) -> Value:
        """Copy the description of a check, and set its dynamic sizes; return the address of the
        copy.

        table: the address of the description.  shape: the address of the sizes of the index tensor.
        elements: the product of these sizes.
        """
        ...

    def check_indices(self, element: str, address: Value, table: Value, bounds: Value) -> None:
        """Check the indices in a buffer; main ends with an error if one is out of range.

        element: the type of an index, ``i32`` or ``i64``.  address: the address of the buffer.
        table: the address of the description of the check.  bounds: the address of the number of
        valid indices of each column.
        """
        ...

    def constant_sizes(self, sizes: Sequence[int]) -> Value:
        """Return the address of a constant array with these sizes."""
        ...

    def store_tensor(
        self, position: int, address: Value, dtype: int, rank: int, shape: Value
    ) -> None:
        """Store a row of the table of DLPack tensors.

        position: the position of the row.  address: the address of the elements.  dtype: the code,
        bits and lanes of a DLPack type in one integer.  shape: the address of the sizes.
        """
        ...

    def tensor_argument(self, position: int, tensor: int) -> None:
        """Store an argument of a function of the process: the tensor in row ``tensor`` of the
        table.
        """
        ...

    def number_argument(self, position: int, kind: TypeIndex, value: Value) -> None:
        """Store an argument of a function of the process: an integer, bool or float.

        kind: the type of the argument.  value: the 64 bits of the number.
        """
        ...

    def text_argument(self, position: int, text: str) -> None:
        """Store an argument of a function of the process: a string."""
        ...

    def call_extern(self, slot: int, name: str, count: int) -> None:
        """Call a function of the process with the stored arguments, and drop its result.

        slot: the position of the function in the table of functions.  name: its name.  count: the
        number of arguments.
        """
        ...

    def trace_step(self, number: int, tasks: Value, flops: Value, moved: Value) -> None:
        """Record the end of step ``number`` of a profiled main.

        tasks: the number of tasks of the step.  flops: its operations.  moved: the bytes that it
        moves.
        """
        ...


class ControlForms(Protocol):
    """Methods that print control flow, which carries addresses between blocks.

    The lowering calls them in this order.  A branch: begin_branch, begin_then, the ops of the first
    block, begin_else, the ops of the second block, end_branch.  A loop: begin_loop, enter_loop, the
    ops of the body, next_iteration, the condition of the next iteration, end_loop.
    """

    def begin_branch(self) -> None:
        """Begin a branch; call this before the condition is printed."""
        ...

    def begin_then(self, condition: Value) -> None:
        """Begin the first block of the branch, which runs if a condition holds."""
        ...

    def begin_else(self, results: Sequence[Value]) -> None:
        """End the first block of the branch, and begin the second one.

        results: the addresses that the first block yields.
        """
        ...

    def end_branch(self, results: Sequence[Value]) -> Sequence[Value]:
        """End the second block of the branch; return the results of the branch.

        results: the addresses that the second block yields.
        """
        ...

    def begin_loop(self) -> None:
        """Begin a loop; call this before its trip count and its first condition are printed."""
        ...

    def enter_loop(
        self, inits: Sequence[Value], trip: Value | None, condition: Value
    ) -> tuple[Value, Sequence[Value]]:
        """Begin the body of the loop, which runs while iterations are left and a condition holds.

        inits: the first values of the addresses that the loop carries.  trip: the number of
        iterations; None for no limit.
        Returns the iteration number and the carried addresses, for use in the body.
        """
        ...

    def next_iteration(self) -> None:
        """End the ops of the body; the next call prints the condition of the next iteration."""
        ...

    def end_loop(self, condition: Value, carried: Sequence[Value]) -> None:
        """End a loop.

        condition, carried: the condition and the carried addresses of the next iteration.
        """
        ...

    def finish(self) -> None:
        """Return status 0 from main."""
        ...


class MainPrinter(MemoryForms, CallForms, ControlForms, Protocol):
    """A printer of one module with main: the lowering calls its methods in order, then `module`.

    integers: prints arithmetic in main. Methods that return nothing append statements.
    """

    integers: Integers

    def begin_main(self, main: FuncOp, *, is_traced: bool) -> None:
        """Begin main.

        is_traced: whether main records the time of each step.
        """
        ...

    def begin_op(self, op: Operation) -> None:
        """Begin the statements for an op of main."""
        ...

    def end_op(self, op: Operation) -> bool:
        """End the statements for an op of main; return whether any statement was printed."""
        ...

    def take_sizes(self, entries: Sequence[str]) -> None:
        """Add the table of sizes as the last argument of main.

        entries: a description of each entry, for comments.
        """
        ...

    def make_sizes(self, entries: Sequence[str], numbers: Sequence[tuple[int, int]]) -> None:
        """Let main allocate the table of sizes.

        entries: a description of each entry, for comments.  numbers: the position and value of each
        constant entry.
        """
        ...

    def iteration(self, loop: int) -> SizeFunction:
        """Begin the function that computes the sizes of one iteration of a loop; return it.

        loop: the number of the loop in main.
        """
        ...

    def derivation(self, stage: int) -> SizeFunction:
        """Begin the function that computes the sizes of one stage of main; return it.

        stage: the number of the stage.
        """
        ...

    def module(self, version: int | None) -> str:
        """Return the printed module.

        version: the number of this main in a program with several versions of main, with which the
        names of its functions end; None for a single main.
        """
        ...
