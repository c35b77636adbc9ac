"""klopt in a build: the pytest plugin, the pre-commit hook, the GitHub action."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from klopt import Scorer
from tests.conftest import ROOT

PAGE = "Sluit het venster met Alt+F7. Printen gaat met Ctrl+P."
TEST = """
def test_closing(assert_klopt):
    assert_klopt("Hoe sluit ik af?", "{answer}", "{page}"{how})
"""
RIGHT, WRONG = "Sluit het venster met Alt+F7.", "Sluit het venster met Alt+F8."
BASELINE = ("--klopt-baseline", "klopt.json")
PLUGINS = ("anyio", "cacheprovider", "hypothesispytest", "langsmith_plugin", "playwright", "syrupy")
ALONE = [f"-pno:{plugin}" for plugin in (*PLUGINS, "schemathesis", "xdist")]
UPDATE = (*BASELINE, "--klopt-baseline-update")


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """Load the modules of scoring, since pytester removes the modules that a run imports."""
    Scorer.load().score("Hoe sluit ik af?", RIGHT, [PAGE])


def run(pytester: pytest.Pytester, answer: str, *options: str, how: str = "") -> pytest.RunResult:
    pytester.makepyfile(test_it=TEST.format(answer=answer, page=PAGE, how=how))
    return pytester.runpytest(*ALONE, *options)


@pytest.mark.parametrize(
    ("answer", "how", "passed"),
    [
        (RIGHT, "", 1),
        (RIGHT, ', least="send"', 1),
        (WRONG, "", 0),
        ("Bel ons maar.", ', least="send"', 0),
        ("", "", 0),
    ],
)
def test_an_answer_passes_from_a_verdict_upwards(pytester, answer, how, passed):
    run(pytester, answer, how=how).assert_outcomes(passed=passed, failed=1 - passed)


def test_the_example_of_the_documentation_passes(pytester):
    page = (ROOT / "docs" / "how-to" / "in-your-build.md").read_text("utf-8")
    code = page.partition('title="test_bot.py"\n')[2].partition("```")[0]
    pytester.makepyfile(test_bot=code, our_bot=f"def answer(question): return {RIGHT!r}")
    pytester.mkdir("help").joinpath("help.md").write_text(PAGE, encoding="utf-8")
    pytester.runpytest(*ALONE).assert_outcomes(passed=1)


def test_a_failure_has_the_reason(pytester):
    result = run(pytester, WRONG)
    result.stdout.fnmatch_lines(["*Geen pagina noemt*Alt+F8*"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.parametrize(
    ("before", "after", "passed"),
    [(RIGHT, WRONG, 0), (WRONG, WRONG, 1)],
)
def test_with_a_baseline_an_answer_may_not_get_worse(pytester, before, after, passed):
    run(pytester, before, *UPDATE).assert_outcomes(passed=1)
    run(pytester, after, *BASELINE).assert_outcomes(passed=passed, failed=1 - passed)


def test_an_update_of_some_tests_keeps_the_others(pytester):
    two = TEST.format(answer=RIGHT, page=PAGE, how="")
    pytester.makepyfile(test_it=two, test_other=two)
    result = pytester.runpytest(*ALONE, *UPDATE)
    result.stdout.fnmatch_lines(["klopt: 2 answers written to klopt.json, 0 kept"])
    result = pytester.runpytest(*ALONE, "test_it.py", *UPDATE)
    result.stdout.fnmatch_lines(["klopt: 1 answers written to klopt.json, 1 kept"])
    pytester.runpytest(*ALONE, *BASELINE).assert_outcomes(passed=2)
    names = sorted(json.loads(pytester.path.joinpath("klopt.json").read_text("utf-8")))
    assert names == ["test_it.py::test_closing 1", "test_other.py::test_closing 1"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (None, BASELINE, "*there is no baseline; --klopt-baseline-update writes it*"),
        ("[]", BASELINE, "*klopt.json is not a baseline of klopt*"),
        (None, ("--klopt-baseline", "no/klopt.json", *UPDATE[2:]), "*there is no folder no"),
        ('{"a": ["sent", 4]}', BASELINE, "*klopt.json is not a baseline of klopt*"),
        (None, UPDATE[2:], "*name the file with --klopt-baseline*"),
    ],
)
def test_an_invalid_baseline_is_refused(pytester, text, options, message):
    if text is not None:
        pytester.path.joinpath("klopt.json").write_text(text, "utf-8")
    result = run(pytester, RIGHT, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_the_hook_names_an_existing_command():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    command = [sys.executable, "-m", *hooks[0]["entry"].split(), "--help"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def run_action(tmp_path: Path, log: Path, **lines: str) -> subprocess.CompletedProcess[bytes]:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    step = next(one for one in action["runs"]["steps"] if one.get("id") == "score")
    given = {"LOG": str(log), "PAGES": "", "PROFILE": "default", "REPORT": "page.html"}
    given |= {"MAX_BLOCKED": "1", "MIN_SENT": "0"} | lines
    assert set(given) == set(step["env"])
    runner = {
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    script = ["bash", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        script, cwd=tmp_path, env=given | runner, capture_output=True, check=False
    )


def write_log(tmp_path: Path, rows: list[dict[str, object]]) -> Path:
    log = tmp_path / "a log.jsonl"
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return log


ROWS: list[dict[str, object]] = [
    {"id": str(n), "question": "Hoe sluit ik af?", "answer": answer, "contexts": [PAGE]}
    for n, answer in enumerate((RIGHT, WRONG))
]


def test_an_invalid_row_fails_the_action_after_its_summary(tmp_path):
    done = run_action(
        tmp_path, write_log(tmp_path, [*ROWS, {"id": "x", "question": 5, "answer": ""}])
    )
    assert done.returncode == 3, done.stderr
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert "| block | 1 | 50% |" in summary
    assert "| not read | 1 | |" in summary
    assert run_action(tmp_path, tmp_path / "no.jsonl").returncode
    assert not (tmp_path / "klopt.md").exists()


def test_the_action_reports_and_fails_beyond_a_threshold(tmp_path):
    done = run_action(tmp_path, write_log(tmp_path, ROWS), MAX_BLOCKED="nan")
    assert done.returncode == 1
    assert b"must be a share from 0 to 1" in done.stderr
    assert (tmp_path / "summary.md").read_text("utf-8") == ""
    assert (tmp_path / "page.html").exists()
    lines = {"1 0": 0, "0.5 0.5": 0, "0.4 0": 1, "1 0.6": 1, "5 0": 1, "0,05 0": 1}
    for line, code in lines.items():
        command = [sys.executable, ROOT / ".ci/gate.py", tmp_path / "klopt.json", *line.split()]
        gate = subprocess.run(command, capture_output=True, check=False)
        assert gate.returncode == code, line
        is_refused = b"must be a share from 0 to 1" in gate.stderr
        assert (b"| block | 1 | 50% |" in gate.stdout) != is_refused
