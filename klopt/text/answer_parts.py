"""Split an answer into its parts, of which only claims, steps and admissions are verified.

Greetings, lead-ins, headings, sources, offers to help and notices are removed; claims keep their
offsets. Patterns of the lexicon ``answer_parts`` are matched from the start of a sentence, up to
`MAX_PREFIXES` times: "Goede vraag! Dat kan" ends in a claim. A stretch with a number, or in bold,
quotes or code, is never an opener, lead-in or closing, and what a stretch states is a claim.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from klopt.lexicons import Lexicons
from klopt.text.inline import (
    EDGE,
    GROUPS,
    TO_WORD,
    WORD,
    PartKind,
    bare,
    behind,
    citations,
    expressions,
    identifiers,
    list_items,
)
from klopt.text.part_spans import AnswerPart, PartSpan, blocks_without, parts_of
from klopt.text.plain import Block, PlainText, Span
from klopt.text.reader import find_fillers, split_sentences
from klopt.text.statements import Statements

VERIFIED: Final = frozenset({"claim", "step", "admission"})
"""The kinds that stay; an admission makes the answer abstain."""
MAX_PREFIXES: Final = 5  # parts before the claim of a sentence
MAX_HEADING_WORDS: Final = 12  # a longer line in bold is a claim
MAX_SOURCE_WORDS: Final = 15  # a longer line below "Bronnen:" is a claim
MAX_LEAD_WORDS: Final = 10  # a longer sentence above a list is a claim
MAX_SIGNATURE_WORDS: Final = 6
MAX_SIGNATURE_LINES: Final = 3
"""Lines of names after "Groeten,"."""
THEN_WITHIN_WORDS: Final = 4
"""First words in which "dan" makes the question before a condition."""
_DETAILS: Final = frozenset({"contact_details", "details_below"})
"""Offers to call a number; claims if a page has numbers or addresses."""
_CONTACT: Final = frozenset({"contact", *_DETAILS})  # these match only whole sentences
_WITH_VALUES: Final = frozenset(
    {"disclaimer", "signature", "source", "question_back", "attribution", "label", *_DETAILS}
)
"""The groups whose stretches may have numbers and names."""
_STATING: Final = frozenset({"opener", "assent", "closing", "source", "disclaimer", "signature"})
"""The groups whose stretches may go on with a statement."""
_WEAK: Final = frozenset({"assent", *_CONTACT})
"""These are claims in an answer without other claims."""
_VALUE: Final = regex.compile(r"[0-9][^\W_]|\d|[\"“”„«»`]", regex.VERSION1)
_TO_WORD: Final = regex.compile(r"[^\p{L}\p{N}\"'“‘„«(\[*#€$£@</+-]*+", regex.VERSION1)
"""Characters between a matched stretch and the next word."""
_URL: Final = regex.compile(r"(?:https?://|www\.)[^\s<>]++", regex.VERSION1 | regex.IGNORECASE)
_QUESTION: Final = regex.compile(r"\?[^\w.!\"”’»\n]{0,8}+\Z", regex.VERSION1)
_THEN: Final = frozenset({"dan", "then"})


@dataclass(frozen=True, eq=False)
class AnswerParts:
    """An answer in its parts.

    Attributes:
        parts: In order, not overlapping; together they hold every letter and digit of the answer.
        verified: The answer without the parts that are not verified.
    """

    parts: tuple[AnswerPart, ...]
    verified: PlainText


def read_answer(
    answer: PlainText,
    language: str,
    lexicons: Lexicons | None,
    names: Iterable[str] = (),
    pages: Sequence[str] = (),
) -> AnswerParts:
    """Split an answer into parts, and take out those that are not verified.

    Args:
        answer: The answer.
        language: Its language.
        lexicons: Those of the language; None finds openers, closings and sources only.
        names: Titles, names and addresses of the pages that the bot was given.
        pages: Their original texts.

    >>> from klopt import lexicons
    >>> from klopt.text.building import read_plain
    >>> answer = read_plain("Goede vraag! Dat kan tot 14 dagen [1]. Fijne dag nog!")
    >>> found = read_answer(answer, "nl", lexicons.load("nl"))
    >>> found.verified.text, [part.kind for part in found.parts]
    ('Dat kan tot 14 dagen.', ['opener', 'claim', 'source', 'closing'])
    """
    known = frozenset(filter(None, map(bare, names)))
    blocks, markers = list_items(answer, lexicons)
    sources = list(citations(answer, lexicons, known))
    text = answer
    if sources or blocks is not None:
        text = answer.without(sources, blocks)
    referred = behind(answer, sources)
    pieces = _Splitter(text, language, lexicons, known, referred, pages).run()
    cuts = [Span(one.start, one.end) for one in pieces if one.kind not in VERIFIED]
    parts = list(parts_of(answer, text, pieces, sources, markers))
    return AnswerParts(
        tuple(parts), text.without(cuts, blocks_without(text, cuts)) if cuts else text
    )


class _Splitter:
    """One pass over the sentences of an answer."""

    def __init__(
        self,
        text: PlainText,
        language: str,
        lexicons: Lexicons | None,
        names: Collection[str],
        referred: Collection[int],
        pages: Sequence[str],
    ) -> None:
        self.plain, self.text = text, text.text
        self.lexicons, self.names = lexicons, names
        self.referred, self.pages = referred, pages
        self.abbreviations = lexicons["abbreviations"].words if lexicons else frozenset[str]()
        self.statements = Statements(text.text, lexicons, pages)
        self.pieces: list[PartSpan] = []
        self.links = [mark for mark in text.marks if mark.kind == "link"]
        self.link_starts = [mark.start for mark in self.links]
        self.shown = sorted(
            (mark.start, mark.end) for mark in text.marks if mark.kind in ("strong", "code", "key")
        )
        self.shown_starts = [start for start, _ in self.shown]
        self.expressions = expressions(language, lexicons, self.text)
        self.admitting = lexicons["refusals"].likely(self.text, "does_not_know") if lexicons else []
        self.admits = "", False

    def run(self) -> list[PartSpan]:
        blocks = self.plain.blocks
        for number, block in enumerate(blocks):
            if self._is_heading(number, block):
                self._add("heading", block.start, block.end, number)
            elif block.kind in ("code", "row") or not self._has_words(block):
                self._add(_claim(block), block.start, block.end, number)
            elif self._is_source(block):
                self._add("source", block.start, block.end, number)
            else:
                for sentence in split_sentences(
                    self.text[block.start : block.end], self.abbreviations
                ):
                    start = block.start + sentence.start
                    self._sentence(number, block, start, block.start + sentence.end)
        self._use_context()
        return self.pieces

    def _add(self, kind: PartKind, start: int, end: int, block: int, group: str = "") -> None:
        self.pieces.append(PartSpan(kind, start, end, block, group))

    def _has_words(self, block: Block) -> bool:
        return WORD.search(self.text, block.start, block.end) is not None

    def _sentence(self, number: int, block: Block, start: int, end: int) -> None:
        """The parts of one sentence."""
        if WORD.search(self.text, start, end) is None:
            if self.pieces:  # an emoji belongs to what it follows
                self.pieces[-1].end = end
            return
        first, group = start, ""
        for _ in range(MAX_PREFIXES):
            match = self._match(start, end)
            if match is None:
                break
            group, last = match
            last = _TO_WORD.match(self.text, last, end).end()  # type: ignore[union-attr]
            if not WORD.search(self.text, last, end):
                last = end
            self._add(GROUPS[group], first, last, number, group)
            first = start = last
            if start >= end:
                return
        sentence = self.text[start:end]
        if self._admits(sentence):
            self._add("admission", first, end, number)
        elif group != "presumed" and self._asks(start, end):
            self._add("question_back", first, end, number, "question")
        elif self._is_reference(start, end):
            self._add("source", first, end, number)
        else:
            self._claim(block, first, end, number)

    def _claim(self, block: Block, start: int, end: int, number: int) -> None:
        """A claim, or a filler and what it states."""
        words, whole = self.text[start:end], [Span(0, end - start)]
        if self.lexicons and find_fillers(words, whole, self.lexicons["fillers"]):
            place = self.statements.place(start, end)
            if place is None and not self.statements.has_new_price(start, end):
                self._add("closing", start, end, number, "filler")
                return
            if place is not None:
                self._add("closing", start, place, number, "filler")
                start = place
        self._add(_claim(block), start, end, number)

    def _match(self, start: int, end: int) -> tuple[str, int] | None:
        """The group that matches from a place in a sentence, and where its stretch ends."""
        place = TO_WORD.match(self.text, start, end).end()  # type: ignore[union-attr]
        sentence = self.text[place:end]
        if self._admits(sentence):
            return None
        for group, expression in self.expressions:
            match = expression.match(sentence)
            if match is not None and match.end():
                last = place + match.end()
                is_whole = group not in _CONTACT or not WORD.search(self.text, last, end)
                if group in _DETAILS and not (is_whole and self._is_offer(group)):
                    continue
                if is_whole and (group in _WITH_VALUES or not self._has_value(place, last)):
                    return self._until_statement(group, place, last)
        return None

    def _until_statement(self, group: str, start: int, end: int) -> tuple[str, int] | None:
        """The group of a stretch, and its end before what it states; None for a new price."""
        if group == "question_back" and self.statements.has_new_price(start, end):
            return None
        if group not in _STATING:
            return group, end
        label = start
        if group == "source":
            label = self.text.find(":", start, end) + 1 or end
            words = self.text[label:end]
            if bare(words) in self.names or _URL.search(words) is not None:
                return group, end
        after_comma = group in ("opener", "assent")
        is_source = group == "source"
        place = self.statements.place(label, end, is_whole=is_source, after_comma=after_comma)
        if place is None:
            return group, end
        return "label" if is_source else group, place

    def _is_offer(self, group: str) -> bool:
        """Whether contact details, below a question whether there are more, are small talk."""
        if group == "details_below" and not (
            self.pieces and self.pieces[-1].kind in ("closing", "question_back")
        ):
            return False
        return not any(
            key.isdigit() or "@" in key for page in self.pages for _, key in identifiers(page)
        )

    def _has_value(self, start: int, end: int) -> bool:
        """Whether a stretch has a number, a quotation, or something in bold or code."""
        if _VALUE.search(self.text, start, end):
            return True
        at = bisect_left(self.shown_starts, start)
        return any(
            first < end and (first > start or last < end) for first, last in self.shown[at : at + 1]
        )

    def _asks(self, start: int, end: int) -> bool:
        """Whether a sentence is a question, rather than ending in the name of a button."""
        match = _QUESTION.search(self.text, start, end)
        if match is None or self.statements.has_new_price(start, end):
            return False
        at = bisect_right(self.shown_starts, match.start()) - 1
        return at < 0 or not start < self.shown[at][0] <= match.start() < self.shown[at][1]

    def _admits(self, sentence: str) -> bool:
        """Whether a sentence says that the answer is not known."""
        if self.admits[0] != sentence:  # most sentences are checked twice
            admits = any(pattern.search(sentence) is not None for pattern in self.admitting)
            self.admits = sentence, admits
        return self.admits[1]

    def _is_heading(self, number: int, block: Block) -> bool:
        """Whether a block is a heading: marked as one, or a line in bold above something else."""
        if block.kind == "heading":
            return True
        if block.kind != "paragraph" or number + 1 >= len(self.plain.blocks):
            return False
        at = bisect_left(self.shown_starts, block.start)
        first = TO_WORD.match(self.text, block.start, block.end).end()  # type: ignore[union-attr]
        if self.shown_starts[at : at + 1] not in ([block.start], [first]):
            return False
        words = self.text[block.start : block.end]
        rest = self.text[self.shown[at][1] : block.end].strip(" :")
        return (
            not rest
            and words.rstrip()[-1:] not in ".!"
            and not any(map(str.isdigit, words))
            and len(words.split()) <= MAX_HEADING_WORDS
        )

    def _is_source(self, block: Block) -> bool:
        """Whether a block is nothing but the name or the address of a page."""
        if block.ordered:
            return False
        words = self.text[block.start : block.end]
        if self.plain.origins[block.start] in self.referred and words[-1:] not in ".!?:":
            return len(words.split()) <= MAX_SOURCE_WORDS
        return bare(words) in self.names or _URL.fullmatch(words.strip(EDGE)) is not None

    def _is_reference(self, start: int, end: int) -> bool:
        """Whether a sentence is an address, or points to a link at its end."""
        words = self.text[start:end]
        bare = words.strip(EDGE)
        if _URL.fullmatch(bare) is not None:
            return True
        last = words.rsplit(None, 1)[-1].strip(EDGE)
        if last.casefold() in self.names and _URL.fullmatch(last):
            return len(words.split()) <= MAX_SOURCE_WORDS
        at = bisect_right(self.link_starts, end) - 1
        if at < 0 or self.links[at].start < start or self.lexicons is None:
            return False
        if self.text[self.links[at].end : end].strip(EDGE):
            return False
        pointers = self.lexicons["answer_parts"].group("pointer")
        return any(one.match_start(bare) is not None for one in pointers)

    def _use_context(self) -> None:
        """Correct the kinds that depend on neighbouring parts."""
        self._lists_of_sources()
        self._names_below_a_signature()
        self._leads_to_lists()
        following: PartSpan | None = None
        for piece in reversed(self.pieces):
            is_answered = following is not None and following.kind in (*VERIFIED, "lead_in")
            if piece.group == "question" and following is not None and is_answered:
                words = WORD.findall(self.text, following.start, following.end)[:THEN_WITHIN_WORDS]
                is_condition = not _THEN.isdisjoint(map(str.lower, words))
                piece.kind = "claim" if is_condition else "heading"
            if piece.kind != "source":
                following = piece
        for piece in reversed(self.pieces):  # "Sterkte!" ends an answer too
            if piece.kind in (*VERIFIED, "lead_in", "heading"):
                break
            if piece.kind == "opener" and piece is not self.pieces[0]:
                piece.kind = "closing"
        if not any(piece.kind in VERIFIED for piece in self.pieces):
            for piece in self.pieces:
                if piece.group in _WEAK:
                    piece.kind = "claim"
        claimed = [n for n, piece in enumerate(self.pieces) if piece.kind in VERIFIED]
        for piece in self.pieces[: claimed[0] if claimed else 0]:  # "Ik help je graag" opens too
            if piece.group == "closing":
                piece.kind = "opener"

    def _lists_of_sources(self) -> None:
        """The lines below "Bronnen:" are sources too."""
        is_open = False
        last = -1
        for piece in self.pieces:
            if piece.kind == "source" and piece.group == "source":
                is_open = self.text[piece.start : piece.end].rstrip(" *_").endswith(":")
                last = piece.block
            elif is_open and piece.block != last:
                block = self.plain.blocks[piece.block]
                words = self.text[block.start : block.end].split()
                is_item = block.kind == "item" or self.plain.blocks[last].kind != "item"
                is_open = is_item and len(words) <= MAX_SOURCE_WORDS
                if is_open:
                    piece.kind, last = "source", piece.block
            elif is_open and piece.block == last and piece.kind in VERIFIED:
                piece.kind = "source"

    def _leads_to_lists(self) -> None:
        """A short sentence with a colon above a list leads in to it, unless it says more."""
        if self.lexicons is None:
            return
        blocks, negations = self.plain.blocks, self.lexicons["negations"].phrases["negations"]
        for piece in self.pieces:
            words = self.text[piece.start : piece.end]
            if (
                piece.kind == "claim"
                and piece.block + 1 < len(blocks)
                and blocks[piece.block + 1].list_number > blocks[piece.block].list_number
                and words.rstrip(" *_").endswith(":")
                and piece.end >= blocks[piece.block].end
                and len(words.split()) <= MAX_LEAD_WORDS
                and not self._has_value(piece.start, piece.end)
                and negations.search(words) is None
            ):
                piece.kind = "lead_in"

    def _names_below_a_signature(self) -> None:
        lines = 0
        for piece in self.pieces:
            if piece.group == "signature":
                lines = MAX_SIGNATURE_LINES
            elif lines and piece.kind == "claim":
                words = self.text[piece.start : piece.end]
                lines -= 1
                is_long = len(words.split()) > MAX_SIGNATURE_WORDS
                states = self.statements.place(piece.start, piece.end, is_whole=True) is not None
                if is_long or states or _VALUE.search(words):
                    lines = 0
                else:
                    piece.kind = "disclaimer"


def _claim(block: Block) -> PartKind:
    return "step" if block.ordered else "claim"
