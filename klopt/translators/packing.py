"""Texts packed into requests that each hold so much, with order, number and marks kept.

Short texts travel together, and a mark ``⟦1⟧`` goes out as ``[X1X]``. Systems translate words in
braces ({naam}, $naam$), squeeze ###T01### (LibreTranslate issue 944) and put blanks into {$x}
(pontoon issue 2181). Weblate, which asks all of these servers, sends [X1X] to those that it cannot
tell what to leave alone. DeepL's and Google's own mark-up for it (tag_handling, translate="no") is
not within deep-translator's reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from klopt.errors import TranslationError
from klopt.translation.translator import UnfinishedError
from klopt.translators.clients import AskingError
from klopt.translators.providers import Provider

_ABOUT_ONE_TEXT: Final = frozenset({"bad_reply", "empty"})
_MARK: Final = re.compile(r"⟦([1-9]\d{0,3})⟧", re.ASCII)
_TRAVELLED: Final = re.compile(
    r"[\[［][^\S\n]*[XxＸｘ][^\S\n]*(\d{1,4})[^\S\n]*[XxＸｘ][^\S\n]*[\]］]"
)
_HALF: Final = re.compile(r"[\ud800-\udfff]")


def translate_all(
    texts: Iterable[str], provider: Provider, ask: Callable[[str], str]
) -> dict[str, str]:
    """Translates texts with marks, each once, none without a word.

    ``ask`` sends one request and gives the reply, or raises `TranslationError`. A text that fails
    by itself does not keep the others from being asked; a translator that fails does.

    Raises:
        UnfinishedError: Not all was translated; the first reason, and what was.

    >>> from klopt.translators.providers import provider
    >>> translate_all(["een ⟦1⟧", "twee"], provider("google"), str.upper)
    {'een ⟦1⟧': 'EEN ⟦1⟧', 'twee': 'TWEE'}
    """
    done, limit = dict[str, str](), provider.bytes_per_request
    problem: TranslationError | None = None
    sent = {text: to_wire(text.strip()) for text in texts}
    for text in [text for text, line in sent.items() if size_bytes(line) > limit]:
        told = f"{provider.name} takes {limit} bytes at once, and a sentence has more"
        problem = TranslationError("too_long", told)
        del sent[text]
    requests = pack(sent, limit, provider.several)
    while requests:
        own = requests.pop(0)
        try:
            reply = ask("\n".join(sent[text] for text in own))
            replies = [reply] if len(own) == 1 else reply.strip().splitlines()
            if len(replies) == len(own) and all(map(str.strip, replies)):
                done |= {
                    text: from_wire(" ".join(line.split()))
                    for text, line in zip(own, replies, strict=True)
                }
                continue
        except TranslationError as error:
            of_text = isinstance(error, AskingError) and error.about_the_text
            may_go_on = of_text or error.reason_code in _ABOUT_ONE_TEXT
            if not may_go_on or len(own) == 1:
                problem = problem or error
            if not may_go_on:
                break
        if len(own) > 1:
            requests = [[text] for text in own] + requests
    if problem is not None:
        raise UnfinishedError(problem.reason_code, problem.message, done)
    return done


def size_bytes(text: str) -> int:
    """How much of a request a text takes: its UTF-8 bytes, never fewer than its characters."""
    return len(text.encode("utf-8"))


def pack(texts: Mapping[str, str], limit_bytes: int, several: bool) -> list[list[str]]:
    r"""Which texts, each with what is sent of it, travel together, a line each, in order.

    A text with a line break travels alone.

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


def to_wire(text: str) -> str:
    """The text with its marks as they travel; half characters, which cannot be sent, are U+FFFD.

    >>> to_wire("Klik op ⟦1⟧.")
    'Klik op [X1X].'
    """
    return _MARK.sub(r"[X\1X]", _HALF.sub("\ufffd", text))


def from_wire(text: str) -> str:
    """The text with its marks as they were.

    Read are: capitals and small letters, blanks inside the brackets, full-width characters. A mark
    without a bracket or a letter is none; nothing is guessed.

    >>> from_wire("Click [x 1X ]."), from_wire("Click [1] or (X1X).")
    ('Click ⟦1⟧.', 'Click [1] or (X1X).')
    """
    return _TRAVELLED.sub(lambda match: f"⟦{int(match[1])}⟧", text)
