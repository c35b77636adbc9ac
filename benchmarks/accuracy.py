"""``python -m benchmarks.accuracy``: how far both profiles agree with people, on all rated answers.

What `klopt evaluate` prints for each file of rated turns. The default profile was learnt from most
of these answers; `benchmarks.left_out` says what it is worth for a company that it has never seen.
"""

from __future__ import annotations

import subprocess
import sys

from training.command import given
from training.rated_turns import CENTRES

EVALUATE = [sys.executable, "-m", "klopt", "evaluate", "--all-types", "--against", "afas"]

if __name__ == "__main__":
    data = given(__doc__).data
    for centre in CENTRES:
        print(f"\n{centre.name}", flush=True)
        pages = data / "help" / centre.pages
        subprocess.run([*EVALUATE, data / centre.turns, "--pages", pages], check=True)
    print("\nTechQA en", flush=True)
    subprocess.run([*EVALUATE, data / "techqa" / "dev.jsonl"], check=True)
