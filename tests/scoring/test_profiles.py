"""Built-in, valid and invalid profiles, and profiles that extend another."""

import re
import tomllib
from pathlib import Path

import pytest

from klopt import Profile, Scorer
from klopt.errors import ConfigurationError, ProfileError
from klopt.heuristics import ALL
from klopt.scoring.profile import BUILT_IN, Budget, OpinionSettings, source_of
from klopt.scoring.tree import Cut, Term, Weigh, Weighing
from tests.lexicons.written import lexicon_text

INVALID = tomllib.loads(Path(__file__).with_name("invalid.toml").read_text("utf-8"))
SECTIONS = ("profile", "languages", "heuristics", "tree", "evidence", "verdict", "more")
VALID = "\n".join(INVALID["base"].values())


def read(text: str) -> Profile:
    return Profile.read(text, where="test.toml", folder=None)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_profiles_fit_the_schema(name):
    """Loading a built-in profile does not check it, so that pydantic need not be imported."""
    assert Profile.read(source_of(name).text, where=name, folder=None) == Profile.load(name)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_profiles(name):
    profile = Profile.load(name)
    assert profile.name == name
    assert set(profile.languages) == {"en", "nl"}
    cuts = [node.heuristic for node in profile.tree if isinstance(node, Cut)]
    last = profile.tree[-1]
    assert not isinstance(last, Cut)
    assert (
        {*cuts, *last.heuristics} <= set(profile.weights) <= {heuristic.name for heuristic in ALL}
    )
    assert set(profile.evidence) == (set(profile.languages) if isinstance(last, Weigh) else set())
    assert 1 <= profile.block_below <= profile.send_from <= 5
    assert list(profile.message_types) == sorted(profile.message_types)
    assert re.fullmatch(r"[0-9a-f]{64}", profile.digest)


def test_a_valid_profile():
    profile = read(VALID)
    assert profile.weights == {"components_defined": 1.0, "hal": 1.0}
    assert profile.languages["nl"].pipeline == "klopt"
    assert profile.languages["nl"].lexicons == ()
    assert read(VALID.replace('pipeline = "klopt"', "")).languages["nl"].pipeline == "klopt"
    other = VALID.replace('"klopt"', '"nl_core_news_md"')
    assert read(other).languages["nl"].pipeline == "nl_core_news_md"
    assert Profile.load() == Profile.load("default")


def test_a_lexicon_of_another_language_than_its_entry(tmp_path):
    for language in ("nl", "en"):
        text = lexicon_text("company_terms", '[lists]\nterms = ["looncode"]', language)
        (tmp_path / f"{language}.toml").write_text(text)
    text = VALID.replace('pipeline = "klopt"', 'lexicons = ["nl.toml", "en.toml"]')
    with pytest.raises(ProfileError) as caught:
        Profile.read(text, where="test.toml", folder=tmp_path)
    assert str(caught.value) == (
        'test.toml:9: [languages.nl] lexicons entry 2: "en.toml" is for language "en", not "nl"'
    )


WEIGHED = (
    VALID.replace('sum = ["hal"]', 'weigh = ["hal", "components_defined"]').replace(
        "weight = 1.0\n", ""
    )
    + """
[evidence.nl]
base = -1

[evidence.nl.hal]
weight = 2
neutral = 0.25
"""
)


def test_a_valid_profile_with_evidence():
    """A heuristic without evidence in a language has no weight in it."""
    profile = read(WEIGHED)
    assert profile.weights == {"components_defined": 1.0, "hal": 1.0}
    assert profile.evidence == {"nl": Weighing(-1.0, {"hal": Term(2.0, 0.25)})}
    assert profile.tree[-1] == Weigh("sum", ("hal", "components_defined"), {"nl": "De som."})
    assert profile.counts("nl") == {"components_defined": 0.0, "hal": 2.0}


def test_the_digest_does_not_depend_on_line_ends():
    assert read(VALID).digest == read(VALID.replace("\n", "\r\n")).digest
    assert read(VALID).digest != read(VALID + "# one more line\n").digest


@pytest.mark.parametrize("case", INVALID["case"].values(), ids=INVALID["case"])
def test_invalid_profiles(case):
    sections = INVALID["base"] | INVALID.get(case.get("on"), {}) | case
    text = "\n".join(sections[name] for name in SECTIONS if sections.get(name))
    for old, new in case.get("swap", ()):
        assert text.count(old) == 1
        text = text.replace(old, new)
    with pytest.raises(ProfileError) as caught:
        read(text)
    names = ", ".join(sorted(heuristic.name for heuristic in ALL))
    # A line that starts with a number names the line of the file.
    assert str(caught.value).split("\n") == [
        f"test.toml{':' if line[0].isdigit() else ': '}{line}"
        for line in case["expected"].replace("{heuristics}", names).splitlines()
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[", ""),
        ("[verdict]\nsend_from = 3,5", "; write 3.5, with a point"),
        ("send_from = -3,75 # ours\nblock_below = 2", "; write -3.75, with a point"),
        ("a = [3,5]\nb = 3.5,5", ""),
        ("a = 3, 5", ""),
    ],
)
def test_a_file_that_is_not_toml(text, hint):
    with pytest.raises(ProfileError, match=r"^test\.toml: not TOML: .+") as caught:
        read(text)
    assert str(caught.value).partition(")")[2] == hint


@pytest.mark.parametrize("name", ["afsa", None, 3])
def test_an_unknown_profile(name):
    with pytest.raises(ProfileError) as caught:
        Profile.load(name)
    assert str(caught.value) == (
        f'there is no profile "{name}": give one of afas, default, a file, '
        "or a folder with a profile.toml"
    )
    assert isinstance(caught.value, ConfigurationError)


@pytest.mark.parametrize(
    ("table", "settings"),
    [
        ('who = "llm"', OpinionSettings("llm")),
        (
            'who = "llm:statements"\nwhen = "always"\nquestions = 5\nusd = 1\nms = 800',
            OpinionSettings("llm:statements", "always", Budget(5, 1, 800)),
        ),
        ('who = "recorded:anna.jsonl"', OpinionSettings(f"recorded:{Path('here/anna.jsonl')}")),
        (
            'who = "encoder:/nli"\nthreads = 2\nlabels = {LABEL_0 = "supported"}',
            OpinionSettings(f"encoder:{Path('/nli')}", labels={"LABEL_0": "supported"}, threads=2),
        ),
        ('who = "encoder:nli"', OpinionSettings(f"encoder:{Path('here/nli')}")),
    ],
)
def test_settings_of_second_opinions(table, settings):
    text = f"{VALID}\n[opinion]\n{table}\n"
    assert Profile.read(text, where="test.toml", folder=Path("here")).opinion == settings


# Profiles that extend another

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
def test_invalid_profiles_with_a_base(tmp_path, files, message):
    with pytest.raises(ProfileError) as error:
        Profile.load(written(tmp_path, **files))
    assert message in str(error.value)
