"""``claims``: rows of passage and claim; what is wrong with a row; people's labels."""

from __future__ import annotations

import json

import pytest

from klopt.batch.claims import LIMITS_CHARS

ROWS = (
    {
        "id": "toets",
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
LABELS = ["supported", "contradicted", "not_stated"]


@pytest.fixture
def rows(tmp_path, write):
    return write(tmp_path / "claims.jsonl", *ROWS)


def test_each_row_gets_a_label_probabilities_and_slots(klopt, rows):
    run = klopt("claims", rows)
    assert (run.code, run.err) == (0, "")
    assert [row["id"] for row in run.rows] == ["toets", "key", "row-3"]
    for row in run.rows:
        assert list(row) == ["id", "label", "probabilities", "slots"]
        chances = row["probabilities"]
        assert list(chances) == LABELS
        assert sum(chances.values()) == pytest.approx(1, abs=0.001)
        assert chances[row["label"]] == max(chances.values())


def test_slots_lead_to_the_original_texts(klopt, rows):
    for given, row in zip(ROWS[:2], klopt("claims", rows).rows, strict=False):
        against = [slot for slot in row["slots"] if slot["side"] == "against"]
        assert [slot["kind"] for slot in against][:1] == ["key"]
        for name, text in (("claim", given["claim"]), ("page", given["passage"])):
            words = against[0][name]
            assert text[words["start"] : words["end"]] == words["text"]
        assert (against[0]["claim"]["text"], against[0]["page"]["text"]) == ("Alt+F8", "Alt+F7")


def test_an_output_file_and_a_last_line(klopt, tmp_path, rows):
    output = tmp_path / "compared.jsonl"
    run = klopt("claims", rows, "-o", output)
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith("3 claims: ")
    assert run.err.endswith(f"Written to {output}.\n")
    assert [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()] == [
        *("toets", "key", "row-3")
    ]
    again = klopt("claims", rows, "-o", rows)
    assert again.code == 2
    assert "is the input" in again.err


BAD = [
    ({"passage": "Dat kan.", "claim": 5}, "claim is not text but 5"),
    ({"claim": "Dat kan."}, "there is no passage; the fields are id, claim"),
    ({"passage": "Dat kan.", "claim": ""}, "there is no claim"),
    ({"passage": "…", "claim": "Dat kan hier niet."}, "the passage has no words"),
    ({"passage": "qq 12", "claim": "ww 13"}, "state it in the row, or with --language"),
    (
        {"passage": "Dat kan.", "claim": "Dat kan.", "language": "de"},
        'nothing compares statements in "de": the languages are en, nl',
    ),
    (
        {"passage": "Dat kan.", "claim": "d" * (LIMITS_CHARS["claim"] + 1)},
        "claim has 20,001 characters, at most 20,000 are read",
    ),
]


@pytest.mark.parametrize(("row", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_row_is_told_and_the_others_are_compared(klopt, tmp_path, write, row, reason):
    log = write(tmp_path / "claims.jsonl", {"id": "bad", **row}, ROWS[0])
    run = klopt("claims", log)
    assert run.code == 3
    bad, good = run.rows
    assert bad == {
        **{"id": "bad", "label": None, "probabilities": None, "slots": []},
        "reason": bad["reason"],
    }
    assert reason in bad["reason"]
    assert run.err == f"Warning: {bad['reason']}\n"
    assert good["label"] in LABELS


def test_what_is_not_json_and_odd_characters_lose_no_row(klopt):
    odd = {**ROWS[0], "claim": "U sluit \ud800 alle vensters\x1b[31m met [bold]Alt+F8[/]."}
    lines = b"nope\n" + json.dumps(odd).encode() + b"\n"
    run = klopt("claims", "-", stdin=lines)
    assert run.code == 3
    assert [row["id"] for row in run.rows] == ["row-1", "toets"]
    assert run.rows[1]["label"] in LABELS


def test_labels_of_people_are_counted_in_the_last_line(klopt, tmp_path, write):
    found = [row["label"] for row in klopt("claims", "-", stdin=_lines(ROWS)).rows]
    other = next(label for label in LABELS if label != found[2])
    labels = (found[0], found[1], other)
    judged = [{**row, "label": label} for row, label in zip(ROWS, labels, strict=True)]
    odd = {**ROWS[0], "label": "maybe"}
    run = klopt("claims", write(tmp_path / "claims.jsonl", *judged, odd))
    assert run.code == 0
    warning, last = run.err.splitlines()
    assert warning == (
        'Warning: row 4: label "maybe" is not counted; it is none of supported, contradicted, '
        "not_stated"
    )
    assert last.startswith("4 claims: ")
    assert "Beside people's labels of 3: 0.67 right of three; AUC supported " in last


def _lines(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def test_a_person_gets_a_table(klopt, tmp_path, write, rows):
    run = klopt("claims", rows, terminal=True)
    assert run.code == 0
    assert "what speaks against it" in run.out
    for said in ("antwoord: ", "answer: ", "Alt+F7", "Alt+F8"):
        assert said in run.out
    assert "3 claims: " in run.out
    assert klopt("claims", rows, "--json", terminal=True).rows == klopt("claims", rows).rows
    marked = {**ROWS[0], "id": "[red]x[/]"}
    assert "[red]x[/]" in klopt("claims", write(tmp_path / "m.jsonl", marked), terminal=True).out


def test_nothing_to_compare(klopt, tmp_path):
    empty = tmp_path / "claims.jsonl"
    empty.touch()
    assert klopt("claims", empty).err == "No rows.\n"
    assert klopt("claims", tmp_path / "none.jsonl").code == 3
