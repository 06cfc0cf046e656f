"""NDArray: a view on numpy's memory, and DLPack in both directions."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from tilewright import nd
from tilewright.runtime.abi.constants import DTYPES, alignment_bytes
from tilewright.runtime.abi.ndarray import (
    CPU,
    NDArray,
    address_reader,
    from_dlpack,
    numpy_dtype,
)
from tilewright.runtime.errors import ArgumentError


def test_an_ndarray_is_a_view_and_behaves_like_its_array():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    wrapped = NDArray(array)
    assert wrapped.numpy() is array
    assert (wrapped.shape, wrapped.dtype, wrapped.device) == ((2, 3), np.float32, CPU)
    assert str(wrapped.device) == "cpu:0"
    assert np.asarray(wrapped) is array
    assert np.array(wrapped) is not array
    assert np.asarray(wrapped, np.int64).dtype == np.int64
    assert (len(wrapped), wrapped[1, 2]) == (2, 5)
    assert [row.tolist() for row in wrapped] == array.tolist()
    assert repr(wrapped).startswith("NDArray(float32[2, 3], cpu:0,")


@pytest.mark.parametrize("dtype", [name for name, (_, bits) in DTYPES.items() if bits < 8])
def test_dlpack_has_no_form_for_elements_below_a_byte_that_take_one(dtype):
    with pytest.raises(BufferError, match="more densely"):
        NDArray(np.zeros(4, numpy_dtype(dtype))).__dlpack__()


@pytest.mark.parametrize("dtype", [name for name, (_, bits) in DTYPES.items() if bits >= 8])
def test_dlpack_goes_there_and_back_without_a_copy(dtype):
    array = np.array([0, 1, 1, 0]).astype(numpy_dtype(dtype))
    there = NDArray(array)
    assert there.__dlpack_device__() == (1, 0)
    back = from_dlpack(there)
    assert back.dtype == array.dtype
    assert back.ctypes.data == array.ctypes.data
    assert NDArray.from_dlpack(there).numpy().tobytes() == array.tobytes()


def test_numpy_reads_dlpack_of_its_own_types():
    array = np.arange(4)
    assert np.from_dlpack(NDArray(array)).ctypes.data == array.ctypes.data


def test_addresses_are_those_numpy_gives():
    read = address_reader()
    array = np.zeros((4, 5), np.int8)
    for view in (array, array[1:], array[:, ::-1], array.T, np.zeros(0)):
        assert read(view) == view.__array_interface__["data"][0]


def test_dtypes_are_known_by_name():
    assert numpy_dtype("bfloat16") == ml_dtypes.bfloat16
    assert numpy_dtype("bool") == np.bool_
    with pytest.raises(TypeError, match="unknown dtype float33"):
        numpy_dtype("float33")
    # Types of less than a byte occupy one byte.
    assert all(numpy_dtype(name).itemsize * 8 == max(bits, 8) for name, (_, bits) in DTYPES.items())
    assert all(numpy_dtype(name).alignment == alignment_bytes(name) for name in DTYPES)


def test_arithmetic_and_comparison_are_numpys():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    wrapped = NDArray(array)
    assert (wrapped.ndim, wrapped.size) == (2, 6)
    for result in (wrapped + 1, 1 + wrapped, np.add(wrapped, wrapped) / 2 + 1):
        assert type(result) is np.ndarray
    np.testing.assert_array_equal(wrapped - NDArray(array), np.zeros((2, 3)))
    assert (wrapped == NDArray(array.copy())).all()
    out = NDArray(np.empty_like(array))
    np.negative(wrapped, out=out)
    assert out[1, 2] == -5
    scalar = NDArray(np.array(2.5, np.float32))
    assert (float(scalar), int(scalar), bool(scalar)) == (2.5, 2, True)


def test_an_ndarray_is_made_on_an_array_only():
    with pytest.raises(ArgumentError, match="got: list"):
        NDArray([1, 2])


NOT_TAKEN = (
    None, [None] * 9, "text", b"bytes", ["text"], object(), {1: 2}, np.array(["a"], object),
    np.zeros(2, "M8[s]"), np.zeros(2, "m8[s]"), np.zeros(2, [("a", "f4")]), [2**70],
)  # fmt: skip


@pytest.mark.parametrize("source", NOT_TAKEN, ids=lambda source: type(source).__name__)
def test_elements_that_no_function_takes_are_refused(source: object) -> None:
    for make in (
        nd.array,
        lambda given: nd.array(given, CPU, "float32"),
        lambda given: NDArray(np.asarray(given)),
        lambda given: nd.empty((2,), np.asarray(given).dtype),
        lambda given: nd.empty(np.shape(given)).copyfrom(given),
    ):
        with pytest.raises(TypeError, match=r"dtype (object|str|bytes|void|datetime|timedelta)"):
            make(source)


@pytest.mark.parametrize("shape", [-1, (-1,), (2, -3), 2.5, (2.5,), "ab", None, (None,)], ids=repr)
def test_shapes_have_sizes_of_zero_or_more(shape: object) -> None:
    for make in (nd.empty, nd.zeros):
        with pytest.raises(ArgumentError, match="a shape has a"):
            make(shape)  # pyright: ignore[reportArgumentType]


def test_shapes_are_numbers_or_sequences_of_any_integers() -> None:
    for shape in (3, np.int64(3), [3], (np.int32(3),)):
        assert nd.empty(shape).shape == (3,)  # pyright: ignore[reportArgumentType]
    assert nd.empty(()).shape == ()
    assert nd.empty((0, 2)).shape == (0, 2)


_BITS = (("int8", 8), ("uint8", 8), ("int4", 4), ("uint4", 4), ("int2", 2), ("int64", 64))


@pytest.mark.parametrize(("dtype", "bits"), _BITS)
def test_integers_do_not_wrap(dtype: str, bits: int) -> None:
    is_signed = not dtype.startswith("u")
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    made = nd.array([least, most], CPU, dtype).numpy()
    assert [int(x) for x in made] == [least, most]
    makers: tuple[Callable[[object], object], ...] = (
        lambda values: nd.array(values, CPU, dtype),
        lambda values: nd.array(np.asarray(values), CPU, dtype),
        lambda values: nd.empty(np.shape(values), dtype).copyfrom(values),  # pyright: ignore
    )
    for make in makers[: 1 if bits == 64 else 3]:
        for value in (most + 1, float("nan"), float("inf"), *([least - 1] * (bits < 64))):
            with pytest.raises(ArgumentError, match="holds a number outside its data type"):
                make([value])


def test_arrays_in_another_byte_order_are_converted() -> None:
    swapped = np.arange(3, dtype=np.dtype("f4").newbyteorder("S"))
    assert nd.array(swapped).dtype == np.float32
    assert nd.array(swapped).numpy().tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="byte order"):
        nd.empty((2,), swapped.dtype)


def test_masked_elements_are_refused() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    for take in (nd.array, lambda x: nd.empty((2,), "float64").copyfrom(x)):
        with pytest.raises(ArgumentError, match="has masked elements"):
            take(masked)
