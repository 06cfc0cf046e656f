"""Calling modules: outputs, arguments that do not fit, threads, errors from compiled code."""

from __future__ import annotations

import ctypes
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tilewright.codegen.entry import Entry, ModelArgument
from tilewright.runtime.abi.constants import (
    ABI_VERSION,
    DTYPES,
    PackedCFunction,
    RaiseCFunction,
    TypeIndex,
    Value,
)
from tilewright.runtime.abi.dltensor import tensor_of
from tilewright.runtime.abi.library import Library, LoadError
from tilewright.runtime.abi.ndarray import NDArray, address_reader, numpy_dtype
from tilewright.runtime.abi.registry import (
    get_global_func,
    register_func,
    remove_global_func,
)
from tilewright.runtime.abi.threads import process_pool
from tilewright.runtime.call.output_buffers import OutputMemory
from tilewright.runtime.errors import ArgumentError, KernelError
from tilewright.runtime.file.manifest import Manifest, TensorSpec
from tilewright.runtime.module.module import Module
from tilewright.testing.worker import WorkerProcess

from .models import (
    ADD_SIZE,
    add_code,
    copy_code,
    failing_code,
    pool_code,
    shared_object,
    staged_code,
)

SHAPE = (2, ADD_SIZE // 2)
WEIGHTS = np.linspace(0, 1, ADD_SIZE, dtype=np.float32)


@pytest.fixture
def add() -> Module:
    return Module.load_bytes(add_code(), WEIGHTS, pool=process_pool(pool_code), threads=2)


def arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.arange(ADD_SIZE, dtype=np.float32).reshape(SHAPE)
    y = np.full(SHAPE, 3, np.float32)
    return x, y, x + y + WEIGHTS.reshape(SHAPE)


def test_outputs_are_allocated_aligned_and_owned(add):
    x, y, expected = arrays()
    out = add(x, y)
    assert isinstance(out, NDArray)
    np.testing.assert_array_equal(out.numpy(), expected)
    assert out.numpy().ctypes.data % 64 == 0
    assert out.numpy() is out.numpy()
    other = add(y, y)
    np.testing.assert_array_equal(out, expected)
    del add
    np.testing.assert_array_equal(other, 6 + WEIGHTS.reshape(SHAPE))


def test_memory_of_a_large_output_serves_again_when_nobody_holds_it() -> None:
    memory = OutputMemory(1, address_reader())

    def empty(rows: int) -> tuple[np.ndarray, int]:
        return memory.empty(0, (rows, 256), np.dtype(np.float32))

    first, address = empty(300)
    assert address % 64 == 0
    first[:] = 1
    view = first[5:].T
    second, other = empty(310)
    second[:] = 2
    assert abs(other - address) >= first.nbytes
    del first
    third, another = empty(300)
    assert another not in (address, other)
    assert (view == 1).all()
    del second, third
    assert empty(290)[1] in (other, another)
    assert empty(800)[1] not in (other, another)


def test_given_outputs_are_filled_and_none_is_returned(add):
    x, y, expected = arrays()
    out = np.zeros(SHAPE, np.float32)
    assert add(x, y, out) is None
    np.testing.assert_array_equal(out, expected)
    target = NDArray(np.zeros(SHAPE, np.float32))
    assert add["main"](x, y, target) is None
    assert add["default"](x, y, target) is None
    np.testing.assert_array_equal(target.numpy(), expected)


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 100])
def test_run_takes_names_or_a_sequence_and_a_thread_count(add, threads):
    x, y, expected = arrays()
    for inputs in ({"y": y, "x": x}, [x, y]):
        (out,) = add.run(inputs, threads=threads)
        np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(add(x, y=y), expected)


def test_a_module_without_a_pool_runs_serially():
    x, y, expected = arrays()
    np.testing.assert_array_equal(Module.load_bytes(add_code(), WEIGHTS)(x, y), expected)


def test_misaligned_weights_are_copied():
    x, y, expected = arrays()
    raw = bytearray(WEIGHTS.nbytes + 65)
    memory = np.frombuffer(raw, np.uint8)
    start = -memory.ctypes.data % 64 + 1
    memory[start : start + WEIGHTS.nbytes] = WEIGHTS.view(np.uint8)
    module = Module.load_bytes(add_code(), memoryview(raw)[start:])
    np.testing.assert_array_equal(module(x, y), expected)


def test_the_signature_is_known(add):
    assert add.inputs == (TensorSpec("x", SHAPE, "float32"), TensorSpec("y", SHAPE, "float32"))
    assert add.outputs == (TensorSpec("out", SHAPE, "float32"),)
    assert "add(x: float32[2, 128]" in repr(add)
    with pytest.raises(KeyError, match="nothing"):
        add["nothing"]


def test_sources_come_from_the_hook(add):
    with pytest.raises(LookupError, match="without its sources"):
        add.get_source()
    module = Module.load_bytes(add_code(), WEIGHTS, sources=lambda kind: f"text of {kind}")
    assert module.get_source("asm") == "text of asm"


def misaligned(array: np.ndarray) -> np.ndarray:
    copy = np.frombuffer(bytearray(array.nbytes + 1), np.uint8)[1:].view(array.dtype)
    copy = copy.reshape(array.shape)
    copy[...] = array
    assert not copy.flags.aligned
    return copy


def read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.setflags(write=False)
    return copy


class Foreign:
    """An array of another library: only DLPack, older than version 1.0."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize(
    "convert",
    [
        lambda a: np.asfortranarray(a),
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],
        lambda a: a[::-1].copy()[::-1],
        lambda a: a.astype(">f4"),
        lambda a: np.ma.masked_array(a),
        lambda a: a.tolist(),
        misaligned,
        read_only,
        NDArray,
        Foreign,
        lambda a: NDArray.from_dlpack(Foreign(a)),
    ],
    ids=["fortran", "gaps", "reversed", "big-endian", "subclass", "list", "misaligned",
         "read-only", "ndarray", "foreign", "from-dlpack"],
)  # fmt: skip
def test_inputs_of_any_layout_give_the_same_result(add, convert):
    x, y, expected = arrays()
    np.testing.assert_array_equal(add(convert(x), y), expected)


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        (lambda a: a.astype(np.float64), ["wrong dtype", "got: float64[2, 128]", "astype"]),
        (lambda a: a[:, 1:], ["wrong shape", "got: float32[2, 127]"]),
        (lambda a: a.reshape(-1), ["wrong shape", "got: float32[256]"]),
        (lambda a: "text", ["not an array", "got: str"]),
        (lambda a: None, ["not an array"]),
    ],
)
def test_an_input_that_does_not_fit_is_refused_by_name(add, bad, parts):
    x, y, _ = arrays()
    with pytest.raises(ArgumentError) as caught:
        add(x, bad(y))
    text = str(caught.value)
    for part in ("add: argument 1 (y)", *parts):
        assert part in text
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        (lambda a: a.astype(np.float64), "wrong dtype"),
        (lambda a: a.astype(">f4"), "wrong dtype"),
        (lambda a: a[:1], "wrong shape"),
        (read_only, "read-only"),
        (misaligned, "row by row"),
        (np.asfortranarray, "row by row"),
    ],
)
def test_an_output_is_never_copied(add, bad, part):
    x, y, _ = arrays()
    with pytest.raises(ArgumentError, match=part) as caught:
        add(x, y, bad(x))
    assert "argument 2 (out)" in str(caught.value)


_READ_ONLY = {
    "view": read_only,
    "bytes": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "ndarray": lambda a: NDArray(read_only(a)),
    "from-dlpack": lambda a: NDArray.from_dlpack(read_only(a)),
    "broadcast": lambda a: np.broadcast_to(a[:1, :1].copy(), a.shape),
}


@pytest.mark.parametrize("kind", _READ_ONLY)
def test_no_spelling_of_a_call_writes_to_read_only_memory(add, kind):
    x, y, _ = arrays()
    out = _READ_ONLY[kind](np.zeros(SHAPE, np.float32))
    register_func("test.add", add["add"])
    try:
        spellings = (
            add, add["add"], add["main"], add["default"], add.get_function("add"), add.fill,
            get_global_func("test.add"), add.time_evaluator("add", number=1),
        )  # fmt: skip
    finally:
        remove_global_func("test.add")
    for call in (*spellings, *spellings):  # also later calls
        given = ([x, y, out],) if call == add.fill else (x, y, out)
        with pytest.raises(ArgumentError, match=r"add: argument 2 \(out\) is read-only"):
            call(*given)
    assert not np.asarray(out).any()


def test_a_mapped_file_is_not_written(add, tmp_path):
    x, y, _ = arrays()
    (tmp_path / "zeros").write_bytes(bytes(4 * ADD_SIZE))
    out = np.memmap(tmp_path / "zeros", np.float32, "r", shape=SHAPE)
    for call in (add, add["add"], add["main"]):
        with pytest.raises(ArgumentError, match="is read-only"):
            call(x, y, out)


def test_an_output_may_not_share_memory_with_an_argument(add):
    x, y, _ = arrays()
    with pytest.raises(ArgumentError, match=r"argument 2 \(out\) shares memory") as caught:
        add(x, y, y)
    assert "overlap with argument 1" in str(caught.value)
    memory = np.zeros(ADD_SIZE + 1, np.float32)
    with pytest.raises(ArgumentError, match="overlap with argument 0"):
        add(memory[:-1].reshape(SHAPE), y, memory[1:].reshape(SHAPE))
    memory = np.zeros(2 * ADD_SIZE, np.float32)
    add(memory[:ADD_SIZE].reshape(SHAPE), y, memory[ADD_SIZE:].reshape(SHAPE))
    assert memory[ADD_SIZE] == 3


def test_counts_and_names_are_checked(add):
    x, y, _ = arrays()
    for call in (lambda: add(x), lambda: add(x, y, x, x), lambda: add.run([x])):
        with pytest.raises(ArgumentError, match="wrong number of arguments"):
            call()
    with pytest.raises(ArgumentError, match="missing"):
        add(x=x)
    with pytest.raises(ArgumentError, match="z is not an input"):
        add(x, y, z=x)
    with pytest.raises(ArgumentError, match="y is given twice"):
        add(x, y, y=y)


def raw_call(module: Module, values: list[Value]) -> str:
    """Call the compiled entry without any Python checks; return the text of its error."""
    packed = module["main"]
    block = (Value * max(1, len(values)))(*values)
    result = Value()
    status = packed._function(None, ctypes.addressof(block), len(values), ctypes.addressof(result))
    text = module._library.text("__tw_last_error")
    assert (status, bool(text)) in ((0, bool(text)), (-1, True))
    return text if status else ""


def tensors(count: int = 3) -> tuple[list[Value], list, list]:
    alive: list = []
    values, found = [], []
    for _ in range(count):
        array = np.zeros(SHAPE, np.float32)
        tensor, sizes = tensor_of(array, "test")
        value = Value()
        value.type_index = TypeIndex.TENSOR_PTR
        value.payload.pointer = ctypes.addressof(tensor)
        alive += [array, sizes]
        values.append(value)
        found.append(tensor)
    return values, found, alive


def spoil_dtype(t):
    t.dtype.bits = 64


def spoil_lanes(t):
    t.dtype.lanes = 2


def spoil_device(t):
    t.device.kind = 2


def spoil_rank(t):
    t.ndim = 1


def spoil_shape(t):
    ctypes.c_int64.from_address(t.shape + 8).value = 5


def spoil_strides(t):
    ctypes.c_int64.from_address(t.strides).value = 129


def spoil_alignment(t):
    t.byte_offset = 2


def spoil_data(t):
    t.data = None


@pytest.mark.parametrize(
    ("spoil", "parts"),
    [
        (spoil_dtype, ["wrong dtype", "type code 2, 64 bits, 1 lanes"]),
        (spoil_lanes, ["wrong dtype", "2 lanes"]),
        (spoil_device, ["CPU memory", "device type 2"]),
        (spoil_rank, ["number of dimensions", "got: 1 dim"]),
        (spoil_shape, ["wrong shape", "size 5 in dimension 1"]),
        (spoil_strides, ["row by row", "stride 129 in dimension 0 instead of 128"]),
        (spoil_alignment, ["aligned", "multiple of 4"]),
        (spoil_data, ["null or not aligned"]),
    ],
)
@pytest.mark.parametrize("index", [0, 1, 2])
def test_the_compiled_entry_checks_every_argument(add, spoil, parts, index):
    values, found, _alive = tensors()
    spoil(found[index])
    text = raw_call(add, values)
    name = ("x", "y", "out")[index]
    for part in (f"add: argument {index} ({name})", "expected: float32[2, 128]", *parts):
        assert part in text
    assert "signature: add(x: float32[2, 128]" in text


def test_the_compiled_entry_checks_count_and_kind(add):
    values, _, _alive = tensors()
    assert raw_call(add, values) == ""
    assert "expected: 3 (2 inputs, 1 outputs)\n    got: 2" in raw_call(add, values[:2])
    values[1].type_index = TypeIndex.INT
    assert "argument 1 (y) is not a tensor" in raw_call(add, values)


def test_the_compiled_entry_takes_tensor_objects_null_strides_and_offsets(add):
    x, y, expected = arrays()
    out = np.zeros(SHAPE, np.float32)
    values, alive = [], []
    for array in (x, y, out):
        tensor, sizes = tensor_of(array, "test")
        tensor.strides = None
        tensor.data -= 64
        tensor.byte_offset = 64
        block = (ctypes.c_char * (24 + ctypes.sizeof(tensor)))()
        ctypes.memmove(ctypes.addressof(block) + 24, ctypes.addressof(tensor), 48)
        value = Value()
        value.type_index, value.payload.pointer = TypeIndex.TENSOR, ctypes.addressof(block)
        values.append(value)
        alive.append((block, tensor, sizes))
    assert raw_call(add, values) == ""
    np.testing.assert_array_equal(out, expected)


def test_strides_of_dimensions_of_size_one_do_not_matter():
    module = Module.load_bytes(copy_code("float32", (1, 4, 1)))
    array = np.arange(4, dtype=np.float32).reshape(1, 4, 1)
    odd = np.lib.stride_tricks.as_strided(array, (1, 4, 1), (400, 4, 80))
    np.testing.assert_array_equal(module(odd), array)
    out = np.zeros((1, 4, 1), np.float32)
    module["main"](odd, out)
    np.testing.assert_array_equal(out, array)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (5,)])
def test_scalars_and_empty_tensors_pass(shape):
    module = Module.load_bytes(copy_code("int64", shape))
    array = np.arange(np.prod(shape, dtype=int), dtype=np.int64).reshape(shape)
    np.testing.assert_array_equal(module(array), array)
    empty = np.zeros(shape, np.int64)
    if array.size == 0:
        module(array, array)
    else:
        module(array, empty)
        np.testing.assert_array_equal(empty, array)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_passes(dtype):
    module = Module.load_bytes(copy_code(dtype, (3,)))
    array = np.array([0, 1, 1]).astype(numpy_dtype(dtype))
    out = module(array)
    assert out.dtype == array.dtype
    assert out.numpy().tobytes() == array.tobytes()
    assert module(out).numpy().tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", [name for name, (_, bits) in DTYPES.items() if bits >= 8])
def test_dtypes_of_whole_bytes_pass_by_dlpack(dtype):
    module = Module.load_bytes(copy_code(dtype, (3,)))
    array = np.array([0, 1, 1]).astype(numpy_dtype(dtype))
    out = module(array)
    again = module(Foreign(out) if dtype == "float32" else NDArray.from_dlpack(out))
    assert again.numpy().tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", [name for name, (_, bits) in DTYPES.items() if bits < 8])
def test_dtypes_below_a_byte_have_no_dlpack_form(dtype):
    """Arrays hold one element per byte, but DLPack packs elements."""
    out = Module.load_bytes(copy_code(dtype, (3,)))(np.zeros(3).astype(numpy_dtype(dtype)))
    with pytest.raises(BufferError, match=r"hint: pass array.view\(numpy.uint8\)"):
        NDArray.from_dlpack(out)


def test_python_numbers_are_converted_within_their_kind():
    module = Module.load_bytes(copy_code("float32", (2,)))
    np.testing.assert_array_equal(module([1, 2]), [1, 2])
    integers = Module.load_bytes(copy_code("int32", (2,)))
    with pytest.raises(ArgumentError, match="wrong dtype"):
        integers([1.5, 2.5])
    assert Module.load_bytes(copy_code("bfloat16", (1,)))([2]).dtype == ml_dtypes.bfloat16
    assert Module.load_bytes(copy_code("uint8", (2,)))([0, 255]).numpy().tolist() == [0, 255]


@pytest.mark.parametrize(
    ("dtype", "value", "parts"),
    [
        ("int8", [300, -1], ["outside its data type", "got: numbers from -1 to 300"]),
        ("uint8", [3, -1], ["outside its data type", "got: numbers from -1 to 3"]),
        ("float32", [[1, 2], [3]], ["unequal lengths"]),
        ("float32", ["a", "b"], ["wrong dtype", "numpy.asarray"]),
    ],
)
def test_python_values_that_do_not_fit_are_refused(dtype, value, parts):
    module = Module.load_bytes(copy_code(dtype, (2,)))
    with pytest.raises(ArgumentError) as caught:
        module(value)
    for part in ("argument 0 (x)", *parts):
        assert part in str(caught.value)


@pytest.mark.parametrize("inputs", [None, 5, "x", np.zeros((2, 2), np.float32)], ids=repr)
def test_run_takes_a_mapping_or_a_list(add, inputs):
    with pytest.raises(ArgumentError, match="neither named nor in a sequence"):
        add.run(inputs)


def test_a_kernel_that_fails_raises():
    module = Module.load_bytes(failing_code(7))
    for call in (module, module["main"]):
        with pytest.raises(KernelError, match="failing: a kernel failed\n    got: status 7"):
            call()
    assert Module.load_bytes(failing_code(0))() == ()


def test_exhausted_memory_raises():
    module = Module.load_bytes(failing_code(0, arena_bytes=1 << 60))
    with pytest.raises(MemoryError, match="intermediate results"):
        module()


def test_a_module_is_called_from_several_threads(add):
    x, y, expected = arrays()
    wrong = []

    def work(k: int) -> None:
        for i in range(200):
            out = np.empty(SHAPE, np.float32)
            add(x, y + (k + i), out)
            wrong.extend(
                [] if np.array_equal(out, x + (y + (k + i)) + WEIGHTS.reshape(SHAPE)) else [k]
            )
            try:
                add["main"](x, y, x[:1] if k % 2 else x.astype(np.float64))
            except ArgumentError as err:
                wrong.extend([] if ("shape" if k % 2 else "dtype") in str(err) else [str(err)])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert wrong == []
    np.testing.assert_array_equal(add(x, y), expected)


@pytest.mark.parametrize("count", [4, 12])
def test_concurrent_calls_have_an_arena_each(count):
    module = Module.load_bytes(staged_code())
    wrong = []

    def work(k: int) -> None:
        for i in range(20):
            x = np.full(100, 1000 * k + i, np.int32)
            wrong.extend([] if np.array_equal(module(x), x) else [(k, i)])

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(work, range(count)))
    assert wrong == []


def test_errors_reach_a_host_that_fills_the_other_slot():
    library = Library(add_code())
    seen = []
    report = RaiseCFunction(lambda kind, message: seen.append((kind, message)))
    address = ctypes.cast(report, ctypes.c_void_p).value
    main = PackedCFunction(library.address("__tvm_ffi_main"))
    assert main(None, None, 0, None) == -1
    assert library.text("__tw_last_error").startswith("add: wrong number of arguments")
    library.store_pointer("__TVMFFIErrorSetRaisedFromCStr", address)
    assert main(None, None, 0, None) == -1
    assert seen[0][0] == b"TypeError"
    assert seen[0][1].startswith(b"add: wrong number of arguments\n    expected: 3")
    assert PackedCFunction(library.address("__tw_main_threads"))(None, None, 0, None) == -1
    assert b"not a thread count" in seen[1][1]


def test_the_runtime_imports_none_of_the_compiler():
    with WorkerProcess() as worker:
        names = worker.call(f"{__file__.removesuffix('test_module.py')}imports.py:imported")
    ours = {name for name in names if name.startswith("tilewright.")}
    assert all(name.startswith(("tilewright.runtime", "tilewright.testing")) for name in ours)
    assert not {"llvmlite", "xdsl", "onnx"} & set(names)


def test_loading_checks_weights_code_and_version():
    with pytest.raises(LoadError, match="expected: at least 1024 bytes\n    got: 8 bytes"):
        Module.load_bytes(add_code(), bytes(8))
    with pytest.raises(LoadError, match="cannot load"):
        Module.load_bytes(b"not an object")
    with pytest.raises(LoadError, match="does not export __tw_manifest"):
        Module.load_bytes(pool_code())
    with pytest.raises(LoadError, match="ABI 99"):
        Manifest.parse('{"abi": 99}')
    with pytest.raises(LoadError, match="malformed"):
        Manifest.parse(f'{{"abi": {ABI_VERSION}}}')


def test_many_modules_can_be_loaded_and_dropped():
    x, y, _ = arrays()
    for i in range(50):
        scaled = WEIGHTS * i
        module = Module.load_bytes(add_code(), scaled)
        np.testing.assert_array_equal(module(x, y), x + y + scaled.reshape(SHAPE))


def test_a_library_loads_without_memfd(monkeypatch):
    monkeypatch.delattr("os.memfd_create")
    library = Library(add_code())
    assert "add" in library.text("__tw_manifest")


def test_the_path_of_a_library_never_becomes_that_of_another_file():
    """Native tracebacks open it: another file there, such as an empty one, would crash them."""
    library, loader = Library(add_code()), ctypes.CDLL(None)
    facts = (ctypes.c_void_p * 4)()
    assert loader.dladdr(ctypes.c_void_p(library.address("__tvm_ffi_main")), facts)
    path = Path(os.fsdecode(ctypes.string_at(facts[0])))
    with ExitStack() as files:
        opened = [files.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        assert int(path.name) in [file.fileno() for file in opened]
        while path.parents[1].exists():  # the thread ends shortly after Python has joined it
            os.sched_yield()
        assert not path.exists()


def test_unusual_names_survive():
    name = 'in"put\\1 %s ü'
    entry = Entry((ModelArgument(name, "int8", (1,)),), (), name='m"%d')
    run = "define hidden i32 @tw_run(ptr %a, ptr %b, i32 %c) { ret i32 0 }"
    module = Module.load_bytes(shared_object(run, entry))
    assert module.inputs[0].name == name
    assert module.run({name: np.zeros(1, np.int8)}) == ()
    text = raw_call(module, [Value()])
    assert f'm"%d: argument 0 ({name}) is not a tensor' in text
