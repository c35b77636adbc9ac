"""Imported by the process from which runs are forked: loads what most of them would load."""

from __future__ import annotations

from importlib import import_module
from itertools import islice

from tests.faults.moments import watch

watch()

from klopt import pipelines  # noqa: E402  (the modules that write must be watched first)
from klopt.cli import COMMANDS  # noqa: E402
from klopt.cli.demo_log import demo_rows  # noqa: E402
from klopt.scoring.scorer import Scorer  # noqa: E402

MET = 12
LIBRARIES = ("httpx", "scipy.stats", "wordfreq", "klopt.report.html", "klopt.translators.online")

for name in (*LIBRARIES, *(f"klopt.cli.{command}" for command in COMMANDS)):
    import_module(name)
pipelines.load("nl")
_scorer = Scorer.load()
for row in islice(demo_rows(), MET):
    if row.turn is not None:
        _scorer.score(row.turn)
