"""The words of a text with their marks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.comparing.words import FLAGS, QUALIFIERS, bit_of
from tests.comparing.texts import side

MARKED = [
    ("nl", "Wacht 30 seconden.", "number", ["30"]),
    ("nl", "Druk op `Ctrl+S`.", "literal", ["Ctrl+S"]),
    ("nl", "Klik op **Opslaan** in het menu.", "component", ["Opslaan"]),
    ("nl", "U kunt de aanvraag niet intrekken.", "negated", ["niet"]),
    ("nl", "Er is geen wachtwoord nodig.", "negated", ["geen"]),
    ("nl", "Bel als de tablet stilstaat.", "conditional", ["als"]),
    ("nl", "Open het programma Wadlinde. Start het.", "capital", ["Wadlinde"]),
    ("en", "Wait 30 seconds.", "number", ["30"]),
    ("en", "Press `Ctrl+S`.", "literal", ["Ctrl+S"]),
    ("en", "Click **Save** in the menu.", "component", ["Save"]),
    ("en", "You cannot withdraw the request.", "negated", ["cannot"]),
    ("en", "Call us if the tablet stops.", "conditional", ["if"]),
    ("en", "Open the program Wadlinde. Start it.", "capital", ["Wadlinde"]),
]


@pytest.mark.parametrize(("language", "text", "flag", "words"), MARKED)
def test_words_are_marked(languages, language, text, flag, words):
    found = side(languages[language], text)
    plain = languages[language].reader.read(text).plain.text
    marked = found.flags[:, FLAGS.index(flag)] > 0
    spans = zip(found.starts[marked].tolist(), found.ends[marked].tolist(), strict=True)
    assert [plain[start:end] for start, end in spans] == words


QUALIFIED = [
    ("nl", "Ja, dat moet altijd.", ("yes",), 1),
    ("nl", "Nee, dat hoeft niet.", ("no",), 1),
    ("nl", "Alle facturen worden verstuurd.", ("all",), 1),
    ("nl", "De facturen worden verstuurd.", ("all",), 0),
    ("en", "Yes, you must.", ("yes",), 1),
    ("en", "All invoices are sent.", ("all",), 1),
    ("en", "The invoices are sent.", ("all",), 0),
]


@pytest.mark.parametrize(("language", "text", "names", "count"), QUALIFIED)
def test_words_that_qualify_are_marked(languages, language, text, names, count):
    found = side(languages[language], text)
    assert (found.qualifiers & bit_of(*names) > 0).sum() == count


def test_each_qualifier_has_a_bit_of_its_own():
    assert bit_of(*QUALIFIERS) == 2 ** len(QUALIFIERS) - 1


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["nl", "en"]))
def test_a_side_stays_inside_its_text(languages, text, language):
    found = side(languages[language], text)
    length = len(languages[language].reader.read(text).plain.text)
    assert ((found.starts >= 0) & (found.starts < found.ends) & (found.ends <= length)).all()
    assert set(found.flags.ravel().tolist()) <= {0.0, 1.0}
    assert found.between(0, length) == slice(0, len(found.ids))
    assert [found.words[number] for number in found.ids.tolist()] == list(
        languages[language].reader.read(text).tokens.keys
    )
