"""The templates of our own training sentences, and the trees that they give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from training.steps import FOLDER, Steps, generate
from training.treebanks import DEPREL, FORM, HEAD, LEMMA, Sentence, read_conllu

SEED = 7
HEADER = """
[names]
label = ["Opslaan", "Regio en taal"]
[phrases]
thing = ["het nieuwe bestand"]
[verbs]
switch = ["zet|uit|uit_zetten|uitzetten|uitgezet|zet"]
[words]
VERB = ["klik=klikken"]
ADP = ["op"]
DET = ["het"]
PRON = ["het"]
ADJ = ["nieuwe=nieuw"]
PUNCT = [","]
"""


def _steps(folder: Path, tree: str) -> Steps:
    path = folder / "nl.toml"
    path.write_text(f'{HEADER}[[templates]]\ntrees = ["{tree}"]\n', "utf-8")
    return Steps(path)


def _show(rows: Sentence) -> str:
    return " ".join(f"{row[FORM]}/{row[LEMMA]}/{row[HEAD]}/{row[DEPREL]}" for row in rows)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_template_makes_a_tree(language: str) -> None:
    sentences = generate(language, seed=SEED, per_template=3)
    assert len(sentences) > 200
    for rows in sentences:
        heads = {int(row[0]): int(row[HEAD]) for row in rows}
        assert sorted(heads) == list(range(1, len(rows) + 1))
        assert list(heads.values()).count(0) == 1
        for number in heads:
            seen = set()
            while number:
                assert number not in seen, _show(rows)
                seen.add(number)
                number = heads[number]


@pytest.mark.parametrize("language", ["nl", "en"])
def test_there_are_many_and_the_seed_decides(language: str) -> None:
    assert len(Steps(FOLDER / f"{language}.toml").templates) >= 70
    first, again, other = (
        generate(language, seed=seed, per_template=7) for seed in (SEED, SEED, SEED + 1)
    )
    assert 600 <= len(first) <= 1000
    assert first == again != other


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_held_out_sentence_is_generated(language: str) -> None:
    held_out = {
        " ".join(row[FORM] for row in rows)
        for rows in read_conllu(FOLDER / f"{language}-heldout.conllu")
    }
    assert len(held_out) == 40
    for seed in range(3):
        for rows in generate(language, seed=seed, per_template=7):
            assert " ".join(row[FORM] for row in rows) not in held_out


def test_a_label_is_flat_and_a_particle_marks_its_verb(tmp_path: Path) -> None:
    steps = _steps(tmp_path, "{switch.imp}:root {thing}:obj>1 {switch.particle}:compound:prt>1")
    [rows] = steps.sentences(seed=SEED, per_template=1)
    assert _show(rows[:5]) == (
        "Zet/uit_zetten/0/root het/het/4/det nieuwe/nieuw/4/amod bestand/bestand/1/obj "
        "uit/uit/1/compound:prt"
    )
    steps = _steps(tmp_path, "Klik:root op:case>3 {label}:obl:arg>1")
    shown = {_show(rows[:5]) for rows in steps.sentences(seed=SEED, per_template=20)}
    assert (
        "Klik/klikken/0/root op/op/3/case Regio/Regio/1/obl:arg en/en/3/flat taal/taal/3/flat"
        in shown
    )


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("Klik:root op", '"op" is not form:label>head'),
        ("Klik:root spook:obj>1", '"spook" has no part of speech; write form/POS'),
        ("Klik:root het:obl>1", '"het" has DET, PRON; write form/POS'),
    ],
)
def test_a_wrong_item_is_named(tmp_path: Path, tree: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        _steps(tmp_path, tree).sentences(seed=SEED, per_template=1)
