"""NDArray: a view on numpy's memory, and DLPack in both directions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tilewright.runtime.abi import DTYPES, alignment_bytes
from tilewright.runtime.errors import ArgumentError
from tilewright.runtime.ndarray import CPU, NDArray, address_reader, from_dlpack, numpy_dtype


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
