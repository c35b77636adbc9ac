"""What the tests of the adapters share: their packages, and a question with two answers."""

import importlib
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from klopt.errors import ExtraMissingError

HERE = Path(__file__).parent
PACKAGES: dict[str, dict[str, Any]] = tomllib.loads((HERE / "packages.toml").read_text("utf-8"))
HEAD: str = PACKAGES.pop("docs")["head"]
OPT_OUTS: dict[str, str] = PACKAGES.pop("opt_outs")

NAMES = {"spacy": "afas"}
"""The extras of adapters whose names are not their own."""

ASKED = "Hoe zet ik wifi uit?"
PAGE = "Wifi gaat uit met de **Vliegtuigstand**."
TRUE = "Zet wifi uit met de **Vliegtuigstand**."
UNTRUE = "Klik op **Turbo**."
WHY = "Geen pagina noemt “Turbo”."


def module(extra: str) -> str:
    return f"klopt.integrations.{extra.replace('-', '_')}"


def example(extra: str) -> Path:
    return HERE / "examples" / f"with_{extra.replace('-', '_')}.py"


def adapter(extra: str) -> ModuleType:
    """The adapter; the test is skipped where its package is not installed."""
    try:
        return importlib.import_module(module(extra))
    except ExtraMissingError as missing:
        pytest.skip(str(missing))
