"""The numbers of processor cores on which plans rely: one row per processor, with its source.

    numbers_of(Target("znver4")).streams == 16

machines/cpu.py has features, cache sizes, ports and latencies.  Processors without a row here have
the generic one.  measured_numbers.py has the numbers that a target may replace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from .cpu import PROCESSORS
from .measured_numbers import MEASURED, Numbers, row_with
from .target import KIB, Target


@dataclass(frozen=True)
class CpuNumbers:
    """Measured and estimated numbers of a processor core.  Rates are per cycle.

    source: where numbers other than the generic ones come from.
    cores: the numbers of cores between which tasks should divide evenly; the first one counts most.
    streams: the streams of addresses that the hardware prefetcher follows.
    prefetch_steps: how many steps of a sum before their use the weights of a product are
    prefetched.
    l1_set_bytes, l2_set_bytes: rows at multiples of this distance share few sets of the cache.
    code_bytes: the size of the instruction cache.
    instruction_bytes: the length of an instruction of an epilogue.
    stream_ahead_bytes: how far ahead of its loads a stream of weights of few bits is prefetched
    into L2.
    store_cycles: cycles to store a vector to L1 and to load it again.
    copy_cycles: cycles to copy an element from a vector of channels to a row, or to copy a block of
    elements.
    start_cycles: cycles by which the start of a register tile or of a row of vectors delays the
    next one.
    chain_issues: instructions of dependence chains that overlap, such as those of an epilogue.
    cold_rate: bytes of weights read from memory without prefetches.
    memory_rate: bytes of weights read from memory with prefetches.
    transform_cycles: cycles to transform a vector of channels of one Winograd tile of 36 elements,
    and to store it in L2.
    score_cycles: cycles to store a score of an attention and its exponential, and to read and round
    them.
    task_cycles: the fewest cycles of a parallel task, about ten times as many as its start takes.

    The other numbers are for cost models only.
    clock_hz: the clock frequency with the widest vectors.
    issues: issued instructions.
    stores: stored vectors.
    l2_rate, l3_rate: bytes read from L2, and from L3.
    l3_cores: the cores that share L3.
    start_of_tile, start_of_task, start_of_region: cycles to start a register tile, a parallel task,
    and the threads of a parallel loop.
    loads_take_power: whether loads lower the clock, by `load_costs`.
    loads_in_flight: the entries of the load queue.
    memory_latency: cycles until memory delivers a cache line.
    """

    source: str = ""
    cores: tuple[int, ...] = (2, 4, 8, 16)
    streams: int = 16
    prefetch_steps: int = 96
    l1_set_bytes: int = 2 * KIB
    l2_set_bytes: int = 64 * KIB
    code_bytes: int = 32 * KIB
    instruction_bytes: int = 8
    stream_ahead_bytes: int = 8 * KIB
    store_cycles: float = 2.0
    copy_cycles: float = 1.0
    start_cycles: float = 0.25
    chain_issues: float = 2.0
    cold_rate: float = 3.0
    memory_rate: float = 8.0
    transform_cycles: float = 150.0
    score_cycles: float = 1.5
    task_cycles: int = 8192
    clock_hz: float = 3e9
    issues: float = 4.0
    stores: float = 1.0
    l2_rate: float = 32.0
    l3_rate: float = 16.0
    l3_cores: int = 8
    start_of_tile: float = 24.0
    start_of_task: float = 60.0
    start_of_region: float = 1300.0
    loads_take_power: bool = True
    loads_in_flight: int = 72
    memory_latency: float = 465.0


GENERIC = CpuNumbers(
    "Measured on Ice Lake and Zen 4.  cold_rate: 512 to 512 channels, 14x14, 8 GB/s.  memory_rate: "
    "16 x 256 x 256 to 512 weights for 1 to 16 tiles, 24 GB/s.  score_cycles: 12 heads of 128 "
    "queries and keys 1.3, 512 1.1, 8 heads of 64 queries and keys 1.5.  stream_ahead_bytes: 1 x "
    "2048 by 98304 columns of 4 bits.  l2_rate, l3_rate: SDM Skylake server.  start_of_region: "
    "0.35 us.  loads_in_flight: SDM Skylake client.  memory_latency: 155 ns, on "
    "Zen 4 only.  start_of_tile, start_of_task, l3_cores: estimates."
)
NUMBERS: Mapping[str, CpuNumbers] = {
    "znver4": replace(
        GENERIC,
        source="Measured on EPYC, family 25 model 17, 2 cores: chains of adds, loops of loads and "
        "stores in assembly; copy_cycles: transpositions of 35 x 186 to 1000 x 96 elements, 0.3 to "
        "0.5; memory_latency: 155 ns, chains of loads from random lines of 256 MiB in pages of 2 "
        "MiB, while other processes used memory; from 64 MiB 100 to 145 ns; issues, "
        "loads_in_flight: SOG AMD family 19h",
        copy_cycles=0.4,
        clock_hz=3.69e9,
        issues=6.0,
        stores=0.48,
        l2_rate=31.0,
        l3_rate=24.0,
        loads_take_power=False,
        loads_in_flight=88,
        memory_latency=570.0,
    ),
    **dict.fromkeys(
        ("cortex-m4", "cortex-m7", "cortex-m55"),
        replace(
            GENERIC, source="Microcontrollers of one core; else generic", cores=(1,), l3_cores=1
        ),
    ),
}
"""The rows of processors whose numbers differ from the generic ones."""


def numbers_of(target: Target) -> CpuNumbers:
    """Return the measured and estimated numbers of a target's processor, such as its clock.

    A processor without numbers of its own gets those of a generic processor.  The measured numbers
    of the target replace those of the row.
    """
    row = NUMBERS.get(target.cpu, GENERIC)
    return _measured(row, target.numbers) if target.numbers else row


@cache
def _measured(row: CpuNumbers, numbers: Numbers) -> CpuNumbers:
    own = {name: number for name, number in numbers if not MEASURED[name].is_port}
    return replace(row, **own)


def measurable_numbers(target: Target) -> Mapping[str, float]:
    """Return the numbers of a target's processor that can be measured, in the order of a table."""
    row = row_with(PROCESSORS[target.cpu], target.numbers)
    own = {"broadcast_ports": row.broadcast_ports or row.load_ports}
    own["unit_bits"] = row.unit_bits or target.register_bits
    numbers = numbers_of(target)
    return {
        name: own.get(name) or getattr(row if each.is_port else numbers, name)
        for name, each in MEASURED.items()
    }


def task_points(target: Target) -> int:
    """Return the fewest results that a parallel task should compute in a kernel without products.

    A result takes about a cycle, so this is the fewest cycles of a task.
    """
    return numbers_of(target).task_cycles


ROWS_AT_ONCE = 3
"""Independent instructions of several rows that run in a cycle: with one row per lane, ArgMax takes
less time for rows of up to 30 elements with AVX2, and of more than 200 with AVX-512 (Zen 4)."""

MIN_ROWS_OF_SORT = 4
"""Vectors of fewer rows are not worth sorting: SSE2 compares 64-bit integers in several steps."""


def rows_of_sort(target: Target) -> int:
    """Return how many rows a sort should order at once, in vectors of one 64-bit key per row."""
    rows = target.lanes(64)
    return rows if rows >= MIN_ROWS_OF_SORT else 1


@dataclass(frozen=True)
class LoadCosts:
    """The additional cycles of loads in one step of a sum, beyond the cycles at the load ports.

    vector: the additional cycles per load of a vector, which depend on the cache that holds the
    vectors.
    scalar: the additional cycles per element that is broadcast.
    """

    vector: float
    scalar: float = 0.0

    def of(self, rows: int, vectors: int) -> float:
        """Return the cycles of all loads in one step of a register tile of rows x vectors."""
        return rows * self.scalar + vectors * self.vector


NEAR_LOADS, FAR_LOADS = LoadCosts(0.04), LoadCosts(0.08)
"""The costs of loads from L1, and from L2."""
WIDE_BITS, WIDE_NEAR_LOADS, WIDE_FAR_LOADS = 512, LoadCosts(0.2, 0.1), LoadCosts(0.3, 0.1)
"""The same for vectors of 512 bits or more.  The load ports suffice for any tile, but the clock
falls with the power that loads take (Ice Lake): at 24 multiply-adds per step 3.39 GHz without
loads, 3.09 with 8 broadcasts and 3 vector loads, 2.91 with 12 and 2.  Tiles of 8 x 48 are 1-3 %
faster than 13 x 32 in networks."""


def load_costs(target: Target, *, near: bool) -> LoadCosts:
    """Return the costs of loads on a processor.

    near: whether vectors are loaded from L1; otherwise from L2.
    """
    if target.vector_bits < WIDE_BITS:
        return NEAR_LOADS if near else FAR_LOADS
    return WIDE_NEAR_LOADS if near else WIDE_FAR_LOADS


@dataclass(frozen=True)
class TileUnit:
    """The numbers of instructions on tiles, and of vector instructions on the same processors.

    latency: cycles from one tile product to the next one that adds to the same tile.
    loaded_rows: rows of tiles that are loaded per cycle.
    store: cycles to store a tile.
    row: cycles per row of a tile of sums after its store, to load the row again, and for the loop.
    configuration: cycles of ldtilecfg and tilerelease, once per parallel task.
    vector: cycles of a product of two vectors, by the CPU feature of the tile instruction for the
    same type.
    vector_block: cycles of a register tile of vectors in addition to its products: first loads, and
    stores.
    block_vectors: the sums of such a register tile.
    copy: cycles to copy a vector, or a part of it, to a buffer of rows.
    """

    latency: float
    loaded_rows: float
    store: float
    row: float
    configuration: float
    vector: Mapping[str, float]
    vector_block: float
    copy: float
    block_vectors: int = 24


AMX = TileUnit(52.0, 2.0, 16.0, 2.0, 217.0, {"amx-int8": 0.5, "amx-bf16": 1.0}, 8.0, 1.5)
"""Source: Intel Optimization Reference Manual, chapter 20 (latency and throughput of AMX on
Sapphire Rapids).  The same servers multiply two vectors of bytes per cycle, or one of bf16.  None
of the numbers is measured."""


@dataclass(frozen=True)
class Conversion:
    """How many times a product must read each element of an operand before a converted copy pays.

    item_bytes: the bytes of an element of the copy. All other fields are the least number of reads
    for one case: computed: an operand that another kernel computes.
    weights: weights, which are converted at compile time.
    far_weights: weights whose copies exceed L2, because a kernel then loads more bytes from memory.
    broadcasts: an operand whose elements are broadcast to all lanes, so that its conversion is not
    vectorized; None: as for other operands.
    """

    item_bytes: int
    computed: int
    weights: int = 0
    far_weights: int = 0
    broadcasts: int | None = None


TO_I16 = Conversion(2, computed=8, far_weights=4)
TO_F32 = Conversion(4, computed=8, weights=8, far_weights=64, broadcasts=2)
"""The copy is written and read once: 10 bytes and 4 operations; a conversion per read takes 2 to 4.
Broadcasts: 1028 x 513 x 2: 900 -> 250 us."""
TO_BF16 = Conversion(2, computed=16)
"""A copy takes about a cycle per element; a step of a sum takes 1/16 cycle per column less."""
