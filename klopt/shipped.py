"""The files that come with klopt, beside the code that reads them."""

from __future__ import annotations

import hashlib
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def text(package: str, *path: str) -> str:
    """The text of a file of a package.

    >>> text("klopt", "aliases.toml").startswith("#")
    True
    """
    return resources.files(package).joinpath(*path).read_text("utf-8")


def table(package: str, *path: str) -> dict[str, Any]:
    """What a TOML file of a package holds; read anew each time.

    >>> sorted(table("klopt", "aliases.toml"))
    ['page', 'turn']
    """
    return tomllib.loads(text(package, *path))


def arrays(package: str, *path: str) -> dict[str, NDArray[Any]]:
    """The arrays of a file of a package; nothing in it is executed.

    >>> sorted(arrays("klopt.comparing", "trees.npz"))[:2]
    ['base', 'features']
    """
    import numpy as np  # here, since `import klopt` is to be light

    with (
        resources.files(package).joinpath(*path).open("rb") as file,
        np.load(file, allow_pickle=False) as file_of_arrays,
    ):
        return dict(file_of_arrays)


def digest(package: str, *path: str) -> str:
    """SHA-256 of a file of a package, in hexadecimal, for fingerprints.

    >>> len(digest("klopt", "aliases.toml"))
    64
    """
    return hashlib.sha256(text(package, *path).encode()).hexdigest()
