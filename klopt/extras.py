"""What comes with an extra of klopt rather than with klopt itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from klopt.errors import ExtraMissingError

__all__ = ["install", "needs"]


def install(extra: str) -> str:
    """The command that installs an extra; beside it, where klopt runs from a checkout, that of one.

    >>> install("server")
    "pip install 'klopt[server]' (in your checkout: pip install -e '.[server]')"
    """
    of_checkout = f" (in your checkout: pip install -e '.[{extra}]')"
    is_checkout = (Path(__file__).parents[1] / "pyproject.toml").is_file()
    return f"pip install 'klopt[{extra}]'{of_checkout if is_checkout else ''}"


@contextmanager
def needs(extra: str, told: str) -> Iterator[None]:
    """Around the imports of packages that may not be there.

    Args:
        extra: The extra that they come with.
        told: What needs which of them, for people.

    Raises:
        ExtraMissingError: One is not there, or too old; the message has the command to install it.

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
        raise ExtraMissingError(f"{told}{why}; install with: {install(extra)}") from None
