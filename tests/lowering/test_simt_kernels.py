"""Kernels of the simt level have the same results as OpenCL C, WGSL and SPIR-V."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright import Device

from ..opencl_device import opencl_device
from ..vulkan_device import vulkan_device
from ..webgpu_device import webgpu_device
from .device_kernels import run_kernel
from .native import only_function
from .test_simt_to_c import LAUNCH, ONE, REVERSE, random

DEVICES = {"opencl": opencl_device, "webgpu": webgpu_device, "vulkan": vulkan_device}


@pytest.fixture(params=DEVICES)
def gpu(request: pytest.FixtureRequest) -> Device:
    return DEVICES[request.param]()


def test_blocks_share_memory(gpu: Device) -> None:
    x = random(1024)
    _, y = run_kernel(only_function(REVERSE), gpu, [x, np.zeros_like(x)])
    np.testing.assert_array_equal(y, x.reshape(8, 128)[:, ::-1].ravel())


def test_padded_loads_and_clipped_stores_stay_inside(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<5x6xf32>, %y: memref<5x6xf32>) {LAUNCH % (8, 8)} {{
  %b = simt.block_id x below 8
  %t = simt.thread_id x below 8
  %v = loop.load %x[%b - 1, %t - 1] pad 7.0 : memref<5x6xf32>, f32
  %w = loop.load %x[%b - 1, %t - 1] pad 7.0 : memref<5x6xf32>, vector<2xf32>
  %l = loop.extract %w 1 : vector<2xf32>
  %s = arith.addf %v, %l : f32
  loop.store %s, %y[%b, %t] clip [0 to 5, 0 to 6] : memref<5x6xf32>, f32
  func.return
}}""")
    x = random(5, 6)
    padded = np.pad(x, ((1, 1), (1, 1)), constant_values=7)
    _, y = run_kernel(function, gpu, [x, np.zeros_like(x)])
    np.testing.assert_array_equal(y, padded[:5, :6] + padded[:5, 1:7])


def test_carried_values_are_assigned_at_once(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<2xf32>, %y: memref<2xf32>) {ONE} {{
  %a = loop.load %x[0] : memref<2xf32>, f32
  %b = loop.load %x[1] : memref<2xf32>, f32
  %c, %d = loop.for %i = 0 to 5 iter_args(%p = %a, %q = %b : f32, f32) {{
    %s = arith.addf %p, %q : f32
    loop.yield %q, %s : f32, f32
  }}
  loop.store %c, %y[0] : memref<2xf32>, f32
  loop.store %d, %y[1] : memref<2xf32>, f32
  func.return
}}""")
    _, y = run_kernel(function, gpu, [np.array([1, 1], np.float32), np.zeros(2, np.float32)])
    assert y.tolist() == [8, 13]
