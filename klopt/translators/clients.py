"""The classes of deep-translator, made ready for one request, and a request with a deadline."""

from __future__ import annotations

import concurrent.futures
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from klopt.errors import ExtraMissingError
from klopt.translators.faults import AskingError, fault
from klopt.translators.providers import Provider

THREAD: Final = "klopt-translation"
MOST_THREADS: Final = 100
"""Requests that are under way or were given up and never ended; with so many none is sent."""

STAND_IN: Final = "none"
"""deep-translator asks for a key where the user's own server has none; this one never travels."""


@dataclass(frozen=True, slots=True, repr=False)
class Access:
    """Who is asked, and with what.

    Attributes:
        provider: The translator; its address is where requests go.
        key: The key; None where there is none.
        region: The region of the key; None where there is none.
    """

    provider: Provider
    key: str | None = None
    region: str | None = None


def require_extra() -> None:
    """Sees to it that what the clients need is there.

    Raises:
        ExtraMissingError: The extra ``translation`` is not installed.
    """
    try:
        import deep_translator  # noqa: F401
        import requests  # noqa: F401
    except ImportError:
        raise ExtraMissingError(
            "asking an online translator needs deep-translator and requests; install them with: "
            'pip install "klopt[translation]"'
        ) from None


def client(access: Access, source: str, target: str) -> Callable[[str], object]:
    """Translates by a new client of deep-translator: to a string, if all is well.

    Clients keep the last request, so threads cannot share one.

    Variables of the environment are not looked at, but by requests: proxies, certificates and
    ``.netrc``.

    Args:
        access: Who is asked.
        source: The language of the texts, as ISO 639-1.
        target: The language to come.

    Raises:
        AskingError: The translator does not have a language (``unsupported``).
    """
    provider = access.provider
    # Languages that every class knows; any others are put in afterwards.
    named: dict[str, Any] = {"source": "auto", "target": provider.codes("en", "")[0]}
    if provider.key != "none":
        named["api_key"] = access.key or STAND_IN
    if access.region is not None:
        named["region"] = access.region
    made = _class(provider.class_name)(**named)
    made._base_url = provider.address
    if provider.key == "optional" and access.key is None:
        made.api_key = ""
    codes = provider.codes(source, target)
    for language, code in zip((source, target), codes, strict=True):
        if provider.languages_known and not made.is_language_supported(code):
            raise AskingError("unsupported", f"{provider.label} does not have {language!r}")
    made.source, made.target = codes
    translate: Callable[[str], object] = made.translate
    return translate


def ask(access: Access, source: str, target: str, text: str, seconds: float, now: float) -> object:
    """Sends one request, and gives up on it after a while.

    deep-translator waits for ever, and a server that sends a byte now and then gets past the
    time-outs of sockets. So the request has a thread of its own, which is left behind when its
    time is up: it holds one connection until the server ends it, and keeps no process from ending.
    Where a server never ends them there are `MOST_THREADS` at most.

    Args:
        access: Who is asked.
        source: The language of the text.
        target: The language to come.
        text: The text.
        seconds: How long the request may take, from above 0.
        now: Seconds since 1970.

    Raises:
        AskingError: It failed. Neither it nor its context holds what was raised, which quotes keys
            and texts.
    """
    provider = access.provider
    if sum(one.name == THREAD for one in threading.enumerate()) >= MOST_THREADS:
        raise AskingError("timeout", f"{provider.label} left {MOST_THREADS} requests unanswered")
    translate = client(access, source, target)
    done = _in_thread(lambda: translate(text))
    if not concurrent.futures.wait([done], timeout=seconds).done:
        raise AskingError("timeout", f"{provider.label} was not done within {seconds:g} s")
    error = done.exception()
    if error is None:
        return done.result()
    if not isinstance(error, Exception):
        raise error
    failed = fault(error, provider, now)
    del error, done
    raise failed


def _in_thread(work: Callable[[], object]) -> concurrent.futures.Future[object]:
    future = concurrent.futures.Future[object]()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    _keep_logs_clean()
    threading.Thread(target=run, name=THREAD, daemon=True).start()
    return future


@cache
def _keep_logs_clean() -> None:
    """Keeps addresses with keys and texts out of the log.

    urllib3 writes each address at level DEBUG, and deep-translator writes to the root logger.
    """
    for logger in (logging.getLogger(), logging.getLogger("urllib3.connectionpool")):
        logger.addFilter(lambda record: record.threadName != THREAD)


@cache
def _class(name: str) -> Callable[..., Any]:
    import deep_translator

    own = {"DeeplTranslator": _deepl, "MicrosoftTranslator": _microsoft}
    found: type = own[name]() if name in own else getattr(deep_translator, name)
    return found


def _deepl() -> type:
    import requests
    from deep_translator import DeeplTranslator
    from deep_translator.exceptions import ServerException

    class Deepl(DeeplTranslator):  # type: ignore[misc]
        """Sends the key in the header, and the text in the body.

        DeepL ended requests with the key in the address, as deep-translator 1.11.4 sends them, on
        15 January 2026: developers.deepl.com, "Breaking changes", November 2025.
        """

        def translate(self, text: str, **_: object) -> object:
            response = requests.post(
                f"{self._base_url}translate",
                headers={"Authorization": f"DeepL-Auth-Key {self.api_key}"},
                json={
                    "text": [text],
                    "source_lang": self._source.upper(),
                    "target_lang": self._target.upper(),
                },
                allow_redirects=False,
            )
            if response.status_code != 200:
                raise ServerException(response.status_code)
            return response.json()["translations"][0]["text"]

    return Deepl


def _microsoft() -> type:
    from deep_translator import MicrosoftTranslator

    class Microsoft(MicrosoftTranslator):  # type: ignore[misc]
        """Asks nothing of the network when it is made."""

        def _get_supported_languages(self) -> dict[str, str]:
            return {"english": "en"}

    return Microsoft
