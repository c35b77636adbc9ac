"""`make pipelines` on a treebank of forty sentences: its steps, not its quality."""

import json
import shutil

import pytest
import spacy

from training.pipelines import main
from training.steps import FOLDER


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_a_treebank_gives_a_pipeline_and_its_card(tmp_path):
    treebanks, output = tmp_path / "treebanks", tmp_path / "pipelines"
    treebanks.mkdir()
    for part in ("train", "dev"):
        shutil.copy(FOLDER / "nl-heldout.conllu", treebanks / f"nl-{part}.conllu")
    arguments = ["--treebanks", treebanks, "--output", output, "--languages", "nl", "--steps", 3]
    assert main([*map(str, arguments)]) == 0
    folder = output / "nl"
    nlp = spacy.load(folder)
    assert nlp.pipe_names[-1] == "klopt_lemma_rules"
    assert nlp.get_pipe("klopt_lemma_rules").tables.forms["VERB"]["scrol"] == "scrollen"
    scores = json.loads((folder / "scores.json").read_text("utf-8"))
    assert set(scores) == {"first", "final"}
    card = (folder / "MODEL_CARD.md").read_text("utf-8")
    assert "CC BY-SA 4.0" in card
    assert "$" not in card
    assert str(tmp_path) not in (folder / "config.cfg").read_text("utf-8")
