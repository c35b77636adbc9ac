"""What each online translator is sent, through the one door, and where its reply has the text."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlencode

from klopt.errors import ExtraMissingError
from klopt.models.door import Door, Timeouts
from klopt.translators.faults import fault, refusal
from klopt.translators.providers import Provider

if TYPE_CHECKING:
    from httpx import Response

_Sent: TypeAlias = tuple[str, bytes | None, Mapping[str, str]]
"""Address, content, headers; without content it is a ``GET``."""

_FORM: Final = "application/x-www-form-urlencoded"
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
    """Sees to it that what a `Door` needs is there.

    Raises:
        ExtraMissingError: The extra ``translation`` is not installed.
    """
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise ExtraMissingError(
            "asking an online translator needs httpx; install it with: "
            'pip install "klopt[translation]"'
        ) from None


def opened(seconds: float) -> Door:
    """A door for one request; proxies and certificates are those of the environment.

    Raises:
        ConfigurationError: One of those cannot be used.
    """
    return Door(Timeouts(math.inf, math.inf, seconds), 1, environment=True)


def ask(access: Access, source: str, target: str, text: str, seconds: float, now: float) -> object:
    """Sends one request, and ends it when its time is up.

    Args:
        access: Who is asked.
        source: The language of the text, as ISO 639-1.
        target: The language to come.
        text: The text.
        seconds: How long the request may take, from above 0.
        now: Seconds since 1970.

    Returns:
        The translation: a string, if all is well.

    Raises:
        AskingError: It failed. Neither it nor its context holds what was raised, which may quote
            keys and texts.
        ConfigurationError: A proxy or a certificate of the environment cannot be used.
    """
    provider = access.provider
    sent = _REQUESTS[provider.name](access, *provider.codes(source, target), text)
    with closing(opened(seconds)) as door:
        try:
            got = door.send(*sent)
            if not 200 <= got.status_code < 300:
                raise refusal(got, provider, now)
            return _read(got, provider)
        except Exception as error:
            failed = fault(error, provider, access.key)
    raise failed


def _read(got: Response, provider: Provider) -> object:
    """What stands where the translation should."""
    if not provider.result:
        return _google_text(got.text)
    found: Any = got.json()
    for step in provider.result:
        found = found[step]
    return found


def _google_text(page: str) -> str:
    """The translation in a page, which is read once: a tree of a hostile one takes hours to make.

    Raises:
        LookupError: There is none.
    """
    for beginning in _GOOGLE_RESULT:
        found, is_closed, _ = page.partition(beginning)[2].partition("</div>")
        if is_closed:
            return html.unescape(re.sub("<[^<>]*>", "", found)).strip()
    raise LookupError


def _google(access: Access, source: str, target: str, text: str) -> _Sent:
    query = urlencode({"sl": source, "tl": target, "q": text})
    return f"{access.provider.address}?{query}", None, {}


def _mymemory(access: Access, source: str, target: str, text: str) -> _Sent:
    query = urlencode({"q": text, "langpair": f"{source}|{target}"})
    return f"{access.provider.address}?{query}", None, {}


def _libretranslate(access: Access, source: str, target: str, text: str) -> _Sent:
    """All of it in the body: the logs of servers and proxies have addresses."""
    fields = {"q": text, "source": source, "target": target, "format": "text"}
    if access.key is not None:
        fields["api_key"] = access.key
    content = urlencode(fields).encode("ascii")
    return f"{access.provider.address}translate", content, {"Content-Type": _FORM}


def _deepl(access: Access, source: str, target: str, text: str) -> _Sent:
    asked = {"text": [text], "source_lang": source.upper(), "target_lang": target.upper()}
    headers = {"Authorization": f"DeepL-Auth-Key {access.key}"}
    return f"{access.provider.address}translate", *_json(asked, headers)


def _microsoft(access: Access, source: str, target: str, text: str) -> _Sent:
    headers = {"Ocp-Apim-Subscription-Key": access.key or ""}
    if access.region is not None:
        headers["Ocp-Apim-Subscription-Region"] = access.region
    query = urlencode({"from": source, "to": target})
    return f"{access.provider.address}&{query}", *_json([{"text": text}], headers)


def _json(asked: object, headers: Mapping[str, str]) -> tuple[bytes, Mapping[str, str]]:
    return dumps(asked).encode("ascii"), {**headers, "Content-Type": "application/json"}


_REQUESTS: Final[Mapping[str, Callable[[Access, str, str, str], _Sent]]] = {
    "deepl": _deepl,
    "google": _google,
    "libretranslate": _libretranslate,
    "microsoft": _microsoft,
    "mymemory": _mymemory,
}
