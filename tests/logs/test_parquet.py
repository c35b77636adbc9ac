"""Rows of Parquet: damage affects only its own rows, and small files do not take much memory."""

import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from klopt.errors import InputError
from klopt.logs import tables
from klopt.logs.rows import read_rows

MAX_KB = 1_000_000
"""Limit for this process alone: ``ru_maxrss`` would include its parent."""
READ_FILE = """
import sys
from pathlib import Path
from klopt.logs.rows import read_rows
print(sum(len(row.fields["question"]) for row in read_rows(sys.argv[1])))
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.fixture
def read(tmp_path):
    """Writes columns to a file and reads its rows."""
    path = tmp_path / "log.parquet"

    def written(columns, **options):
        parquet.write_table(pa.table(columns, **options), path, row_group_size=200)
        return path

    return lambda columns, **options: list(read_rows(str(written(columns, **options))))


def texts(*values: bytes) -> pa.Array:
    """Return a column of text with any bytes."""
    ends = [sum(map(len, values[:count])) for count in range(len(values) + 1)]
    offsets = pa.py_buffer(b"".join(end.to_bytes(4, "little") for end in ends))
    buffers = [None, offsets, pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


@pytest.mark.parametrize("cut", [b"", b"no parquet", None], ids=["empty", "text", "cut off"])
def test_an_invalid_file_is_refused(tmp_path, cut):
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"id": ["a"]}), path)
    path.write_bytes(path.read_bytes()[:-20] if cut is None else cut)
    with pytest.raises(InputError, match=r"log\.parquet: not a Parquet file: "):
        list(read_rows(str(path)))


def test_a_damaged_row_group_affects_only_its_rows(read, tmp_path):
    path = tmp_path / "log.parquet"
    read({"id": [f"r{number}" for number in range(600)], "answer": ["Ja."] * 600})
    damaged = parquet.ParquetFile(path).metadata.row_group(1).column(1)
    place = damaged.dictionary_page_offset or damaged.data_page_offset
    data = bytearray(path.read_bytes())
    data[place : place + 30] = b"\xff" * 30
    path.write_bytes(data)
    rows = list(read_rows(str(path)))
    assert [row.number for row in rows] == list(range(1, 601))
    assert [row.number for row in rows if row.turn is None] == list(range(201, 401))
    assert rows[200].problem.startswith(f"{path}, row 201: this row group cannot be read: ")
    assert rows[400].id == "r400"


def test_invalid_utf8_is_replaced_with_a_warning(read):
    answers = texts(b"Ja.", b"caf\xe9", b"Nee.")
    rows = read({"id": ["a", "b", "c"], "answer": answers})
    assert [row.turn.answer for row in rows] == ["Ja.", "caf\ufffd", "Nee."]
    warning = "a byte is not UTF-8 and was read as U+FFFD"
    assert [row.warnings for row in rows] == [(), (warning,), ()]


def test_an_unreadable_cell_affects_only_its_row(read):
    pages = pa.ListArray.from_arrays([0, 1, 3, 4], texts(b"Een.", b"Twee.", b"caf\xe9", b"Drie."))
    first, bad, last = read({"id": ["a", "b", "c"], "contexts": pages})
    assert [page.text for page in (*first.turn.pages, *last.turn.pages)] == ["Een.", "Drie."]
    assert "row 2: column \"contexts\" cannot be read: 'utf-8' codec" in bad.problem


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak memory from /proc")
def test_a_repeated_text_is_expanded_once(tmp_path):
    count, chars = 300, 10_000_000
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), ["x" * chars])
    table = pa.table({"question": texts, "answer": ["Ja."] * count})
    path = tmp_path / "log.parquet"
    parquet.write_table(
        table, path, dictionary_pagesize_limit=1 << 30, store_schema=False, compression="gzip"
    )
    assert path.stat().st_size < 20_000
    read = subprocess.run((sys.executable, "-c", READ_FILE, path), capture_output=True, check=True)
    read_chars, peak_kb = map(int, read.stdout.split())
    assert read_chars == count * chars
    assert peak_kb < MAX_KB


def test_a_row_group_beyond_the_limit_affects_only_its_rows(tmp_path, monkeypatch):
    path = tmp_path / "log.parquet"
    rows = [{"question": "Hoe?", "answer": "Zo."}, {"question": "x" * 5_000, "answer": "Zo."}]
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=1)
    monkeypatch.setattr(tables, "PART_LIMIT_BYTES", 1_000)
    first, second = read_rows(str(path))
    assert first.problem is None
    assert "bytes unpacked; the limit is 1,000; write smaller row groups" in second.problem
