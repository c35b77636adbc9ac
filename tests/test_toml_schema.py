"""The line numbers of all tables, keys and entries of a TOML file."""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal.toml_schema import TomlPath, toml_lines
from tests.conftest import ROOT

FILES = sorted(
    file
    for name in ("klopt", "tests", "data", "training")
    for file in (ROOT / name).rglob("*.toml")
)
TRICKY = (ROOT / "tests" / "tricky.toml").read_text("utf-8")


def paths(value: Any, path: TomlPath = ()) -> Iterator[TomlPath]:
    """The paths of all keys and entries of a table."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from paths(part, (*path, key))


def test_line_numbers(snapshot):
    assert {".".join(map(str, path)): line for path, line in toml_lines(TRICKY).items()} == snapshot


def test_exactly_the_keys_of_the_files_of_the_repository_have_a_line():
    assert toml_lines("") == toml_lines("# a = 1\n") == {}
    for file in FILES:
        text = file.read_text("utf-8")
        with suppress(tomllib.TOMLDecodeError):
            expected = set(paths(tomllib.loads(text)))
            assert set(toml_lines(text)) == expected, file


TEXTS = st.text("ab 1.\"'#[]{}=,\\é\n", max_size=6)
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats() | TEXTS | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_exactly_the_keys_of_any_file_have_a_line(table):
    text = tomlkit.dumps(table)
    assert set(toml_lines(text)) == set(paths(tomllib.loads(text)))
