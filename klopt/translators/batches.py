"""Many texts through requests that each hold so much, with order and number kept.

Long texts are cut up, short ones travel together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from klopt.errors import TranslationError
from klopt.translation.masks import MARKER
from klopt.translators.faults import AskingError
from klopt.translators.providers import Provider
from klopt.translators.wire import Mark, from_wire, to_wire

Ask = Callable[[str], str]
"""Sends one request and gives the reply, or raises `TranslationError`."""

_CUTS: Final = tuple(
    map(
        re.compile,
        (
            r"[.!?…][\"'”’»)]*(?=\s)|[。！？]",
            r"[,;:](?=\s)|\s[-–—](?=\s)|[，；、]",
            r"\S(?=\s)",
        ),
    )
)
"""After which a text may be cut: sentence ends, then clause ends, then words."""
_ABOUT_ONE_TEXT: Final = frozenset({"bad_reply", "empty"})


def translate_all(texts: Iterable[str], provider: Provider, ask: Ask) -> Batch:
    """Translates texts.

    A text that fails by itself does not keep the others from being asked; a translator that fails
    does.

    Args:
        texts: Texts with marks, each once, none without a word.
        provider: Who is asked: what a request may hold, and how marks travel.
        ask: Sends one request.

    >>> from klopt.translators.providers import provider
    >>> translate_all(["een ⟦1⟧", "twee"], provider("google"), str.upper).done
    {'een ⟦1⟧': 'EEN ⟦1⟧', 'twee': 'TWEE'}
    """
    batch = Batch(provider, ask)
    try:
        batch.run(texts)
    except TranslationError as error:
        batch.note(error)
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
        self._replies: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self._marks: dict[str, Mark] = {}

    def note(self, problem: TranslationError) -> None:
        """Keeps a problem, unless there was one before."""
        self.problem = self.problem or problem

    def run(self, texts: Iterable[str]) -> None:
        """Translates texts, until the translator fails."""
        limit = self._provider.bytes_per_request
        parts = [(text, part) for text in texts for part in self._parts(text, limit)]
        for numbers in pack([part for _, part in parts], limit, self._provider.several):
            own = [parts[number] for number in numbers]
            replies = self._together(own)
            for (text, _), reply in zip(own, replies, strict=True):
                if reply is not None:
                    self._received(text, reply)

    def _parts(self, text: str, limit: int) -> tuple[str, ...]:
        wired, mark = to_wire(text.strip(), self._provider.mark)
        parts = cut(wired, limit)
        if parts is None:
            told = f"{self._provider.name} takes {limit} bytes at once"
            self.note(TranslationError("too_long", f"{told}, and a text cannot be cut to that"))
            return ()
        self._replies[text], self._counts[text], self._marks[text] = [], len(parts), mark
        return parts

    def _received(self, text: str, reply: str) -> None:
        replies = self._replies[text]
        replies.append(reply)
        if len(replies) == self._counts[text]:
            self.done[text] = from_wire(" ".join(replies), self._marks[text])

    def _together(self, own: Sequence[tuple[str, str]]) -> list[str | None]:
        """A reply for each part; None for one that failed by itself."""
        parts = [part for _, part in own]
        if len(parts) > 1:
            reply, _ = self._asked("\n".join(parts))
            found = lines(reply or "", len(parts))
            if found is not None and not self._has_moved(own, found):
                return list(found)
        return [self._alone(part) for part in parts]

    def _has_moved(self, own: Sequence[tuple[str, str]], replies: Sequence[str]) -> bool:
        """Whether the marks of the parts are all there, but in other lines."""
        sent = [self._numbers(text, part) for text, part in own]
        back = [self._numbers(text, reply) for (text, _), reply in zip(own, replies, strict=True)]
        return sent != back and sorted(sent) == sorted(back)

    def _numbers(self, text: str, part: str) -> list[str]:
        return sorted(MARKER.findall(from_wire(part, self._marks[text])))

    def _alone(self, part: str) -> str | None:
        reply, error = self._asked(part)
        if error is not None:
            self.note(error)
        return reply and " ".join(reply.split())

    def _asked(self, text: str) -> tuple[str, None] | tuple[None, AskingError]:
        """A reply, or why there is none where another text may do."""
        try:
            return self._ask(text), None
        except AskingError as error:
            if error.about_the_text or error.reason_code in _ABOUT_ONE_TEXT:
                return None, error
            raise
