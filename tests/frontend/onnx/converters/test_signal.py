"""Fourier transforms of every form and length, spectra of frames, windows, mel filters."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, UnsupportedOp

from ....onnx_models import node, onnx_model
from ..test_importer import main_of

DOUBLE = TensorProto.DOUBLE


def signal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def parts(z):
    return np.stack([z.real, z.imag], -1)


def joined(x):
    return x[..., 0] + 1j * x[..., 1] if x.shape[-1] == 2 else x[..., 0]


def dft_model(x, axis, length, **attributes):
    weights = {"axis": np.int64(axis)} | ({"n": np.int64(length)} if length else {})
    names = ["x", "n" if length else "", "axis"]
    return onnx_model([node("DFT", names, **attributes)], {"x": (DOUBLE, x.shape)}, weights=weights)


def dft(x, axis=-2, length=None, **attributes):
    return run_graph(main_of(dft_model(x, axis, length, **attributes)), x)[0]


# Direct; p * q points; prime, so by convolution; p * q with a large prime factor.
LENGTHS = [1, 2, 7, 1024, 521, 1042]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("complex_parts", [1, 2])
def test_transforms_are_numpys(length, complex_parts) -> None:
    x = signal(2, length, complex_parts)
    z = joined(x)
    scale = {"rtol": 0, "atol": 1e-12 * length}
    np.testing.assert_allclose(dft(x), parts(np.fft.fft(z)), **scale)
    np.testing.assert_allclose(dft(x, inverse=1), parts(np.fft.ifft(z)), **scale)


@pytest.mark.parametrize("length", LENGTHS)
def test_one_side_of_a_real_signal_and_back(length) -> None:
    x, scale = signal(2, length, 1), {"rtol": 0, "atol": 1e-12 * length}
    half = dft(x, onesided=1)
    np.testing.assert_allclose(half, parts(np.fft.rfft(x[..., 0])), **scale)
    half += signal(*half.shape, seed=1)  # not the spectrum of a real signal: ends have a phase
    wanted = np.fft.irfft(joined(half), length)[..., None]
    np.testing.assert_allclose(dft(half, length=length, inverse=1, onesided=1), wanted, **scale)


@pytest.mark.parametrize("length", [5, 12, 1030])
@pytest.mark.parametrize("inverse", [0, 1])
def test_signals_are_cut_or_filled_with_zeros(length, inverse) -> None:
    x = signal(3, 9, 2, 2)
    function = np.fft.ifft if inverse else np.fft.fft
    wanted = parts(function(joined(x), length, axis=1))
    np.testing.assert_allclose(dft(x, 1, length, inverse=inverse), wanted, atol=1e-12, rtol=0)


def test_half_a_spectrum_gives_an_even_number_of_values() -> None:
    x = signal(1, 6, 2)
    wanted = np.fft.irfft(joined(x))[..., None]
    np.testing.assert_allclose(dft(x, inverse=1, onesided=1), wanted, atol=1e-12, rtol=0)


@pytest.mark.parametrize("axis", [0, 1, -3])
def test_an_attribute_names_the_axis_before_opset_20(axis) -> None:
    x = signal(4, 6, 2)
    model = onnx_model([node("DFT", ["x"], axis=axis)], {"x": (DOUBLE, x.shape)}, opset=17)
    wanted = parts(np.fft.fft(joined(x), axis=axis % 3))
    np.testing.assert_allclose(run_graph(main_of(model), x)[0], wanted, atol=1e-12, rtol=0)


@pytest.mark.parametrize("length", [30, 1024, 521])
def test_machine_code_transforms(length) -> None:
    x = signal(3, length, 2)
    got = tilewright.compile(dft_model(x, -2, None))(x).numpy()
    np.testing.assert_allclose(got, parts(np.fft.fft(joined(x))), atol=1e-11, rtol=0)


def stft_model(x, window, **attributes):
    weights = {"step": np.int64(5), "window": window, "length": np.int64(16)}
    return onnx_model(
        [
            node(
                "STFT",
                ["x", "step", "window" if window is not None else "", "length"],
                **attributes,
            )
        ],
        {"x": list(x.shape)},
        weights={k: v for k, v in weights.items() if v is not None},
    )


@pytest.mark.parametrize("onesided", [0, 1])
@pytest.mark.parametrize("windowed", [False, True])
def test_spectra_of_frames(onesided, windowed) -> None:
    x = signal(2, 64, 1).astype(np.float32)
    window = np.hanning(16).astype(np.float32) if windowed else None
    model = stft_model(x, window, onesided=onesided)
    frames = np.lib.stride_tricks.sliding_window_view(x[..., 0], 16, 1)[:, ::5]
    spectra = np.fft.fft(frames * (1 if window is None else window), axis=-1)
    wanted = parts(spectra[..., :9] if onesided else spectra)
    got = tilewright.compile(model)(x).numpy()
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(run_graph(main_of(model), x)[0], wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("periodic", [0, 1])
@pytest.mark.parametrize("op", ["HannWindow", "HammingWindow", "BlackmanWindow"])
def test_windows_are_the_standards(op, periodic) -> None:
    sizes = {"n": np.int64(11)}
    model = onnx_model([node(op, ["n"], periodic=periodic)], {}, weights=sizes)
    model.graph.output[0].CopyFrom(onnx.helper.make_tensor_value_info("y", TensorProto.FLOAT, [11]))
    (wanted,) = ReferenceEvaluator(model).run(None, {})
    np.testing.assert_allclose(run_graph(main_of(model))[0], wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("bands", "length"), [(4, 16), (40, 512), (64, 64)])
def test_mel_filters_are_the_standards(bands, length) -> None:
    values = [np.int64(bands), np.int64(length), np.int64(8000), np.float32(60), np.float32(3900)]
    weights = {f"x{n}": v for n, v in enumerate(values)}
    model = onnx_model([node("MelWeightMatrix", list(weights))], {}, weights=weights)
    model.graph.output[0].CopyFrom(
        onnx.helper.make_tensor_value_info("y", TensorProto.FLOAT, [length // 2 + 1, bands])
    )
    (wanted,) = ReferenceEvaluator(model).run(None, {})
    np.testing.assert_allclose(run_graph(main_of(model))[0], wanted, rtol=1e-6, atol=1e-7)


def test_what_cannot_be_transformed_is_an_error() -> None:
    with pytest.raises(ModelError, match="real and imaginary"):
        dft(signal(4, 5, 2), axis=2)
    with pytest.raises(ModelError, match="complex parts"):
        dft(signal(4, 5, 3))
    with pytest.raises(ModelError, match="not positive"):
        dft(signal(4, 1, 2), inverse=1, onesided=1)
    with pytest.raises(UnsupportedOp, match="length of a Fourier transform"):
        import_model(onnx_model([node("DFT", ["x"])], {"x": ["b", "n", 2]}))
    with pytest.raises(ModelError, match="neither a window nor frame_length"):
        import_model(
            onnx_model([node("STFT", ["x", "s"])], {"x": [1, 9, 1]}, weights={"s": np.int64(1)})
        )
