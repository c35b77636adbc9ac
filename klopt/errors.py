"""Every error that klopt raises on purpose.

::

    KloptError
    ├── ConfigurationError (ValueError)      a profile, lexicon or option is wrong
    │   ├── LexiconError                     a lexicon file breaks its schema
    │   └── ProfileError                     a profile file breaks its schema
    ├── UnknownLanguageError (LookupError)   no tables or no pipeline for the language
    ├── PipelineError (RuntimeError)         the pipeline that was named is not installed
    ├── PatternTimeoutError (RuntimeError)   a pattern took too long on a text
    ├── ExtraMissingError (ImportError)      an optional dependency is not installed
    ├── RecordError (ValueError)             one row of the input cannot be read
    └── InputError (ValueError)              a file or folder of input cannot be read at all

A message says where (file, entry, row), what was met, what is allowed and what to do. An error
that carries several problems lists them all, one a line.
"""

from __future__ import annotations

__all__ = [
    "ConfigurationError",
    "ExtraMissingError",
    "InputError",
    "KloptError",
    "LexiconError",
    "PatternTimeoutError",
    "PipelineError",
    "ProfileError",
    "RecordError",
    "UnknownLanguageError",
]


class KloptError(Exception):
    """The root: ``except KloptError`` catches whatever klopt raises on purpose."""


class ConfigurationError(KloptError, ValueError):
    """A profile, a lexicon or an option says something that klopt cannot follow."""


class LexiconError(ConfigurationError):
    """A lexicon file breaks its schema; the message lists every problem in the file."""


class ProfileError(ConfigurationError):
    """A profile file breaks its schema; the message lists every problem in the file."""


class UnknownLanguageError(KloptError, LookupError):
    """There are no tables, or there is no pipeline, for a language."""


class PipelineError(KloptError, RuntimeError):
    """The pipeline that a profile or a call names is not installed or does not fit."""


class PatternTimeoutError(KloptError, RuntimeError):
    """A pattern took longer on one text than its time limit."""


class ExtraMissingError(KloptError, ImportError):
    """An optional dependency is not installed; the message names the extra."""


class RecordError(KloptError, ValueError):
    """One row of the input cannot be read; the other rows go on."""


class InputError(KloptError, ValueError):
    """A file or folder of input cannot be read at all."""
