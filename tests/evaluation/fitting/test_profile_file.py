"""The file of a fitted profile: fitted values are read back, and the rest is unchanged."""

import dataclasses
import tomllib

from klopt import Profile
from klopt.evaluation.fitting.fitting import FittedThresholds, FittedWeights, extension, to_toml
from klopt.scoring.profile import source_of
from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import PROFILE, profile

SMALL = profile()
NEW = Weighing(-0.125, {"components_defined": Term(0.5, 1.0), "statements_hold": Term(12.0, 0.333)})


def fitted() -> FittedWeights:
    """Weights with new Dutch evidence."""
    return FittedWeights(SMALL.tree, {**SMALL.evidence, "nl": NEW})


def written(
    found: FittedWeights | None = None,
    *,
    base: str = PROFILE,
    head: tuple[str, ...] = ("VerifierWeights.",),
    name: str = "new",
) -> str:
    return to_toml(base, found or fitted(), languages=("nl",), name=name, head=head)


def test_fitted_weights_are_read_back():
    found = fitted()
    read = profile(written(found))
    assert (read.name, read.tree, read.evidence) == ("new", found.tree, found.evidence)
    same = dataclasses.replace(
        read, name=SMALL.name, tree=SMALL.tree, evidence=SMALL.evidence, digest=SMALL.digest
    )
    assert same == SMALL


def test_hashes_of_fitted_rows_are_read_back():
    """New hashes replace those of the fitted language; those of the other language stay."""
    first = {"nl": frozenset({b"abcd"}), "en": frozenset({b"efgh"})}
    rows = dataclasses.replace(fitted(), evidence=SMALL.evidence, rows=first)
    text = to_toml(PROFILE, rows, languages=("nl", "en"), name="first", head=())
    assert profile(text).learnt_from == first
    second = {"nl": frozenset(bytes([number] * 4) for number in range(200))}
    again = written(dataclasses.replace(fitted(), rows=second), base=text)
    assert profile(again).learnt_from == {**first, **second}
    assert max(map(len, again.splitlines())) < 100
    assert profile(written(base=text)).learnt_from == {"en": first["en"]}
    assert written(base=again) == written(base=text)


def test_an_extension_contains_only_fitted_values(tmp_path):
    own, other = tmp_path / "acme" / "profile.toml", tmp_path / "deep" / "er" / "ours.toml"
    for one in (own, other):
        one.parent.mkdir(parents=True)
    own.write_text(PROFILE, "utf-8")
    base = extension(source_of(own.parent), other.parent)
    text = written(dataclasses.replace(fitted(), thresholds=FittedThresholds(1.5, 2.5)), base=base)
    table = tomllib.loads(text)
    assert table["profile"]["extends"] == "../../acme/profile.toml"
    assert set(table) == {"profile", "evidence", "verdict"}
    other.write_text(text, "utf-8")
    read = Profile.load(other)
    assert (read.name, read.tree, read.evidence) == ("new", SMALL.tree, fitted().evidence)
    assert (read.block_below, read.send_from) == (1.5, 2.5)
