"""An encoder holds statements against passages: inference and labelled tokens, windows, cuts."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest

from klopt import Turn
from klopt.opinions import Asked, AskedStatement
from klopt.opinions.encoder import LONGEST_CHARS, MOST_PAIRS, Encoder
from tests.opinions.onnx_models import NLI, TOKENS, write
from tests.tables import tables

TABLES = tables("opinions", "encoder")


DUTCH = "Met Alt F7 sluit u alle vensters."
FILLER = "het tabblad "
"""Two words of the model that no statement has."""

PAIRS: list[list[str]] = TABLES["pairs"]


@pytest.fixture(scope="module")
def inference(tmp_path_factory):
    return Encoder(write(tmp_path_factory.mktemp("nli-klein")))


@pytest.fixture(scope="module")
def detector(tmp_path_factory):
    return Encoder(write(tmp_path_factory.mktemp("woorden"), TOKENS))


def asked(*pairs, question="Hoe sluit ik alle vensters?"):
    """Passages and statements as a question about an answer."""
    answer = " ".join(statement for _, statement in pairs)
    turn = Turn(question, answer, [passage for passage, _ in pairs])
    starts = [0, *itertools.accumulate(len(statement) + 1 for _, statement in pairs)]
    return Asked(
        turn,
        tuple(
            AskedStatement(statement, passage, start, start + len(statement))
            for (passage, statement), start in zip(pairs, starts, strict=False)
        ),
    )


def relations(said):
    return [one and one.relation for one in said.statements]


@pytest.mark.parametrize(("passage", "statement", "relation"), PAIRS)
@pytest.mark.parametrize("labels", list(itertools.permutations(NLI)))
def test_labels_in_any_order(tmp_path, labels, passage, statement, relation):
    said = Encoder(write(tmp_path, labels)).ask(asked((passage, statement)))
    assert relations(said) == [relation]
    assert 0.5 < said.statements[0].probability <= 1
    assert said.problems == ()


@pytest.mark.parametrize(
    ("labels", "passage", "statement", "relation"),
    [
        (labels, *case)
        for labels in (("entailment", "not_entailment"), ("not_entailment", "entailment"), TOKENS)
        for case in PAIRS
        if labels != TOKENS or case[:2] != ["U kiest niet het tabblad.", "U kiest het tabblad."]
    ],
)
def test_two_labels_know_no_contradiction(tmp_path, labels, passage, statement, relation):
    """What leaves a word out has no token that is new."""
    said = Encoder(write(tmp_path, labels)).ask(asked((passage, statement)))
    assert relations(said) == ["supported" if relation == "supported" else "not_stated"]


def test_all_statements_in_order(inference):
    said = inference.ask(asked(*(case[:2] for case in PAIRS)))
    assert relations(said) == [case[2] for case in PAIRS]
    assert said.usage.calls == len(PAIRS)
    assert said.usage.cost_usd == 0
    assert said.usage.prompt_tokens > 10 * len(PAIRS)


def test_tokens_are_read_in_one_go_and_told_apart(detector):
    said = detector.ask(asked((DUTCH, "Alt F7 sluit u."), (DUTCH, "Klik op F8."), (DUTCH, "Alt.")))
    assert relations(said) == ["supported", "not_stated", "supported"]
    assert said.usage.calls == 1


def test_the_question_supports_tokens(detector):
    pair = (DUTCH, "Met F7 sluit u uw tab.")
    assert relations(detector.ask(asked(pair))) == ["not_stated"]
    assert relations(detector.ask(asked(pair, question="Uw tab?"))) == ["supported"]


@pytest.mark.parametrize(("question", "statement", "relation"), TABLES["openings"])
def test_yes_and_no_are_read_after_the_question(inference, question, statement, relation):
    said = inference.ask(asked((DUTCH, statement), question=question))
    assert relations(said) == [relation]


@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_a_statement_without_passage_is_not_asked(request, opinion):
    encoder = request.getfixturevalue(opinion)
    said = encoder.ask(asked(("", DUTCH), (DUTCH, DUTCH), (DUTCH, " ")))
    assert relations(said) == [None, "supported", None]


@pytest.mark.parametrize("pairs", [(), (("", DUTCH),), ((" ", DUTCH),), ((DUTCH, " "),)])
@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_nothing_to_ask(request, opinion, pairs):
    said = request.getfixturevalue(opinion).ask(asked(*pairs))
    assert (said.statements, said.reason_code) == ((), "nothing_to_ask")
    assert said.reason == "no statement has a passage to be held against"


@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_the_same_alone_together_in_threads_and_anew(request, opinion, tmp_path):
    encoder = request.getfixturevalue(opinion)
    each = [asked(case[:2]) for case in PAIRS] * 5
    alone = [encoder.ask(one).statements for one in each]
    with ThreadPoolExecutor(4) as pool:
        assert [one.statements for one in pool.map(encoder.ask, each)] == alone
    if opinion == "inference":
        together = encoder.ask(asked(*(case[:2] for case in PAIRS)))
        assert together.statements == tuple(one for (one,) in alone[: len(PAIRS)])
    other = Encoder(write(tmp_path / "x", TOKENS if opinion == "detector" else NLI), threads=2)
    assert [other.ask(one).statements for one in each] == alone
    assert other.signature == encoder.signature.replace("threads:1", "threads:2")
    assert "|" not in other.signature


@pytest.mark.parametrize("before", [0, 1, 200, 245, 250, 255, 300, 600, 1200])
@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_a_long_passage_is_read_in_windows(request, opinion, before):
    passage = FILLER * before + DUTCH + " " + FILLER * 300
    said = request.getfixturevalue(opinion).ask(
        asked((passage, "U sluit alle vensters met Alt F7."), (passage, "Met F8 sluit u."))
    )
    assert relations(said) == ["supported", "not_stated"]
    assert said.problems == ()


@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_what_is_not_read_is_told(request, opinion):
    encoder = request.getfixturevalue(opinion)
    far = asked((FILLER * 3_000 + DUTCH, DUTCH))
    said = encoder.ask(far)
    assert relations(said) == ["not_stated"]
    assert said.problems == ("only the beginning of a long passage is read",)
    assert said.usage.calls <= 8

    long = asked((DUTCH, "Alt F7. " * 400 + "Klik."), question="Alt " * 400)
    said = encoder.ask(long)
    assert relations(said) == ["supported"]
    parts = ("statement 1", "the question")
    assert said.problems == tuple(f"only the beginning of {part} is read" for part in parts)


def test_so_many_pairs_and_no_more(inference, detector):
    pairs = [(f"{DUTCH} {FILLER * number}", DUTCH) for number in range(MOST_PAIRS + 1)]
    said = inference.ask(asked(*pairs))
    assert relations(said) == ["supported"] * MOST_PAIRS + [None]
    assert said.problems == ("only the first 64 pairs of texts are read",)
    assert None not in inference.ask(asked(*pairs[:-1])).statements
    said = detector.ask(asked(*[(DUTCH, DUTCH)] * 200))
    assert relations(said) == ["supported"] * 200
    assert 4 < said.usage.calls < 10


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 Alt F7",
        "\x00" * 100 + "Alt",
        "a" * (LONGEST_CHARS + 1),
        "é😀" * 5_000,
        "[SEP] [CLS] Alt F7 [SEP] Klik",
        "{{ __import__('os') }}",
    ],
    ids=["surrogate", "null", "one word", "emoji", "special tokens", "code"],
)
@pytest.mark.parametrize("opinion", ["inference", "detector"])
def test_texts_of_every_kind(request, opinion, text):
    encoder = request.getfixturevalue(opinion)
    for pair in ((text, DUTCH), (DUTCH, text), (text, text)):
        said = encoder.ask(asked(pair, question=text))
        assert len(said.statements) == 1 or said.reason_code == "nothing_to_ask"


def test_a_model_that_fails_on_an_answer_says_so(tmp_path, inference):
    words = ("alt", "f7", "buiten")
    folder = write(tmp_path, words=words)
    small = write(tmp_path / "small", words=words[:2])
    (folder / "model.onnx").write_bytes((small / "model.onnx").read_bytes())
    encoder = Encoder(folder)
    assert relations(encoder.ask(asked(("Alt F7", "F7")))) == ["supported"]
    said = encoder.ask(asked(("Alt F7", "F7"), ("Buiten", "Alt")))
    assert (said.statements, said.reason_code, said.usage.calls) == ((), "internal", 1)
    assert said.reason.startswith("the model fails: ")


def test_numbers_that_are_no_numbers(tmp_path):
    beyond = dict.fromkeys(NLI, (0, 3e38, 3e38))
    encoder = Encoder(write(tmp_path, logits=beyond))
    assert encoder.ask(asked((DUTCH, DUTCH))).statements
    said = encoder.ask(asked((DUTCH, "U kiest niet.")))
    assert (said.statements, said.reason_code) == ((), "internal")
    assert said.reason == "the model gives numbers that are not finite"
