"""What people are told: why a score is what it is, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from klopt import shipped
from klopt.comparing.findings import BESIDE, HINTS
from klopt.heuristics import BY_NAME
from klopt.reading.reader import split_sentences
from klopt.records import Evidence, Measurement
from klopt.scoring.assessment import CheckedStatement, Slot
from klopt.scoring.tree import (
    DENIED,
    WEAKEST,
    Cut,
    Node,
    Sum,
    Walk,
    Weigh,
    printed,
)

_CLEAR: Final = 0.1
_PULLS: Final = 2
FALLBACK: Final = "en"
TELLING: Final = "components_defined"
"""What no page names says more to a reader than any weight: it is told whatever it counts."""
MOST: Final = 3
"""So many faults of one kind are told."""
LONGEST_CHARS: Final = 90
"""So much is quoted of a text."""
SENTENCE_CHARS: Final = 140
"""So much of what stands beside other words: most sentences are shorter."""
EVEN: Final = 0.5
"""A statement that is likelier true than not is not called wrong."""
_WORD: Final = re.compile(r"\w{4,}")
_STEM_CHARS: Final = 5
"""Words that begin alike are taken for the same, where only a place is looked for."""
_OF_STATEMENTS: Final = ("statements_hold", WEAKEST)
"""What these find is told statement by statement."""


def as_read(evidence: Evidence) -> str:
    """Quotes evidence as it was read."""
    return evidence.text


@cache
def _told() -> frozenset[str]:
    files = resources.files("klopt.scoring").joinpath("texts").iterdir()
    return frozenset(file.name.removesuffix(".toml") for file in files)


def said_in(language: str | None) -> str:
    """The language in which people are told: that of a turn where there are words in it."""
    return language if language is not None and language in _told() else FALLBACK


def node_says(node: Node, language: str | None) -> str:
    """What a node that decides says; in English where its profile has no words of the language."""
    return node.says.get(language or "", node.says[FALLBACK])


def heuristic_name(name: str, language: str | None) -> str:
    """What a heuristic is called for people."""
    return BY_NAME[name].texts[said_in(language)]["name"]


@cache
def texts(language: str | None) -> Mapping[str, Any]:
    """The sentences of a language; English ones when the turn's language is not known."""
    return shipped.table("klopt.scoring", "texts", f"{said_in(language)}.toml")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a turn is not scored: a stable code and what fills its sentence."""

    code: str
    found: str = ""
    wanted: str = ""
    count: int = 0
    limit: int = 0

    def words(self, language: str | None) -> str:
        """The reason in words."""
        words = texts(language)
        sentence: str = words["reasons"][self.code]
        reason, *code = self.found.split(": ")
        return sentence.format(
            found=": ".join([words["explain"]["reasons"].get(reason, reason), *code]),
            wanted=self.wanted,
            count=whole(self.count, language),
            limit=whole(self.limit, language),
        )


def explain_walk(
    walk: Walk,
    node: Node,
    measurements: Mapping[str, Measurement],
    verdict: str,
    language: str,
    *,
    abstained: bool,
    held: Sequence[str] = (),
    statements: Sequence[CheckedStatement] = (),
    quote: Callable[[Evidence], str] = as_read,
) -> tuple[str, ...]:
    """The sentences that explain a score: the verdict, the reason in one sentence, what else.

    Statements at fault are told unless the answer is sent; ``held`` are the heuristics whose
    evidence of a fault holds back an answer that would be.
    """
    words = texts(language)
    sentences = [headline(verdict, walk.score or 0.0, language)]
    if verdict == "send" and not isinstance(node, Sum):
        if not statements or not isinstance(node, Weigh):
            return (*sentences, node_says(node, language))
        do_hold = all(statement.relation == "supported" for statement in statements)
        return (*sentences, words["holds" if do_hold else "not_denied"])
    if not isinstance(node, Weigh) and not held:
        sentences.append(node_says(node, language))
    if abstained and not (isinstance(node, Cut) and node.heuristic == "abstention"):
        sentences.append(words["abstained"])
    if isinstance(node, Sum):
        sentences += _extremes(node, measurements, words, language)
        pairs = measurements.get("subject_combination")
        sentences += _unsupported(pairs, words["pairs"], words["quoted"], quote, set())
        return tuple(sentences)
    pulls = sorted((value, name) for name, value in walk.contributions.items() if value < -_CLEAR)
    others = (DENIED, *held, *(name for _, name in pulls[:_PULLS]))
    sentences += _faults(others, statements, measurements, language, quote)
    if len(sentences) == 1:
        least = least_sure(statements, words["statements"])
        sentences.append(least or node_says(node, language))
    return tuple(dict.fromkeys(sentences))


def headline(verdict: str, score: float, language: str | None) -> str:
    """What to do with an answer, and its score."""
    sentence: str = texts(language)["verdict"][verdict]
    return sentence.format(score=decimal(score, language))


def explain_cut_off(
    measurements: Mapping[str, Measurement],
    verdict: str,
    language: str | None,
    statements: Sequence[CheckedStatement],
) -> tuple[str, ...]:
    """The sentences about an answer whose score was not found in time: the faults that were."""
    start = texts(language)["verdict"]["cut_off_block" if verdict == "block" else "cut_off"]
    return (start, *_faults(measurements, statements, measurements, language, as_read))


def whole(count: int, language: str | None) -> str:
    """A number as the language groups its digits.

    >>> whole(20_000, "nl"), whole(20_000, "en")
    ('20.000', '20,000')
    """
    return f"{count:,}".replace(",", texts(language)["thousands"])


def decimal(value: float, language: str | None, places: int = 1) -> str:
    """A score with one decimal, or more, as the language writes it, rounded down.

    Down, since 2.96 is not yet the 3.0 from which a profile sends.

    >>> decimal(2.96, "nl"), decimal(3.0, "en"), decimal(4.299, "en", 2)
    ('2,9', '3.0', '4.29')
    """
    text = f"{printed(value, places):.{places}f}"
    return text.replace(".", texts(language)["decimal"])


def capitalised(sentence: str) -> str:
    """A sentence with a capital."""
    return sentence[:1].upper() + sentence[1:]


def _faults(
    others: Iterable[str],
    statements: Sequence[CheckedStatement],
    measurements: Mapping[str, Measurement],
    language: str | None,
    quote: Callable[[Evidence], str],
) -> list[str]:
    """What is wrong: names on no page, statements, and what other heuristics have words for."""
    words, told = texts(language), set[str]()
    sentences: list[str] = []
    for name in dict.fromkeys([TELLING, *others]):
        if name in measurements and name not in _OF_STATEMENTS:
            sentence = BY_NAME[name].texts[said_in(language)].get("fault")
            sentences += _unsupported(measurements[name], sentence, words["quoted"], quote, told)
        if name == TELLING:
            sentences += of_faults(statements, words["statements"])
    return sentences


def _unsupported(
    measurement: Measurement | None,
    sentence: str | None,
    quoted_as: str,
    quote: Callable[[Evidence], str],
    told: set[str],
) -> list[str]:
    """The spans that no page supports, the first few, each once; nothing that was told before."""
    if measurement is None or sentence is None:
        return []
    quoted: list[str] = []
    for evidence in measurement.evidence:
        if evidence.kind == "unsupported" and (text := brief(quote(evidence))) not in told:
            told.add(text)
            quoted.append(quoted_as.format(text))
    if len(quoted) > MOST:
        quoted[MOST:] = ["…"]
    return [sentence.format(items=", ".join(quoted)).replace("….", "…")] if quoted else []


def _extremes(
    node: Sum, measurements: Mapping[str, Measurement], words: Mapping[str, Any], language: str
) -> list[str]:
    """The lowest and the highest of the features that were added up."""
    ranked = sorted(
        (value, name) for name in node.heuristics if (value := measurements[name].value) is not None
    )
    if len(ranked) < 2:
        return []
    (low, lowest), (high, highest) = ranked[0], ranked[-1]
    parts = (("low", low, lowest), ("high", high, highest))
    return [
        words[key].format(items=f"{heuristic_name(name, language)} ({value:.0%})")
        for key, value, name in parts
    ]


def brief(text: str) -> str:
    """A stretch of a text on one line, its first words when it is long."""
    line = " ".join(text.split()).rstrip(".:;,")
    return line if len(line) <= LONGEST_CHARS else f"{line[:LONGEST_CHARS].rsplit(' ', 1)[0]} …"


def of_faults(statements: Sequence[CheckedStatement], words: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the statements at fault, the worst first, in the pages' own words."""
    faults = sorted(filter(attrgetter("fault"), statements), key=attrgetter("truth"))
    lacking = list(islice(filter(_is_lacking, faults), MOST))
    told = 0
    for fault in faults:
        if _is_lacking(fault):
            if fault is lacking[0]:
                items = ", ".join(words["quoted"].format(_quoted(each)) for each in lacking)
                yield words["not_stated_fault"].format(items=items)
        elif told < MOST:
            told += 1
            answer, page = fault.rivals[0] if fault.rivals else (_quoted(fault), _beside(fault))
            key = "likely_fault" if fault.truth <= EVEN else "unsure_fault"
            yield words["found_fault" if _is_found(fault) else key].format(answer=answer, page=page)


def least_sure(statements: Sequence[CheckedStatement], words: Mapping[str, str]) -> str:
    """Where to look in an answer in which nothing was found; empty without statements.

    At the statement that is least sure, of those that no place bears out if there are any; what
    only leads in a list is not one.
    """
    telling = [
        statement for statement in statements if not statement.text.endswith(":")
    ] or statements
    unsure = [statement for statement in telling if statement.relation != "supported"] or telling
    if not unsure:
        return ""
    least = min(unsure, key=lambda statement: statement.truth)
    key = "least" if least.passage is not None else "least_alone"
    return words[key].format(claim=_quoted(least), page=_beside(least))


def _is_lacking(statement: CheckedStatement) -> bool:
    """Whether all there is to say is that no page states it."""
    if statement.passage is None:
        return True
    return statement.relation == "not_stated" and not (
        statement.rivals or any(slot.kind not in BESIDE for slot in _against(statement))
    )


def _is_found(statement: CheckedStatement) -> bool:
    """Whether there are words that speak against it, and not a chance alone."""
    has_words = bool(statement.wrong or statement.differing)
    return bool(statement.rivals) or (has_words and any(_against(statement)))


def _against(statement: CheckedStatement) -> Iterator[Slot]:
    """What speaks against it in the words of both sides."""
    return (
        slot
        for slot in statement.slots
        if slot.side == "against" and slot.kind not in HINTS and slot.claim and slot.page
    )


def _quoted(statement: CheckedStatement) -> str:
    """The statement, or what there is room for around the words that are wrong."""
    return _cut(statement.text, statement.wrong[0][0] if statement.wrong else 0)


def _beside(statement: CheckedStatement) -> str:
    """The sentence of its place that says otherwise, or else the one most like it."""
    if statement.passage is None:
        return ""
    text, best, most = statement.passage.text, "", (False, -1, 0)
    told = [slot.page.text for slot in _against(statement) if slot.page]
    wanted = {word[:_STEM_CHARS] for word in _WORD.findall(statement.text.casefold())}
    for sentence in split_sentences(text, frozenset()):
        words = text[sentence.start : sentence.end]
        marks = [at for at, _ in statement.differing if sentence.start <= at < sentence.end]
        alike = wanted & {word[:_STEM_CHARS] for word in _WORD.findall(words.casefold())}
        score = bool(marks), sum(word in words for word in told), sum(map(len, alike))
        if score > most:
            most, best = score, _cut(words, marks[0] - sentence.start if marks else 0)
    return best


def _cut(text: str, first: int) -> str:
    """A text on one line, or what there is room for around a place in it."""
    start, end = window(text, first, SENTENCE_CHARS)
    words = " ".join(text[start:end].split()).rstrip(".:;,")
    is_begun = bool(start) and not text[:start].endswith((". ", "\n"))
    return f"{'… ' if is_begun else ''}{words}{' …' if end < len(text) else ''}"


def window(text: str, first: int, most: int) -> tuple[int, int]:
    """A stretch of a text of so many characters at most, in which a place lies.

    It begins with a sentence or line where one begins near enough before the place, else with a
    word, and ends with a word where one ends in it behind the place.

    >>> text = "Kies een datum. Wacht negentig dagen."
    >>> text[slice(*window(text, 22, 15))]
    'Wacht negentig'
    """
    stop = text.rfind(". ", 0, first)
    start = max(text.rfind("\n", 0, first) + 1, stop + 2 if stop >= 0 else 0)
    earliest = min(first - most // 2, len(text) - most)
    if earliest > start:
        start = text.find(" ", earliest, first) + 1 or first
    end = start + most
    if end >= len(text):
        return start, len(text)
    blank = text.rfind(" ", first, end)
    return start, blank if blank > first else end
