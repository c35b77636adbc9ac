"""One request to an online translator, and what it means that it failed.

Servers quote keys and texts in what they say; nothing of that is told.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import reduce
from operator import getitem
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

from klopt.errors import TranslationError, TranslationReason
from klopt.models.credentials import without_whole_key
from klopt.models.door import Door, NothingReceivedError, Received, Timeouts
from klopt.models.retrying import RequestError, retry_after_seconds
from klopt.translators.providers import Provider, is_about_the_text, status_reason

PASSING: Final = frozenset({"no_network", "rate_limited", "server", "timeout"})
"""Reasons that may be over the next time."""

_LOOKED_AT_CHARS: Final = 2_000
_KINDS: Final[Mapping[str, TranslationReason]] = {
    "timeout": "timeout",
    "unreachable": "no_network",
    "certificate": "no_network",
    "cut": "server",
    "large": "bad_reply",
}
"""Why no reply came, by `NothingReceivedError.kind`."""


class AskingError(TranslationError, RequestError):
    """A request failed.

    Attributes:
        about_the_text: Whether another text may do.
    """

    def __init__(
        self,
        reason_code: TranslationReason,
        message: str,
        *,
        wait_seconds: float | None = None,
        about_the_text: bool = False,
    ) -> None:
        super().__init__(reason_code, message)
        self.passing = reason_code in PASSING
        self.wait_seconds = wait_seconds
        self.about_the_text = about_the_text


class Exchange:
    """Sends requests, one text each. Proxies and certificates are those of the environment.

    Args:
        provider: Who is asked; its address is where requests go.
        key: The key; None where there is none.
        region: The region of the key; None where there is none.
        timeout_seconds: How long a request may take, above 0.

    Raises:
        ValueError: ``timeout_seconds`` is not.
    """

    def __init__(
        self, provider: Provider, key: str | None, region: str | None, timeout_seconds: float
    ) -> None:
        if not timeout_seconds > 0:
            raise ValueError(f"timeout_seconds is above 0, not {timeout_seconds}")
        self.provider = provider
        self._key, self._region = key, region
        self._who = f"{provider.name} ({provider.host})"
        self._door = Door(Timeouts(math.inf, math.inf, timeout_seconds), trust_environment=True)

    def close(self) -> None:
        """Ends what is under way."""
        self._door.close()

    def check(self, *languages: str) -> None:
        """Sees to it that the translator may have the languages, given as ISO 639-1.

        Raises:
            AskingError: It does not (``unsupported``).
        """
        for language in languages:
            if not self.provider.has(language):
                raise AskingError("unsupported", f"{self._who} does not have {language!r}")

    def ask(self, text: str, source: str, target: str, now: float) -> str:
        """The translation of a text.

        Args:
            text: The text.
            source: Its language.
            target: The language to come.
            now: Seconds since 1970.

        Raises:
            AskingError: There is none. Neither it nor its context holds what was sent.
        """
        provider = self.provider
        codes = provider.pair(source, target)
        words = {
            **dict(zip(("source", "target"), codes, strict=True)),
            **dict(zip(("SOURCE", "TARGET"), map(str.upper, codes), strict=True)),
            "text": text,
            "key": self._key or "",
            "region": self._region or "",
        }
        try:
            got = self._door.send(
                provider.method, provider.address, **_filled(provider.request, words)
            )
        except NothingReceivedError as error:
            failed = AskingError(_KINDS[error.kind], error.told.format(self._who))
        else:
            if 200 <= got.status < 300:
                return self._checked(self._found(got))
            failed = self._refusal(got, now)
        raise failed

    def _found(self, got: Received) -> object:
        """What stands where a translation does."""
        provider = self.provider
        try:
            if provider.css is not None:
                return LexborHTMLParser(got.text).css(provider.css)[0].text(strip=True)
            body: Any = json.loads(got.text)
            found = None
            for place in provider.found:
                found = found or reduce(getitem, place, body)
            return found
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            problem = type(error).__name__
        raise self._bad_reply(problem)

    def _checked(self, found: object) -> str:
        if found is None or (isinstance(found, str) and not found.strip()):
            message = f"{self._who} sent an empty translation"
            raise AskingError("empty", message, about_the_text=True)
        if not isinstance(found, str):
            raise self._bad_reply(type(found).__name__)
        if without_whole_key(found, self._key) != found:
            raise self._bad_reply("it quotes the key")
        for beginning, reason in self.provider.warnings:
            if found.startswith(beginning):
                message = f"{self._who} sent a warning: {beginning}"
                raise AskingError(reason, message, about_the_text=reason == "too_long")
        return found

    def _bad_reply(self, what: str) -> AskingError:
        return AskingError("bad_reply", f"{self._who} sent a reply that cannot be used: {what}")

    def _refusal(self, got: Received, now: float) -> AskingError:
        reason, said = status_reason(got.status), got.text[:_LOOKED_AT_CHARS]
        for text, own in self.provider.refusals:
            if text in said:
                reason = own
                break
        return AskingError(
            reason,
            f"{self._who} answered {got.status}",
            wait_seconds=retry_after_seconds(got.headers.get("Retry-After"), now),
            about_the_text=reason in ("refused", "too_long") and is_about_the_text(got.status),
        )


def _filled(shape: Any, words: Mapping[str, str]) -> Any:  # noqa: ANN401 - whatever TOML holds
    """A part of a request with its words; what is empty then is left out."""
    if isinstance(shape, str):
        return shape.format_map(words)
    if isinstance(shape, list):
        return [_filled(one, words) for one in shape]
    filled = {name: _filled(one, words) for name, one in shape.items()}
    return {name: one for name, one in filled.items() if one}
