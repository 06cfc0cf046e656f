"""Names in text: non-ASCII names are printed as bytes, and parsed back."""

from __future__ import annotations

import pytest
from xdsl.utils.exceptions import ParseError

from ..passes.schedule.kernels import parse

TEXT = """
te.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) {
  te.compute @c ["NAME": 4] ins(%x["NAME"] : memref<4xf32>) outs(%y["NAME"] : memref<4xf32>)
    body(%v: f32) { te.yield %v : f32 }
  te.return
}
sched.script @k {
  %c = sched.match {name = "NAME"}
}"""


@pytest.mark.parametrize("name", ["größe", "名前", "\N{GRINNING FACE}", "a b", "affine_map"])
def test_any_name_is_parsed_back(name: str) -> None:
    text = str(parse(TEXT.replace("NAME", name)))
    assert str(parse(text)) == text
    assert str(parse(TEXT.replace("NAME", "plain"))) != text


def test_a_name_is_utf_8() -> None:
    with pytest.raises(ParseError, match="a name is UTF-8"):
        parse(TEXT.replace("NAME", r"\E5"))
