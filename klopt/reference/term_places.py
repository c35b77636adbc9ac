"""Find the key terms and steps of a reference in an answer, or the words in their place."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, TypeAlias

from klopt.reference.reference import ReferenceStep
from klopt.reference.words import (
    GENERAL,
    MAX_PLACES,
    CheckedLanguage,
    Covered,
    Run,
    Words,
    articles,
    is_camel_case,
    names,
    negations,
)

SHORTENED: Final = 0.5  # Degree of a term with some words missing
SHORTENED_FROM: Final = 0.6  # A shortened term has at least this share of its words, by weight
INSTEAD_FROM: Final = 0.5  # Words in place of a term have at least this share of it, by weight
EXTRA_WORDS: Final = 4  # A window has room for this many words beside twice those of the term

_MARKS: Final = " \t\r\n`'\"*“”‘’.,:;!?()[]"
_TECHNICAL: Final = re.compile(r"\d|[^\W_][._\\/=-][^\W_]|[a-zà-ÿ][A-ZÀ-Þ]")
_GLUE: Final = re.compile(r"[_.-]")  # What joins two words into one name
_OF_A_PATH: Final = re.compile(r"[_.\\/-]|:[\\/]")  # for terms with words missing: replaced


def find_term(term: str, answer: Words, language: CheckedLanguage) -> tuple[Covered, ...]:
    """Every place that has a term, or the best of those that have a part of it.

    Signs, spaces and case are ignored ("profilePath" is "profile path"), but names are whole: "1"
    is not in "10.1.2", and "orl.ini" is not "orl.ini.bak". An article and a general noun may be
    missing, and of "Security Kit (SK)" either part is enough. Signs matter for a term with a single
    letter or digit ("-f"). The degree is 1, `SHORTENED`, or 0 where other words replace it;
    less than half has no run.

    >>> from klopt.reference.words import language
    >>> answer = language("en").read("Set connection_timeout to 30 in conf/server.xml.")
    >>> [find_term(term, answer, language("en"))[0].degree for term in ("server.xml", "server.ini")]
    [1.0, 0.0]
    """
    first, _, rest = term.strip().partition(" ")
    if first.lower() in articles() and any(map(str.isalnum, rest)):
        term = rest
    for name in names(term):
        runs = answer.find(language.read(name).joined)
        found = (Covered(1.0, run) for run in runs if not _is_other(answer, run, name))
        if places := tuple(islice(found, MAX_PLACES)):
            return places
    return (_partial(_Term(term, language), answer),)


def is_emphasis(term: str, language: CheckedLanguage) -> bool:
    """Whether a bold term has stop words only: "MUST", "niet"."""
    return not any(language.read(term).weights)


def _is_other(answer: Words, run: Run, name: str) -> bool:
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
    is_dotted = behind == "." and not text[end + 1].isupper()
    return behind == "_" or (behind == "-" and technical) or is_dotted


class _Term:
    """The words that an answer needs to have a term."""

    def __init__(self, term: str, language: CheckedLanguage) -> None:
        words = language.read(term)
        self.order = words.keys
        self.is_one_word = len(term.split()) == 1
        self.is_path = self.is_one_word and ("/" in term or "\\" in term)
        self.weights = {
            key: min(1.0, weight) or GENERAL
            for key, weight in zip(words.keys, words.weights, strict=True)
        }
        self.tenths = {key: round(10 * weight) for key, weight in self.weights.items()}
        self.names = set[str]()
        self.may_lack = set[str]()
        for number, (key, start, end) in enumerate(
            zip(words.keys, words.starts, words.ends, strict=True)
        ):
            if not key.replace(" ", "").isalpha() or is_camel_case(words.source[start:end]):
                self.names.add(key)
            is_last = number + 1 == len(words.keys)
            around = words.source[max(0, start - 1) : start] + words.source[end : end + 1]
            is_noun = key in language.general_nouns and not around.strip()
            if is_noun or (not is_last and words.letters[number] in articles()):
                self.may_lack.add(key)

    def share(self, keys: Iterable[str]) -> float:
        """The share of the term's words, by weight."""
        return sum(map(self.weights.__getitem__, keys)) / sum(self.weights.values())


def _partial(term: _Term, answer: Words) -> Covered:
    """The place with most of a term's words, `SHORTENED` or 0 unless an article is all it lacks."""
    used = _window(term, answer)
    if not any(term.weights[key] > GENERAL for key in used):
        return Covered(0.0)
    if degree := _degree(term, answer, used):
        return Covered(degree, (min(used.values()), max(used.values())))
    share = term.share(used)
    return Covered(0.0, _instead(term, answer, used) if share >= INSTEAD_FROM else None)


def _window(term: _Term, answer: Words) -> dict[str, int]:
    """Key → word of the shortest window that has most of a term, by weight."""
    at = sorted(
        number for key in term.weights for number in answer.places.get(key, ())[:MAX_PLACES]
    )
    reach = 2 * len(term.order) + EXTRA_WORDS
    best, weight = (0, 0), 0
    bounds = 0, -1
    last: OrderedDict[str, int] = OrderedDict()
    for number in at:
        key = answer.keys[number]
        weight += 0 if key in last else term.tenths[key]
        last[key] = number
        last.move_to_end(key)
        while last[oldest := next(iter(last))] <= number - reach:
            weight -= term.tenths[oldest]
            del last[oldest]
        first = next(iter(last.values()))
        if (weight, first - number) > best:
            best, bounds = (weight, first - number), (first, number)
    inside = [number for number in at if bounds[0] <= number <= bounds[1]]
    places = {answer.keys[number]: number for number in inside}
    return dict(sorted(places.items(), key=itemgetter(1)))


def _degree(term: _Term, answer: Words, used: Mapping[str, int]) -> float:
    """1 for the term less a general noun, `SHORTENED` for a part or another order, or 0."""
    numbers = list(used.values())
    missing = term.weights.keys() - used.keys()
    if _is_in_a_name(term, answer, set(numbers)) or missing & term.names:
        return 0.0
    between = set(range(numbers[0] + 1, numbers[-1])).difference(numbers)
    others = sum(
        answer.keys[number] not in term.weights and answer.weights[number] >= 1.0
        for number in between
    )
    if missing <= term.may_lack:
        order = [key for key in dict.fromkeys(term.order) if key not in missing]
        if list(used) == order and all(answer.letters[number] in articles() for number in between):
            return 1.0
        if term.is_path and _is_file_in_folder(order, list(used)) and 2 * others <= len(order):
            return 1.0
        return SHORTENED if 2 * others <= len(term.order) else 0.0
    return SHORTENED if term.share(used) >= SHORTENED_FROM and not others else 0.0


def _is_file_in_folder(order: list[str], keys: list[str]) -> bool:
    """Return whether the text has a path in two parts: "setenv.sh in the folder /opt/ms/bin"."""
    return any(keys[at:] + keys[:at] == order for at in range(len(keys)))


def _is_in_a_name(term: _Term, answer: Words, numbers: Collection[int]) -> bool:
    """Whether the match is part of another name: "ocr" of "ocr_s", "b/c" of "/a/b/c"."""
    glue = _GLUE if len(numbers) == len(term.weights) else _OF_A_PATH
    return any(
        glue.fullmatch(answer.between(left)) and answer.keys[other] not in term.weights
        for number in numbers
        for left, other in ((number - 1, number - 1), (number, number + 1))
        if other not in numbers and 0 <= other < len(answer.keys)
    )


def _instead(term: _Term, answer: Words, used: Mapping[str, int]) -> Run:
    """The match with the words in place of the rest: "14 days", "a.ini.bak"."""
    first, last = min(used.values()), max(used.values())
    before = term.order.index(answer.keys[first])
    after = term.order[::-1].index(answer.keys[last])
    while first and (before > 0 and not _is_apart(term, answer, first - 1)):
        first, before = first - 1, before - 1
    while last + 1 < len(answer.keys) and after > 0 and not _is_apart(term, answer, last):
        last, after = last + 1, after - 1
    for _ in range(EXTRA_WORDS):
        first -= bool(first and _GLUE.fullmatch(answer.between(first - 1)))
        last += bool(last + 1 < len(answer.keys) and _GLUE.fullmatch(answer.between(last)))
    return first, last


def _is_apart(term: _Term, answer: Words, number: int) -> bool:
    """Whether a term cannot continue to the next word, after the end of a sentence or path."""
    if answer.sentences[number] != answer.sentences[number + 1]:
        return True
    return term.is_one_word and any(map(str.isspace, answer.between(number)))


DETAIL: Final = 0.5  # Weight of a word outside the first line of its step
SYNONYM: Final = 0.8
REACH_SENTENCES: Final = 5  # A step lies within this many consecutive sentences
APART: Final = 0.02  # Penalty for each further sentence that a step spans

_Hit: TypeAlias = tuple[int, str, float]  # word of the answer, key it may stand for, credit


def find_steps(
    steps: Sequence[ReferenceStep], answer: Words, language: CheckedLanguage
) -> tuple[Covered, ...]:
    """For each step the share of it that the answer has, anywhere and together, and where."""
    return tuple(_find(_wanted(step, language), answer, language) for step in steps)


def _find(wanted: Mapping[str, float], answer: Words, language: CheckedLanguage) -> Covered:
    total = sum(wanted.values())
    if not total:
        return Covered(1.0)
    hits = _hits(wanted, answer, language)
    most: dict[str, float] = {}
    for _, key, credit in hits:
        most[key] = max(credit, most.get(key, 0.0))
    together, used = _together(hits, total, answer)
    return Covered(
        (sum(most.values()) / total + together) / 2, (used[0], used[-1]) if used else None
    )


def _wanted(step: ReferenceStep, language: CheckedLanguage) -> Mapping[str, float]:
    """The words of a step with their weights, those of its first line in full."""
    found: dict[str, float] = {}
    details = step.text[len(step.title) :] if step.text.startswith(step.title) else step.text
    for text, part in ((step.title, 1.0), (details, DETAIL)):
        words = language.read(text)
        for key, weight in zip(words.keys, words.weights, strict=True):
            if weight:
                found[key] = max(found.get(key, 0.0), part * weight)
    return found


def _hits(wanted: Mapping[str, float], answer: Words, language: CheckedLanguage) -> list[_Hit]:
    """The words of the answer that are wanted, or a synonym of a word that it lacks."""
    hits: list[_Hit] = []
    for key, weight in wanted.items():
        others, part = [key], 1.0
        if key not in answer.places:
            others, part = sorted(language.synonyms.get(key, ())), SYNONYM
        found = (number for one in others for number in answer.places.get(one, ())[:MAX_PLACES])
        hits += ((number, key, part * weight) for number in found)
    return sorted(hits)


def _together(hits: Sequence[_Hit], total: float, answer: Words) -> tuple[float, tuple[int, ...]]:
    """The degree of the run of sentences with most of a step, and its words in the answer."""
    sentences = [
        (sentence, list(own))
        for sentence, own in groupby(hits, key=lambda hit: answer.sentences[hit[0]])
    ]
    best = 0.0
    used: list[_Hit] = []
    for at, (first, _) in enumerate(sentences):
        gains: dict[str, float] = {}
        near: list[_Hit] = []
        for sentence, own in sentences[at : at + REACH_SENTENCES]:
            if sentence >= first + REACH_SENTENCES:
                break
            near += own
            for _, key, credit in own:
                gains[key] = max(credit, gains.get(key, 0.0))
            degree = sum(gains.values()) / total - APART * (sentence - first)
            if degree > best:
                best, used = degree, list(near)
    return best, _closest(used)


def _closest(hits: Sequence[_Hit]) -> tuple[int, ...]:
    """One place for each key, the closest together."""
    count = len({key for _, key, _ in hits})
    last: dict[str, int] = {}
    best: tuple[int, ...] = ()
    for number, key, _ in hits:
        last.pop(key, None)
        last[key] = number
        first = next(iter(last.values()))
        if len(last) == count and (not best or number - first < best[-1] - best[0]):
            best = tuple(last.values())
    return best
