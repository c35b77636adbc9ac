"""What is sent to a server that speaks the OpenAI protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Final

from klopt.errors import ConfigurationError
from klopt.models.calls import Call

OWN_FIELDS: Final = frozenset(
    ("messages", "model", "n", "response_format", "seed", "stream", "temperature")
)
"""Fields of a request that no option may set: klopt does, or relies on their not being there."""


def request_fields(
    temperature: float | None,
    seed: int | None,
    options: Mapping[str, object] | None,
    taken: Set[str] = OWN_FIELDS,
) -> dict[str, object]:
    """The fields that are the same in every request.

    Args:
        temperature: Left out when None.
        seed: Left out when None.
        options: Further fields, as JSON.
        taken: What no option may be called.

    Raises:
        ConfigurationError: An option is one of those, or no JSON.

    >>> request_fields(0.0, None, {"reasoning_effort": "low"})
    {'temperature': 0.0, 'reasoning_effort': 'low'}
    """
    options = dict(options or {})
    if clashing := sorted(taken & options.keys()):
        raise ConfigurationError(f"options may not hold {', '.join(clashing)}")
    try:
        json.dumps(options, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"options must be JSON: {error}") from None
    given = {"temperature": temperature, "seed": seed}
    return {name: value for name, value in given.items() if value is not None} | options


def call_fields(call: Call, json_mode: bool) -> dict[str, object]:
    """The fields that say what is asked; no system message when there are no instructions.

    Args:
        call: What is asked.
        json_mode: Whether the server is asked for JSON where the call wants it.
    """
    system = [{"role": "system", "content": call.system}] if call.system else []
    fields: dict[str, object] = {"messages": [*system, {"role": "user", "content": call.user}]}
    if call.json and json_mode:
        fields["response_format"] = {"type": "json_object"}
    return fields
