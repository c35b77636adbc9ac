"""What `Scorer.prepare` leaves for the first answers to wait for: no pattern."""

from __future__ import annotations

import subprocess
import sys

SCORING = """
import dataclasses
from klopt import Profile, Scorer, lexicons
from klopt.cli.demo_log import demo_rows

scorers = [
    Scorer(dataclasses.replace(Profile.load(), classifier=classifier), all_types=True)
    for classifier in ("scored", "published")
]
for scorer in scorers:
    scorer.prepare("nl")
    scorer.prepare("en")

def refuse(*arguments, **options):
    raise AssertionError(arguments)

lexicons.compile_pattern = lexicons.required_literals = lexicons.compile_phrases = refuse
for row in list(demo_rows())[::4]:
    print(*(scorer.score(row.turn, measure_all=True).status for scorer in scorers))
"""


def test_no_pattern_is_compiled_or_taken_apart_afterwards():
    """In a process of its own: in this one other tests have them ready."""
    run = subprocess.run(
        [sys.executable, "-c", SCORING], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert set(run.stdout.split()) == {"scored"}
