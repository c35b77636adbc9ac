"""A client of any server that speaks the OpenAI chat completions protocol."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from klopt.errors import LlmError, LlmReason
from klopt.models.calls import Call, CallError, Reply, Usage
from klopt.models.credentials import EXCERPT_CHARS, checked_key, excerpt, without_whole_key
from klopt.models.door import Door, NothingReceivedError, Timeouts, require_extra
from klopt.models.retrying import Clock, Patience, RequestError, Tries, retry_after_seconds
from klopt.models.servers import OPENAI, address

if TYPE_CHECKING:
    from httpx import Response

LEFT_OUT_IF_REFUSED: Final = ("response_format", "temperature")
"""Fields that a model can do without; some refuse a temperature or JSON."""

_LOG: Final = logging.getLogger("klopt")
_ENDS: Final[Mapping[str, tuple[LlmReason, str]]] = {
    "length": ("cut", "the reply was cut off at the limit of tokens"),
    "content_filter": ("refused", "the model refused to answer"),
}
"""Ends before the end, by ``finish_reason``; the same request would end the same."""


class PassingError(LlmError, RequestError):
    """A failure that may be over the next time."""

    def __init__(self, reason: LlmReason, message: str, wait_seconds: float | None = None) -> None:
        super().__init__(reason, message)
        self.wait_seconds = wait_seconds


class ChatCompletions:
    """A model behind ``POST {base_url}/chat/completions``; safe to use from several threads.

    Tried again: 408, 429 (waits as ``Retry-After`` says), 5xx, time-outs, no connection, bodies
    that are cut off or are no chat completion. Not tried again: any other 4xx, a spent quota, a
    certificate that does not hold, a redirect (the key goes to no other address), a reply that
    is too large. A field that a server names as one that it does not take (`LEFT_OUT_IF_REFUSED`)
    is left out from then on.

    Args:
        model: The model's name at the server.
        base_url: The address of the server, up to and including ``/v1`` or the like; that of a
            provider is ``klopt.models.servers.server("mistral").base_url``.
        api_key: The key; None for a server that asks for none.
        timeouts: Of one request.
        patience: Of one call.
        at_once: How many calls are under way at one time, from 1; others wait for their turn.
        prices: US dollars for a million tokens in and out; None when they are not known.
        clock: Where time comes from.

    Raises:
        ExtraMissingError: The extra ``llm`` is not installed.
        ConfigurationError: The address is wrong, or a proxy or certificate of the environment.
        CredentialsError: The key cannot be one.
        ValueError: ``at_once`` is below 1.
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        api_key: str | None = None,
        *,
        timeouts: Timeouts | None = None,
        patience: Patience | None = None,
        at_once: int = 8,
        prices: tuple[float, float] | None = None,
        clock: Clock | None = None,
    ) -> None:
        require_extra()
        if at_once < 1:
            raise ValueError(f"at_once is at least 1, not {at_once}")
        self.name = model
        self._url = f"{address(base_url)}/chat/completions"
        self._key = None if api_key is None else checked_key(api_key, "api_key")
        self._patience, self._clock = patience or Patience(), clock or Clock()
        self._prices, self._left_out = prices, set[str]()
        self._slots = threading.BoundedSemaphore(at_once)
        self._door = Door(timeouts or Timeouts(), at_once)

    def __repr__(self) -> str:
        return f"ChatCompletions({self.name!r}, {self._url!r})"

    def __enter__(self) -> ChatCompletions:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; the model answers no more."""
        self._door.close()

    def complete(self, call: Call) -> Reply:
        """Asks the server; what a `CallError` tells was spent are seconds and retries."""
        seed = f"{call.id}\0{call.technique}"
        tries = Tries(self._patience, self._clock, seed, call.place)
        try:
            with self._slots:
                reply = tries.run(lambda: self._attempt(self._asked(call)))
        except LlmError as error:
            spent = Usage(seconds=tries.seconds, retries=tries.retries)
            raise CallError(error.reason_code, error.message + tries.told, spent) from None
        return self._read(reply, call, tries)

    def _asked(self, call: Call) -> dict[str, object]:
        system = [{"role": "system", "content": call.system}] if call.system else []
        messages = [*system, {"role": "user", "content": call.user}]
        fields = {"model": self.name, "temperature": 0.0, "messages": messages}
        if call.json:
            fields["response_format"] = {"type": "json_object"}
        return {name: value for name, value in fields.items() if name not in self._left_out}

    def _attempt(self, fields: dict[str, object]) -> dict[str, Any]:
        """The JSON of a chat completion."""
        headers = {"Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            got = self._door.send(self._url, json.dumps(fields).encode("ascii"), headers)
        except NothingReceivedError as error:
            told = excerpt(error.detail, self._key)
            problem = error.told.format(self._url) + (f": {told}" if told else "")
            raise (PassingError if error.passes else LlmError)(error.reason, problem) from None
        if got.status_code != 200:
            raise self._refusal(got, fields)
        try:
            body: dict[str, Any] = json.loads(got.content)
        except (ValueError, RecursionError):
            problem = f"the body that {self._url} sent is not JSON{self._excerpt(got.content)}"
            raise PassingError("bad_json", problem) from None
        match body:
            case {"choices": [{"message": {"content": str()}}, *_]}:
                return body
            case {"choices": [{"message": dict()} as choice, *_]} if _end(choice) is not None:
                return body
        problem = f"what {self._url} sent is no chat completion{self._excerpt(got.content)}"
        raise PassingError("bad_shape", problem)

    def _refusal(self, got: Response, fields: dict[str, object]) -> LlmError:
        status, problem = got.status_code, f"{self._url} answered {got.status_code}"
        if 300 <= status < 400:
            return LlmError("refused", f"{problem}: it redirects; is base_url right?")
        problem += self._excerpt(got.content)
        field = str(_error(got.content, "param"))
        if status == 400 and field in LEFT_OUT_IF_REFUSED and field in fields:
            if field not in self._left_out:
                _LOG.warning("%s does not take %s; it is left out from here on", self.name, field)
            self._left_out.add(field)
            return PassingError("refused", problem, 0.0)
        wait = retry_after_seconds(got.headers.get("retry-after"), self._clock.now())
        if status == 429 and b'"insufficient_quota"' not in got.content:
            return PassingError("rate_limited", problem, wait)
        if status == 408 or status >= 500:
            return PassingError("timeout" if status in (408, 504) else "server", problem, wait)
        return LlmError("refused" if status >= 400 else "server", problem)

    def _excerpt(self, content: bytes) -> str:
        text = content[: 20 * EXCERPT_CHARS].decode("utf-8", "replace")
        told = excerpt(str(_error(content, "message") or text), self._key)
        return f": {told}" if told else ""

    def _read(self, body: Mapping[str, Any], call: Call, tries: Tries) -> Reply:
        """The first choice's message; what the server adds that is not known is ignored."""
        prompt = _count(body.get("usage"), "prompt_tokens")
        completion = _count(body.get("usage"), "completion_tokens")
        cost = None
        if self._prices is not None and prompt is not None and completion is not None:
            cost = (prompt * self._prices[0] + completion * self._prices[1]) / 1e6
        usage = Usage(prompt or 0, completion or 0, cost, tries.seconds, tries.retries, 1)
        if (end := _end(body["choices"][0])) is not None:
            raise CallError(*_ENDS[end], usage)
        model = body.get("model")
        return Reply(
            without_whole_key(body["choices"][0]["message"]["content"], self._key),
            call.task,
            without_whole_key(model, self._key) if isinstance(model, str) and model else self.name,
            usage,
        )


def _error(content: bytes, name: str) -> object:
    """A field of the error that a body tells of; None where it does not."""
    with suppress(ValueError, LookupError, TypeError, RecursionError):
        value: object = json.loads(content)["error"][name]
        return value
    return None


def _end(choice: Mapping[str, Any]) -> str | None:
    """What ended the message before its end, as one of `_ENDS`."""
    if choice["message"].get("refusal"):
        return "content_filter"
    reason = str(choice.get("finish_reason"))
    return reason if reason in _ENDS else None


def _count(usage: object, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and count >= 0 else None
