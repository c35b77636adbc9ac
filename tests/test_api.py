"""The public names of klopt, its errors, and slow imports."""

import ast
import importlib
import importlib.metadata
import inspect
import re
import subprocess
import sys

import pytest

import klopt
from klopt import errors
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
PUBLIC = [
    tuple(path.rsplit(".", 1))
    for path in re.findall(r"^::: (\S+)$", PAGE, re.M)
    if path != "klopt.errors"
]
MAX_NAMES = 30


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_public_names_have_an_example(module, name):
    """`make check` runs the examples; that of a constant is in its module."""
    owner = importlib.import_module(module)
    assert name in owner.__all__
    public = getattr(owner, name)
    documented = public if callable(public) else owner
    assert ">>> " in (inspect.getdoc(documented) or "")


def test_public_names_are_documented_typed_and_few():
    imports = {
        (node.module, alias.name)
        for node in ast.parse((ROOT / "tests" / "public_names.py").read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("klopt")
        for alias in node.names
    }
    assert imports == {*PUBLIC, ("klopt", "__version__")}
    assert len(imports) <= MAX_NAMES
    for module in ("klopt", "klopt.llm"):
        exported = importlib.import_module(module).__all__
        assert exported == sorted(exported)
        assert {(module, name) for name in exported} <= imports


def test_examples_of_the_documentation_use_public_names():
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for module, names in re.findall(
            r"^from (klopt[\w.]*) import (.+)$", page.read_text("utf-8"), re.M
        ):
            if not module.startswith("klopt.integrations"):
                assert {(module, name) for name in names.split(", ")} <= {*PUBLIC}, page


def test_version_and_unknown_names():
    assert klopt.__version__ == importlib.metadata.version("klopt")
    with pytest.raises(AttributeError, match=r"^module 'klopt' has no attribute 'Skorer'$"):
        _ = klopt.Skorer


def test_errors_derive_from_klopt_error_and_a_builtin():
    for name in errors.__all__:
        error = getattr(errors, name)
        assert issubclass(error, klopt.KloptError)
        assert error.__name__ == name
        if error is not klopt.KloptError:
            assert len(error.__mro__) > len(klopt.KloptError.__mro__)
            assert f"{name}" in (errors.__doc__ or "")


BUILT_IN = """
from klopt import Profile, lexicons
Profile.load("afas"), Profile.load(), [*map(lexicons.load, lexicons.languages())]
"""
SCORING = """
from klopt import Scorer, Turn
scorer = Scorer.load(all_types=True)
for language, question, answer in (
    ("nl", "Hoe sla ik het bestand op?", "Klik op **Opslaan** in het menu."),
    ("en", "How do I save the file?", "Click **Save** in the menu."),
):
    scorer.prepare(language)
    turn = Turn(question, answer, [f"# Bestand\\n\\n1. {answer}"], language=language)
    assert scorer.score(turn, measure_all=True).status == "scored"
"""


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import klopt, klopt.types, klopt.errors", {"numpy", "regex", "scipy", "spacy"}),
        ("import klopt.text.pipelines", {"spacy"}),
        (BUILT_IN, {"pydantic", "tomlkit"}),  # slow to import
        (SCORING, {"scipy", "spacy"}),
    ],
    ids=["import", "pipelines", "built in", "scoring"],
)
def test_slow_packages_are_imported_only_when_needed(code, absent):
    printing = f"{code}\nimport sys; print(*sys.modules)"
    command = [sys.executable, "-W", "error", "-c", printing]
    run = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "klopt.errors" in run.stdout.split()
    assert not absent & set(run.stdout.split())
