"""Reads texts of one language: plain text, words, sentences, components, guides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import regex

from klopt import shipped
from klopt.cached import cached_property
from klopt.lexicons import Lexicons, in_lower_case, languages, load_one
from klopt.reading.components import Component, FoldedText, find_components, fold
from klopt.reading.guides import Guide, find_guides
from klopt.reading.markup import read_text
from klopt.reading.text import Block, PlainText, Span
from klopt.reading.tokens import Tokenizer, Tokens
from klopt.records import Page, PageFormat

ANSWER_LIMIT_CHARS: Final = 20_000
"""A question or answer longer than this is not scorable: no reader takes it for an answer."""

PAGE_LIMIT_CHARS: Final = 200_000
"""A single page longer than this is not scorable: give the bot's passages, not the book."""

CONTEXTS_LIMIT_CHARS: Final = 500_000
"""All pages of one turn together: this bounds a turn's time."""

CLOSINGS: Final = "closings"
"""The list of fillers that take the rest of their sentence along ("Let me know if it fails")."""

READ_CHARS: Final = 5_000
"""Characters that are read; the language of a text does not change after that."""
LEAD: Final = 1.5
"""How many times the votes of the second language the first must have."""
LETTER_GROUP_WEIGHT: Final = 0.5
"""A letter group is worth this part of a function word."""
FEWEST_VOTES: Final = 1.0
"""One function word or two letter groups; less decides nothing."""
FEWEST_SHARE: Final = 0.15
"""Of its words so many must be of a language; in 750 rated answers at least 0.25 are."""
LAST_LATIN: Final = "\u024f"

_VOTER: Final = regex.compile(
    r"((?:\A[.][^\w\n]|[.!?:\n])[^\w\n]{0,7})?([^\W\d_]+(?:['’][^\W\d_]+)?)", regex.VERSION1
)
"""A word, and the end of the sentence before it."""
_OPENING_WORD: Final = regex.compile(r"\w+", regex.VERSION1)

LONGEST_UNKNOWN_ABBREVIATION_CHARS: Final = 4
"""Before a small letter, a word up to this length with a full stop counts as an abbreviation."""

NUMBERED_WORD_CHARS: Final = 2
"""Before a digit, a word up to this length with a full stop announces a number ("no. 3")."""

_SENTENCE_END: Final = regex.compile(
    r"\n|(?<![.!?…])[.!?…]++[\"'”’»)\]}*_]*+(?=\s|\Z)", regex.VERSION1
)
_NEXT: Final = regex.compile(r"[ \t\u00a0]*+[\"'“‘„«(\[*_]*+(.?)", regex.VERSION1)
_NUMBER: Final = regex.compile(r"\(?(?:\d{1,3}|[A-Za-z])\)?", regex.VERSION1)
_NUMBER_WORD: Final = regex.compile(r"[^\W\d_]{2,8} \d{1,2}", regex.VERSION1)
_INITIALS: Final = regex.compile(r"(?:\p{Lu}\p{Ll}?\.)*\p{Lu}", regex.VERSION1)
_OPENING: Final = "\"'“‘„«([*_"


@dataclass(frozen=True, slots=True)
class LanguageVote:
    """The outcome of a vote.

    Attributes:
        language: The language that klopt has tables for, or None when nothing decides.
        shares: Language and its share of the votes, 0 to 1, highest first; without the
            languages that got none.
        reason: Why there is no language; None when there is one.
        other: The language that it reads like, where klopt has no tables for it; else None.
    """

    language: str | None
    shares: tuple[tuple[str, float], ...]
    reason: str | None
    other: str | None = None


@dataclass(frozen=True, eq=False)
class Reading:
    """One text, read.

    Attributes:
        plain: The plain text with its way back to the original.
        language: The language whose tables were used.
        sentences: In plain offsets, in order.
        components: What it names of the product's screens, in order.
        guides: Its step-by-step guides, in order.
        fillers: The sentences that say nothing of the product, such as greetings.
        tokens: Its words, in order.
    """

    plain: PlainText
    language: str
    sentences: tuple[Span, ...]
    components: tuple[Component, ...]
    guides: tuple[Guide, ...]
    fillers: tuple[Span, ...]
    tokens: Tokens

    @cached_property
    def named(self) -> tuple[Component, ...]:
        """Its components but code, such as a command or an example of input."""
        return tuple(component for component in self.components if component.kind != "code")

    @cached_property
    def vote(self) -> LanguageVote:
        """The vote on the language of the text itself, whatever it was read as."""
        return vote([self.plain.running_text])

    @cached_property
    def folded(self) -> FoldedText:
        """The plain text normalised as component names are, for looking them up."""
        return fold(self.plain.text)


class Reader:
    """Reads texts of one language. Safe to use from several threads.

    ``plain_names``: whether names count as components that only a capital sets apart.

    >>> from klopt import lexicons
    >>> reader = Reader(lexicons.load("nl"))
    >>> [c.text for c in reader.read("Klik op **Opslaan**.").components]
    ['Opslaan']
    """

    def __init__(self, lexicons: Lexicons, *, plain_names: bool = True) -> None:
        self.plain_names = plain_names
        self.lexicons = lexicons
        self.language = lexicons.language
        self.tokenizer = Tokenizer(lexicons)
        self._abbreviations = lexicons["abbreviations"].words
        self._components, self._guides = lexicons["components"], lexicons["guides"]
        self._fillers = lexicons["fillers"]
        self._openings: dict[str, list[tuple[str, str]]] = {}
        for name, phrases in self._fillers.lists.items():
            for phrase in map(in_lower_case, phrases):
                opening = _OPENING_WORD.match(phrase)
                self._openings.setdefault(opening[0] if opening else "", []).append((name, phrase))

    def read(self, source: str, page_format: PageFormat = "auto") -> Reading:
        """A text as it is stored → its reading."""
        return self.read_plain(read_text(source, page_format))

    def read_plain(self, plain: PlainText) -> Reading:
        """A plain text → its reading."""
        rows = [block for block in plain.blocks if block.kind == "row"]
        sentences = split_sentences(plain.text, self._abbreviations, rows)
        components = find_components(plain, self._components, plain_names=self.plain_names)
        guides = find_guides(plain, sentences, components, self._guides)
        fillers = self._fillers_in(plain.text, sentences)
        tokens = self.tokenizer.read(plain.text, components)
        return Reading(plain, self.language, sentences, components, guides, fillers, tokens)

    def _fillers_in(self, text: str, sentences: Sequence[Span]) -> tuple[Span, ...]:
        """The sentences of which a filler is at least half, or which a closing begins.

        Few phrases begin with a word of the text, and so are looked for.
        """
        small = in_lower_case(text)  # as long
        starts = [span.start for span in sentences]
        likely: set[tuple[int, str]] = set()
        for word in {"", *_OPENING_WORD.findall(small)} & self._openings.keys():
            for name, phrase in self._openings[word]:
                at = small.find(phrase)
                while at >= 0:
                    likely.add((bisect_right(starts, at) - 1, name))
                    at = small.find(phrase, at + len(phrase))
        fillers: set[Span] = set()
        for number, name in likely:
            span = sentences[number]
            match = self._fillers.phrases[name].search(text, span.start, span.end)
            if match is not None and (
                2 * len(match[0]) >= span.end - span.start
                or (name == CLOSINGS and match.start() == span.start)
            ):
                fillers.add(span)
        return tuple(sorted(fillers))


def split_sentences(
    text: str, abbreviations: frozenset[str], rows: Sequence[Block] = ()
) -> tuple[Span, ...]:
    """The sentences of a text, in order, without white space around them.

    Abbreviations are in lower case with their final full stop. Each of the ``rows`` of tables is
    one sentence, whatever ends in its cells.

    >>> split_sentences("Kies bijv. Nieuw. Klaar!", frozenset({"bijv."}))
    (Span(start=0, end=17), Span(start=18, end=24))
    >>> split_sentences("Versie 3.28 is uit. Werk nu bij.", frozenset())
    (Span(start=0, end=19), Span(start=20, end=32))
    """
    spans: list[Span] = []
    start = 0
    ends_of_rows = [row.end for row in rows]
    for end in (*_ends(text, abbreviations), len(text)):
        row = bisect_left(ends_of_rows, end)
        if row < len(rows) and rows[row].start < end < rows[row].end:
            continue
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(stripped)))
        start = end
    return tuple(spans)


def _ends(text: str, abbreviations: frozenset[str]) -> Iterator[int]:
    line_start = 0
    word_from = 0  # no word before the last candidate needs to be looked at again
    for match in _SENTENCE_END.finditer(text):
        if match.group() == "\n":
            yield match.end()
            line_start = word_from = match.end()
            continue
        mark = match.group().rstrip("\"'”’»)]}*_")
        following = _NEXT.match(text, match.end())
        character = following[1] if following else ""
        stop = match.start() + len(mark)
        word = text[max(word_from, stop - 40, line_start) : stop].rsplit(None, 1)
        word_from = max(word_from, stop - 40)
        line = text[line_start : match.start()].strip() if stop - line_start < 24 else ""
        if _ends_sentence(
            mark, word[-1] if word else "", line, character, mark != match.group(), abbreviations
        ):
            yield match.end()


def _ends_sentence(
    mark: str, word: str, line: str, following: str, is_closed: bool, abbreviations: frozenset[str]
) -> bool:
    """Whether a mark ends the sentence.

    ``word`` has the mark at its end; ``line`` stands before the mark on its line, if that is
    short; ``following`` is the first character of the next word, without opening quotes;
    ``is_closed`` says whether a closing quote or bracket follows the mark.
    """
    if not following or following == "\n":
        return True
    if mark != ".":
        return not following.islower() or (mark[0] in "!?" and not is_closed)
    word = word.lstrip(_OPENING)
    bare = word[:-1]
    if word.casefold() in abbreviations:
        return False
    if _NUMBER.fullmatch(line) or _NUMBER_WORD.fullmatch(line):
        return False
    if following.isdigit() and len(bare) <= NUMBERED_WORD_CHARS and bare.islower():
        return False
    if following.islower():
        return len(bare) > LONGEST_UNKNOWN_ABBREVIATION_CHARS and "." not in bare and not is_closed
    return _INITIALS.fullmatch(bare) is None or bare.isdigit()


@cache
def _function_words() -> Mapping[str, tuple[str, ...]]:
    """For each function word, in lower case, the languages that have it."""
    words: dict[str, tuple[str, ...]] = {}
    for language in languages():
        for word in load_one(language, "language").lists["function_words"]:
            words[word] = (*words.get(word, ()), language)
    others = shipped.table("klopt.lexicons", "other_languages.toml")["function_words"]
    for language, entries in others.items():
        for word in entries:
            words[word] = (*words.get(word, ()), language)
    return words


@cache
def _letter_groups() -> Mapping[str, regex.Pattern[str]]:
    return {
        language: regex.compile(
            r"\L<groups>", groups=load_one(language, "language").lists["letter_groups"]
        )
        for language in languages()
    }


def vote(texts: Sequence[str]) -> LanguageVote:
    """The language that a question and an answer, or a page, are written in.

    That is the one with `LEAD` times the votes of the next in the first `READ_CHARS` characters, or
    there is a reason for none: no letters, another script, another language, too little, a draw.

    >>> vote(["Klik op Settings en ga naar Account > Billing."]).language
    'nl'
    >>> vote(["Click Opslaan to keep your changes."]).language
    'en'
    >>> vote(["Wie kann ich das Passwort ändern?"]).reason
    'reads like another language: de'
    >>> vote(["Jak długo ważny jest kod do logowania?"]).reason
    'too few words of it tell the language'
    """
    text = "\n".join(texts)[:READ_CHARS]
    words = _voting_words(text)
    votes: dict[str, float] = {}
    table = _function_words()
    for word in words:
        for language in table.get(word, ()):
            votes[language] = votes.get(language, 0) + 1
    first, second = _two_highest(votes)
    has_few = first < FEWEST_SHARE * len(words) > FEWEST_VOTES
    if not has_few and (first < LEAD * second or first < FEWEST_VOTES + 1):
        joined = f" {' '.join(words)} "
        for language, groups in _letter_groups().items():
            count = len(groups.findall(joined))
            if count:
                votes[language] = votes.get(language, 0) + LETTER_GROUP_WEIGHT * count
    return _outcome({} if has_few else votes, text)


def settled(votes: LanguageVote, pages: Iterable[Page]) -> str | None:
    """The language of the pages, where a question and its answer may be of that one among others.

    >>> pages = [Page("Met Plus laadt u het hele jaar.")]
    >>> settled(vote(["Wat kost Plus?", "€ 0,39 per kWh."]), pages)
    'nl'
    >>> settled(vote(["1 + 1"]), pages)
    """
    candidates = {language for language, _ in votes.shares}
    if votes.other is not None or not candidates:
        return None
    texts = [read_text(page.text, page.format).running_text[:READ_CHARS] for page in pages]
    language = vote(texts).language
    return language if language in candidates else None


def _outcome(votes: Mapping[str, float], text: str) -> LanguageVote:
    total = sum(votes.values())
    order = sorted(votes, key=lambda language: (-votes[language], language))
    shares = tuple((language, votes[language] / total) for language in order)
    first, second = _two_highest(votes)
    if first < FEWEST_VOTES:
        return LanguageVote(None, shares, _why_too_few(text))
    if first < LEAD * second:
        return LanguageVote(None, shares, f"undecided between {order[0]} and {order[1]}")
    if order[0] not in languages():
        reason = f"reads like another language: {order[0]}"
        return LanguageVote(None, shares, reason, order[0])
    return LanguageVote(order[0], shares, None)


def _why_too_few(text: str) -> str:
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return "there are no letters"
    if sum(character > LAST_LATIN for character in letters) * 2 > len(letters):
        return "most letters are not Latin"
    return "too few words of it tell the language"


def _two_highest(votes: Mapping[str, float]) -> tuple[float, float]:
    first, second, *_ = [*sorted(votes.values(), reverse=True), 0, 0]
    return first, second


def _voting_words(text: str) -> list[str]:
    """Words in lower case, without those that have a capital inside a sentence."""
    all_upper = text.isupper()
    return [
        word.lower().replace("’", "'")
        for opening, word in _VOTER.findall(f".{text}")
        if opening or all_upper or word.islower()
    ]
