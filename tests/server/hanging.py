"""A service whose scorer hangs on the row ``hang``: ``python -m tests.server.hanging INDEX``."""

import sys
from functools import partial
from pathlib import Path

from klopt.retrieval.index_file import Index
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.server.run import serve
from klopt.server.settings import Address, Settings


def load(index: Path) -> tuple[Setup, None]:
    """Return the setup of a worker that never finishes one row."""
    from klopt.server import app

    assess = app.assess

    def hanging(row, *arguments):
        if row.id == "hang":
            print("the worker hangs", file=sys.stderr, flush=True)
        while row.id == "hang":
            pass
        return assess(row, *arguments)

    app.assess = hanging
    return Setup(Profile.load(), index=Index.open(index)), None


if __name__ == "__main__":
    settings = Settings(partial(load, Path(sys.argv[1])), Address(port=0), workers=2)
    serve(settings, lambda url: print(f"klopt serves at {url}", flush=True))
