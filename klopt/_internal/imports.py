"""Imports on demand: packages of an extra, and public names when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
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


def lazily(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package, given public names and their modules.

    >>> lazily("klopt", {"Scorer": "klopt.scoring.scorer"})("Scorer").__name__
    'Scorer'
    """

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return find
