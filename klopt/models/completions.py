"""What a server that speaks the OpenAI protocol sends back, checked before it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from klopt.models.calls import Call, CallError, Reply, Usage
from klopt.models.credentials import without_whole_key
from klopt.models.retrying import PassingError

End: TypeAlias = Literal["whole", "cut", "refused"]

_END: Final[Mapping[str, End]] = {"length": "cut", "content_filter": "refused"}


@dataclass(frozen=True, slots=True)
class Prices:
    """What a model costs, in US dollars for a million tokens.

    Raises:
        ValueError: A price is below 0.
    """

    prompt_usd: float
    completion_usd: float

    def __post_init__(self) -> None:
        if not (self.prompt_usd >= 0 and self.completion_usd >= 0):
            raise ValueError(f"a price is 0 or more, not {self!r}")


@dataclass(frozen=True, slots=True)
class Completion:
    """What is used of a chat completion.

    Attributes:
        text: The message; may be empty.
        model: The model that the server names; None when it names none.
        prompt_tokens: Tokens of the question; None when the server does not say.
        completion_tokens: Tokens of the message; None when the server does not say.
        end: ``cut`` when the message stops at the limit of tokens, ``refused`` when the model or
            a filter refused to go on; else ``whole``.
    """

    text: str
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    end: End = "whole"

    def cost_usd(self, prices: Prices | None) -> float | None:
        """US dollars; None without prices or without both counts of tokens.

        >>> Completion("", None, 1_000_000, 500_000).cost_usd(Prices(0.15, 0.6))
        0.45
        """
        if prices is None or self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return (
            self.prompt_tokens * prices.prompt_usd + self.completion_tokens * prices.completion_usd
        ) / 1e6

    def reply(self, call: Call, name: str, spent: Usage, cost_usd: float | None) -> Reply:
        """The reply to a call.

        Args:
            call: What was asked.
            name: The model that was asked for.
            spent: The seconds and retries that it took.
            cost_usd: What it cost, where that is known.

        Raises:
            CallError: The message was cut off or refused; the same request would end the same.
        """
        usage = replace(
            spent,
            prompt_tokens=self.prompt_tokens or 0,
            completion_tokens=self.completion_tokens or 0,
            cost_usd=cost_usd,
            calls=1,
        )
        if self.end == "refused":
            raise CallError("refused", "the model refused to answer", usage)
        if self.end == "cut":
            raise CallError("cut", "the reply was cut off at the limit of tokens", usage)
        return Reply(self.text, call.task, self.model or name, usage)


def read_completion(body: object, key: str | None = None) -> Completion:
    """Reads the body of a reply.

    Args:
        body: What its JSON holds.
        key: The key that was sent; a reply that quotes it is given without.

    Returns:
        The first choice's message; what the server adds that is not known is ignored.

    Raises:
        PassingError: It is not a chat completion (``bad_shape``).
    """
    if not isinstance(body, Mapping):
        raise _bad_shape("an object with choices", body)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise _bad_shape("a list of at least one choice under choices", choices)
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        raise _bad_shape("an object under choices[0].message", message)
    text, model = message.get("content"), body.get("model")
    end: End = _END.get(str(choices[0].get("finish_reason")), "whole")
    if message.get("refusal"):
        end = "refused"
    if end != "whole" and text is None:
        text = ""
    if not isinstance(text, str):
        raise _bad_shape("a string under choices[0].message.content", text)
    return Completion(
        without_whole_key(text, key),
        without_whole_key(model, key) if isinstance(model, str) and model else None,
        _count(body.get("usage"), "prompt_tokens"),
        _count(body.get("usage"), "completion_tokens"),
        end,
    )


def _bad_shape(wanted: str, met: object) -> PassingError:
    found = {type(None): "nothing", dict: "an object", list: "a list"}.get(
        type(met), f"a {type(met).__name__}"
    )
    if met == []:
        found = "an empty list"
    return PassingError(
        "bad_shape", f"the server's reply is no chat completion: {found} instead of {wanted}"
    )


def _count(usage: object, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, Mapping) else None
    return count if type(count) is int and count >= 0 else None
