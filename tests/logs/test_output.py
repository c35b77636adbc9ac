"""Results as JSON lines: complete or not written, and readable."""

import json
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal.files import to_json, whole_binary

TEXTS = st.text(st.characters(codec=None, exclude_categories=()))


@given(st.dictionaries(TEXTS, TEXTS | st.none() | st.floats(allow_nan=False, allow_infinity=False)))
def test_any_row_is_one_line_of_utf8_and_read_back(row):
    line = to_json(row)
    assert "\n" not in line
    assert json.loads(line.encode("utf-8")) == row


def test_lone_surrogates_stay_escaped_and_other_text_stays_text():
    assert to_json({"id": "é\ud800"}) == r'{"id": "\u00e9\ud800"}'
    assert to_json({"id": "é\U0001f511"}) == '{"id": "é\U0001f511"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"score": float("nan")})


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError, GeneratorExit])
def test_an_interrupted_run_leaves_the_old_file(tmp_path, error, old):
    path = tmp_path / "out.jsonl"
    if old is not None:
        path.write_text(old)

    def run():
        with whole_binary(path) as file:
            file.write(b"a")
            assert path.exists() == (old is not None)
            raise error

    with pytest.raises(error):
        run()
    assert [one.read_text() for one in tmp_path.iterdir()] == ([] if old is None else [old])


@pytest.mark.skipif(os.name != "posix", reason="devices are of POSIX")
def test_a_device_is_not_replaced_by_a_file(tmp_path):
    """``-o /dev/null`` as root must not replace the device."""
    sink = tmp_path / "sink"
    sink.symlink_to(os.devnull)
    with whole_binary(sink) as file:
        file.write(b"a")
    assert sink.is_symlink()
    assert not sink.is_file()


def test_standard_output_is_utf8_in_any_locale(capfdbinary, monkeypatch):
    with (
        open(sys.stdout.fileno(), "w", encoding="ascii", closefd=False) as ascii_output,
        monkeypatch.context() as patch,
    ):
        patch.setattr(sys, "stdout", ascii_output)
        with whole_binary(None) as file:
            file.write("één".encode())
    assert capfdbinary.readouterr().out == "één".encode()
