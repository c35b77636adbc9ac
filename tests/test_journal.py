"""A journal is held by one process, under its name."""

import pytest

from klopt._internal import files as journal
from klopt._internal.files import Journal


def test_a_second_one_is_refused(tmp_path):
    with Journal(tmp_path / "a") as first:
        first.append(b"x\n")
        with pytest.raises(BlockingIOError):
            Journal(tmp_path / "a")
    with Journal(tmp_path / "a") as second:
        assert second.read() == b"x\n"


def test_a_file_that_its_process_removes_meanwhile_is_refused(tmp_path, monkeypatch):
    """A run that ends removes its journal, between the opening and the locking by another."""
    own = journal.lock

    def lock(path):
        path.unlink()
        return own(path)

    monkeypatch.setattr(journal, "lock", lock)
    with pytest.raises(BlockingIOError):
        Journal(tmp_path / "a")
