"""An encoder compares claims with passages: labels in any order, windows, truncation."""

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
"""Two words of the model's vocabulary that no claim contains."""

PAIRS: list[tuple[str, str]] = [(passage, text) for passage, text, _ in TABLES["pairs"]]
RELATIONS: list[str] = [relation for *_, relation in TABLES["pairs"]]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return NliModel(write(tmp_path_factory.mktemp("nli-klein")))


def request_of(*pairs, question="Hoe sluit ik alle vensters?"):
    """The request for opinions on passages and claims."""
    turn = Turn(question, " ".join(dict(pairs).values()), [passage for passage, _ in pairs])
    claims = (
        CheckedClaim(text, 0, len(text), "not_stated", False, 0.5, place, ())
        for passage, text in pairs
        for place in [PagePlace("", passage, 0, len(passage), 1) if passage else None]
    )
    return OpinionRequest(turn, tuple(claims))


def relations(result):
    return [claim and claim.relation for claim in result.claims]


@pytest.mark.parametrize("labels", list(itertools.permutations(NLI)))
def test_labels_in_any_order(tmp_path, labels):
    result = NliModel(write(tmp_path, labels)).ask(request_of(*PAIRS))
    assert relations(result) == RELATIONS
    assert all(0.5 < claim.probability <= 1 for claim in result.claims)
    assert result.problems == ()


@pytest.mark.parametrize(("question", "claim", "relation"), TABLES["openings"])
def test_a_claim_that_opens_with_yes_or_no_is_read_with_the_question(
    encoder, question, claim, relation
):
    assert relations(encoder.ask(request_of((DUTCH, claim), question=question))) == [relation]


@pytest.mark.parametrize("pairs", [(), (("", DUTCH),), ((" ", DUTCH),), ((DUTCH, " "),)])
def test_no_claim_or_no_passage(encoder, pairs):
    result = encoder.ask(request_of(*pairs))
    assert (result.claims, result.reason_code) == ((), "nothing_to_ask")
    assert result.reason


def test_opinions_do_not_depend_on_batch_threads_or_instance(encoder, tmp_path):
    requests = [request_of(pair) for pair in PAIRS] * 5
    alone = [encoder.ask(request).claims for request in requests]
    with ThreadPoolExecutor(4) as pool:
        assert [result.claims for result in pool.map(encoder.ask, requests)] == alone
    together = encoder.ask(request_of(*PAIRS))
    assert together.claims == tuple(claim for (claim,) in alone[: len(PAIRS)])
    other = NliModel(write(tmp_path / "x"), threads=2)
    assert [other.ask(request).claims for request in requests] == alone
    assert other.signature == encoder.signature.replace("threads:1", "threads:2")
    assert "|" not in other.signature


@pytest.mark.parametrize("before", [0, 1, 200, 240])
def test_a_passage_within_the_token_limit_is_read_completely(encoder, before):
    pair = (FILLER * before + DUTCH, "U sluit alle vensters met Alt F7.")
    result = encoder.ask(request_of(pair))
    assert (relations(result), result.problems) == (["supported"], ())


def test_a_truncated_text_is_reported(encoder):
    result = encoder.ask(request_of((DUTCH, DUTCH), (FILLER * 3_000 + DUTCH, DUTCH)))
    assert relations(result) == ["supported", "not_stated"]
    problem = "claim {} or its passage is truncated"
    assert result.problems == (problem.format(2),)
    pair = (DUTCH, "Ja, alt F7. " * 400 + "Klik.")
    result = encoder.ask(request_of(pair, question="Alt " * 4_000))
    assert (relations(result), result.problems) == (["supported"], (problem.format(1),))


HOSTILE = {
    "surrogate": "\ud800 Alt F7",
    "null": "\x00" * 100 + "Alt",
    "one word": "a" * (MAX_TEXT_CHARS + 1),
    "emoji": "é😀" * 500,
    "special tokens": "[SEP] [CLS] Alt F7 [SEP] Klik",
    "code": "{{ __import__('os') }}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts(encoder, text):
    for pair in ((text, DUTCH), (DUTCH, text), (text, text)):
        result = encoder.ask(request_of(pair, question=text))
        assert len(result.claims) == 1 or result.reason_code == "nothing_to_ask"


def test_a_failure_of_the_model_on_an_answer_is_reported(tmp_path):
    words = ("alt", "f7", "buiten")
    folder = write(tmp_path, words=words)
    small = write(tmp_path / "small", words=words[:2])
    (folder / "model.onnx").write_bytes((small / "model.onnx").read_bytes())
    encoder = NliModel(folder)
    assert relations(encoder.ask(request_of(("Alt F7", "F7")))) == ["supported"]
    result = encoder.ask(request_of(("Alt F7", "F7"), ("Buiten", "Alt")))
    assert (result.claims, result.reason_code, result.usage.calls) == ((), "internal", 1)
    assert result.reason.startswith("the model fails: ")
