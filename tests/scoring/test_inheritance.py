"""Profiles that extend another, and the profile of a company's folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from klopt import Scorer, Turn
from klopt.errors import ProfileError
from klopt.scoring.profile import Profile
from klopt.scoring.tree import printed
from tests.lexicons.written import lexicon_text

OWN = '[profile]\nname = "ours"\nextends = "default"\n'
NAMES = lexicon_text("product_names", '[lists]\nallowed = ["Urenbriefje"]\ndenied = ["Vogelplan"]')


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_says_only_what_differs(tmp_path: Path):
    folder = written(tmp_path, profile=OWN + "[verdict]\nsend_from = 4.6\n")
    ours, base = Profile.load(folder), Profile.load("default")
    assert (ours.name, ours.send_from, ours.block_below) == ("ours", 4.6, base.block_below)
    assert (ours.tree, ours.evidence, ours.review_on) == (base.tree, base.evidence, base.review_on)
    assert Profile.load(folder / "profile.toml") == ours


def test_lexicons_join_and_evidence_of_a_language_is_replaced(tmp_path: Path):
    folder = written(
        tmp_path,
        nl__names=NAMES,
        nl__more=NAMES.replace("product_names", "company_terms").replace(
            'allowed = ["Urenbriefje"]\ndenied = ["Vogelplan"]', 'terms = ["uren"]'
        ),
        profile=OWN + '[languages.nl]\nlexicons = ["nl/names.toml"]\n',
        sub__customers='[profile]\nname = "customers"\nextends = "../profile.toml"\n'
        '[languages.nl]\nlexicons = ["../nl/more.toml"]\n'
        "[evidence.nl]\nbase = 1.0\n[evidence.nl.step_order]\nweight = 2.0\nneutral = 0.5\n",
    )
    found = Profile.load(folder / "sub" / "customers.toml")
    assert [one.name for one in found.languages["nl"].lexicons] == ["names.toml", "more.toml"]
    assert all(one.is_file() for one in found.languages["nl"].lexicons)
    assert set(found.evidence["nl"].terms) == {"step_order"}
    assert found.evidence["en"] == Profile.load("default").evidence["en"]
    Scorer(found).prepare("nl")


def test_digest_hangs_on_what_is_extended(tmp_path: Path):
    folder = written(
        tmp_path, profile=OWN, customers='[profile]\nname = "c"\nextends = "profile.toml"\n'
    )
    before = Profile.load(folder / "customers.toml").digest
    written(folder, profile=OWN + "[verdict]\nsend_from = 4.6\n")
    assert Profile.load(folder / "customers.toml").digest != before


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"profile": OWN.replace('"default"', '"defualt"')}, 'there is no profile "'),
        ({"profile": OWN.replace('"default"', "3")}, "[profile] extends: 3 is not text"),
        ({"profile": OWN.replace('name = "ours"', "")}, "[profile] name: missing"),
        ({"profile": OWN.replace("default", "profile.toml")}, "extends this profile in turn"),
        ({"profile": OWN.replace("default", "other.toml"),
          "other": OWN.replace("default", "profile.toml")}, "extends this profile in turn"),
        ({"profile": OWN + "[verdict]\nsend_from = 2.0\n"}, "profile.toml:4: [verdict]: block_b"),
        ({"profile": OWN.replace("default", "other.toml"), "other": OWN + "[verdict]\nsend = 1"},
         "other.toml:5: [verdict] send: unknown key"),
        ({"profile": "[profile]\nextends = 'default'\n[languages]\nnl = 3"}, "languages"),
        ({"profile": OWN + "[languages.nl]\nlexicons = 3\n"}, "profile.toml:5: [languages.nl]"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path: Path, files: dict[str, str], said: str):
    with pytest.raises(ProfileError) as error:
        Profile.load(written(tmp_path, **files))
    assert said in str(error.value)


def test_profiles_extend_eight_others_at_most(tmp_path: Path):
    for number in range(12):
        text = OWN.replace("default", f"p{number + 1}.toml" if number < 11 else "default")
        written(tmp_path, **{f"p{number}": text})
    with pytest.raises(ProfileError, match="over 8 profiles"):
        Profile.load(tmp_path / "p0.toml")
    Profile.load(tmp_path / "p6.toml")


def test_a_denied_name_is_never_sent_and_an_allowed_one_is_no_fault(tmp_path: Path):
    names = '[heuristics.denied_names]\n[languages.nl]\nlexicons = ["nl/names.toml"]\n'
    lines = '[verdict]\nreview_on = ["components_defined", "denied_names"]\n'
    scorer = Scorer.load(written(tmp_path, profile=OWN + names + lines, nl__names=NAMES))
    page = "# Uren\n\n1. Open **Vogelplan**.\n2. Klik op **Opslaan**.\n"
    said = "1. Open **Vogelplan**.\n2. Klik op **Opslaan**."
    denied = scorer.score(Turn("Hoe sla ik uren op?", said, [page], language="nl"))
    assert (denied.stars, denied.verdict) == (4, "review")
    assert printed(denied.score) == pytest.approx(scorer.profile.send_from - 0.1)
    assert "Het bedrijf wil “Vogelplan” niet in een antwoord." in denied.explanation
    said = "Uren slaat u op in Vogelplan, dat elke nacht een kopie van alles naar de maan stuurt."
    doubtful = Turn("Hoe sla ik uren op?", said, [page], language="nl")
    for block_below, send_from in ((1.5, 4.95), (4.9, 4.95)):
        profile = dataclasses.replace(scorer.profile, block_below=block_below, send_from=send_from)
        found = Scorer(profile).score(doubtful)
        assert found.verdict == "review"
        assert "Het bedrijf wil “Vogelplan” niet in een antwoord." in found.explanation
    turn = Turn("Hoe sla ik uren op?", "Klik op **Urenbriefje**.", [page], language="nl")
    assert not scorer.profile.faulty(scorer.score(turn).measurements)
    assert Scorer.load().profile.faulty(Scorer.load().score(turn).measurements)
