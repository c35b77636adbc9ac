"""The templates of training sentences, and their trees."""

import pytest

from training.steps import FOLDER, generate
from training.treebanks import DEPREL, FORM, HEAD, LEMMA, read_conllu

SEED = 7


@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_template_gives_a_tree(language):
    sentences = generate(language, seed=SEED, per_template=3)
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
