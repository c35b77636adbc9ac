"""What second opinions bring, by the share that is asked about, counted by hand."""

from __future__ import annotations

from klopt import Scorer, Turn
from klopt.evaluation.asked import Advised, Outcome, points
from klopt.evaluation.evaluation import evaluate
from klopt.opinions import Adviser, Asked, Said

SEND, REVIEW, BLOCK = Outcome(4.5, "send"), Outcome(3.1, "review"), Outcome(1.5, "block")


def rows(count: int) -> list[Advised]:
    """Untrue answers to review and to send, true ones to review, asked about as far as `count`."""
    every = [
        Advised(1.0, True, REVIEW, BLOCK),
        Advised(5.0, False, Outcome(3.5, "review"), SEND),
        Advised(1.0, True, SEND, BLOCK),
        Advised(5.0, False, BLOCK, SEND),
    ]
    return [
        one if place < count else Advised(one.judgement, one.is_untrue, one.before, None)
        for place, one in enumerate(every)
    ]


def test_what_is_least_certain_is_asked_about_first():
    found = list(points(rows(4), 2.0, 4.0))
    assert [(one.share, one.asked) for one in found] == [(n / 4, n) for n in range(5)]
    assert [one.sent.value for one in found] == [0.25, 0.25, 0.5, 0.25, 0.5]
    assert [one.untrue_of_sent.value for one in found] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert found[-1].spearman.value == 1.0
    assert list(points(rows(4)[::-1], 2.0, 4.0))[-1] == found[-1]


class Rating:
    """The person who rated, asked once more, unless not to be asked."""

    name, signature = "people", "people"

    def ask(self, asked: Asked) -> Said:
        if asked.turn.id == "missing":
            return Said(reason_code="nothing_recorded")
        return Said(truth=(asked.turn.rating - 1) / 4)


def test_an_evaluation_has_them_only_where_somebody_was_asked():
    page = "U kunt een printer alleen toevoegen als u beheerder bent."
    turns = [
        Turn("Kan ik een printer toevoegen?", answer, [page], id=id, rating=rating)
        for id, answer, rating in (
            ("a", "Dat kan alleen als u beheerder bent.", 5),
            ("b", "Iedere medewerker kan een printer toevoegen.", 1),
            ("c", "Dat kan bij **Apparaten**.", 2),
            ("missing", "U kunt een printer toevoegen.", 3),
        )
    ]
    scorer = Scorer.load(adviser=Adviser(Rating(), "always"))
    found = evaluate(turns, scorer, resamples=100)
    (profile,) = found.profiles
    assert [one.asked for one in profile.asked] == [0, 1, 2, 3]
    assert profile.asked[-1].untrue_of_sent.value == 0.0
    alone = evaluate(turns, Scorer.load(), resamples=100)
    assert alone.profiles[0].asked == ()
    assert "asked" not in alone.to_dict()["profiles"][0]
