"""The classes of deep-translator, made ready for one request through the one door.

deep-translator quotes the key (`AuthorizationException`) and the text (`TranslationNotFound`) in
its messages, and meets a reply of another shape with whatever error comes first. So no message of
its exceptions is passed on: the reason comes from the type.
"""

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

from klopt.errors import LlmReason, TranslationError, TranslationReason
from klopt.extras import needs
from klopt.models.credentials import excerpt, without_whole_key
from klopt.models.door import Door, NothingReceivedError, Timeouts
from klopt.models.retrying import RequestError, retry_after_seconds
from klopt.translators.providers import Provider

if TYPE_CHECKING:
    from httpx import Response

STAND_IN: Final = "none"
"""deep-translator asks for a key where the user's own server has none; this one never travels."""

PASSING: Final = frozenset({"no_network", "rate_limited", "server", "timeout"})
"""Reasons that may be over the next time."""

_GOOGLE_RESULT: Final = ('class="result-container">', 'class="t0">')
_LOOKED_AT_BYTES: Final = 2_000
_NOTHING: Final[dict[LlmReason, TranslationReason]] = {
    "cut": "server",
    "server": "no_network",
    "timeout": "timeout",
}
"""Why nothing was received, by what the door calls it; anything else is a bad reply."""


@dataclass(frozen=True, slots=True, repr=False)
class Access:
    """Who is asked, and with what key and region of the key."""

    provider: Provider
    key: str | None = None
    region: str | None = None


class AskingError(TranslationError, RequestError):
    """A request failed; with ``about_the_text``, one with another text may do."""

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


def opened(seconds: float) -> Door:
    """A door for one request; proxies and certificates are those of the environment."""
    with needs("translation", "asking an online translator needs deep-translator and httpx"):
        import deep_translator  # noqa: F401
        import httpx  # noqa: F401
    return Door(Timeouts(math.inf, math.inf, seconds), 1)


def ask(access: Access, source: str, target: str, text: str, seconds: float, now: float) -> str:
    """Sends one request, and ends it when its time is up; the reply, which is not blank.

    deep-translator waits for ever, reads whatever comes and follows every redirect. So its method
    runs as it is, but with `_Requests` where it says ``requests``. Neither the `AskingError` nor
    its context holds what was raised, which quotes keys and texts. ``now`` is seconds since 1970.
    """
    with closing(opened(seconds)) as door:
        try:
            made = _client(access, source, target)
            made.requests = _Requests(door, access.provider, now)
            own = type(made).translate
            names = {**own.__globals__, "requests": made.requests}
            method = FunctionType(
                own.__code__, names, own.__name__, own.__defaults__, own.__closure__
            )
            return _checked(method(made, text), access)
        except Exception as error:
            failed = _fault(error, access)
    raise failed


def _checked(reply: object, access: Access) -> str:
    """A reply that is a translation, or `AskingError`."""
    asked = access.provider
    if reply is None or (isinstance(reply, str) and not reply.strip()):
        raise AskingError("empty", f"{asked.label} sent an empty translation", about_the_text=True)
    if not isinstance(reply, str):
        raise _bad_reply(asked, type(reply).__name__)
    if without_whole_key(reply, access.key) != reply:
        raise _bad_reply(asked, "it quotes the key")
    for beginning, reason in asked.warnings.items():
        if reply.startswith(beginning):
            message = f"{asked.label} sent a warning: {beginning}"
            raise AskingError(reason, message, about_the_text=reason == "too_long")
    return reply


class _Requests:
    """What deep-translator finds in place of the module ``requests``: the one door to the network.

    A ``POST`` without a body of its own has its parameters there: LibreTranslate's are a key and a
    text, which would stand in the logs of servers and proxies as part of the address.
    """

    exceptions: Final = SimpleNamespace(RequestException=())
    """Nothing that is raised here is caught there."""

    def __init__(self, door: Door, provider: Provider, now: float) -> None:
        self._door, self._provider, self._now = door, provider, now

    def get(self, url: str, params: Mapping[str, str], **_: object) -> Response:
        return self._send(_with_query(url, params), None, {})

    def post(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        json: object = None,
        **_: object,
    ) -> Response:
        if json is None:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return self._send(url, urlencode(params or {}).encode("ascii"), form)
        content = dumps(json).encode("ascii")
        return self._send(_with_query(url, params or {}), content, headers or {})

    def _send(self, url: str, content: bytes | None, headers: Mapping[str, str]) -> Response:
        got, asked = self._door.send(url, content, headers), self._provider
        status = got.status_code
        if 200 <= status < 300:
            return got
        body = got.content[:_LOOKED_AT_BYTES].decode("utf-8", "replace")
        reason, about_the_text = asked.reason(status, body)
        redirects = ": it redirects; is its address right?" if 300 <= status < 400 else ""
        raise AskingError(
            reason,
            f"{asked.label} answered {status}{redirects}",
            wait_seconds=retry_after_seconds(got.headers.get("retry-after"), self._now),
            about_the_text=about_the_text,
        )


def _with_query(url: str, params: Mapping[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(params)}" if params else url


def _client(access: Access, source: str, target: str) -> Any:  # noqa: ANN401 - of no typed class
    """A new client of deep-translator; it keeps its last request, so threads cannot share one."""
    provider = access.provider
    named = dict(zip(("source", "target"), provider.codes(source, target), strict=True))
    if provider.key != "none":
        named["api_key"] = access.key or STAND_IN
    if access.region is not None:
        named["region"] = access.region
    made = _class(provider.class_name)(**named)
    made._base_url = provider.address
    if provider.key == "optional" and access.key is None:
        made.api_key = ""
    for language, code in ((source, made.source), (target, made.target)):
        if provider.languages_known and not made.is_language_supported(code):
            raise AskingError("unsupported", f"{provider.label} does not have {language!r}")
    return made


@cache
def _class(name: str) -> Callable[..., Any]:
    """A class of deep-translator, with what it has to do otherwise."""
    import deep_translator
    from deep_translator.exceptions import TranslationNotFound

    class AnyLanguage:
        """Takes any language, and asks nothing of the network when it is made."""

        def _map_language_to_code(self, *languages: str) -> tuple[str, ...]:
            return languages

        def _get_supported_languages(self) -> dict[str, str]:
            return {}

    class Deepl(AnyLanguage, deep_translator.DeeplTranslator):  # type: ignore[misc]
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

    class Google(AnyLanguage, deep_translator.GoogleTranslator):  # type: ignore[misc]
        """Reads the page once; the tree of a hostile page takes hours to make."""

        def translate(self, text: str, **_: object) -> object:
            asked = {"sl": self._source, "tl": self._target, "q": text.strip()}
            page = self.requests.get(self._base_url, asked).text
            for beginning in _GOOGLE_RESULT:
                result, is_closed, _after = page.partition(beginning)[2].partition("</div>")
                if is_closed:
                    return html.unescape(re.sub("<[^<>]*>", "", result)).strip()
            raise TranslationNotFound(text)

    own: dict[str, type] = {"DeeplTranslator": Deepl, "GoogleTranslator": Google}
    return own.get(name) or type(name, (AnyLanguage, getattr(deep_translator, name)), {})


def _fault(error: Exception, access: Access) -> AskingError:
    """What an exception of deep-translator or the door means; holds nothing that quotes a text."""
    asked = access.provider
    if isinstance(error, AskingError):
        return error.with_traceback(None)
    if isinstance(error, NothingReceivedError):
        told = error.told.format(asked.label)
        if error.reason == "server":
            told += f": {excerpt(error.detail, access.key)}"
        failed = AskingError(_NOTHING.get(error.reason, "bad_reply"), told)
        failed.passing = error.passes
        return failed
    return _bad_reply(asked, type(error).__name__)


def _bad_reply(asked: Provider, what: str) -> AskingError:
    """The reply is of another form than it should be; what it says is not told."""
    return AskingError("bad_reply", f"{asked.label} sent a reply that cannot be used: {what}")
