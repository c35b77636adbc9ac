"""What `import klopt` offers."""

from __future__ import annotations

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


def test_built_in_files_are_loaded_without_pydantic():
    """It takes longer to import, and more memory, than all of them take to load."""
    code = (
        "import sys; from klopt import Profile, lexicons; Profile.load('afas'); Profile.load(); "
        "[lexicons.load(language) for language in lexicons.languages()]; "
        "print('pydantic' in sys.modules, 'tomlkit' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "False False\n"
