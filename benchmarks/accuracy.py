"""``python -m benchmarks.accuracy``: how far both profiles agree with people, on all rated answers.

What `klopt evaluate` prints for each file of rated turns. The default profile was learnt from most
of these answers; `benchmarks.left_out` says what it is worth for a company that it has never seen.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.command import given, parser
from training.rated_turns import CENTRES

EVALUATE = [sys.executable, "-m", "klopt", "evaluate", "--all-types", "--against", "afas"]


def main() -> None:
    """Prints all tables."""
    data = given(parser(__doc__)).data
    sets = {
        centre.name: [data / centre.turns, "--pages", data / "help" / centre.pages]
        for centre in CENTRES
    }
    sets["TechQA en"] = [data / "techqa" / "dev.jsonl"]
    for name, arguments in sets.items():
        print(f"\n{name}", flush=True)
        subprocess.run([*EVALUATE, *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
