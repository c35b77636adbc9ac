"""BERTScore by a tiny model of random weights, made here; without the extra only its errors."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from klopt.checking.metrics import BertScorer
from klopt.errors import ConfigurationError, ExtraMissingError
from klopt.extras import install

WORDS = "klik op de knop opslaan nieuw bestand sluiten en wacht even foto . , één"
WITHOUT = "bert-score is not installed; pip install 'klopt[bertscore]' to run these"

with_extra = pytest.mark.skipif(
    find_spec("bert_score") is None or find_spec("torch") is None, reason=WITHOUT
)
# Old corners of torch, transformers and matplotlib warn of one another.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    torch = pytest.importorskip("torch", reason=WITHOUT)
    transformers = pytest.importorskip("transformers", reason=WITHOUT)
    folder = tmp_path_factory.mktemp("models") / "bert-base-multilingual-cased"
    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split()]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=10,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
    )
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(
        str(folder / "vocab.txt"), do_lower_case=False, strip_accents=False
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def scorer(model):
    return BertScorer(model)


@with_extra
def test_equal_texts_are_one_and_others_less(scorer):
    same = scorer.score("klik op opslaan .", "klik op opslaan .")
    assert same == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert -1.0 <= scorer.score("klik op opslaan .", "wacht even , en sluiten")["f1"] < 1.0


@with_extra
def test_it_is_what_bert_score_itself_makes_of_the_model(model, scorer):
    bert_score = pytest.importorskip("bert_score", reason=WITHOUT)
    theirs = bert_score.BERTScorer(model_type=str(model), num_layers=9, device="cpu")
    theirs._tokenizer.model_max_length = 24  # the tokenizer's own is too large for a 64-bit figure
    answer, reference = "klik op de knop nieuw .", "klik op opslaan en wacht even ."
    figures = [float(one[0]) for one in theirs.score([answer], [reference])]
    assert list(scorer.score(answer, reference).values()) == pytest.approx(figures, abs=2e-6)


@with_extra
def test_a_long_text_is_cut_where_the_model_ends(scorer):
    head = "klik op de knop nieuw en wacht even . " * 2 + "klik op de knop"
    assert scorer.score(head + " nieuw", head + " sluiten" * 50)["f1"] == 1.0


@with_extra
def test_the_signature_names_the_model_by_its_weights(scorer):
    found = dict(part.split(":", 1) for part in scorer.signature().split("|"))
    assert found["model"] == "bert-base-multilingual-cased"
    assert found["layer"] == "9"
    assert len(found["sha256"]) == 12
    assert (found["idf"], found["rescale"]) == ("no", "no")


@with_extra
def test_a_name_that_bert_score_does_not_know_needs_a_layer(model):
    link = model.parent / "own-model"
    model_copy = link if link.exists() else model.rename(link)
    try:
        with pytest.raises(ConfigurationError) as caught:
            BertScorer(model_copy)
        assert str(caught.value) == (
            f"{link}: bert-score lists no layer for a model of this name; give one (about three "
            "quarters of those that the model has is usual)"
        )
        with pytest.raises(ConfigurationError, match="num_layers should be between 0 and 10"):
            BertScorer(model_copy, 11)
        assert "|layer:10|" in BertScorer(model_copy, 10).signature()
    finally:
        link.rename(model)


@with_extra
def test_a_broken_model_is_told(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert", "num_hidden_layers": 2}')
    with pytest.raises(ConfigurationError, match="the model cannot be loaded: "):
        BertScorer(tmp_path, 1)


OFFLINE = """
import json, os, sys

reached = []

def watch(event, arguments):
    if event.startswith(("socket.connect", "socket.getaddrinfo", "socket.sendto")):
        reached.append([event, repr(arguments)[:200]])

sys.addaudithook(watch)
from pathlib import Path
from klopt.checking.metrics import BertScorer
before = dict(os.environ)
found = BertScorer(Path(sys.argv[1])).score("klik op nieuw", "klik op nieuw")
print(json.dumps([found["f1"], reached, "HF_HUB_OFFLINE" in os.environ]))
"""


@with_extra
def test_no_network_is_reached_for_nor_the_environment_touched(model):
    run = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(model)], capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()[-2_000:]
    assert json.loads(run.stdout.splitlines()[-1]) == [1.0, [], False]
    assert b"weights" not in run.stderr


@with_extra
def test_a_path_that_bert_score_would_take_for_another_family_is_refused(model):
    with pytest.raises(ConfigurationError, match='"t5" in a path is for a model of that family'):
        BertScorer(model.rename(model.parent / "my-t5"), 9)
    (model.parent / "my-t5").rename(model)


def test_a_folder_without_a_model_is_told_before_anything_is_loaded(tmp_path):
    with pytest.raises(ConfigurationError) as caught:
        BertScorer(tmp_path / "bert-base-uncased")
    assert str(caught.value) == (
        f"{tmp_path / 'bert-base-uncased'}: no model for BERTScore is there (no config.json); give "
        "a folder that holds one as transformers saves it: klopt downloads none"
    )


def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ExtraMissingError) as caught:
        BertScorer(tmp_path)
    assert str(caught.value) == f"BERTScore needs bert-score; install with: {install('bertscore')}"
