"""What becomes of a turn: each reason that it is not scored, and what a scored one says."""

from __future__ import annotations

import dataclasses
import json
import logging
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import pytest

from klopt import Assessment, Page, Profile, Scorer, Turn
from klopt.batch.output import to_json
from klopt.errors import LexiconError, PipelineError, UnknownLanguageError
from klopt.heuristics import ALL, Heuristic
from klopt.heuristics.declaration import Material
from klopt.measurement import Measurement
from klopt.reading.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS, PAGE_LIMIT_CHARS
from klopt.scoring import scorer as scorer_module
from klopt.scoring.explanation import decimal
from klopt.scoring.tree import Cut, Sum

QUESTION = "Hoe opent de gebruiker het bestand?"
ANSWER = "De gebruiker opent het bestand."
PAGE = "# Bestanden\n\nDe gebruiker opent het bestand en daarna leest de klant het."
ENGLISH_PAGE = "# Files\n\nThe user opens the file and then the customer reads it."
SLOW = r"""
[lexicon]
id = "components"
language = "nl"
source = "ours"
licence = "ours"
retrieved = 2026-11-22
changes = "none"

[[pattern]]
id = "slow"
group = "click_phrase"
pattern = '(?<label>(?:a|aa|aaa)+)b(?!a)'
hit = "aab"
miss = "aaba"
"""
TERMS = """
[lexicon]
id = "company_terms"
language = "nl"
source = "ours"
licence = "ours"
retrieved = 2026-11-22
changes = "none"

[lists]
terms = ["bestand", "gebruiker", "klant"]
"""


def turn(
    question: str = QUESTION,
    answer: str = ANSWER,
    contexts: list[Page | str] | None = None,
    **fields: object,
) -> Turn:
    return Turn(question, answer, [PAGE] if contexts is None else contexts, **fields)


def codes() -> set[str]:
    text = resources.files("klopt.scoring").joinpath("texts", "en.toml").read_text("utf-8")
    return set(tomllib.loads(text)["reasons"])


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load("default")


@pytest.fixture(scope="module")
def all_types() -> Scorer:
    return Scorer.load("default", all_types=True)


REFUSED = [
    # id, turn, reason code, reason in words, language of the explanation
    ("empty question", turn(question=""), "empty_question", "the question holds no words", None),
    (
        "question of zero-width characters",
        turn(question="\u200b\u2060 \n"),
        "empty_question",
        "the question holds no words",
        None,
    ),
    (
        "question of markup",
        turn(question="<br><!-- Hoe? -->"),
        "empty_question",
        "the question holds no words",
        None,
    ),
    ("empty answer", turn(answer=""), "empty_answer", "the answer holds no words", None),
    (
        "answer of white space",
        turn(answer=" \n\t\u00a0"),
        "empty_answer",
        "the answer holds no words",
        None,
    ),
    ("answer of signs", turn(answer="?! … 👍"), "empty_answer", "the answer holds no words", None),
    (
        "no contexts",
        turn(contexts=[]),
        "no_contexts",
        "there are no pages to check the answer against",
        "nl",
    ),
    (
        "page of white space",
        turn(contexts=["  \n\n ", Page("", id="leeg.md")]),
        "no_contexts",
        "there are no pages to check the answer against",
        "nl",
    ),
    (
        "page of a script",
        turn(contexts=["<html><script>var bestand = 'gebruiker opent';</script></html>"]),
        "no_contexts",
        "there are no pages to check the answer against",
        "nl",
    ),
    (
        "page of signs",
        turn(contexts=["… — …"]),
        "no_contexts",
        "there are no pages to check the answer against",
        "nl",
    ),
    (
        "question too long",
        turn(question="x" * (ANSWER_LIMIT_CHARS + 1)),
        "question_too_long",
        "the question has 20,001 characters, at most 20,000 are read",
        None,
    ),
    (
        "answer too long",
        turn(answer="x" * (ANSWER_LIMIT_CHARS + 1)),
        "answer_too_long",
        "the answer has 20,001 characters, at most 20,000 are read",
        None,
    ),
    (
        "page too long",
        turn(contexts=[PAGE, Page("x" * (PAGE_LIMIT_CHARS + 1), id="boek.md")]),
        "page_too_long",
        "page boek.md has 200,001 characters, at most 200,000 are read",
        "nl",
    ),
    (
        "pages too long together",
        turn(contexts=["x" * PAGE_LIMIT_CHARS] * 2 + ["x" * (CONTEXTS_LIMIT_CHARS - 400_000 + 1)]),
        "contexts_too_long",
        "the pages have 500,001 characters together, at most 500,000 are read",
        "nl",
    ),
    (
        "no letters that tell a language",
        turn(question="XT-9?", answer="XT-9!"),
        "language_unknown",
        "the language cannot be told (too few words of it tell the language); state it, as with --language nl",  # noqa: E501
        None,
    ),
    (
        "German",
        turn(
            question="Wie kann ich das Passwort ändern?",
            answer="Klicken Sie auf die Schaltfläche und wählen Sie den Benutzer aus.",
        ),
        "language_unknown",
        "the language cannot be told (reads like another language: de); state it, as with --language nl",  # noqa: E501
        None,
    ),
    (
        "stated German",
        turn(language="de"),
        "language_unsupported",
        "the profile has no language de; it has nl, en",
        None,
    ),
    (
        "pages in another language",
        turn(contexts=[ENGLISH_PAGE, ENGLISH_PAGE]),
        "context_language",
        "the pages are in another language (en) than the question and answer (nl)",
        "nl",
    ),
    (
        "out of scope",
        turn(message_type="action"),
        "out_of_scope",
        "the profile does not score messages of the type action",
        "nl",
    ),
]


@pytest.mark.parametrize(
    ("row", "code", "reason", "language"),
    [pytest.param(*row[1:], id=row[0]) for row in REFUSED],
)
def test_not_scorable(scorer: Scorer, row: Turn, code: str, reason: str, language: str | None):
    found = scorer.score(dataclasses.replace(row, id="een"))
    assert (found.status, found.reason_code, found.reason) == ("not_scorable", code, reason)
    assert (found.id, found.language) == ("een", language)
    assert_unscored(found)
    if language is None:
        assert found.explanation == f"Not scored: {reason}."


def assert_unscored(found: Assessment) -> None:
    assert (found.score, found.stars, found.verdict) == (None, None, "unscored")
    assert (found.rule, found.path, found.measurements) == (None, (), {})
    start = "Niet gescoord: " if found.language == "nl" else "Not scored: "
    assert found.explanation.startswith(start)
    assert found.explanation.endswith(".")
    assert f"|language:{found.language or 'none'}|" in found.fingerprint
    json.loads(to_json(found.to_dict()))


def only(profile: Profile, *names: str) -> Profile:
    """The profile with only a sum over these heuristics."""
    tree = (Sum("sum", names, {"nl": "De som.", "en": "The sum."}),)
    return dataclasses.replace(profile, tree=tree)


def test_nothing_measurable():
    profile = only(Profile.load(), "verbatim_guide_defined", "components_defined")
    found = Scorer(profile).score(turn())
    assert (found.status, found.reason_code) == ("not_scorable", "nothing_measurable")
    assert found.reason == "none of the profile's features could be measured"
    assert found.message_type == "instruction"
    assert_unscored(found)


def test_language_that_the_profile_leaves_out():
    profile = Profile.load()
    dutch = dataclasses.replace(profile, languages={"nl": profile.languages["nl"]})
    found = Scorer(dutch).score(
        turn("How does the user open the file?", "The user opens the file.", [ENGLISH_PAGE])
    )
    assert (found.status, found.reason_code) == ("not_scorable", "language_unsupported")
    assert found.reason == "the profile has no language en; it has nl"


def test_pattern_timeout(tmp_path: Path):
    file = tmp_path / "components.toml"
    file.write_text(SLOW, "utf-8")
    slow = Scorer.load(terms=[file])
    late, fine = slow.score_many([turn(answer=f"{ANSWER} {'a' * 60}c b"), turn()])
    assert (late.status, late.reason_code) == ("error", "pattern_timeout")
    assert (late.reason or "").startswith('pattern "slow" took over 0.5 s on a text of ')
    assert_unscored(late)
    assert fine.status == "scored"


def test_row_that_could_not_be_read(scorer: Scorer):
    found = scorer.refuse("rij-7", "row 7: answer is a number, not text")
    assert (found.id, found.status, found.reason_code) == ("rij-7", "error", "row")
    assert found.reason == "row 7: answer is a number, not text"
    assert found.explanation == "Not scored: row 7: answer is a number, not text."
    assert_unscored(found)


def test_braces_in_a_reason_are_only_text(scorer: Scorer):
    assert scorer.refuse("", "row 7: {found} {0}").reason == "row 7: {found} {0}"


FAULTS = [
    TypeError("kapot"),
    KeyError("kapot"),
    IndexError("kapot"),
    AttributeError("kapot"),
    ZeroDivisionError("kapot"),
    ValueError("kapot"),
    RecursionError("kapot"),
]


def break_hal(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """HAL fails for answers with the word "kapot"."""
    real = next(one for one in ALL if one.name == "hal")

    def measure(material: Material) -> Measurement:
        if "kapot" in material.answer.plain.text:
            raise error
        return real.measure(material)

    broken: Heuristic = dataclasses.replace(real, measure=measure)
    monkeypatch.setattr(scorer_module, "_HEURISTICS", {**scorer_module._HEURISTICS, "hal": broken})


@pytest.mark.parametrize("error", FAULTS, ids=[type(error).__name__ for error in FAULTS])
def test_internal_fault_harms_no_other_row(
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    scorer: Scorer,
    caplog: pytest.LogCaptureFixture,
):
    expected = scorer.score(turn(id="2"))
    break_hal(monkeypatch, error)
    broken = turn(answer="Het bestand van de gebruiker is kapot.", id="1")
    with caplog.at_level(logging.INFO, logger="klopt"):
        first, second = scorer.score_many([broken, turn(id="2")])
    assert (first.id, first.status, first.reason_code) == ("1", "error", "internal")
    assert (
        first.reason == f"klopt itself failed ({type(error).__name__}: {error}); please report it"
    )
    assert_unscored(first)
    assert second == expected
    assert "'1'" in caplog.text
    assert broken.answer not in caplog.text


def test_each_reason_is_tested():
    tested = {row[2] for row in REFUSED}
    elsewhere = {"nothing_measurable", "pattern_timeout", "row", "internal"}
    assert tested | elsewhere == codes()


def test_wrong_configuration_is_raised(tmp_path: Path):
    profile = Profile.load()
    settings = dataclasses.replace(profile.languages["nl"], pipeline="nl_core_news_xx")
    missing = dataclasses.replace(profile, languages={"nl": settings})
    with pytest.raises(PipelineError, match=r'^pipeline "nl_core_news_xx" is not installed'):
        next(Scorer(missing).score_many([turn()]))
    file = tmp_path / "company_terms.toml"
    file.write_text(TERMS.replace('id = "company_terms"', 'id = "jargon"'), "utf-8")
    with pytest.raises(LexiconError, match=r'id "jargon" is not one of '):
        Scorer.load(terms=[file])


def test_terms_for_a_language_that_the_profile_leaves_out(tmp_path: Path):
    profile = Profile.load()
    english = dataclasses.replace(profile, languages={"en": profile.languages["en"]})
    file = tmp_path / "company_terms.toml"
    file.write_text(TERMS, "utf-8")
    with pytest.raises(UnknownLanguageError) as caught:
        Scorer(english, terms=[file])
    assert str(caught.value) == (
        'lexicon "company_terms" is for language "nl", which profile "default" does not have'
    )


# What a scored turn says.


def test_page_in_another_language_is_left_out(scorer: Scorer):
    both = scorer.score(turn(contexts=[ENGLISH_PAGE, Page(PAGE, id="nl.md")]))
    assert both.status == "scored"
    assert both.score == scorer.score(turn()).score
    pages = {e.page for one in both.measurements.values() for e in one.evidence}
    assert pages <= {None, "nl.md"}


def test_given_message_type(scorer: Scorer):
    found = scorer.score(turn(message_type="reasoning"))
    assert (found.message_type, found.pattern, found.span) == ("reasoning", "given", None)
    assert found.status == "scored"


def test_decided_message_type_has_its_span_in_the_original(scorer: Scorer):
    question = f"<p>Goedemorgen, {QUESTION[0].lower()}{QUESTION[1:]}</p>"
    found = scorer.score(turn(question=question))
    assert found.message_type == "instruction"
    assert found.pattern
    assert found.span is not None
    start, end = found.span
    assert 0 <= start < end <= len(question)
    assert "hoe" in question[start:end]


def test_all_types():
    row = turn(message_type="action")
    assert Scorer.load(all_types=True).score(row).status == "scored"
    assert Scorer.load("afas").score(turn(message_type="general")).reason_code == "out_of_scope"


def test_stated_language_is_taken(scorer: Scorer):
    found = scorer.score(turn(question="XT-9?", answer="XT-9!", contexts=["XT-9."], language="en"))
    assert found.language == "en"
    assert found.explanation == (
        "Not scored: the profile does not score messages of the type unspecified."
    )


@pytest.mark.parametrize(
    ("answer", "abstained"),
    [
        ("Dat weet ik helaas niet.", True),
        ("Ik kan in de helppagina's niets vinden over het bestand.", True),
        ("Neem contact op met de helpdesk.", False),
        ("Als u niet weet hoe dat moet, opent de gebruiker het bestand.", False),
    ],
)
def test_abstained(scorer: Scorer, answer: str, abstained: bool):
    found = scorer.score(turn(answer=answer))
    assert found.abstained is abstained
    assert ("Het antwoord zegt dat het dit niet weet." in found.sentences) is abstained


def test_abstained_in_english(scorer: Scorer):
    row = turn("How does the user open the file?", "I do not know.", [ENGLISH_PAGE])
    found = scorer.score(row)
    assert found.abstained
    assert "The answer says that it does not know." in found.sentences


def test_verdict_thresholds():
    profile = Profile.load()
    score = Scorer(profile).score(turn()).score
    assert score is not None
    above, below = score + 1e-9, score - 1e-9
    for block_below, send_from, verdict in (
        (above, 5.0, "block"),
        (score, above, "review"),
        (below, above, "review"),
        (score, score, "send"),
        (1.0, below, "send"),
    ):
        changed = dataclasses.replace(profile, block_below=block_below, send_from=send_from)
        found = Scorer(changed).score(turn())
        assert (found.score, found.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("enough", "score", "stars"),
    [(3, 5.0, 5), (4, 4.0, 4), (8, 2.5, 3), (24, 1.5, 2), (25, 1.48, 1), (12, 2.0, 2)],
)
def test_stars_are_rounded_halves_up(tmp_path: Path, enough: int, score: float, stars: int):
    """Three terms of ``enough``: 1 + 4 · 3 / enough."""
    file = tmp_path / "company_terms.toml"
    file.write_text(TERMS, "utf-8")
    profile = only(Profile.load(), "company_specific_terms")
    options = {**profile.options, "company_specific_terms": {"enough_count": enough}}
    scorer = Scorer(dataclasses.replace(profile, options=options), terms=[file])
    found = scorer.score(turn(answer="De gebruiker opent het bestand van de klant."))
    assert found.score == pytest.approx(score)
    assert found.stars == stars


def test_measure_all_keeps_the_score(scorer: Scorer):
    row = turn(answer="Klik op **Turbo**. De gebruiker opent het bestand.")
    plain, whole = scorer.score(row), scorer.score(row, measure_all=True)
    assert (plain.score, plain.rule) == (1.0, "missing_component")
    assert list(plain.measurements) == ["components_defined"]
    assert list(whole.measurements) == [one.name for one in ALL]
    assert dataclasses.replace(whole, measurements=plain.measurements) == plain


def test_measurements_come_in_the_paper_s_order(scorer: Scorer):
    found = scorer.score(turn())
    names = [one.name for one in ALL if one.name in found.measurements]
    assert list(found.measurements) == names
    assert set(found.weights) == {one.name for one in ALL}


def test_explanation_is_in_the_turn_s_language(scorer: Scorer):
    dutch = scorer.score(turn(answer="Klik op **Turbo** en op **Hyper**."))
    assert dutch.explanation == (
        "Score 1,0 van 5: niet versturen. Het antwoord noemt een onderdeel dat in geen van de "
        "pagina's staat. Het noemt, maar geen pagina noemt: “Turbo”, “Hyper”."
    )
    english = scorer.score(
        turn("How does the user open the file?", "Click **Turbo** to do this.", [ENGLISH_PAGE])
    )
    assert english.explanation == (
        "Score 1.0 of 5: do not send. The answer names a component that stands in none of the "
        "pages. It names, but no page does: “Turbo”."
    )


def test_explanation_names_three_things_at_most(scorer: Scorer):
    names = ("Turbo", "Hyper", "Mega", "Giga")
    answer = " ".join(f"Klik op **{name}**." for name in (*names, "Turbo"))
    found = scorer.score(turn(answer=answer))
    assert found.sentences[-1] == (
        "Het noemt, maar geen pagina noemt: “Turbo”, “Hyper”, “Mega”, …."
    )


def test_explanation_of_a_sum_names_the_lowest_and_the_highest(scorer: Scorer):
    found = scorer.score(turn())
    assert found.rule == "sum_of_features"
    assert any(sentence == "Laagst: signaalwoorden (0%)." for sentence in found.sentences), (
        found.sentences
    )
    assert found.sentences[0].startswith(f"Score {decimal(found.score or 0, 'nl')} van 5: ")


def test_path_says_how_the_score_came_about(scorer: Scorer):
    found = scorer.score(turn(answer=f"{ANSWER} Klik op **Turbo**."))
    (visit,) = found.path
    assert (visit.node, visit.value, visit.condition, visit.decided) == (
        "missing_component",
        0.0,
        "< 1",
        True,
    )
    nodes = [node.node for node in scorer.profile.tree if isinstance(node, Cut)]
    assert [visit.node for visit in scorer.score(turn()).path][:-1] == nodes


def test_row_of_json(scorer: Scorer):
    found = scorer.score(turn(id="een", meta={"secret": 1}))
    row = found.to_dict()
    assert list(row) == [
        *("id", "score", "stars", "verdict", "status", "reason_code", "reason", "language"),
        *("message_type", "pattern", "span", "rule", "path", "abstained", "measurements"),
        *("explanation", "fingerprint"),
    ]
    assert json.loads(to_json(row)) == row
    assert found.meta == {"secret": 1}
    for one in row["measurements"].values():
        assert list(one) == ["value", "reason", "weight", "evidence"]


def test_same_turn_same_bytes(scorer: Scorer):
    row = turn(answer=f"{ANSWER} Klik op **Bestand**, want dat mag.")
    fresh = Scorer.load().score(row)
    assert to_json(scorer.score(row).to_dict()) == to_json(fresh.to_dict())


def test_rating_and_reference_are_never_read(scorer: Scorer):
    rated = turn(rating=1.0, reference="Iets heel anders.")
    assert scorer.score(rated) == scorer.score(turn())


def test_eight_threads_give_the_same():
    rows = [
        turn(
            answer=f"De gebruiker opent het bestand {number}.", contexts=[PAGE, f"{PAGE} {number}"]
        )
        for number in range(16)
    ]
    expected = [Scorer.load().score(row).to_dict() for row in rows[:1]]
    fresh = Scorer.load()
    barrier = threading.Barrier(8)

    def work(first: int) -> list[dict[str, object]]:
        barrier.wait()
        order = rows[first:] + rows[:first]
        found = {row.answer: fresh.score(row).to_dict() for row in order}
        return [found[row.answer] for row in rows]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert results[0][:1] == expected
    assert all(result == results[0] for result in results)


def test_classify(scorer: Scorer):
    found, span = scorer.classify(turn())
    assert found.message_type == "instruction"
    assert span is not None
    given, nowhere = scorer.classify(turn(message_type="error"))
    assert (given.message_type, given.pattern, nowhere) == ("error", "given", None)
    with pytest.raises(UnknownLanguageError, match=r"^the language cannot be told \("):
        scorer.classify(turn(question="XT-9?"))
