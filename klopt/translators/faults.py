"""What it means that a request to an online translator failed.

deep-translator quotes the key (`AuthorizationException`) and the text (`TranslationNotFound`) in
its messages, and meets a reply of another shape with whatever error comes first. So no message of
its exceptions is passed on: the reason comes from the type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from klopt.errors import LlmReason, TranslationError, TranslationReason
from klopt.models.credentials import excerpt
from klopt.models.door import NothingReceivedError
from klopt.models.retrying import RequestError, retry_after_seconds
from klopt.translators.providers import Provider, is_about_the_text, status_reason

if TYPE_CHECKING:
    from httpx import Response

PASSING: Final = frozenset({"no_network", "rate_limited", "server", "timeout"})
"""Reasons that may be over the next time."""

_LOOKED_AT_BYTES: Final = 2_000
_NOTHING: Final[dict[LlmReason, TranslationReason]] = {
    "cut": "server",
    "server": "no_network",
    "timeout": "timeout",
}
"""Why nothing was received, by what the door calls it; anything else is a bad reply."""

_TYPES: Final[dict[str, tuple[TranslationReason, str]]] = {
    "InvalidSourceOrTargetLanguage": ("unsupported", "does not have the language"),
    "LanguageNotSupportedException": ("unsupported", "does not have the language"),
    "NotValidLength": ("too_long", "does not take a text so long"),
}
"""Of the errors of deep-translator; anything else is a bad reply."""


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


def fault(error: Exception, provider: Provider, key: str | None) -> AskingError:
    """What an exception means that was raised on the way; holds nothing that quotes a text.

    Args:
        error: What was raised inside deep-translator, or by the door.
        provider: Who was asked.
        key: The key, which is not told.
    """
    if isinstance(error, AskingError):
        return error.with_traceback(None)
    if isinstance(error, NothingReceivedError):
        told = error.told.format(provider.label)
        if error.reason == "server":
            told += f": {excerpt(error.detail, key)}"
        failed = AskingError(_NOTHING.get(error.reason, "bad_reply"), told)
        failed.passing = error.passes
        return failed
    kinds = (kind.__name__ for kind in type(error).__mro__)
    found = next((_TYPES[name] for name in kinds if name in _TYPES), None)
    if found is None:
        return bad_reply(provider, type(error).__name__)
    reason, told = found
    return AskingError(reason, f"{provider.label} {told}", about_the_text=reason == "too_long")


def bad_reply(provider: Provider, what: str) -> AskingError:
    """The reply is of another form than it should be; what it says is not told."""
    return AskingError("bad_reply", f"{provider.label} sent a reply that cannot be used: {what}")


def refusal(got: Response, provider: Provider, now: float) -> AskingError:
    """What it means that a server answered with another status than 200.

    Args:
        got: Its reply.
        provider: Who was asked.
        now: Seconds since 1970.
    """
    body, status = got.content[:_LOOKED_AT_BYTES].decode("utf-8", "replace"), got.status_code
    told = (reason for text, reason in provider.refusals.items() if text in body)
    reason = next(told, status_reason(status))
    redirects = ": it redirects; is its address right?" if 300 <= status < 400 else ""
    return AskingError(
        reason,
        f"{provider.label} answered {status}{redirects}",
        wait_seconds=retry_after_seconds(got.headers.get("retry-after"), now),
        about_the_text=reason in ("refused", "too_long") and is_about_the_text(status),
    )
