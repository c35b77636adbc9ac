"""A small file that expands to gigabytes uses bounded memory, or is refused."""

import gzip
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from klopt.errors import InputError
from klopt.logs import formats, tables
from klopt.logs.rows import read_rows

MOST_KB = 1_000_000
"""Limit for this process alone: ``ru_maxrss`` would include its parent."""
READ_FILE = """
import sys
from pathlib import Path
from klopt.logs.rows import read_rows
print(sum(len(row.fields["question"]) for row in read_rows(sys.argv[1])))
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.csv.gz"])
def test_a_compressed_line_without_end_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "LINE_LIMIT_CHARS", 3 * formats.ROW_LIMIT_CHARS)
    path = tmp_path / name
    with gzip.open(path, "wb", 1) as file:
        file.write(b"question,answer\n")
        for _ in range(5):
            file.write(b" " * formats.ROW_LIMIT_CHARS)
    with pytest.raises(InputError, match=r"log\.\w+\.gz: no line end in 30,000,000"):
        list(read_rows(str(path)))


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
    assert peak_kb < MOST_KB


def test_a_row_group_beyond_the_limit_affects_only_its_rows(tmp_path, monkeypatch):
    path = tmp_path / "log.parquet"
    rows = [{"question": "Hoe?", "answer": "Zo."}, {"question": "x" * 5_000, "answer": "Zo."}]
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=1)
    monkeypatch.setattr(tables, "PART_LIMIT_BYTES", 1_000)
    first, second = read_rows(str(path))
    assert first.problem is None
    assert "bytes unpacked; the limit is 1,000; write smaller row groups" in second.problem
