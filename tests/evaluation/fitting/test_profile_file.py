"""A learnt profile as a file: what was learnt reads back, and all else stays as it was."""

import dataclasses
import tomllib

from klopt import Profile
from klopt.evaluation.fitting.fitting import FittedThresholds, FittedWeights
from klopt.evaluation.fitting.profile_file import extension, to_toml
from klopt.scoring.profile import source_of
from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import PROFILE, profile

SMALL = profile()
NEW = Weighing(-0.125, {"components_defined": Term(0.5, 1.0), "statements_hold": Term(12.0, 0.333)})


def learnt() -> FittedWeights:
    """New Dutch evidence."""
    return FittedWeights(SMALL.tree, {**SMALL.evidence, "nl": NEW})


def written(
    found: FittedWeights | None = None,
    *,
    base: str = PROFILE,
    head: tuple[str, ...] = ("VerifierWeights.",),
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


def test_an_extension_says_only_what_was_learnt(tmp_path):
    own, other = tmp_path / "acme" / "profile.toml", tmp_path / "deep" / "er" / "ours.toml"
    for one in (own, other):
        one.parent.mkdir(parents=True)
    own.write_text(PROFILE, "utf-8")
    base = extension(source_of(own.parent), other.parent)
    text = written(dataclasses.replace(learnt(), thresholds=FittedThresholds(1.5, 2.5)), base=base)
    table = tomllib.loads(text)
    assert table["profile"]["extends"] == "../../acme/profile.toml"
    assert set(table) == {"profile", "evidence", "verdict"}
    other.write_text(text, "utf-8")
    read = Profile.load(other)
    assert (read.name, read.tree, read.evidence) == ("new", SMALL.tree, learnt().evidence)
    assert (read.block_below, read.send_from) == (1.5, 2.5)
