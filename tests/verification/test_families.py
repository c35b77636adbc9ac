"""Findings of the comparator, in tables and for any text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Page, lexicons
from klopt.verification.comparator import Comparator, compared
from klopt.verification.findings import findings_of
from klopt.verification.index import Context
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.pairs import Pair, batch_of
from klopt.verification.words import QUALIFIERS
from tests.tables import flattened, tables

CASES = flattened(tables("verification", "families"), "language")
LANGUAGES = {code: Language(lexicons.load(code)) for code in ("en", "nl")}
TEXTS = st.text(max_size=200) | st.sampled_from(
    ["", "ja", "Nee.", "🎉", "niet niet niet", "1 2 3 4", "`rm -rf` **Opslaan**", "aan uit aan uit"]
)


def pair_of(language: str, passage: str, claim: str, question: str = "") -> tuple[Pair, str, str]:
    own = LANGUAGES[language]
    page, answer, query = own.page(Page(passage)), own.reader.read(claim), own.reader.read(question)
    match = Match(query, answer, [Context("", page)], own.relations, own.lexicons)
    pairing = Comparator.load(language).pairing(match, own)
    texts = answer.plain.text, page.reading.plain.text
    return pairing.pair((0, len(texts[0])), 0, (0, len(texts[1]))), *texts


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['claim']}")
def test_findings(case):
    texts = (case[name] for name in ("language", "passage", "claim"))
    pair, claim, passage = pair_of(*texts, case.get("question", ""))
    findings = findings_of([pair], compared([pair], batch_of([pair]))[1])[0]
    found = [
        [one.kind, one.side, *(text[slice(*span)] if span else "" for text, span in spans)]
        for one in findings
        for spans in [((claim, one.claim), (passage, one.page))]
    ]
    assert [wanted for wanted in case.get("found", ()) if wanted not in found] == []
    against = {one.kind for one in findings if one.side == "against"}
    assert not against & set(case.get("absent", ()))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_has_the_qualifiers(language):
    assert {*lexicons.load_one(language, "qualifiers").lists, "yes", "no"} == set(QUALIFIERS)


@settings(max_examples=60)
@given(language=st.sampled_from(["nl", "en"]), passage=TEXTS, claim=TEXTS, question=TEXTS)
def test_findings_of_any_text(language, passage, claim, question):
    pair, claim, passage = pair_of(language, passage, claim, question)
    numbers, places = compared([pair], batch_of([pair]))
    assert all(np.isfinite(one).all() for one in numbers)
    for one in findings_of([pair], places)[0]:
        for span, text in ((one.claim, claim), (one.page, passage)):
            assert span is None or 0 <= span[0] < span[1] <= len(text)


def test_findings_do_not_depend_on_the_batch():
    pairs = [
        pair_of(one["language"], one["passage"], one["claim"], one.get("question", ""))[0]
        for one in CASES
    ]
    _, places = compared(pairs, batch_of(pairs))
    apart = [findings_of([one], compared([one], batch_of([one]))[1])[0] for one in pairs]
    assert findings_of(pairs, places) == apart
