"""Any provider that litellm knows, behind klopt's protocol."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from types import ModuleType, TracebackType
from typing import Any

from klopt.errors import ExtraMissingError, LlmError
from klopt.models.calls import Call, Reply
from klopt.models.completions import Completion, Prices, read_completion
from klopt.models.credentials import checked_key, excerpt
from klopt.models.endpoint import Timeouts, address
from klopt.models.event_loop import EventLoop
from klopt.models.patience import Clock, Patience, retry_after_seconds
from klopt.models.requests import OWN_FIELDS, call_fields, request_fields
from klopt.models.retrying import PassingError, persist


class LiteLlm:
    """A model by the name that litellm gives it, such as ``anthropic/claude-haiku-4-5``.

    What is tried again, and the deadline of a request, are as in
    `klopt.models.chat_completions.ChatCompletions`; litellm's own retries are off. Not bounded is
    the size of a reply, which litellm reads whole, and a reply that was cut off or is no chat
    completion may go by ``server``: litellm tells no more. Fields that a provider does not take (a
    seed, JSON) are left out of its requests. Connections are kept, and closed, by litellm.

    litellm itself looks at variables of the environment: proxies and, when no key is given, the
    provider's own (``ANTHROPIC_API_KEY``). A key that only litellm knows cannot be looked for in
    the errors of a server; give it as ``api_key`` where that matters.

    Importing litellm costs seconds. So that it asks nothing of the network and reads no ``.env``
    file by itself, ``LITELLM_LOCAL_MODEL_COST_MAP`` and ``LITELLM_MODE`` are set before, unless
    they are set already; its telemetry and its notes on the terminal are turned off for the whole
    process.

    Args:
        model: The model.
        api_key: The key; None to leave that to litellm.
        base_url: The address of the server; None for the provider's own.
        timeouts: Of one request; ``connect`` is not used.
        patience: Of one call.
        at_once: How many calls are under way at one time, from 1.
        prices: What a token costs; None for what litellm knows of it.
        temperature: None to leave it out.
        seed: None to leave it out.
        json_mode: Whether JSON is asked for where a call wants it.
        options: Further arguments of ``litellm.acompletion``, as JSON.
        clock: Where time comes from.

    Raises:
        ExtraMissingError: The extra ``litellm`` is not installed.
        ConfigurationError: The address or an option is wrong.
        CredentialsError: The key cannot be one.
        ValueError: ``at_once`` is below 1.
    """

    def __init__(
        self,
        model: str,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeouts: Timeouts | None = None,
        patience: Patience | None = None,
        at_once: int = 8,
        prices: Prices | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        json_mode: bool = True,
        options: Mapping[str, object] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._litellm = _import_litellm()
        if at_once < 1:
            raise ValueError(f"at_once is at least 1, not {at_once}")
        self.name = model
        self._key = None if api_key is None else checked_key(api_key, "api_key")
        self._timeouts, self._patience = timeouts or Timeouts(), patience or Patience()
        self._prices, self._json_mode, self._clock = prices, json_mode, clock or Clock()
        own = {
            "model": model,
            "drop_params": True,
            "max_retries": 0,
            "num_retries": 0,
            "timeout": self._timeouts.read,
        }
        taken = OWN_FIELDS | own.keys() | {"api_base", "api_key", "base_url"}
        self._fields = own | request_fields(temperature, seed, options, taken)
        if base_url is not None:
            self._fields["api_base"] = address(base_url)
        self._slots = threading.BoundedSemaphore(at_once)
        self._loop = EventLoop()

    def __repr__(self) -> str:
        return f"LiteLlm({self.name!r})"

    def __enter__(self) -> LiteLlm:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends what is under way; the model answers no more."""
        self._loop.close()

    def complete(self, call: Call) -> Reply:
        """Asks the provider.

        Raises:
            CallError: There is no reply, after all tries; with the seconds and retries it took.
        """
        fields = {**self._fields, **call_fields(call, self._json_mode)}
        if self._key is not None:
            fields["api_key"] = self._key
        with self._slots:
            (done, cost), spent = persist(
                call, lambda: self._attempt(fields), self._patience, self._clock
            )
        if self._prices is not None:
            cost = done.cost_usd(self._prices)
        return done.reply(call, self.name, spent, cost)

    def _attempt(self, fields: Mapping[str, Any]) -> tuple[Completion, float | None]:
        errors = tuple(self._litellm.exceptions.LITELLM_EXCEPTION_TYPES)
        try:
            response = self._loop.run(
                lambda: self._litellm.acompletion(**fields), self._timeouts.total
            )
        except TimeoutError:
            seconds = self._timeouts.total
            raise PassingError(
                "timeout", f"{self.name} was not done within {seconds:g} s"
            ) from None
        except errors as error:
            raise self._failure(error) from None
        cost = getattr(response, "_hidden_params", {}).get("response_cost")
        completion = read_completion(response.model_dump(), self._key)
        return completion, cost if isinstance(cost, float) else None

    def _failure(self, error: Exception) -> LlmError:
        told = excerpt(str(error), self._key)
        status = getattr(error, "status_code", None)
        headers = getattr(error, "litellm_response_headers", None) or {}
        wait = retry_after_seconds(headers.get("retry-after"), self._clock.now())
        if isinstance(error, self._litellm.exceptions.Timeout):
            return PassingError("timeout", told, wait)
        if status == 429 and "insufficient_quota" not in told:
            return PassingError("rate_limited", told, wait)
        if isinstance(status, int) and (status == 408 or status >= 500):
            return PassingError("server", told, wait)
        return LlmError("refused", told)


def _import_litellm() -> ModuleType:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    try:
        import litellm
        import tenacity  # noqa: F401
    except ImportError:
        raise ExtraMissingError(
            "asking an LLM through litellm needs litellm and tenacity; install them with: "
            'pip install "klopt[litellm]"'
        ) from None
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    module: ModuleType = litellm
    return module
