"""Many texts through requests that each hold so much, with order and number kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.errors import TranslationError
from klopt.translation.masks import MARKER
from klopt.translators.faults import AskingError
from klopt.translators.packing import cut, lines, pack
from klopt.translators.providers import Provider
from klopt.translators.wire import Mark, from_wire, to_wire

Ask = Callable[[str], str]
"""Sends one request and gives the reply, or raises `TranslationError`."""

_ABOUT_ONE_TEXT: Final = frozenset({"bad_reply", "empty"})


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of it.

    Attributes:
        done: The texts that were translated, with their translations.
        problem: Why another was not, the first one; None when all were.
    """

    done: dict[str, str]
    problem: TranslationError | None


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
    batch = _Batch(provider, ask)
    try:
        batch.run(texts)
    except TranslationError as error:
        batch.note(error)
    return Batch(batch.done, batch.problem)


class _Batch:
    def __init__(self, provider: Provider, ask: Ask) -> None:
        self.done: dict[str, str] = {}
        self.problem: TranslationError | None = None
        self._provider, self._ask = provider, ask
        self._replies: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self._marks: dict[str, Mark] = {}

    def note(self, problem: TranslationError) -> None:
        self.problem = self.problem or problem

    def run(self, texts: Iterable[str]) -> None:
        limit = self._provider.bytes_per_request
        parts = [(text, part) for text in texts for part in self._parts(text, limit)]
        for numbers in pack([part for _, part in parts], limit, self._provider.several):
            own = [parts[number] for number in numbers]
            replies = self._together(own)
            for (text, _), reply in zip(own, replies, strict=True):
                if reply is not None:
                    self._received(text, reply)

    def _parts(self, text: str, limit: int) -> tuple[str, ...]:
        wired = to_wire(text.strip(), self._provider.mark)
        parts = cut(wired.text, limit)
        if parts is None:
            told = f"{self._provider.name} takes {limit} bytes at once"
            self.note(TranslationError("too_long", f"{told}, and a text cannot be cut to that"))
            return ()
        self._replies[text], self._counts[text], self._marks[text] = [], len(parts), wired.mark
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
            try:
                found = lines(self._ask("\n".join(parts)), len(parts))
            except AskingError as error:
                if not _is_about_one_text(error):
                    raise
                found = None
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
        try:
            return " ".join(self._ask(part).split())
        except AskingError as error:
            if not _is_about_one_text(error):
                raise
            self.note(error)
            return None


def _is_about_one_text(error: AskingError) -> bool:
    return error.about_the_text or error.reason_code in _ABOUT_ONE_TEXT
