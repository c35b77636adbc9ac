"""``klopt evaluate``: tables, JSON, files, and every way to ask for what is not there."""

from __future__ import annotations

import re

import pytest

STEPS = "1. Klik op **Bestand**.\n2. Klik op **Opslaan**.\n3. Kies de map van de medewerker."
INVENTED = "Klik op **Bestand** en daarna op **Bewaren als**."
SENTENCE = "U bewaart een document in het dossier van de medewerker."
QUESTION = "Hoe sla ik een document op?"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def rated(**changes):
    """Twelve rows: steps from the page (5), an invented button (1), a sentence of it (4)."""
    for index, (answer, rating) in enumerate([(STEPS, 5), (INVENTED, 1), (SENTENCE, 4)] * 4):
        row = {
            "id": f"row-{index}",
            "question": QUESTION,
            "answer": answer,
            "contexts": ["opslaan"],
            "message_type": "instruction",
            "rating": rating,
            "team": "ab"[index % 2],
        }
        row |= {name: change(row) for name, change in changes.items()}
        yield {name: value for name, value in row.items() if value is not None}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rated")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "rated.jsonl", *rated())


@pytest.fixture(scope="module")
def run(klopt, company):
    def start(file, *arguments, **settings):
        options = ("--pages", company.pages, "--resamples", 100)
        return klopt("evaluate", file, *options, *arguments, **settings)

    return start


@pytest.fixture(scope="module")
def piped(run, log):
    return run(log)


@pytest.fixture(scope="module")
def on_terminal(run, log):
    return run(
        log, "--against", "afas", "--by", "team", terminal=True,
        terminal_err=False,
    )  # fmt: skip


def text_of(run):
    return ANSI.sub("", run.out)


def test_json_when_no_one_looks_on(piped):
    assert (piped.code, piped.err) == (0, "")
    (found,) = piped.rows
    assert found["rows"]["rated"] == 12
    assert found["profiles"][0]["agreement"][0]["auc"]["value"] == 1
    assert [one["slice"] for one in found["profiles"][0]["agreement"]] == [
        "all",
        "language: nl",
        "message type: instruction",
    ]


def test_json_on_a_terminal_and_to_a_file_are_the_same_bytes(run, log, piped, tmp_path):
    assert run(log, "--json", terminal=True, terminal_err=False).out == piped.out
    to_file = run(log, "-o", tmp_path / "figures.json", terminal=True, terminal_err=False)
    assert (to_file.code, to_file.out) == (0, "")
    assert to_file.err == f"Written to {tmp_path / 'figures.json'}.\n"
    assert (tmp_path / "figures.json").read_text("utf-8") == piped.out
    assert [one.name for one in tmp_path.iterdir()] == ["figures.json"]


def test_another_seed_moves_the_intervals_only(run, folder, write):
    rows = rated(rating=lambda row: 1 + int(row["id"].removeprefix("row-")) % 5)
    file = write(folder / "mixed.jsonl", *rows)
    (first,), (second,) = run(file).rows, run(file, "--seed", 1).rows
    one, other = (found["profiles"][0]["agreement"][0]["kendall"] for found in (first, second))
    assert (one["value"], one["p"]) == (other["value"], other["p"])
    assert (one["low"], one["high"]) != (other["low"], other["high"])


def test_a_narrow_terminal_cuts_no_figure_and_no_name(run, log):
    found = run(log, terminal=True, terminal_err=False, COLUMNS="40")
    text = text_of(found)
    assert "…" not in text
    for name in (
        "verbatim_guide_defined",
        "message type: instruction",
        r"True above untrue \(AUC\)",
    ):
        assert re.search(rf"^{name} .*\d", text, re.MULTILINE)
    words = text.partition("In plain words")[2]
    assert max(map(len, words.splitlines())) <= 40


def test_colour_on_a_terminal_only(run, on_terminal, piped, log):
    assert "\x1b[" in on_terminal.out
    assert "\x1b" not in piped.out
    plain = run(log, terminal=True, terminal_err=False, NO_COLOR="1")
    assert not re.search(r"\x1b\[(3|4|9)\dm", plain.out)


def test_rows_that_cannot_be_read_are_told_and_counted(run, folder, log):
    broken = folder / "broken.jsonl"
    broken.write_bytes(log.read_bytes() + b"{no\n" * 7)
    found = run(broken)
    assert found.code == 3
    assert found.rows[0]["rows"]["not_scored"] == {"row": 7}
    assert found.rows[0]["rows"]["total"] == 19
    lines = found.err.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith(f"Warning: {broken}, line 13: not JSON: ")
    assert lines[5] == "Warning: 2 more rows could not be read"


def test_what_a_log_says_does_not_take_over_the_terminal(run, folder, write):
    evil = "\x1b[2J\u202e[red]x"
    rows = rated(
        id=lambda row: row["id"] + evil,
        rating=lambda row: 6 - row["rating"],
        **{f"f{evil}": lambda row: evil},
    )
    file = write(folder / "evil.jsonl", *rows)
    found = run(file, "--by", f"f{evil}", terminal=True, terminal_err=False)
    assert found.code == 0
    assert "\x1b[2J" not in found.out
    assert "\u202e" not in found.out
    assert "row-0\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}[red]x" in found.out
    refused = run(file, "--by", f"g{evil}")
    assert "\x1b" not in refused.err
    assert "\u202e" not in refused.err
