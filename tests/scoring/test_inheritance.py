"""Profiles that extend another profile, and profiles in a folder."""

from pathlib import Path

import pytest

from klopt import Scorer
from klopt.errors import ProfileError
from klopt.scoring.profile import Profile
from tests.lexicons.written import lexicon_text

OWN = '[profile]\nname = "ours"\nextends = "default"\n'
NAMES = lexicon_text("product_names", '[lists]\nallowed = ["Urenbriefje"]\ndenied = ["Vogelplan"]')


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_a_profile_overrides_values_of_its_base(tmp_path):
    folder = written(tmp_path, profile=OWN + "[verdict]\nsend_from = 4.6\n")
    ours, base = Profile.load(folder), Profile.load("default")
    assert (ours.name, ours.send_from, ours.block_below) == ("ours", 4.6, base.block_below)
    assert (ours.tree, ours.evidence, ours.review_on) == (base.tree, base.evidence, base.review_on)
    assert Profile.load(folder / "profile.toml") == ours


def test_lexicons_are_added_and_evidence_of_a_language_is_replaced(tmp_path):
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
    assert [path.name for path in found.languages["nl"].lexicons] == ["names.toml", "more.toml"]
    assert all(path.is_file() for path in found.languages["nl"].lexicons)
    assert set(found.evidence["nl"].terms) == {"step_order"}
    assert found.evidence["en"] == Profile.load("default").evidence["en"]
    Scorer(found).prepare("nl")


def test_the_digest_depends_on_the_base(tmp_path):
    folder = written(
        tmp_path, profile=OWN, customers='[profile]\nname = "c"\nextends = "profile.toml"\n'
    )
    before = Profile.load(folder / "customers.toml").digest
    written(folder, profile=OWN + "[verdict]\nsend_from = 4.6\n")
    assert Profile.load(folder / "customers.toml").digest != before


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"profile": OWN.replace('"default"', '"defualt"')}, 'there is no profile "'),
        ({"profile": OWN.replace('"default"', "3")}, "[profile] extends: 3 is not text"),
        ({"profile": OWN.replace('name = "ours"', "")}, "[profile] name: missing"),
        ({"profile": OWN.replace("default", "profile.toml")}, "extends this profile in turn"),
        ({"profile": OWN.replace("default", "other.toml"),
          "other": OWN.replace("default", "profile.toml")}, "extends this profile in turn"),
        ({"profile": OWN + "[verdict]\nsend_from = 1.5\n"}, "profile.toml:4: [verdict]: block_b"),
        ({"profile": OWN.replace("default", "other.toml"), "other": OWN + "[verdict]\nsend = 1"},
         "other.toml:5: [verdict] send: unknown key"),
        ({"profile": "[profile]\nextends = 'default'\n[languages]\nnl = 3"}, "languages"),
        ({"profile": OWN + "[languages.nl]\nlexicons = 3\n"}, "profile.toml:5: [languages.nl]"),
    ],
)  # fmt: skip
def test_invalid_profiles(tmp_path, files, message):
    with pytest.raises(ProfileError) as error:
        Profile.load(written(tmp_path, **files))
    assert message in str(error.value)
