"""The description of the service in OpenAPI, for programs that make clients of it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from klopt import shipped
from klopt.measurement import Evidence
from klopt.scoring.assessment import CutOff
from klopt.scoring.statements import CheckedStatement
from klopt.scoring.streaming import EarlyFault
from klopt.scoring.tree import Visit
from klopt.version import VERSION

_RECORDS: Final = {
    "CheckedStatement": CheckedStatement,
    "CutOff": CutOff,
    "Evidence": Evidence,
    "Fault": EarlyFault,
    "Visit": Visit,
}
_REFERENCE: Final = "#/components/schemas/{model}"


@cache
def openapi() -> dict[str, Any]:
    """What can be asked and what is answered, in OpenAPI 3.1.

    The paths are written by hand; the records of klopt that stand in answers describe themselves.

    >>> openapi()["info"]["title"], "/v1/score" in openapi()["paths"]
    ('klopt', True)
    """
    found: dict[str, Any] = json.loads(shipped.text("klopt.server", "openapi.json"))
    found["info"]["version"] = VERSION
    schemas = found["components"]["schemas"]
    for name, record in _RECORDS.items():
        # As answers have it: what is always there is required.
        made = TypeAdapter(record).json_schema(ref_template=_REFERENCE, mode="serialization")
        schemas |= made.pop("$defs", {})
        made["required"] = list(made["properties"])
        schemas[name] = made | {"additionalProperties": False}
    return found
