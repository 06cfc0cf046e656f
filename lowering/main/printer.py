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
    """The printer's methods for arithmetic on sizes, which are signed integers of 64 bits.

    A method returns the printed value of its result.
    """

    def binary(
        self, kind: Literal["add", "mul", "and"], x: Value, y: Value, *, fits: bool = False
    ) -> Value:
        """Print the sum, product or bitwise and of two numbers, modulo 2**64.

        kind: which of the three.  fits: whether the caller knows that the exact result fits in 64
        bits.
        """
        ...

    def product(self, x: Value, y: Value) -> tuple[Value, Value]:
        """Print a product modulo 2**64; return it and the condition that it overflows."""
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
        """Print a division that rounds down; return its quotient or remainder.

        kind: ``floordiv`` for the quotient, ``mod`` for the remainder.
        divisor: a positive number.
        non_negative: whether the caller knows that ``x`` is at least 0.
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
    """A function under construction that computes entries of the table of sizes.

    integers: prints arithmetic in this function.
    number: the printed iteration number, in a function that computes the sizes of one iteration.
    """

    integers: Integers
    number: Value

    def load(self, position: int) -> Value:
        """Print a load of the entry at a position of the table of sizes; return its value."""
        ...

    def store(self, position: int, value: Value) -> None:
        """Print a store of a value as the entry at a position of the table of sizes."""
        ...

    def finish(self, negative: Value, overflow: Value) -> None:
        """Print the end of the function, which returns a status.

        overflow: the condition for status 1.  negative: the condition for status 2, if ``overflow``
        does not hold.  Otherwise, the status is 0.
        """
        ...


@dataclass(frozen=True)
class Check:
    """The description of an index check, as far as it is known at compile time.

    place: the node of the model whose indices are checked, for the error.
    shape: the sizes of the tensor of indices; dynamic sizes are negative.
    elements: the product of ``shape``.
    bounds: the number of valid indices for each column of this tensor, as far as they are static;
    one number if all columns have the same.
    columns: the number of bounds, static or not.
    wraps: whether negative indices count from the end.
    """

    place: str
    shape: tuple[int, ...]
    elements: int
    bounds: tuple[int, ...]
    columns: int
    wraps: bool


class MemoryForms(Protocol):
    """The printer's methods for addresses, loads and stores."""

    def argument(self, position: int) -> Value:
        """Return the address of argument ``position`` of main."""
        ...

    def weight(self, offset: int, name: str) -> Value:
        """Return the address of a weight.

        offset: the position of the weight in bytes.  name: its name in the model, or "".
        """
        ...

    def buffer(self, stage: int, offset: int | Value, name: str) -> Value:
        """Return the address of a buffer in the arena.

        stage: the stage of main whose arena block contains the buffer.  offset: the bytes from the
        start of this block.  name: the buffer's name in the model, or "".
        """
        ...

    def within(self, address: Value, offset: int | Value) -> Value:
        """Return the address that is ``offset`` bytes after another address."""
        ...

    def is_same(self, x: Value, y: Value) -> Value:
        """Return the condition that two addresses are equal."""
        ...

    def zero_if(self, condition: Value, x: Value) -> Value:
        """Return a number that is 0 if a condition holds, else ``x``."""
        ...

    def copy(self, target: Value, source: Value, size: Value) -> None:
        """Print a copy of ``size`` bytes between buffers that do not overlap."""
        ...

    def load_number(self, address: Value) -> Value:
        """Print a load of a number of 64 bits; return the printed number."""
        ...

    def load_element(self, address: Value, position: int) -> Value:
        """Print a load from an array of numbers of 64 bits; return the printed number.

        address: the address of the array.  position: the position of the element.
        """
        ...

    def store_number(self, address: Value, value: Value) -> None:
        """Print a store of a number of 64 bits."""
        ...

    def load_condition(self, address: Value) -> Value:
        """Print a load of a condition, one byte in memory; return the printed condition."""
        ...

    def size(self, position: int) -> Value:
        """Return the printed value of the entry at a position of the table of sizes."""
        ...

    def sizes(self, position: int) -> Value:
        """Return the address of the entry at a position of the table of sizes.

        The code that gets the address may read the entries that follow, too.
        """
        ...


class CallForms(Protocol):
    """The printer's methods for calls.  If a call fails, main returns its status at once.

    A parameter ``function`` is the symbol of a kernel, or `CONCAT`, the function that copies the
    operands of a concat.  It is called once per task, with the array of arguments.
    threads: the printed number of threads that the caller of main chose.
    """

    threads: Value
    """The number of threads that the caller of main chose."""

    def store_arguments(self, addresses: Sequence[Value], first: int) -> None:
        """Print stores of addresses into the array of arguments.

        first: the position of the first address in the array.
        """
        ...

    def one_thread_if_zero(self, size: Value) -> Value:
        """Return the number of threads for a call: 1 if a size is 0, else ``threads``."""
        ...

    def run_task(self, function: str) -> None:
        """Print a call of the only task of a function, in this thread."""
        ...

    def run_tasks(self, function: str, count: int) -> None:
        """Print calls of ``count`` tasks of a function, in this thread."""
        ...

    def launch(self, function: str, count: Value, threads: Value, *, is_sized: bool) -> None:
        """Print a launch of the tasks of a function in several threads.

        count: the number of tasks.  threads: the number of threads.  is_sized: whether the number
        of tasks is known only at run time, so that it may be 0 or 1.
        """
        ...

    def arguments_from(self, first: int) -> Value:
        """Return the address of the array of arguments from element ``first`` on."""
        ...

    def section(self, position: int, function: str, arguments: Value, count: Value) -> None:
        """Print the store of one row of the table of calls, which `launch_sections` launches.

        position: the position of the row.  arguments: the address of the call's arguments.  count:
        the number of its tasks.
        """
        ...

    def launch_sections(self, count: Value, *, is_sized: bool) -> None:
        """Print a launch of all calls in the table of calls, in several threads.

        count: the number of tasks of all calls.  is_sized: whether the number is known only at run
        time.
        """
        ...

    def concat_table(self, fields: Sequence[int]) -> Value:
        """Return the address of a constant table that describes a concat.

        fields: the numbers of the table, as `table_of` returns them.
        """
        ...

    def bind(self, stage: int, value: Value) -> None:
        """Print the beginning of a stage of main, in which a symbol becomes known.

        The sizes of the stage are computed, and main gets the arena block for the buffers of the
        stage.
        stage: the number of the stage.  value: the value of the symbol.
        """
        ...

    def iterate(self, loop: int, number: Value) -> None:
        """Print the computation of the sizes that depend on the iteration number of a loop.

        loop: the number of the loop in main.  number: the printed iteration number.
        """
        ...

    def check_table(self, check: Check) -> tuple[Value, Value]:
        """Define the constants that describe an index check; return the addresses of two of them.

        The first is the description, the second is the array of static bounds.
        """
        ...

    def sized_check(self, table: Value, shape: Value, elements: Value) -> Value:
        """Print a copy of the description of an index check, with its dynamic sizes filled in.

        table: the address of the description.  shape: the address of the sizes of the tensor of
        indices.
        elements: the product of these sizes.
        Returns the address of the copy.
        """
        ...

    def check_indices(self, element: str, address: Value, table: Value, bounds: Value) -> None:
        """Print an index check: main ends with an error if an index in a buffer is out of range.

        element: the type of an index, ``i32`` or ``i64``.  address: the address of the buffer.
        table: the address of the description of the check.  bounds: the address of the number of
        valid indices of each column.
        """
        ...

    def constant_sizes(self, sizes: Sequence[int]) -> Value:
        """Define a constant array with these sizes; return its address."""
        ...

    def store_tensor(
        self, position: int, address: Value, dtype: int, rank: int, shape: Value
    ) -> None:
        """Print the store of one row of the table of DLPack tensors.

        position: the position of the row.  address: the address of the elements.  dtype: the code,
        bits and lanes of the DLPack type in one integer.  shape: the address of the sizes.
        """
        ...

    def tensor_argument(self, position: int, tensor: int) -> None:
        """Print the store of a tensor as an argument of a function of the process.

        position: the position of the argument.  tensor: the row of the table of DLPack tensors.
        """
        ...

    def number_argument(self, position: int, kind: TypeIndex, value: Value) -> None:
        """Print the store of an integer, bool or float as an argument of a function of the process.

        position: the position of the argument.  kind: the type of the number.  value: its 64 bits.
        """
        ...

    def text_argument(self, position: int, text: str) -> None:
        """Print the store of a string as an argument of a function of the process.

        position: the position of the argument.
        """
        ...

    def call_extern(self, slot: int, name: str, count: int) -> None:
        """Print a call of a function of the process with the stored arguments.

        The result is dropped.
        slot: the position of the function in the table of functions.  name: its name.  count: the
        number of arguments.
        """
        ...

    def trace_step(self, number: int, tasks: Value, flops: Value, moved: Value) -> None:
        """Print the record of a step of a profiled main, at the end of the step.

        number: the number of the step.  tasks: the number of its tasks.  flops: the number of its
        scalar operations.  moved: the bytes that it moves.
        """
        ...


class ControlForms(Protocol):
    """The printer's methods for control flow, which carries addresses between blocks.

    The lowering calls them in this order.  A branch: begin_branch, begin_then, the ops of the first
    block, begin_else, the ops of the second block, end_branch.  A loop: begin_loop, enter_loop, the
    ops of the body, next_iteration, the condition of the next iteration, end_loop.
    """

    def begin_branch(self) -> None:
        """Begin a branch; the lowering then prints the condition."""
        ...

    def begin_then(self, condition: Value) -> None:
        """Begin the first block of the branch, which runs if ``condition`` holds."""
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
        """Begin a loop; the lowering then prints the trip count and the first condition."""
        ...

    def enter_loop(
        self, inits: Sequence[Value], trip: Value | None, condition: Value
    ) -> tuple[Value, Sequence[Value]]:
        """Begin the body of the loop, which runs while iterations are left and the condition holds.

        inits: the first values of the addresses that the loop carries.  trip: the number of
        iterations; None for no limit.  condition: the condition of the first iteration.
        Returns the iteration number and the carried addresses, for use in the body.
        """
        ...

    def next_iteration(self) -> None:
        """End the ops of the body; the lowering then prints the condition of the next iteration."""
        ...

    def end_loop(self, condition: Value, carried: Sequence[Value]) -> None:
        """End the loop.

        condition: the condition of the next iteration.  carried: the carried addresses of the next
        iteration.
        """
        ...

    def finish(self) -> None:
        """Print the return of status 0 from main."""
        ...


class MainPrinter(MemoryForms, CallForms, ControlForms, Protocol):
    """A printer of one module that defines main, the host function of a program.

    The lowering calls the printer's methods in the order in which main executes the steps, then
    `module`.  A method that returns nothing appends statements.
    integers: prints arithmetic in main.
    """

    integers: Integers

    def begin_main(self, main: FuncOp, *, is_traced: bool) -> None:
        """Begin the definition of main.

        is_traced: whether main records the time of each step.
        """
        ...

    def begin_op(self, op: Operation) -> None:
        """Begin the statements that belong to an op of main, for comments and line tables."""
        ...

    def end_op(self, op: Operation) -> bool:
        """End the statements that belong to an op of main; return whether there are any."""
        ...

    def take_sizes(self, entries: Sequence[str]) -> None:
        """Declare the table of sizes as the last argument of main.

        entries: a description of each entry, for comments.
        """
        ...

    def make_sizes(self, entries: Sequence[str], numbers: Sequence[tuple[int, int]]) -> None:
        """Let main allocate the table of sizes.

        entries: a description of each entry, for comments.  numbers: the position and the value of
        each entry that is constant.
        """
        ...

    def iteration(self, loop: int) -> SizeFunction:
        """Begin the function that computes the sizes of each iteration of a loop; return it.

        loop: the number of the loop in main.
        """
        ...

    def derivation(self, stage: int) -> SizeFunction:
        """Begin the function that computes the sizes of one stage of main; return it.

        A stage begins where a size becomes known.
        stage: the number of the stage.
        """
        ...

    def module(self, version: int | None) -> str:
        """Return the text of the whole module.

        version: the number of this main among several versions of main, with which the names of its
        functions end; None for a single main.
        """
        ...
