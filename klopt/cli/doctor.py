"""``klopt doctor``."""

from __future__ import annotations

from functools import partial
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Final

from klopt import lexicons
from klopt._internal.extras import install
from klopt.cli import options
from klopt.cli.options import as_command
from klopt.cli.terminal import Screen, give_figures, table
from klopt.scoring.profile import BUILT_IN, Profile
from klopt.text import pipelines
from klopt.version import VERSION

EXTRAS: Final = {
    "afas": ("spacy", "the profile afas, and any that reads a parse"),
    "evaluate": ("scipy", "klopt evaluate and klopt fit"),
    "report": ("jinja2", "klopt report"),
    "company": ("tomlkit", "klopt company"),
    "parquet": ("pyarrow", "Parquet files"),
    "excel": ("python_calamine", "Excel files"),
    "frames": ("narwhals", "tables of pandas, polars and DuckDB"),
    "spark": ("pyspark", "tables of Spark"),
    "ray": ("ray", "data sets of Ray"),
    "rst": ("docutils", "pages in reStructuredText"),
    "terms": ("wordfreq", "company terms"),
    "metrics": ("sacrebleu", "BLEU and ROUGE"),
    "bertscore": ("bert_score", "BERTScore"),
    "encoder": ("onnxruntime", "a local encoder as a second opinion"),
    "llm": ("openai", "calling an LLM server"),
    "server": ("starlette", "klopt serve"),
    "translation": ("deep_translator", "translation files and online translators"),
}
LIBRARIES: Final = ("numpy", "regex", "pyromark", "PyStemmer", "pydantic", "rich")


@as_command("doctor", "klopt doctor")
def command(*, form: options.Format) -> int:
    """Show what is installed, and how to install the rest."""
    has_spacy = find_spec("spacy") is not None
    for language in lexicons.languages():  # a broken file raises an error here
        lexicons.load(language)
        if has_spacy:
            pipelines.load(language)
    found = {
        "klopt": VERSION,
        "libraries": {name: metadata.version(name) for name in LIBRARIES},
        "pipelines": [
            {"language": info.language, "tables": info.language in lexicons.languages(),
             "pipeline": f"{info.name} (bundled)" if info.bundled else info.name,
             "version": info.version, "licence": info.licence}
            for info in pipelines.available()
        ],
        "extras": {
            extra: f"{module} {metadata.version(module)}" if find_spec(module) else None
            for extra, (module, _) in EXTRAS.items()
        },
        "profiles": {name: Profile.load(name).description for name in BUILT_IN},
    }  # fmt: skip
    give_figures(found, partial(_show, found), form)
    return 0


def _show(found: dict[str, Any], screen: Screen) -> None:
    screen.print(f"klopt {found['klopt']}")
    libraries = (f"{name} {version}" for name, version in found["libraries"].items())
    screen.print(f"libraries: {', '.join(libraries)}")
    rows = [
        ["yes" if value is True else "no" if value is False else value for value in row.values()]
        for row in found["pipelines"]
    ]
    screen.print(table(["language", "lexicons", "pipeline", "version", "licence"], rows))
    for extra, package in found["extras"].items():
        state = f"{package} is installed" if package else install(extra)
        screen.print(f"{EXTRAS[extra][1]}: {state}", markup=False)
    for name, description in found["profiles"].items():
        screen.print(f"profile {name}: {description}")
    has_spacy = found["extras"]["afas"] is not None
    screen.print(f"All lexicons{' and bundled pipelines' if has_spacy else ''} load.")
