"""examples/generate.py: a session decodes the tokens of an engine that we did not write."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from .example_modules import load_example

TOKENS = 128


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return load_example("generate")


@pytest.mark.parametrize(("shape", "groups"), [("gpt2", 4), ("llama", 2)])
def test_greedy_tokens_equal_onnxruntime(example: ModuleType, shape: str, groups: int) -> None:
    sizes = example.Sizes(shape, 2, 32, 4, groups, 61, 160)
    model, prompt = example.decoder(sizes), [3, 1, 4, 1, 5]
    peer = example.onnxruntime_engine(model, sizes, 1)()
    expected, _ = example.generate(peer, prompt, TOKENS, example.largest)
    make = example.tilewright_engine(model, sizes, 2)
    tokens, speed = example.generate(make(), prompt, TOKENS, example.largest)
    assert tokens == expected
    assert speed > 0
    assert len(set(tokens)) > 20
    again, _ = example.generate(make(), prompt, TOKENS, example.largest)
    assert again == tokens
    drawn = [example.generate(make(), prompt, 9, example.sampler(1, count=5))[0] for _ in "12"]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(("shape", "groups"), [("gpt2", 4), ("llama", 2)])
def test_logits_of_any_tokens_equal_onnxruntime(
    example: ModuleType, shape: str, groups: int
) -> None:
    sizes = example.Sizes(shape, 2, 32, 4, groups, 61, 160)
    model, rng = example.decoder(sizes), np.random.default_rng(2)
    peer = example.onnxruntime_engine(model, sizes, 1)()
    engine = example.tilewright_engine(model, sizes, 1)()
    for count in (1, 7, 1, 1, 20, 1, 64, 1):
        ids = rng.integers(0, sizes.vocab, (1, count))
        np.testing.assert_allclose(engine(ids), peer(ids), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(("shape", "groups"), [("gpt2", 4), ("llama", 2)])
def test_greedy_tokens_equal_torch(example: ModuleType, shape: str, groups: int) -> None:
    pytest.importorskip("torch", reason="needs the extra torch")
    sizes = example.Sizes(shape, 2, 32, 4, groups, 61, 160)
    model, prompt = example.decoder(sizes), [3, 1, 4, 1, 5]
    expected, tokens = (
        example.generate(make(model, sizes, 1)(), prompt, TOKENS, example.largest)[0]
        for make in (example.torch_engine, example.tilewright_engine)
    )
    assert tokens == expected


def test_a_sampled_token_is_one_of_the_most_probable(example: ModuleType) -> None:
    logits = np.arange(50, dtype=np.float32)[None]
    choose = example.sampler(0, count=3)
    assert {choose(logits) for _ in range(100)} == {47, 48, 49}
