"""Check whether klopt could be published: python -m tests.release.check.

Builds the distributions into dist/, with a list of their dependencies (CycloneDX), checks their
metadata and the size of the wheel, installs the wheel alone in each Python of this machine, and
compares the public names with those of the last release: the CHANGELOG must name every breaking
change.
"""

import email
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Final

import griffe

from klopt.version import VERSION

ROOT: Final = Path(__file__).parents[2]
DIST: Final = ROOT / "dist"
RELEASED: Final = "dd5f67dc1f070ab75ee666edaa1a5d201faa6431"
"""The last commit of 0.9.0, which has no tag; used if there is no tag."""
NAMES: Final = "docs/reference/python.md"
CARDS: Final = ("verification", "text/pipelines/nl", "text/pipelines/en")
MAX_WHEEL_MB: Final = 40
BIN: Final = Path(sys.executable).parent


def main() -> int:
    """Run all checks and print the problems."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--quiet", "--outdir", DIST, ROOT)
    built = sorted(DIST.iterdir())
    _run(sys.executable, "-m", "twine", "check", "--strict", *built)
    (wheel,) = DIST.glob("*.whl")
    _run(BIN / "check-wheel-contents", wheel)
    problems = [*wrong_names(built), *wrong_metadata(metadata_of(wheel))]
    wheel_mb = wheel.stat().st_size / 1e6
    print(f"{wheel.name}: {wheel_mb:.1f} MB")
    if wheel_mb > MAX_WHEEL_MB:
        problems.append(f"{wheel.name}: larger than {MAX_WHEEL_MB} MB")
    shown = {version: demo_in(python, wheel) for version, python in pythons()}
    if len(set(shown.values())) != 1:
        problems.append(f"not the same bytes by the Pythons {', '.join(shown)}")
    problems += unnamed_breaks(ROOT, last_release(ROOT))
    print(*(f"✗ {problem}" for problem in problems), f"{len(problems)} problems", sep="\n")
    return bool(problems)


def wrong_names(built: list[Path]) -> Iterator[str]:
    """Yield distributions that are missing or have another version."""
    wanted = {f"klopt-{VERSION}.tar.gz", f"klopt-{VERSION}-py3-none-any.whl"}
    for name in sorted({path.name for path in built} ^ wanted):
        yield f"{name}: built, or missing, where the version is {VERSION}"


def metadata_of(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(packed.read(name))


def wrong_metadata(metadata: Message) -> Iterator[str]:
    """Yield the metadata that are missing."""
    cards = [f"klopt/{place}/MODEL_CARD.md" for place in CARDS]
    pythons = [f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 14)]
    for key, wanted in (("License-File", ["LICENSE", *cards]), ("Classifier", pythons)):
        for missing in sorted(set(wanted) - set(metadata.get_all(key, ()))):
            yield f"{key}: {missing} is missing in pyproject.toml"
    needed = ("Project-URL", "License-Expression", "Requires-Python", "Summary", "Keywords")
    yield from (f"{key}: missing in pyproject.toml" for key in needed if not metadata[key])


def pythons() -> Iterator[tuple[str, str]]:
    """Yield version and path of each supported Python of this machine."""
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for minor in range(11, 20):
        name = f"python3.{minor}"
        for python in filter(None, (shutil.which(name), *installed.glob(f"versions/*/bin/{name}"))):
            if not subprocess.run([python, "-V"], capture_output=True, check=False).returncode:
                yield f"3.{minor}", str(python)
                break


def demo_in(python: str, wheel: Path) -> str:
    """Return the output of the demo with the wheel alone; list its dependencies."""
    with tempfile.TemporaryDirectory() as name:
        bare = Path(name) / "bare"
        _run(python, "-m", "venv", bare)
        _run(bare / "bin/python", "-m", "pip", "install", "--quiet", wheel)
        _run(bare / "bin/python", "-m", "pip", "check")
        _run(bare / "bin/klopt", "doctor")
        shutil.copy(ROOT / ".ci/no_sockets.py", name)
        shown = _run(
            bare / "bin/python", "no_sockets.py", "demo", "--format", "jsonl", folder=Path(name)
        )
        listed = DIST / f"klopt-{VERSION}.cdx.json"
        _run(BIN / "cyclonedx-py", "environment", "-o", listed, bare / "bin/python")
        listed.write_text(listed.read_text("utf-8").replace(f"{DIST}/", ""), "utf-8")
    return shown


def last_release(folder: Path) -> str:
    """Return the last tag, or the recorded commit if there is none."""
    tags = _run("git", "tag", "--merged", "HEAD", "--sort=-v:refname", "-l", "v*", folder=folder)
    return tags.partition("\n")[0] or RELEASED


def unnamed_breaks(folder: Path, since: str) -> Iterator[str]:
    """Yield breaking changes that the newest part of the CHANGELOG does not name.

    It names a change if one of its points has class, method and parameter as code.
    """
    newest = (folder / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1].split("\n- ")
    codes = (" ".join(re.findall(r"`([^`]+)`", point)) for point in newest)
    points = [{*re.findall(r"\w+", code), *re.findall(r"\w+\(", code)} for code in codes]
    old = griffe.load_git("klopt", ref=since, repo=folder, resolve_aliases=True)
    new = griffe.load("klopt", search_paths=[folder], try_relative_path=False, resolve_aliases=True)
    before = _run("git", "show", f"{since}:{NAMES}", folder=folder)
    was, now = (
        {path.split(".")[-1]: path for path in re.findall(r"^::: klopt\.(\S+)", page, re.M)}
        for page in (before, (folder / NAMES).read_text("utf-8"))
    )
    for name, path in was.items():
        if name not in now:
            breaks = {(f"{name}: is not in {NAMES} any more", frozenset([name]))}
        else:
            found = griffe.find_breaking_changes(old[path], new[now[name]])
            breaks = {(f"{one.obj.path}: {one.kind.value}", _named(one, name)) for one in found}
        for problem, names in sorted(breaks):
            if not any(names <= point for point in points):
                yield f"{problem}; the CHANGELOG does not name it"


def _named(found: griffe.Breakage, name: str) -> frozenset[str]:
    path = found.obj.path.split(".")
    path[-1] = path[-1].replace("__init__", f"{name}(")
    removed = found.kind is griffe.BreakageKind.PARAMETER_REMOVED
    return frozenset([*path[path.index(name) :], *([found.old_value.name] if removed else ())])


def _run(*command: object, folder: Path = ROOT) -> str:
    words = [str(word) for word in command]
    print("…", *(Path(word).name for word in words))
    return subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
