"""The description of the service in OpenAPI, for programs that make clients of it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from pydantic import ConfigDict, TypeAdapter, create_model

from klopt import shipped
from klopt.scoring.assessment import COLUMNS
from klopt.scoring.streaming import EarlyFault
from klopt.version import VERSION

_REFERENCE: Final = "#/components/schemas/{model}"


@cache
def openapi() -> dict[str, Any]:
    """What can be asked and what is answered, in OpenAPI 3.1.

    Paths and requests are written by hand; assessments and faults are described by their records.

    >>> openapi()["info"]["title"], "/v1/score" in openapi()["paths"]
    ('klopt', True)
    """
    description: dict[str, Any] = json.loads(shipped.text("klopt.server", "openapi.json"))
    description["info"]["version"] = VERSION
    columns: dict[str, Any] = {
        column.name: (column.kind, None if column.is_optional else ...) for column in COLUMNS
    }
    assessment = create_model("Assessment", __config__=ConfigDict(extra="forbid"), **columns)
    _, made = TypeAdapter.json_schemas(
        [(kind, "serialization", TypeAdapter(kind)) for kind in (assessment, EarlyFault)],
        ref_template=_REFERENCE,
    )
    schemas: dict[str, Any] = made["$defs"]
    for name, schema in schemas.items():
        if name != "Assessment" and "properties" in schema:  # of a record all is always there
            schema |= {"required": list(schema["properties"]), "additionalProperties": False}
    description["components"]["schemas"] |= schemas
    return description
