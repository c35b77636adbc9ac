"""A learnt profile as a file: what was learnt reads back, and all else stays as it was."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from pathlib import Path

import pytest

from klopt import Profile
from klopt.scoring.profile import source_of
from klopt.scoring.tree import Term, Weighing
from klopt.tuning.fitting import LearntWeights
from klopt.tuning.lines import DrawnLines
from klopt.tuning.profile_file import extension, to_toml
from tests.tuning.judged import PROFILE, profile

SMALL = profile()
NEW = Weighing(-0.125, {"components_defined": Term(0.5, 1.0), "statements_hold": Term(12.0, 0.333)})


def learnt() -> LearntWeights:
    """New Dutch evidence."""
    return LearntWeights(SMALL.tree, {**SMALL.evidence, "nl": NEW})


def written(
    found: LearntWeights | None = None,
    *,
    base: str = PROFILE,
    head: tuple[str, ...] = ("Learnt.",),
    name: str = "new",
) -> str:
    return to_toml(base, found or learnt(), languages=("nl",), name=name, head=head)


def test_it_reads_back():
    found = learnt()
    read = profile(written(found))
    assert (read.name, read.tree, read.evidence) == ("new", found.tree, found.evidence)
    same = dataclasses.replace(
        read, name=SMALL.name, tree=SMALL.tree, evidence=SMALL.evidence, digest=SMALL.digest
    )
    assert same == SMALL


def test_what_it_was_learnt_from_reads_back():
    """Hashes take the place of those of the language that was learnt; the other's stay."""
    first = {"nl": frozenset({b"abcd"}), "en": frozenset({b"efgh"})}
    rows = dataclasses.replace(learnt(), evidence=SMALL.evidence, rows=first)
    text = to_toml(PROFILE, rows, languages=("nl", "en"), name="first", head=())
    assert profile(text).learnt_from == first
    second = {"nl": frozenset(bytes([number] * 4) for number in range(200))}
    again = written(dataclasses.replace(learnt(), rows=second), base=text)
    assert profile(again).learnt_from == {**first, **second}
    assert max(map(len, again.splitlines())) < 100
    assert profile(written(base=text)).learnt_from == {"en": first["en"]}
    assert written(base=again) == written(base=text)


def test_all_else_stays_to_the_letter():
    before, after = PROFILE.splitlines(), written().splitlines()
    changes = [line for line in difflib.ndiff(before, after) if line[:2] in ("- ", "+ ")]
    assert sorted(changes) == sorted(CHANGES)


CHANGES = [
    "- # What this profile was",
    "- # learnt from.",
    "+ # Learnt.",
    '- name = "small"',
    '+ name = "new"',
    '- source = "ours"',
    '+ source = "learnt by klopt fit; the comment above says from what"',
    "- base = 0.5",
    "+ base = -0.125",
    "- weight = 1.5",
    "+ weight = 0.5",
    "- neutral = 0.75",
    "+ neutral = 1.0",
    "+ [evidence.nl.statements_hold]",
    "+ weight = 12.0",
    "+ neutral = 0.333",
    "+ ",
]


@pytest.mark.parametrize(
    "hostile",
    [
        'rated.jsonl\n[verdict]\nblock_below = 1.0\nsend_from = 1.0\n"',
        "\x00\x07\x1b[2J\x7f\x9b.jsonl",
        "rated\x0b\x0c\x1c\x1d\x85.jsonl",
        "rated\ud800.jsonl",
    ],
)
def test_a_hostile_file_name_stays_in_its_comment(hostile: str):
    text = written(head=(f"  44 judged answers ({hostile}, x)", "Next."))
    assert profile(text).send_from == SMALL.send_from
    first, second, third, *_ = text.splitlines()
    assert first.startswith("#   44 judged answers (")
    assert first.endswith(", x)")
    assert (second, third) == ("# Next.", "[profile]")
    text.encode("utf-8")


def test_an_extension_says_only_what_was_learnt(tmp_path: Path):
    own, other = tmp_path / "acme" / "profile.toml", tmp_path / "deep" / "er" / "ours.toml"
    for one in (own, other):
        one.parent.mkdir(parents=True)
    own.write_text(PROFILE, "utf-8")
    base = extension(source_of(own.parent), other.parent)
    text = written(dataclasses.replace(learnt(), lines=DrawnLines(1.5, 2.5)), base=base)
    table = tomllib.loads(text)
    assert table["profile"]["extends"] == "../../acme/profile.toml"
    assert set(table) == {"profile", "evidence", "verdict"}
    other.write_text(text, "utf-8")
    read = Profile.load(other)
    assert (read.name, read.tree, read.evidence) == ("new", SMALL.tree, learnt().evidence)
    assert (read.block_below, read.send_from) == (1.5, 2.5)
