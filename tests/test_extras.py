"""klopt without extras, and the error for a missing extra."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from klopt._internal.imports import install, needs
from klopt.errors import ExtraMissingError
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MODULES = {
    *("click", "filelock", "numpy", "pydantic", "pyromark", "Stemmer", "regex", "rich"),
    *("annotated_types", "mdurl", "pydantic_core", "pygments", "typing_extensions"),
    *("typing_inspection", "klopt"),
}
"""The import names of klopt's dependencies and of theirs."""

OTHERS = sorted(packages_distributions().keys() - MODULES - set(sys.stdlib_module_names))
ALONE = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
"""
"""Blocks all other packages."""

LIBRARY = """
import klopt
page = "# Wifi\\n\\nDraadloos netwerken staat uit in de vliegtuigstand."
turn = klopt.Turn("Werkt wifi in de vliegtuigstand?", "Klik op **Turbo**.", [page])
print(klopt.Scorer.load().score(turn).verdict)
"""
MODEL = ("--model", "m", "--base-url", "http://localhost:1/v1")
COMMAND = "from klopt.cli import main; main()"
COMMANDS = """
import contextlib, io, json, os
from klopt.cli import main
for arguments in json.loads(sys.argv[1]):
    sys.argv[1:] = arguments
    err, nowhere = io.StringIO(), open(os.devnull, "w")
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    print(json.dumps([str(code), err.getvalue()]))
"""


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run code with klopt and its dependencies only."""
    return subprocess.run(
        [sys.executable, "-c", ALONE + code, " ".join(OTHERS), *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


def all_of(*commands: list[object]) -> list[tuple[str, str]]:
    """The exit code and standard error of each command, run in one process."""
    done = run(COMMANDS, json.dumps([[*map(str, one)] for one in commands]))
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("alone") / "log.jsonl"
    turn = {"question": "Hoe zet ik wifi uit?", "answer": "Klik op **Turbo**.", "rating": 1}
    path.write_text(json.dumps({**turn, "contexts": ["Zet wifi uit met **Vliegtuig**."]}))
    return path


def test_scoring_in_a_bot_needs_no_extra():
    done = run(LIBRARY)
    assert (done.stdout, done.stderr) == ("block\n", "")


def test_basic_commands_need_no_extra(log):
    assert all_of(["score", log], ["demo", "--format", "table"]) == [("0", ""), ("0", "")]


def test_a_missing_extra_is_named(log):
    parse, llm = (
        "a profile that reads a parse needs spacy|afas",
        "calling an LLM server needs the openai SDK|llm",
    )
    sheet, parquet = (log.with_name(f"other.{ending}") for ending in ("xlsx", "parquet"))
    for file in (sheet, parquet):
        file.touch()
    commands = [
        (["demo", "--profile", "afas"], parse),
        (["score", log, "--profile", "afas"], parse),
        (["score", parquet], "Parquet, Arrow and zstd need pyarrow|parquet"),
        (["score", sheet], "spreadsheets need python-calamine and XlsxWriter|excel"),
        (["score", log, "-o", sheet], "spreadsheets need python-calamine and XlsxWriter|excel"),
        (["evaluate", log], "klopt evaluate needs jinja2 and scipy|evaluate"),
        (["fit", log], "klopt fit needs scipy and tomlkit|evaluate"),
        (["report", log], "pages need jinja2|report"),
        (["company", "check", "acme"], "the commands of klopt company need tomlkit|company"),
        (["judge", log, "--metrics", "bleu"], "BLEU and ROUGE need sacrebleu|metrics"),
        (["judge", log, *MODEL, "--solver", "llm"], llm),
        (["judge", log, *MODEL, "--metrics", "g_eval"], llm),
    ]
    results = all_of(*(arguments for arguments, _ in commands))
    for (arguments, expected), (code, err) in zip(commands, results, strict=True):
        message, _, extra = expected.partition("|")
        line = f"Error: {message}; install with: {install(extra)}"
        assert (code, err.splitlines()[0]) == ("2", line), arguments


def test_doctor_works_without_any_extra():
    done = run(COMMAND, "doctor", "--format", "table")
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "All lexicons load.")


def test_extras_in_messages_exist():
    for path in (ROOT / "klopt").rglob("*.py"):
        for extra in re.findall(r'needs\("([^"]+)"', path.read_text("utf-8")):
            assert extra in PROJECT["optional-dependencies"] or extra == "teapot", path


def test_an_import_error_of_an_installed_package_is_shown():
    with (
        pytest.raises(ExtraMissingError, match=r"tea needs hot \(cannot import.*\); install with"),
        needs("teapot", "tea needs hot"),
    ):
        from klopt.version import HOT  # noqa: F401
