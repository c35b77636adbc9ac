"""Profiles: the built-in ones load, and what is wrong with a file is told whole."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from klopt import Profile
from klopt.errors import ConfigurationError, ProfileError
from klopt.heuristics import ALL
from klopt.scoring.profile import BUILT_IN, Budget, OpinionSettings, TranslateSettings, profile_text
from klopt.scoring.tree import Cut, Term, Weigh, Weighing
from tests.lexicons.written import lexicon_text

INVALID = tomllib.loads(Path(__file__).with_name("invalid.toml").read_text("utf-8"))
SECTIONS = ("profile", "languages", "heuristics", "tree", "evidence", "verdict", "more")
VALID = "\n".join(INVALID["base"].values())
HAL = "[heuristics.hal]\nweight = 1.0"


def read(text: str) -> Profile:
    return Profile.read(text, where="test.toml", folder=None)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_fits_its_schema(name: str):
    """Loading a built-in profile does not check it, so that pydantic need not be imported."""
    assert Profile.read(profile_text(name), where=name, folder=None) == Profile.load(name)


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in(name: str):
    profile = Profile.load(name)
    assert profile.name == name
    assert set(profile.languages) == {"en", "nl"}
    cuts = [node.heuristic for node in profile.tree if isinstance(node, Cut)]
    last = profile.tree[-1]
    assert not isinstance(last, Cut)
    assert {*cuts, *last.heuristics} <= set(profile.weights) <= {one.name for one in ALL}
    assert set(profile.evidence) == (set(profile.languages) if isinstance(last, Weigh) else set())
    assert 1 <= profile.block_below <= profile.send_from <= 5
    assert list(profile.message_types) == sorted(profile.message_types)
    assert re.fullmatch(r"[0-9a-f]{64}", profile.digest)


def test_valid():
    profile = read(VALID)
    assert profile.weights == {"components_defined": 1.0, "hal": 1.0}
    assert profile.languages["nl"].pipeline == "klopt"
    assert profile.languages["nl"].lexicons == ()
    assert read(VALID.replace('pipeline = "klopt"', "")).languages["nl"].pipeline == "klopt"
    other = VALID.replace('"klopt"', '"nl_core_news_md"')
    assert read(other).languages["nl"].pipeline == "nl_core_news_md"
    assert Profile.load() == Profile.load("default")


def with_lexicons(folder: Path, *names: str) -> Profile:
    text = VALID.replace('pipeline = "klopt"', f"lexicons = [{', '.join(map(repr, names))}]")
    return Profile.read(text, where="test.toml", folder=folder)


def test_lexicon_of_another_language_than_its_entry(tmp_path: Path):
    for language in ("nl", "en"):
        text = lexicon_text("company_terms", '[lists]\nterms = ["looncode"]', language)
        (tmp_path / f"{language}.toml").write_text(text)
    with pytest.raises(ProfileError) as caught:
        with_lexicons(tmp_path, "nl.toml", "en.toml")
    assert str(caught.value) == (
        'test.toml:9: [languages.nl] lexicons entry 2: "en.toml" is for language "en", not "nl"'
    )


@pytest.mark.parametrize("text", ["", "[", "lexicon = 3", "[lexicon]", None])
def test_lexicon_that_says_no_language_is_told_of_when_it_is_read(tmp_path: Path, text: str | None):
    if text is not None:
        (tmp_path / "own.toml").write_text(text)
    profile = with_lexicons(tmp_path, "own.toml")
    assert profile.languages["nl"].lexicons == (tmp_path / "own.toml",)


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("", None),
        ('[translate]\nto = "nl"\n', TranslateSettings("nl", "marked")),
        ('[translate]\nto = "nl"\nscope = "whole"\n', TranslateSettings("nl", "whole")),
    ],
)
def test_translate(section: str, expected: TranslateSettings | None):
    assert read(VALID + section).translate == expected


WEIGHED = (
    VALID.replace('sum = ["hal"]', 'weigh = ["hal", "components_defined"]').replace(HAL, HAL[:16])
    + """
[evidence.nl]
base = -1

[evidence.nl.hal]
weight = 2
neutral = 0.25
"""
)


def test_valid_with_evidence():
    """A heuristic that is weighed, but not in this language, counts for nothing in it."""
    profile = read(WEIGHED)
    assert profile.weights == {"components_defined": 1.0, "hal": 1.0}
    assert profile.evidence == {"nl": Weighing(-1.0, {"hal": Term(2.0, 0.25)})}
    assert profile.tree[-1] == Weigh("sum", ("hal", "components_defined"), {"nl": "De som."})
    assert profile.counts("nl") == {"components_defined": 0.0, "hal": 2.0}


def test_what_counts_where_a_sum_ends_the_tree_or_the_language_is_unknown():
    assert read(VALID).counts("nl") == read(VALID).weights
    assert read(WEIGHED).counts(None) == read(WEIGHED).counts("en") == read(WEIGHED).weights


@pytest.mark.parametrize("stripped", [["nl"], []])
def test_options_and_lexicon_files(tmp_path: Path, stripped: list[str]):
    file = tmp_path / "own.toml"
    options = f"window_sizes = [3]\nstrip_stop_words_in = {stripped}"
    text = VALID.replace('pipeline = "klopt"', 'lexicons = ["terms.toml"]')
    file.write_text(text.replace(HAL, f"[heuristics.hal]\nweight = 2\n{options}"))
    profile = Profile.load(file)
    assert profile.weights["hal"] == 2.0
    assert profile.options["hal"] == {"window_sizes": [3], "strip_stop_words_in": stripped}
    assert profile.languages["nl"].lexicons == (tmp_path / "terms.toml",)
    assert Profile.load(str(file)) == profile


def test_digest_is_of_the_content_whatever_the_line_ends():
    assert read(VALID).digest == read(VALID.replace("\n", "\r\n")).digest
    assert read(VALID).digest != read(VALID + "# one more line\n").digest


@pytest.mark.parametrize("case", INVALID["case"].values(), ids=INVALID["case"])
def test_invalid(case: dict[str, Any]):
    sections = INVALID["base"] | INVALID.get(case.get("on"), {}) | case
    text = "\n".join(sections[name] for name in SECTIONS if sections.get(name))
    for old, new in case.get("swap", ()):
        assert text.count(old) == 1
        text = text.replace(old, new)
    with pytest.raises(ProfileError) as caught:
        read(text)
    names = ", ".join(sorted(one.name for one in ALL))
    # A line that begins with a number is that of the problem in the file.
    assert str(caught.value).split("\n") == [
        f"test.toml{':' if line[0].isdigit() else ': '}{line}"
        for line in case["expected"].replace("{heuristics}", names).splitlines()
    ]


def test_not_toml():
    with pytest.raises(ProfileError, match=r"^test\.toml: not TOML: .+"):
        read("[")


def test_no_such_profile():
    with pytest.raises(ProfileError) as caught:
        Profile.load("afsa")
    assert str(caught.value) == (
        'there is no profile "afsa": give one of afas, default, a file, '
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
        ('who = "recorded:said.jsonl"', OpinionSettings(f"recorded:{Path('here/said.jsonl')}")),
        (
            'who = "encoder:/nli"\nthreads = 2\nlabels = {LABEL_0 = "supported"}',
            OpinionSettings(f"encoder:{Path('/nli')}", labels={"LABEL_0": "supported"}, threads=2),
        ),
        ('who = "encoder:nli"', OpinionSettings(f"encoder:{Path('here/nli')}")),
    ],
)
def test_second_opinions(table: str, settings: OpinionSettings):
    text = f"{VALID}\n[opinion]\n{table}\n"
    assert Profile.read(text, where="test.toml", folder=Path("here")).opinion == settings


def test_the_words_of_a_heuristic_are_stems_or_lemmas():
    text = profile_text("afas")
    known = Profile.read(text, where="own.toml", folder=None)
    assert known.options["verbatim_guide_defined"]["words"] == "lemmas"
    text = text.replace('words = "lemmas"', 'words = "stem"')
    with pytest.raises(ProfileError, match=r"^own\.toml:\d+: .*words"):
        Profile.read(text, where="own.toml", folder=None)
