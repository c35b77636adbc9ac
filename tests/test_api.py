"""The public names of klopt, its errors, and slow imports."""

import importlib.metadata
import inspect
import subprocess
import sys

import pytest

import klopt
from klopt import errors


def test_exports_are_documented():
    assert klopt.__all__ == sorted(klopt.__all__)
    for name in klopt.__all__:
        assert name == "__version__" or inspect.getdoc(getattr(klopt, name))


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
