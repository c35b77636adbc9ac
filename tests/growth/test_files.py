"""Every file, whatever stands in it, is read in time proportional to its length."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from klopt import Turn
from klopt.batch.claims import compare_claims
from klopt.batch.output import to_json
from klopt.batch.pages import read_pages
from klopt.batch.rows import read_rows
from klopt.bilingual.formats import read_file, read_lines
from klopt.errors import KloptError
from klopt.lexicons import read_lexicon
from klopt.models.transcripts import Transcripts
from tests.growth.growing import Shape, assert_linear, shapes

pytestmark = pytest.mark.slow

CHARS = 100_000


def files(folder: Path, shape: Shape, ending: str) -> Callable[[int], Path]:
    """Files of a shape, of so many characters each."""

    def made(chars: int) -> Path:
        path = folder / f"{chars}{ending}"
        path.write_text(shape.text(chars), encoding="utf-8")
        return path

    return made


def tried(read: Callable[[Path], Any]) -> Callable[[Path], None]:
    """Reads a file, which may be refused."""

    def attempt(path: Path) -> None:
        with suppress(KloptError):
            read(path)

    return attempt


def rows(path: Path) -> None:
    for _ in read_rows(str(path)):
        pass


@shapes("csv")
def test_csv(tmp_path, shape):
    assert_linear(files(tmp_path, shape, ".csv"), CHARS, rows=tried(rows))


@shapes("jsonl")
def test_jsonl(tmp_path, shape):
    assert_linear(
        files(tmp_path, shape, ".jsonl"),
        CHARS,
        rows=tried(rows),
        memory=tried(read_lines),
        transcripts=tried(Transcripts.read),
    )


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def made(count: int) -> Path:
        path = tmp_path / f"{count}.parquet"
        texts = pyarrow.array(["Klik op Opslaan."] * count)
        parquet.write_table(pyarrow.table({"question": texts, "answer": texts}), path)
        return path

    assert_linear(made, 4_000, rows=rows)


@pytest.mark.parametrize("ending", [".po", ".tmx"])
@shapes("po", "tmx")
def test_translations(tmp_path, shape, ending):
    if ending == ".po" or shape.start.startswith("<") or "<" in shape.unit:
        assert_linear(
            files(tmp_path, shape, ending),
            CHARS,
            pairs=tried(lambda path: read_file(path, "nl", "en")),
        )


@shapes("toml")
def test_lexicons(tmp_path, shape):
    assert_linear(files(tmp_path, shape, ".toml"), 20_000, lexicon=tried(read_lexicon))


def test_a_folder_of_pages(tmp_path):
    def made(count: int) -> Path:
        folder = tmp_path / str(count)
        folder.mkdir()
        for number in range(count):
            (folder / f"{number}.md").write_text("De map is leeg.")
        return folder

    def read(folder: Path) -> None:
        pages = read_pages(folder)
        with pytest.raises(KloptError):
            Turn.from_mapping({"contexts": ["weg.md"]}, pages=pages)

    assert_linear(made, 400, pages=read)


@shapes("turns")
@pytest.mark.parametrize("name", ["passage", "claim"])
def test_claims(tmp_path, shape, name):
    def made(chars: int) -> Path:
        texts = {"passage": "Klik op **Opslaan**.", "claim": "Klik op Opslaan.", "language": "nl"}
        path = tmp_path / f"{chars}.jsonl"
        path.write_text(to_json({**texts, name: f"Klik op {shape.text(chars)}"}), encoding="utf-8")
        return path

    assert_linear(made, 10_000, claims=lambda path: list(compare_claims(str(path))))
