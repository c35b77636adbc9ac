"""What comes with an extra of klopt rather than with klopt itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from klopt.errors import ExtraMissingError

__all__ = ["needs"]


@contextmanager
def needs(extra: str, told: str) -> Iterator[None]:
    """Around the imports of packages that may not be there.

    Args:
        extra: The extra that they come with.
        told: What needs which of them, for people.

    Raises:
        ExtraMissingError: One is not there, or too old; the message has the command to install it.

    >>> with needs("teapot", "making tea needs a teapot"):
    ...     import teapot
    Traceback (most recent call last):
    klopt.errors.ExtraMissingError: making tea needs a teapot; install with: pip install 'klopt[teapot]'
    """  # noqa: E501 (a message)
    try:
        yield
    except ImportError as error:
        is_plain = isinstance(error, ExtraMissingError | ModuleNotFoundError)
        why = "" if is_plain else f" ({error})"
        raise ExtraMissingError(
            f"{told}{why}; install with: pip install 'klopt[{extra}]'"
        ) from None
