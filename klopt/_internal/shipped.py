"""Read the data files of klopt's packages."""

from __future__ import annotations

import hashlib
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def text(package: str, *path: str) -> str:
    """Return the text of a package's file.

    >>> text("klopt._internal", "aliases.toml").startswith("#")
    True
    """
    return resources.files(package).joinpath(*path).read_text("utf-8")


def table(package: str, *path: str) -> dict[str, Any]:
    """Parse a package's TOML file; not cached."""
    return tomllib.loads(text(package, *path))


def arrays(package: str, *path: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a package's .npz file, without pickles."""
    import numpy as np  # `import klopt` must be fast

    with (
        resources.files(package).joinpath(*path).open("rb") as file,
        np.load(file, allow_pickle=False) as content,
    ):
        return dict(content)


def digest(package: str, *path: str) -> str:
    """Return the SHA-256 of a package's text file, in hexadecimal, for fingerprints."""
    return hashlib.sha256(text(package, *path).encode()).hexdigest()
