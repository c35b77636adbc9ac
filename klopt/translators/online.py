"""Online translators: Google, DeepL, LibreTranslate, MyMemory and Microsoft, by deep-translator."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from klopt.errors import ConfigurationError, CredentialsError, TranslationError
from klopt.models.credentials import checked_key, key_from
from klopt.models.retrying import Clock, Patience, Tries
from klopt.translation.masks import has_words
from klopt.translators.clients import Access, AskingError, ask, opened
from klopt.translators.packing import translate_all
from klopt.translators.providers import PROVIDERS, Provider, provider

__all__ = ["PROVIDERS", "OnlineTranslator", "online_translator"]

PATIENCE: Final = Patience(
    tries=4, first_wait_seconds=1.0, longest_wait_seconds=30.0, longest_seconds=120.0
)
REST_SECONDS: Final = 300.0
"""A translator that failed after all tries is left alone for so long."""
BAD_REPLIES: Final = 3
"""One text may have an odd reply; so many in a row are a wrong server."""

_LOG: Final = logging.getLogger("klopt")


def online_translator(
    name: str,
    environment: Mapping[str, str],
    *,
    url: str | None = None,
    timeout_seconds: float = 20.0,
    patience: Patience = PATIENCE,
    clock: Clock | None = None,
) -> OnlineTranslator:
    """A translator that asks a server; nothing is asked before the first text.

    Args:
        name: One of `PROVIDERS`.
        environment: Where keys are, for instance ``os.environ``: ``DEEPL_API_KEY``,
            ``LIBRE_API_KEY``, ``MICROSOFT_API_KEY`` (and ``MICROSOFT_API_REGION``).
        url: The address of the user's own server, for LibreTranslate alone.
        timeout_seconds: How long one request may take, above 0.
        patience: Of one request.
        clock: Where time comes from.

    Raises:
        ConfigurationError: There is no such translator, the address is none, or a proxy or a
            certificate of the environment cannot be used.
        CredentialsError: There is no key, or one that cannot be one.
        ExtraMissingError: The extra ``translation`` is not installed.
        ValueError: A figure is out of its range.

    >>> online_translator("libretranslate", {}, url="http://localhost:5000").destination
    'localhost:5000'
    """
    service = provider(name)
    key = _key(service, environment, url)
    region = environment.get(service.region_variable or "", "").strip() or None
    if region is not None:
        region = checked_key(region, service.region_variable or "")
    if url is not None:
        service = dataclasses.replace(
            service, address=_address(service, url), seconds_between_requests=0
        )
    elif service.free_address and (key or "").endswith(service.free_key_ending):
        service = dataclasses.replace(service, address=service.free_address)
    access = Access(service, key, region)
    return OnlineTranslator(access, timeout_seconds, patience, clock or Clock())


def _key(found: Provider, environment: Mapping[str, str], url: str | None) -> str | None:
    variable = found.key_variable
    if variable is None or (url is not None and not environment.get(variable, "").strip()):
        return None
    try:
        return key_from(environment, variable, found.name)
    except CredentialsError as error:
        if found.key == "optional":
            raise CredentialsError(f"{error}, or give the address of your own server") from None
        raise


def _address(found: Provider, url: str) -> str:
    if found.key != "optional":
        raise ConfigurationError(f"{found.name} has one address; only libretranslate takes another")
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fine = False
    if not fine:
        raise ConfigurationError("the address of a translator begins with http:// or https://")
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "the address of a translator must not hold a user name, a password or anything after "
            f"? or #; a key stands in {found.key_variable}"
        )
    return url.rstrip("/").removesuffix("/translate") + "/"


class OnlineTranslator:
    """A `klopt.translation.translator.Translator`; safe to use from several threads.

    Equal texts are sent once, and texts without a word not at all. Tried again are no network,
    time-outs, too many requests and a failing server. One that fails after all tries, or sends bad
    replies in a row, is not asked for `REST_SECONDS`, and one whose quota is spent or that refuses
    the key never again. Whether all marks came back is for `klopt.translation.masks.faults` to say.
    Parameters, and what it raises, are those of `online_translator`.
    """

    def __init__(
        self, access: Access, timeout_seconds: float, patience: Patience, clock: Clock
    ) -> None:
        if not timeout_seconds > 0:
            raise ValueError(f"timeout_seconds is above 0, not {timeout_seconds}")
        opened(timeout_seconds).close()
        self.name = access.provider.name
        self.destination = access.provider.host
        self._access, self._timeout, self._patience = access, timeout_seconds, patience
        self._clock, self._lock = clock, threading.Lock()
        self._next = self._until = float("-inf")
        self._why: TranslationError | None = None
        self._bad_replies = 0

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Sentences with marks, in the other language (ISO 639-1): as many, in the same order.

        Raises:
            UnfinishedError: Not all was translated; the first reason, and what was.
        """
        wanted = [text for text in dict.fromkeys(texts) if has_words(text)]
        if source == target or not wanted:
            return list(texts)
        done = translate_all(
            wanted, self._access.provider, lambda text: self._request(text, source, target)
        )
        return [done.get(text, text) for text in texts]

    def _request(self, text: str, source: str, target: str) -> str:
        """The reply to one request, after all tries."""
        if self._why is not None and self._clock.seconds() < self._until:
            told = f"{self._why.message}; not asked again for now"
            raise TranslationError(self._why.reason_code, told)
        tries = Tries(self._patience, self._clock, text, f"translator {self.name}")
        try:
            reply = tries.run(lambda: self._attempt(text, source, target))
        except AskingError as error:
            failed = AskingError(
                error.reason_code, error.message + tries.told, about_the_text=error.about_the_text
            )
        else:
            self._bad_replies = 0
            return reply
        self._rest(failed)
        raise failed

    def _attempt(self, text: str, source: str, target: str) -> str:
        """The reply to one request, sent when it is this thread's turn."""
        with self._lock:
            now = self._clock.seconds()
            turn = max(now, self._next)
            self._next = turn + self._access.provider.seconds_between_requests
        if turn > now:
            self._clock.sleep(turn - now)
        return ask(self._access, source, target, text, self._timeout, self._clock.now())

    def _rest(self, failed: AskingError) -> None:
        """Leaves a translator alone that failed, where it was not because of the text."""
        reason = failed.reason_code
        with self._lock:
            self._bad_replies = self._bad_replies + 1 if reason == "bad_reply" else 0
            if (
                failed.about_the_text
                or reason == "unsupported"
                or 0 < self._bad_replies < BAD_REPLIES
            ):
                return
            is_lasting = reason in ("quota", "refused")
            self._why = failed
            self._until = float("inf") if is_lasting else self._clock.seconds() + REST_SECONDS
        told = "any more" if is_lasting else f"for {REST_SECONDS:g} s"
        _LOG.warning("translator %s: %s; it is not asked %s", self.name, reason, told)
