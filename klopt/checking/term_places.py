"""Where an answer has a key term, or something else in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from klopt.checking.blanks import articles, negations
from klopt.checking.solution import TERM_FROM
from klopt.checking.words import (
    GENERAL,
    MOST_PLACES,
    Language,
    Run,
    Word,
    Words,
    is_camel_case,
    join,
    split,
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

_LONGEST_NAME_CHARS: Final = 300
_ABBREVIATED: Final = re.compile(r"(?P<full>.+?)\s+\((?P<short>[A-Z][A-Za-z0-9]{1,9})\)")
_MARKS: Final = " \t\r\n`'\"*“”‘’.,:;!?()[]"
_TECHNICAL: Final = re.compile(r"\d|[^\W_][._\\/=-][^\W_]|[a-zà-ÿ][A-ZÀ-Þ]")
_GLUE: Final = re.compile(r"[_.-]")
"""What joins two words into one name. A path goes on as it likes."""
_OF_A_PATH: Final = re.compile(r"[_.\\/-]|:[\\/]")
"""The same for a term of which words are missing: they have been replaced."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the answer has of a term.

    Attributes:
        degree: 1 when it has the term, `FILLED_IN` when it has something else for what the reader
            is to put in, `SHORTENED` when it leaves words out, 0 when other words stand in their
            place or too little is there.
        first: Its first word in the answer, or that of what stands there instead; None when the
            answer has less than half of the term.
        last: The last one.
    """

    degree: float
    first: int | None = None
    last: int | None = None


def find_term(term: str, answer: Words, language: Language) -> tuple[Place, ...]:
    """Every place that has a term, or the best of those that have a part of it.

    Signs, spaces and case do not matter ("profilePath" is "profile path"), but words do: "1" is
    not in "10.1.2", "ocr_a" is not "ocr_s", and "orl.ini" is not "orl.ini.bak". An article and
    a general noun ("the Save button") may be left out. What the reader is to put in himself
    ("<user>") may be something else. Of a name with its abbreviation, "Security Kit (SK)", either
    is enough. Of a term with a single letter or digit ("-f") the signs matter too.

    Args:
        term: The key term.
        answer: The answer's words.
        language: Of the answer.

    Returns:
        At least one place.

    >>> from klopt.checking.words import language
    >>> english = language("en")
    >>> answer = english.read("Set connection_timeout to 30 in conf/server.xml.")
    >>> [find_term(term, answer, english)[0].degree for term in ("server.xml", "30", "server.ini")]
    [1.0, 1.0, 0.0]
    """
    names = _names(term)
    for name in names:
        for parts, degree in (((join(name),), 1.0), (split(name), FILLED_IN)):
            found = (run for run in answer.find(parts) if not _is_other(answer, run, name))
            places = tuple(Place(degree, *run) for run in islice(found, MOST_PLACES))
            if places:
                return places
    return (_partial(_Term(names[0], language), answer, language),)


def is_emphasis(term: str, language: Language) -> bool:
    """Whether a bold term has stop words only: "MUST", "niet".

    >>> from klopt.checking.words import language
    >>> is_emphasis("MUST", language("en")), is_emphasis("Save", language("en"))
    (True, False)
    """
    return not any(language.weight(word.text) for word in language.read(term).words)


def _names(term: str) -> tuple[str, ...]:
    """A term without an article before it; then the name and the abbreviation in it."""
    term = term.strip()
    first, _, rest = term.partition(" ")
    if first.lower() in articles() and join(rest):
        term = rest.strip()
    match = _ABBREVIATED.fullmatch(term) if len(term) <= _LONGEST_NAME_CHARS else None
    return (term,) if match is None else (term, match["full"], match["short"])


def _is_other(answer: Words, run: Run, name: str) -> bool:
    """Whether what was found is a part of another name: "orl.ini" of "orl.ini.bak"."""
    text, (first, last) = answer.source, run
    start, end = answer.words[first].start, answer.words[last].end
    sought = name.strip(_MARKS)
    if len(join(name)) == 1 and sought:
        found = text[max(0, start - len(sought)) : end + len(sought)].lower()
        return not re.search(rf"(?<![\w-]){re.escape(sought.lower())}(?![\w+#])", found)
    technical = _TECHNICAL.search(name) is not None
    if first:
        before = _between(answer, first - 1)
        if before == "_" or (before == "." and "." in name and not text[start].isupper()):
            return True
        if before == "-" and (technical or answer.words[first - 1].text in negations()):
            return True
    if last + 1 == len(answer.words):
        return False
    behind = _between(answer, last)
    return (
        behind == "_"
        or (behind == "-" and technical)
        or (behind == "." and not text[end + 1].isupper())
    )


def _between(answer: Words, number: int) -> str:
    """What stands between a word and the next one."""
    return answer.source[answer.words[number].end : answer.words[number + 1].start]


class _Term:
    """The words that an answer needs to have a term."""

    def __init__(self, term: str, language: Language) -> None:
        self.every = frozenset(word.stem for word in language.read(term).words)
        bare = without_placeholders(term)
        words = language.read(bare).words
        self.is_one_word = len(bare.split()) == 1
        self.is_path = self.is_one_word and ("/" in bare or "\\" in bare)
        self.order = tuple(word.stem for word in words)
        self.needed = Counter(self.order)
        self.weights = {
            word.stem: min(1.0, language.weight(word.text)) or GENERAL for word in words
        }
        general = {
            word.stem
            for word in words
            if language.is_general_noun(word.text) and _stands_alone(bare, word)
        }
        self.may_go = general.union(word.stem for word in words[:-1] if word.text in articles())
        self.tenths = {stem: round(10 * weight) for stem, weight in self.weights.items()}
        self.names = frozenset(
            word.stem
            for word in words
            if not word.stem.isalpha() or is_camel_case(bare[word.start : word.end])
        )
        self.total = sum(map(self.weights.__getitem__, self.order))


def _stands_alone(text: str, word: Word) -> bool:
    """Whether white space is around a word: the noun of a name, and not a part of code."""
    around = text[max(0, word.start - 1) : word.start] + text[word.end : word.end + 1]
    return not around.strip()


def _partial(term: _Term, answer: Words, language: Language) -> Place:
    """The place with most of a term's words."""
    used = _window(term, answer)
    stems = [answer.words[number].stem for number in used]
    if not any(term.weights[stem] > GENERAL for stem in stems):
        return Place(0.0)
    degree = _degree(term, answer, used, language)
    if degree:
        return Place(degree, used[0], used[-1])
    if 2 * sum(map(term.weights.__getitem__, stems)) < term.total:
        return Place(0.0)
    return Place(0.0, *_instead(term, answer, used))


def _window(term: _Term, answer: Words) -> tuple[int, ...]:
    """The words of the shortest window that has most of a term, by weight."""
    words = answer.words
    at = sorted(
        number for stem in term.needed for number in answer.places.get(stem, ())[:MOST_PLACES]
    )
    reach = 2 * len(term.order) + EXTRA_WORDS
    have: Counter[str] = Counter()
    best, window, left, got = (0, 0), (0, 0), 0, 0
    for right, number in enumerate(at, 1):
        stem = words[number].stem
        have[stem] += 1
        got += term.tenths[stem] * (have[stem] <= term.needed[stem])
        while (
            at[left] <= number - reach
            or have[words[at[left]].stem] > term.needed[words[at[left]].stem]
        ):
            stem = words[at[left]].stem
            got -= term.tenths[stem] * (have[stem] <= term.needed[stem])
            have[stem] -= 1
            left += 1
        if (got, at[left] - number) > best:
            best, window = (got, at[left] - number), (left, right)
    return _needed(term, answer, at[slice(*window)])


def _needed(term: _Term, answer: Words, numbers: Sequence[int]) -> tuple[int, ...]:
    """Of some words those that the term needs, each as often as it needs it."""
    have: Counter[str] = Counter()
    kept = []
    for number in numbers:
        stem = answer.words[number].stem
        have[stem] += 1
        if have[stem] <= term.needed[stem]:
            kept.append(number)
    return tuple(kept)


def _degree(term: _Term, answer: Words, used: tuple[int, ...], language: Language) -> float:
    """1 for the term less a general noun, `SHORTENED` for a part or another order, or 0."""
    stems = [answer.words[number].stem for number in used]
    missing = term.needed - Counter(stems)
    if _goes_on(answer, used, term) or not term.names.isdisjoint(missing):
        return 0.0
    between = set(range(used[0] + 1, used[-1])).difference(used)
    among = [answer.words[number] for number in sorted(between)]
    others = sum(
        word.stem not in term.every and language.weight(word.text) >= 1.0 for word in among
    )
    if all(stem in term.may_go for stem in missing):
        order = [stem for stem in term.order if stem not in missing]
        if stems == order and all(word.text in articles() for word in among):
            return 1.0
        if term.is_path and _is_file_in_folder(term, stems, used) and 2 * others <= len(order):
            return 1.0
        return SHORTENED if 2 * others <= len(term.order) else 0.0
    share = sum(map(term.weights.__getitem__, stems)) / term.total
    return SHORTENED if share >= SHORTENED_FROM and not others else 0.0


def _is_file_in_folder(term: _Term, stems: Sequence[str], used: Sequence[int]) -> bool:
    """Whether a path stands in two parts, each whole: "setenv.sh in the folder /opt/ms/bin"."""
    breaks = [at for at in range(1, len(used)) if used[at] != used[at - 1] + 1]
    if len(breaks) != 1:
        return False
    first, second = tuple(stems[: breaks[0]]), tuple(stems[breaks[0] :])
    return term.order in (first + second, second + first)


def _goes_on(answer: Words, used: tuple[int, ...], term: _Term) -> bool:
    """Whether what was found is a part of another name: "ocr" of "ocr_s", "b/c" of "/a/b/c"."""
    glue = _GLUE if len(used) == len(term.order) else _OF_A_PATH
    kept = set(used)
    for number in used:
        for left in (number - 1, number):
            other = left if left < number else number + 1
            if other in kept or not 0 <= other < len(answer.words):
                continue
            if (
                glue.fullmatch(_between(answer, left))
                and answer.words[other].stem not in term.every
            ):
                return True
    return False


def _instead(term: _Term, answer: Words, used: tuple[int, ...]) -> Run:
    """What was found with what stands where the rest should, or goes on: "14 days", "a.ini.bak"."""
    first, last = used[0], used[-1]
    for _ in range(term.order.index(answer.words[first].stem)):
        if not first or _is_apart(term, answer, first - 1):
            break
        first -= 1
    for _ in range(term.order[::-1].index(answer.words[last].stem)):
        if last + 1 == len(answer.words) or _is_apart(term, answer, last):
            break
        last += 1
    for _ in range(EXTRA_WORDS):
        if first and _GLUE.fullmatch(_between(answer, first - 1)):
            first -= 1
        if last + 1 < len(answer.words) and _GLUE.fullmatch(_between(answer, last)):
            last += 1
    return first, last


def _is_apart(term: _Term, answer: Words, number: int) -> bool:
    """Whether a term cannot go on from a word to the next: a sentence ends, or a path does."""
    if answer.sentences[number] != answer.sentences[number + 1]:
        return True
    return term.is_one_word and any(map(str.isspace, _between(answer, number)))
