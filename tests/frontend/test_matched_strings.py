"""Regular expressions against onnxruntime (RE2); split strings against it and onnx.reference."""

from __future__ import annotations

import random

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.frontend.onnx.text.automaton import ACCEPT, encoded_ranges, matcher
from tilewright.runtime.strings import decoded, encoded
from tilewright.support.diagnostics import TilewrightError

from ..sweeps import NIGHTLY

S, I64, BOOL = TensorProto.STRING, TensorProto.INT64, TensorProto.BOOL
RANDOM_PATTERNS = 1000 if NIGHTLY else 40
# Parts of patterns: each syntax that is supported, and characters of 1, 2 and 3 bytes.
ATOMS = [
    "a", "b", "é", "K", "k", "ß", "ſ", "日", "-", r"\w", r"\W", r"\d", r"\s", ".", "[ab]", "[^a]",
    "[^é]", "[a-k]", "[[:alpha:]-]", r"[\d_é-]", "^", "$", r"\b", r"\B", r"\A", r"\z", r"\pL",
    r"\p{^Lu}", r"\x{e9}", r"\x61", r"\141", "(?i)", "(?s)", "(?m)", "(?-i)", r"\n", r"\.",
    r"\Qa.\E", "(?i:k)", "(?i:[^k])", "[]a]", r"[^\W]",
]  # fmt: skip
COUNTS = ["*", "+", "?", "{2}", "{1,3}", "{0,2}?", "{2,}", "*?"]


def model_of(op_type, outputs, **attributes):
    node = helper.make_node(op_type, ["x"], [name for name, *_ in outputs], **attributes)
    given = [helper.make_tensor_value_info("x", S, ["N"])]
    declared = [helper.make_tensor_value_info(*each) for each in outputs]
    graph = helper.make_graph([node], "strings", given, declared)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def session_of(model):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    return ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def accepted(automaton, text):
    """Run an automaton without the compiler."""
    state = automaton.first
    for byte in (*text.encode(), 0):
        state = automaton.table[state, automaton.classes[byte]]
    return state == ACCEPT


def reference_matches(pattern, x):
    model = model_of("RegexFullMatch", [("y", BOOL, ["N"])], pattern=pattern)
    return session_of(model).run(None, {"x": x})[0].tolist()


def words_of(rng, alphabet, count, length):
    words = ["".join(rng.choices(alphabet, k=rng.randrange(length))) for _ in range(count)]
    return np.array(words, object)


def random_pattern(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.45:
        return rng.choice(ATOMS)
    first, second = random_pattern(rng, depth - 1), random_pattern(rng, depth - 1)
    if kind < 0.7:
        return first + second
    if kind < 0.8:
        return f"{rng.choice(['(', '(?:'])}{first}|{second})"
    return f"({first}){rng.choice(COUNTS)}"


def test_random_patterns_match_as_in_onnxruntime():
    rng, compared = random.Random(11), 0
    for _ in range(RANDOM_PATTERNS):
        pattern = random_pattern(rng, 4)
        try:
            automaton = matcher(pattern)
        except tilewright.UnsupportedOp:  # The automaton is too large.
            continue
        x = words_of(rng, "aabkKé\n .-1ßſ日K", 100, 6)
        expected = reference_matches(pattern, x)
        assert [bool(accepted(automaton, each)) for each in x] == expected, pattern
        compared += any(expected)
    assert compared > RANDOM_PATTERNS // 2


@pytest.mark.parametrize(
    "pattern",
    [
        # A class is no end of a range.
        r"[\w-.]", r"[\w-\.]+@([\w-]+\.)+[\w-]{2,4}", r"[\d-z]", r"[\w--]",
        r"[\d-+-.]", r"[\p{Zl}-z]", "[[:alpha:]-.]",
        # An empty class is an element of a set.
        r"[^\P{Any}]", r"[\P{Any}]a]|a", r"[\P{Any}a]", "[]-a]", "[^]a]",
        # A repetition applies to the last literal of a quotation, and across a change of flags.
        r"\Qa\E+", r"\Qba\E{2}", r"a\Q\E+", r"a?\Q\E+", "a(?i)+",
        # Some characters share their folded form of several characters.
        "(?i)ﬅ", "(?i)ﬆ", "(?i)ΐ", r"(?i)\x{1fe3}", "(?i)ẞ", "(?i)İ", "(?i)[^ß]",
    ],
)  # fmt: skip
def test_patterns_match_as_in_onnxruntime(pattern):
    texts = ["a-b.c@d-e.fg", "", "aa", "baa", "a]", "{2}", *"aAz9-+,.]^ßẞſﬅﬆΐ\u1fd3ΰ\u1fe3İi\u2028"]
    automaton = matcher(pattern)
    got = [bool(accepted(automaton, each)) for each in texts]
    assert got == reference_matches(pattern, np.array(texts, object))
    assert any(got)


@pytest.mark.parametrize(
    "pattern",
    [
        "a**", "*a", "(a", "a)", "[a", "[b-a]", "\\", r"\1", "[[:what:]]", "a{3,2}", "a{1001}",
        "(?x)", r"\x{110000}", r"\é", "{2}", r"\Q\E*", r"[a-\d]", r"[\P{Any}",
    ],
)  # fmt: skip
def test_malformed_patterns_are_refused(pattern):
    with pytest.raises(tilewright.ModelError, match="the pattern is malformed"):
        matcher(pattern)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"\p{Greek}", "set of characters"),
        (r"\C", "single bytes"),
        ("((a{1000}){1000}){1000}", "too long"),
        ("[ab]*a[ab]{11}", "too large"),
    ],
)
def test_unsupported_patterns_are_refused(pattern, message):
    with pytest.raises(tilewright.UnsupportedOp, match=message):
        matcher(pattern)


def test_ranges_of_code_points_as_ranges_of_bytes():
    rng = random.Random(2)
    for _ in range(40):
        low = rng.randrange(rng.choice([0x300, 0x3000, 0x110000]))
        high = min(low + rng.choice([0, 5, 100, 3000]), 0x10FFFF)
        spans = list(encoded_ranges(low, high))
        for code in {low - 1, low, (low + high) // 2, high, high + 1}:
            if not 0 <= code <= 0x10FFFF or 0xD800 <= code < 0xE000:
                continue
            text = chr(code).encode()
            found = sum(
                len(span) == len(text)
                and all(a <= byte <= b for (a, b), byte in zip(span, text, strict=True))
                for span in spans
            )
            assert found == (low <= code <= high)


@pytest.mark.parametrize("target", ["interpreter", "native"])
def test_full_matches(target):
    model = model_of("RegexFullMatch", [("y", BOOL, ["N"])], pattern=r"(?i)[\wé]+@(a|日)+\.com")
    x = np.array(["X@A.com", "é1@a日a.CoM", "@a.com", "x@a.com ", "", "x@.com"], object)
    mod = tilewright.compile(model, cache=False, target=target)
    for given in (x, x[:1], x[:0]):
        (expected,) = session_of(model).run(None, {"x": given})
        np.testing.assert_array_equal(mod.run({"x": given})[0].numpy(), expected)
    # Bytes without a zero behind the longest string.
    assert mod(encoded(["X@A.com"])).numpy().tolist() == [True]


SPLITS = {
    "delimiter": ({"delimiter": "--"}, "reference", "-aé", "interpreter"),
    "most": ({"delimiter": "é", "maxsplit": 2}, "reference", "-aé", "interpreter"),
    "never": ({"delimiter": "-", "maxsplit": 0}, "reference", "-aé", "interpreter"),
    "overlapping": ({"delimiter": "aba"}, "reference", "ab", "native"),
    "spaces": ({}, "reference", " \t\u3000\x85aéb", "interpreter"),
    "most at spaces": ({"maxsplit": 1}, "onnxruntime", "  aé", "native"),
    "never at spaces": ({"delimiter": "", "maxsplit": 0}, "onnxruntime", "  aé", "interpreter"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", SPLITS)
def test_split_strings(case):
    attributes, reference, alphabet, target = SPLITS[case]
    outputs = [("y", S, ["N", "M"]), ("count", I64, ["N"])]
    model = model_of("StringSplit", outputs, **attributes)
    run = (ReferenceEvaluator(model) if reference == "reference" else session_of(model)).run
    mod, rng = tilewright.compile(model, cache=False, target=target), random.Random(5)
    for count in (0, 1, 20):
        x = words_of(rng, alphabet, count, 14)
        expected, counts = run(None, {"x": x})
        got, got_counts = mod.run({"x": x})
        assert decoded(got).tolist() == expected.tolist()
        np.testing.assert_array_equal(got_counts.numpy(), counts)


def test_the_number_of_substrings_inside_a_branch_is_refused():
    split = helper.make_node("StringSplit", ["x"], ["y", "count"])
    declared = [helper.make_tensor_value_info("count", I64, ["N"])]
    branch = helper.make_graph([split], "branch", [], declared)
    given = [
        helper.make_tensor_value_info("c", BOOL, []), helper.make_tensor_value_info("x", S, ["N"])
    ]  # fmt: skip
    node = helper.make_node("If", ["c"], ["z"], then_branch=branch, else_branch=branch)
    results = [helper.make_tensor_value_info("z", I64, ["N"])]
    graph = helper.make_graph([node], "branches", given, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model)
    with pytest.raises(TilewrightError, match="inside a loop or a branch"):
        tilewright.compile(model)
