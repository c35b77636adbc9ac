"""``klopt doctor``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Final

from klopt import lexicons
from klopt._internal import shipped
from klopt._internal.imports import install
from klopt.cli import options
from klopt.cli.options import as_command
from klopt.cli.terminal import Screen, give_figures, table
from klopt.errors import ConfigurationError
from klopt.scoring.profile import BUILT_IN, Profile
from klopt.text import pipelines
from klopt.version import VERSION

_REQUIREMENT: Final = re.compile(
    r"""(?x)(?P<name>[\w.-]+) (?:\[(?P<extras>[^]]+)\])?
    [^;]* (?:;.*\bextra\ ==\ ["'](?P<of>.+)["'])?"""
)


@as_command("doctor", "klopt doctor")
def command(*, form: options.Format) -> int:
    """Show what is installed, what each extra is for and how to install it."""
    has_spacy = find_spec("spacy") is not None
    for language in lexicons.languages():  # a broken file raises an error here
        lexicons.load(language)
        if has_spacy:
            pipelines.load(language)
    found = {
        "klopt": VERSION,
        "libraries": {name: _version(name) for name in packages_of("")},
        "pipelines": [
            {"language": info.language, "tables": info.language in lexicons.languages(),
             "pipeline": f"{info.name} (bundled)" if info.bundled else info.name,
             "version": info.version, "licence": info.licence}
            for info in pipelines.available()
        ],
        "extras": {
            extra: {"purpose": purpose, "install": install(extra),
                    "packages": {name: _version(name) for name in sorted({*packages_of(extra)})}}
            for extra, purpose in shipped.table("klopt.cli", "extras.toml").items()
        },
        "profiles": {name: Profile.load(name).description for name in BUILT_IN},
    }  # fmt: skip
    give_figures(found, partial(_show, found), form)
    return 0


def packages_of(extra: str) -> Iterator[str]:
    """Yield the packages that an extra of klopt needs; with "", those of klopt without extras."""
    try:
        requirements = metadata.requires("klopt") or ()
    except metadata.PackageNotFoundError:
        raise ConfigurationError(
            "klopt runs from a folder without being installed: pip install FOLDER"
        ) from None
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        if found is None or (found["of"] or "") != extra:
            continue
        if found["name"] == "klopt":
            for other in (found["extras"] or "").split(","):
                yield from packages_of(other)
        else:
            yield found["name"]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _show(found: dict[str, Any], screen: Screen) -> None:
    screen.print(f"klopt {found['klopt']}")
    libraries = (f"{name} {version}" for name, version in found["libraries"].items())
    screen.print(f"libraries: {', '.join(libraries)}")
    rows = [
        ["yes" if value is True else "no" if value is False else value for value in row.values()]
        for row in found["pipelines"]
    ]
    screen.print(table(["language", "lexicons", "pipeline", "version", "licence"], rows))
    rows = [
        [name, extra["purpose"],
         "installed" if None not in extra["packages"].values() else extra["install"]]
        for name, extra in found["extras"].items()
    ]  # fmt: skip
    screen.print(table(["extra", "is for", "state, or how to install it"], rows))
    for name, description in found["profiles"].items():
        screen.print(f"profile {name}: {description}")
    is_parsing = find_spec("spacy") is not None
    screen.print(f"All lexicons{' and bundled pipelines' if is_parsing else ''} load.")
