"""``python -m tests.fuzz.other``: reads seeds and numbers, prints digests of what klopt finds."""

from __future__ import annotations

import sys

from tests.fuzz.checks import outcome
from tests.fuzz.inputs import made
from tests.fuzz.running import digest

for line in sys.stdin:
    seed, number = map(int, line.split())
    try:
        print(digest(outcome(made(seed, number))), flush=True)
    except Exception as error:
        print(ascii(error), flush=True)
