"""``klopt fit`` on the demo company: from ratings, and wrong use."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt import Profile
from klopt.version import VERSION
from tests.conftest import DEMO, demo_rows
from tests.lexicons.written import lexicon_text

PAGES = DEMO / "pages" / "nl"
DUTCH = [row for row in demo_rows() if row["language"] == "nl"]
FEW = ("--folds", 3)
"""Three folds: enough to see that it works, and quick."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fit")


@pytest.fixture(scope="session")
def rated(folder, write) -> Path:
    """Twenty-six Dutch turns with a rating, and one that was never rated."""
    rows = (row if row is not DUTCH[3] else {**row, "rating": None} for row in DUTCH[:27])
    return write(folder / "rated.jsonl", *rows)


@pytest.fixture(scope="session")
def fitted(klopt, folder, rated):
    """A run on ratings, and the file that it wrote."""
    output = folder / "ours.toml"
    return klopt("fit", rated, "--pages", PAGES, "-o", output, *FEW), output


def test_the_head_says_what_it_was_learnt_from(fitted):
    run, output = fitted
    head = output.read_text("utf-8").partition("[profile]")[0].splitlines()
    assert head[0] == f"# Learnt by klopt {VERSION} fit, 3 folds, from:"
    assert head[1].startswith("#   26 judged answers (rated.jsonl, SHA-256 ")
    assert head[2] == "# Weights near those of default."
    assert head[3] == "# Held out, nl:"
    assert [line[2:] for line in head[4:10]] == run.out.splitlines()[1:7]
    assert head[9].startswith("#   Spearman beside default: ")
    assert [line[2:] for line in head[10:]] == run.out.splitlines()[-3:]
    assert str(output.parent) not in "\n".join(head)


def test_evaluated_on_what_it_was_learnt_from_it_says_so(klopt, fitted, folder, write):
    """In the JSON, the table and the report: of twenty-six rows and five that are new."""
    _, output = fitted
    new = [row | {"id": f"new-{row['id']}", "answer": f"{row['answer']} Ja."} for row in DUTCH[4:9]]
    more = write(folder / "more.jsonl", *DUTCH[:3], *DUTCH[4:27], *new)
    options = ("--pages", PAGES, "--resamples", 100, "--profile", output)
    said = "ours was learnt from 26 of these 31 judged answers (84%): the figures say how well it"
    page = folder / "report.html"
    run = klopt("evaluate", more, *options, "--against", "default", "--html", page, "--lang", "en")
    assert run.code == 0
    first, second = run.rows[0]["profiles"]
    assert (first["learnt_rows"], second["learnt_rows"]) == ({"count": 26, "total": 31}, None)
    assert run.err.startswith(f"Warning: {said}")
    assert said in " ".join(page.read_text("utf-8").split())
    looked_at = klopt("evaluate", more, *options, terminal=True, terminal_err=False)
    assert said in " ".join(looked_at.out.split())
    unseen = klopt("evaluate", write(folder / "new.jsonl", *new), *options)
    assert (unseen.err, unseen.rows[0]["profiles"][0]["learnt_rows"]) == ("", None)


# From a company's own profile, and by risk.


@pytest.fixture
def acme(tmp_path) -> Path:
    """A company's folder with a name that it denies."""
    folder = tmp_path / "acme"
    folder.mkdir()
    names = lexicon_text("product_names", '[lists]\nallowed = []\ndenied = ["zeppelin"]')
    (folder / "names.toml").write_text(names, "utf-8")
    (folder / "profile.toml").write_text(
        '[profile]\nname = "acme"\nextends = "default"\n'
        '[languages.nl]\nlexicons = ["names.toml"]\n',
        "utf-8",
    )
    return folder


def test_a_profile_of_a_company_is_extended(klopt, acme, rated):
    """Its lexicons are found from wherever the new file stands."""
    output = acme.parent / "deep" / "ours.toml"
    output.parent.mkdir()
    options = ("--pages", PAGES, "--profile", acme, *FEW)
    run = klopt("fit", rated, *options, "-o", output)
    assert run.code == 0
    text = output.read_text("utf-8")
    assert 'extends = "../acme/profile.toml"' in text
    assert "[heuristics" not in text
    ours, theirs = Profile.load(output), Profile.load(acme)
    assert (ours.name, ours.tree) == ("ours", theirs.tree)
    (names,) = ours.languages["nl"].lexicons
    assert names.samefile(acme / "names.toml")
    assert ours.evidence["nl"] != theirs.evidence["nl"]
    assert ours.learnt_from["nl"] > theirs.learnt_from["nl"]
    over = klopt("fit", rated, *options, "-o", acme / "profile.toml")
    assert over.code == 2
    assert "is what the profile starts from; choose another file for -o" in over.err


def test_a_line_by_risk_with_the_weights_kept(klopt, tmp_path, write):
    """On all Dutch turns: of the first twenty-six no line sends ten, so many name a fault."""
    rated = write(tmp_path / "all.jsonl", *DUTCH)
    output = tmp_path / "line.toml"
    options = ("--pages", PAGES, "-o", output, "--weights", "kept", *FEW)
    run = klopt("fit", rated, *options, "--untrue-sent", 0.5)
    assert (run.code, run.err) == (0, f"Written to {output}\n")
    ours, default = Profile.load(output), Profile.load()
    assert (ours.evidence, ours.tree) == (default.evidence, default.tree)
    assert ours.send_from < default.send_from
    assert ours.block_below == min(ours.send_from, default.block_below)
    before, after = run.out.splitlines()[-2:]
    assert before.startswith(f"  default, from {default.send_from:g}: ")
    assert after.startswith(f"  learnt, from {ours.send_from:g}: ")
    assert "Spearman beside" not in run.out
    none = klopt("fit", rated, *options, "--untrue-sent", 0.01)
    assert none.err.startswith(
        "Warning: no line sends ten of these answers with at most 1% of them untrue, so send_from "
        f"stays {default.send_from:g}: rate more answers, or allow more\n"
    )
    assert Profile.load(output).send_from == default.send_from


def test_worse_than_the_start_is_told(klopt, folder, rated, monkeypatch):
    """Ratings turned round: what they teach orders the others wrongly."""
    monkeypatch.setattr(
        "klopt.tuning.fitting.held_out_scores",
        lambda samples, *_: [6 - one.rating for one in samples],
    )
    run = klopt("fit", rated, "--pages", PAGES, "-o", folder / "w.toml", *FEW)
    assert run.code == 0
    assert run.err.startswith(
        "Warning: held out, what was learnt in nl orders 26 answers less well than "
        '"default" does (Spearman -1.00 against '
    )


def test_a_language_with_too_few_ratings_stays_as_it_is(klopt, folder, write):
    english = {
        **{"id": "en-1", "language": "en", "question": "How do I save the form?", "rating": 5},
        **{"answer": "Click **Save**.", "contexts": ["To keep the form, click **Save**."]},
    }
    log, output = write(folder / "two.jsonl", *DUTCH[:27], english), folder / "two.toml"
    run = klopt("fit", log, "--pages", PAGES, "-o", output, *FEW)
    assert run.code == 0
    assert run.err.startswith(
        "Warning: 1 judged answers in language en are too few to learn from (20 are the least); "
        "[evidence.en] stays as it is\n"
    )
    assert run.err.endswith(f"Written to {output}\n")
    assert Profile.load(output).evidence["en"] == Profile.load("default").evidence["en"]


@pytest.mark.parametrize("place", ["klopt.tuning.fitting.held_out_scores", "pathlib.Path.replace"])
def test_control_c_leaves_nothing_behind(klopt, tmp_path, rated, monkeypatch, place):
    """While it learns, and when the file is written but not yet in its place."""
    output = tmp_path / "x.toml"
    output.write_text("before", "utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, stop)
    run = klopt("fit", rated, "--pages", PAGES, "-o", output, *FEW)
    assert (run.code, run.out, run.err.split()) == (130, "", ["Stopped."])
    assert [one.name for one in tmp_path.iterdir()] == ["x.toml"]
    assert output.read_text("utf-8") == "before"
