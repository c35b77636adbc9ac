"""The version, which is in `klopt.version` alone."""

import re

from klopt.version import VERSION
from tests.conftest import ROOT

FILES = (
    *("README.md", "SECURITY.md", "CONTRIBUTING.md", "CITATION.cff", "Dockerfile"),
    *("action.yml", ".pre-commit-hooks.yaml", "mkdocs.yml", "pyproject.toml"),
    *("docs/**/*.md", "deploy/**/*.*"),
)


def test_the_newest_changes_are_those_of_the_version():
    newest = re.search(r"^## (\d[\d.]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest
    assert newest[1] == VERSION


def test_no_other_file_has_a_version_of_klopt():
    pages = [path for name in FILES for path in ROOT.glob(name) if path.name != "history.md"]
    assert len(pages) > len(FILES)
    for path in pages:
        found = re.search(r"klopt(==|[-: ]v?)\d+\.\d+\.\d+", path.read_text("utf-8"))
        assert found is None, f"{path}: {found[0]}"
