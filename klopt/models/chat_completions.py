"""A client of any server that speaks the OpenAI chat completions protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from klopt.errors import LlmError
from klopt.models.calls import Call, Reply
from klopt.models.completions import Completion, Prices, read_completion
from klopt.models.credentials import EXCERPT_CHARS, checked_key, excerpt
from klopt.models.endpoint import OPENAI, Timeouts, address, http_client, require_extra
from klopt.models.event_loop import EventLoop
from klopt.models.patience import Clock, Patience, retry_after_seconds
from klopt.models.requests import call_fields, request_fields
from klopt.models.retrying import PassingError, persist

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY_BYTES: Final = 2_000_000


class ChatCompletions:
    """A model behind ``POST {base_url}/chat/completions``; safe to use from several threads.

    Tried again: 408, 429 (waits as ``Retry-After`` says), 5xx, time-outs, no connection, bodies
    that are cut off or are no chat completion. Not tried again: any other 4xx, a spent quota, a
    certificate that does not hold, a redirect (the key goes to no other address), a reply that
    is too large.

    Variables of the environment are not looked at: no proxy, certificate or password comes from
    there or from ``.netrc``; a proxy and a certificate are given.

    Args:
        model: The model's name at the server.
        base_url: The address of the server, up to and including ``/v1`` or the like.
        api_key: The key; None for a server that asks for none.
        timeouts: Of one request.
        patience: Of one call.
        at_once: How many calls are under way at one time, from 1; others wait for their turn.
        prices: What a token costs; None when that is not known.
        temperature: 0 for the most likely words; None to leave it out, for models that take none.
        seed: Asks the server for the same reply every time; None to leave it out.
        json_mode: Whether the server is asked for JSON where a call wants it.
        options: Further fields of the request, such as ``{"reasoning_effort": "low"}``.
        proxy: The address of an HTTP proxy.
        ca_file: The certificates to trust, as PEM; None for those that come with httpx.
        clock: Where time comes from.

    Raises:
        ExtraMissingError: The extra ``llm`` is not installed.
        ConfigurationError: An address, an option or the file of certificates is wrong.
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
        prices: Prices | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        json_mode: bool = True,
        options: Mapping[str, object] | None = None,
        proxy: str | None = None,
        ca_file: Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        require_extra()
        if at_once < 1:
            raise ValueError(f"at_once is at least 1, not {at_once}")
        self.name = model
        self._url = f"{address(base_url)}/chat/completions"
        self._key = None if api_key is None else checked_key(api_key, "api_key")
        self._timeouts = timeouts or Timeouts()
        self._patience = patience or Patience()
        self._prices, self._json_mode = prices, json_mode
        self._clock = clock or Clock()
        self._fields = {"model": model, **request_fields(temperature, seed, options)}
        self._slots = threading.BoundedSemaphore(at_once)
        self._loop = EventLoop()
        self._client = http_client(self._timeouts, at_once, proxy, ca_file)

    def __repr__(self) -> str:
        return f"ChatCompletions({self.name!r}, {self._url!r})"

    def __enter__(self) -> ChatCompletions:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; the model answers no more."""
        self._loop.close(self._client.aclose)

    def complete(self, call: Call) -> Reply:
        """Asks the server.

        Raises:
            CallError: There is no reply, after all tries; with the seconds and retries it took.
        """
        fields = {**self._fields, **call_fields(call, self._json_mode)}
        body = json.dumps(fields).encode("ascii")
        with self._slots:
            done, spent = persist(call, lambda: self._attempt(body), self._patience, self._clock)
        return done.reply(call, self.name, spent, done.cost_usd(self._prices))

    def _attempt(self, body: bytes) -> Completion:
        import httpx

        try:
            return self._loop.run(lambda: self._send(body), self._timeouts.total)
        except TimeoutError:
            seconds = self._timeouts.total
            problem = f"{self._url} was not done within {seconds:g} s"
            raise PassingError("timeout", problem) from None
        except httpx.ConnectTimeout:
            seconds = self._timeouts.connect
            problem = f"{self._url} gave no connection within {seconds:g} s"
            raise PassingError("timeout", problem) from None
        except httpx.TimeoutException:
            seconds = self._timeouts.read
            problem = f"{self._url} was silent for {seconds:g} s"
            raise PassingError("timeout", problem) from None
        except (httpx.ConnectError, httpx.ProxyError) as error:
            told = excerpt(str(error), self._key)
            problem = f"{self._url} cannot be reached: {told}"
            if "certificate" in told.lower():
                raise LlmError("server", problem) from None
            raise PassingError("server", problem) from None
        except (httpx.NetworkError, httpx.ProtocolError, httpx.DecodingError) as error:
            problem = f"the reply of {self._url} was cut off: {excerpt(str(error), self._key)}"
            raise PassingError("cut", problem.removesuffix(": ")) from None

    async def _send(self, body: bytes) -> Completion:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        async with self._client.stream("POST", self._url, content=body, headers=headers) as got:
            content, whole = await _read(got)
            if got.status_code != 200:
                self._refuse(got, content)
        if not whole:
            raise LlmError(
                "bad_shape",
                f"the reply of {self._url} is larger than {LARGEST_REPLY_BYTES:,} bytes",
            )
        try:
            return read_completion(json.loads(content), self._key)
        except (ValueError, RecursionError):
            problem = f"the body that {self._url} sent is not JSON{self._excerpt(content)}"
            raise PassingError("bad_json", problem) from None

    def _refuse(self, got: httpx.Response, content: bytes) -> None:
        status = got.status_code
        problem = f"{self._url} answered {status}"
        if 300 <= status < 400:
            raise LlmError("refused", f"{problem}: it redirects; is base_url right?")
        problem += self._excerpt(content)
        wait = retry_after_seconds(got.headers.get("retry-after"), self._clock.now())
        if status == 429 and b'"insufficient_quota"' not in content:
            raise PassingError("rate_limited", problem, wait)
        if status == 408 or status >= 500:
            raise PassingError("timeout" if status in (408, 504) else "server", problem, wait)
        raise LlmError("refused" if status >= 400 else "server", problem)

    def _excerpt(self, content: bytes) -> str:
        text = content[: 20 * EXCERPT_CHARS].decode("utf-8", "replace")
        with suppress(ValueError, LookupError, TypeError, RecursionError):
            text = str(json.loads(text)["error"]["message"])
        told = excerpt(text, self._key)
        return f": {told}" if told else ""


async def _read(got: httpx.Response) -> tuple[bytes, bool]:
    """The body up to the largest size, and whether that is all of it."""
    content = bytearray()
    async for chunk in got.aiter_bytes():
        content += chunk
        if len(content) > LARGEST_REPLY_BYTES:
            return bytes(content[:LARGEST_REPLY_BYTES]), False
    return bytes(content), True
