"""The packages of the adapters, and a question with two answers for their tests."""

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
"""Adapters whose extra has another name."""

QUESTION = "Hoe zet ik wifi uit?"
PAGE = "Wifi gaat uit met de **Vliegtuigstand**."
TRUE = "Zet wifi uit met de **Vliegtuigstand**."
UNTRUE = "Klik op **Turbo**."
WHY = "Geen pagina noemt “Turbo”."


def module(extra: str) -> str:
    return f"klopt.integrations.{extra.replace('-', '_')}"


def example(extra: str) -> Path:
    return HERE / "examples" / f"with_{extra.replace('-', '_')}.py"


def adapter(extra: str) -> ModuleType:
    """Import an adapter; skip the test if its package is not installed."""
    try:
        return importlib.import_module(module(extra))
    except ExtraMissingError as missing:
        pytest.skip(str(missing))
