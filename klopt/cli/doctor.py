"""``klopt doctor``."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec
from typing import Final

from klopt import lexicons, pipelines
from klopt.cli.options import as_command
from klopt.cli.terminal import Screen, table
from klopt.scoring.profile import BUILT_IN, Profile
from klopt.version import VERSION

EXTRAS: Final = {
    "afas": ("spacy", "the profile afas, and any that reads a parse"),
    "evaluate": ("scipy", "klopt evaluate and klopt fit"),
    "report": ("jinja2", "klopt report"),
    "company": ("tomlkit", "klopt company"),
    "parquet": ("pyarrow", "Parquet files"),
    "excel": ("defusedxml", "Excel files"),
    "frames": ("narwhals", "tables of pandas, polars and DuckDB"),
    "spark": ("pyspark", "tables of Spark"),
    "ray": ("ray", "data sets of Ray"),
    "terms": ("wordfreq", "company terms"),
    "metrics": ("sacrebleu", "BLEU and ROUGE"),
    "bertscore": ("bert_score", "BERTScore"),
    "encoder": ("onnxruntime", "a local encoder as a second opinion"),
    "llm": ("httpx", "asking an LLM over HTTP"),
    "server": ("starlette", "klopt serve"),
    "translation": ("deep_translator", "translation files and online translators"),
}
LIBRARIES: Final = ("numpy", "regex", "markdown-it-py", "PyStemmer", "pydantic", "rich")


@as_command("doctor", "klopt doctor")
def command() -> int:
    """Say what is installed and works, and how to get what is not there."""
    console = Screen()
    console.print(f"klopt {VERSION}")
    console.print("libraries: " + ", ".join(f"{n} {metadata.version(n)}" for n in LIBRARIES))
    rows = (
        (
            info.language,
            "yes" if info.language in lexicons.languages() else "no",
            f"{info.name} (bundled)" if info.bundled else info.name,
            info.version,
            info.licence,
        )
        for info in pipelines.available()
    )
    console.print(table(["language", "tables", "pipeline", "version", "licence"], rows))
    for extra, (module, purpose) in EXTRAS.items():
        if find_spec(module):
            console.print(f"{purpose}: {module} {metadata.version(module)} is installed")
        else:
            console.print(f"{purpose}: pip install 'klopt[{extra}]'", markup=False)
    for name in BUILT_IN:
        profile = Profile.load(name)
        console.print(f"profile {name}: {profile.description}")
    for language in lexicons.languages():
        lexicons.load(language)
        if find_spec("spacy"):
            pipelines.load(language)
    and_pipelines = " and bundled pipelines" if find_spec("spacy") else ""
    console.print(f"All tables{and_pipelines} load.")
    return 0
