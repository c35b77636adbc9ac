"""The figures of benchmarks, computed by hand."""

import pytest

from benchmarks import pairs
from training.pair_rows import PairRow


def pair(
    true: float, untrue: float, words_alone: float = 0.0, *, sent: bool = False, named: bool = False
) -> pairs.Judged:
    answers = ("Ja.", "Nee.", (0, 3))
    row = PairRow("bc", "nl", "bc-nl", ("a.md",), "Mag het?", *answers, words_alone, "role")
    return pairs.Judged(row, (true, untrue), (True, sent), named)


def test_figures_of_pairs_and_centres():
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
    assert mean["held_named"] == 0.0, "a centre without answers that are held back has no share"
