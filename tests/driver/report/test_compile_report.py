"""The compile report: its data, its size, and the page in a browser, in light and dark."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import onnx.parser
import pytest

import tilewright
from tilewright.driver.report.listing import located
from tilewright.driver.report.page import Report
from tilewright.tools import cli

MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[8,64] x, float[64,48] w) => (float[8,48] y, float[8] s) {
  [product] a = MatMul(x, w)
  [rectified] b = Relu(a)
  [probable] y = Softmax<axis = 1>(b)
  [axes] n = Constant<value_ints: ints = [1]>()
  [sum] s = ReduceSum<keepdims = 0>(b, n)
}"""
SMALL = """
<ir_version: 8, opset_import: ["" : 17]>
sum (float[8] x) => (float[8] y) { y = Add(x, x) }"""
BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
# It uses the page as a person with a keyboard does, and leaves what it saw in an attribute.
DRIVER = """
const wait = async () => {
  while (!document.documentElement.dataset.ready) await new Promise((go) => setTimeout(go, 20));
  const by = (id) => document.getElementById(id);
  const press = (key) => by("tw-list-left").dispatchEvent(new KeyboardEvent("keydown", { key }));
  const choose = (id, value) => {
    by(id).value = value;
    by(id).dispatchEvent(new Event("change"));
  };
  const marked = (id) => [...by(id).children].filter((e) => e.ariaSelected === "true");
  location.hash = "#kernel-KERNEL";
  await new Promise((go) => setTimeout(go, 100));
  choose("tw-level-left", "packed");
  choose("tw-level-right", "asm");
  const seen = { rows: [] };
  seen.background = getComputedStyle(document.body.firstElementChild).backgroundColor;
  for (let n = 0; n < by("tw-list-left").children.length; n++) {
    press("ArrowDown");
    const row = marked("tw-list-left").map((e) => e.textContent);
    seen.rows.push([row, marked("tw-list-right").map((e) => e.textContent)]);
  }
  seen.status = by("tw-status").textContent;
  seen.active = by(by("tw-list-left").getAttribute("aria-activedescendant")).textContent;
  choose("tw-level-left", "te");
  for (let n = 0; n < 3; n++) press("ArrowDown");
  seen.nodes = by("tw-status").textContent;
  by("tw-step").value = by("tw-step").max;
  by("tw-step").dispatchEvent(new Event("input"));
  seen.nest = by("tw-nest").textContent;
  seen.step = by("tw-steps").querySelector("[aria-current]").textContent;
  seen.requests = performance.getEntriesByType("resource").length;
  seen.unlabelled = [...document.querySelectorAll("select, input, button, [role=listbox]")]
    .filter((e) => !(e.labels?.length || e.ariaLabel || e.textContent.trim())).map((e) => e.id);
  document.documentElement.dataset.seen = JSON.stringify(seen);
};
wait();
"""


@pytest.fixture(scope="module")
def report() -> Report:
    """Return the report of a small model that ran."""
    module = tilewright.compile(onnx.parser.parse_model(MODEL), target="llvm -mcpu=x86-64-v3")
    rng = np.random.default_rng(1)
    arrays = [rng.random(shape, np.float32) for shape in ((8, 64), (64, 48))]
    return module.report(*arrays, threads=1, rounds=3)


def data_of(page: str) -> dict[str, Any]:
    """Return the listings of a page."""
    found = re.search(r'<script type="text/plain" id="tw-data">([^<]*)</script>', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def test_a_report_has_every_level_of_every_kernel(report: Report) -> None:
    data = data_of(report.html)
    assert {kernel["name"] for kernel in data["kernels"]} == {r.name for r in report.records}
    product = next(k for k in data["kernels"] if k["name"].startswith("matmul"))
    levels = product["listings"]
    assert list(levels) == ["te", "sched", "scheduled", "packed", "ll", "asm"]
    assert "arith.mulf" in levels["te"]["t"]
    assert "sched.tile" in levels["sched"]["t"]
    assert "fma" in levels["ll"]["t"]
    assert "vfmadd" in levels["asm"]["t"]
    for listing in levels.values():
        rows = listing["t"].split("\n")
        assert len(listing["n"]) in (0, len(rows))
        assert len(listing["l"]) in (0, len(rows))
    nodes = {data["names"][n] for row in levels["packed"]["n"] for n in row}
    assert nodes >= {"product"}
    first, *_, last = product["states"]
    assert first[0] == ""
    assert "loop.for" in last[1]


def test_code_is_linked_to_the_loads_and_stores_that_it_comes_from(report: Report) -> None:
    product = next(k for k in report.program.kernels if k.name.startswith("matmul"))
    loops, asm = product.listings["packed"], product.listings["asm"]
    rows = dict(zip(loops.lines, loops.text.split("\n"), strict=True))
    pairs = [(rows[at], row) for at, row in zip(asm.lines, asm.text.split("\n"), strict=True) if at]
    products = [loop for loop, code in pairs if "vfmadd" in code]
    assert products
    assert all("math.fma" in loop or "loop.load" in loop for loop in products)
    assert not any(".loc" in row or ".cfi" in row for _, row in pairs)


def test_the_line_of_llvm_ir_is_that_of_its_metadata() -> None:
    text = "define void @f() {\n %1 = add i32 1, 2, !dbg !7\n ret void\n}\n"
    found = located(f"{text}!7 = !DILocation(line: 12, column: 1, scope: !3)\n")
    assert found.text == "define void @f() {\n %1 = add i32 1, 2\n ret void\n}"
    assert list(found.lines) == [0, 12, 0, 0]


def test_remarks_say_why_nodes_have_kernels_of_their_own(report: Report) -> None:
    reasons = {each.what: each.reason for each in report.program.remarks}
    assert reasons["product, rectified"] == "its readers are in several kernels"
    assert {each.kind for each in report.program.remarks} == {"not fused"}


def test_the_sum_of_the_kernels_is_shown_next_to_the_time_of_a_run(report: Report) -> None:
    assert report.profile is not None
    total = sum(row.us for row in report.profile.rows)
    text = f"Sum of all rows: {total:.1f} µs, {total / report.profile.run_us:.1%} of the run"
    assert text in report.html
    runs = report.profile
    assert total == pytest.approx(1e6 * sum(step.time_s for step in runs.steps))


def test_the_tables_are_well_formed_and_names_are_escaped(report: Report) -> None:
    page = report.html
    body = page[page.index("<body>") : page.index("</html>")]
    body = re.sub(r"<script.*?</script>", "", body, flags=re.S)
    tree = ElementTree.fromstring(body)
    titles = [head.text for head in tree.iter("h2")]
    assert titles[:3] == ["From the model to kernels", "Kernels", "Roofline"]
    assert "http://" not in body.replace("http://www.w3.org/2000/svg", "")
    links = {link.get("href") for link in tree.iter("a")}
    svg_links = {a.get("href") for a in tree.iter("{http://www.w3.org/2000/svg}a")}
    assert {f"#kernel-{r.name}" for r in report.records} <= links & (links | svg_links)
    assert len(page) < 200_000


def test_the_command_writes_a_report_without_times_for_another_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, page = tmp_path / "net.onnx", tmp_path / "net.html"
    onnx.save(onnx.parser.parse_model(SMALL), model)
    words = ["compile", str(model), "--report", str(page), "--target", "llvm -mcpu=neoverse-n1"]
    assert cli.main(words) == 0
    assert str(page) in capsys.readouterr().err
    text = page.read_text()
    assert "Not measured" in text
    assert "fadd" in data_of(text)["kernels"][0]["listings"]["asm"]["t"]


@pytest.mark.skipif(BROWSER is None, reason="needs a browser: chromium or google-chrome")
@pytest.mark.parametrize(("scheme", "background"), [(1, "255, 255, 255"), (0, "19, 20, 22")])
def test_a_browser_shows_linked_lines_without_messages(
    scheme: int, background: str, report: Report, tmp_path: Path
) -> None:
    assert BROWSER is not None
    kernel = next(r.name for r in report.records if r.name.startswith("matmul"))
    driver = DRIVER.replace("KERNEL", kernel)
    page = tmp_path / "report.html"
    page.write_text(report.html.replace("</body>", f"<script>{driver}</script></body>"))
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        f"--blink-settings=preferredColorScheme={scheme}", "--virtual-time-budget=20000",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
    ]  # fmt: skip
    done = subprocess.run(
        [BROWSER, *options, page.as_uri()], capture_output=True, text=True, check=True, timeout=120
    )
    assert "CONSOLE" not in done.stderr
    found = re.search(r'data-seen="([^"]*)"', done.stdout)
    assert found is not None, done.stdout[:2000]
    seen = json.loads(html.unescape(found[1]))
    assert background in seen["background"]
    linked = {rows[0]: code for rows, code in seen["rows"] if code}
    fma = next(code for row, code in linked.items() if "math.fma" in row)
    assert any("vfmadd" in row for row in fma)
    assert seen["status"].startswith(f"Line {len(seen['rows'])} of packed: ")
    assert seen["active"].strip() == "}"
    assert "Nodes: product" in seen["nodes"]
    assert "loop.for" in seen["nest"]
    assert "sched." in seen["step"]
    assert seen["requests"] == 0
    assert seen["unlabelled"] == []
