"""``klopt doctor``, compared with pyproject.toml."""

import json
import re
import tomllib
from importlib import metadata

from klopt.version import VERSION
from tests.conftest import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def test_doctor_lists_pipelines_profiles_and_licences(klopt):
    run = klopt("doctor", "--format", "table")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"klopt {VERSION}\n")
    for word in ("numpy 2.", "klopt (bundled)", "profile afas", "profile default", "CC BY-SA 4.0"):
        assert word in " ".join(run.out.split())
    assert run.out.endswith("All lexicons and bundled pipelines load.\n")


def packages_of(extra: str) -> set[str]:
    """The packages that an extra of pyproject.toml needs, also through other extras."""
    found = set()
    for one in EXTRAS[extra]:
        name, _, others = re.match(r"([\w.-]+)(\[(.*)\])?", one).groups()
        of_others = [packages_of(other) for other in others.split(",")] if name == "klopt" else []
        found |= set().union(*of_others) if of_others else {name}
    return found


def test_doctor_explains_every_extra(klopt, monkeypatch):
    extras = json.loads(klopt("doctor").out)["extras"]
    assert {extra: {*found["packages"]} for extra, found in extras.items()} == {
        extra: packages_of(extra) for extra in EXTRAS
    }
    assert all(found["purpose"] for found in extras.values())

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    shown = klopt("doctor", "--format", "table").out
    for extra in extras:
        assert re.search(rf"^{extra} .* pip install 'klopt\[{extra}\]'", shown, re.M)
