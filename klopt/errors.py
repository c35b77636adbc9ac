"""Every error that klopt raises on purpose.

::

    KloptError
    ├── ConfigurationError (ValueError)      a profile, lexicon or option is wrong
    │   ├── CompanyError                     a company's folder is wrong
    │   ├── CredentialsError                 no key for a server, or one that cannot be one
    │   ├── LexiconError                     a lexicon file breaks its schema
    │   └── ProfileError                     a profile file breaks its schema
    ├── UnknownLanguageError (LookupError)   no tables or no pipeline for the language
    ├── PipelineError (RuntimeError)         the pipeline that was named is not installed
    ├── PatternTimeoutError (RuntimeError)   a pattern took too long on a text
    ├── LlmError (RuntimeError)              an LLM gave no usable reply; ``reason_code`` says why
    │   └── ReplyError                       one reply cannot be used; it is asked for again
    ├── TranslationError (RuntimeError)      a text was not translated; ``reason_code`` says why
    ├── ExtraMissingError (ImportError)      an optional dependency is not installed
    ├── RecordError (ValueError)             one row of the input cannot be read
    └── InputError (ValueError)              a file or folder of input cannot be read at all

A message says where (file, entry, row), what was met, what is allowed and what to do. An error
that carries several problems lists them all, one a line. No message holds a key.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = [
    "CompanyError",
    "ConfigurationError",
    "CredentialsError",
    "ExtraMissingError",
    "InputError",
    "KloptError",
    "LexiconError",
    "LlmError",
    "PatternTimeoutError",
    "PipelineError",
    "ProfileError",
    "RecordError",
    "ReplyError",
    "TranslationError",
    "UnknownLanguageError",
]

LlmReason: TypeAlias = Literal[
    "timeout",
    "rate_limited",
    "server",
    "refused",
    "bad_json",
    "bad_shape",
    "cut",
    "no_transcript",
]
"""Why there is no usable reply: it took too long; too many requests; the server failed or cannot
be reached; it refused the request, the key or the text; the reply is not JSON; it is JSON of
another shape; it was cut off; no reply was recorded for the call."""


TranslationReason: TypeAlias = Literal[
    "not_in_memory",
    "memory",
    "no_network",
    "timeout",
    "rate_limited",
    "quota",
    "refused",
    "server",
    "bad_reply",
    "empty",
    "wrong_language",
    "unsupported",
    "too_long",
]
"""Why a text was not translated: the memory does not have it and nobody may be asked; the memory
cannot be read or written; the translator cannot be reached; it took too long; too many requests;
what may be translated in a day or month is used up; it refused the request or the key; it failed;
its reply is of another form or has another number of texts; it is empty; it is in another language
than was asked for; the translator does not have the language; one sentence is longer than it
takes."""


class KloptError(Exception):
    """The root: ``except KloptError`` catches whatever klopt raises on purpose."""


class ConfigurationError(KloptError, ValueError):
    """A profile, a lexicon or an option says something that klopt cannot follow."""


class CompanyError(ConfigurationError):
    """A company's folder is wrong."""


class CredentialsError(ConfigurationError):
    """There is no key for a server, or a text that cannot be one; never shows the key."""


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


class LlmError(KloptError, RuntimeError):
    """An LLM gave no usable reply after all tries.

    Attributes:
        reason_code: Why, in one of the words of `LlmReason`.
        message: The same for people.
    """

    def __init__(self, reason_code: LlmReason, message: str) -> None:
        super().__init__(reason_code, message)
        self.reason_code = reason_code
        self.message = message

    def __str__(self) -> str:
        return self.message


class ReplyError(LlmError):
    """One reply cannot be used; whoever asks (`klopt.models.calls.ask`) asks again."""


class TranslationError(KloptError, RuntimeError):
    """A text was not translated.

    Attributes:
        reason_code: Why, in one of the words of `TranslationReason`.
        message: The same for people.
    """

    def __init__(self, reason_code: TranslationReason, message: str) -> None:
        super().__init__(reason_code, message)
        self.reason_code = reason_code
        self.message = message

    def __str__(self) -> str:
        return self.message


class ExtraMissingError(KloptError, ImportError):
    """An optional dependency is not installed; the message names the extra."""


class RecordError(KloptError, ValueError):
    """One row of the input cannot be read; the other rows go on."""


class InputError(KloptError, ValueError):
    """A file or folder of input cannot be read at all."""
