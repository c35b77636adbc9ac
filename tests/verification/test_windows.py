"""Windows of a page, and the windows nearest to a claim."""

import pytest

from klopt import Page, lexicons
from klopt.verification.index import Context
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.windows import HEADING_WORDS, WORDS, nearest

ENGLISH = Language(lexicons.load("en"))
LONG = "\n\n".join(
    f"## Part {number}\n\nPress F{number} to open part {number}. "
    + "The panel stays open until you close the program. " * 3
    for number in range(1, 13)
)


def page(text, form="markdown"):
    return ENGLISH.page(Page(text, format=form))


def test_windows_overlap_and_cover_the_page():
    index = page(LONG)
    windows = index.windows
    assert [window.first for window in windows] == sorted({window.first for window in windows})
    held = [sum(w.first <= unit <= w.last for w in windows) for unit in range(len(index.units))]
    assert set(held) <= {1, 2}
    assert windows[0].first == 0
    assert windows[-1].last == len(index.units) - 1
    for window in windows:
        text = index.reading.plain.text[slice(*window.span)]
        assert len(text.split()) <= WORDS
        assert len(window.text.split()) <= WORDS + HEADING_WORDS
        assert window.text.endswith(" ".join(text.split()))


@pytest.mark.parametrize("count", [0, 1, WORDS, WORDS + 1, 5 * WORDS])
def test_sentence_of_any_length_is_one_window(count):
    windows = page("word " * count).windows
    assert len(windows) == (1 if count else 0)


def test_headings_stand_before_a_window():
    windows = page(LONG).windows
    assert any(w.text.startswith("Part 7 Press F7") for w in windows)


def of_claims(answer, *pages):
    reader = ENGLISH.reader
    contexts = [Context(str(number), page(text)) for number, text in enumerate(pages)]
    match = Match(
        reader.read("How?"), reader.read(answer), contexts, ENGLISH.relations, ENGLISH.lexicons
    )
    return match, nearest(match, match.claims)


@pytest.mark.parametrize("number", [1, 6, 12])
def test_nearest_window_has_the_words_of_the_claim(number):
    match, (found,) = of_claims(f"Press F{number} to open part {number}.", LONG)
    at, window = found[0]
    assert f"Press F{number} to" in match.contexts[at].index.windows[window].text


def test_neighbouring_windows_count_once():
    _, (found,) = of_claims("The panel stays open until you close the program.", LONG)
    (_, first), (_, second) = found
    assert abs(first - second) > 1


def test_order_of_pages_does_not_matter():
    texts = "Press F1 to save.", "Press F2 to print."
    for claim in ("Press F2 to print.", "Press F1 to save.", "Press a key."):
        chosen = []
        for pages in (texts, texts[::-1]):
            match, (found,) = of_claims(claim, *pages)
            chosen.append([match.contexts[at].index.windows[w].text for at, w in found])
        assert chosen[0] == chosen[1]


def test_no_window_shares_a_word():
    _, found = of_claims("Zebras graze quietly.", "Press F1 to save.")
    assert found == [[]]
