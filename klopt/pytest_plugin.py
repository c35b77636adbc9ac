"""pytest: a build that fails where klopt would block an answer, or where answers got worse.

pytest finds it by itself where klopt is installed. ``klopt_scorer`` is one scorer for the whole
run, by the profile that the ini option ``klopt_profile`` names. ``assert_klopt(question, answer,
pages)`` fails where the answer would be blocked or cannot be checked. With ``--klopt-baseline
FILE`` an answer that stands in the file may be as bad as it was, and no worse;
``--klopt-baseline-update`` writes it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, Protocol, get_args

import pytest
from pydantic import Field, TypeAdapter, ValidationError

if TYPE_CHECKING:
    from klopt import Assessment, Scorer
    from klopt.records import Contexts

Verdict = Literal["unscored", "block", "review", "send"]
ORDER: Final = get_args(Verdict)
"""The worst first."""
WORSE_BY: Final = 0.5
"""At the same verdict, an answer got worse when its score is so many points lower."""


class Standing(NamedTuple):
    """How an answer stood."""

    verdict: Verdict
    score: Annotated[float, Field(allow_inf_nan=False)] | None

    def is_worse_than(self, before: Standing) -> bool:
        """Whether it got worse: another verdict, or a score that is much lower.

        >>> Standing("review", 3.0).is_worse_than(Standing("review", 3.4))
        False
        >>> Standing("review", 3.9).is_worse_than(Standing("send", 4.5))
        True
        """
        steps = ORDER.index(self.verdict) - ORDER.index(before.verdict)
        if steps or self.score is None or before.score is None:
            return steps < 0
        return self.score <= before.score - WORSE_BY


class Check(Protocol):
    """What `assert_klopt` is."""

    def __call__(
        self, question: str, answer: str, pages: Contexts | Path, *, least: Verdict = "review"
    ) -> Assessment:
        """Fails the test, or gives the assessment."""


_BASELINE: Final = TypeAdapter(dict[str, Standing])


class KloptChecks:
    """What `assert_klopt` checks in one run of pytest.

    Attributes:
        before: Answer → how it stands in the baseline; an answer goes by its test and its place
            among those of the test.
        now: The same of this run.
    """

    def __init__(self, baseline: Path | None, *, is_update: bool) -> None:
        self.before: dict[str, Standing] = {}
        self.now: dict[str, Standing] = {}
        self._baseline, self._is_update = baseline, is_update
        self._asked = Counter[str]()
        if baseline is None or (is_update and not baseline.exists()):
            return
        try:
            self.before = _BASELINE.validate_json(baseline.read_bytes(), strict=False)
        except FileNotFoundError:
            update = "--klopt-baseline-update writes it"
            raise pytest.UsageError(f"{baseline}: there is no baseline; {update}") from None
        except (OSError, ValidationError):
            problem = "is no baseline of klopt; remove it, and --klopt-baseline-update writes one"
            raise pytest.UsageError(f"{baseline} {problem}") from None

    def check(self, test: str, assessment: Assessment, least: Verdict) -> None:
        """Fails the test where its answer is worse than it was, or than the least that passes."""
        __tracebackhide__ = True
        self._asked[test] += 1
        name = f"{test} {self._asked[test]}"
        score = assessment.score
        own = Standing(assessment.verdict, None if score is None else round(score, 3))
        self.now[name] = own
        before = None if self._is_update else self.before.get(name)
        if self._is_update or (before is not None and not own.is_worse_than(before)):
            return
        if before is not None:
            was = before.verdict if before.score is None else f"{before.verdict}, {before.score}"
            pytest.fail(f"the answer got worse (it was {was}): {_why(assessment)}", pytrace=False)
        if ORDER.index(own.verdict) < ORDER.index(least):
            pytest.fail(f"klopt says {own.verdict}: {_why(assessment)}", pytrace=False)

    def written(self) -> str:
        """Writes the baseline, if that was asked for, and says so; else nothing.

        Answers of tests that did not run stay as they were.
        """
        if self._baseline is None or not self._is_update:
            return ""
        kept = {
            name: one
            for name, one in self.before.items()
            if name.rpartition(" ")[0] not in self._asked
        }
        rows = dict(sorted((kept | self.now).items()))
        self._baseline.write_bytes(_BASELINE.dump_json(rows, indent=1) + b"\n")
        return f"klopt: {len(self.now)} answers written to {self._baseline}, {len(kept)} kept"


def _why(assessment: Assessment) -> str:
    return assessment.explanation or assessment.reason or ""


_CHECKS: Final = pytest.StashKey[KloptChecks]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the command line and the ini file may say."""
    parser.addini(
        "klopt_profile", "The profile of klopt_scorer: a name or a file.", default="default"
    )
    group = parser.getgroup("klopt", "answers of a support chatbot")
    group.addoption(
        "--klopt-baseline",
        metavar="FILE",
        type=Path,
        help="Fail where an answer got worse than it stands in this file.",
    )
    group.addoption(
        "--klopt-baseline-update",
        action="store_true",
        help="Write how answers stand to the file of --klopt-baseline.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Reads the baseline before any test runs."""
    baseline, is_update = (
        config.getoption(name) for name in ("klopt_baseline", "klopt_baseline_update")
    )
    if is_update and baseline is None:
        raise pytest.UsageError("--klopt-baseline-update: name the file with --klopt-baseline")
    if is_update and (config.getoption("tx", None) or config.getoption("numprocesses", None)):
        raise pytest.UsageError(
            "--klopt-baseline-update: one process writes the file; leave out -n and --tx"
        )
    if is_update and not baseline.parent.is_dir():
        raise pytest.UsageError(f"{baseline}: there is no folder {baseline.parent}")
    config.stash[_CHECKS] = KloptChecks(baseline, is_update=is_update)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Writes the baseline."""
    if written := config.stash[_CHECKS].written():
        terminalreporter.write_line(written)


@pytest.fixture(scope="session")
def klopt_scorer(pytestconfig: pytest.Config) -> Scorer:
    """One scorer for the whole run; the run ends where there is no such profile."""
    from klopt import KloptError, Scorer

    try:
        return Scorer.load(pytestconfig.getini("klopt_profile"), all_types=True)
    except KloptError as error:
        pytest.exit(f"klopt_profile: {error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.fixture
def assert_klopt(request: pytest.FixtureRequest, klopt_scorer: Scorer) -> Check:
    """Fails the test where klopt would block an answer, where it cannot check it, or got worse.

    Called with question, answer and pages (texts, `Page`s, documents, or the folder that they stand
    in), and perhaps the ``least`` verdict that passes, such as "send"; gives the `Assessment`.
    """

    def check(
        question: str, answer: str, pages: Contexts | Path, *, least: Verdict = "review"
    ) -> Assessment:
        __tracebackhide__ = True
        if isinstance(pages, Path):
            from klopt.batch.pages import read_pages

            pages = list({page.id: page for page in read_pages(pages).values()}.values())
        assessment = klopt_scorer.score(question, answer, pages)
        request.config.stash[_CHECKS].check(request.node.nodeid, assessment, least)
        return assessment

    return check
