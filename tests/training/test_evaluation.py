"""Which sentences count as imperatives."""

from __future__ import annotations

import pytest

from training.evaluation import imperatives
from training.treebanks import Sentence


def _rows(*words: str) -> Sentence:
    rows = []
    for number, word in enumerate(words, 1):
        form, pos, features, head, label = word.split("/")
        rows.append([str(number), form, "_", pos, "_", features, head, label, "_", "_"])
    return rows


@pytest.mark.parametrize(
    ("words", "is_imperative"),
    [
        pytest.param(["Klik/VERB/_/0/root", "hier/ADV/_/1/advmod"], True, id="first word"),
        pytest.param(
            ["Please/INTJ/_/2/discourse", "wait/VERB/Mood=Imp/0/root"], True, id="second word"
        ),
        pytest.param(
            ["Open/VERB/Mood=Ind|Tense=Pres/0/root", "dit/PRON/_/1/obj"], True, id="Dutch features"
        ),
        pytest.param(["Kiest/VERB/_/0/root", "u/PRON/_/1/nsubj"], False, id="near miss: a subject"),
        pytest.param(["Wat/PRON/_/0/root", "nu/ADV/_/1/advmod"], False, id="near miss: no verb"),
        pytest.param(
            ["Lukt/VERB/_/0/root", "nu/ADV/_/1/advmod", "?/PUNCT/_/1/punct"],
            False,
            id="near miss: a question",
        ),
        pytest.param(["Openen/VERB/VerbForm=Inf/0/root"], False, id="near miss: an infinitive"),
        pytest.param(
            ["Loved/VERB/Mood=Ind|Tense=Past/0/root", "it/PRON/_/1/obj"],
            False,
            id="near miss: the past",
        ),
        pytest.param(
            ["In/ADP/_/3/case", "dat/DET/_/3/det", "menu/NOUN/_/4/obl", "klik/VERB/_/0/root"],
            False,
            id="near miss: the verb comes later",
        ),
    ],
)
def test_imperatives(words: list[str], is_imperative: bool) -> None:
    rows = _rows(*words)
    assert imperatives([rows]) == ([rows] if is_imperative else [])
