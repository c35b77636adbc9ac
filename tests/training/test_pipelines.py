"""Training of pipelines: sentences from templates, counts of lemmas, and the command's steps."""

import json
import shutil

import pytest
import spacy

from training.lemmas import base_lemmas, count
from training.pipelines import main
from training.steps import FOLDER, generate
from training.treebanks import DEPREL, FORM, HEAD, LEMMA, Sentence, read_conllu


@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_template_gives_a_tree(language):
    sentences = generate(language, seed=7, per_template=3)
    assert len(sentences) > 200
    for rows in sentences:
        heads = {int(row[0]): int(row[HEAD]) for row in rows}
        assert sorted(heads) == list(range(1, len(rows) + 1))
        assert list(heads.values()).count(0) == 1
        for number in heads:
            seen = set()
            while number:
                assert number not in seen, [row[FORM] for row in rows]
                seen.add(number)
                number = heads[number]
        for row in rows if language == "nl" else ():
            if row[DEPREL] == "compound:prt":
                assert rows[int(row[HEAD]) - 1][LEMMA].startswith(f"{row[LEMMA]}_")


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_held_out_sentence_is_generated(language):
    held_out = {
        " ".join(row[FORM] for row in rows)
        for rows in read_conllu(FOLDER / f"{language}-heldout.conllu")
    }
    assert len(held_out) == 40
    for seed in range(3):
        for rows in generate(language, seed=seed, per_template=7):
            assert " ".join(row[FORM] for row in rows) not in held_out


def _rows(text: str) -> Sentence:
    rows = []
    for number, word in enumerate(text.split(), 1):
        form, lemma, pos, head, label = word.split("/")
        rows.append([str(number), form, lemma, pos, "_", "_", head, label, "_", "_"])
    return rows


SWITCH_OFF = _rows("Zet/uit_zetten/VERB/0/root hem/hem/PRON/1/obj uit/uit/ADP/1/compound:prt")
CABLES = _rows(
    "netwerkkabels/netwerk_kabel/NOUN/0/root antennekabels/antenne_kabel/NOUN/1/conj "
    "kabels/kabel/NOUN/1/conj wetsontwerp/wet_ontwerp/NOUN/1/conj"
)
WAS = [_rows("was/zijn/AUX/0/root"), _rows("was/worden/AUX/0/root")]


def test_forms_particles_and_parts_are_counted():
    assert base_lemmas(SWITCH_OFF) == ["zetten", "hem", "uit"]
    assert base_lemmas(_rows("uitgezet/uit_zetten/VERB/0/root")) == ["uit_zetten"]
    tables = count([SWITCH_OFF, CABLES, *WAS], marks_structure=True)
    assert tables.forms["VERB"] == {"zet": "zetten"}
    assert "was" not in tables.forms.get("AUX", {})
    assert set(tables.doubtful["AUX"]["was"]) == {"zijn", "worden"}
    assert tables.particles == ("uit",)
    assert (tables.modifiers["wets"], tables.heads["kabels"]) == ("wet", "kabel")
    assert tables.productive_heads == ("kabels",)
    without = count([SWITCH_OFF, CABLES], marks_structure=False)
    assert (without.particles, without.heads) == ((), {})


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
