"""Explanations in words: why a score is what it is, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from operator import attrgetter
from typing import Any, Final

from klopt._internal import shipped
from klopt.heuristics import BY_NAME
from klopt.scoring.assessment import CheckedClaim, Slot
from klopt.scoring.notes import TOO_SHORT, LostPart
from klopt.scoring.tree import DENIED, WEAKEST, Cut, Node, Sum, Walk, Weigh, printed
from klopt.text.reader import split_sentences
from klopt.types import Evidence, Measurement
from klopt.verification.findings import BESIDE, CERTAIN

FALLBACK: Final = "en"
UNKNOWN_NAMES: Final = "components_defined"
"""The heuristic for names that are on no page; always explained, whatever its weight."""
STEP_ORDER: Final = "step_order"
MAX_FAULTS: Final = 3
"""Maximum number of faults of one kind in an explanation."""
QUOTED_CHARS: Final = 90
"""Maximum length of quoted evidence."""
SENTENCE_CHARS: Final = 140
"""Maximum length of a quoted claim or passage: most sentences are shorter."""
EVEN: Final = 0.5
"""A claim that is likelier true than not is not called wrong."""
_MIN_CONTRIBUTION: Final = 0.1
"""Log-odds that a heuristic must subtract to be mentioned."""
_MAX_CONTRIBUTIONS: Final = 2
_TOKEN: Final = re.compile(r"\w+")
_WORD: Final = re.compile(r"\w{4,}")
_STEM_CHARS: Final = 5
"""Words with the same beginning count as equal when the nearest sentence is looked for."""
_OF_CLAIMS: Final = ("statements_hold", WEAKEST)
"""The heuristics whose findings are explained claim by claim."""


@lru_cache
def text_language(language: str | None) -> str:
    """Return the language of explanations: the turn's if klopt has texts in it, else English."""
    files = resources.files("klopt.scoring").joinpath("texts").iterdir()
    known = [file.name.removesuffix(".toml") for file in files]
    return language if language is not None and language in known else FALLBACK


def node_says(node: Node, language: str | None) -> str:
    """Return the sentence of a deciding node; in English where the profile has no other."""
    return node.says.get(language or "", node.says[FALLBACK])


def heuristic_name(name: str, language: str | None) -> str:
    """Return the name of a heuristic for people."""
    return BY_NAME[name].texts[text_language(language)]["name"]


@cache
def texts(language: str | None) -> Mapping[str, Any]:
    """Return the sentences in a language; in English when klopt has none in it."""
    return shipped.table("klopt.scoring", "texts", f"{text_language(language)}.toml")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a turn is not scored: a stable code, and the values for its sentence."""

    code: str
    found: str = ""
    wanted: str = ""
    count: int = 0
    limit: int = 0

    def words(self, language: str | None) -> str:
        """Return the reason in words."""
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
    claims: Sequence[CheckedClaim] = (),
    quote: Callable[[Evidence], str] = attrgetter("text"),
) -> tuple[str, ...]:
    """Return the sentences that explain a score: the verdict, the main reason, further reasons.

    Claims at fault are listed unless the answer is sent; ``held`` are the heuristics whose faults
    hold back an answer that its score would send.
    """
    words = texts(language)
    sentences = [headline(verdict, walk.score or 0.0, language)]
    if verdict == "send" and not isinstance(node, Sum):
        if not claims or not isinstance(node, Weigh):
            return (*sentences, node_says(node, language))
        count = sum(claim.relation == "supported" for claim in claims)
        total = len(claims)
        sentence = words["holds" if count == total else "holds_partly"]
        return (*sentences, sentence.format(count=count, total=total))
    if not isinstance(node, Weigh) and not held:
        sentences.append(node_says(node, language))
    if abstained and not (isinstance(node, Cut) and node.heuristic == "abstention"):
        sentences.append(words["abstained"])
    if isinstance(node, Sum):
        sentences += _extremes(node, measurements, words, language)
        pairs = measurements.get("subject_combination")
        sentences += _unsupported(pairs, words["pairs"], words["quoted"], quote, set())
        return tuple(sentences)
    lowest = sorted(
        (value, name) for name, value in walk.contributions.items() if value < -_MIN_CONTRIBUTION
    )
    others = [DENIED, *held] + [name for _, name in lowest[:_MAX_CONTRIBUTIONS]]
    sentences += _faults(others, claims, measurements, language, quote)
    if len(sentences) == 1:
        least = least_sure(claims, words["statements"])
        sentences.append(least or node_says(node, language))
    return tuple(dict.fromkeys(sentences))


def headline(verdict: str, score: float, language: str | None) -> str:
    """Return the sentence with verdict and score."""
    sentence: str = texts(language)["verdict"][verdict]
    return sentence.format(score=decimal(score, language))


def lost_part_sentence(lost: LostPart, language: str | None) -> str:
    """Return the sentence that says what the translation of a sentence lacks."""
    key = "translation_too_short" if lost.part == TOO_SHORT else "translation_lacks"
    sentence: str = texts(language)[key]
    return sentence.format(part=brief(lost.part), sentence=brief(lost.text))


def explain_cut_off(
    measurements: Mapping[str, Measurement],
    verdict: str,
    language: str | None,
    claims: Sequence[CheckedClaim],
) -> tuple[str, ...]:
    """Return the sentences for an answer not scored in time: the faults found so far."""
    start = texts(language)["verdict"]["cut_off_block" if verdict == "block" else "cut_off"]
    return (start, *_faults(measurements, claims, measurements, language, attrgetter("text")))


def whole(count: int, language: str | None) -> str:
    """Return a number as the language groups its digits.

    >>> whole(20_000, "nl"), whole(20_000, "en")
    ('20.000', '20,000')
    """
    return f"{count:,}".replace(",", texts(language)["thousands"])


def decimal(value: float, language: str | None, places: int = 1) -> str:
    """Return a score as the language writes it, rounded down: 2.96 is not yet 3.0.

    >>> decimal(2.96, "nl"), decimal(3.0, "en"), decimal(4.299, "en", 2)
    ('2,9', '3.0', '4.29')
    """
    text = f"{printed(value, places):.{places}f}"
    return text.replace(".", texts(language)["decimal"])


def capitalised(sentence: str) -> str:
    """Return a sentence with a capital."""
    return sentence[:1].upper() + sentence[1:]


def _faults(
    others: Iterable[str],
    claims: Sequence[CheckedClaim],
    measurements: Mapping[str, Measurement],
    language: str | None,
    quote: Callable[[Evidence], str],
) -> list[str]:
    """Return what is wrong: contradictions, unknown names, other claims, other heuristics."""
    words, quoted = texts(language), set[str]()
    certain, late, uncertain = list[CheckedClaim](), list[CheckedClaim](), list[CheckedClaim]()
    for claim in claims:
        kinds = _certain_kinds(claim)
        (late if kinds == {"sequence"} else certain if kinds else uncertain).append(claim)
    sentences = list(of_faults(certain, words["statements"]))
    if late:
        items = ", ".join(words["quoted"].format(_quoted(each)) for each in late[:MAX_FAULTS])
        order = BY_NAME[STEP_ORDER].texts[text_language(language)]["fault"]
        sentences.append(order.format(items=items))
    for name in dict.fromkeys([UNKNOWN_NAMES, *others]):
        if name in measurements and name not in _OF_CLAIMS:
            sentence = BY_NAME[name].texts[text_language(language)].get("fault")
            sentences += _unsupported(measurements[name], sentence, words["quoted"], quote, quoted)
        if name == UNKNOWN_NAMES:
            sentences += of_faults(uncertain, words["statements"])
    return sentences


def _unsupported(
    measurement: Measurement | None,
    sentence: str | None,
    quoted_as: str,
    quote: Callable[[Evidence], str],
    known: set[str],
) -> list[str]:
    """Quote the first spans that no page supports, each once, and add them to ``known``."""
    if measurement is None or sentence is None:
        return []
    quoted: list[str] = []
    for evidence in measurement.evidence:
        if evidence.kind == "unsupported" and (text := brief(quote(evidence))) not in known:
            known.add(text)
            quoted.append(quoted_as.format(text))
    if len(quoted) > MAX_FAULTS:
        quoted[MAX_FAULTS:] = ["…"]
    return [sentence.format(items=", ".join(quoted)).replace("….", "…")] if quoted else []


def _extremes(
    node: Sum, measurements: Mapping[str, Measurement], words: Mapping[str, Any], language: str
) -> list[str]:
    """Name the features of a sum with the lowest and the highest value."""
    ranked = sorted(
        (value, name) for name in node.heuristics if (value := measurements[name].value) is not None
    )
    if len(ranked) < 2:
        return []
    (low, lowest), (high, highest) = ranked[0], ranked[-1]
    return [
        words[key].format(items=f"{heuristic_name(name, language)} ({value:.0%})")
        for key, value, name in (("low", low, lowest), ("high", high, highest))
    ]


def brief(text: str) -> str:
    """Return a text on one line, cut to its first words."""
    line = " ".join(text.split()).rstrip(".:;,")
    return line if len(line) <= QUOTED_CHARS else f"{line[:QUOTED_CHARS].rsplit(' ', 1)[0]} …"


def of_faults(claims: Sequence[CheckedClaim], words: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with the claims at fault, the worst first.

    A claim with a certain contradiction is worse than any other; then the least likely is.
    """
    faults = sorted(filter(attrgetter("fault"), claims), key=_badness)
    contradicted, unstated = list[CheckedClaim](), list[CheckedClaim]()
    for fault in faults:
        (unstated if _is_unstated(fault) else contradicted).append(fault)
    shown = contradicted[:MAX_FAULTS]
    for fault in faults:
        if fault in shown:
            yield _contradiction(fault, words)
        elif unstated and fault is unstated[0]:
            items = [words["quoted"].format(_quoted(each)) for each in unstated[:MAX_FAULTS]]
            yield words["not_stated_fault"].format(items=", ".join(items))


def _contradiction(fault: CheckedClaim, words: Mapping[str, str]) -> str:
    """Quote the claim beside the page's words, unless those agree with it or there are none."""
    if not fault.rivals:
        for slot in fault.slots:
            if _is_absent(slot) and slot.claim:
                return words["absent_fault"].format(answer=slot.claim.text)
    answer, page = fault.rivals[0] if fault.rivals else (_quoted(fault), _beside(fault))
    has_words = bool(fault.wrong or fault.differing)
    is_found = bool(_certain_kinds(fault) or fault.rivals or (has_words and _against(fault)))
    key = "found_fault" if is_found else "likely_fault" if fault.truth <= EVEN else "unsure_fault"
    if not is_found and (not page or _agrees(answer, page)):
        key += "_alone"
    return words[key].format(answer=answer, page=page)


def _agrees(claim: str, page: str) -> bool:
    """Return whether a page's sentence has a claim's words and no others.

    >>> _agrees("De balie sluit om zes uur", "De balie sluit om zes uur!")
    True
    >>> _agrees("Dat kan", "Dat kan niet.")
    False
    """
    return _tokens(claim) == _tokens(page)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold())


def least_sure(claims: Sequence[CheckedClaim], words: Mapping[str, str]) -> str:
    """Name the claim to check in an answer without known faults; empty without claims.

    That is the least certain one, of those that no page supports if there are any; lead-ins of
    lists do not count. A passage that supports it is not quoted.
    """
    candidates = [claim for claim in claims if not claim.text.endswith(":")] or claims
    unsure = [claim for claim in candidates if claim.relation != "supported"] or candidates
    if not unsure:
        return ""
    least = min(unsure, key=_badness)
    claim, page = _quoted(least), _beside(least)
    key = "least_alone" if not page or _agrees(claim, page) else "least"
    key = "least_supported" if least.relation == "supported" else key
    return words[key].format(claim=claim, page=page)


def _badness(claim: CheckedClaim) -> tuple[bool, float]:
    """Return a key that sorts the worst claim first."""
    return not _certain_kinds(claim), claim.truth


def _certain_kinds(claim: CheckedClaim) -> frozenset[str]:
    """Return the kinds of its contradictions that true claims hardly ever have."""
    return CERTAIN.intersection([slot.kind for slot in _against(claim)])


def _is_unstated(claim: CheckedClaim) -> bool:
    """Return whether all there is to say is that no page states it."""
    if claim.passage is None:
        return True
    against = _against(claim)
    if claim.relation != "not_stated" or claim.rivals or any(map(_is_absent, claim.slots)):
        return False
    return all(slot.kind in BESIDE and slot.kind not in CERTAIN for slot in against)


def _is_absent(slot: Slot) -> bool:
    """Return whether a value of the claim is on no page, and no other value in its place."""
    return slot.side == "against" and slot.kind in CERTAIN and slot.page is None


def _against(claim: CheckedClaim) -> list[Slot]:
    """Return the details in which the words of claim and passage contradict each other."""
    return [slot for slot in claim.slots if slot.side == "against" and slot.claim and slot.page]


def _quoted(claim: CheckedClaim) -> str:
    """Return the claim, cut around its wrong words."""
    return _cut(claim.text, claim.wrong[0][0] if claim.wrong else 0)


def _beside(claim: CheckedClaim) -> str:
    """Return the sentence of its passage that contradicts it, or the nearest; empty if none."""
    if claim.passage is None:
        return ""
    text, best, most = claim.passage.text, "", (False, -1, 0)
    rivals = [slot.page.text for slot in _against(claim) if slot.page]
    wanted = {word[:_STEM_CHARS] for word in _WORD.findall(claim.text.casefold())}
    for sentence in split_sentences(text, frozenset()):
        words = text[sentence.start : sentence.end]
        marks = [at for at, _ in claim.differing if sentence.start <= at < sentence.end]
        alike = wanted & {word[:_STEM_CHARS] for word in _WORD.findall(words.casefold())}
        score = bool(marks), sum(word in words for word in rivals), sum(map(len, alike))
        if score > most:
            most, best = score, _cut(words, marks[0] - sentence.start if marks else 0)
    is_near = any(most) or not set(_tokens(claim.text)).isdisjoint(_tokens(best))
    return best if is_near else ""


def _cut(text: str, first: int) -> str:
    """Return a text on one line, cut around a place in it."""
    start, end = window(text, first, SENTENCE_CHARS)
    words = " ".join(text[start:end].split()).rstrip(".:;,")
    is_begun = bool(start) and not text[:start].endswith((". ", "\n"))
    return f"{'… ' if is_begun else ''}{words}{' …' if end < len(text) else ''}"


def window(text: str, first: int, most: int) -> tuple[int, int]:
    """Return start and end of a stretch of at most ``most`` characters around a place.

    It begins with a sentence or line if one begins near enough, else with a word, and ends with a
    word if one ends behind the place.

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
