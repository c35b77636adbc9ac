"""``klopt fit`` on the demo company: advice, profiles of a company, thresholds, and failures."""

import pytest

from klopt import Profile
from tests.conftest import DEMO, demo_rows
from tests.lexicons.written import lexicon_text

PAGES = DEMO / "pages" / "nl"
DUTCH = [row for row in demo_rows() if row["language"] == "nl"]
FEW = ("--folds", 3)
"""Fewer folds than a user has, for speed."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fit")


@pytest.fixture(scope="session")
def rated(folder, write):
    """Twenty-six Dutch turns with a rating, and one without."""
    rows = (row if row is not DUTCH[3] else {**row, "rating": None} for row in DUTCH[:27])
    return write(folder / "rated.jsonl", *rows)


@pytest.fixture(scope="session")
def fitted(klopt, folder, rated):
    """A run on the ratings, and the profile that it wrote."""
    output = folder / "ours.toml"
    return klopt("fit", rated, "--pages", PAGES, "-o", output, *FEW), output


def test_a_fit_is_followed_by_advice(fitted):
    *_, advice, few = fitted[0].out.splitlines()
    assert advice.startswith("Use ours.toml? No: its weights rank held-out answers ")
    assert "26 ratings are few" in few


def test_an_evaluation_reports_the_rows_of_the_fit(klopt, fitted, folder, write):
    """On twenty-six rows of the fit and five others: in the JSON, the table and the report."""
    _, output = fitted
    new = [row | {"id": f"new-{row['id']}", "answer": f"{row['answer']} Ja."} for row in DUTCH[4:9]]
    more = write(folder / "more.jsonl", *DUTCH[:3], *DUTCH[4:27], *new)
    options = ("--pages", PAGES, "--profile", output)
    note = "The weights of ours were fitted to 26 of these 31 judged answers (84%)"
    page = folder / "report.html"
    run = klopt("evaluate", more, *options, "--against", "default", "-o", page, "--language", "en")
    assert run.code == 0
    first, second = run.rows[0]["profiles"]
    assert (first["learnt_rows"], second["learnt_rows"]) == ({"count": 26, "total": 31}, None)
    assert run.err.startswith(f"Warning: {note}")
    assert note in " ".join(page.read_text("utf-8").split())
    shown = klopt("evaluate", more, *options, terminal=True, terminal_err=False)
    assert note in " ".join(shown.out.split())
    unseen = klopt("evaluate", write(folder / "new.jsonl", *new), *options)
    assert (unseen.err, unseen.rows[0]["profiles"][0]["learnt_rows"]) == ("", None)


@pytest.fixture
def acme(tmp_path):
    """A company's folder with a denied name."""
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


def test_a_fit_extends_the_profile_of_a_company(klopt, acme, rated):
    """Its lexicons are found from the folder of the new file."""
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
    assert "is the profile that fitting starts from; choose another file for -o" in over.err


def test_a_threshold_by_risk_keeps_the_weights(klopt, tmp_path, write):
    """On turns of which few have no fault, and ten that abstain, scored below the threshold."""
    open_ended = {**DUTCH[0], "question": "Wat kost een parkeervergunning?", "reference": None}
    open_ended["answer"] = "Dat kan ik op deze pagina's niet vinden."
    ratings = enumerate([1, *[5] * 9])
    abstaining = [open_ended | {"id": f"open-{n}", "rating": rating} for n, rating in ratings]
    rated = write(tmp_path / "all.jsonl", *DUTCH, *abstaining)
    output = tmp_path / "line.toml"
    options = ("--pages", PAGES, "-o", output, "--weights", "kept", *FEW)
    run = klopt("fit", rated, *options, "--untrue-sent", 0.5)
    assert run.code == 0
    assert run.err.startswith(f"Written to {output}.\nNext:\n  klopt score LOG --pages ")
    ours, default = Profile.load(output), Profile.load()
    assert (ours.evidence, ours.tree) == (default.evidence, default.tree)
    assert ours.send_from < default.send_from
    assert ours.block_below == min(ours.send_from, default.block_below)
    before, after, advice, _ = run.out.splitlines()[-4:]
    assert before.startswith(f"  default, from {default.send_from:g}: ")
    assert after.startswith(f"  fitted, from {ours.send_from:g}: ")
    assert advice.startswith(f"Use line.toml? Yes: from {ours.send_from:g} it sends ")
    assert "Spearman compared with" not in run.out
    none = klopt("fit", rated, *options, "--untrue-sent", 0.01)
    assert none.err.startswith(
        "Warning: no threshold sends ten of these answers with at most 1% of them untrue, so "
        f"send_from stays {default.send_from:g}: rate more answers, or allow more risk\n"
    )
    assert "Use line.toml? No: no threshold is safe enough" in none.out
    assert Profile.load(output).send_from == default.send_from


def test_a_profile_that_sends_nothing_is_not_written(klopt, folder, rated, monkeypatch):
    """Scores are reversed: true answers score low, and the others have faults."""
    monkeypatch.setattr(
        "klopt.evaluation.fitting.fitting.held_out_scores",
        lambda samples, *_: [6 - one.rating for one in samples],
    )
    run = klopt("fit", rated, "--pages", PAGES, "-o", folder / "w.toml", *FEW)
    assert run.code == 3
    assert run.err.startswith("Error: no profile written: of 26 held-out answers it would send ")
    assert not (folder / "w.toml").exists()


@pytest.mark.parametrize(
    "place", ["klopt.evaluation.fitting.fitting.held_out_scores", "pathlib.Path.replace"]
)
def test_control_c_leaves_nothing_behind(klopt, tmp_path, rated, monkeypatch, place):
    """During the fit, and when the file is written but not yet renamed."""
    output = tmp_path / "x.toml"
    output.write_text("before", "utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, stop)
    run = klopt("fit", rated, "--pages", PAGES, "-o", output, *FEW)
    assert (run.code, run.out, run.err.split()) == (130, "", ["Stopped."])
    assert [one.name for one in tmp_path.iterdir()] == ["x.toml"]
    assert output.read_text("utf-8") == "before"
