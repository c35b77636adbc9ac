"""The queue that is played is the one that is known: where nothing is cut off, that of Erlang."""

from __future__ import annotations

import json
from dataclasses import replace
from math import factorial, inf
from pathlib import Path

import pytest

from benchmarks import at_scale
from benchmarks.queue import Cascade

KNOWN = Cascade(share=0.0, deadline_ms=inf, queue=inf, shape=1.0, profile_ms=10.0, count=300_000)


def erlang_c(workers: int, load: float) -> float:
    """The share that waits, of turns that come at random and take an exponential time."""
    asked = workers * load
    full = asked**workers / factorial(workers) / (1 - load)
    return full / (sum(asked**n / factorial(n) for n in range(workers)) + full)


@pytest.mark.parametrize(("workers", "load"), [(1, 0.5), (1, 0.8), (2, 0.7), (8, 0.8)])
def test_who_waits_and_how_long_is_as_erlang_says(workers, load):
    played = replace(KNOWN, workers=workers, rate=workers * load * 100).play()
    share = erlang_c(workers, load)
    assert played["load"] == pytest.approx(load, rel=0.02)
    assert played["waited_share"] == pytest.approx(share, rel=0.03)
    mean_ms = share * KNOWN.profile_ms / (workers * (1 - load))
    assert played["wait_mean_ms"] == pytest.approx(mean_ms, rel=0.06)
    assert played["refused_share"] == played["cut_off_share"] == 0


def test_the_same_seed_gives_the_same_and_bursts_wait_longer():
    even = Cascade(count=20_000, rate=30)
    assert even.play() == even.play() != replace(even, seed=8).play()
    bursts = replace(even, burst=10).play()
    assert bursts["wait_p50_ms"] > even.play()["wait_p50_ms"]
    assert bursts["cut_off_share"] > even.play()["cut_off_share"]


def test_what_is_too_much_is_refused_and_what_is_late_cut_off():
    over = replace(KNOWN, rate=400, workers=2, queue=5, count=50_000).play()
    assert over["refused_share"] == pytest.approx(0.5, abs=0.02)
    none_in_time = replace(KNOWN, rate=10, deadline_ms=0, count=1_000).play()
    assert none_in_time["without_a_score_share"] == 1
    asked = Cascade(rate=1, share=1.0, encoder_ms=1e6, count=1_000).play()
    assert asked["cut_off_share"] == 1
    assert asked["without_a_score_share"] == 0


def test_the_page_has_what_a_cluster_takes_as_it_is_printed():
    stored = json.loads(Path(at_scale.__file__).with_suffix(".json").read_text("utf-8"))
    page = at_scale.PAGE.read_text("utf-8")
    for name, text in at_scale.printed(stored).items():
        assert f"<!-- {name} -->\n\n{text}\n\n<!-- end -->" in page
