"""Scoring in a bot: texts instead of turns, event loops, threads and processes."""

import asyncio
import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

from klopt import Assessment, Page, Profile, Scorer, Turn
from klopt.cli.scoring import demo_rows
from klopt.errors import RecordError
from tests.scoring.turns import ANSWER, PAGE, QUESTION, TERMS, turn

TURNS = [row.turn for row in demo_rows() if row.turn is not None]


def test_texts_are_scored_like_a_turn(scorer):
    texts = scorer.score(QUESTION, ANSWER, [PAGE])
    assert texts == scorer.score(turn())
    assert scorer.score(QUESTION, answer=ANSWER, contexts=Page(PAGE)) == texts
    assert scorer.score(question=QUESTION, answer=ANSWER, contexts=[PAGE]) == texts
    assert asyncio.run(scorer.ascore(QUESTION, ANSWER, PAGE)) == texts


NO_TURN = "{} is not a Turn; create one from a row with Turn.from_mapping"
OWN = "a Turn has its own answer and contexts; pass only the Turn"
INVALID: list[tuple[tuple[Any, ...], str]] = [
    ((7,), NO_TURN.format("int")),
    (({"question": "?"},), NO_TURN.format("dict")),
    ((None,), NO_TURN.format("None")),
    (
        (None, ANSWER, [PAGE]),
        "the question is None, not a text; give question, answer and contexts",
    ),
    ((QUESTION,), NO_TURN.format("a question alone") + ", or pass texts: score("),
    ((QUESTION, None, ["Een pagina."]), "answer is None, not text; a tool call has no answer"),
    ((QUESTION, 7, [PAGE]), "answer is a number, not text"),
    ((QUESTION, ANSWER, 7), "contexts is a number, not a list of texts, pages or page names"),
    ((turn(), ANSWER), OWN),
    ((turn(), None, [PAGE]), OWN),
]


@pytest.mark.parametrize(("given", "message"), INVALID)
def test_an_invalid_turn_is_refused_and_others_are_scored(scorer, given, message):
    for score in (scorer.score, lambda *texts: asyncio.run(scorer.ascore(*texts))):
        with pytest.raises(RecordError) as error:
            score(*given)
        assert str(error.value).startswith(message)
    if len(given) == 1:
        with pytest.raises(RecordError, match="is not a Turn"):
            scorer.classify(*given)
        first, second = scorer.score_many([*given, turn()])
        assert (first.status, first.reason_code) == ("error", "row")
        assert second.status == "scored"


def test_an_unknown_argument_is_refused_by_its_own_name():
    with pytest.raises(
        TypeError, match=r"no argument pages; it has all_types, .*index=Index\.open"
    ):
        Scorer.load(pages="help")


class Slow:
    """An adviser that waits for an event."""

    name = "slow"

    def __init__(self, at_once: int = 1) -> None:
        self.at_once = at_once
        self.proceed = threading.Event()
        self.ids: list[str] = []

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        self.ids.append(turn.id)
        assert self.proceed.wait(60)
        return assessment


def test_scoring_does_not_block_the_event_loop():
    adviser = Slow(at_once=2)
    scorer = Scorer(Profile.load(), all_types=True, adviser=adviser)

    async def main() -> list[Assessment]:
        tasks = [asyncio.create_task(scorer.ascore(turn(id=name))) for name in "abcd"]
        while len(adviser.ids) < 2:
            await asyncio.sleep(0.001)
        assert sorted(adviser.ids) == ["a", "b"]
        adviser.proceed.set()
        return await asyncio.gather(*tasks)

    assert [found.id for found in asyncio.run(main())] == list("abcd")


def test_a_cancelled_turn_is_not_scored():
    adviser = Slow()
    scorer = Scorer(Profile.load(), all_types=True, adviser=adviser)

    async def main() -> Assessment:
        tasks = [asyncio.create_task(scorer.ascore(turn(id=name))) for name in "abc"]
        while not adviser.ids:
            await asyncio.sleep(0.001)
        for task in tasks:
            task.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in found)
        adviser.proceed.set()
        return await scorer.ascore(turn(id="d"))

    assert asyncio.run(main()).id == "d"
    assert adviser.ids == ["a", "d"]


@pytest.mark.parametrize(("profile", "turns"), [("default", TURNS[::12]), ("afas", TURNS[:4])])
def test_threads_that_load_everything_at_once_agree_with_one_thread(profile, turns):
    expected = [one.to_dict() for one in Scorer.load(profile, all_types=True).score_many(turns)]
    scorer, count = Scorer.load(profile, all_types=True), 4
    together = threading.Barrier(count)

    def score(number: int) -> list[dict[str, Any]]:
        together.wait(60)
        found = [scorer.score(one).to_dict() for one in turns[number:] + turns[:number]]
        return found[len(turns) - number :] + found[: len(turns) - number]

    with ThreadPoolExecutor(count) as pool:
        for found in pool.map(score, range(count)):
            assert found == expected


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_another_process_loads_the_scorer_once(start, tmp_path):
    terms = tmp_path / "terms.toml"
    terms.write_text(TERMS, "utf-8")
    scorer = Scorer.load(all_types=True, terms=[terms])
    context = multiprocessing.get_context(start)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        found = list(pool.map(scorer.score, TURNS[:4]))
        first, second = (pool.submit(id, scorer).result() for _ in range(2))
    assert found == list(scorer.score_many(TURNS[:4]))
    assert first == second
