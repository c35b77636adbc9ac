"""``klopt judge`` by words alone: rows, agreement and table; what is told is in `test_lines`."""

import re

import pytest

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def judge(klopt, tmp_path, write):
    def run(rows, *options, **settings):
        return klopt("judge", write(tmp_path / "log.jsonl", *rows), *options, **settings)

    return run


def test_the_demo_company(klopt):
    run = klopt("judge", "--demo")
    assert (run.code, len(run.rows)) == (0, 31)
    assert {one["status"] for one in run.rows} == {"scored"}
