"""Extract company-specific terms: frequent on the help pages, unknown to general language."""

from __future__ import annotations

import datetime
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from klopt._internal.imports import needs
from klopt.text.parse import Parser
from klopt.text.reader import Reader
from klopt.types import Page

MAX_FREQUENT: Final = 10_000  # words of the help documentation, as in the paper

REFERENCE_WORDS: Final = 50_000  # of general language; the paper used those of Wikibooks

_MIN_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class CompanyTerms:
    """Terms of pages in one language, the most frequent first."""

    language: str
    terms: tuple[str, ...]
    page_count: int
    lemma_count: int


def extract_terms(pages: Iterable[Page], reader: Reader) -> CompanyTerms:
    """Extract the company's own terms from pages.

    Of the `MAX_FREQUENT` lemmas of content words, those of at least three letters that are not in
    the reference. Source: Lassche et al., section 5.2 (Company-Specific Terms). Differs: the
    reference is wordfreq's frequency list instead of Wikibooks, so that a book on the company's
    subject does not hide its terms. ExtraMissingError without wordfreq.
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
    ranked = sorted(counts, key=lambda lemma: (-counts[lemma], lemma))[:MAX_FREQUENT]
    own = (lemma for lemma in ranked if is_a_word(lemma) and not {lemma, *forms[lemma]} & known)
    return CompanyTerms(reader.language, tuple(own), page_count, len(counts))


def to_lexicon(found: CompanyTerms, *, source: str, today: datetime.date) -> str:
    """Return the TOML text of the lexicon ``company_terms``."""
    lines = [
        "[lexicon]",
        'id = "company_terms"',
        f'language = "{found.language}"',
        f"source = {_quoted(f'klopt company terms on {found.page_count} pages of {source}')}",
        'licence = "as the pages"',
        f"retrieved = {today.isoformat()}",
        f'changes = "the {MAX_FREQUENT} most frequent lemmas without the '
        f"{REFERENCE_WORDS} most frequent words of wordfreq's list\"",
        "",
        "[lists]",
        "terms = [",
        *(f"  {_quoted(term)}," for term in sorted(found.terms)),
        "]",
    ]
    return "\n".join(lines) + "\n"


def general_words(language: str) -> frozenset[str]:
    """Return the `REFERENCE_WORDS` most frequent words of a language."""
    with needs("terms", "extracting company terms needs wordfreq's frequency list"):
        from wordfreq import top_n_list
    return frozenset(top_n_list(language, REFERENCE_WORDS))


def is_a_word(text: str) -> bool:
    """Whether a text is a word of at least three letters, perhaps with a hyphen.

    >>> is_a_word("pop-up"), is_a_word("F5")
    (True, False)
    """
    letters = text[:1].isalpha() and text[-1:].isalpha()
    return letters and len(text) >= _MIN_LETTERS and all(c.isalpha() or c in "-'" for c in text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
