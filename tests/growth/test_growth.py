"""klopt reads texts, turns, files and replies in linear time."""

from collections.abc import Callable
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console

from klopt import Scorer, Turn, lexicons
from klopt._internal.files import to_json
from klopt.classifier import MESSAGE_MAX_CHARS, classify
from klopt.cli.claims import compare_claims
from klopt.cli.explain import Explained
from klopt.cli.translations import read_entries
from klopt.errors import KloptError
from klopt.lexicons import read_lexicon
from klopt.lexicons.pattern import MAX_SOURCE_CHARS, compile_pattern
from klopt.llm.judges import read as read_judgement
from klopt.llm.transcripts import Transcripts
from klopt.logs.pages import read_pages
from klopt.logs.rows import read_rows
from klopt.reference import Checker, TextSolver, measure
from klopt.reference.llm_solver import (
    cloze_test,
    ordering_test,
    read_fills,
    read_order,
    read_task,
)
from klopt.reference.reference import read_reference
from klopt.text.building import read_plain
from klopt.text.components import find_components
from klopt.text.guides import find_guides
from klopt.text.html import read_html
from klopt.text.markup import read_markdown
from klopt.text.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS, split_sentences
from klopt.text.tokens import Tokenizer
from tests.growth.growing import Shape, assert_linear, shapes, shapes_of, tried
from tests.server.conftest import SAVING
from training.literals import literals_of

pytestmark = pytest.mark.slow

DUTCH, ENGLISH = lexicons.load("nl"), lexicons.load("en")


@shapes("words")
def test_words(shape, monkeypatch):
    # Otherwise only the largest text would have more words than the cache.
    monkeypatch.setattr("klopt.text.tokens.MAX_KNOWN", 0)
    tokenizer = Tokenizer(DUTCH)
    assert_linear(
        lambda chars: read_plain(shape.text(chars)),
        PAGE_LIMIT_CHARS,
        sentences=lambda plain: split_sentences(plain.text, DUTCH["abbreviations"].words),
        dutch_components=lambda plain: find_components(plain, DUTCH["components"]),
        english_components=lambda plain: find_components(plain, ENGLISH["components"]),
        guides=lambda plain: find_guides(plain, (), (), DUTCH["guides"]),
        tokens=lambda plain: tokenizer.read(plain.text, ()),
    )


@shapes("marked")
def test_marked_words(shape):
    assert_linear(
        lambda chars: read_markdown(shape.text(chars)),
        PAGE_LIMIT_CHARS,
        components=lambda plain: find_components(plain, DUTCH["components"]),
    )


QUESTION = "Hoe sla ik een document op in het dossier?"
ANSWER = "Klik op **Bestand** en daarna op **Opslaan**, en kies de map van de medewerker."
END = " Klik op **Bestand** en **Opslaan** en kies de map van de medewerker in het dossier."


@pytest.fixture(scope="module")
def scorer():
    scorer = Scorer.load()
    scorer.prepare("nl")
    return scorer


@shapes("turns")
@pytest.mark.parametrize("where", ["question", "answer", "page"])
def test_a_turn(scorer, where, shape):
    numbers, console = count(), Console(file=StringIO())

    def score(text: str) -> None:
        texts = {"question": QUESTION, "answer": ANSWER, "page": SAVING}
        texts[where] = f"{text} {next(numbers)}"  # not in the cache
        turn = Turn(texts["question"], texts["answer"], [texts["page"]], language="nl")
        one = scorer.score(turn, measure_all=True)
        one.to_dict()
        Explained(turn, one, console).show()
        assert one.reason_code != "internal"
        assert one.verdict == "unscored" or one.status == "scored"

    assert_linear(Shape(shape.unit, end=END).text, ANSWER_LIMIT_CHARS - 100, score=score)


CHARS = 100_000


def files(folder: Path, shape: Shape, ending: str) -> Callable[[int], Path]:
    """Return a function that writes a file of a shape with a number of characters."""

    def made(chars: int) -> Path:
        path = folder / f"{chars}{ending}"
        path.write_text(shape.text(chars), encoding="utf-8")
        return path

    return made


@tried
def rows(path: Path) -> None:
    list(read_rows(str(path)))


@shapes("csv")
def test_csv(tmp_path, shape):
    assert_linear(files(tmp_path, shape, ".csv"), CHARS, rows=rows)


@shapes("jsonl")
def test_jsonl(tmp_path, shape):
    assert_linear(
        files(tmp_path, shape, ".jsonl"),
        CHARS,
        rows=rows,
        translations=tried(read_entries),
        transcripts=tried(Transcripts.read),
    )


@shapes("toml")
def test_lexicons(tmp_path, shape):
    assert_linear(files(tmp_path, shape, ".toml"), 20_000, lexicon=tried(read_lexicon))


def test_a_folder_of_pages(tmp_path):
    def made(count: int) -> Path:
        folder = tmp_path / str(count)
        folder.mkdir()
        for number in range(count):
            (folder / f"{number}.md").write_text("De map is leeg.")
        return folder

    def read(folder: Path) -> None:
        pages = read_pages(folder)
        with pytest.raises(KloptError):
            Turn.from_mapping({"contexts": ["weg.md"]}, pages=pages)

    assert_linear(made, 400, pages=read)


@shapes("turns")
@pytest.mark.parametrize("name", ["passage", "claim"])
def test_claims(tmp_path, shape, name):
    def made(chars: int) -> Path:
        texts = {"passage": "Klik op **Opslaan**.", "claim": "Klik op Opslaan.", "language": "nl"}
        path = tmp_path / f"{chars}.jsonl"
        path.write_text(to_json({**texts, name: f"Klik op {shape.text(chars)}"}), encoding="utf-8")
        return path

    assert_linear(made, 10_000, claims=lambda path: list(compare_claims(str(path))))


STEPS = "1. Klik op **Opslaan**.\n2. Kies de **map**."
REFERENCE = read_reference(STEPS)
OPTIONS = ordering_test(REFERENCE, "")
CHECKER = Checker(TextSolver(), "strict", "graded")
OVERLAP = ("bleu", "rouge_1", "rouge_2", "rouge_l")
READERS: dict[str, tuple[int, dict[str, Callable[[str], object]]]] = {
    "html": (PAGE_LIMIT_CHARS, {"html": read_html}),
    "markdown": (PAGE_LIMIT_CHARS, {"markdown": read_markdown}),
    "messages": (
        MESSAGE_MAX_CHARS,
        {
            "dutch": lambda text: classify(text, DUTCH),
            "english": lambda text: classify(text, ENGLISH),
            "dutch_published": lambda text: classify(text, DUTCH, method="published"),
            "english_published": lambda text: classify(text, ENGLISH, method="published"),
        },
    ),
    "patterns": (
        MAX_SOURCE_CHARS - 100,
        {"compiled": tried(compile_pattern), "literals": literals_of},
    ),
    "replies": (
        100_000,
        {
            "fills": tried(lambda text: read_fills(text, 2, "Klik op Opslaan.")),
            "order": tried(lambda text: read_order(text, OPTIONS, REFERENCE, "strict")),
            "published_order": tried(
                lambda text: read_order(text, OPTIONS, REFERENCE, "published")
            ),
            "task": tried(lambda text: read_task(text, REFERENCE)),
            "g_eval": tried(lambda text: read_judgement("g_eval", text)),
            "prometheus": tried(lambda text: read_judgement("prometheus", text)),
        },
    ),
    "references": (
        ANSWER_LIMIT_CHARS - 100,
        {
            "rules": lambda text: cloze_test(read_reference(text, key_terms="rules")),
            "steps": lambda text: ordering_test(read_reference(text, as_published=True), ""),
            "answer": lambda text: CHECKER.check(Turn("Hoe?", text, reference=STEPS)),
            "reference": lambda text: CHECKER.check(Turn("Hoe?", ANSWER, reference=text)),
            "both": lambda text: CHECKER.check(Turn("Hoe?", text, reference=text)),
            "overlap": lambda text: measure(OVERLAP, Turn("Hoe?", text, reference=text)),
        },
    ),
}


@pytest.mark.parametrize(
    ("group", "shape"),
    [(group, shape) for group in READERS for shape in shapes_of(group)],
    ids=lambda one: one if isinstance(one, str) else ascii(one.unit),
)
def test_texts(group, shape):
    largest_chars, readers = READERS[group]
    assert_linear(shape.text, largest_chars, **readers)
