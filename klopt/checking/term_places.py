"""Where an answer has a key term, or something else in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from klopt.checking.blanks import articles, names, negations
from klopt.checking.grading import TERM_FROM
from klopt.checking.words import (
    GENERAL,
    MOST_PLACES,
    CheckedLanguage,
    Covered,
    Run,
    Words,
    is_camel_case,
    without_placeholders,
)

FILLED_IN: Final = TERM_FROM
"""The degree of a command with something else for its placeholders: whether it is the right thing
cannot be told."""
SHORTENED: Final = 0.5
"""The degree of a term that the answer has without some of its words."""
SHORTENED_FROM: Final = 0.6
"""A shortened term has at least this much of its words, by weight."""
EXTRA_WORDS: Final = 4
"""So many words that are not the term's may stand among them, and as many as it has itself."""

_MARKS: Final = " \t\r\n`'\"*“”‘’.,:;!?()[]"
_TECHNICAL: Final = re.compile(r"\d|[^\W_][._\\/=-][^\W_]|[a-zà-ÿ][A-ZÀ-Þ]")
_GLUE: Final = re.compile(r"[_.-]")
"""What joins two words into one name. A path goes on as it likes."""
_OF_A_PATH: Final = re.compile(r"[_.\\/-]|:[\\/]")
"""The same for a term of which words are missing: they have been replaced."""


def find_term(term: str, answer: Words, language: CheckedLanguage) -> tuple[Covered, ...]:
    """Every place that has a term, or the best of those that have a part of it; at least one.

    Signs, spaces and case do not matter ("profilePath" is "profile path"), but words do: "1" is
    not in "10.1.2", "ocr_a" is not "ocr_s", and "orl.ini" is not "orl.ini.bak". An article and
    a general noun ("the Save button") may be left out. What the reader is to put in himself
    ("<user>") may be something else. Of a name with its abbreviation, "Security Kit (SK)", either
    is enough. Of a term with a single letter or digit ("-f") the signs matter too. The degree is 1,
    `FILLED_IN`, `SHORTENED`, or 0 where other words stand there; less than half has no run.

    >>> from klopt.checking.words import language
    >>> answer = language("en").read("Set connection_timeout to 30 in conf/server.xml.")
    >>> [find_term(term, answer, language("en"))[0].degree for term in ("server.xml", "server.ini")]
    [1.0, 0.0]
    """
    first, _, rest = term.strip().partition(" ")
    if first.lower() in articles() and any(map(str.isalnum, rest)):
        term = rest
    for name in names(term):
        for parts, degree in (
            ((language.read(name).joined,), 1.0),
            (language.split(name), FILLED_IN),
        ):
            found = (run for run in answer.find(parts) if not _is_other(answer, run, name))
            places = tuple(Covered(degree, run) for run in islice(found, MOST_PLACES))
            if places:
                return places
    return (_partial(_Term(term, language), answer),)


def is_emphasis(term: str, language: CheckedLanguage) -> bool:
    """Whether a bold term has stop words only: "MUST", "niet"."""
    return not any(language.read(term).weights)


def _is_other(answer: Words, run: Run, name: str) -> bool:
    """Whether what was found is a part of another name: "orl.ini" of "orl.ini.bak"."""
    text, (first, last) = answer.source, run
    start, end = answer.starts[first], answer.ends[last]
    sought = name.strip(_MARKS)
    if sum(map(str.isalnum, name)) == 1 and sought:
        around = text[max(0, start - len(sought)) : end + len(sought)].lower()
        return not re.search(rf"(?<![\w-]){re.escape(sought.lower())}(?![\w+#])", around)
    technical = _TECHNICAL.search(name) is not None
    if first:
        before = answer.between(first - 1)
        if before == "_" or (before == "." and "." in name and not text[start].isupper()):
            return True
        if before == "-" and (technical or answer.letters[first - 1] in negations()):
            return True
    if last + 1 == len(answer.keys):
        return False
    behind = answer.between(last)
    return (
        behind == "_"
        or (behind == "-" and technical)
        or (behind == "." and not text[end + 1].isupper())
    )


class _Term:
    """The words that an answer needs to have a term."""

    def __init__(self, term: str, language: CheckedLanguage) -> None:
        self.every = frozenset(language.read(term).keys)
        bare = without_placeholders(term)
        words = language.read(bare)
        self.is_one_word = len(bare.split()) == 1
        self.is_path = self.is_one_word and ("/" in bare or "\\" in bare)
        self.order = words.keys
        self.needed = Counter(self.order)
        self.weights = {
            key: min(1.0, weight) or GENERAL
            for key, weight in zip(self.order, words.weights, strict=True)
        }
        general = {
            key
            for number, key in enumerate(self.order)
            if key in language.general_nouns and _stands_alone(words, number)
        }
        before = zip(self.order[:-1], words.letters, strict=False)
        self.may_go = general.union(key for key, letters in before if letters in articles())
        self.tenths = {key: round(10 * weight) for key, weight in self.weights.items()}
        spans = zip(self.order, words.starts, words.ends, strict=True)
        self.names = frozenset(
            key
            for key, start, end in spans
            if not key.replace(" ", "").isalpha() or is_camel_case(words.source[start:end])
        )
        self.total = sum(map(self.weights.__getitem__, self.order))


def _stands_alone(words: Words, number: int) -> bool:
    """Whether white space is around a word: the noun of a name, and not a part of code."""
    start, end = words.starts[number], words.ends[number]
    around = words.source[max(0, start - 1) : start] + words.source[end : end + 1]
    return not around.strip()


def _partial(term: _Term, answer: Words) -> Covered:
    """The place with most of a term's words."""
    used = _window(term, answer)
    keys = [answer.keys[number] for number in used]
    if not any(term.weights[key] > GENERAL for key in keys):
        return Covered(0.0)
    degree = _degree(term, answer, used)
    if degree:
        return Covered(degree, (used[0], used[-1]))
    if 2 * sum(map(term.weights.__getitem__, keys)) < term.total:
        return Covered(0.0)
    return Covered(0.0, _instead(term, answer, used))


def _window(term: _Term, answer: Words) -> tuple[int, ...]:
    """The words of the shortest window that has most of a term, by weight."""
    at = sorted(
        number for key in term.needed for number in answer.places.get(key, ())[:MOST_PLACES]
    )
    reach = 2 * len(term.order) + EXTRA_WORDS
    have: Counter[str] = Counter()
    best, window, left, got = (0, 0), (0, 0), 0, 0
    for right, number in enumerate(at, 1):
        key = answer.keys[number]
        have[key] += 1
        got += term.tenths[key] * (have[key] <= term.needed[key])
        while (
            at[left] <= number - reach
            or have[answer.keys[at[left]]] > term.needed[answer.keys[at[left]]]
        ):
            key = answer.keys[at[left]]
            got -= term.tenths[key] * (have[key] <= term.needed[key])
            have[key] -= 1
            left += 1
        if (got, at[left] - number) > best:
            best, window = (got, at[left] - number), (left, right)
    return _needed(term, answer, at[slice(*window)])


def _needed(term: _Term, answer: Words, numbers: Sequence[int]) -> tuple[int, ...]:
    """Of some words those that the term needs, each as often as it needs it."""
    have: Counter[str] = Counter()
    kept = []
    for number in numbers:
        key = answer.keys[number]
        have[key] += 1
        if have[key] <= term.needed[key]:
            kept.append(number)
    return tuple(kept)


def _degree(term: _Term, answer: Words, used: tuple[int, ...]) -> float:
    """1 for the term less a general noun, `SHORTENED` for a part or another order, or 0."""
    keys = [answer.keys[number] for number in used]
    missing = term.needed - Counter(keys)
    if _goes_on(answer, used, term) or not term.names.isdisjoint(missing):
        return 0.0
    between = set(range(used[0] + 1, used[-1])).difference(used)
    others = sum(
        answer.keys[number] not in term.every and answer.weights[number] >= 1.0
        for number in between
    )
    if all(key in term.may_go for key in missing):
        order = [key for key in term.order if key not in missing]
        if keys == order and all(answer.letters[number] in articles() for number in between):
            return 1.0
        if term.is_path and _is_file_in_folder(term, keys, used) and 2 * others <= len(order):
            return 1.0
        return SHORTENED if 2 * others <= len(term.order) else 0.0
    share = sum(map(term.weights.__getitem__, keys)) / term.total
    return SHORTENED if share >= SHORTENED_FROM and not others else 0.0


def _is_file_in_folder(term: _Term, keys: Sequence[str], used: Sequence[int]) -> bool:
    """Whether a path stands in two parts, each whole: "setenv.sh in the folder /opt/ms/bin"."""
    breaks = [at for at in range(1, len(used)) if used[at] != used[at - 1] + 1]
    if len(breaks) != 1:
        return False
    first, second = tuple(keys[: breaks[0]]), tuple(keys[breaks[0] :])
    return term.order in (first + second, second + first)


def _goes_on(answer: Words, used: tuple[int, ...], term: _Term) -> bool:
    """Whether what was found is a part of another name: "ocr" of "ocr_s", "b/c" of "/a/b/c"."""
    glue, kept = _GLUE if len(used) == len(term.order) else _OF_A_PATH, set(used)
    return any(
        glue.fullmatch(answer.between(left)) and answer.keys[other] not in term.every
        for number in used
        for left, other in ((number - 1, number - 1), (number, number + 1))
        if other not in kept and 0 <= other < len(answer.keys)
    )


def _instead(term: _Term, answer: Words, used: tuple[int, ...]) -> Run:
    """What was found with what stands where the rest should, or goes on: "14 days", "a.ini.bak"."""
    first, last = used[0], used[-1]
    for _ in range(term.order.index(answer.keys[first])):
        if not first or _is_apart(term, answer, first - 1):
            break
        first -= 1
    for _ in range(term.order[::-1].index(answer.keys[last])):
        if last + 1 == len(answer.keys) or _is_apart(term, answer, last):
            break
        last += 1
    for _ in range(EXTRA_WORDS):
        if first and _GLUE.fullmatch(answer.between(first - 1)):
            first -= 1
        if last + 1 < len(answer.keys) and _GLUE.fullmatch(answer.between(last)):
            last += 1
    return first, last


def _is_apart(term: _Term, answer: Words, number: int) -> bool:
    """Whether a term cannot go on from a word to the next: a sentence ends, or a path does."""
    if answer.sentences[number] != answer.sentences[number + 1]:
        return True
    return term.is_one_word and any(map(str.isspace, answer.between(number)))
