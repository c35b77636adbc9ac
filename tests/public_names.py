"""A user's program with every public name, for mypy."""

from pathlib import Path

import pyarrow as pa

from klopt import (
    AnswerStream,
    Assessment,
    Evidence,
    Index,
    KloptError,
    Measurement,
    Page,
    Profile,
    Scorer,
    Turn,
    __version__,
    score_frame,
    show_frame,
)
from klopt.llm import (
    Adviser,
    Budget,
    ChatClient,
    LlmOpinion,
    NliModel,
    OpinionResult,
    Recorded,
)
from klopt.logs.arrow import SCHEMA, score_batches, to_rows
from klopt.reference import Checker, TextSolver
from klopt.translation import CachedTranslator, Translate, TranslationCache, online_translator
from klopt.verification import Comparator


def score(scorer: Scorer, index: Index, turn: Turn) -> tuple[str, float | None, list[str]]:
    checked: Assessment = scorer.score(turn)
    again: Assessment = scorer.score("Werkt het?", "Ja.", [Page("Het werkt."), *index.values()])
    measured: Measurement = checked.measurements["components_defined"]
    found: tuple[Evidence, ...] = measured.evidence
    return again.verdict, checked.score, [one.text for one in found]


def stream(scorer: Scorer, pieces: list[str]) -> Assessment:
    answer: AnswerStream = scorer.stream("Werkt het?", ["Het werkt."])
    for piece in pieces:
        for fault in answer.feed(piece):
            print(fault.kind, fault.text, fault.start)
    return answer.finish(budget_ms=20.0)


def with_opinions(kind: str) -> Scorer:
    if kind == "recorded":
        adviser = Adviser(Recorded.read(Path("opinions.jsonl")), one_each=True)
    elif kind == "local":
        adviser = Adviser(NliModel(Path("models/nli")), "always")
    else:
        model = ChatClient("qwen3", "http://127.0.0.1:11434/v1")
        adviser = Adviser(LlmOpinion(model, "statements"), "review", Budget(questions=9))
    return Scorer(Profile.load(), adviser=adviser)


def own_opinion() -> OpinionResult:
    return OpinionResult(truth=0.9, who="Anna")


def translated(path: Path) -> Scorer:
    with TranslationCache(path, create=True) as cache:
        service = online_translator("libretranslate", {}, url="http://localhost:5000")
        return Scorer.load(translate=Translate(CachedTranslator(cache, translator=service)))


def tables(table: pa.Table) -> list[dict[str, object]]:
    try:
        print(__version__, show_frame(score_frame(table)).html, SCHEMA.names)
        scored = score_batches(table.to_batches(), Scorer.load(), names={"answer": "bot_text"})
        return [row for batch in scored for row in to_rows(batch)]
    except KloptError:
        return []


def checks(turn: Turn) -> tuple[float | None, str]:
    label = Comparator.load("nl").compare("Sluit met Alt+F7.", "Sluit met Alt+F8.").label
    return Checker(TextSolver("nl"), strategy="graded").check(turn).score, label
