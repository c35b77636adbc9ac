"""Test each adapter in an environment of its own, and write docs/how-to/adapters.md.

``python -m tests.integrations.environments [EXTRA ...]`` tests all (`make test-adapters`) or the
named adapters, each with the newest version and with the lowest that its extra allows. The results
are stored in tested.json, the environments in ``$XDG_CACHE_HOME/klopt/integrations``.
"""

import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.integrations.adapted import HEAD, HERE, NAMES, OPT_OUTS, PACKAGES, example

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "klopt" / "integrations"
TESTED = HERE / "tested.json"
PAGE = ROOT / "docs" / "how-to" / "adapters.md"
SHOWN_CHARS = 120

COLUMNS = ("package", "licence", "lowest tested", "newest tested", "on", "what there is")


def lowest(extra: str) -> str:
    """Return the lowest version that klopt allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = project["optional-dependencies"][NAMES.get(extra, extra)]
    package = re.escape(PACKAGES[extra]["package"])
    return next(found[1] for one in needs if (found := re.match(rf"{package}>=([\d.]+)", one)))


class FailedError(Exception):
    """A command failed; the message is its error."""


def run(*command: str | Path, **more: str) -> str:
    environment = {**os.environ, **OPT_OUTS, **more}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith(("ERROR:", "FAILED", "E  "))]
        print(*lines[-40:], sep="\n", file=sys.stderr)
        raise FailedError(" ".join([*errors, lines[-1]][0].split())[:SHOWN_CHARS])
    return done.stdout.strip()


def test(extra: str, python: Path, *requirement: str) -> str:
    """Install the requirement, run the adapter's tests, and return the tested version."""
    package = PACKAGES[extra]["package"]
    needs = ["-e", f"{ROOT}[{NAMES.get(extra, extra)}]", "pytest", "hypothesis", *requirement]
    install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*install, "--upgrade", *needs, *PACKAGES[extra].get("beside", ()))
    tests = ("test_spacy",) if extra == "spacy" else ("test_bots", "test_evaluations")
    files = [f"{HERE / name}.py" for name in tests]
    files.append(f"{HERE / 'test_examples.py'}::test_example[{extra}]")
    quiet = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    less = ("-p", "no:cacheprovider", "-p", "no:unraisableexception")
    names = f"{extra} or {extra.replace('-', '_')}"
    run(python, "-m", "pytest", "-q", *less, *files, "-k", names, **quiet)
    return run(python, "-c", f"from importlib.metadata import version; print(version({package!r}))")


def tested(extra: str) -> dict[str, str]:
    """Test an adapter with its newest and its lowest version; return the results."""
    python = CACHE / extra / "bin" / "python"
    if not python.is_file():
        venv.create(CACHE / extra, with_pip=True)
    package, least = PACKAGES[extra]["package"], lowest(extra)
    found = {"on": datetime.date.today().isoformat(), "python": platform.python_version()}
    ends = {"newest": package, "lowest": f"{package}=={least}"}
    for end, requirement in ends.items():
        try:
            found[end] = test(extra, python, requirement)
        except FailedError as error:
            found[end] = f"{least if end == 'lowest' else 'failed'}: {error}"
    return found


def page() -> str:
    """Return the page of the docs: a table, and the example of each package."""
    known = json.loads(TESTED.read_text("utf-8"))
    rows: list[list[str]] = [list(COLUMNS), ["---"] * len(COLUMNS)]
    sections = []
    for extra, about in PACKAGES.items():
        found = known.get(extra, {})
        link = f"[{about['title']}](#{about['title'].lower().replace(' ', '-')})"
        ends = [found.get(end, "–") for end in ("lowest", "newest")]
        on = f"{found.get('on', '–')}, Python {found.get('python', '–')}"
        rows.append([f"{link} (`{about['package']}`)", about["licence"], *ends, on, about["gives"]])
        install = f"pip install 'klopt[{NAMES.get(extra, extra)}]'"
        code = example(extra).read_text("utf-8")
        sections.append(
            f"\n## {about['title']}\n\n```\n{install}\n```\n\n```python\n{code}```\n\n"
            f"Its last line of output:\n\n```\n{about['prints']}\n```\n\n{about['note'].strip()}\n"
        )
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    written = "`make test-adapters` tests them and writes this page.\n"
    return "\n".join((HEAD, table, written)) + "".join(sections)


def main(extras: list[str]) -> int:
    """Test the adapters and write the results; return whether one failed."""
    known: dict[str, Any] = json.loads(TESTED.read_text("utf-8")) if TESTED.is_file() else {}
    for extra in extras or PACKAGES:
        known[extra] = tested(extra)
        print(extra, known[extra], flush=True)
        lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in sorted(known.items())]
        TESTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        PAGE.write_text(page(), "utf-8")
    return any(":" in found.get("newest", "") for found in known.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
