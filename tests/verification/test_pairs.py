"""Relations of two words, and pairs in a padded batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.verification.comparator import numbers_of
from klopt.verification.networks import LABELS, VerifierWeights
from klopt.verification.pairs import Relation, batch_of
from klopt.verification.words import WordVectors
from tests.tables import tables
from tests.verification.texts import paired, random_pair

CASES = tables("verification", "pairs")

ROWS = 40
SIZES = st.lists(st.tuples(st.integers(1, 30), st.integers(1, 50)), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def network():
    return VerifierWeights.load().network


def coordinates(random: np.random.Generator) -> np.ndarray:
    return random.integers(-127, 128, (2 * ROWS, WordVectors.load("nl").dimensions)).astype(np.int8)


@pytest.mark.parametrize(("language", "word", "other", "relation"), CASES["relations"])
def test_the_relation_of_two_words(languages, language, word, other, relation):
    _, pairing = paired(languages[language], word, [other])
    pair = pairing.pair((0, 100), 0, (0, 100))
    assert pair.relations[0, 0] == getattr(Relation, relation.upper())


def test_a_row_is_read_with_the_headings_of_its_columns(languages):
    page = "Kies.\n\n| Zaal | Huur per uur |\n|---|---|\n| Bosuil. Boven. | € 90 |\n| Uil | € 40 |"
    match, pairing = paired(languages["nl"], "Huur", [page])
    index = match.contexts[0].index
    text = index.reading.plain.text
    start, end = text.index("Bosuil"), text.index("€ 90") + 4
    for first, last, expected in (
        (start, end, "Bosuil Boven Zaal € 90 Huur per uur"),
        (0, 5, "Kies"),
        (start, len(text), "Bosuil Boven € 90 Uil € 40"),
    ):
        side = pairing.pair((0, 4), 0, (first, last)).page
        assert " ".join(text[slice(*span)] for span in side.spans) == expected


@pytest.mark.parametrize("code", ["nl", "en"])
def test_every_rival_is_excluded(languages, code):
    """For all words of the tables and compounds of them."""
    relations, key = languages[code].relations, languages[code].reader.tokenizer.key
    words = {*relations._opposites, *relations._members}
    words |= {key(head + "factuur") for head in relations._heads if len(head) > 2}
    met = 0
    for word in sorted(words):
        for rival in relations.rivals(word):
            met += 1
            assert relations.exclude(word, rival), (word, rival)
    assert met > len(words)


@settings(max_examples=15)
@given(SIZES, st.integers(0, 999))
def test_padding_changes_nothing(network, sizes, seed):
    """The network returns the same for a pair in a batch and alone."""
    random = np.random.default_rng(seed)
    pairs = [random_pair(random, *size, ROWS) for size in sizes]
    table, whole = coordinates(random), batch_of(pairs)
    points, numbers = network(whole, table), numbers_of(pairs, whole)
    assert points.shape == (len(pairs), len(LABELS))
    for row, pair in enumerate(pairs):
        alone = batch_of([pair])
        height, width = len(pair.claim.rows), len(pair.page.rows)
        assert (whole.claim.marks[row, :height] == alone.claim.marks[0]).all()
        assert (whole.page.marks[row, :width] == alone.page.marks[0]).all()
        assert not whole.claim.marks[row, height:].any()
        assert not whole.page.marks[row, width:].any()
        assert network(alone, table)[0] == pytest.approx(points[row], abs=1e-4)
        assert numbers_of([pair], alone)[0] == pytest.approx(numbers[row], abs=1e-4)
