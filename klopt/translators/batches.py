"""Many texts through requests that each hold so much, with order, number and marks kept.

Short texts travel together, and a mark ``⟦1⟧`` goes out as ``[X1X]``. Systems translate words in
braces ({naam}, $naam$), squeeze ###T01### (LibreTranslate issue 944) and put blanks into {$x}
(pontoon issue 2181). Weblate, which asks all of these servers, sends [X1X] to those that it cannot
tell what to leave alone, and reads it back with a blank before the closing bracket; a capital and a
number in brackets are no word of any language, are kept as one unit, and the brackets tell where it
ends. klopt does the same. DeepL's and Google's own mark-up for it (tag_handling, translate="no")
is not within deep-translator's reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from klopt.errors import TranslationError
from klopt.translation.masks import MARKER
from klopt.translators.clients import AskingError
from klopt.translators.providers import Provider

Ask = Callable[[str], str]
"""Sends one request and gives the reply, or raises `TranslationError`."""

_ABOUT_ONE_TEXT: Final = frozenset({"bad_reply", "empty"})
_MARK: Final = re.compile(r"⟦([1-9]\d{0,3})⟧", re.ASCII)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
_BLANKS: Final = r"[^\S\n]*"


@dataclass(slots=True)
class TranslatedBatch:
    """The texts that were translated, and why another was not, the first one."""

    done: dict[str, str] = field(default_factory=dict)
    problem: TranslationError | None = None


def translate_all(texts: Iterable[str], provider: Provider, ask: Ask) -> TranslatedBatch:
    """Translates texts with marks, each once, none without a word.

    A text that fails by itself does not keep the others from being asked; a translator that fails
    does.

    >>> from klopt.translators.providers import provider
    >>> translate_all(["een ⟦1⟧", "twee"], provider("google"), str.upper).done
    {'een ⟦1⟧': 'EEN ⟦1⟧', 'twee': 'TWEE'}
    """
    batch, limit = TranslatedBatch(), provider.bytes_per_request
    wired = {text: to_wire(text.strip()) for text in texts}

    def asked(text: str, *, is_noted: bool = True) -> str | None:
        """A reply; None where there is none and another text may do."""
        try:
            return ask(text)
        except AskingError as error:
            if not (error.about_the_text or error.reason_code in _ABOUT_ONE_TEXT):
                raise
            if is_noted:
                batch.problem = batch.problem or error
            return None

    def numbers(text: str, line: str) -> list[str]:
        return sorted(MARKER.findall(from_wire(line, wired[text][1])))

    def has_moved(own: Sequence[str], replies: Sequence[str]) -> bool:
        """Whether the marks of the texts are all there, but in other lines."""
        sent = [numbers(text, wired[text][0]) for text in own]
        back = [numbers(text, reply) for text, reply in zip(own, replies, strict=True)]
        return sent != back and sorted(sent) == sorted(back)

    try:
        for own in pack({text: line for text, (line, _) in wired.items()}, limit, provider.several):
            replies: Sequence[str | None] | None = None
            sent = [wired[text][0] for text in own]
            if size_bytes(sent[0]) > limit:
                told = f"{provider.name} takes {limit} bytes at once, and a sentence has more"
                batch.problem = batch.problem or TranslationError("too_long", told)
                continue
            if len(own) > 1:
                together = lines(asked("\n".join(sent), is_noted=False) or "", len(own))
                replies = None if together is None or has_moved(own, together) else together
            if replies is None:
                replies = list(map(asked, sent))
            for text, reply in zip(own, replies, strict=True):
                if reply is not None:
                    batch.done[text] = from_wire(" ".join(reply.split()), wired[text][1])
    except TranslationError as error:
        batch.problem = batch.problem or error
    return batch


def size_bytes(text: str) -> int:
    """How much of a request a text takes: its UTF-8 bytes, never fewer than its characters."""
    return len(text.encode("utf-8"))


def pack(texts: Mapping[str, str], limit_bytes: int, several: bool) -> list[list[str]]:
    r"""Which texts, each with what is sent of it, travel together, a line each, in order.

    A text with a line break travels alone, and so does one that is longer than the limit.

    >>> pack({"een": "een", "twee": "twee", "drie": "d\nr", "vier": "vier"}, 8, True)
    [['een', 'twee'], ['drie'], ['vier']]
    """
    requests = list[list[str]]()
    room = -1
    for text, sent in texts.items():
        size, joins = size_bytes(sent) + 1, several and not len(sent.splitlines()) > 1
        if joins and size <= room:
            requests[-1].append(text)
            room -= size
        else:
            requests.append([text])
            room = limit_bytes - size + 1 if joins else -1
    return requests


def lines(reply: str, count: int) -> tuple[str, ...] | None:
    """The lines of a reply; None when they are not as many as were asked, or one is empty."""
    stripped = tuple(line.strip() for line in reply.strip().splitlines())
    return stripped if len(stripped) == count and all(stripped) else None


def to_wire(text: str) -> tuple[str, int]:
    """The text with its marks as they travel, and how many letters they have on either side.

    Where the text itself holds what looks like a mark, a letter is added until nothing does.
    Half characters (surrogates), which cannot be sent, are U+FFFD.

    >>> to_wire("Klik op ⟦1⟧."), to_wire("Klik op ⟦1⟧, niet op [x1x].")
    (('Klik op [X1X].', 1), ('Klik op [XX1XX], niet op [x1x].', 2))
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

    >>> from_wire("Click [x 1X ].", 1), from_wire("Click [1] or (X1X).", 1)
    ('Click ⟦1⟧.', 'Click [1] or (X1X).')
    """
    letters = rf"(?:[XxＸｘ]{_BLANKS}){{{letters_count}}}"
    pattern = rf"[\[［]{_BLANKS}{letters}(\d{{1,4}}){_BLANKS}{letters}[\]］]"
    return re.sub(pattern, lambda match: f"⟦{int(match[1])}⟧", text)
