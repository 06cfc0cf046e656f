"""HTML of notebooks and pages: well-formed, escaped, light and dark; pictures hold their marks."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime import display
from tilewright.runtime.highlight import RULES, highlighted, tokens
from tilewright.runtime.measure.charts import (
    Bar,
    ChartPoint,
    LogScale,
    roofline,
    standalone,
    timeline,
)
from tilewright.runtime.module.shown_module import ShownText

SVG = "{http://www.w3.org/2000/svg}"
IR = """func.func @main(%x: tensor<4x?xf32>) -> index { // <a> & b
  %0 = "my.op"(%x) <{v = #te.dims<1>, s = "}"}> : i32  ^bb0: true -1.5e3 0xFF<0xf32>
"""


def parsed(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup)


def test_a_text_keeps_every_character_when_it_is_highlighted() -> None:
    assert "".join(piece for _, piece in tokens(IR)) == IR
    assert "".join(parsed(f"<pre>{highlighted(IR)}</pre>").itertext()) == IR
    kinds = {piece: kind for kind, piece in tokens(IR)}
    expected = {
        "func.func": "op", "@main": "symbol", "%x": "value", "tensor": "type", "f32": "type",
        "4x?x": "number", "// <a> & b": "comment", '"my.op"': "string", "#te.dims": "attribute",
        "^bb0": "label", "true": "constant", "-1.5e3": "number", "0xFF": "number", "0x": "number",
    }  # fmt: skip
    assert {piece: kinds[piece] for piece in expected} == expected
    assert {kind for kind, _ in RULES} - set(kinds.values()) == set()


def test_a_comment_of_llvm_starts_with_a_semicolon() -> None:
    assert ("comment", "; f32 // a") in tokens("ret void ; f32 // a", "ll")
    assert "tw-comment" not in highlighted("{a; b}")
    assert '<span class="tw-comment">; x</span>' in ShownText("  ; x", "ll")._repr_html_()


def test_text_is_escaped_and_markup_is_not() -> None:
    made = display.element("p", "<b>", display.code("&"), 1.5, title='"<"')
    assert made == '<p title="&quot;&lt;&quot;">&lt;b&gt;<code>&amp;</code>1.5</p>'
    evil = "<script>alert(1)</script>"
    parts = (display.table([evil], [[evil]]), display.source(evil), display.heading(evil))
    shown = display.page(evil, *parts, display.folded([evil, evil]))
    assert "<script" not in shown
    assert evil in "".join(parsed(shown).itertext())


def test_a_page_stands_alone_and_follows_the_color_scheme() -> None:
    shown = display.page("a page", display.paragraph("text"))
    assert not re.search(r"(?:href|src)=|@import|url\(", shown)
    assert "prefers-color-scheme:dark" in shown
    used = set(re.findall(r"var\((--tw-[\w-]+)\)", display.STYLE))
    for theme in re.findall(r"\{(--tw-page[^}]*)\}", display.STYLE):
        assert used == set(re.findall(r"(--tw-[\w-]+):", theme))


def test_a_long_text_is_cut_and_says_so() -> None:
    text = "x\n" * (display.MOST_LINES + 1234)
    shown = str(display.source(text))
    assert shown.count("\n") == display.MOST_LINES
    assert "and 1,234 more lines" in shown
    assert "more lines" not in display.source("x\n" * display.MOST_LINES)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.float32([[1, 2], [3, 4]]), ["float32", "2 × 2", "16 bytes", "cpu", "[[1. 2.]"]),
        (np.int8(5), ["int8", "one element", "1 bytes", "5"]),
        (np.zeros((0, 3), bool), ["bool", "0 × 3", "0 bytes", "[]"]),
    ],
)
def test_an_array_shows_type_device_and_values(value: object, words: list[str]) -> None:
    shown = "".join(parsed(tilewright.nd.array(value)._repr_html_()).itertext())
    assert not [word for word in words if word not in shown]


def test_a_schedule_shows_what_it_prints() -> None:
    a = te.placeholder((8, 8), name="A")
    b = te.compute((8, 8), lambda i, j: te.exp(a[i, j]), name="B")
    s = te.create_schedule(b.op)
    s[b].split(b.op.axis[0], factor=4)
    script, program = ("".join(pre.itertext()) for pre in parsed(s._repr_html_()).iter("pre"))
    assert script == s.script
    assert program == "\n".join(map(str, s.kernels))


def test_a_logarithmic_scale_has_round_ticks_inside() -> None:
    scale = LogScale(0.3, 40, 100, 200)
    assert scale.at(0.3) == 100
    assert scale.at(40) == pytest.approx(200)
    assert scale.ticks() == pytest.approx([0.5, 1, 2, 5, 10, 20])
    assert LogScale(1, 1e6, 0, 1).ticks() == pytest.approx([10.0**n for n in range(7)])


def texts(picture: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("limits", [None, (2e11, 2e10)])
def test_a_roofline_draws_each_kernel_once_inside_the_picture(
    limits: tuple[float, float] | None,
) -> None:
    rng = np.random.default_rng(0)
    points = [
        ChartPoint(f"k{n}", 10.0**a, 10.0 ** (9 + b), 0.02)
        for n, (a, b) in enumerate(rng.uniform(-2, 2, (30, 2)))
    ]
    picture = parsed(roofline(limits, points))
    circles = list(picture.iter(f"{SVG}circle"))
    assert len(circles) == len(points)
    width, height = map(float, (picture.get("viewBox") or "").split()[2:])
    assert all(0 < float(c.get("cx") or 0) < width for c in circles)
    assert all(0 < float(c.get("cy") or 0) < height for c in circles)
    # Faster is higher, more operations per byte is farther to the right.
    order = sorted(range(len(points)), key=lambda n: points[n].flops)
    assert order == sorted(range(len(points)), key=lambda n: -float(circles[n].get("cy") or 0))
    order = sorted(range(len(points)), key=lambda n: points[n].intensity)
    assert order == sorted(range(len(points)), key=lambda n: float(circles[n].get("cx") or 0))
    assert ("200.0 GFLOP/s" in texts(picture)) == (limits is not None)


def test_the_ridge_of_a_roofline_is_where_both_limits_meet() -> None:
    picture = parsed(roofline((1e11, 1e10), [ChartPoint("at the ridge", 10, 1e11, 0.5)]))
    (line,) = picture.iter(f"{SVG}polyline")
    (circle,) = picture.iter(f"{SVG}circle")
    ridge = (line.get("points") or "").split()[1]
    center = [float(circle.get(key) or 0) for key in ("cx", "cy")]
    assert [float(n) for n in ridge.split(",")] == pytest.approx(center, abs=0.1)


def test_labels_of_a_roofline_do_not_overlap() -> None:
    points = [ChartPoint(f"kernel_{n}", 10 + n / 50, 1e11, 0.1) for n in range(20)]
    picture = parsed(roofline((2e11, 2e10), points))
    labels = [t for t in picture.iter(f"{SVG}text") if (t.text or "").startswith("kernel_")]
    assert 0 < len(labels) < len(points)
    corners = [(float(t.get("x") or 0), float(t.get("y") or 0)) for t in labels]
    pairs = [(p, q) for p in corners for q in corners if p < q]
    assert all(abs(p[0] - q[0]) > 50 or abs(p[1] - q[1]) >= 13 for p, q in pairs)


def test_a_timeline_draws_buffers_in_proportion() -> None:
    bars = [Bar("first", 0, 100, 0, 1), Bar("second", 100, 300, 1, 3), Bar("third", 0, 50, 2, 2)]
    picture = parsed(timeline(["a", "b", "c", "d"], bars, 400))
    rects = list(picture.iter(f"{SVG}rect"))
    sizes = [[float(r.get(key) or 0) for key in ("x", "y", "width", "height")] for r in rects]
    (x0, y0, w0, h0), (x1, y1, w1, h1), (x2, y2, w2, h2) = sizes
    assert (w1, h1) == pytest.approx((1.5 * w0, 3 * h0), abs=0.02)
    assert (w2, h2) == pytest.approx((0.5 * w0, 0.5 * h0), abs=0.02)
    assert (x1, x2) == pytest.approx((x0 + w0 / 2, x0 + w0), abs=0.02)
    assert (y1 + h1, y2 + h2) == pytest.approx((y0, y0 + h0), abs=0.02)
    assert "second: 300 bytes at 100, steps 2 (b) to 4 (d)" in "".join(picture.itertext())
    assert "first" in texts(picture)


def test_a_picture_stands_alone_in_a_file() -> None:
    root = parsed(standalone(timeline(["a"], [Bar("b", 0, 64, 0, 0)], 64)))
    assert root.tag == f"{SVG}svg"
    assert "prefers-color-scheme" in "".join(root.itertext())
