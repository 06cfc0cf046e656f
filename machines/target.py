"""Target: the machine for which code is generated, the platform of its programs, and their host.

    Target("znver3")                                       a processor, by LLVM's name
    Target("native")                                       this machine: Target.native()
    Target("raspberrypi4"), Target("aarch64")              a board or an instruction set
    Target("llvm -mcpu=znver3 -mattr=-avx2 -l2-kib=256")   in full; "llvm" alone is this machine
    Target("llvm -mtriple=aarch64-linux-gnu")              another platform, any processor of it
    Target("llvm -mcpu=x86-64,x86-64-v3,x86-64-v4")        code for several processors of x86-64
    Target({"kind": "cuda", "arch": "sm_90a"})             a dict, or the same as JSON
    Target("cuda", host="aarch64")                         a GPU of another machine
    Target("interpreter")                                  the reference backend
    str(target)                                            print in full, parses back equal

The other modules of this folder hold the tables: cpu.py and gpu.py the machines with their numbers,
platforms.py the systems, names.py the short names.  Plans and lowerings read the properties of a
Target, never its name.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache

from ..runtime.spelling import SuggestsNames, suggests_arguments
from ..support.diagnostics import TargetError
from .cpu import (
    INSTRUCTION_SETS,
    MACHINES,
    PROCESSORS,
    InstructionSet,
    features_known,
    processor_of,
)
from .cpuid import unknown_features
from .gpu import GPU_KINDS, KIB, GpuKind
from .measured_numbers import Numbers, numbers_text, parse_numbers, row_with
from .names import PROCESSOR_NAMES
from .platforms import Platform, default_platform, platform_of
from .target_text import (
    GENERIC,
    KINDS,
    NATIVE,
    TargetText,
    expanded,
    options_of,
    target_names,
    unknown,
    unknown_processor,
    words_of,
)
from .this_machine import LLVM_NAMES, host_caches_kib, host_flags, host_model, is_supported_host

_KIND_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "interpreter": (),
    "c": ("mcpu", "max-ram"),
    "hls": ("max-ram",),
    **{
        kind: (*((row.option, "mattr") if row.option else ()), "max-threads", "shared-kib")
        for kind, row in GPU_KINDS.items()
    },
}
"""The options of each kind that is not a CPU; gpu_limits.py reads the limits of GPUs."""
_C_FEATURES = ("dsp", "mve")
"""The features of processors for whose instructions C source calls functions."""
_OPTIONS = (
    "mtriple", "mcpu", "mattr", "mabi", "vector-bits", "l1-kib", "l2-kib", "l3-kib", "opt-level",
    "codegen", "sums", "numbers",
)  # fmt: skip
"""The options of CPUs."""
_HOST = "host"
"""The option that names the host; its value is a target in quotes."""
FIXED_BITS = 512
"""The width of the vectors of plans if sums are fixed."""
OPT_LEVEL = 2
"""The level of LLVM's code generator for a target that names none."""
_SCALAR_REGISTERS = 16
_LEAST_VECTORS = 4
"""The vectors that the smallest register tile needs: two sums, an operand and a broadcast."""
_MOST_STEPS = 4
"""With this many steps of a sum per iteration, the loop counter takes no measurable time."""
_SCALAR_BITS = 64
"""The width that stands for vectors on a processor without them: LLVM makes two scalars of each."""


@suggests_arguments
@dataclass(frozen=True)
class Target(SuggestsNames):
    """A machine to compile for, and the platform of its programs.

    kind: the kind of backend.  cpu: the name of the processor; empty for a kind that is not a CPU.
    features: sorted names of the features that code may use.  platform: the system and the
    conventions of its code; None for a kind that is not a CPU.  opt_level: the level of LLVM's code
    generator.  scalable_bits: the least length of vectors whose length the processor chooses; 0 if
    it has none.  fixed_sums: whether each floating-point sum has the same order on every processor:
    schedules then assume vectors of 512 bits, and do not divide sums by the sizes of caches.
    options: the names and values of the options, for kinds that are not CPUs.  host: the CPU target
    whose program runs the main function and launches the kernels of a GPU; None for this machine.
    alternatives: further processors for which a program also has code.  The program runs the code
    of the last of these processors whose features its machine has; otherwise the code of ``cpu``.
    panel_bits: the width of the widest vectors of these processors; 0 in a target of one processor.
    vectors_per_port: how many vectors execute at once on the units of one port of the processor's
    row: more than 1 for narrow vectors on a processor that divides the widest vectors between its
    units.  fma_ports and load_ports are multiples of it; see `for_vectors`.
    numbers: measured numbers that replace those of the processor's row (measured_numbers.py).

    Units: caches in bytes; fma_latency in cycles; ports: operations per cycle.
    Errors: TargetError, which names the unknown option, processor or feature, and similar names.

    >>> target = tilewright.Target("llvm -mcpu=znver3 -mattr=-fma")
    >>> target.cpu, "fma" in target.features
    ('znver3', False)
    """

    text: TargetText = field(default="x86-64", compare=False, repr=False)
    host: Target | TargetText | None = None
    kind: str = field(init=False, default="llvm")
    cpu: str = field(init=False, default="")
    features: tuple[str, ...] = field(init=False, default=())
    platform: Platform | None = field(init=False, default=None)
    opt_level: int = field(init=False, default=OPT_LEVEL)
    scalable_bits: int = field(init=False, default=0)
    fixed_sums: bool = field(init=False, default=False)
    options: tuple[tuple[str, str], ...] = field(init=False, default=())
    alternatives: tuple[Target, ...] = field(init=False, default=())
    panel_bits: int = field(init=False, default=0)
    l1_bytes: int = field(init=False, default=32 * KIB)
    l2_bytes: int = field(init=False, default=512 * KIB)
    l3_bytes: int = field(init=False, default=32 << 20)
    fma_latency: int = field(init=False, default=4)
    fma_ports: int = field(init=False, default=2)
    load_ports: int = field(init=False, default=2)
    broadcast_ports: int = field(init=False, default=2)
    vectors_per_port: int = field(init=False, default=1)
    numbers: Numbers = field(init=False, default=())

    def __post_init__(self) -> None:
        kind, *words = expanded(words_of(self.text))
        known = _KIND_OPTIONS.get(kind, _OPTIONS)
        given = options_of(words, (*known, _HOST) if known else ())
        host = _host_target(self.host, given.pop(_HOST, None))
        if kind in _KIND_OPTIONS:
            _check_architecture(kind, given)
            if kind == "c" and "mcpu" in given:
                given["mcpu"] = _processor(given["mcpu"], None)
            self._fill({"kind": kind, "options": _ordered(given, known)})
        else:
            first, *others = given.pop("mcpu", "").split(",")
            self._fill(_numbers({**given, **({"mcpu": first} if first else {})}))
            self._fill(_ports(self, self.register_bits))
            if others:
                made = _alternatives(self, first, others, given)
                self._fill({"alternatives": made})
                widest = max(each.vector_bits for each in (self, *made))
                for each in (self, *made):
                    each._fill({"panel_bits": widest})
        self._fill({"host": self._checked_host(host)})

    def _checked_host(self, host: Target | None) -> Target | None:
        """Check the host of a target; return the host that the target stores.

        None for a CPU target, which is its own host, and for a GPU whose host is this machine.

        Errors: TargetError if the host is no CPU, or if a target that is not a GPU names a host
        other than itself.
        """
        if host is None:
            return None
        if host.platform is None:
            raise TargetError(
                "the host of a target is a CPU",
                expected='a target such as "llvm" or "aarch64"',
                got=str(host),
            )
        if self.kind in GPU_KINDS:
            is_native = is_supported_host() and host == Target.native()
            return None if is_native else host
        if self.platform != host.platform:
            raise TargetError(
                f"a target of the kind {self.kind} has no other host",
                expected=f"the host {self.triple}" if self.platform else "no host",
                got=str(host),
                hint="main runs where the kernels run",
            )
        return None

    @staticmethod
    def of_kind(kind: str, text: str, options: tuple[str, ...] = ()) -> Target:
        """Return a target of a kind that a backend in another package defines.

        options: the names of the options that ``text`` may set, as ``-name=value``.
        Errors: TargetError for another kind or option.
        """
        word, *rest = words_of(text)
        if word != kind:
            raise unknown("target kind", word, (kind,))
        made, given = Target("interpreter"), options_of(rest, options)
        made._fill({"text": text, "kind": kind, "options": _ordered(given, options)})
        return made

    def _fill(self, values: Mapping[str, object]) -> None:
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def option(self, name: str, default: str = "") -> str:
        """Return the value of an option, or ``default`` if the target does not set it.

        name: the name of the option, such as ``arch``.  Targets of CPUs have no options of this
        kind: their fields have the values.
        """
        return dict(self.options).get(name, default)

    def export(self) -> Mapping[str, str]:
        """Return the kind and the options as a dict, from which `Target` makes an equal target."""
        return {"kind": self.kind, **dict(self._shown_options())}

    def __str__(self) -> str:
        """Return the target string in full; parsing it returns an equal target."""
        shown = (f"-{key}={value}" for key, value in self._shown_options())
        return " ".join((self.kind, *(_quoted(word) for word in shown)))

    def _shown_options(self) -> tuple[tuple[str, str], ...]:
        """Return the options that the printed form of the target contains, as (name, value).

        For a CPU, only options with another value than the default are printed, so the printed form
        describes an equal target. A target with several processors takes the cache sizes from the
        table of processors.
        """
        if self.platform is None:
            hosts = () if self.host is None else ((_HOST, str(self.host)),)
            return (*self.options, *hosts)
        base = _features_of(self.cpu)
        changes = [f"+{f}" for f in self.features if f not in base]
        changes += [f"-{f}" for f in sorted(base) if f not in self.features]
        is_usual = self.platform == default_platform(self.architecture)
        sizes = {key: getattr(self, f"{key}_bytes") // KIB for key in ("l1", "l2", "l3")}
        caches = {f"{key}-kib": str(size) for key, size in sizes.items()}
        shown: Mapping[str, str] = {
            "mtriple": "" if is_usual else self.triple,
            "mcpu": ",".join((self.cpu, *(each.cpu for each in self.alternatives))),
            "mattr": ",".join(changes),
            "vector-bits": self._shown_bits(),
            **({} if self.alternatives else caches),
            "opt-level": "" if self.opt_level == OPT_LEVEL else str(self.opt_level),
            "sums": "fixed" if self.fixed_sums else "",
            "numbers": numbers_text(self.numbers),
        }
        return tuple((key, value) for key, value in shown.items() if value)

    def _shown_bits(self) -> str:
        is_usual = self.scalable_bits in (0, PROCESSORS[self.cpu].vector_bits)
        return "" if is_usual else str(self.scalable_bits)

    @staticmethod
    @cache
    def native() -> Target:
        """Return the target of this machine: its processor, further features, and cache sizes."""
        flags = host_flags()
        cpu = processor_of(*host_model(), flags)
        known = set(features_known(PROCESSORS[cpu].architecture))
        extra = sorted((flags & known) - _features_of(cpu))
        caches = " ".join(f"-{k}-kib={n}" for k, n in host_caches_kib().items())
        attributes = f" -mattr={','.join('+' + f for f in extra)}" if extra else ""
        return Target(f"llvm -mcpu={cpu}{attributes} {caches}")

    def has(self, feature: str) -> bool:
        """Return whether code for this target may use a feature."""
        if feature in self.features:
            return True
        if self.kind == "c":
            row = PROCESSORS.get(self.option("mcpu", ""))
            return row is not None and feature in _C_FEATURES and feature in row.all_features
        row = GPU_KINDS.get(self.kind)
        if row is None or not row.gpus:
            return row is not None and feature in row.features
        changes = self.option("mattr", "")
        return feature in _gpu_features(self.kind, self.gpu_architecture, changes)

    @property
    def architecture(self) -> str:
        """The instruction set, named as in an LLVM triple."""
        return PROCESSORS[self.cpu].architecture if self.cpu else ""

    @property
    def gpu_architecture(self) -> str:
        """The architecture of a GPU, such as ``sm_90a``; empty for a kind without architectures."""
        row = GPU_KINDS.get(self.kind)
        return "" if row is None else self.option(row.option, next(iter(row.gpus), ""))

    @property
    def triple(self) -> str:
        """The LLVM target triple; empty for a kind that is not a CPU."""
        return "" if self.platform is None else self.platform.triple

    @property
    def pointer_bytes(self) -> int:
        """The size in bytes of an address in the memory of the machine that runs the kernels."""
        return 8 if self.platform is None else self.platform.pointer_bytes

    @property
    def main_target(self) -> Target:
        """The CPU target whose program runs the main function, which calls the kernels."""
        if self.platform is not None:
            return self
        return self.host if isinstance(self.host, Target) else Target("llvm")

    @property
    def main_platform(self) -> Platform:
        """The platform of the program that runs the main function."""
        found = self.main_target.platform
        assert found is not None, "the main function runs on a CPU"
        return found

    @property
    def llvm_cpu(self) -> str:
        """The name of the processor in LLVM."""
        return PROCESSORS[self.cpu].llvm or self.cpu

    @property
    def _instruction_set(self) -> InstructionSet | None:
        return INSTRUCTION_SETS.get(self.architecture)

    @property
    def needed_features(self) -> tuple[str, ...]:
        """The features that code needs to run, including those that LLVM derives from ``cpu``."""
        implied = PROCESSORS[self.cpu].implied if self.cpu else ()
        return tuple(sorted({*self.features, *implied}))

    @property
    def needed_flags(self) -> tuple[str, ...]:
        """``needed_features`` by their Linux names; empty for instruction sets other than x86-64.

        The loader compares these names with /proc/cpuinfo.
        """
        if self.architecture != "x86_64":
            return ()
        linux_names = {ours: linux for linux, ours in LLVM_NAMES.items()}
        return tuple(linux_names.get(feature, feature) for feature in self.needed_features)

    @property
    def attribute_string(self) -> str:
        """LLVM's feature string; it enables or disables every known feature."""
        known = features_known(self.architecture)
        length = (f"+zvl{self.scalable_bits}b",) if self.has("v") else ()
        own = (f"{'+' if f in self.features else '-'}{f}" for f in known)
        return ",".join((*own, *length))

    @property
    def has_vectors(self) -> bool:
        """Whether the processor has vector registers."""
        row = self._instruction_set
        return row is None or not row.vectors or self.has(row.vectors)

    @property
    def vector_bits(self) -> int:
        """The width in bits of the vectors for which plans choose loops and tiles.

        It is the width of a vector register, or 512 if sums are fixed (see `Target`).
        """
        return FIXED_BITS if self.fixed_sums else self.register_bits

    @property
    def register_bits(self) -> int:
        """The width of a vector register in bits."""
        if self.has("avx512f"):
            return 512
        if self.has("avx2"):
            return 256
        if self.scalable_bits:
            return self.scalable_bits
        return 128 if self.has_vectors else _SCALAR_BITS

    @property
    def vector_registers(self) -> int:
        """The number of vectors of ``vector_bits`` that fit in the registers, for plans.

        A vector may take several registers.  The result is at least the number of vectors that any
        plan needs; on a processor with fewer registers, the compiled code may spill vectors to the
        stack.
        """
        return max(_LEAST_VECTORS, self.registers // self.registers_per_vector)

    @property
    def registers_per_vector(self) -> int:
        """The registers that one vector of ``vector_bits`` takes; 1 unless sums are fixed."""
        return max(1, self.vector_bits // self.register_bits)

    @property
    def registers(self) -> int:
        """The number of vector registers."""
        row = self._instruction_set
        if self.has("avx512f"):
            return 32
        if row is None or not self.has_vectors:
            return _SCALAR_REGISTERS
        return row.vector_registers

    @property
    def unrolled_steps(self) -> int:
        """The most steps of a sum that one iteration of a loop may contain.

        LLVM and V8 load the scalar factors of all steps of an iteration first.  The sums of a
        register tile fill the vector registers, so the factors of a second step would be stored on
        the stack, except where they have registers of their own.  Such registers hold one factor
        per row and step; a tile has the most rows if each row has two vectors of sums.
        """
        row = INSTRUCTION_SETS[self.architecture]
        if row.memory_scalars:
            return _MOST_STEPS
        most_rows = self.vector_registers // 2 - 1
        apart = row.scalar_registers if self.has_vectors else 0
        return min(max(1, apart // most_rows), _MOST_STEPS)

    @property
    def has_fma(self) -> bool:
        """Whether a fused multiply-add is one instruction."""
        row = self._instruction_set
        return any(map(self.has, ("fma", "neon", "v"))) or (row is not None and row.has_fma)

    @property
    def pair_bytes(self) -> int:
        """The bytes after an address in which one instruction can load two vectors; 0 if none can.

        Such instructions do not load vectors whose length the processor chooses.
        """
        row = self._instruction_set
        return 0 if row is None or self.scalable_bits else row.pair_bytes

    @property
    def has_rounding(self) -> bool:
        """Whether rounding a float to an integral value is one instruction."""
        row = self._instruction_set
        return row is not None and self.has(row.rounding)

    @property
    def has_half_conversion(self) -> bool:
        """Whether a conversion between f16 and f32 is one instruction."""
        row = self._instruction_set
        return row is not None and self.has(row.half_conversion)

    @property
    def multiplies_bf16(self) -> bool:
        """Whether a dot product of bf16 values is one instruction."""
        return self.has("avx512bf16") or (self.has("neon") and self.has("bf16"))

    def for_vectors(self, bits: int) -> Target:
        """Return the target with the ports for vectors of a width in bits.

        It differs from this target only for vectors that are narrower than a register, on a
        processor that divides the widest vectors between several execution units.

        >>> target = tilewright.Target("znver4")
        >>> target.fma_ports, target.for_vectors(256).fma_ports
        (1, 2)
        """
        ports = _ports(self, bits)
        if ports["vectors_per_port"] == self.vectors_per_port:
            return self
        narrow = copy(self)
        narrow._fill(ports)
        return narrow

    def lanes(self, element_bits: int) -> int:
        """Return the number of elements of this width in a vector; see `vector_bits`."""
        return self.vector_bits // element_bits


def chosen_target(target: Target | TargetText | None) -> Target:
    """Return a target, or the target that a text names; for None, the target of this machine.

    Errors: TargetError.
    """
    if target is None:
        return Target.native()
    return target if isinstance(target, Target) else Target(target)


def is_known_kind(word: str) -> bool:
    """Return whether a word can begin the string of a target of this package.

    Such a word is a processor (``znver3``), an instruction set, the name of a machine, a GPU,
    ``native``, or a kind of target (``llvm``). Kinds of targets that other packages add by backends
    of their own are not known here.
    """
    return word in target_names()


@cache
def with_fixed_sums(target: Target) -> Target:
    """Return a CPU target with ``fixed_sums``: sums have the same order on every processor."""
    return target if target.fixed_sums else Target(f"{target} -sums=fixed")


def cpu_names() -> tuple[str, ...]:
    """Return the names of processors that a target may have."""
    return tuple(PROCESSORS)


def missing_features(target: Target) -> tuple[str, ...]:
    """Return the features of a target that this machine lacks.

    Before: the target and this machine have the same architecture.
    """
    flags = host_flags()
    return tuple(feature for feature in target.needed_features if feature not in flags)


def running_target(target: Target) -> Target:
    """Return the target whose code of a program runs on this machine.

    target: a target for which the program has code.  The program also has code for the target's
    alternatives; the last of them whose features this machine has runs.  Before: the target and
    this machine have the same architecture.
    """
    fitting = [each for each in target.alternatives if not missing_features(each)]
    return (target, *fitting)[-1]


def _quoted(word: str) -> str:
    return shlex.quote(word) if " " in word else word


def _host_target(given: Target | TargetText | None, option: str | None) -> Target | None:
    """Return the host that a GPU target names; None without the argument and the option.

    given: the argument ``host`` of `Target`.  option: the value of the option.

    Errors: TargetError if both name a host.
    """
    if given is not None and option is not None:
        raise TargetError("the host of the target occurs twice", got=f"{given} and {option}")
    named = option if given is None else given
    return named if named is None or isinstance(named, Target) else Target(named)


def _ordered(options: Mapping[str, str], known: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((key, options[key]) for key in known if key in options)


def _check_architecture(kind: str, options: Mapping[str, str]) -> None:
    """Check that the architecture of a GPU target is known, and has the features of -mattr.

    Errors: TargetError for an unknown architecture, or for a feature that it cannot have.
    """
    row = GPU_KINDS.get(kind)
    if row is None or not row.gpus:
        return
    name = options.get(row.option, next(iter(row.gpus)))
    if name in row.gpus:
        _gpu_features(kind, name, options.get("mattr", ""))
        return
    raise TargetError(
        "the target has an unknown architecture",
        expected=", ".join(row.gpus),
        got=name,
        hint=_architecture_hint(kind, name),
    )


def _architecture_hint(kind: str, name: str) -> str:
    """Return the hint of the error for an unknown GPU architecture: an architecture to use instead.

    The hint names the newest known architecture whose code runs on the GPU. For a kind whose code
    runs only on the architecture that it was compiled for, the hint names the closest one; for a
    name without a number, the default one.
    """
    row = GPU_KINDS[kind]
    number = _number_in(name, row)
    numbers = {each: _number_in(each, row) or 0 for each in row.gpus}
    if number is None:
        return f"use -{row.option}={next(iter(row.gpus))}"
    if not row.is_compatible:
        near = min(numbers, key=lambda each: abs(numbers[each] - number))
        return f"use -{row.option}={near} for such a GPU; code runs on its own architecture only"
    older = [each for each in row.gpus if numbers[each] <= number and each[-1].isdigit()]
    if not older:
        first = min(numbers, key=lambda each: numbers[each])
        return f"use opencl for GPUs older than {first}, or -{row.option}={first}"
    newest = max(older, key=lambda each: numbers[each])
    return f"use -{row.option}={newest}, whose code runs on newer GPUs too"


def _number_in(name: str, row: GpuKind) -> int | None:
    """Return the number in the name of a GPU architecture, to find the closest known one.

    row: the kind of GPU, with the pattern of its names; the number is hexadecimal in AMD's names
    (``gfx90a``).  None for a name that does not match the pattern.
    """
    found = re.fullmatch(row.pattern, name)
    return None if found is None else int(found[1], 16)


def _numbers(options: Mapping[str, str]) -> Mapping[str, object]:
    """Return the values of the fields of a CPU `Target` by field name, from options.

    options: the options of the target string, without the leading dash.  Without the options
    ``mtriple`` and ``mcpu``, the target is this machine, or x86-64 if this machine is not supported
    as a target.
    """
    asked = platform_of(options["mtriple"]) if "mtriple" in options else None
    cpu = _processor(options.get("mcpu", ""), asked)
    if cpu == NATIVE:
        host = Target.native()
        values = {name: getattr(host, name) for name in ("cpu", "features", *_SIZES)}
        cpu, base = host.cpu, set(host.features)
    else:
        row, base = PROCESSORS[cpu], _features_of(cpu)
        values = {f"{k}_bytes": getattr(row, f"{k}_kib") * KIB for k in ("l1", "l2", "l3")}
    numbers = parse_numbers(options["numbers"], cpu) if "numbers" in options else ()
    row = row_with(PROCESSORS[cpu], numbers)
    platform = asked or default_platform(row.architecture)
    _check_platform(platform, cpu, options)
    values |= {"fma_latency": row.fma_latency, "numbers": numbers}
    features = _apply_attributes(row.architecture, base, options.get("mattr", ""))
    values |= {"kind": "llvm", "cpu": cpu, "features": tuple(sorted(features))}
    values |= {"platform": platform, "opt_level": int(options.get("opt-level", OPT_LEVEL))}
    values |= {"fixed_sums": "sums" in options}
    values |= {"scalable_bits": _scalable_bits(cpu, features, options.get("vector-bits"))}
    given = {k: v for k, v in options.items() if k.endswith("-kib")}
    return values | {f"{k.removesuffix('-kib')}_bytes": int(v) * KIB for k, v in given.items()}


def _ports(target: Target, bits: int) -> Mapping[str, int]:
    """Return the ports of operations on vectors of a width, by the fields of `Target`."""
    row = row_with(PROCESSORS[target.cpu], target.numbers)
    number = row.vectors_per_port(bits)
    return {
        "vectors_per_port": number,
        "fma_ports": row.fma_ports * number,
        "load_ports": row.load_ports * number,
        "broadcast_ports": row.broadcast_ports or row.load_ports * number,
    }


def _scalable_bits(cpu: str, features: set[str], given: str | None) -> int:
    """Return the least length of scalable vectors, whose length the processor chooses; else 0.

    cpu: the processor.  features: the features of the target.  given: the value of the option
    -vector-bits, if the target sets it.

    Errors: TargetError for the option of a processor without such vectors.
    """
    feature = INSTRUCTION_SETS[PROCESSORS[cpu].architecture].scalable
    if feature and feature in features:
        return int(given or PROCESSORS[cpu].vector_bits)
    if given is None:
        return 0
    raise TargetError(
        "the vectors of the processor have one length",
        expected="no option -vector-bits",
        got=f"-vector-bits={given}",
        hint=f"-mattr=+{feature}" if feature else "",
    )


_SIZES = ("l1_bytes", "l2_bytes", "l3_bytes")


def _processor(name: str, platform: Platform | None) -> str:
    """Return the processor that the option ``-mcpu`` names: a key of PROCESSORS, or "native".

    name: the value of the option, or empty. Without a name, the result is the generic processor of
    ``platform``; without a platform, it is this machine.
    Errors: TargetError for an unknown processor.
    """
    if not name and platform is None:
        return NATIVE if is_supported_host() else "x86-64"
    if name in ("", GENERIC):
        return INSTRUCTION_SETS[platform.architecture if platform else "x86_64"].generic
    known = PROCESSOR_NAMES.get(name, name)
    if known != NATIVE and known not in PROCESSORS:
        raise unknown_processor(name)
    return known


def _alternatives(
    base: Target, first: str, names: list[str], options: Mapping[str, str]
) -> tuple[Target, ...]:
    """Return one target for each processor that ``-mcpu`` lists after the first.

    base, first: the target and the name of the first processor. names: the names of the others.
    options: all other options, which the targets share.
    Errors: TargetError for a processor that lacks a feature of the first one, that occurs twice in
    the list, or that CPUID alone does not identify; and for options that describe a single
    processor.
    """
    own = [f"-{k}" for k in options if k in ("mattr", "numbers") or k.endswith("-kib")]
    if base.architecture != "x86_64" or own or NATIVE in (first, *names):
        raise TargetError(
            "several processors of a target are rows of the table for x86-64",
            expected="-mcpu=x86-64,x86-64-v3,x86-64-v4, without the options -mattr and -l1-kib",
            got=" ".join((f"-mcpu={','.join((first, *names))}", *own)),
        )
    texts = [f"-{key}={value}" for key, value in options.items()]
    made = tuple(Target(shlex.join(("llvm", f"-mcpu={name}", *texts))) for name in names)
    known = [base.cpu]
    for target in made:
        missing = sorted(set(base.needed_features) - set(target.needed_features))
        reasons = {
            f"lacks {', '.join(missing)} of {base.cpu}": bool(missing),
            "occurs twice": target.cpu in known,
            "has features that need a permission of the system": bool(
                unknown_features(target.needed_features)
            ),
        }
        for reason, is_true in reasons.items():
            if is_true:
                raise TargetError(
                    "the processors of the target do not fit into one program",
                    expected="different processors with all features of the first one",
                    got=f"{target.cpu}, which {reason}",
                    hint="name the processor with the fewest features first",
                )
        known.append(target.cpu)
    return made


def _check_platform(platform: Platform, cpu: str, options: Mapping[str, str]) -> None:
    own = PROCESSORS[cpu].architecture
    if platform.architecture != own:
        generic = INSTRUCTION_SETS[platform.architecture].generic
        raise TargetError(
            "the processor of the target has another instruction set than its triple",
            expected=f"a processor of {platform.architecture}, such as {generic}",
            got=f"{cpu}, of {own}",
            hint=f"-mtriple={default_platform(own).triple}",
        )
    abis = INSTRUCTION_SETS[own].abis
    if options.get("mabi", platform.abi) not in abis:
        raise TargetError(
            f"code for {own} has another calling convention",
            expected=f"-mabi={' or '.join(abis)}",
            got=f"-mabi={options['mabi']}",
        )


def _features_of(cpu: str) -> set[str]:
    return set(PROCESSORS[cpu].all_features)


def _apply_attributes(architecture: str, base: set[str], text: str) -> set[str]:
    known = features_known(architecture)
    return _changed(base, text, known, f"CPU feature of {architecture}")


@cache
def _gpu_features(kind: str, architecture: str, text: str) -> set[str]:
    known = GPU_KINDS[kind].gpus[architecture].features
    return _changed(set(known), text, known, f"feature of {architecture}")


def _changed(base: set[str], text: str, known: Sequence[str], what: str) -> set[str]:
    """Return a set of features after changes such as ``+dotprod,-fma``.

    base: the features before the changes.  text: the changes.  known: all possible features.  what:
    the kind of feature, for error messages.
    """
    features = set(base)
    for item in filter(None, text.split(",")):
        sign, name = item[0], item[1:]
        if sign not in "+-" or name not in known:
            raise unknown(what, item, tuple(f"+{f}" for f in known))
        (features.add if sign == "+" else features.discard)(name)
    return features


__all__ = [
    "KIB",
    "KINDS",
    "LLVM_NAMES",
    "MACHINES",
    "NATIVE",
    "OPT_LEVEL",
    "Target",
    "TargetText",
    "chosen_target",
    "cpu_names",
    "with_fixed_sums",
    "is_known_kind",
    "missing_features",
    "running_target",
    "unknown",
]
