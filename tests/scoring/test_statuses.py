"""The status of a turn, and each reason why a turn is not scored."""

import dataclasses
import json
import logging

import pytest

from klopt import Assessment, Page, Profile, Scorer, Turn
from klopt._internal.files import to_json
from klopt.heuristics.declaration import Material, Options
from klopt.scoring import measuring as scoring
from klopt.scoring.explanation import texts
from klopt.text.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS, PAGE_LIMIT_CHARS
from klopt.types import Measurement
from tests.scoring.turns import ANSWER, ENGLISH_PAGE, PAGE, SLOW, only, turn

NO_WORDS = "the {} has no words"
NO_PAGES = "there are no pages to check the answer against"
UNKNOWN = (
    "the text was not recognised as Dutch or English ({}); state the language in the field "
    "language, or for a whole log with --language nl; other languages need a translation"
)
GERMAN = ("Wie kann ich das Passwort ändern?", "Klicken Sie auf die Schaltfläche und den Benutzer.")
TEXT_LANGUAGES = {
    **dict.fromkeys(("empty_question", "empty_answer"), "nl"),
    **dict.fromkeys(("question_too_long", "answer_too_long"), "nl"),
    "language_unsupported": "de",
}
"""The language of the explanation of a turn that was not read, by reason code."""
REFUSED = [
    # id, turn, reason code, reason in words, language of the explanation
    ("empty question", turn(question=""), "empty_question", NO_WORDS.format("question"), None),
    ("question of zero-width characters", turn(question="\u200b\u2060 \n"), "empty_question",
     NO_WORDS.format("question"), None),
    ("question of markup", turn(question="<br><!-- Hoe? -->"), "empty_question",
     NO_WORDS.format("question"), None),
    ("empty answer", turn(answer=""), "empty_answer", NO_WORDS.format("answer"), None),
    ("answer of white space", turn(answer=" \n\t\u00a0"), "empty_answer",
     NO_WORDS.format("answer"), None),
    ("answer of signs", turn(answer="?! … 👍"), "empty_answer", NO_WORDS.format("answer"), None),
    ("answer without a claim", turn(answer="Ja, prima. Succes!"), "nothing_checked",
     "the answer has no claim to verify", "nl"),
    ("no contexts", turn(contexts=[]), "no_contexts", NO_PAGES, "nl"),
    ("pages of white space", turn(contexts=["  \n\n ", Page("", id="leeg.md")]), "no_contexts",
     NO_PAGES, "nl"),
    ("page of a script", turn(contexts=["<html><script>x = 'gebruiker opent';</script></html>"]),
     "no_contexts", NO_PAGES, "nl"),
    ("page of signs", turn(contexts=["… — …"]), "no_contexts", NO_PAGES, "nl"),
    ("question too long", turn(question="x" * (ANSWER_LIMIT_CHARS + 1)), "question_too_long",
     "the question has 20,001 characters; klopt reads at most 20,000", None),
    ("answer too long", turn(answer="x" * (ANSWER_LIMIT_CHARS + 1)), "answer_too_long",
     "the answer has 20,001 characters; klopt reads at most 20,000", None),
    ("page too long", turn(contexts=[PAGE, Page("x" * (PAGE_LIMIT_CHARS + 1), id="boek.md")]),
     "page_too_long", "page boek.md has 200,001 characters; klopt reads at most 200,000", "nl"),
    ("page of a long script", turn(contexts=[f"<p> <script>{'x' * PAGE_LIMIT_CHARS}</script>"]),
     "no_contexts", NO_PAGES, "nl"),
    ("page of a script beyond all limits", turn(contexts=[Page(f"<p>{' ' * 2_000_000}", id="a")]),
     "page_too_long", "page a has 2,000,003 characters; klopt reads at most 200,000", "nl"),
    # As the README says, half a million characters; blanks cost no time to read.
    ("pages just not too long", turn(contexts=[Page(" " * n) for n in (200_000, 200_000, 100_000)]),
     "no_contexts", NO_PAGES, "nl"),
    ("pages too long together",
     turn(contexts=["x" * PAGE_LIMIT_CHARS] * 2 + ["x" * (CONTEXTS_LIMIT_CHARS - 400_000 + 1)]),
     "contexts_too_long", "the pages have 500,001 characters together; klopt reads at most 500,000",
     "nl"),
    ("no words of a language", turn(question="XT-9?", answer="XT-9!"), "language_unknown",
     UNKNOWN.format("too few words that tell the language"), None),
    ("German", turn(*GERMAN), "language_unknown",
     UNKNOWN.format("reads like another language: de"), None),
    ("stated German", turn(language="de"), "language_unsupported",
     "the profile does not support the language de, only nl, en", None),
    ("pages in another language", turn(contexts=[ENGLISH_PAGE, ENGLISH_PAGE]), "context_language",
     "the pages are in a different language (en) from the question and answer (nl)", "nl"),
    ("out of scope", turn(message_type="action"), "out_of_scope",
     "the profile does not score messages of the type action", "nl"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "code", "reason", "language"),
    [pytest.param(*row[1:], id=row[0]) for row in REFUSED],
)
def test_not_scorable(scorer, row, code, reason, language):
    found = scorer.score(dataclasses.replace(row, id="een"))
    assert (found.status, found.reason_code, found.reason) == ("not_scorable", code, reason)
    assert (found.id, found.language) == ("een", language)
    assert_unscored(found)
    text_language = "de" if row.question == GERMAN[0] else TEXT_LANGUAGES.get(code, language)
    start, _, _ = texts(text_language)["verdict"]["unscored"].partition("{reason}")
    assert found.explanation.startswith(start)


def assert_unscored(found: Assessment) -> None:
    assert (found.score, found.stars, found.verdict) == (None, None, "unscored")
    assert (found.rule, found.path, found.measurements) == (None, (), {})
    assert found.explanation.endswith(".")
    assert f"|language:{found.language or 'none'}|" in found.fingerprint
    json.loads(to_json(found.to_dict()))


def test_nothing_measurable():
    profile = only(Profile.load(), "verbatim_guide_defined", "components_defined")
    found = Scorer(profile).score(turn())
    assert (found.status, found.reason_code) == ("not_scorable", "nothing_measurable")
    assert found.reason == "none of the profile's features could be measured"
    assert found.message_type == "instruction"
    assert_unscored(found)


def test_pattern_timeout(tmp_path):
    file = tmp_path / "components.toml"
    file.write_text(SLOW, "utf-8")
    slow = Scorer.load(terms=[file])
    late, fine = slow.score_many([turn(answer=f"{ANSWER} {'a' * 60}c b"), turn()])
    assert (late.status, late.reason_code) == ("error", "pattern_timeout")
    assert (late.reason or "").startswith('pattern "slow" took over 0.5 s on a text of ')
    assert_unscored(late)
    assert fine.status == "scored"


def test_a_row_that_could_not_be_read(scorer):
    found = scorer.refuse("rij-7", "row 7: answer is a number, not text")
    assert (found.id, found.status, found.reason_code) == ("rij-7", "error", "row")
    assert found.reason == "row 7: answer is a number, not text"
    assert found.explanation == "Not scored: row 7: answer is a number, not text."
    assert_unscored(found)
    assert scorer.refuse("", "row 7: {found} {0}").reason == "row 7: {found} {0}"


ERRORS = (TypeError, KeyError, ZeroDivisionError, ValueError, RecursionError)


@pytest.mark.parametrize("error", [kind("kapot") for kind in ERRORS], ids=repr)
def test_an_internal_error_affects_no_other_row(error, monkeypatch, afas, caplog):
    expected = afas.score(turn(id="2"))
    real = scoring.BY_NAME["hal"]

    def measure(material: Material, options: Options) -> Measurement:
        if "kapot" in material.answer.plain.text:
            raise error
        return real.measure(material, options)

    broken = dataclasses.replace(real, measure=measure)
    monkeypatch.setattr(scoring, "BY_NAME", {**scoring.BY_NAME, "hal": broken})
    failing = turn(answer="Het bestand van de gebruiker is kapot.", id="1")
    with caplog.at_level(logging.INFO, logger="klopt"):
        first, second = afas.score_many([failing, turn(id="2")])
    assert (first.id, first.status, first.reason_code) == ("1", "error", "internal")
    shown = f"{type(error).__name__}: {error}"
    assert first.reason == f"an internal error in klopt ({shown}); please report it"
    assert_unscored(first)
    assert second == expected
    assert "'1'" in caplog.text
    assert failing.answer not in caplog.text


@pytest.mark.parametrize(
    ("answer", "verdict", "is_reported"),
    [
        ("De code is 15 minuten geldig.", "send", False),
        ("De code is n\u0456et 15 minuten geldig.", "review", True),  # a Cyrillic i
        ("De code is 15 minuten geldig \u03b1.", "send", False),
    ],
)
def test_a_word_in_two_scripts_is_reported_and_reviewed(answer, verdict, is_reported):
    page = Page("De code is na verzending 15 minuten geldig.", "code.md")
    result = Scorer.load().score(Turn("Hoe lang is de code geldig?", answer, [page]))
    assert result.verdict == verdict
    assert ("twee schriften" in result.explanation) == is_reported


def test_rating_and_reference_are_never_read(scorer):
    rated = turn(rating=1.0, reference="Iets heel anders.")
    assert scorer.score(rated) == scorer.score(turn())
