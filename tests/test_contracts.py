"""Contracts of all heuristics, modules and packages."""

import contextlib
import dataclasses
import fnmatch
import importlib
import re
import tomllib
from typing import Any, get_args

import pytest

from klopt import Page, heuristics
from klopt.errors import ExtraMissingError
from klopt.heuristics import Heuristic, Material
from klopt.heuristics.declaration import WORD_FORMS, Need, Text
from klopt.lexicons import Lexicon
from klopt.logs.pages import read_pages
from klopt.types import EvidenceKind
from klopt.verification import Language
from tests.conftest import DEMO, ROOT, demo_rows
from tests.heuristics.materials import check_measurement, material

PACKAGE = ROOT / "klopt"
FOLDER = PACKAGE / "heuristics"
CASES = ROOT / "tests" / "heuristics" / "cases"
MODULES = sorted(PACKAGE.rglob("*.py"))
SYMBOLS = set("ρ□⌘𝔄")
PUBLISHED = {
    *("company_specific_terms", "components_defined", "complex_answer", "prompt_overlap", "hal"),
    *("subject_combination", "verbatim_guide_defined"),
}
"""The features of the AFAS paper, section 5.2; klopt's own features have no symbol."""
NEGATIVE = {"guide_asked", "step_order", "weakest_statement"}
"""Features whose evidence is a passage against the answer."""
EITHER = {"statements_hold"}
"""Features with evidence for and against the answer."""

each_heuristic = pytest.mark.parametrize(
    "heuristic", heuristics.ALL, ids=[one.name for one in heuristics.ALL]
)


@pytest.fixture(scope="module")
def demo(languages):
    """Every fourth turn of the demo company, and one on a page with a solution."""
    extended = {code: own(language) for code, language in languages.items()}
    pages = {code: read_pages(DEMO / "pages" / code) for code in languages}
    solved = "# Lamp\n\nDe lamp knippert.\n\n## Oplossing\n\nDraai de lamp vast.\n"
    return [
        *(
            material(
                extended[row["language"]],
                row["question"],
                row["answer"],
                [pages[row["language"]][name] for name in row["contexts"]],
            )
            for row in demo_rows()[::4]
        ),
        material(extended["nl"], "Waarom knippert de lamp?", "Draai de lamp vast.", [Page(solved)]),
    ]


def own(language: Language) -> Language:
    """The language with terms and names of a company."""
    words = {"nl": ("factuur", "loonrun"), "en": ("invoice", "payroll")}[language.code]
    lists = {"allowed": ("Orlinde Web",), "denied": ("Orlinde App",)}
    terms = Lexicon("company_terms", language.code, {"terms": words}, (), "none")
    names = Lexicon("product_names", language.code, lists, (), "none")
    return Language(language.lexicons.extended(terms).extended(names))


HEURISTIC_MODULES = sorted(
    {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "declaration"}
)


def test_heuristics_are_unique_and_complete():
    names = [one.name for one in heuristics.ALL]
    assert len(set(names)) == len(names)
    declared = {
        name: value
        for module in HEURISTIC_MODULES
        for name, value in vars(importlib.import_module(f"klopt.heuristics.{module}")).items()
        if isinstance(value, Heuristic)
    }
    assert declared == {one.name: one for one in heuristics.ALL}


@each_heuristic
def test_the_declaration_of_a_heuristic(heuristic):
    assert set(heuristic.symbol) <= SYMBOLS
    assert bool(heuristic.symbol) == (heuristic.name in PUBLISHED)
    assert heuristic.reads
    assert heuristic.reads <= set(get_args(Text))
    assert heuristic.needs <= set(get_args(Need))
    for value in heuristic.options.values():
        if isinstance(value, list):
            # A profile may fill an empty list with texts.
            assert {type(one) for one in value} in ({int}, {str}, set())
        else:
            assert type(value) in (float, int, bool) or value in WORD_FORMS


@each_heuristic
def test_the_docstring_of_a_heuristic_has_all_sections(heuristic):
    text = heuristic.measure.__doc__ or ""
    for heading in ("Args:", "Returns:", "Source:", "Differs:"):
        assert heading in text


@pytest.mark.parametrize("folder", [CASES, FOLDER], ids=["cases", "words"])
def test_each_heuristic_has_cases_and_texts(folder):
    assert {path.stem for path in folder.glob("*.toml")} == {one.name for one in heuristics.ALL}


@each_heuristic
def test_a_heuristic_reads_only_declared_texts(heuristic, demo, monkeypatch):
    def undeclared(_: Material) -> Any:
        raise AssertionError("an undeclared need")

    expected = [heuristic(whole, heuristic.options) for whole in demo]
    for need, name in (("match", "match"), ("comparator", "claims"), ("parse", "parse")):
        if need not in heuristic.needed(heuristic.options):
            monkeypatch.setattr(Material, name, property(undeclared))
    for whole, measured in zip(demo, expected, strict=True):
        empty = {
            "contexts": (),
            **dict.fromkeys(("question", "answer"), whole.language.reader.read("")),
        }
        less = {name: empty[name] for name in empty if name not in heuristic.reads}
        assert heuristic(dataclasses.replace(whole, **less), heuristic.options) == measured


@each_heuristic
def test_a_heuristic_is_bounded_and_deterministic(heuristic, demo):
    measured = 0
    for given in demo:
        first = heuristic(given, heuristic.options)
        anew = dataclasses.replace(given)
        assert heuristic(anew, heuristic.options) == first
        turned = dataclasses.replace(given, contexts=given.contexts[::-1])
        other = heuristic(turned, heuristic.options)
        assert other.value == pytest.approx(first.value, abs=1e-12)
        assert other.reason == first.reason
        measured += first.value is not None
        placed: set[EvidenceKind] = set()
        if heuristic.name not in NEGATIVE:
            placed.add("supported")
        if heuristic.name in NEGATIVE | EITHER:
            placed.add("unsupported")
        lengths = {one.page: len(one.index.reading.plain.source) for one in given.contexts}
        check_measurement(first, given.answer.plain.source, lengths)
        assert {one.kind for one in first.evidence if one.page is not None} <= placed
    assert measured


def test_the_project_file_lists_all_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = project["tool"]["setuptools"]["packages"]
    on_disk = {
        ".".join(path.parent.relative_to(ROOT).parts) for path in PACKAGE.rglob("__init__.py")
    }
    assert listed == sorted(on_disk | {"klopt.data"})


def test_the_project_file_includes_all_data_files():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]
    packages = {path.parent for path in PACKAGE.rglob("__init__.py")}
    missing = []
    for path in PACKAGE.rglob("*"):
        if path.is_dir() or path.suffix in (".py", ".pyc") or "__pycache__" in path.parts:
            continue
        package = next(parent for parent in path.parents if parent in packages)
        name = path.relative_to(package).as_posix()
        globs = patterns.get(".".join(package.relative_to(ROOT).parts), [])
        if not any(fnmatch.fnmatch(name, glob) for glob in globs):
            missing.append(name)
    assert missing == []


def test_no_module_is_long():
    lengths = {str(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {path: length for path, length in lengths.items() if length > 500} == {}


def export_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as ruff sorts them."""
    kind = 0 if name.isupper() else 1 if name.lstrip("_")[:1].isupper() else 2
    return kind, name


def test_exports_are_sorted_and_exist():
    for path in MODULES:
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] != "__main__":
            with contextlib.suppress(ExtraMissingError):  # an adapter whose package is missing
                module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
                exported = list(getattr(module, "__all__", []))
                assert exported == sorted(set(exported), key=export_order), path
                assert [name for name in exported if not hasattr(module, name)] == [], path


def test_contributing_names_all_packages_and_existing_modules():
    rows = re.findall(
        r"^\| `(klopt/\w+)` \|.*\| (.*) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    assert {package for package, _ in rows} == {
        f"klopt/{path.parent.name}" for path in PACKAGE.glob("*/__init__.py")
    }
    for package, cell in rows:
        for name in re.findall(r"`([^`]+)`", cell):
            place = ROOT / package / name
            assert place.is_dir() or place.with_suffix(".py").is_file(), place


def test_class_names_are_unique():
    homes: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name == "integrations":  # its classes have the names of the packages
            continue
        for name in re.findall(r"(?m)^class ([A-Z]\w*)", path.read_text("utf-8")):
            homes.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: some for name, some in homes.items() if len(some) > 1} == {}
