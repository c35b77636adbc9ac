"""Many texts through requests that each hold so much, with order, number and marks kept.

Long texts are cut up, short ones travel together, and a mark ``⟦1⟧`` goes out as ``[X1X]``. Systems
translate words in braces ({naam}, $naam$), squeeze ###T01### (LibreTranslate issue 944) and put
blanks into {$x} (pontoon issue 2181). Weblate, which asks all of these servers, sends [X1X] to
those that it cannot tell what to leave alone, and reads it back with a blank before the closing
bracket; a capital and a number in brackets are no word of any language, are kept as one unit, and
the brackets tell where it ends. klopt does the same. DeepL's and Google's own mark-up for it
(tag_handling, translate="no") is not within deep-translator's reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from klopt.errors import TranslationError
from klopt.translation.masks import MARKER
from klopt.translators.faults import AskingError
from klopt.translators.providers import Provider

Ask = Callable[[str], str]
"""Sends one request and gives the reply, or raises `TranslationError`."""

_CUTS: Final = (
    re.compile(r"[.!?…][\"'”’»)]*(?=\s)|[。！？]"),
    re.compile(r"[,;:](?=\s)|\s[-–—](?=\s)|[，；、]"),
    re.compile(r"\S(?=\s)"),
)
"""After which a text may be cut: sentence ends, then clause ends, then words."""
_ABOUT_ONE_TEXT: Final = frozenset({"bad_reply", "empty"})
_MARK: Final = re.compile(r"⟦([1-9]\d{0,3})⟧", re.ASCII)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
_BLANKS: Final = r"[^\S\n]*"


def translate_all(texts: Iterable[str], provider: Provider, ask: Ask) -> Batch:
    """Translates texts.

    A text that fails by itself does not keep the others from being asked; a translator that fails
    does.

    Args:
        texts: Texts with marks, each once, none without a word.
        provider: Who is asked: what a request may hold.
        ask: Sends one request.

    >>> from klopt.translators.providers import provider
    >>> translate_all(["een ⟦1⟧", "twee"], provider("google"), str.upper).done
    {'een ⟦1⟧': 'EEN ⟦1⟧', 'twee': 'TWEE'}
    """
    batch = Batch(provider, ask)
    try:
        batch.run(texts)
    except TranslationError as error:
        batch.problem = batch.problem or error
    return batch


def size_bytes(text: str) -> int:
    """How much of a request a text takes: its UTF-8 bytes, never fewer than its characters."""
    return len(text.encode("utf-8"))


def cut(text: str, limit_bytes: int) -> tuple[str, ...] | None:
    """The text in parts that fit, cut at sentence ends, else clause ends, else blanks.

    Args:
        text: The text, without white space at its ends; marks in it hold no blank.
        limit_bytes: What one part may take.

    Returns:
        The parts, which joined by a blank are the text again but for its white space where it was
        cut; None when there is a stretch without a blank that is too long.

    >>> cut("Klik op Opslaan. Wacht even, en klik op Sluiten.", 28)
    ('Klik op Opslaan.', 'Wacht even,', 'en klik op Sluiten.')
    >>> cut("Opslaan.", 4) is None
    True
    """
    parts = list[str]()
    while size_bytes(text) > limit_bytes:
        longest = len(text.encode("utf-8")[:limit_bytes].decode("utf-8", "ignore"))
        window = text[: longest + 1]
        for pattern in _CUTS:
            places = [found.end() for found in pattern.finditer(window) if found.end() <= longest]
            if places:
                break
        else:
            return None
        parts.append(text[: places[-1]].rstrip())
        text = text[places[-1] :].lstrip()
    return (*parts, text)


def pack(texts: Iterable[str], limit_bytes: int, several: bool) -> tuple[tuple[int, ...], ...]:
    r"""Which texts travel together, a line each, in order.

    Args:
        texts: Texts, none longer than the limit.
        limit_bytes: What one request may hold.
        several: Whether several may travel together; a text with a line break travels alone.

    Returns:
        The numbers of the texts of each request, from 0.

    >>> pack(["een", "twee", "dr\nie", "vier"], 8, True)
    ((0, 1), (2,), (3,))
    """
    requests = list[list[int]]()
    room = -1
    for number, text in enumerate(texts):
        size, joins = size_bytes(text) + 1, several and not len(text.splitlines()) > 1
        if joins and size <= room:
            requests[-1].append(number)
            room -= size
        else:
            requests.append([number])
            room = limit_bytes - size + 1 if joins else -1
    return tuple(map(tuple, requests))


def lines(reply: str, count: int) -> tuple[str, ...] | None:
    r"""The lines of a reply; None when they are not as many as were asked, or one is empty.

    >>> lines("one\r\ntwo\n", 2), lines("one two", 2)
    (('one', 'two'), None)
    """
    found = tuple(line.strip() for line in reply.strip().splitlines())
    return found if len(found) == count and all(found) else None


def to_wire(text: str) -> tuple[str, int]:
    """The text with its marks as they travel, and how many letters they have on either side.

    Where the text itself holds what looks like a mark, a letter is added until nothing does.
    Half characters (surrogates), which cannot be sent, are U+FFFD.

    >>> to_wire("Klik op ⟦1⟧.")
    ('Klik op [X1X].', 1)
    >>> to_wire("Klik op ⟦1⟧, niet op [x1x].")
    ('Klik op [XX1XX], niet op [x1x].', 2)
    """
    text, letters_count = _HALF.sub("\ufffd", text), 0
    while True:
        letters_count += 1
        letters = "X" * letters_count
        wired = _MARK.sub(rf"[{letters}\1{letters}]", text)
        if from_wire(wired, letters_count) == text:
            return wired, letters_count


def from_wire(text: str, letters_count: int) -> str:
    """The text with its marks as they were.

    Read are: capitals and small letters, blanks inside the brackets, full-width characters. A mark
    without a bracket or a letter is none; nothing is guessed.

    >>> from_wire("Click [x 1X ].", 1)
    'Click ⟦1⟧.'
    >>> from_wire("Click [1] or (X1X).", 1)
    'Click [1] or (X1X).'
    """
    letters = rf"(?:[XxＸｘ]{_BLANKS}){{{letters_count}}}"
    pattern = rf"[\[［]{_BLANKS}{letters}(\d{{1,4}}){_BLANKS}{letters}[\]］]"
    return re.sub(pattern, lambda match: f"⟦{int(match[1])}⟧", text)


class Batch:
    """Texts under way.

    Attributes:
        done: The texts that were translated, with their translations.
        problem: Why another was not, the first one; None when all were.
    """

    def __init__(self, provider: Provider, ask: Ask) -> None:
        self.done: dict[str, str] = {}
        self.problem: TranslationError | None = None
        self._provider, self._ask = provider, ask
        self._letters: dict[str, int] = {}
        self._parts_count: dict[str, int] = {}
        self._replies: dict[str, list[str]] = {}

    def run(self, texts: Iterable[str]) -> None:
        """Translates texts, until the translator fails."""
        limit = self._provider.bytes_per_request
        parts = [(text, part) for text in texts for part in self._parts(text, limit)]
        for numbers in pack([part for _, part in parts], limit, self._provider.several):
            own = [parts[number] for number in numbers]
            for (text, _), reply in zip(own, self._together(own), strict=True):
                if reply is not None:
                    self._received(text, reply)

    def _parts(self, text: str, limit: int) -> tuple[str, ...]:
        wired, letters_count = to_wire(text.strip())
        parts = cut(wired, limit)
        if parts is None:
            told = f"{self._provider.name} takes {limit} bytes at once"
            error = TranslationError("too_long", f"{told}, and a text cannot be cut to that")
            self.problem = self.problem or error
            return ()
        self._letters[text], self._parts_count[text] = letters_count, len(parts)
        self._replies[text] = []
        return parts

    def _received(self, text: str, reply: str) -> None:
        replies = self._replies[text]
        replies.append(reply)
        if len(replies) == self._parts_count[text]:
            self.done[text] = from_wire(" ".join(replies), self._letters[text])

    def _together(self, own: Sequence[tuple[str, str]]) -> list[str | None]:
        """A reply for each part; None for one that failed by itself."""
        parts = [part for _, part in own]
        if len(parts) > 1:
            found = lines(self._asked("\n".join(parts), is_noted=False) or "", len(parts))
            if found is not None and not self._has_moved(own, found):
                return list(found)
        return [reply and " ".join(reply.split()) for reply in map(self._asked, parts)]

    def _has_moved(self, own: Sequence[tuple[str, str]], replies: Sequence[str]) -> bool:
        """Whether the marks of the parts are all there, but in other lines."""
        sent = [self._numbers(text, part) for text, part in own]
        back = [self._numbers(text, reply) for (text, _), reply in zip(own, replies, strict=True)]
        return sent != back and sorted(sent) == sorted(back)

    def _numbers(self, text: str, part: str) -> list[str]:
        return sorted(MARKER.findall(from_wire(part, self._letters[text])))

    def _asked(self, text: str, *, is_noted: bool = True) -> str | None:
        """A reply; None where there is none and another text may do."""
        try:
            return self._ask(text)
        except AskingError as error:
            if not (error.about_the_text or error.reason_code in _ABOUT_ONE_TEXT):
                raise
            if is_noted:
                self.problem = self.problem or error
            return None
