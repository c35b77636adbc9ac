"""What `import klopt` offers."""

import importlib.metadata
import inspect
import subprocess
import sys

import pytest

import klopt
from klopt import errors


def test_exports_are_there_and_documented():
    assert klopt.__all__ == sorted(klopt.__all__)
    for name in klopt.__all__:
        assert name == "__version__" or inspect.getdoc(getattr(klopt, name))


def test_unknown_attribute():
    with pytest.raises(AttributeError, match=r"^module 'klopt' has no attribute 'Skorer'$"):
        _ = klopt.Skorer


def test_version():
    assert klopt.__version__ == importlib.metadata.version("klopt")


def test_each_error_is_a_klopt_error_and_something_of_python():
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
        (BUILT_IN, {"pydantic", "tomlkit"}),  # importing them takes longer than all else
        (SCORING, {"scipy", "spacy"}),
    ],
    ids=["import", "pipelines", "built in", "scoring"],
)
def test_what_takes_long_to_import_is_left_until_it_is_needed(code, absent):
    tell = f"{code}\nimport sys; print(*sys.modules)"
    command = [sys.executable, "-W", "error", "-c", tell]
    run = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "klopt.errors" in run.stdout.split()
    assert not absent & set(run.stdout.split())
