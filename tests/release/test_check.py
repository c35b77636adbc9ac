"""The checks of a release: breaking changes that the CHANGELOG names."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("griffe", reason="no griffe: pip install griffe to run these tests")

from tests.release import check

OLD = '''class Scorer:
    """Scores."""

    quick = True

    def __init__(self, profile): ...

    def score(self, turn, pages=()): ...
'''
PAGE = "# Python\n\n::: klopt.scorer.Scorer\n"


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@x.x"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path):
    """A package with a release."""
    for name, text in {
        "klopt/__init__.py": '"""A package."""\n',
        "klopt/scorer.py": OLD,
        "docs/reference/python.md": PAGE,
        "CHANGELOG.md": "# Changelog\n\n## 1.0\n\n- `Scorer`, `turn`.\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "One")
    git(tmp_path, "tag", "v1.0")
    return tmp_path


@pytest.mark.parametrize(
    ("change", "entry", "is_reported"),
    [
        (("pages=()", "pages=(), fast=False"), "- Nothing.", False),
        (("turn, ", ""), "- Nothing.", True),
        (("turn, ", ""), "- Scorer.score has no turn any more.", True),
        (("turn, ", ""), "- `Scorer.score` has no `turn` any more.", False),
        (("profile)", "profile, size)"), "- `Scorer.score` has a size.", True),
        (("profile)", "profile, size)"), "- `Scorer(profile, size)` has a size.", False),
        (("Scorer", "Rater"), "- `Scorer` is `Rater`.", False),
    ],
)
def test_a_breaking_change_must_be_named_in_one_point(folder, change, entry, is_reported):
    (folder / "klopt/scorer.py").write_text(OLD.replace(*change), "utf-8")
    (folder / check.NAMES).write_text(PAGE.replace(*change), "utf-8")
    text = f"# Changelog\n\n## Unreleased\n\n{entry}\n\n## 1.0\n\n- `Scorer.score`, `turn`.\n"
    (folder / "CHANGELOG.md").write_text(text, "utf-8")
    assert bool(list(check.unnamed_breaks(folder, check.last_release(folder)))) == is_reported


@pytest.mark.slow
def test_every_breaking_change_since_the_last_release_is_named():
    since = check.last_release(ROOT)
    known = subprocess.run(["git", "cat-file", "-e", since], cwd=ROOT, check=False)
    if known.returncode:
        pytest.skip(f"{since} is not in this copy of the repository: git fetch --unshallow")
    assert list(check.unnamed_breaks(ROOT, since)) == []
