"""The encoder of `careful`, with the weights of the distribution klopt-careful."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from klopt import Scorer, Turn
from klopt.errors import ConfigurationError, ExtraMissingError
from klopt.heuristics import Material
from klopt.scoring.measuring import Measuring
from klopt.verification import ENCODER_FEATURES, FEATURES
from klopt.verification.encoder import (
    CLAIM_TOKENS,
    MAX_CLAIMS,
    NOT_READ,
    PASSAGE_TOKENS,
    ClaimEncoder,
    encode,
    shipped_encoder,
)

FOLDER = pytest.importorskip(
    "klopt_careful", reason="klopt-careful is not installed: pip install ./packages/klopt-careful"
).FOLDER
PAGE = (
    "# Termijnbedrag\n\nLog in en kies **Termijnbedrag**. Je mag het bedrag één keer per 30 dagen "
    "wijzigen. Een medebewoner ziet het bedrag wel, maar kan het niet veranderen."
)
QUESTION = "Hoe wijzig ik mijn termijnbedrag?"
TRUE = "Kies **Termijnbedrag** nadat je bent ingelogd."
UNTRUE = "Een medebewoner kan het bedrag zelf veranderen."


@pytest.fixture(scope="module")
def careful():
    return Scorer.load("careful")


def turn(answer, *pages, language="nl"):
    return Turn(QUESTION, answer, pages or [PAGE], language=language)


def material(scorer, one) -> Material:
    return Measuring(scorer.setup).material(one)


def features(scorer, answer):
    claims = material(scorer, turn(answer)).claims
    return np.array([claim.features for claim in claims])


def test_claims_have_the_encoder_features_too(careful):
    found = features(careful, TRUE)
    assert found.shape == (1, len(FEATURES) + len(ENCODER_FEATURES))
    assert features(Scorer.load(), TRUE).shape == (1, len(FEATURES))


def test_claim_reads_alike_whatever_stands_beside_it(careful):
    both = features(careful, f"{TRUE} {UNTRUE}")
    alone = [features(careful, answer) for answer in (TRUE, UNTRUE)]
    width = len(FEATURES)
    assert both[:, width:].tolist() == np.concatenate(alone)[:, width:].tolist()


def test_threads_do_not_change_a_score(careful):
    turns = [turn(answer) for answer in (TRUE, UNTRUE, f"{TRUE} {UNTRUE}")] * 4
    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(lambda one: careful.score(one).score, turns))
    assert threaded == [careful.score(one).score for one in turns]


def test_supported_claim_scores_above_a_contradicted_one(careful):
    assert careful.score(turn(TRUE)).score > careful.score(turn(UNTRUE)).score


def test_contradiction_by_a_rule_bounds_the_encoder(careful):
    page = "# Vensters\n\nSluit alle vensters met `Alt+F7`."
    found = careful.score(turn("Sluit alle vensters met `Alt+F8`.", page))
    assert found.verdict != "send"
    assert found.claims[0].truth <= 0.45


def test_fingerprint_names_the_weights(careful):
    digest = shipped_encoder().digest
    assert careful.score(turn(TRUE)).fingerprint.endswith(f"|encoder:{digest}")
    assert "encoder" not in Scorer.load().score(turn(TRUE)).fingerprint


def test_nothing_is_sent_when_the_time_is_up():
    answer = " ".join([TRUE, UNTRUE] * 4)
    clock = iter(range(10_000))
    slow = Scorer.load("careful", clock=lambda: next(clock) / 1000)
    found = [slow.score(turn(answer), budget_ms=ms) for ms in range(2, 60, 4)]
    late = [one for one in found if one.cut_off and "encoder" in one.cut_off.unmeasured]
    assert late
    plain = Scorer.load().score(turn(answer))
    for one in late:
        assert one.status == "cut_off"
        assert one.verdict != "send"
        assert [claim.truth for claim in one.claims] == [claim.truth for claim in plain.claims]
    assert found[-1].cut_off is None


@pytest.mark.parametrize(
    "answer",
    [
        "x" * 20_000,
        "Kies\x00Termijnbedrag\x07 en\u200bklik.",
        "\ud800 kies Termijnbedrag.",
        "选择 التاريخ και Termijnbedrag.",
        "Termijnbedrag " * 5_000,
    ],
)
def test_odd_text_gets_a_status(careful, answer):
    assert careful.score(turn(answer)).status in {"scored", "not_scorable"}


def test_claims_beyond_the_limit_are_not_read(careful):
    many = " ".join(
        f"Je mag het bedrag {number} keer wijzigen." for number in range(MAX_CLAIMS + 9)
    )
    found = features(careful, many)
    assert found[MAX_CLAIMS:, len(FEATURES) :].tolist() == [list(NOT_READ)] * (
        len(found) - MAX_CLAIMS
    )


def test_tokens_keep_the_end_of_the_claim_and_the_start_of_the_passage():
    tokens = encode(range(1_000), range(1_000))
    assert tokens[1 : CLAIM_TOKENS + 1] == list(range(1_000))[-CLAIM_TOKENS:]
    assert tokens[-PASSAGE_TOKENS - 1 : -1] == list(range(PASSAGE_TOKENS))
    assert len(tokens) == CLAIM_TOKENS + PASSAGE_TOKENS + 4


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "own", ignore=shutil.ignore_patterns("*.py", "__*"))
    return tmp_path / "own"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "support.toml"])
@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "other"])
def test_damaged_weights_are_one_clear_error(folder, name, damage):
    path = folder / name
    content = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(
            {"empty": b"", "truncated": content[: len(content) // 2]}.get(damage, b"x=")
        )
    with pytest.raises(ConfigurationError) as caught:
        ClaimEncoder(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_model_of_another_kind_is_refused(folder):
    import onnx

    model = onnx.load(folder / "model.onnx")
    model.graph.output[0].name = "other"
    for node in model.graph.node:
        node.output[:] = ["other" if one == "logits" else one for one in node.output]
    onnx.save(model, folder / "model.onnx")
    with pytest.raises(ConfigurationError, match="logits"):
        ClaimEncoder(folder)


def test_missing_distribution_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "klopt_careful", None)
    shipped_encoder.cache_clear()
    try:
        with pytest.raises(ExtraMissingError, match=r"klopt\[careful\]"):
            Scorer.load("careful")
    finally:
        shipped_encoder.cache_clear()
