"""What the benchmarks count, by hand; and that the guide has the figures that were stored."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import claims, learning, opinions, pairs, translation
from klopt import Measurement, Turn
from klopt.evaluation.asked import Outcome
from klopt.measurement import Evidence
from klopt.models.calls import Call
from klopt.scoring.profile import row_of
from klopt.tuning.lines import DrawnLines, Sent
from klopt.tuning.samples import Sample
from tests.conftest import ROOT
from tests.tuning.judged import judged, many, profile
from training import companies, joining
from training.claims import FOLDS, Example, figures
from training.command import given, show
from training.pair_rows import PairRow, pair_rows
from training.profile import base_profile
from training.rated_turns import Centre

SURE = np.eye(3, dtype=np.float32) * 0.8 + 0.1
LEARNT = json.loads((ROOT / "benchmarks" / "learning.json").read_text("utf-8"))
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")


def test_without_the_data_nothing_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["pairs", "--data", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        given("", needs="pairs")
    assert stop.value.code == 0
    assert capsys.readouterr().out.endswith("pairs: nothing is measured or learnt.\n")


def test_lines_of_a_table_have_no_blanks_at_the_end(capsys):
    show("Title", ["", "n", "p"], [["all", "10", ""]])
    assert capsys.readouterr().out == "\nTitle\n        n  p\n  all  10\n"


def claim(company: str, language: str, label: int, claim_only: int) -> Example:
    return Example(company, language, None, 0, label, tuple(np.eye(3)[claim_only]))


def test_right_areas_and_kinds_of_claims():
    assert figures(SURE[[0, 1, 0, 2]], np.array([0, 1, 2, 2])) == {
        "right": 0.75,
        "auc_supported": pytest.approx(2.5 / 3, abs=0.001),
        "auc_contradicted": 1.0,
        "auc_not_stated": 0.75,
    }
    rows = [claim("bc", "nl", 0, 0), claim("bc", "nl", 1, 0), claim("bc", "nl", 1, 0)]
    assert claims.by_kind(rows, ["close", "value", "value"], SURE[[0, 1, 2]]) == [
        ["supported", "close", "1", "1.00"],
        ["contradicted", "value", "2", "0.50"],
    ]


def test_hard_are_the_claims_whose_words_point_to_another_label():
    rows = [claim("bc", "nl", 0, 0), claim("hr", "nl", 1, 0), claim("bc", "en", 2, 0)]
    found = claims.by_group(rows, {"both": SURE[[0, 0, 2]]})
    assert {name: (one["all"]["n"], one["hard"]["n"]) for name, one in found.items()} == {
        "bc+hr+bank nl": (2, 1),
        "bc+hr+bank en": (1, 1),
        "all": (3, 2),
    }
    assert found["bc+hr+bank nl"]["hard"]["both"]["right"] == 0.0
    assert found["all"]["all"]["both"]["right"] == pytest.approx(2 / 3, abs=0.001)


def test_what_was_learnt_without_its_company_compares_each_claim(monkeypatch):
    asked = []

    def learnt_without(company: str) -> SimpleNamespace:
        asked.append(company)
        return SimpleNamespace(network=company, weighing=lambda x: np.full((len(x), 3), 0.5))

    monkeypatch.setattr(joining, "numbers_of", lambda some: np.zeros((len(some), 2)))
    monkeypatch.setattr(joining, "learnt_without", learnt_without)
    monkeypatch.setattr(
        joining, "chances", lambda network, some, _: np.full((len(some), 3), len(network) / 10)
    )
    rows = [claim("alch", "nl", 0, 0), claim("gnome", "nl", 0, 0)]
    network, slots = joining.left_out_chances(rows, SimpleNamespace(coordinates=np.zeros((0, 2))))
    assert asked == [fold[0] for fold in FOLDS]
    assert network[:, 0] == pytest.approx([0.4, 0.5])
    assert slots[:, 0] == pytest.approx([0.5, 0.5])


def test_what_two_count_together_is_regressed():
    labels = np.array([0, 1, 2] * 40)
    sure, blind = np.log(SURE[labels]), np.log(np.full((120, 3), 1 / 3))
    assert joining.regressed([blind, sure], np.zeros((120, 3)), labels)[1] > 1
    known = np.log(SURE[np.where(labels == 1, 0, labels)])
    leant = joining.regressed([blind, blind], known, labels)
    assert leant[3] > leant[2]  # what words alone give away is not learnt again


def pair(
    true: float, untrue: float, words_alone: float = 0.0, *, sent: bool = False, named: bool = False
) -> pairs.Judged:
    answers = ("Ja.", "Nee.", (0, 3), "Het mag.")
    row = PairRow("bc", "nl", "p", "bc-nl", ("a.md",), "Mag het?", *answers, words_alone, "role")
    return pairs.Judged(row, (true, untrue), (True, sent), named)


@pytest.mark.parametrize(
    ("true", "untrue", "share"),
    [
        ([4.0, 3.0], [2.0, 2.0], 1.0),
        ([4.0, 3.0], [4.0, 2.0], 0.75),
        ([4.0, 2.0], [4.0, 2.0], 0.5),
        ([1.0, 2.0], [4.0, 3.0], 0.0),
        ([], [], None),
    ],
)
def test_a_tie_counts_half(true, untrue, share):
    assert pairs.above(np.array(true), np.array(untrue)) == share


@pytest.mark.parametrize(
    ("true", "line"), [([1, 2, 3, 4, 5], 3), ([5, 5, 5, 1], 5), ([2], 2)], ids=str
)
def test_the_line_sends_at_least_its_share_of_the_true_ones(true, line):
    assert pairs.line_of(np.array(true, float)) == line


def test_figures_of_pairs():
    found = pairs.figures(
        [
            pair(4.0, 3.0, 0.1, sent=True),
            pair(3.0, 3.5, -0.1, named=True),
            pair(3.0, 3.0, 0.2),
            pair(2.0, 1.0, 0.0),
        ]
    )
    assert (found["n"], found["above"], found["hard"], found["hard_above"]) == (4, 0.625, 2, 0.5)
    assert found["untrue_over_line"] == 0.75
    assert (found["true_sent"], found["untrue_sent"]) == (1.0, 0.25)
    assert found["held_named"] == pytest.approx(1 / 3, abs=0.001)
    centres = {
        "bc nl": pairs.figures([pair(4.0, 3.0), pair(3.0, 2.0)]),
        "sp en": pairs.figures([pair(3.0, 4.0, sent=True)]),
    }
    mean, worst = pairs.over_all(centres).values()
    assert (mean["n"], mean["above"], worst["above"]) == (3, 0.5, 0.0)
    assert (worst["untrue_over_line"], worst["untrue_sent"]) == (1.0, 1.0)
    assert mean["held_named"] == 0.0, "a centre of which none is held back has no share"


def test_pairs_are_read_with_their_company_and_without_those_in_another_language(tmp_path):
    row = {
        "id": "p1", "help": "shop-en", "page": "a.md", "question": "May I?", "true": "Yes, today.",
        "untrue": "Yes, tomorrow.", "untrue_span": "tomorrow", "page_says": "today",
        "words_alone": 0.0, "kind": "number",
    }  # fmt: skip
    (tmp_path / "pairs").mkdir()
    for name in ("shop-en", "shop-en-2", "x-shop-nl"):
        text = json.dumps({**row, "page": ["a.md", "b.md"] if name.endswith("2") else "a.md"})
        (tmp_path / "pairs" / f"{name}.jsonl").write_text(text + "\n", encoding="utf-8")
    found = list(pair_rows(tmp_path))
    assert [(one.centre, one.pages) for one in found] == [
        ("shop en", ("a.md", "b.md")),
        ("shop en", ("a.md",)),
    ]
    assert found[0].untrue[slice(*found[0].untrue_span)] == "tomorrow"
    assert found[0].is_hard


def test_the_guide_has_what_few_ratings_are_worth_as_it_is_printed():
    for places in (learning.DUTCH, [learning.LABELLED]):
        assert learning.table(LEARNT, places) in GUIDE
    shipped = [f"{one['spearman'][0]:.2f}" for one in LEARNT[learning.LABELLED]["near_6"].values()]
    assert "{}, {}, {}\n  and {}; the last".format(*shipped) in GUIDE
    centres = [name for name in LEARNT if name != learning.LABELLED]
    assert learning.lines_table(LEARNT, centres) in GUIDE


def test_pages_of_what_is_learnt_from_are_not_in_the_part_that_is_scored():
    place = learning.Place("wad", many(60), profile())
    for part, others in learning.drawn(place, 3):
        assert not {one.group for one in part} & {one.group for one in others}
        assert len(part) + len(others) == 60
    assert list(learning.drawn(place, 3)) == list(learning.drawn(place, 3))
    assert list(learning.drawn(place, 3)) != list(learning.drawn(place, 4))


def test_figures_of_a_part_by_hand():
    """Of the true 5 and 4 the 5 alone is sent; of two untrue ones the one at 4 is."""
    part = [judged(rating) for rating in (5, 4, 3, 2, 1)]
    found = learning.Figure.of([4.5, 3.0, 2.0, 4.0, 1.0], part, 3.5)
    assert found.spearman == pytest.approx(0.7)
    assert (found.auc, found.sent) == (0.75, Sent(2, 1, 1, 5, 2))
    assert learning.Figure.of([4.0, 4.5], [judged(5), judged(4)], 3.0).auc is None
    assert learning.summed([[found, found]])["untrue_of_sent"] == [2, 4]


def test_the_nearness_is_chosen_by_other_companies():
    def ways(best: float) -> dict:
        return {
            f"near_{one:g}": {"25": {"spearman": [0.5 if one == best else 0.4]}}
            for one in learning.NEARNESS
        }

    curves = {"a nl": ways(3.0), "a en": ways(3.0), "b nl": ways(12.0), "c nl": ways(12.0)}
    companies = {name: name[0] for name in curves}
    assert learning.chosen_elsewhere(curves, companies, "a nl") == 12.0
    del curves["c nl"]
    assert learning.chosen_elsewhere(curves, companies, "b nl") == 3.0


ROWS = [
    {"id": "a", "question": "Kan dat?", "answer": "Ja.", "rating": 5, "rating_blind": 4},
    {"id": "b", "question": "Kan dit?", "answer": "Nee.", "rating": 1, "rating_blind": 1},
]
CENTRE = Centre("wad", "nl", "turns.jsonl", "nl")


def sample(row: dict, *faults: Evidence) -> Sample:
    names = {"abstention", *base_profile().review_on}
    found = {name: Measurement(1.0) for name in names}
    found["weakest_statement"] = Measurement(0.1, evidence=faults)
    known_by = row_of(row["question"], row["answer"])
    return Sample(found, row["rating"], "nl", "page", row=known_by, held=bool(faults))


def test_blind_ratings_are_replayed_and_a_share_of_them_is_turned_round(tmp_path, monkeypatch):
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    turns = {
        row_of(row["question"], row["answer"]): Turn(row["question"], row["answer"], id=row["id"])
        for row in ROWS
    }
    own = [sample(ROWS[0]), sample(ROWS[1], Evidence("unsupported", "Nee.", 0, 4))]
    rated = companies.LeftOut({CENTRE: own}, base_profile())
    monkeypatch.setattr(companies.LeftOut, "scores", {CENTRE: np.array([3.0, 4.5])})
    monkeypatch.setattr(companies.LeftOut, "lines", lambda self, company: DrawnLines(2.0, 4.0))
    recorded = opinions.record(CENTRE, tmp_path, tmp_path)
    found = list(opinions.advised(rated, CENTRE, turns, recorded))
    assert [one.before for one in found] == [Outcome(3.0, "review"), Outcome(4.5, "review")]
    assert [one.after for one in found] == [Outcome(4.0, "send"), Outcome(1.0, "block")]
    assert [(one.judgement, one.is_untrue) for one in found] == [(5, False), (1, True)]
    turned = opinions.record(CENTRE, tmp_path, tmp_path, wrong=1.0)
    told = [turned.ask(opinions.Asked(Turn("", "", id=id))).truth for id in ("a", "b")]
    assert told == [0.25, 1.0]


def test_what_a_question_costs():
    found = opinions.cost("statements", [(Call("a", "t", "", "x" * 400, "y" * 400), 2)])
    assert (found["tokens_in"], found["tokens_out"]) == (200, 75)
    assert found["usd"] == pytest.approx((200 * 0.15 + 75 * 0.60) / 1e6, abs=1e-6)


def test_pages_of_one_name_and_both_texts_of_a_turn_are_pairs(tmp_path):
    for language, names in (("nl", ("opslaan", "verlof")), ("en", ("opslaan",))):
        (tmp_path / "help" / language).mkdir(parents=True)
        for name in names:
            (tmp_path / "help" / language / f"{name}.md").write_text("# Opslaan\n\nKlik.")
    row = {"question": "Hoe?", "answer": "Klik.", "question_en": "How?", "answer_en": "Click."}
    (tmp_path / "turns-nl").mkdir()
    (tmp_path / "turns-nl" / "dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    page, *texts = translation.pairs(tmp_path)
    assert page.origin == "opslaan.md"
    assert [(one.source, one.target) for one in texts] == [("Hoe?", "How?"), ("Klik.", "Click.")]
