"""What `klopt company suggest` finds, tries and puts into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.suggestions import halves
from klopt import Page, Turn
from klopt.cli import command
from klopt.company.effects import Effect, Figures, effect_of
from klopt.company.entries import Entry, lexicons_of, put, read, take_out
from klopt.company.folder import Company
from klopt.company.names import names
from klopt.company.page_faults import page_faults
from klopt.company.pattern_finds import cues, types
from klopt.company.suggesting import Found, named, suggest, thinned
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.company.trials import Trials
from klopt.company.word_pairs import word_pairs
from klopt.lexicons import read_lexicon
from klopt.scoring.profile import Profile

PROFILE = """
[profile]
name = "acme"
extends = "default"
[heuristics.denied_names]
[verdict]
review_on = ["components_defined", "denied_names", "guide_asked", "step_order", "weakest_statement"]
[languages.nl]
lexicons = ["nl"]
[languages.en]
lexicons = ["en"]
"""
PAGES = {
    "nl": {
        "verlof": "# Verlof aanvragen\n\n1. Klik op **Nieuw verlof**.\n2. Vul het veld "
        "**Begindatum** in.\n3. Klik op **Indienen**.\n\nDe beheerder migreert oude aanvragen "
        "naar het archief. De **Werkbank** vervalt.",
        "ziek": "# Ziek melden\n\n1. Open het overzicht **Verzuim**.\n2. Klik op **Ziek melden**."
        "\n\nDe beheerder migreert oude meldingen naar het archief. "
        "De **Werkbank** vervalt.",
        "loon": "# Loonstrook bekijken\n\nU vindt de loonstrook in het overzicht **Salaris**. Een "
        "voorschot is hoogstens 250 euro.",
    },
    "en": {
        "leave": "# Request leave\n\n1. Click **New leave**.\n2. Fill in the field **Start date**."
        "\n3. Click **Submit**.\n\nThe administrator verifies old requests in the archive. "
        "The **Workbench** goes.",
        "sick": "# Report sick\n\n1. Open the overview **Absence**.\n2. Click **Report sick**."
        "\n\nThe administrator verifies old reports in the archive. "
        "The **Workbench** goes.",
        "pay": "# View a payslip\n\nYou find the payslip in the overview **Salary**. An advance is "
        "250 euros at most.",
    },
}
ALLOWED = {
    "nl": [
        ("verlof", "Hoe vraag ik verlof aan?", "Klik in **Mijn Acme** op **Nieuw verlof**."),
        ("ziek", "Hoe meld ik mij ziek?", "Open in **Mijn Acme** het overzicht **Verzuim**."),
    ],
    "en": [
        ("leave", "How do I request leave?", "In **My Acme**, click **New leave**."),
        ("sick", "How do I report sick?", "In **My Acme**, open the overview **Absence**."),
    ],
}
SYNONYMS = {
    "nl": [
        (
            "verlof",
            "Wat gebeurt er met oud verlof?",
            "De beheerder verplaatst oude aanvragen naar het archief. Dat duurt drie werkdagen.",
        ),
        (
            "ziek",
            "Wat gebeurt er daarna?",
            "De beheerder verplaatst oude meldingen naar het archief. Dat kost hem een uur.",
        ),
    ],
    "en": [
        (
            "leave",
            "What about old leave?",
            "The administrator checks old requests in the archive. That takes three working days.",
        ),
        (
            "sick",
            "What happens afterwards?",
            "The administrator checks old reports in the archive. It costs him twenty minutes.",
        ),
    ],
}
UNTRUE = {
    "nl": [
        ("verlof", "Hoe trek ik verlof in?", "Klik in de **Werkbank** op **Nieuw verlof**."),
        ("ziek", "Hoe meld ik mij beter?", "Open in de **Werkbank** het overzicht **Verzuim**."),
        ("loon", "Hoe hoog is een voorschot?", "Een voorschot is hoogstens 400 euro."),
        ("loon", "Wat krijg ik als voorschot?", "Een voorschot is hoogstens 900 euro."),
    ],
    "en": [
        ("leave", "How do I withdraw leave?", "In the **Workbench**, click **New leave**."),
        ("sick", "How do I get better?", "In the **Workbench**, open the overview **Absence**."),
        ("pay", "How high is an advance?", "An advance is 400 euros at most."),
        ("pay", "What advance do I get?", "An advance is 900 euros at most."),
    ],
}
TRUE = {
    "nl": [
        ("loon", "Waar staat mijn loonstrook?", "In het overzicht **Salaris**."),
        ("verlof", "Wat vul ik bij verlof in?", "U vult het veld **Begindatum** in."),
    ],
    "en": [
        ("pay", "Where is my payslip?", "You find it in the overview **Salary**."),
        ("leave", "What do I fill in?", "You fill in the field **Start date**."),
    ],
}
LANGUAGES = ("nl", "en")
Rows = list[tuple[str, str, str]]


def turns_of(language: str, rows: Rows, rating: float | None, start: str) -> list[Turn]:
    """Turns over the pages."""
    return [
        Turn(
            question,
            answer,
            [Page(PAGES[language][page], id=page)],
            f"{start}-{number}",
            language=language,
            message_type="instruction",
            rating=rating,
        )
        for number, (page, question, answer) in enumerate(rows)
    ]


def trials_of(language: str, *more: Turn) -> Trials:
    """All answers of a language."""
    profile = Profile.read(PROFILE.split("[languages")[0], where="acme", folder=None)
    return Trials(
        profile,
        [
            *turns_of(language, ALLOWED[language], 5, "name"),
            *turns_of(language, SYNONYMS[language], 5, "word"),
            *turns_of(language, TRUE[language], 5, "true"),
            *turns_of(language, UNTRUE[language], 1, "untrue"),
            *more,
        ],
    )


@pytest.fixture(scope="module")
def known() -> Callable[[str], Trials]:
    made = {language: trials_of(language) for language in LANGUAGES}
    return made.__getitem__


NAMES = {"nl": ("Mijn Acme", "Werkbank"), "en": ("My Acme", "Workbench")}
PAIRS = {"nl": ("migreren", "verplaatsen"), "en": ("check", "verify")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_allowed_for_true_answers_and_denied_for_untrue_ones(
    known: Callable[[str], Trials], language: str
):
    trials = known(language)
    allowed, denied = NAMES[language]
    page = Page(f"# {allowed}", id="start")
    found = {one.entry: one for one in names(trials, {"start.md": page})}
    assert set(found) == {
        Entry("product_names", "allowed", (allowed,)),
        Entry("product_names", "denied", (denied,)),
    }
    one, other = found.values()
    assert one.why == (
        "in 2 answers rated 4 or 5, and on none of the pages that the bot was given; "
        "start.md has it"
    )
    assert effect_of(trials, one).moves == {"true from review to send": 2}
    assert other.why == "in 2 answers rated 1 or 2, and in none with a higher rating"
    effect = effect_of(trials, other)
    assert (effect.moves, effect.is_better) == ({"untrue from send to review": 2}, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_in_the_same_place_are_synonyms_to_try(known: Callable[[str], Trials], language: str):
    (found,) = word_pairs(known(language))
    assert found.entry == Entry("synonyms", "verbs", PAIRS[language])
    assert len(found.found_on) == 2
    effect = effect_of(known(language), found)
    assert (effect.tried, set(effect.changed)) == (2, {"word-0", "word-1"})


def test_names_of_a_log_are_suggested_when_many_answers_have_them():
    log = turns_of("nl", ALLOWED["nl"], None, "log") + turns_of("nl", ALLOWED["nl"], None, "more")
    profile = Profile.load("default")
    assert not list(names(Trials(profile, log[:2]), {}))
    (found,) = names(Trials(profile, log), {})
    assert found.why == (
        "in 4 answers of the log, and on no page: allow it if it exists, else the bot makes it up"
    )


NOUNS = {
    "nl": [
        (
            "verlof",
            "Waar begin ik?",
            "Dat doet u in het werkgebied Nieuw verlof en nergens anders.",
        ),
        ("ziek", "Waar begin ik dan?", "Dat vindt u in het werkgebied Verzuim en nergens anders."),
    ],
    "en": [
        ("leave", "Where do I start?", "You do so on the board New leave and nowhere else."),
        ("sick", "And then where?", "You find it on the board Absence and nowhere else."),
    ],
}
QUESTIONS = {
    "nl": [
        ("Wat is het verschil tussen verlof en verzuim?", "reasoning"),
        ("Wat is het verschil tussen loon en salaris?", "reasoning"),
        ("Wat is het verschil tussen een dag en een dienst?", "reasoning"),
        ("Wat is verzuim?", "general"),
    ],
    "en": [
        ("What is the difference between leave and absence?", "reasoning"),
        ("What is the difference between pay and salary?", "reasoning"),
        ("What is the difference between a day and a shift?", "reasoning"),
        ("What is absence?", "general"),
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_noun_before_names_becomes_a_pattern(language: str):
    profile = Profile.load("default")
    found = list(cues(Trials(profile, turns_of(language, NOUNS[language], 5, "noun"))))
    noun = {"nl": "werkgebied", "en": "board"}[language]
    assert [named(Suggestion(language, "", one.entry)) for one in found] == [
        f"read names behind “{noun}”"
    ]
    assert lexicons_of(language, [found[0].entry])


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_questions_tell_their_type(language: str):
    page = [Page(next(iter(PAGES[language].values())))]
    turns = [
        Turn(asked, "Ja.", page, str(number), language, kind, rating=5)
        for number, (asked, kind) in enumerate(QUESTIONS[language])
    ]
    ((found, effect),) = types(Trials(Profile.load("default"), turns))
    words = {"nl": "het verschil tussen", "en": "the difference between"}[language]
    assert (found.entry.part, found.entry.pattern["hit"]) == ("reasoning", [words])
    assert effect.told() == "On 3 other questions: 3 to the right type."
    assert lexicons_of(language, [found.entry])


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_beside_untrue_answers_are_to_mend(known: Callable[[str], Trials], language: str):
    (found,) = page_faults(known(language))
    assert found.page == {"nl": "loon", "en": "pay"}[language]
    assert (found.count, found.answers) == (2, ("untrue-2", "untrue-3"))


def test_what_makes_others_worse_is_left_out(monkeypatch: pytest.MonkeyPatch):
    worse = Effect(9, ("a",), {"untrue from review to send": 1}, -1)
    monkeypatch.setattr("klopt.company.suggesting.effect_of", lambda *_: worse)
    trials = Trials(Profile.load("default"), turns_of("nl", ALLOWED["nl"], 5, "name"))
    assert suggest(trials, {}) == []


def test_effects_are_told_in_sentences():
    assert Effect(0, (), {}, 0).told() == "It changes no verdict."
    alone = Effect(0, ("a",), {}, 0, at_home={"true from block to review": 1}, home_gain=0.8)
    assert alone.told() == (
        "Where it was found: score +0.80 (1 true from block to review), and there is no other to "
        "try it on."
    )
    assert (alone.is_better, alone.is_hope) == (False, True)
    other = Effect(7, ("a",), {"true from review to send": 2}, 2, 0.012)
    assert other.told() == (
        "On 7 other rated answers: 2 true from review to send, agreement +0.012."
    )


def test_a_log_is_thinned_evenly():
    turns = turns_of("nl", TRUE["nl"] * 10, None, "log")
    assert [one.id for one in thinned(iter(turns), 2)] == ["log-0", "log-8", "log-16"]


def test_groups_that_share_a_word_are_joined_and_taken_apart(tmp_path: Path):
    one = Entry("synonyms", "verbs", ("klikken", "kiezen"), about="one")
    other = Entry("synonyms", "nouns", ("klikken", "tikken"), about="other")
    put(tmp_path, "nl", [one])
    put(tmp_path, "nl", [other])
    (joined,) = read(tmp_path, "nl")
    assert (joined.words, joined.about) == (("kiezen", "klikken", "tikken"), "one other")
    take_out(tmp_path, "nl", [other])
    (left,) = read(tmp_path, "nl")
    assert (left.words, left.about) == (("kiezen", "klikken"), "one")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    help_pages = tmp_path / "help"
    help_pages.mkdir()
    for name, text in PAGES["nl"].items():
        (help_pages / f"{name}.md").write_text(text, "utf-8")
    folder = tmp_path / "acme"
    (folder / "nl").mkdir(parents=True)
    Company(folder, "Acme", (help_pages,)).write()
    (folder / "profile.toml").write_text(PROFILE.split("[languages.en]")[0], "utf-8")
    rated = [
        {"id": f"{start}-{at}", "question": asked, "answer": said, "contexts": [page], "rating": n}
        for start, rows, n in (("name", ALLOWED, 5), ("true", TRUE, 5), ("untrue", UNTRUE, 1))
        for at, (page, asked, said) in enumerate(rows["nl"])
    ]
    lines = (json.dumps({**one, "message_type": "instruction", "language": "nl"}) for one in rated)
    (folder / "rated.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(command, ["company", "suggest", *map(str, arguments)])
    return result.exit_code, f"{result.output}{result.exception or ''}"


def test_the_command_suggests_applies_and_remembers(folder: Path):
    code, output = run(folder, "--json")
    rows = {row["does"]: row for row in map(json.loads, output.splitlines())}
    assert code == 0
    assert set(rows) == {
        "allow the name “Mijn Acme”",
        "deny the name “Werkbank”",
        "mend loon.md",
    }
    allow, deny = rows["allow the name “Mijn Acme”"], rows["deny the name “Werkbank”"]
    assert (allow["is_advised"], deny["is_advised"]) == (True, False)
    assert allow["answers"] == ["name-0", "name-1"]
    code, output = run(folder, "--apply", allow["id"], "--reject", deny["id"])
    assert f"accepted: {allow['id']}, allow the name “Mijn Acme”" in output
    assert "true answers held back 2 → 0 of 4" in output
    assert "untrue answers sent 2 → 2 of 4" in output
    assert read_lexicon(folder / "nl" / "product_names.toml").lists["allowed"] == ("Mijn Acme",)
    code, output = run(folder, "--json")
    assert [json.loads(line)["does"] for line in output.splitlines()] == ["mend loon.md"]
    status = {one.id: one.status for one in Suggestions.read(folder).all}
    assert (status[allow["id"]], status[deny["id"]]) == ("accepted", "rejected")


def test_the_command_says_what_is_wrong(folder: Path):
    assert "there is no suggestion" in run(folder, "--apply", "terms-1")[1]
    assert not (folder / "suggestions.toml").exists()
    assert "either --apply or --reject" in run(folder, "--apply", "a-1", "--reject", "a-1")[1]
    (folder / "rated.jsonl").unlink()
    assert "give --rated FILE, --log FILE, or both" in run(folder)[1]


def test_a_terminal_gets_tables_in_which_texts_are_only_texts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    hostile = Entry("product_names", "allowed", ("[red]\x1b[31mVerlof",))
    found = [
        Found(
            Suggestion("nl", "in 2 answers", hostile, examples=("Een [b]zin[/b].",), answers=("1",))
        ),
        Found(Suggestion("nl", "2 answers go wrong beside this page", page="verlof")),
    ]
    monkeypatch.setattr("klopt.cli.company.suggest.suggest", lambda *_: found)
    monkeypatch.setattr("klopt.cli.company.suggest.Trials", lambda *_: None)
    for name, value in (("TTY_COMPATIBLE", "1"), ("COLUMNS", "200")):
        monkeypatch.setenv(name, value)
    code, output = run(folder)
    assert code == 0
    assert "allow the name “[red]" in output
    assert "\x1b[31mVerlof" not in output
    assert "In 2 answers. For example: Een [b]zin[/b]. Answers: 1." in output
    assert "mend verlof" in output
    assert f"--apply {found[0].suggestion.id}" in output


def test_figures_count_true_answers_held_back_and_untrue_ones_sent(
    known: Callable[[str], Trials],
):
    found = Figures.of(known("nl").answers)
    assert (found.true_held_back, found.true, found.untrue_sent, found.untrue) == (4, 6, 2, 4)


def test_answers_on_one_page_are_held_out_together(known: Callable[[str], Trials]):
    one, other = halves(known("nl"), seed=3)
    assert len(one.answers) + len(other.answers) == len(known("nl").answers)
    assert {each.page for each in one.answers}.isdisjoint(each.page for each in other.answers)
    assert {each.turn.id for each in one.answers} == {each.id for each in one.turns}
