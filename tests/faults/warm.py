"""Loads the modules and tables of most runs in the process from which they are forked."""

from importlib import import_module
from itertools import islice

from klopt.cli import COMMANDS
from klopt.cli.scoring import demo_rows
from klopt.logs import resume
from klopt.scoring.scorer import Scorer
from klopt.text import pipelines
from tests.faults.running import CHECKPOINT_ROWS

resume.CHECKPOINT_ROWS = CHECKPOINT_ROWS
WARM_UP_ROWS = 12
LIBRARIES = (
    *("httpx", "openai.resources.chat", "scipy.stats", "wordfreq", "klopt.report.html"),
    "deep_translator",
)

for name in (*LIBRARIES, *(f"klopt.cli.{command}" for command in COMMANDS)):
    import_module(name)
pipelines.load("nl")
_scorer = Scorer.load()
for row in islice(demo_rows(), WARM_UP_ROWS):
    if row.turn is not None:
        _scorer.score(row.turn)
