"""Pairs and batches: what two words are to each other, and that filling up changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.comparing.comparator import numbers_of
from klopt.comparing.learnt import LABELS, Learnt, Network
from klopt.comparing.pairs import LONGEST, MARKS, Relation, batch_of
from klopt.comparing.words import WordVectors
from tests.comparing.texts import paired, pairs_of, random_pair
from tests.tables import tables

CASES = tables("comparing", "pairs")

ROWS = 40
SIZES = st.lists(st.tuples(st.integers(1, 30), st.integers(1, 50)), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def network() -> Network:
    return Learnt.load().network


def coordinates(random: np.random.Generator) -> np.ndarray:
    return random.integers(-127, 128, (2 * ROWS, WordVectors.load("nl").dimensions)).astype(np.int8)


@pytest.mark.parametrize(("language", "word", "other", "relation"), CASES["relations"])
def test_what_two_words_are_to_each_other(languages, language, word, other, relation):
    _, pairing = paired(languages[language], word, [other])
    pair = pairing.pair((0, 100), 0, (0, 100))
    assert pair.relations[0, 0] == getattr(Relation, relation.upper())


@pytest.mark.parametrize("code", ["nl", "en"])
def test_every_rival_excludes(languages, code):
    """All words of the tables, and compounds of them."""
    relations, key = languages[code].relations, languages[code].reader.tokenizer.key
    words = {*relations._opposites, *relations._members}
    words |= {key(head + "factuur") for head in relations._heads if len(head) > 2}
    met = 0
    for word in sorted(words):
        for rival in relations.rivals(word):
            met += 1
            assert relations.exclude(word, rival), (word, rival)
    assert met > len(words)


@settings(max_examples=15, deadline=None)
@given(SIZES, st.integers(0, 999))
def test_filling_up_changes_nothing(network, sizes, seed):
    """A batch says of each pair, wherever it stands, what the pair by itself says."""
    random = np.random.default_rng(seed)
    pairs = [random_pair(random, *size, ROWS) for size in sizes]
    table, whole = coordinates(random), batch_of(pairs)
    points, numbers = network(whole, table), numbers_of(pairs, whole)
    assert points.shape == (len(pairs), len(LABELS))
    for row, pair in enumerate(pairs):
        alone = batch_of([pair])
        height, width = len(pair.claim), len(pair.page)
        assert (whole.claim.marks[row, :height] == alone.claim.marks[0]).all()
        assert (whole.page.marks[row, :width] == alone.page.marks[0]).all()
        assert not whole.claim.marks[row, height:].any()
        assert not whole.page.marks[row, width:].any()
        assert network(alone, table)[0] == pytest.approx(points[row], abs=1e-4)
        assert numbers_of([pair], alone)[0] == pytest.approx(numbers[row], abs=1e-4)


def test_no_pairs_and_empty_pairs_are_a_batch_too(network):
    random = np.random.default_rng(0)
    table = coordinates(random)
    assert network(batch_of([]), table).shape == (0, len(LABELS))
    sizes = ((0, 3), (3, 0), (0, 0), (1, 1))
    pairs = [random_pair(random, *size, ROWS) for size in sizes]
    assert np.isfinite(network(batch_of(pairs), table)).all()


def test_the_longest_pair_is_cut(languages, network):
    text = " ".join(f"woord{number}" for number in range(400))
    match, pairing = paired(languages["nl"], text, [text], text)
    (pair,) = pairs_of(pairing, match)
    assert (len(pair.claim), len(pair.page)) == (2 * LONGEST, LONGEST)
    assert np.isfinite(network(batch_of([pair]), pairing.coordinates)).all()


def test_marks_say_what_the_other_side_has(languages):
    match, pairing = paired(
        languages["nl"],
        "Klik op Opslaan en niet op Annuleren.",
        ["Klik op Opslaan."],
        "Hoe klik ik?",
    )
    (pair,) = pairs_of(pairing, match)
    batch = batch_of([pair])
    marks = dict(zip(MARKS, batch.claim.marks[0].T, strict=True))
    asked = marks["of_question"] > 0
    assert asked.tolist() == [True] * 3 + [False] * 7
    assert marks["same"][3:].tolist() == [1, 1, 1, 0, 0, 1, 0]
    assert marks["same_pair"][3:].tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert marks["negated"][3:].tolist() == [0, 0, 0, 0, 1, 0, 0]
    assert marks["asked"][3:].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_a_pair_keeps_its_offsets(languages):
    answer, page = "Dat kan. Kies **Opslaan** in het menu.", "# Menu\n\nKies Opslaan."
    match, pairing = paired(languages["nl"], answer, [page])
    plain = languages["nl"].reader.read(answer).plain.text
    pair = pairs_of(pairing, match)[-1]
    words = [plain[start:end] for start, end in pair.claim.spans.tolist()]
    assert words == ["Kies", "Opslaan", "in", "het", "menu"]
