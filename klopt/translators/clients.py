"""One request to an online translator, in its own words, through the one door.

What is met in a reply of another shape may quote the key or the text, so no message of such an
exception is passed on: the reason comes from its type.
"""

from __future__ import annotations

import html
import math
import re
from contextlib import closing
from dataclasses import dataclass
from json import dumps
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from klopt.errors import LlmReason, TranslationError, TranslationReason
from klopt.extras import needs
from klopt.models.credentials import excerpt, without_whole_key
from klopt.models.door import Door, NothingReceivedError, Timeouts
from klopt.models.retrying import RequestError, retry_after_seconds
from klopt.translators.providers import Provider

if TYPE_CHECKING:
    from httpx import Response

PASSING: Final = frozenset({"no_network", "rate_limited", "server", "timeout"})
"""Reasons that may be over the next time."""

_GOOGLE_RESULT: Final = ('class="result-container">', 'class="t0">')
_LOOKED_AT_BYTES: Final = 2_000
_JSON: Final = {"Content-Type": "application/json"}
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
    with needs("translation", "asking an online translator needs httpx"):
        import httpx  # noqa: F401
    return Door(Timeouts(math.inf, math.inf, seconds), 1)


def ask(access: Access, source: str, target: str, text: str, seconds: float, now: float) -> str:
    """Sends one request, and ends it when its time is up; the reply, which is not blank.

    Neither the `AskingError` nor its context holds what was raised, which may quote keys and texts.
    ``now`` is seconds since 1970.
    """
    asked = access.provider
    codes = asked.codes(source, target)
    for language, code in zip((source, target), codes, strict=True):
        if not asked.has(code):
            raise AskingError("unsupported", f"{asked.label} does not have {language!r}")
    with closing(opened(seconds)) as door:
        try:
            got = door.send(*_request(access, *codes, text))
            if not 200 <= got.status_code < 300:
                raise _refused(got, asked, now)
            return _checked(_translation(asked.name, got), access)
        except Exception as error:
            failed = _fault(error, access)
    raise failed


def _request(
    access: Access, source: str, target: str, text: str
) -> tuple[str, bytes | None, dict[str, str]]:
    """The address, what is posted there, and the headers.

    Keys stand in a header or in what is posted: an address ends up in the logs of servers and
    proxies.
    """
    address, key = access.provider.address, access.key
    match access.provider.name:
        case "google":
            asked = {"sl": source, "tl": target, "q": text}
            return f"{address}?{urlencode(asked)}", None, {}
        case "mymemory":
            asked = {"langpair": f"{source}|{target}", "q": text}
            return f"{address}?{urlencode(asked)}", None, {}
        case "libretranslate":
            form = {"q": text, "source": source, "target": target, "format": "text"}
            form |= {"api_key": key} if key else {}
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            return f"{address}translate", urlencode(form).encode("ascii"), kind
        case "deepl":
            # What DeepL takes no longer, since 15 January 2026, is the key in the address.
            body = {"text": [text], "source_lang": source.upper(), "target_lang": target.upper()}
            headers = {"Authorization": f"DeepL-Auth-Key {key}", **_JSON}
            return f"{address}translate", dumps(body).encode("ascii"), headers
        case _:
            headers = {"Ocp-Apim-Subscription-Key": str(key), **_JSON}
            if access.region is not None:
                headers["Ocp-Apim-Subscription-Region"] = access.region
            asked = {"from": source, "to": target}
            return f"{address}&{urlencode(asked)}", dumps([{"text": text}]).encode("ascii"), headers


def _translation(name: str, got: Response) -> object:
    """What stands in a reply where the translation should."""
    if name == "google":
        # Read once, from the left; the tree of a hostile page takes hours to make.
        for beginning in _GOOGLE_RESULT:
            result, is_closed, _after = got.text.partition(beginning)[2].partition("</div>")
            if is_closed:
                return html.unescape(re.sub("<[^<>]*>", "", result))
        raise ValueError
    reply = got.json()
    match name:
        case "mymemory":
            return reply["responseData"]["translatedText"] or reply["matches"][0]["translation"]
        case "libretranslate":
            return reply["translatedText"]
        case "deepl":
            return reply["translations"][0]["text"]
        case _:
            return reply[0]["translations"][0]["text"]


def _refused(got: Response, asked: Provider, now: float) -> AskingError:
    """Why a server did not translate."""
    status, body = got.status_code, got.content[:_LOOKED_AT_BYTES].decode("utf-8", "replace")
    reason, about_the_text = asked.reason(status, body)
    redirects = ": it redirects; is its address right?" if 300 <= status < 400 else ""
    return AskingError(
        reason,
        f"{asked.label} answered {status}{redirects}",
        wait_seconds=retry_after_seconds(got.headers.get("retry-after"), now),
        about_the_text=about_the_text,
    )


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


def _fault(error: Exception, access: Access) -> AskingError:
    """What an exception means; holds nothing that quotes a text."""
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
