"""The compile report as one HTML file: tables and pictures, and listings that its script shows.

    report = mod.report(x)
    report.save("report.html")

The file needs no network. The listings are compressed in the page; report.js shows them next to
each other with linked lines, and report.css adds to the style of display.py.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...runtime import display
from ...runtime.display import Markup, element, heading, paragraph
from ...runtime.highlight import COMMENTS, RULES
from ...runtime.measure import charts
from ...runtime.spelling import SuggestsNames
from .compile_report import CompileReport, ReportedKernel, compile_report
from .graph_calls import GraphCall
from .listing import Listing

if TYPE_CHECKING:
    from ...runtime.measure.profile import KernelProfile, Profile
    from ...targets.backend import KernelRecord
    from ..module.memory_plan import MemoryPlan
    from ..request import Request

_FOLDER = Path(__file__).parent
_PARTS = ("compute", "tiles", "l2", "memory", "overhead", "imbalance")
_ROW, _BOX = 44, 26


@dataclass(frozen=True)
class Report(SuggestsNames):
    """The compile report of a module: how it was compiled, and how fast it is.

    name: the name of the module.  facts: its signature and sizes, as HTML.  records: its kernels.
    program: the kernels at each level, and remarks.  profile: the measured times; None without
    inputs.
    memory: the memory plan; None if its sizes are unknown.
    """

    name: str
    facts: Sequence[Markup]
    records: Sequence[KernelRecord]
    program: CompileReport
    profile: Profile | None = None
    memory: MemoryPlan | None = None

    @property
    def html(self) -> str:
        """The report as the text of an HTML file."""
        skip = element("a", "Skip to the listings", href="#listings", class_="tw-skip")
        style = element("style", Markup((_FOLDER / "report.css").read_text(encoding="utf-8")))
        script = Markup((_FOLDER / "report.js").read_text(encoding="utf-8"))
        data = element("script", Markup(self._data()), type="text/plain", id="tw-data")
        main = element("main", *self.html_parts(), *self._listings())
        title = f"Compile report of {self.name}"
        return display.page(title, style, skip, main, data, element("script", script))

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the report to a file; return its path."""
        made = Path(path)
        made.write_text(self.html, encoding="utf-8")
        return made

    def _repr_html_(self) -> str:
        """Show the tables and pictures in a notebook; the listings are in the file."""
        return display.fragment(heading(f"Compile report of {self.name}"), *self.html_parts())

    def html_parts(self) -> list[Markup]:
        """Return the parts of the report that need no script."""
        profile = [] if self.profile is None else self.profile.html_parts()[:1]
        memory = [] if self.memory is None else self.memory.html_parts()
        text = display.source(self.program.graph.text)
        graph = element("details", element("summary", "IR of the optimized graph"), text)
        return [
            *self.facts,
            *_section("graph", "From the model to kernels", self._graph, graph),
            *_section("kernels", "Kernels", self._table, *self._sums()),
            *(_section("roofline", "Roofline", *profile) if profile else ()),
            *(_section("memory", "Memory over time", *memory) if memory else ()),
            *_section("remarks", "Remarks", self._remarks),
        ]

    # ---- the graph

    @property
    def _graph(self) -> Markup:
        calls = self.program.calls
        width, left, right = 760, 20, 520
        marks: list[Markup] = []
        for number, call in enumerate(calls):
            for source in call.sources:
                marks.append(_edge(source, number, right))
        for number, call in enumerate(calls):
            name = self._compiled_name(call)
            top = 10.0 + _ROW * number
            title = element("title", f"{name}: {', '.join(call.nodes)}")
            box = charts.ChartFrame(left, top, right, top + _BOX)
            share = self._shares.get(name)
            label = name if share is None else f"{name}, {share:.1%}"
            nodes = charts.shortened(", ".join(call.nodes), right - left - 150)
            link = element(
                "a",
                charts.rectangle(box, 1, title),
                charts.text(left + 8, top + 17, charts.shortened(label, 140)),
                charts.text(left + 150, top + 17, nodes, class_="tw-faint"),
                href=f"#kernel-{name}",
                aria_label=f"kernel {name}",
            )
            marks.append(link)
        summary = f"Graph of {len(calls)} kernel calls, in the order of their execution"
        made = charts.picture(width, 20 + _ROW * max(1, len(calls)), summary, *marks)
        # It holds links, so it is no single image for screen readers.
        return display.scrolled(Markup(made.replace('role="img"', 'role="group"', 1)))

    @cached_property
    def _shares(self) -> Mapping[str, float]:
        return {} if self.profile is None else {r.kernel: r.share for r in self.profile.rows}

    def _compiled_name(self, call: GraphCall) -> str:
        """Return the name of the kernel that computes a call, in the compiled program.

        The call comes from an earlier level, whose kernels may have other names; they are matched
        by the model nodes that they compute.
        """
        names = [kernel.name for kernel in self.program.kernels]
        if call.kernel in names:
            return call.kernel
        nodes = set(call.nodes)
        found = (kernel.name for kernel in self.program.kernels if nodes & set(kernel.nodes))
        return next(found, call.kernel)

    # ---- kernels

    @property
    def _table(self) -> Markup:
        times = {row.kernel: row for row in self.profile.rows} if self.profile else {}
        modelled = {kernel.name: kernel.modelled_us for kernel in self.program.kernels}
        measured = ("µs", "run", "GFLOP/s", "roofline") if times else ()
        model = ("model µs", *_PARTS) if any(modelled.values()) else ()
        rows = [
            (
                *_facts(record),
                *(_measured(times.get(record.name)) if measured else ()),
                *(_modelled(record, modelled.get(record.name, {})) if model else ()),
                display.folded(record.nodes),
            )
            for record in self.records
        ]
        columns = ("kernel", "calls", "MFLOP", "KB", "FLOP/B", *measured, *model, "nodes")
        return display.table(columns, rows, names=(0, len(columns) - 1))

    def _sums(self) -> list[Markup]:
        """Return a paragraph that compares the sum of the kernels' times with the time of a run."""
        profile = self.profile
        if profile is None:
            return [paragraph("Not measured: the report was made without inputs.", is_faint=True)]
        total = sum(row.us for row in profile.rows)
        return [
            paragraph(
                f"Sum of all rows: {total:.1f} µs, {total / profile.run_us:.1%} of the run of "
                f"{profile.run_us:.1f} µs; a call of the module: {profile.module_us:.1f} µs; "
                f"threads: {profile.threads}"
            ),
            *map(paragraph, profile.limits_text),
        ]

    @property
    def _remarks(self) -> Markup:
        rows = [(each.kind, each.what, each.reason) for each in self.program.remarks]
        if not rows:
            return paragraph("none", is_faint=True)
        return display.table(("remark", "of", "because"), rows, names=range(3))

    # ---- listings

    def _listings(self) -> list[Markup]:
        panes = element("div", *map(_pane, ("left", "right")), class_="tw-panes")
        slider = element("input", type="range", min=0, max=0, value=0, id="tw-step")
        steps = element(
            "div",
            element("div", element("ol", id="tw-steps", class_="tw-steps", start=0)),
            element("div", element("pre", id="tw-nest", tabindex=0, aria_label="loop nest")),
            class_="tw-panes",
        )
        hint = (
            "A click, or the arrow keys in a listing, choose a line; lines of the other listing "
            "that compute the same are marked. Lines of loops and of code are linked one by one, "
            "others by the nodes of the model."
        )
        return [
            *_section(
                "listings",
                "Kernels at each level",
                paragraph(_labelled("Kernel", element("select", id="tw-kernel"))),
                paragraph(hint, is_faint=True),
                element("p", id="tw-status", role="status"),
                panes,
            ),
            *_section(
                "schedule",
                "Schedule, step by step",
                paragraph(
                    _labelled("Step", slider),
                    " ",
                    element("button", "Play", type="button", id="tw-play"),
                ),
                steps,
            ),
            element("noscript", paragraph("The listings need JavaScript.")),
        ]

    def _data(self) -> str:
        """Return the listings as compressed JSON in base64."""
        names: dict[str, int] = {}
        kernels = [_kernel_data(kernel, names) for kernel in self.program.kernels]
        first = next(iter(kernels), {"listings": {}})
        levels = list(first["listings"]) or [""]
        data = {
            "kernels": kernels,
            "names": list(names),
            "levels": ["scheduled" if "scheduled" in levels else levels[0], levels[-1]],
            "rules": RULES,
            "comments": {**COMMENTS, "asm": r"#[^\n]*"},
        }
        packed = zlib.compress(json.dumps(data).encode(), 9)
        return base64.b64encode(packed).decode()


def made_report(
    name: str,
    facts: Sequence[Markup],
    records: Sequence[KernelRecord],
    request: Request,
    profile: Profile | None,
    memory: MemoryPlan | None,
) -> Report:
    """Lower a request once more, and return the report of its program; see `Report`."""
    return Report(name, facts, records, compile_report(request), profile, memory)


def _facts(record: KernelRecord) -> tuple[object, ...]:
    """Return the cells of a kernel that do not depend on times: name, calls, work, intensity."""
    link = element("a", record.name, href=f"#kernel-{record.name}")
    work = f"{1e-6 * record.flops:.2f}", f"{1e-3 * record.moved_bytes:.1f}"
    intensity = f"{record.flops / record.moved_bytes:.1f}" if record.moved_bytes else "-"
    return link, record.calls, *work, intensity


def _measured(time: KernelProfile | None) -> Sequence[object]:
    return ("-",) * 4 if time is None else [time.cells[n] for n in (2, 3, 4, 6)]


def _modelled(record: KernelRecord, parts: Mapping[str, float]) -> Sequence[object]:
    """Return the modelled microseconds of all calls of a kernel: the sum, then each part."""
    times = [sum(parts.values()), *(parts[name] for name in _PARTS)] if parts else ()
    return [f"{record.calls * time:.1f}" for time in times] or ("-",) * (1 + len(_PARTS))


def _kernel_data(kernel: ReportedKernel, names: dict[str, int]) -> dict[str, dict[str, object]]:
    """Return a kernel for JSON.

    names: the number of each node name; names that are missing are added.
    """
    listings: dict[str, object] = {
        level: _listing_data(listing, names) for level, listing in kernel.listings.items()
    }
    states: object = [(state.step, state.program) for state in kernel.states]
    made: dict[str, object] = {"name": kernel.name, "listings": listings, "states": states}
    return made  # pyright: ignore[reportReturnType]


def _listing_data(listing: Listing, names: dict[str, int]) -> dict[str, object]:
    """Return a listing for JSON: text, nodes, lines, and whether it has lines (1 or 0).

    names: see `_kernel_data`.
    """
    nodes = [[names.setdefault(name, len(names)) for name in row] for row in listing.nodes]
    return {"t": listing.text, "n": nodes, "l": list(listing.lines), "f": int(bool(listing.lines))}


def _section(name: str, title: str, *parts: Markup) -> list[Markup]:
    head = element("h2", title, id=f"{name}-title")
    return [element("section", head, *parts, id=name, aria_labelledby=f"{name}-title")]


def _labelled(text: str, control: Markup) -> Markup:
    return element("label", f"{text}: ", control)


def _pane(side: str) -> Markup:
    level = _labelled(f"{side.capitalize()} level", element("select", id=f"tw-level-{side}"))
    rows = element(
        "div", id=f"tw-list-{side}", class_="tw-list", role="listbox", tabindex=0, aria_label=side
    )
    return element("div", paragraph(level), rows)


def _edge(source: int, number: int, right: float) -> Markup:
    """Return the SVG line between two calls in the picture; it bends around the calls between them.

    source: the index of the call that computes the value.  number: the index of the call that reads
    it.  right: the x coordinate of the right end of the boxes.
    """
    start, end = 10 + _ROW * source + _BOX, 10 + _ROW * number
    if number == source + 1:
        return charts.line(right / 2, start, right / 2, end, "tw-edge")
    out = right + min(200, 20 + 8 * (number - source))
    middle = 10 + _BOX / 2
    path = (
        f"M{right} {_ROW * source + middle:g}C{out} {_ROW * source + middle:g} "
        f"{out} {_ROW * number + middle:g} {right} {_ROW * number + middle:g}"
    )
    return element("path", d=path, class_="tw-edge")
