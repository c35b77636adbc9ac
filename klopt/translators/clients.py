"""The classes of deep-translator, made ready for one request through the one door."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from json import dumps
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from klopt.extras import needs
from klopt.models.door import Door, Timeouts
from klopt.translators.faults import AskingError, fault, refusal
from klopt.translators.providers import Provider

if TYPE_CHECKING:
    from httpx import Response

STAND_IN: Final = "none"
"""deep-translator asks for a key where the user's own server has none; this one never travels."""


_GOOGLE_RESULT: Final = ('class="result-container">', 'class="t0">')


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
    with needs("translation", "asking an online translator needs deep-translator and httpx"):
        import deep_translator  # noqa: F401
        import httpx  # noqa: F401


def opened(seconds: float) -> Door:
    """A door for one request; proxies and certificates are those of the environment.

    Raises:
        ConfigurationError: One of those cannot be used.
    """
    return Door(Timeouts(math.inf, math.inf, seconds), 1, environment=True)


class Requests:
    """What deep-translator finds in place of the module ``requests``: the one door to the network.

    A ``POST`` without a body of its own has its parameters there: LibreTranslate's are a key and a
    text, which would stand in the logs of servers and proxies as part of the address.

    Args:
        door: Where they go through.
        provider: Who is asked.
        now: Seconds since 1970.
    """

    exceptions: Final = SimpleNamespace(RequestException=())
    """Nothing that is raised here is caught there."""

    def __init__(self, door: Door, provider: Provider, now: float) -> None:
        self._door, self._provider, self._now = door, provider, now

    def get(self, url: str, params: Mapping[str, str], **_: object) -> Response:
        """The reply to a ``GET``.

        Raises:
            AskingError: The server refused.
            NothingReceivedError: No whole reply came.
        """
        return self._send(_with_query(url, params), None, {})

    def post(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        json: object = None,
        **_: object,
    ) -> Response:
        """The reply to a ``POST``.

        Raises:
            AskingError: As `get`.
            NothingReceivedError: As `get`.
        """
        if json is None:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return self._send(url, urlencode(params or {}).encode("ascii"), form)
        return self._send(
            _with_query(url, params or {}), dumps(json).encode("ascii"), headers or {}
        )

    def _send(self, url: str, content: bytes | None, headers: Mapping[str, str]) -> Response:
        got = self._door.send(url, content, headers)
        if not 200 <= got.status_code < 300:
            raise refusal(got, self._provider, self._now)
        return got


def _with_query(url: str, params: Mapping[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(params)}" if params else url


def client(access: Access, source: str, target: str) -> Any:  # noqa: ANN401 - of no typed class
    """A new client of deep-translator; it keeps its last request, so threads cannot share one.

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
    return made


def ask(access: Access, source: str, target: str, text: str, seconds: float, now: float) -> object:
    """Sends one request, and ends it when its time is up.

    deep-translator waits for ever, reads whatever comes and follows every redirect. So its method
    runs as it is, but with `Requests` where it says ``requests``.

    Args:
        access: Who is asked.
        source: The language of the text.
        target: The language to come.
        text: The text.
        seconds: How long the request may take, from above 0.
        now: Seconds since 1970.

    Returns:
        The translation: a string, if all is well.

    Raises:
        AskingError: It failed. Neither it nor its context holds what was raised, which quotes keys
            and texts.
        ConfigurationError: A proxy or a certificate of the environment cannot be used.
    """
    with closing(opened(seconds)) as door:
        try:
            made = client(access, source, target)
            made.requests = Requests(door, access.provider, now)
            return _through(made)(text)
        except Exception as error:
            failed = fault(error, access.provider, access.key)
    raise failed


def _through(made: Any) -> Callable[[str], object]:  # noqa: ANN401 - as `client` gives
    own = type(made).translate
    names = {**own.__globals__, "requests": made.requests}
    method = FunctionType(own.__code__, names, own.__name__, own.__defaults__, own.__closure__)
    bound: Callable[[str], object] = method.__get__(made)
    return bound


@cache
def _class(name: str) -> Callable[..., Any]:
    import deep_translator

    own = {
        "DeeplTranslator": _deepl,
        "GoogleTranslator": _google,
        "MicrosoftTranslator": _microsoft,
    }
    found: type = own[name]() if name in own else getattr(deep_translator, name)
    return found


def _deepl() -> type:
    from deep_translator import DeeplTranslator

    class Deepl(DeeplTranslator):  # type: ignore[misc]
        """Sends the key in the header, and the text in the body.

        DeepL ended requests with the key in the address, as deep-translator 1.11.4 sends them, on
        15 January 2026: developers.deepl.com, "Breaking changes", November 2025.
        """

        def translate(self, text: str, **_: object) -> object:
            response = self.requests.post(
                f"{self._base_url}translate",
                headers={
                    "Authorization": f"DeepL-Auth-Key {self.api_key}",
                    "Content-Type": "application/json",
                },
                json={
                    "text": [text],
                    "source_lang": self._source.upper(),
                    "target_lang": self._target.upper(),
                },
            )
            return response.json()["translations"][0]["text"]

    return Deepl


def _google() -> type:
    from deep_translator import GoogleTranslator
    from deep_translator.exceptions import TranslationNotFound

    class Google(GoogleTranslator):  # type: ignore[misc]
        """Reads the page once; the tree of a hostile page takes hours to make."""

        def translate(self, text: str, **_: object) -> object:
            asked = {"sl": self._source, "tl": self._target, "q": text.strip()}
            page = self.requests.get(self._base_url, asked).text
            for beginning in _GOOGLE_RESULT:
                found, is_closed, _after = page.partition(beginning)[2].partition("</div>")
                if is_closed:
                    return html.unescape(re.sub("<[^<>]*>", "", found)).strip()
            raise TranslationNotFound(text)

    return Google


def _microsoft() -> type:
    from deep_translator import MicrosoftTranslator

    class Microsoft(MicrosoftTranslator):  # type: ignore[misc]
        """Asks nothing of the network when it is made."""

        def _get_supported_languages(self) -> dict[str, str]:
            return {"english": "en"}

    return Microsoft
