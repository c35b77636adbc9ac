"""``claims``: what each row gets, and what a person sees of it."""

import pytest

ROWS = (
    {
        "id": "[red]x[/]",
        "passage": "U sluit alle vensters met **Alt+F7** op het toetsenbord.",
        "claim": "U sluit alle vensters met `Alt+F8` op het toetsenbord.",
    },
    {
        "id": "key",
        "passage": "You close all the windows with **Alt+F7** on the keyboard.",
        "claim": "You close all the windows with `Alt+F8` on the keyboard.",
        "question": "How do I close all the windows?",
    },
    {
        "passage": "U mag een fiets lenen als u in het magazijn werkt.",
        "claim": "Ja, dat mag.",
        "question": "Mag ik een fiets lenen als ik in het magazijn werk?",
        "language": "nl",
    },
)


def test_each_row_gets_a_label_probabilities_and_slots_in_the_originals(klopt, tmp_path, write):
    run = klopt("claims", write(tmp_path / "claims.jsonl", *ROWS))
    assert run.code == 0
    assert [row["id"] for row in run.rows] == ["[red]x[/]", "key", "row-3"]
    for row in run.rows:
        assert list(row) == ["id", "label", "probabilities", "slots"]
        chances = row["probabilities"]
        assert list(chances) == ["supported", "contradicted", "not_stated"]
        assert sum(chances.values()) == pytest.approx(1, abs=0.001)
        assert chances[row["label"]] == max(chances.values())
    for given, row in zip(ROWS[:2], run.rows, strict=False):
        slot = next(slot for slot in row["slots"] if slot["side"] == "against")
        assert slot["kind"] == "key"
        for name, text, key in (
            ("claim", given["claim"], "Alt+F8"),
            ("page", given["passage"], "Alt+F7"),
        ):
            words = slot[name]
            assert text[words["start"] : words["end"]] == words["text"] == key
