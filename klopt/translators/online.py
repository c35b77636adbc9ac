"""Online translators: Google, DeepL, LibreTranslate, MyMemory and Microsoft."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from klopt.errors import ConfigurationError, CredentialsError
from klopt.models.credentials import checked_key, key_from
from klopt.models.door import require_httpx
from klopt.models.retrying import Clock, Patience, Tries
from klopt.models.servers import is_address
from klopt.translation.masks import MARKER
from klopt.translation.translator import UnfinishedError
from klopt.translators.batches import translate_all
from klopt.translators.exchange import AskingError, Exchange
from klopt.translators.pacing import Breaker, Pace
from klopt.translators.providers import PROVIDERS, Provider, provider

__all__ = ["PROVIDERS", "OnlineTranslator", "online_translator"]

PATIENCE: Final = Patience(tries=4, first_wait_seconds=1.0, longest_wait_seconds=30.0)
_ONE_TRY: Final = Patience(tries=1)


def online_translator(
    name: str,
    environment: Mapping[str, str],
    *,
    url: str | None = None,
    timeout_seconds: float = 20.0,
    patience: Patience = PATIENCE,
    clock: Clock | None = None,
    interval_seconds: float | None = None,
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
        interval_seconds: From one request to the next, at least; None for the translator's own, or
            0 with ``url``.

    Raises:
        ConfigurationError: There is no such translator, or the address is none.
        CredentialsError: There is no key, or one that cannot be one.
        ExtraMissingError: The extra ``translation`` is not installed.
        ValueError: A figure is out of its range.

    >>> online_translator("libretranslate", {}, url="http://localhost:5000").destination
    'localhost:5000'
    """
    require_httpx("asking an online translator", "translation")
    found = provider(name)
    key = _key(found, environment, url)
    region = environment.get(found.region_variable or "", "").strip() or None
    if region is not None:
        region = checked_key(region, found.region_variable or "")
    if url is not None:
        found = dataclasses.replace(found, address=_address(found, url), seconds_between_requests=0)
    elif found.free_key_ending and key and key.endswith(found.free_key_ending):
        found = dataclasses.replace(found, address=found.free_address or found.address)
    if interval_seconds is not None:
        found = dataclasses.replace(found, seconds_between_requests=interval_seconds)
    exchange = Exchange(found, key, region, timeout_seconds)
    return OnlineTranslator(exchange, patience, clock or Clock())


class OnlineTranslator:
    """A `klopt.translation.translator.Translator` for several threads; see `online_translator`.

    Equal texts are sent once, and texts without a word not at all. Short texts travel together, a
    line each, where the translator allows that; when the lines of the reply are not as many, each
    is sent alone. Tried again are no network, time-outs, too many requests and a failing server.
    What fails for good is remembered: see `klopt.translators.pacing.Breaker`.

    Marks come back where the reply has them; whether all are there is for
    `klopt.translation.masks.faults` to say.
    """

    def __init__(self, exchange: Exchange, patience: Patience, clock: Clock) -> None:
        self.name, self.destination = exchange.provider.name, exchange.provider.host
        self._exchange, self._patience, self._clock = exchange, patience, clock
        self._pace = Pace(exchange.provider.seconds_between_requests, clock)
        self._breaker = Breaker(self.name, clock)

    def __repr__(self) -> str:
        return f"OnlineTranslator({self.name!r}, {self.destination!r})"

    def __enter__(self) -> OnlineTranslator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what is under way; the translator answers no more."""
        self._exchange.close()

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """The texts in the other language: as many, in the same order.

        Args:
            texts: Sentences, each with its marks.
            source: The language of the texts, as ISO 639-1.
            target: The language to come.

        Raises:
            UnfinishedError: Not all was translated; the first reason, and what was.
            TranslationError: The translator does not have a language.
        """
        wanted = [one for one in dict.fromkeys(texts) if _has_words(one)]
        if source == target or not wanted:
            return list(texts)
        self._exchange.check(source, target)
        batch = translate_all(
            wanted, self._exchange.provider, lambda text: self._request(text, source, target)
        )
        if batch.problem is not None:
            raise UnfinishedError(batch.problem.reason_code, batch.problem.message, batch.done)
        return [batch.done.get(one, one) for one in texts]

    def _request(self, text: str, source: str, target: str) -> str:
        """The reply to one request, after all tries."""
        trial = self._breaker.admit()
        patience = _ONE_TRY if trial else self._patience
        tries = Tries(patience, self._clock, text, f"translator {self.name}")
        try:
            reply = tries.run(lambda: self._attempt(text, source, target))
            self._breaker.answered()
            return reply
        except AskingError as error:
            failed = AskingError(
                error.reason_code, error.message + tries.told, about_the_text=error.about_the_text
            )
            if error.about_the_text or error.reason_code == "unsupported":
                self._breaker.answered()
            else:
                self._breaker.failed(failed)
            raise failed from None
        finally:
            if trial:
                self._breaker.release()

    def _attempt(self, text: str, source: str, target: str) -> str:
        self._pace.wait()
        return self._exchange.ask(text, source, target, self._clock.now())


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, MARKER.sub("", text)))


def _key(found: Provider, environment: Mapping[str, str], url: str | None) -> str | None:
    if found.key == "none" or found.key_variable is None:
        return None
    variable = found.key_variable
    if found.key == "optional" and url is not None and not environment.get(variable, "").strip():
        return None
    try:
        return key_from(environment, variable, found.name)
    except CredentialsError as error:
        if found.key == "optional" and url is None:
            raise CredentialsError(f"{error}, or give the address of your own server") from None
        raise


def _address(found: Provider, url: str) -> str:
    if not found.own_server:
        raise ConfigurationError(f"{found.name} has one address; only libretranslate takes another")
    if not is_address(url):
        raise ConfigurationError("the address of a translator begins with http:// or https://")
    parts = urlsplit(url)
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "the address of a translator must not hold a user name, a password or anything after "
            f"? or #; a key stands in {found.key_variable}"
        )
    return url.rstrip("/").removesuffix("/translate") + "/translate"
