"""BERTScore with a tiny model of random weights; without the extra only its errors."""

import sys
from importlib.util import find_spec

import pytest

from klopt._internal.imports import install
from klopt.errors import ConfigurationError, ExtraMissingError
from klopt.reference.metrics import BertScorer

WORDS = "klik op de knop opslaan nieuw bestand sluiten en wacht even foto . , één"
WITHOUT = "bert-score is not installed; pip install 'klopt[bertscore]' to run these"

with_extra = pytest.mark.skipif(
    find_spec("bert_score") is None or find_spec("torch") is None, reason=WITHOUT
)
# torch, transformers and matplotlib emit deprecation warnings.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
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
    return BertScorer(folder)


@with_extra
def test_equal_texts_score_1_and_others_less(scorer):
    same = scorer.score("klik op opslaan .", "klik op opslaan .")
    assert same == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert -1.0 <= scorer.score("klik op opslaan .", "wacht even , en sluiten")["f1"] < 1.0


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ConfigurationError) as caught:
        BertScorer(tmp_path / "bert-base-uncased")
    assert str(caught.value) == (
        f"{tmp_path / 'bert-base-uncased'}: no model for BERTScore, because config.json is "
        "missing; give the folder of a model that transformers saved: klopt downloads none"
    )


def test_a_missing_package_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ExtraMissingError) as caught:
        BertScorer(tmp_path)
    assert str(caught.value) == f"BERTScore needs bert-score; install with: {install('bertscore')}"
