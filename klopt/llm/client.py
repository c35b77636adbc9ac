"""Client for any server with OpenAI's chat-completions API, through the ``openai`` SDK."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, CredentialsError, LlmReason
from klopt.llm.calls import Call, CallError, Reply, Usage

if TYPE_CHECKING:
    from openai import APIStatusError

OPENAI: Final = "https://api.openai.com/v1"
MAX_REPLY_BYTES: Final = 2_000_000  # of an HTTP response; the rest of a larger one is not read
MAX_REPLY_TOKENS: Final = 8_192  # ``max_tokens`` of each request
CONNECT_TIMEOUT_S: Final = 10.0

_CLOSE_WAIT_S: Final = 0.5  # that `close` waits for requests, which may open connections
_OPTIONAL_FIELDS: Final = ("response_format", "temperature", "seed", "max_tokens")
"""Fields that are dropped for the rest of the run once the server rejects them."""
_UNFINISHED: Final[Mapping[str, tuple[LlmReason, str]]] = {
    "length": ("cut", "the reply was cut off at the token limit"),
    "content_filter": ("refused", "the model refused to answer"),
}  # Values of ``finish_reason`` for which a retry would end the same way
_PLATFORM: Final = ("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Async")
"""What the SDK says about this machine in ``X-Stainless-…`` headers, unless they are omitted."""
_OF_THE_WIRE: Final = ("content-encoding", "content-length", "transfer-encoding")
"""Headers that say how a body was sent, and are wrong once it has been read."""

_EXCERPT_CHARS: Final = 300  # Characters of a server's message that klopt repeats
_PART_CHARS: Final = 8  # a word with so long a part of the key is hidden from messages
_SECRET_CHARS: Final = 16  # a shorter key is a placeholder, such as ``ollama``, and stays
_HIDDEN: Final = "***"
_WORD: Final = re.compile(r"""[^\s"'`,;()\[\]{}<>]+""")
_LOG: Final = logging.getLogger("klopt")


class ChatClient:
    """An LLM behind ``POST {base_url}/chat/completions``; safe to use from several threads.

    The SDK retries connection errors, timeouts, 408, 409, 429 and 5xx with exponential backoff and
    honours ``Retry-After``. A request has temperature 0 and at most `MAX_REPLY_TOKENS` tokens;
    redirects are not followed, so the key goes to no other address, and the SDK's headers about
    this machine are removed.

    Args:
        model: The model's name, as the server knows it.
        base_url: The server's address, up to and including ``/v1``.
        api_key: The key; None sends none.
        timeout_s: Time limit of a request in seconds.
        max_retries: Maximum number of retries of a call.
        seed: The seed of the model's sampling, or None.
        prices: US dollars per million prompt and completion tokens, or None.

    Raises:
        ConfigurationError: The address, or a proxy or certificate of the environment, is invalid.
        CredentialsError: The key is invalid.
        ExtraMissingError: The openai SDK is not installed.

    >>> with ChatClient("qwen3", "http://127.0.0.1:11434/v1") as model:
    ...     model
    ChatClient('qwen3', 'http://127.0.0.1:11434/v1/chat/completions')
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        api_key: str | None = None,
        *,
        timeout_s: float = 180.0,
        max_retries: int = 4,
        seed: int | None = None,
        prices: tuple[float, float] | None = None,
    ) -> None:
        with needs("llm", "calling an LLM server needs the openai SDK"):
            import openai
        if not timeout_s > 0:
            raise ValueError(f"timeout_s must be above 0, not {timeout_s}")
        self.name, self._seed, self._prices, self._timeout_s = model, seed, prices, timeout_s
        self._url = f"{_address(base_url)}/chat/completions"
        self._key = None if api_key is None else checked_key(api_key, "api_key")
        self._rejected: set[str] = set()
        self._idle, self._running = threading.Condition(), 0
        headers: dict[str, Any] = {"User-Agent": "klopt", "Accept-Encoding": "identity"}
        headers |= {f"X-Stainless-{name}": openai.Omit() for name in _PLATFORM}
        self._extra_headers = {} if self._key else {"Authorization": openai.Omit()}
        try:
            self._client = openai.OpenAI(
                api_key=self._key or "none",
                base_url=base_url,
                timeout=openai.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S)),
                max_retries=max_retries,
                default_headers=headers,
                http_client=_http_client(timeout_s),
            )
        except (ImportError, OSError, ValueError) as error:
            raise ConfigurationError(
                "a proxy or certificate of the environment (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE) "
                f"is invalid: {type(error).__name__}"
            ) from None

    def __repr__(self) -> str:
        return f"ChatClient({self.name!r}, {self._url!r})"

    def __enter__(self) -> ChatClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the client cannot be used afterwards."""
        with self._idle:
            self._idle.wait_for(lambda: not self._running, _CLOSE_WAIT_S)
        self._client.close()

    def complete(self, call: Call) -> Reply:
        """Return the model's reply, or raise `CallError`."""
        start = time.monotonic()
        with self._idle:
            self._running += 1
        try:
            content, retries = self._content(self._fields(call), start)
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()
        return self._reply(call, content, time.monotonic() - start, retries)

    def _reply(self, call: Call, content: bytes, seconds: float, retries: int) -> Reply:
        usage = Usage(seconds=seconds, retries=retries)
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            problem = f"{self._url} sent a body that is not JSON{self._quoted(content)}"
            raise CallError("bad_json", problem, usage) from None
        choice, message = dict[str, Any](), dict[str, Any]()
        match body:
            case {"choices": [{"message": dict(message)} as choice, *_]}:
                pass
        text = message.get("content")
        reason = "content_filter" if message.get("refusal") else str(choice.get("finish_reason"))
        if not message or not (isinstance(text, str) or reason in _UNFINISHED):
            problem = f"{self._url} sent a body that is not a chat completion"
            raise CallError("bad_shape", problem + self._quoted(content), usage)
        usage = Usage(0, 0, None, seconds, retries, 1)
        match body.get("usage"):
            case {"prompt_tokens": int(prompt), "completion_tokens": int(completion)} if (
                prompt >= 0 and completion >= 0
            ):
                cost = None
                if self._prices is not None:
                    cost = (prompt * self._prices[0] + completion * self._prices[1]) / 1e6
                usage = Usage(prompt, completion, cost, seconds, retries, 1)
        if reason in _UNFINISHED:
            raise CallError(*_UNFINISHED[reason], usage)
        model = body.get("model")
        model = model if isinstance(model, str) and model else self.name
        return Reply(_without(self._key, str(text)), call.task, _without(self._key, model), usage)

    def _fields(self, call: Call) -> dict[str, Any]:
        system = [{"role": "system", "content": _encodable(call.system)}] if call.system else []
        fields: dict[str, Any] = {"model": self.name, "temperature": 0.0}
        fields["messages"] = [*system, {"role": "user", "content": _encodable(call.user)}]
        fields["max_tokens"] = MAX_REPLY_TOKENS
        if self._seed is not None:
            fields["seed"] = self._seed
        return fields | ({"response_format": {"type": "json_object"}} if call.json else {})

    def _content(self, fields: dict[str, Any], start: float) -> tuple[bytes, int]:
        """Return the body of a successful response, and the number of retries."""
        import openai

        fields = {name: value for name, value in fields.items() if name not in self._rejected}
        create = self._client.chat.completions.with_streaming_response.create
        try:
            with create(**fields, extra_headers=self._extra_headers) as response:
                return self._body(response, start), response.retries_taken
        except openai.APITimeoutError as error:
            problem = f"{self._url} did not reply within {self._timeout_s:g} s"
            raise CallError("timeout", problem, _spent(error, start)) from None
        except openai.APIConnectionError as error:
            detail = excerpt(str(error.__cause__ or error), self._key)
            problem = f"{self._url} cannot be reached: {detail}"
            raise CallError("server", problem, _spent(error, start)) from None
        except openai.APIStatusError as error:
            field = str(getattr(error, "param", None))
            if error.status_code in (400, 422) and field in _OPTIONAL_FIELDS and field in fields:
                _LOG.warning("%s does not accept %s; klopt omits it", self.name, field)
                self._rejected.add(field)
                content, retries = self._content(fields, start)
                return content, retries + 1
            raise self._refusal(error, start) from None

    def _body(self, response: Any, start: float) -> bytes:  # noqa: ANN401 (of the SDK)
        body, reason, problem = bytearray(), "bad_shape", ""
        late = f"{self._url} did not finish within the timeout"
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_REPLY_BYTES:
                    problem = f"the response of {self._url} exceeds {MAX_REPLY_BYTES:,} bytes"
                elif time.monotonic() - start > self._timeout_s * (1 + response.retries_taken):
                    reason, problem = "timeout", late
                if problem:
                    break
        except Exception as error:  # the SDK does not wrap what its HTTP library raises here
            reason, problem = "cut", f"the response of {self._url} was cut off"
            if "timeout" in type(error).__name__.lower():
                reason, problem = "timeout", late
        if problem:
            usage = Usage(seconds=time.monotonic() - start, retries=response.retries_taken)
            raise CallError(reason, problem, usage)  # type: ignore[arg-type]
        return bytes(body)

    def _refusal(self, error: APIStatusError, start: float) -> CallError:
        status = error.status_code
        problem = f"{self._url} answered {status}"
        reason: LlmReason = "refused"
        if 300 <= status < 400:
            problem += ": it redirects; check the base URL"
        else:
            problem += self._quoted(error.response.content)
        if status == 429 and "insufficient_quota" not in (error.code, error.type):
            reason = "rate_limited"
        elif status == 408 or status >= 500:
            reason = "timeout" if status in (408, 504) else "server"
        return CallError(reason, problem, _spent(error, start))

    def _quoted(self, content: bytes) -> str:
        """The server's error message, or the start of the body, as the end of a sentence."""
        text = content[:6_000].decode("utf-8", "replace")
        with suppress(ValueError, LookupError, TypeError, RecursionError):
            text = json.loads(content)["error"]["message"] or text
        quoted = excerpt(str(text), self._key)
        return f": {quoted}" if quoted else ""


def _http_client(timeout_s: float) -> Any:  # noqa: ANN401 (of the SDK)
    """Return a client that limits responses with an error status; the SDK reads all of them."""
    import openai

    class HttpClient(openai.DefaultHttpxClient):
        def send(self, request: Any, **settings: Any) -> Any:  # noqa: ANN401
            response = super().send(request, **settings)
            if response.is_success:
                return response
            body, end_s = bytearray(), time.monotonic() + timeout_s
            with suppress(Exception):  # a message that is cut off is quoted as far as it goes
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_REPLY_BYTES or time.monotonic() > end_s:
                        break
            response.close()
            headers = [pair for pair in response.headers.items() if pair[0] not in _OF_THE_WIRE]
            content = bytes(body[:MAX_REPLY_BYTES])
            return type(response)(
                response.status_code, headers=headers, content=content, request=request
            )

    return HttpClient(follow_redirects=False)


def checked_key(key: str, name: str) -> str:
    """Return the key without surrounding white space, if an HTTP header can hold it."""
    key = key.strip()
    if not re.fullmatch(r"[!-~]+", key):
        raise CredentialsError(
            f"{name} is not a key: a key is one word of ASCII letters, digits and "
            "punctuation, without spaces or line breaks"
        )
    return key


def excerpt(text: str, key: str | None) -> str:
    r"""Return the start of a server's message on one line, without the key or parts of it.

    >>> excerpt("  Incorrect key sk-ab***********wxyz,\n not abcdefghij.", "sk-abcdefghijklmn")
    'Incorrect key ***, not ***'
    """
    text = "".join(char if char.isprintable() else " " for char in text)
    if key is not None:
        size = min(_PART_CHARS, len(key))
        parts = {key[start : start + size] for start in range(len(key) - size + 1)}

        def hidden(word: re.Match[str]) -> str:
            is_secret = "**" in word[0] or any(part in word[0] for part in parts)
            return _HIDDEN if is_secret else word[0]

        text = _WORD.sub(hidden, text.replace(key, _HIDDEN))
    text = " ".join(text.split())
    return text if len(text) <= _EXCERPT_CHARS else f"{text[:_EXCERPT_CHARS]}…"


def _without(key: str | None, text: str) -> str:
    """Return a reply with the whole key hidden, unless it is a placeholder."""
    return text if key is None or len(key) < _SECRET_CHARS else text.replace(key, _HIDDEN)


def _address(base_url: str) -> str:
    """Return a server's address without the final slash; ConfigurationError if it is invalid.

    >>> _address("http://localhost:11434/v1/")
    'http://localhost:11434/v1'
    """
    try:
        url = urlsplit(base_url)
        is_address = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ConfigurationError(
            f"base_url must be an address such as {OPENAI} or http://localhost:11434/v1"
        )
    if url.username is not None or url.query or url.fragment:
        raise ConfigurationError(
            "base_url must not hold a user name, a password, or anything after ? or #; "
            "pass a key as api_key"
        )
    if url.path.rstrip("/").endswith("/completions"):
        raise ConfigurationError(f"base_url must end before /chat/completions, unlike {base_url}")
    return base_url.rstrip("/")


def _encodable(text: str) -> str:
    """Return the text with lone surrogates, which UTF-8 cannot hold, as ``?``."""
    return text.encode("utf-8", "replace").decode()


def _spent(error: Any, start: float) -> Usage:  # noqa: ANN401 (of the SDK)
    retries = int(error.request.headers.get("x-stainless-retry-count", "0"))
    return Usage(seconds=time.monotonic() - start, retries=retries)
