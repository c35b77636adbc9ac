"""An encoder holds statements against passages: labels in any order, windows, cuts."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest

from klopt import Turn
from klopt.llm.opinions import OpinionRequest
from klopt.llm.opinions.nli import MAX_TEXT_CHARS, NliModel
from klopt.scoring.assessment import CheckedClaim, PagePlace
from tests.llm.opinions.onnx_models import NLI, write
from tests.tables import tables

TABLES = tables("llm/opinions", "encoder")
DUTCH = "Met Alt F7 sluit u alle vensters."
FILLER = "het tabblad "
"""Two words of the model that no statement has."""

PAIRS: list[tuple[str, str]] = [(passage, text) for passage, text, _ in TABLES["pairs"]]
RELATIONS: list[str] = [relation for *_, relation in TABLES["pairs"]]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return NliModel(write(tmp_path_factory.mktemp("nli-klein")))


def asked(*pairs, question="Hoe sluit ik alle vensters?"):
    """Passages and statements as a question about an answer."""
    turn = Turn(question, " ".join(dict(pairs).values()), [passage for passage, _ in pairs])
    return OpinionRequest(turn, tuple(statement(text, passage) for passage, text in pairs))


def statement(text, passage):
    place = PagePlace("", passage, 0, len(passage), 1) if passage else None
    return CheckedClaim(text, 0, len(text), "not_stated", False, 0.5, place, ())


def relations(said):
    return [one and one.relation for one in said.claims]


@pytest.mark.parametrize("labels", list(itertools.permutations(NLI)))
def test_labels_in_any_order(tmp_path, labels):
    said = NliModel(write(tmp_path, labels)).ask(asked(*PAIRS))
    assert relations(said) == RELATIONS
    assert all(0.5 < each.probability <= 1 for each in said.claims)
    assert said.problems == ()


@pytest.mark.parametrize(("question", "statement", "relation"), TABLES["openings"])
def test_yes_and_no_are_read_after_the_question(encoder, question, statement, relation):
    said = encoder.ask(asked((DUTCH, statement), question=question))
    assert relations(said) == [relation]


@pytest.mark.parametrize("pairs", [(), (("", DUTCH),), ((" ", DUTCH),), ((DUTCH, " "),)])
def test_nothing_to_ask(encoder, pairs):
    said = encoder.ask(asked(*pairs))
    assert (said.claims, said.reason_code) == ((), "nothing_to_ask")
    assert said.reason


def test_the_same_alone_together_in_threads_and_anew(encoder, tmp_path):
    each = [asked(pair) for pair in PAIRS] * 5
    alone = [encoder.ask(pair).claims for pair in each]
    with ThreadPoolExecutor(4) as pool:
        assert [said.claims for said in pool.map(encoder.ask, each)] == alone
    together = encoder.ask(asked(*PAIRS))
    assert together.claims == tuple(said for (said,) in alone[: len(PAIRS)])
    other = NliModel(write(tmp_path / "x"), threads=2)
    assert [other.ask(pair).claims for pair in each] == alone
    assert other.signature == encoder.signature.replace("threads:1", "threads:2")
    assert "|" not in other.signature


@pytest.mark.parametrize("before", [0, 1, 200, 240])
def test_what_stands_within_the_tokens_is_read(encoder, before):
    said = encoder.ask(asked((FILLER * before + DUTCH, "U sluit alle vensters met Alt F7.")))
    assert (relations(said), said.problems) == (["supported"], ())


def test_what_is_not_read_is_told(encoder):
    said = encoder.ask(asked((DUTCH, DUTCH), (FILLER * 3_000 + DUTCH, DUTCH)))
    assert relations(said) == ["supported", "not_stated"]
    told = "claim {} or its passage is truncated"
    assert said.problems == (told.format(2),)
    said = encoder.ask(asked((DUTCH, "Ja, alt F7. " * 400 + "Klik."), question="Alt " * 4_000))
    assert (relations(said), said.problems) == (["supported"], (told.format(1),))


KINDS = {
    "surrogate": "\ud800 Alt F7",
    "null": "\x00" * 100 + "Alt",
    "one word": "a" * (MAX_TEXT_CHARS + 1),
    "emoji": "é😀" * 500,
    "special tokens": "[SEP] [CLS] Alt F7 [SEP] Klik",
    "code": "{{ __import__('os') }}",
}


@pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)
def test_texts_of_every_kind(encoder, text):
    for pair in ((text, DUTCH), (DUTCH, text), (text, text)):
        said = encoder.ask(asked(pair, question=text))
        assert len(said.claims) == 1 or said.reason_code == "nothing_to_ask"


def test_a_model_that_fails_on_an_answer_says_so(tmp_path):
    words = ("alt", "f7", "buiten")
    folder = write(tmp_path, words=words)
    small = write(tmp_path / "small", words=words[:2])
    (folder / "model.onnx").write_bytes((small / "model.onnx").read_bytes())
    encoder = NliModel(folder)
    assert relations(encoder.ask(asked(("Alt F7", "F7")))) == ["supported"]
    said = encoder.ask(asked(("Alt F7", "F7"), ("Buiten", "Alt")))
    assert (said.claims, said.reason_code, said.usage.calls) == ((), "internal", 1)
    assert said.reason.startswith("the model fails: ")
