"""What klopt would change for a company: names to allow or deny, synonyms, pages to mend.

From rated answers on which klopt and people differ; from a log alone, names that no page has.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.company.entries import LexiconEntry
from klopt.company.suggestions import Suggestion, reason
from klopt.comparing import LANGUAGES, Comparator
from klopt.comparing.wording import NEAR
from klopt.evaluation.rated import is_rated, truth
from klopt.matching import Language
from klopt.reading.components import Component
from klopt.reading.reader import Reading
from klopt.records import Page, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import TELLING
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Languages
from klopt.tuning.samples import page_behind

MOST_LOGGED: Final = 500
_LOGGED: Final = 3
"""A name in so many answers that nobody rated is worth a look."""
_FEWEST: Final = 2
"""A name is denied for so many untrue answers, words are paired and a page is to be mended."""
_MOST_NAMES: Final = 200
"""So many names are looked at, the most frequent ones."""
_MOST_PAGES: Final = 20
_MOST_PAIRS: Final = 60
_MOST_PARSED: Final = 250
"""So many answers are parsed, evenly over all."""
_SHOWN: Final = 3
_NAME_CHARS: Final = 100
_EXAMPLE_CHARS: Final = 300
_LONGEST_CHARS: Final = 2_000
_PARTS: Final = {"ADJ": "adjectives", "ADV": "adverbs", "NOUN": "nouns", "VERB": "verbs"}


@dataclass(frozen=True, eq=False)
class ScoredAnswer:
    """An answer as it is scored now.

    Attributes:
        turn: What was asked, answered and perhaps rated.
        now: What klopt makes of it.
        reading: The answer, read.
        page: What it has in common with other answers that rest on the same page.
        truth: Whether a person called it true; None between the two, or where nobody did.
    """

    turn: Turn
    now: Assessment
    reading: Reading
    page: str
    truth: bool | None

    @property
    def is_sent(self) -> bool:
        """Whether klopt sends it."""
        return self.now.verdict == "send"

    @property
    def language(self) -> str:
        """Its language."""
        return self.reading.language


class Answers:
    """Answers of a company that could be scored, some of them rated: all, in order."""

    def __init__(
        self, profile: Profile, turns: Iterable[Turn], advance: Callable[[], object] | None = None
    ) -> None:
        self.profile, self.languages = profile, Languages(profile)
        self.all: list[ScoredAnswer] = []
        scorer = Scorer(profile)
        for turn in turns:
            now = scorer.score(turn, measure_all=True)
            code = now.language
            if now.score is not None and code is not None and code in profile.languages:
                reading = self.languages[code].reader.read(turn.answer)
                page = page_behind(turn, now)
                self.all.append(ScoredAnswer(turn, now, reading, page, truth(turn)))
            if advance is not None:
                advance()


def suggest(answers: Answers, pages: Mapping[str, Page]) -> list[Suggestion]:
    """What to change: entries, those of most answers first, then pages."""
    entries = [*names(answers, pages), *word_pairs(answers)]
    return [*sorted(entries, key=lambda suggestion: -suggestion.count), *page_faults(answers)]


def named(suggestion: Suggestion) -> str:
    """What a suggestion would do, in a few words.

    >>> from klopt.company.entries import LexiconEntry
    >>> named(Suggestion("nl", "", LexiconEntry("product_names", "allowed", ("Verlof",))))
    'allow the name “Verlof”'
    """
    entry = suggestion.entry
    if entry is None:
        return f"mend {suggestion.page}" if suggestion.page else "write what no page answers"
    match entry.lexicon:
        case "product_names":
            does = {"allowed": "allow", "denied": "deny"}[entry.part]
            return f"{does} the name “{entry.name}”"
        case "synonyms":
            return " = ".join(f"“{word}”" for word in entry.words)
        case _:
            return f"{entry.lexicon}: {entry.name}"


def thinned(turns: Iterable[Turn], most: int = MOST_LOGGED) -> list[Turn]:
    """Turns of a log without end, evenly over all of it: at most twice as many as ``most``.

    >>> thinned(range(10), 2)
    [0, 4, 8]
    """
    kept: list[Turn] = []
    step = 1
    for number, turn in enumerate(turns):
        if number % step == 0:
            kept.append(turn)
        if len(kept) > 2 * most:
            kept, step = kept[::2], 2 * step
    return kept


def names(answers: Answers, pages: Mapping[str, Page]) -> Iterator[Suggestion]:
    """Names to allow, and to deny where the profile looks for those."""
    texts = {name: page.text.casefold() for name, page in pages.items()}
    yield from _allowed(answers, texts)
    if "denied_names" in answers.profile.weights:
        yield from _denied(answers)


def _allowed(answers: Answers, texts: Mapping[str, str]) -> Iterator[Suggestion]:
    """Names that no page has, in answers that are true but not sent, or in many of a log."""
    for language, found in _named(answers, known=False):
        own = [answers.all[place] for place in sorted({place for place, _ in found})]
        held = [answer for answer in own if not answer.is_sent]
        true = [answer for answer in held if answer.truth]
        untrue = [answer for answer in own if answer.truth is False]
        is_logged = len(held) >= _LOGGED and not any(is_rated(answer.turn) for answer in own)
        if len(true) <= len(untrue) and not is_logged:
            continue
        name = _name(found)
        page = next((page_id for page_id, text in texts.items() if name.casefold() in text), None)
        why = f"{'rated' if true else 'logged'}_{'elsewhere' if page else 'nowhere'}"
        entry = LexiconEntry("product_names", "allowed", (name,))
        examples = _examples(answers, found)
        yield _made(language, why, _ids(true or held), examples, entry=entry, where=page or "")


def _denied(answers: Answers) -> Iterator[Suggestion]:
    """Names in answers that people call untrue, on two pages or more, and in no others."""
    for language, found in _named(answers, known=True):
        own = (answers.all[place] for place in sorted({place for place, _ in found}))
        rated = [answer for answer in own if is_rated(answer.turn)]
        if any(answer.truth is not False for answer in rated) or not any(
            answer.is_sent for answer in rated
        ):
            continue
        if min(len(rated), len({answer.page for answer in rated})) >= _FEWEST:
            entry = LexiconEntry("product_names", "denied", (_name(found),))
            yield _made(language, "denied", _ids(rated), _examples(answers, found), entry=entry)


def _made(
    language: str,
    why: str,
    answers: Iterable[str],
    examples: Iterable[str],
    entry: LexiconEntry | None = None,
    page: str = "",
    where: str = "",
) -> Suggestion:
    """A suggestion for a reason of ``reasons.toml``."""
    ids, shown = tuple(answers), tuple(examples)[:_SHOWN]
    made = Suggestion(language, "", entry, page, "open", len(ids), shown, ids, why, where)
    return replace(made, why=reason(made, "en"))


def _ids(answers: Iterable[ScoredAnswer]) -> Iterator[str]:
    return (answer.turn.id for answer in answers)


def _named(answers: Answers, *, known: bool) -> list[tuple[str, list[tuple[int, Component]]]]:
    """Language, and where a name stands, the most frequent first."""
    found: dict[tuple[str, str], list[tuple[int, Component]]] = defaultdict(list)
    for place, answer in enumerate(answers.all):
        told = answer.now.measurements.get(TELLING)
        evidence = told.evidence if told is not None else ()
        lacking = {(span.start, span.end) for span in evidence if span.kind == "unsupported"}
        for component in answer.reading.components:
            span = answer.reading.plain.original(component.start, component.end)
            is_name = component.kind not in ("code", "key") and len(component.text) <= _NAME_CHARS
            if is_name and (known or span in lacking):
                found[answer.language, component.key].append((place, component))
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [(language, seen) for (language, _), seen in ranked[:_MOST_NAMES]]


def _name(found: Sequence[tuple[int, Component]]) -> str:
    """A name as it is first written, in the form that a lexicon takes."""
    return unicodedata.normalize("NFC", found[0][1].text.strip())


def _examples(answers: Answers, found: Sequence[tuple[int, Component]]) -> tuple[str, ...]:
    """The sentences that have it."""
    said = []
    for place, component in found[:_SHOWN]:
        reading = answers.all[place].reading
        spans = (span for span in reading.sentences if span.start <= component.start < span.end)
        said += [reading.plain.text[span.start : span.end].strip() for span in spans]
    return tuple(dict.fromkeys(said))


def page_faults(answers: Answers) -> Iterator[Suggestion]:
    """Pages beside which two or more untrue answers go wrong, and what no page answers."""
    beside: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    open_questions: dict[str, dict[str, str]] = defaultdict(dict)
    for answer in answers.all:
        for statement in answer.now.statements if _is_untrue(answer) else ():
            if statement.fault and statement.passage is not None:
                places = beside[answer.language, statement.passage.page]
                places.setdefault(
                    answer.turn.id, f"“{statement.text}” ↔ “{statement.passage.text}”"
                )
        if _is_open(answer):
            asked = " ".join(answer.turn.question.split())[:_EXAMPLE_CHARS]
            open_questions[answer.language].setdefault(asked, answer.turn.id)
    ranked = sorted(beside.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, page), found in ranked[:_MOST_PAGES]:
        if page and len(found) >= _FEWEST:
            examples = (example[:_EXAMPLE_CHARS] for example in found.values())
            yield _made(language, "page", found, examples, page=page)
    for language, questions in sorted(open_questions.items()):
        yield _made(language, "unanswered", questions.values(), questions)


def _is_untrue(answer: ScoredAnswer) -> bool:
    """Whether a person calls it untrue; where nobody rated it, whether it is blocked."""
    if is_rated(answer.turn):
        return answer.truth is False
    return answer.now.verdict == "block"


def _is_open(answer: ScoredAnswer) -> bool:
    """Whether it rightly says that it does not know."""
    if not answer.now.abstained:
        return False
    return bool(answer.truth) if is_rated(answer.turn) else answer.now.verdict == "send"


@dataclass(frozen=True)
class _Word:
    """A word with content of its own: how it is compared, its lemma, its part of speech."""

    key: str
    lemma: str
    part: str


def word_pairs(answers: Answers) -> Iterator[Suggestion]:
    """Words of one part of speech and one use, in the same place of statement and page.

    That is in true answers that are not sent, on two pages, where both words stand beside the same
    word: what is found once is no better than chance. Names,
    words that exclude each other and synonyms that are known are no such pairs.
    """
    found: dict[tuple[str, str, tuple[str, str]], dict[int, str]] = defaultdict(dict)
    places = [
        place
        for place, answer in enumerate(answers.all)
        if answer.truth and not answer.is_sent and answer.language in LANGUAGES
    ]
    for place in places[:: len(places) // _MOST_PARSED + 1]:
        answer = answers.all[place]
        for part, words, example in _pairs(answers, answer):
            found[answer.language, part, words].setdefault(place, example)
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, part, words), examples in ranked[:_MOST_PAIRS]:
        own = [answers.all[place] for place in examples]
        if len({answer.page for answer in own}) >= _FEWEST:
            entry = LexiconEntry("synonyms", part, words)
            yield _made(
                language, "paired", _ids(own), dict.fromkeys(examples.values()), entry=entry
            )


def _pairs(answers: Answers, answer: ScoredAnswer) -> Iterator[tuple[str, tuple[str, str], str]]:
    """List of the lexicon, words, both sentences."""
    language = answers.languages[answer.language]
    relations, vectors = language.relations, Comparator.load(answer.language).vectors
    sources = {page.id: page.text for page in answer.turn.pages}
    for statement in answer.now.statements:
        if statement.passage is None or statement.passage.page not in sources:
            continue
        said = answer.turn.answer[statement.start : statement.end]
        there = sources[statement.passage.page][statement.passage.start : statement.passage.end]
        if max(len(said), len(there)) > _LONGEST_CHARS:
            continue
        mine, theirs = (_words(language, language.reader.read(text)) for text in (said, there))
        for word, other in _beside(mine, theirs):
            if (
                not _is_part(word.lemma, other.lemma)
                and other.key not in relations.synonyms(word.key)
                and not relations.exclude(word.key, other.key)
                and vectors.likeness([word.key], [other.key]).item() >= NEAR
            ):
                lemmas = sorted((word.lemma, other.lemma))
                example = f"“{statement.text}” ↔ “{statement.passage.text}”"
                yield _PARTS[word.part], (lemmas[0], lemmas[1]), example


def _is_part(word: str, other: str) -> bool:
    """Whether one word is the other, or a part of it: a compound says more than its part."""
    one, more = sorted((word, other), key=len)
    return more.startswith(one) or more.endswith(one)


def _beside(mine: Sequence[_Word], theirs: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """Words that only one side has, of one part of speech, before or after the same word."""
    known, others = ({word.key for word in some} for some in (theirs, mine))
    for at, word in enumerate(mine):
        if word.key in known or word.part not in _PARTS:
            continue
        for there, other in enumerate(theirs):
            is_free = other.key not in others and other.part == word.part
            if is_free and not _around(mine, at).isdisjoint(_around(theirs, there)):
                yield word, other


def _around(words: Sequence[_Word], at: int) -> set[tuple[int, str]]:
    """The word before and the word after, and which of the two each is."""
    return {(step, words[at + step].key) for step in (-1, 1) if 0 <= at + step < len(words)}


def _words(language: Language, reading: Reading) -> list[_Word]:
    """The words with content of a text, those of names left out."""
    parse, key = language.parser.parse(reading), language.reader.tokenizer.key
    names = [(component.start, component.end) for component in reading.components]
    return [
        _Word(key(text), lemma, part)
        for text, lemma, part, span, content in zip(
            parse.words, parse.lemmas, parse.pos, parse.spans, parse.content, strict=True
        )
        if content
        and text.isalpha()
        and key(lemma) == key(text)
        and not any(start < span.end and span.start < end for start, end in names)
    ]
