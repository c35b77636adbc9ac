"""Company-specific terms: frequent in the help pages, unknown to the general language."""

from __future__ import annotations

import datetime
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from klopt.extras import needs
from klopt.reading.parse import Parser
from klopt.reading.reader import Reader
from klopt.records import Page

MOST_FREQUENT: Final = 10_000
"""The paper takes the 10,000 most frequent words of the help documentation."""

REFERENCE_WORDS: Final = 50_000
"""Words of the general language, by frequency; the paper used all words of Dutch Wikibooks."""

_LEAST_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class LearntTerms:
    """What was learnt from the pages of one language."""

    language: str
    terms: tuple[str, ...]
    page_count: int
    lemma_count: int


def learn_terms(pages: Iterable[Page], reader: Reader) -> LearntTerms:
    """The company's own terms.

    Returns:
        Of the `MOST_FREQUENT` lemmas of content words, those with at least three letters that are
        not in the reference.

    Raises:
        ExtraMissingError: wordfreq, which holds the reference, is not installed.

    Source:
        Lassche et al., section 5.2 (Company-Specific Terms).

    Differs:
        The reference is wordfreq's frequency list (Wikipedia, subtitles, news, web and more)
        instead of Wikibooks, so that no book on the company's own subject hides its terms; a
        word is known when its lemma or any of its forms in the pages is in the list.
    """
    parser = Parser(reader.lexicons)
    known = general_words(reader.language)
    counts: Counter[str] = Counter()
    forms: dict[str, set[str]] = defaultdict(set)
    page_count = 0
    for page_count, page in enumerate(pages, 1):  # noqa: B007
        parse = parser.parse(reader.read(page.text, page.format))
        for lemma, word, content in zip(parse.lemmas, parse.words, parse.content, strict=True):
            if content:
                counts[lemma] += 1
                forms[lemma].add(word.casefold())
    ranked = sorted(counts, key=lambda lemma: (-counts[lemma], lemma))[:MOST_FREQUENT]
    own = (lemma for lemma in ranked if is_a_word(lemma) and not {lemma, *forms[lemma]} & known)
    return LearntTerms(reader.language, tuple(own), page_count, len(counts))


def to_lexicon(learnt: LearntTerms, *, source: str, today: datetime.date) -> str:
    """The TOML text of the lexicon ``company_terms``."""
    lines = [
        "[lexicon]",
        'id = "company_terms"',
        f'language = "{learnt.language}"',
        f"source = {_quoted(f'klopt company terms on {learnt.page_count} pages of {source}')}",
        'licence = "as the pages"',
        f"retrieved = {today.isoformat()}",
        f'changes = "the {MOST_FREQUENT} most frequent lemmas without the '
        f"{REFERENCE_WORDS} most frequent words of wordfreq's list\"",
        "",
        "[lists]",
        "terms = [",
        *(f"  {_quoted(term)}," for term in sorted(learnt.terms)),
        "]",
    ]
    return "\n".join(lines) + "\n"


def general_words(language: str) -> frozenset[str]:
    """The `REFERENCE_WORDS` most frequent words of a language.

    Raises:
        ExtraMissingError: wordfreq is not installed.
    """
    with needs("terms", "learning company terms needs wordfreq's frequency list"):
        from wordfreq import top_n_list
    return frozenset(top_n_list(language, REFERENCE_WORDS))


def is_a_word(text: str) -> bool:
    """Whether a text is a word of at least three letters, perhaps with a hyphen.

    >>> is_a_word("pop-up"), is_a_word("F5")
    (True, False)
    """
    letters = text[:1].isalpha() and text[-1:].isalpha()
    return letters and len(text) >= _LEAST_LETTERS and all(c.isalpha() or c in "-'" for c in text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
