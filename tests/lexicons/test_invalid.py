"""Lexicon files with mistakes: each gives all its messages at once."""

from pathlib import Path

import pytest

from klopt.errors import InputError, LexiconError
from klopt.lexicons import read_lexicon
from klopt.lexicons.schema import shapes

FILES = sorted((Path(__file__).parent / "invalid").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_message(file):
    with pytest.raises(LexiconError) as caught:
        read_lexicon(file)
    found = str(caught.value).replace(f"{file.parent}/", "")
    expected = file.with_suffix(".txt").read_text("utf-8").rstrip("\n")
    assert found == expected.replace("{lexicons}", ", ".join(sorted(shapes())))


def test_missing(tmp_path):
    with pytest.raises(InputError, match=r"missing\.toml: there is no such lexicon file"):
        read_lexicon(tmp_path / "missing.toml")
