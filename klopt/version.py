"""The version, in this one place; `pyproject.toml` reads it from here."""

VERSION = "1.0.0"
