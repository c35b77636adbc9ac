"""The version, in this one place; `pyproject.toml` reads it from here."""

VERSION = "0.9.0"
