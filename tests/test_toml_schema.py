"""The lines of a TOML file's tables, keys and entries, whatever way they are written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from klopt.toml_schema import TomlPath, toml_lines
from tests.conftest import ROOT

FILES = sorted(
    file
    for name in ("klopt", "tests", "data", "training")
    for file in (ROOT / name).rglob("*.toml")
)
TRICKY = """# [no.table]
top = 1
"quoted key" . 'and = this' = "[[x]] # no comment"
inline = { one = 1, "two # 2" = { three = [ { four = 4 } ] } }

[a]   # [b]
text = '''
[no]
key = 1 ""\" '
'''
long = \"\"\"
\\\"\"\" [no]
key = 2\"\"\"\"
list = [
  "one", # ] two
  "]", 'three',
  [
    1, 2,
    3 ],
]
when = 2026-11-22 10:00:00
[[t.s]]
k = 1
[t.s.sub]
k = 1
[[t.s]]
[[t.s.deep]]
[[t.s.deep]]
k = [[], [{ a = 1 },
  { a = 2 }]]
"""


def paths(value: Any, path: TomlPath = ()) -> Iterator[TomlPath]:
    """The path of everything in a table, itself left out."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from paths(part, (*path, key))


def test_lines(snapshot):
    assert {".".join(map(str, path)): line for path, line in toml_lines(TRICKY).items()} == snapshot


def test_nothing_else_has_a_line():
    assert set(toml_lines(TRICKY)) == set(paths(tomllib.loads(TRICKY)))
    assert toml_lines("") == toml_lines("# a = 1\n") == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_of_the_repository(file: Path):
    text = file.read_text("utf-8")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(toml_lines(text)) == set(paths(table))


TEXTS = st.text("ab 1.\"'#[]{}=,\\é\n", max_size=6)
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats() | TEXTS | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_every_part_of_a_file_has_a_line(table: dict[str, Any]):
    text = tomlkit.dumps(table)
    assert set(toml_lines(text)) == set(paths(tomllib.loads(text)))
