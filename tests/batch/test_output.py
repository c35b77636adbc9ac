"""Results as JSON lines: whole or not at all, and always readable again."""

from __future__ import annotations

import json
import os
import stat
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.batch.output import to_json, whole_binary

TEXTS = st.text(st.characters(codec=None, exclude_categories=()))


@given(st.dictionaries(TEXTS, TEXTS | st.none() | st.floats(allow_nan=False, allow_infinity=False)))
def test_any_row_survives_the_round_trip_in_one_line_of_utf8(row):
    line = to_json(row)
    assert "\n" not in line
    assert json.loads(line.encode("utf-8")) == row


def test_lone_surrogates_stay_escaped_and_other_text_stays_text():
    assert to_json({"id": "é\ud800"}) == r'{"id": "\u00e9\ud800"}'
    assert to_json({"id": "é\U0001f511"}) == '{"id": "é\U0001f511"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"score": float("nan")})


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    with whole_binary(path) as file:
        file.write(b"a\n")
        assert not path.exists()
        file.write(b"b\n")
    assert path.read_bytes() == b"a\nb\n"
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError, GeneratorExit])
def test_a_run_that_is_broken_off_leaves_what_was_there(tmp_path, error, old):
    path = tmp_path / "out.jsonl"
    if old is not None:
        path.write_text(old)

    def run():
        with whole_binary(path) as file:
            file.write(b"a")
            raise error

    with pytest.raises(error):
        run()
    assert [one.read_text() for one in tmp_path.iterdir()] == ([] if old is None else [old])


def test_ctrl_c_while_the_file_is_made_leaves_nothing_either(tmp_path, monkeypatch):
    made = []

    def interrupted(path, *_args):
        path.touch()
        made.append(path)
        raise KeyboardInterrupt

    monkeypatch.setattr("klopt.batch.output._Sink", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_binary(tmp_path / "out.jsonl"):
        pass
    assert made
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_the_file_has_the_mode_that_the_umask_gives(tmp_path):
    before = os.umask(0o027)
    try:
        with whole_binary(tmp_path / "out.jsonl"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="devices are of POSIX")
def test_a_device_is_written_to_and_not_replaced_by_a_file(tmp_path):
    """``-o /dev/null`` as root must not take the device away from the machine."""
    sink = tmp_path / "sink"
    sink.symlink_to(os.devnull)
    with whole_binary(sink) as file:
        file.write(b"a")
    assert sink.is_symlink()
    assert not sink.is_file()


def test_standard_output_gets_utf8_whatever_the_locale(capfdbinary, monkeypatch):
    with (
        open(sys.stdout.fileno(), "w", encoding="ascii", closefd=False) as ascii_output,
        monkeypatch.context() as patch,
    ):
        patch.setattr(sys, "stdout", ascii_output)
        with whole_binary(None) as file:
            file.write("één".encode())
    assert capfdbinary.readouterr().out == "één".encode()
