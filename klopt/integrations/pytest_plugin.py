"""pytest plugin: fail a build when klopt would block an answer, or an answer got worse.

pytest loads it wherever klopt is installed. ``klopt_scorer`` is one scorer for the whole run, with
the profile of the ini option ``klopt_profile``. ``assert_klopt(question, answer, pages)`` fails on
the verdicts block and unscored. With ``--klopt-baseline FILE`` an answer in that file may be as bad
as it was, and no worse; ``--klopt-baseline-update`` writes the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args

import pytest
from pydantic import Field, TypeAdapter, ValidationError

if TYPE_CHECKING:
    from klopt import Assessment, Scorer
    from klopt.types import Contexts

Verdict = Literal["unscored", "block", "review", "send"]
ORDER: Final = get_args(Verdict)  # Verdicts, the worst first
WORSE_BY: Final = 0.5  # lower scores are worse with the same verdict


class Result(NamedTuple):
    """Verdict and score of an answer."""

    verdict: Verdict
    score: Annotated[float, Field(allow_inf_nan=False)] | None

    def is_worse_than(self, before: Result) -> bool:
        """Return whether the verdict is worse, or the score is much lower with the same verdict.

        >>> Result("review", 3.0).is_worse_than(Result("review", 3.4))
        False
        >>> Result("review", 3.9).is_worse_than(Result("send", 4.5))
        True
        """
        steps = ORDER.index(self.verdict) - ORDER.index(before.verdict)
        if steps or self.score is None or before.score is None:
            return steps < 0
        return self.score <= before.score - WORSE_BY


_BASELINE: Final = TypeAdapter(dict[str, Result])


class KloptChecks:
    """The checks of one run of pytest, by test and number in it, and the baseline."""

    def __init__(self, baseline: Path | None, *, is_update: bool) -> None:
        self.before: dict[str, Result] = {}
        self.now: dict[str, Result] = {}
        self._baseline, self._is_update = baseline, is_update
        self._counts = Counter[str]()
        if baseline is None or (is_update and not baseline.exists()):
            return
        try:
            self.before = _BASELINE.validate_json(baseline.read_bytes(), strict=False)
        except FileNotFoundError:
            update = "--klopt-baseline-update writes it"
            raise pytest.UsageError(f"{baseline}: there is no baseline; {update}") from None
        except (OSError, ValidationError):
            problem = (
                "is not a baseline of klopt; remove it, and --klopt-baseline-update writes one"
            )
            raise pytest.UsageError(f"{baseline} {problem}") from None

    def check(self, test: str, assessment: Assessment, least: Verdict) -> None:
        """Fail the test if its answer is worse than before; a new one, if worse than ``least``."""
        __tracebackhide__ = True
        self._counts[test] += 1
        name = f"{test} {self._counts[test]}"
        score = None if assessment.score is None else round(assessment.score, 3)
        self.now[name] = own = Result(assessment.verdict, score)
        if self._is_update:
            return
        why = assessment.explanation or assessment.reason or ""
        if (before := self.before.get(name)) is not None:
            if own.is_worse_than(before):
                was = ", ".join(str(value) for value in before if value is not None)
                pytest.fail(f"the answer got worse (it was {was}): {why}", pytrace=False)
        elif ORDER.index(own.verdict) < ORDER.index(least):
            pytest.fail(f"the verdict is {own.verdict}: {why}", pytrace=False)

    def write(self) -> str:
        """Write the baseline if requested, answers of other tests kept; return a message."""
        if self._baseline is None or not self._is_update:
            return ""
        kept = {
            name: standing
            for name, standing in self.before.items()
            if name.rpartition(" ")[0] not in self._counts
        }
        rows = dict(sorted((kept | self.now).items()))
        self._baseline.write_bytes(_BASELINE.dump_json(rows, indent=1) + b"\n")
        return f"klopt: {len(self.now)} answers written to {self._baseline}, {len(kept)} kept"


_CHECKS: Final = pytest.StashKey[KloptChecks]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addini(
        "klopt_profile", "The profile of klopt_scorer: a name or a file.", default="default"
    )
    group = parser.getgroup("klopt", "answers of a support chatbot")
    group.addoption(
        "--klopt-baseline",
        metavar="FILE",
        type=Path,
        help="Fail when an answer is worse than in this file.",
    )
    group.addoption(
        "--klopt-baseline-update",
        action="store_true",
        help="Write verdicts and scores to the file of --klopt-baseline.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the baseline before any test runs."""
    baseline = config.getoption("klopt_baseline")
    if is_update := config.getoption("klopt_baseline_update"):
        if baseline is None:
            raise pytest.UsageError("--klopt-baseline-update: name the file with --klopt-baseline")
        if config.getoption("tx", None) or config.getoption("numprocesses", None):
            raise pytest.UsageError(
                "--klopt-baseline-update: one process writes the file; leave out -n and --tx"
            )
        if not baseline.parent.is_dir():
            raise pytest.UsageError(f"{baseline}: there is no folder {baseline.parent}")
    config.stash[_CHECKS] = KloptChecks(baseline, is_update=is_update)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Write the baseline."""
    if message := config.stash[_CHECKS].write():
        terminalreporter.write_line(message)


@pytest.fixture(scope="session")
def klopt_scorer(pytestconfig: pytest.Config) -> Scorer:
    """One scorer for the whole run, which ends if there is no such profile."""
    from klopt import KloptError, Scorer

    try:
        return Scorer.load(pytestconfig.getini("klopt_profile"), all_types=True)
    except KloptError as error:
        pytest.exit(f"klopt_profile: {error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.fixture
def assert_klopt(request: pytest.FixtureRequest, klopt_scorer: Scorer) -> Callable[..., Assessment]:
    """Fail the test when klopt would block an answer or cannot check it, or it got worse.

    Call it with question, answer and pages (texts, `Page`s, documents, or a folder of them) and
    perhaps the ``least`` verdict that passes, such as "send"; it returns the `Assessment`.
    """

    def check(
        question: str, answer: str, pages: Contexts | Path, *, least: Verdict = "review"
    ) -> Assessment:
        __tracebackhide__ = True
        if isinstance(pages, Path):
            from klopt.logs.pages import read_pages

            pages = list({page.id: page for page in read_pages(pages).values()}.values())
        assessment = klopt_scorer.score(question, answer, pages)
        request.config.stash[_CHECKS].check(request.node.nodeid, assessment, least)
        return assessment

    return check
