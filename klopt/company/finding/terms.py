"""The company's own terms, each in the form in which the pages have it most often."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from klopt.company.entries import Entry
from klopt.company.finding.pages import Found, HelpPage, Places
from klopt.reading.reader import Reader
from klopt.reading.tokens import Kind
from klopt.tuning.terms import general_words, is_a_word

LEAST: Final = 3
LEAST_PAGES: Final = 2
MOST: Final = 2000
"""The most frequent; nobody reads through more."""


def find_terms(pages: Sequence[HelpPage], reader: Reader) -> Found:
    """Words that recur in the pages and that the general language does not have.

    Words are brought together by their stem, so that one form in the general language makes all
    forms general.

    Raises:
        ExtraMissingError: wordfreq, which holds the general language, is not installed.
    """
    key = reader.tokenizer.key
    known = {*map(key, general_words(reader.language)), *_own(reader)}
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, Places] = defaultdict(Places)
    for page in pages:
        tokens = page.reading.tokens
        for number in tokens.running:
            stem, kind = tokens.keys[number], tokens.kinds[number]
            if stem in known or kind not in (Kind.WORD, Kind.COMPONENT):
                continue
            start, end = tokens.starts[number], tokens.ends[number]
            word = page.text[start:end]
            if not (is_a_word(word) and key(word) == stem) or _is_cut(page.text, end):
                continue
            if "-" not in word or not known.issuperset(map(key, filter(None, word.split("-")))):
                forms[stem][word] += 1
                places[stem].add(page, start, end)
    common = [one for one in places if places[one].is_common(LEAST, LEAST_PAGES)]
    common.sort(key=lambda one: (-places[one].count, one))
    entries = []
    for stem in common[:MOST]:
        form = min(forms[stem], key=lambda one: (-forms[stem][one], one))
        if not _is_part_of_a_name(form):
            entries.append(Entry("company_terms", "terms", (form,), about=places[stem].about))
    return Found("terms", tuple(entries))


def _own(reader: Reader) -> set[str]:
    """What klopt's own tables have: general words of software, such as "dialoogvenster"."""
    groups = reader.lexicons["synonyms"].word_groups.values()
    words = {word for named in groups for group in named for word in group}
    return set(map(reader.tokenizer.key, words | reader.lexicons["general_words"].words))


def _is_cut(text: str, end: int) -> bool:
    """Whether a word is an abbreviation: a full stop behind it ends no sentence."""
    return text[end : end + 1] == "." and text[end + 1 : end + 3].strip()[:1].islower()


def _is_part_of_a_name(word: str) -> bool:
    """Whether it is what a name leaves behind ("Central-app")."""
    first, hyphen, rest = word.partition("-")
    return bool(hyphen) and first[:1].isupper() and rest[:1].islower()
