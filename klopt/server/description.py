"""The description of the service in OpenAPI, from which programs generate clients."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, create_model

from klopt._internal import shipped
from klopt.scoring.assessment import COLUMNS
from klopt.scoring.streaming import EarlyFault
from klopt.version import VERSION


@cache
def openapi() -> dict[str, Any]:
    """Return the description in OpenAPI 3.1.

    Paths and requests are in ``openapi.json``; the schemas of responses come from their types.

    >>> openapi()["info"]["title"], "/v1/score" in openapi()["paths"]
    ('klopt', True)
    """
    description: dict[str, Any] = json.loads(shipped.text("klopt.server", "openapi.json"))
    description["info"]["version"] = VERSION
    columns: dict[str, Any] = {
        column.name: (column.kind, None if column.is_optional else ...) for column in COLUMNS
    }
    assessment = create_model("Assessment", __config__=ConfigDict(extra="forbid"), **columns)
    kinds = [(kind, "serialization", TypeAdapter(kind)) for kind in (assessment, EarlyFault)]
    _, made = TypeAdapter.json_schemas(kinds, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    for name, schema in made["$defs"].items():
        if name != "Assessment" and "properties" in schema:  # a record always has all its fields
            schema |= {"required": list(schema["properties"]), "additionalProperties": False}
    description["components"]["schemas"] |= made["$defs"]
    return description
