"""Properties of the heuristics for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.heuristics import ALL
from tests.heuristics.materials import material, measured, numbered

few = settings(max_examples=20)
WORDS = st.sampled_from(
    [
        "de huurder", "tekent", "het contract", "the tenant", "signs", "the lease", "niet", "not",
        "als", "if", "Nee,", "Klik op **Opslaan**", "Click **Save**", "`Ctrl+S`", "`dir /w`",
        "20", "twintig", "30 seconden", "links", "rechts", "uit", "AAN", "turn off", "geldig",
        "ongeldig", "\n\n1. Klik op **Nieuw**.\n2. Klik op **Opslaan**.\n",
        "\n\n1. Klik op **Opslaan**.\n2. Klik op **Nieuw**.\n", "\n\n## Oplossing\n\n",
        "\n\n# Solution\n\n", "\n\nZie ook\n\n", "Dat weet ik niet.", "I do not know.", ". ", "? ",
        "\n", "&amp;", "***", "\u200b", "e\u0301", "İ", "ß", "1.000", "2,5", "Goedemorgen!",
    ]
)  # fmt: skip
TEXT = st.one_of(
    st.text(max_size=30),
    st.lists(WORDS, max_size=14).map(" ".join),
    st.lists(WORDS, max_size=8).map("".join),
)
PAGES = st.lists(TEXT, max_size=4)
LANGUAGES = st.sampled_from(["nl", "en"])


def test_evidence_quotes_its_complete_span(languages):
    given = material(languages["nl"], "Hoe?", "Kies \U0001d15f nu.", ())  # two characters in NFC
    one = given.evidence("found", 0, 6)
    assert (one.text, one.start, one.end) == ("Kies \U0001d158\U0001d165", 0, 6)


@few
@given(TEXT, TEXT, PAGES, LANGUAGES, st.randoms(use_true_random=False))
def test_the_order_of_pages_is_irrelevant(languages, question, answer, pages, language, shuffler):
    turned = shuffler.sample(numbered(pages), len(pages))
    own = languages[language]
    one, other = (material(own, question, answer, some) for some in (numbered(pages), turned))
    for heuristic in ALL:
        first, second = (measured(heuristic.name, given) for given in (one, other))
        assert first.reason == second.reason
        assert first.value == (
            None if second.value is None else pytest.approx(second.value, abs=1e-9)
        )
