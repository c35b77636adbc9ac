"""kill -9 while a company's folder is changed, and no room: all is whole, and the next goes on."""

from __future__ import annotations

import random
import re
import shutil

import pytest

from klopt.company.entries import LexiconEntry, read
from klopt.company.folder import Company
from klopt.company.suggestions import Suggestion, Suggestions
from tests.faults.conftest import assert_told, named
from tests.faults.running import Fault

KILLS = 4
NAMES = [
    Suggestion("nl", "", LexiconEntry("product_names", "allowed", (f"Naam {n}",))) for n in range(3)
]
APPLY = [text for one in NAMES for text in ("--apply", one.id)]
CHANGES = {
    "init": ("init", "--pages", "{read}/nl", "-o", "acme"),
    "update": ("init", "--update", "--pages", "{read}/nl", "-o", "acme"),
    "apply": ("suggest", "acme", *APPLY),
    "allow": ("allow", "acme", "Knop 99"),
    "accept": ("check", "acme", "--log", "{read}/few.jsonl", "--accept"),
}


def stored(folder):
    """What the files of a company say, but for the day on which a lexicon was made."""
    return {
        str(one.relative_to(folder)): re.sub(r".*(retrieved|seconds).*", "", one.read_text("utf-8"))
        for one in folder.rglob("*")
        if one.is_file() and not one.name.endswith(".part")
    }


@pytest.fixture
def made(name, tmp_path, begin):
    """A folder that was made, and the folder in which it is."""
    if name != "init":
        ended = begin(tmp_path, "company", *CHANGES["init"]).end()
        assert ended.code == 0, ended.err
        Suggestions(tmp_path / "acme").joined(NAMES).write()
    return tmp_path


def copied(made, number):
    return shutil.copytree(made, made.parent / f"{made.name}-{number}")


@pytest.mark.parametrize("name", named(dict(zip(CHANGES, CHANGES, strict=True)), "apply"))
def test_what_is_stopped_is_done_by_the_next(name, made, begin):
    undisturbed = copied(made, "whole")
    ended = begin(undisturbed, "company", *CHANGES[name]).end()
    assert ended.code == 0, ended.err
    assert ended.moments
    draw = random.Random(13)
    kills = [Fault(moment=draw.randrange(1, ended.moments + 1)) for _ in range(KILLS)]
    for number, fault in enumerate((*kills, Fault(most_bytes=0))):
        own = copied(made, number)
        stopped = begin(own, "company", *CHANGES[name], fault=fault).end()
        if fault.most_bytes is None:
            assert stopped.code in (-9, 0), stopped.err
        else:
            assert_told(stopped)
        if (own / "acme" / "company.toml").exists():
            Company.open(own / "acme").load()
            Suggestions.read(own / "acme")
            read(own / "acme", "nl")
        again = begin(own, "company", *CHANGES[name]).end()
        if name == "init" and again.code == 2:  # it was whole, but for a word on it
            assert "is there already" in again.err
        else:
            assert again.code == 0, again.err
        assert stored(own / "acme") == stored(undisturbed / "acme")
