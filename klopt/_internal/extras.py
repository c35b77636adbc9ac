"""Optional dependencies, which come with an extra of klopt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from klopt.errors import ExtraMissingError


def install(extra: str) -> str:
    """Return the command that installs an extra, also for a checkout if klopt runs from one.

    >>> install("server")
    "pip install 'klopt[server]' (in your checkout: pip install -e '.[server]')"
    """
    of_checkout = f" (in your checkout: pip install -e '.[{extra}]')"
    is_checkout = (Path(__file__).parents[2] / "pyproject.toml").is_file()
    return f"pip install 'klopt[{extra}]'{of_checkout if is_checkout else ''}"


@contextmanager
def needs(extra: str, purpose: str) -> Iterator[None]:
    """Enclose the imports of an extra's packages; ``purpose`` says what needs which of them.

    Raises ExtraMissingError, with the command to install, if one is missing or too old.

    >>> with needs("teapot", "making tea needs a teapot"):  # doctest: +ELLIPSIS
    ...     import teapot
    Traceback (most recent call last):
    klopt.errors.ExtraMissingError: making tea needs a teapot; install with: pip install 'klopt[...
    """
    try:
        yield
    except ImportError as error:
        is_plain = isinstance(error, ExtraMissingError | ModuleNotFoundError)
        why = "" if is_plain else f" ({error})"
        raise ExtraMissingError(f"{purpose}{why}; install with: {install(extra)}") from None
