"""Every error that klopt raises on purpose.

::

    KloptError
    ├── ConfigurationError (ValueError)      a profile, lexicon or option is invalid
    │   ├── CompanyError                     a company's folder is invalid
    │   ├── CredentialsError                 the key for a server is missing or invalid
    │   ├── LexiconError                     a lexicon file is invalid
    │   └── ProfileError                     a profile file is invalid
    ├── UnknownLanguageError (LookupError)   no tables or no pipeline for the language
    ├── PipelineError (RuntimeError)         a pipeline is not installed
    ├── PatternTimeoutError (RuntimeError)   a pattern took too long on a text
    ├── LlmError (RuntimeError)              an LLM gave no usable reply; ``reason_code`` says why
    │   └── ReplyError                       one reply is invalid and is requested again
    ├── TranslationError (RuntimeError)      a text was not translated; ``reason_code`` says why
    ├── ExtraMissingError (ImportError)      an optional dependency is not installed
    ├── RecordError (ValueError)             one row of the input cannot be read
    └── InputError (ValueError)              a file or folder of input cannot be read at all

A message has the place (file, entry, row), the value, what is allowed and what to do; several
problems stand on a line each. No message contains a key.
"""

from __future__ import annotations

from typing import Generic, Literal, TypeAlias, TypeVar

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
"""Why there is no valid reply: a timeout; too many requests; the server failed or is unreachable;
it refused the request, the key or the text; the reply is not JSON; it is JSON of another shape, or
too long; it was cut off; no reply was recorded for the call."""


TranslationReason: TypeAlias = Literal[
    "not_in_cache",
    "cache",
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
"""Why a text was not translated: the translation cache lacks it and there is no translator; the
cache cannot be read or written; the translator cannot be reached; it took too long; too many
requests; its quota is used up; it refused the request or the key; it failed; its reply has an
unknown form; the reply is empty; the reply is in another language than the target; the translator
does not support the language; one sentence is longer than it takes."""


Code = TypeVar("Code", bound=str)


class KloptError(Exception):
    """Base class of every error that klopt raises on purpose.

    >>> from klopt import Profile
    >>> try:
    ...     Profile.load("strict")
    ... except KloptError as error:
    ...     type(error).__name__
    'ProfileError'
    """


class ConfigurationError(KloptError, ValueError):
    """A profile, a lexicon or an option is invalid."""


class CompanyError(ConfigurationError):
    """A company's folder is invalid."""


class CredentialsError(ConfigurationError):
    """The key for a server is missing or invalid; the message does not show it."""


class LexiconError(ConfigurationError):
    """A lexicon file is invalid; the message lists every problem in it."""


class ProfileError(ConfigurationError):
    """A profile file is invalid; the message lists every problem in it."""


class UnknownLanguageError(KloptError, LookupError):
    """A language has no lexicons or no pipeline."""


class PipelineError(KloptError, RuntimeError):
    """The pipeline that a profile or a call names is not installed or unsuitable."""


class PatternTimeoutError(KloptError, RuntimeError):
    """A pattern exceeded its time limit on a text."""


class _CodedError(KloptError, RuntimeError, Generic[Code]):
    """An error with a reason code.

    Attributes:
        reason_code: The reason for programs.
        message: The reason for people.
    """

    def __init__(self, reason_code: Code, message: str) -> None:
        super().__init__(reason_code, message)
        self.reason_code = reason_code
        self.message = message

    def __str__(self) -> str:
        return self.message


class LlmError(_CodedError[LlmReason]):
    """An LLM gave no valid reply after all retries; ``reason_code`` is one of `LlmReason`."""


class ReplyError(LlmError):
    """A reply is invalid; `klopt.llm.calls.ask` requests another."""


class TranslationError(_CodedError[TranslationReason]):
    """A text was not translated; ``reason_code`` is one of `TranslationReason`."""


class ExtraMissingError(KloptError, ImportError):
    """An optional dependency is not installed; the message names the extra."""


class RecordError(KloptError, ValueError):
    """One row of the input cannot be read."""


class InputError(KloptError, ValueError):
    """A file or folder of input cannot be read at all."""
