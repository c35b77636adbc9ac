"""What it means that a request to an online translator failed.

deep-translator throws the status away (`RequestError`, `ServerException`), quotes the key
(`AuthorizationException`) and the text (`TranslationNotFound`) in its messages, and meets a reply
of another shape with whatever error comes first. So no message of an exception is passed on: the
reason comes from the type, and from the reply that still stands in the frame that raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from klopt.errors import TranslationError, TranslationReason
from klopt.models.retrying import RequestError, retry_after_seconds
from klopt.translators.providers import Provider, is_about_the_text, status_reason

if TYPE_CHECKING:
    from requests import Response

PASSING: Final = frozenset({"no_network", "rate_limited", "server", "timeout"})
"""Reasons that may be over the next time."""

_LOOKED_AT_CHARS: Final = 2_000
_CLIENTS: Final = ("deep_translator.", "klopt.translators.clients")
_TYPES: Final[dict[str, TranslationReason]] = {
    "AuthorizationException": "refused",
    "ChunkedEncodingError": "server",
    "ConnectTimeout": "timeout",
    "ConnectionError": "no_network",
    "ContentDecodingError": "server",
    "InvalidSourceOrTargetLanguage": "unsupported",
    "LanguageNotSupportedException": "unsupported",
    "NotValidLength": "too_long",
    "RequestError": "server",
    "ServerException": "server",
    "Timeout": "timeout",
    "TooManyRequests": "rate_limited",
}
"""Of the errors of deep-translator and requests, for where no reply is found."""


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


def fault(error: Exception, provider: Provider, now: float) -> AskingError:
    """What an exception of a client means; holds nothing of its message.

    Args:
        error: What was raised inside deep-translator.
        provider: Who was asked.
        now: Seconds since 1970.
    """
    asked, reply = _reply(error)
    if reply is not None and not 200 <= reply.status_code < 300:
        return _refusal(reply, provider, now)
    if asked and reply is None:  # Microsoft's class swallows what it met on the way
        return AskingError("no_network", f"{provider.label} cannot be reached")
    name = type(error).__name__
    kinds = (kind for kind in type(error).__mro__ if kind.__module__ != "builtins")
    reason = next((_TYPES[kind.__name__] for kind in kinds if kind.__name__ in _TYPES), None)
    if reason is None:
        return bad_reply(provider, name)
    said = {
        "no_network": f"cannot be reached: {name}",
        "timeout": f"took too long: {name}",
        "too_long": "does not take a text so long",
        "unsupported": "does not have the language",
    }.get(reason, f"failed: {name}")
    return AskingError(reason, f"{provider.label} {said}", about_the_text=reason == "too_long")


def bad_reply(provider: Provider, what: str) -> AskingError:
    """The reply is of another form than it should be; what it says is not told."""
    return AskingError("bad_reply", f"{provider.label} sent a reply that cannot be used: {what}")


def _refusal(reply: Response, provider: Provider, now: float) -> AskingError:
    body, status = reply.text[:_LOOKED_AT_CHARS], reply.status_code
    told = (reason for text, reason in provider.refusals.items() if text in body)
    reason = next(told, status_reason(status))
    return AskingError(
        reason,
        f"{provider.label} answered {status}",
        wait_seconds=retry_after_seconds(reply.headers.get("Retry-After"), now),
        about_the_text=reason in ("refused", "too_long") and is_about_the_text(status),
    )


def _reply(error: Exception) -> tuple[bool, Response | None]:
    """Whether a client was past its request when it failed; and the reply that it had, if any."""
    import requests

    trace, asked, reply = error.__traceback__, False, None
    while trace is not None:
        room, met = trace.tb_frame.f_globals.get("__name__", ""), trace.tb_frame.f_locals
        if room.startswith(_CLIENTS) and "response" in met:
            asked, reply = True, met["response"]
        trace = trace.tb_next
    return asked, reply if isinstance(reply, requests.Response) else None
