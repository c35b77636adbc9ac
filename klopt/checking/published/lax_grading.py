"""The grading of TechSupportEval's released code."""

from __future__ import annotations

import re

from klopt.checking.grading import Error, arrange, errors_of
from klopt.checking.reference import Reference
from klopt.checking.solution import Fill, Solution


def grade_as_published(reference: Reference, solution: Solution) -> tuple[Error, ...]:
    r"""The errors of an answer, as `klopt.checking.grading.grade` gives them, by laxer rules.

    An omitted blank matches (not of a solver that gives degrees, which omits none), and either
    text may contain the other. Steps are missing only when the solver has fewer than there are,
    and a step that it has twice is out of order.

    >>> from klopt.checking.reference import read_reference
    >>> reference = read_reference("1. Open **httpd.conf**.\n2. Save it.")
    >>> grade_as_published(reference, Solution((Fill(1, "httpd", "filled"),), (0, 1), ()))
    ()
    """
    arranged = arrange(reference.same_steps, solution.order)
    missing = arranged.missing if len(solution.order) < len(reference.steps) else ()
    return errors_of(reference, solution, _has, missing, arranged.moved or arranged.repeated[:1])


def published_matches(term: str, fill: str) -> bool:
    """Whether a fill has the key term: either text, bare, may contain the other.

    Marks at both ends and all white space are dropped. So an empty fill matches every term, and
    "1" matches 10.1.2.

    >>> published_matches("httpd.conf", ""), published_matches("10.1.2", "1")
    (True, True)
    """
    wanted, found = _bare(term), _bare(fill)
    return wanted in found or found in wanted


def _has(term: str, fill: Fill) -> bool:
    told = fill.text is not None or fill.degree is None
    return told and published_matches(term, fill.text or "")


def _bare(text: str) -> str:
    match = re.search(r"[^\W_](?:.*[^\W_])?", text, re.DOTALL)
    return "" if match is None else "".join(match[0].split()).lower()
