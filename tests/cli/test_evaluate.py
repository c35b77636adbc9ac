"""``klopt evaluate``: tables, JSON, files, and every way to ask for what is not there."""

from __future__ import annotations

import json
import re
import sys
import types
from importlib import resources

import pytest

from klopt import Scorer

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
            "second": "instruction" if index else "binary",
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
        log, "--against", "afas", "--by", "team", "--second-types", "second", terminal=True,
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


def test_the_tables_for_a_person(on_terminal):
    assert (on_terminal.code, on_terminal.err) == (0, "")
    text = text_of(on_terminal)
    for title in (
        *(
            title
            for name in ("default", "afas")
            for title in (
                f"Agreement with the ratings ({name})",
                f"Agreement with the ratings, by group ({name})",
                f"Scores for each rating ({name}; AFAS paper, table 5)",
                f"Each measurement alone against the ratings ({name})",
                f"Agreement with and without each measurement ({name})",
                f"What a threshold costs ({name})",
            )
        ),
        "Spearman by measurement and message type (AFAS paper, table 2)",
        "Message types, klopt's beside the person's (AFAS paper, table 3)",
        "In plain words",
    ):
        assert title in text
    assert re.search(r"^True above untrue \(AUC\) +1\.00 +1\.00 to 1\.00 +12", text, re.MULTILINE)
    assert re.search(r"^team: b +6 ", text, re.MULTILINE)
    assert re.search(
        r"^Share of answers with +Rated 1 +Rated 2 +Rated 3 +Rated 4 +Rated 5$", text, re.MULTILINE
    )
    assert re.search(r"^score 1: a part that no page has +100% +– +– +0% +0%", text, re.MULTILINE)
    assert re.search(r"^Answers +4 +0 +0 +4 +4", text, re.MULTILINE)
    assert "Their agreement is slight: Cohen's kappa 0.00" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


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


def test_a_common_terminal_is_wide_enough(run, log):
    found = run(log, "--against", "afas", terminal=True, terminal_err=False, COLUMNS="80")
    assert max(map(len, text_of(found).splitlines())) <= 80


def test_the_sentences_for_a_person(on_terminal):
    words = " ".join(text_of(on_terminal).partition("In plain words")[2].split())
    assert (
        "- 12 answers, all rated from 1 to 5 by people. Profile default scored all of them."
    ) in words
    assert (
        "- default: On the 12 answers that are both rated and scored, agreement with people is "
        "strong: Spearman "
    ) in words
    assert (
        "- afas: Of a true and an untrue answer, the true one scores higher 100% of the time "
        "(100% to 100%); a coin would do 50%."
    ) in words
    assert (
        f"- default: If only answers with a score of {Scorer.load().profile.send_from} or more are "
        "sent, 4 of 4 untrue answers would be caught (100%, 51% to 100%) and "
    ) in words
    assert "- Compared on the 12 answers that both scored; " in words
    assert "- afas: 12 rated answers are few: trust the intervals more than the figures" in words
    tables = " ".join(text_of(on_terminal).split())
    assert (
        "company_specific_terms could not be measured on any answer; klopt company terms" in tables
    )


def test_colour_on_a_terminal_only(run, on_terminal, piped, log):
    assert "\x1b[" in on_terminal.out
    assert "\x1b" not in piped.out
    plain = run(log, terminal=True, terminal_err=False, NO_COLOR="1")
    assert not re.search(r"\x1b\[(3|4|9)\dm", plain.out)


def test_progress_is_on_standard_error_of_a_terminal(run, log):
    shown = run(log, "--json", terminal_err=True)
    assert "Scoring" in shown.err
    assert "Scoring" not in shown.out


def test_labels_in_place_of_ratings(run, folder, write):
    rows = rated(label=lambda row: int(row["rating"] > 3), rating=lambda _: None)
    found = run(write(folder / "labels.jsonl", *rows), terminal=True, terminal_err=False)
    text = text_of(found)
    assert "Agreement with the labels" in text
    assert "table 5" not in text
    assert "kappa" not in text
    words = " ".join(text.split())
    assert "12 answers, all labelled true or untrue. klopt scored all of them." in words


def test_the_worst_disagreements_stand_in_one_line_each(run, folder, write):
    rows = rated(rating=lambda row: 6 - row["rating"])
    file = write(folder / "turned.jsonl", *rows)
    text = text_of(run(file, "--profile", "afas", terminal=True, terminal_err=False))
    worst = text.partition("Worst disagreements (afas)\n")[2].splitlines()
    assert worst[0].split() == [
        *("id", "Person", "score", "gap", "Decided", "by", "Message", "type")
    ]
    assert worst[1].split() == ["row-0", "1", "5.0", "4.0", "verbatim_guide", "instruction"]
    assert worst[2].split() == ["row-1", "5", "1.0", "4.0", "missing_component", "instruction"]
    assert len(worst[1:6]) == 5
    assert worst[6] == ""
    assert "agreement with people is the wrong way round" in " ".join(text.split())
    (found,) = run(file, "--profile", "afas", "--worst", 1).rows
    assert len(found["profiles"][0]["disagreements"]) == 1


def test_few_rows_are_said_to_be_few(run, folder, write):
    file = write(folder / "two.jsonl", *list(rated())[:2])
    found = run(file, terminal=True, terminal_err=False)
    words = " ".join(text_of(found).split())
    assert found.code == 0
    assert "The agreement with people is not known: fewer than 3 rows." in words
    assert "Only 2 answers were both scored and rated: too few for any conclusion" in words


def test_no_rating_and_no_label(run, folder, write):
    rows = rated(rating=lambda _: None, stars_given=lambda row: row["rating"])
    file = write(folder / "unrated.jsonl", *rows)
    found = run(file)
    assert (found.code, found.out) == (2, "")
    assert (
        f"Error: {file}: no field is read as rating (1 to 5) or label (0 or 1), so there is "
        "nothing to compare the scores with. There are also team, second, stars_given. "
        "--map rating=team names one.\n"
    ) in found.err
    assert run(file, "--map", "rating=stars_given").rows[0]["rows"]["rated"] == 12


def test_a_label_that_says_something_else(run, folder, write):
    rows = rated(rating=lambda _: None, label=lambda _: "invoice")
    found = run(write(folder / "other-label.jsonl", *rows))
    assert found.code == 2
    assert (
        "label holds no rating (1 to 5) and no label (0 or 1, false or true) in any row, so "
        "there is nothing to compare the scores with.\n"
    ) in found.err


@pytest.mark.parametrize("option", ["--by", "--second-types"])
def test_a_field_that_is_not_there(run, log, option):
    found = run(log, option, "taem")
    assert found.code == 2
    assert found.err.endswith(
        f'Error: {option}: no row of {log} has a field "taem". Did you mean "team"? The fields '
        "are id, question, answer, contexts, message_type, rating, team, second.\n"
    )


def test_a_field_that_makes_no_groups(run, folder, log, write):
    assert run(log, "--by", "contexts").err.endswith(
        'Error: --by: field "contexts" holds lists or objects, not one value.\n'
    )
    many = [row | {"id": f"{row['id']}-{copy}"} for copy in range(5) for row in rated()]
    found = run(write(folder / "many.jsonl", *many), "--by", "id")
    assert (found.code, found.out) == (2, "")
    assert found.err.endswith(
        'Error: --by: field "id" has 60 different values; at most 50 make groups that can be '
        "compared.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--against", "default"), '--against is the same profile as --profile, "default".'),
        (
            ("--against", "afaz"),
            'there is no profile "afaz": give one of afas, default, a file, or a folder',
        ),
        (("--languag", "nl"), "No such option '--languag'. Did you mean '--language'?"),
        (("--resamples", 5), "Invalid value for '--resamples': 5 is not in the range "),
        (("--language", "fr"), 'profile "default" has no language "fr"; it has nl, en'),
    ],
)
def test_wrong_use(run, log, arguments, message):
    found = run(log, *arguments)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


def test_two_profiles_by_one_name(run, log, folder):
    profile = resources.files("klopt.scoring").joinpath("profiles", "default.toml")
    own = folder / "own.toml"
    own.write_text(profile.read_text("utf-8"), encoding="utf-8")
    found = run(log, "--against", own)
    assert found.code == 2
    assert found.err.endswith(
        'Error: both profiles are named "default"; give one another name, so that the figures '
        "can be told apart.\n"
    )


def test_the_input_is_not_written_over(run, log):
    before = log.read_bytes()
    for option in ("-o", "--html"):
        found = run(log, option, log)
        assert found.code == 2
        assert found.err.endswith(f"{log} is the input; choose another file for {option}.\n")
    assert log.read_bytes() == before


def test_one_file_for_both_outputs(run, log, tmp_path):
    found = run(log, "-o", tmp_path / "x", "--html", tmp_path / "x")
    assert found.code == 2
    assert found.err.endswith(f"Error: -o and --html are both {tmp_path / 'x'}.\n")
    assert list(tmp_path.iterdir()) == []


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


def test_no_row_that_can_be_read(run, folder):
    file = folder / "none.jsonl"
    file.write_bytes(b"")
    found = run(file)
    assert (found.code, found.out, found.err) == (3, "", f"Error: {file}: no row could be read\n")


@pytest.fixture
def renderer(monkeypatch):
    """A report in place of the real one."""
    module = types.ModuleType("klopt.report.html")
    monkeypatch.setitem(sys.modules, "klopt.report.html", module)
    return module


def test_a_report_beside_the_tables(run, log, tmp_path, renderer):
    renderer.render = lambda found: f"<html>{json.dumps(found.to_dict())}"
    page = tmp_path / "report.html"
    found = run(log, "--html", page, terminal=True, terminal_err=False)
    assert (found.code, found.err) == (0, f"Written to {page}.\n")
    assert "In plain words" in found.out
    text = page.read_text("utf-8")
    assert text.startswith("<html>")
    assert json.loads(text.removeprefix("<html>"))["rows"]["rated"] == 12


def test_no_half_report(run, log, tmp_path, renderer):
    def render(found):
        raise RuntimeError("broken off")

    renderer.render = render
    with pytest.raises(RuntimeError):
        run(log, "--html", tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


def test_the_real_report(run, folder, write, tmp_path):
    rows = rated(rating=lambda row: 6 - row["rating"])
    file = write(folder / "turned.jsonl", *rows)
    assert run(file, "--html", tmp_path / "report.html").code == 0
    assert "row-0" in (tmp_path / "report.html").read_text("utf-8")


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


def test_help_has_an_example(klopt):
    found = klopt("evaluate", "--help")
    assert found.code == 0
    assert "Example: klopt evaluate rated.jsonl --pages help/ --against afas" in found.out
