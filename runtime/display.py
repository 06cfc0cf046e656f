"""HTML for notebooks and pages: the only module that makes markup and chooses its looks.

    fragment(heading("main"), table(["kernel", "µs"], [["matmul", "3.4"]]))   the output of a cell
    page("Profile", table(…), roofline(…))                                    a separate file

In: plain text, numbers and rows. Out: HTML that needs no other file and no script. Classes that
have data (`Module`, `Schedule`, `Profile`, `NDArray`, …) pass it to these functions in
``_repr_html_``, and `tw profile --html` passes the same parts to `page`; charts.py draws pictures
with `element`. A string is plain text, which `element` escapes, unless it is `Markup`, so a name in
a model cannot become markup. The colors are variables of CSS: dark if the browser asks for it, or
if the notebook or site says so. Each output has its own background, so it is readable on any page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .highlight import highlighted

MOST_LINES = 1000
"""Lines of a text that a notebook shows."""

_LIGHT = (
    "--tw-page:#fff;--tw-text:#1f2328;--tw-faint:#59636e;--tw-line:#d1d9e0;--tw-code:#f6f8fa;"
    "--tw-1:#0072b2;--tw-2:#c04f00;--tw-3:#00795a;--tw-4:#a8447f;--tw-5:#7a5c00;--tw-shade:.16"
)
_DARK = (
    "--tw-page:#131416;--tw-text:#dfe2e6;--tw-faint:#9aa4ae;--tw-line:#3a4149;--tw-code:#1c2024;"
    "--tw-1:#56b4e9;--tw-2:#f0a05a;--tw-3:#4fc79f;--tw-4:#e096c4;--tw-5:#d9c24e;--tw-shade:.26"
)
# Jupyter, the site and VS Code name their theme; it goes before the browser's.
_LIGHT_THEMES = ('[data-jp-theme-light="true"]', '[data-theme="light"]', ".vscode-light")
_DARK_THEMES = ('[data-jp-theme-light="false"]', '[data-theme="dark"]', ".vscode-dark")

_AREAS = "".join(
    f".tw-area{n}{{fill:var(--tw-{n});fill-opacity:var(--tw-shade);stroke:var(--tw-{n})}}"
    f".tw-solid{n}{{fill:var(--tw-{n});stroke:var(--tw-page)}}"
    for n in range(1, 6)
)

_THEMES = f"""
.tilewright{{{_LIGHT}}}
@media(prefers-color-scheme:dark){{.tilewright{{{_DARK}}}}}
{",".join(f"{theme} .tilewright" for theme in _LIGHT_THEMES)}{{{_LIGHT}}}
{",".join(f"{theme} .tilewright" for theme in _DARK_THEMES)}{{{_DARK}}}
"""
# & stands for the output, with its class twice: the selectors of Jupyter name two classes.
_OUTPUTS = """
div.tilewright{color:var(--tw-text);background:var(--tw-page);padding:.5em;line-height:1.45;
font-family:system-ui,sans-serif;font-size:14px}
& h1,& h2,& h3{margin:.8em 0 .4em;color:var(--tw-text)}
& p{margin:.4em 0} & .tw-faint{color:var(--tw-faint)}
& .tw-scroll{overflow:auto;max-width:100%}
& tbody tr:nth-child(n){background:none}
& table{border-collapse:collapse;margin:.4em 0;color:var(--tw-text)}
& th,& td{padding:.2em .8em .2em 0;text-align:right;vertical-align:top;
border:0;border-bottom:1px solid var(--tw-line);background:none;font-size:13px}
& th.tw-name,& td.tw-name{text-align:left;min-width:6em}
& code,& pre{font-family:ui-monospace,monospace;font-size:12.5px;
color:var(--tw-text);background:none}
& summary{white-space:nowrap}
& pre{background:var(--tw-code);padding:.6em;margin:.2em 0;overflow:auto;
max-height:40em;line-height:1.35;white-space:pre}
& .tw-columns{display:flex;flex-wrap:wrap;gap:0 1em}
& .tw-columns>div{flex:1 1 24em;min-width:0}
.tw-comment{color:var(--tw-faint);font-style:italic} .tw-string{color:var(--tw-3)}
.tw-value{color:var(--tw-1)} .tw-symbol{color:var(--tw-4)} .tw-op{font-weight:600}
.tw-label,.tw-attribute{color:var(--tw-5)} .tw-type{color:var(--tw-3)}
.tw-number,.tw-constant{color:var(--tw-2)}
.tw-scroll svg.tilewright{min-width:36em}
"""
PICTURE_STYLE = f"""{_THEMES}
svg.tilewright{{max-width:100%;height:auto;background:var(--tw-page)}}
svg.tilewright text{{font:12px system-ui,sans-serif;fill:var(--tw-text)}}
svg.tilewright text.tw-faint{{fill:var(--tw-faint)}}
svg.tilewright .tw-line{{stroke:var(--tw-line);fill:none}}
svg.tilewright .tw-edge{{stroke:var(--tw-text);stroke-width:1.6;fill:none}}
{_AREAS}
"""
"""The style sheet of pictures; its classes begin with ``tw-``, except for the outermost one."""

STYLE = PICTURE_STYLE + _OUTPUTS.replace("&", "div.tilewright.tilewright")
"""The style sheet of all outputs."""


class Markup(str):
    """A text in HTML or SVG; a plain text, in contrast, has to be escaped."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Markup:
    """Return an HTML element; children and values of attributes are escaped unless they are Markup.

    attributes: by name; an underscore in a name stands for a hyphen, and an underscore at its end
    is dropped: ``class_="label"`` sets the attribute ``class``. Numbers have two digits after the
    point.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_shown(value))}"'
        for key, value in attributes.items()
    )
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>")


def joined(*parts: object) -> Markup:
    """Concatenate strings and `Markup`; escape the strings."""
    return Markup("".join(p if isinstance(p, Markup) else escape(_shown(p)) for p in parts))


def _shown(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def heading(*parts: object, level: int = 3) -> Markup:
    """Return a heading that contains some parts; ``level`` 1 is the largest."""
    return element(f"h{level}", *parts)


def paragraph(*parts: object, is_faint: bool = False) -> Markup:
    """Return a paragraph that contains some parts.

    is_faint: whether to print it in a weak color, as a remark.
    """
    return element("p", *parts, **({"class_": "tw-faint"} if is_faint else {}))


def code(text: object) -> Markup:
    """Return a text in the font of code, for use within a line."""
    return element("code", text)


def table(
    columns: Sequence[object], rows: Iterable[Sequence[object]], *, names: Iterable[int] = (0,)
) -> Markup:
    """Return a table with a head.

    columns: the head of each column.  rows: the cells of each row.  names: the positions of the
    columns that contain text, which is aligned left; other columns contain numbers.
    """
    left = frozenset(names)

    def line(tag: str, cells: Sequence[object]) -> Markup:
        made = [
            element(tag, cell, **({"class_": "tw-name"} if number in left else {}))
            for number, cell in enumerate(cells)
        ]
        return element("tr", *made)

    head = element("thead", line("th", columns))
    body = element("tbody", *(line("td", row) for row in rows))
    return scrolled(element("table", head, body))


def scrolled(wide: Markup) -> Markup:
    """Return a table or picture in a box that scrolls if it is wider than the screen."""
    return element("div", wide, class_="tw-scroll")


def folded(names: Sequence[str]) -> Markup:
    """Return the first of several names, in a control that shows all names on a click."""
    if len(names) < 2:
        return joined(*names)
    first = element("summary", f"{names[0]} and {len(names) - 1} more")
    return element("details", first, ", ".join(names))


def source(text: str, language: str = "") -> Markup:
    """Return the text of a program, highlighted; a text of more than `MOST_LINES` lines is cut.

    language: the kind of text, as for `highlight.tokens`.
    """
    lines = text.splitlines(keepends=True)
    shown = element("pre", Markup(highlighted("".join(lines[:MOST_LINES]), language)))
    if (rest := len(lines) - MOST_LINES) <= 0:
        return shown
    return joined(shown, paragraph(f"… and {rest:,} more lines: print it", is_faint=True))


def side_by_side(**parts: Markup) -> Markup:
    """Return pieces of markup in columns; on a narrow screen, below each other.

    parts: each piece, by the text of its heading.
    """
    columns = [element("div", heading(name), part) for name, part in parts.items()]
    return element("div", *columns, class_="tw-columns")


def fragment(*parts: Markup) -> Markup:
    """Return parts as the output of a notebook cell, with their style sheet."""
    return element("div", element("style", Markup(STYLE)), *parts, class_="tilewright")


def page(title: str, *parts: Markup) -> str:
    """Return parts as the text of an HTML file."""
    body = element("div", heading(title, level=1), *parts, class_="tilewright")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
{element("title", title)}
<style>{STYLE}
body{{margin:0}} body>.tilewright{{max-width:60em;margin:0 auto;padding:1em;min-height:100vh;
box-sizing:border-box}} html{{background:#fff}}
@media(prefers-color-scheme:dark){{html{{background:#131416}}}}</style>
</head>
<body>
{body}
</body>
</html>
"""


def byte_text(size_bytes: float) -> str:
    """Return a number of bytes as text for a reader, such as ``1.5 MB``."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if size_bytes < 1000:
            return f"{size_bytes:.0f} {unit}" if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.1f} TB"
