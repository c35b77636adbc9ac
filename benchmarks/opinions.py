"""``python -m benchmarks.opinions``: what second opinions bring, and what an LLM's cost.

Truth is measured on companies left out (see `benchmarks.left_out`). The opinions are the blind
ratings of a second person, recorded and replayed, so the figures say what opinions bring that are
as right as a person: more than an LLM's. What an LLM costs is counted from the prompts that it
would be sent, at a price and at so many characters a token; how long it takes is that of a recorded
run on other questions.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from benchmarks.reference import TRANSCRIPTS
from benchmarks.timing import timed
from klopt import Scorer, Turn
from klopt.evaluation.asked import SHARES, Advised, Outcome, points
from klopt.models.calls import Call
from klopt.models.judges import Judge, dimensions
from klopt.models.transcripts import Transcripts, read_line
from klopt.opinions import Asked
from klopt.opinions.llm import statements_call
from klopt.opinions.recorded import Recorded
from klopt.scoring.profile import Verdict, row_of
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.lines import DrawnLines
from training.command import given, share, show, store
from training.companies import UNTRUE, LeftOut
from training.rated_turns import CENTRES, Centre, rows_of

WRONG: Final = 0.2
"""A second curve has so many opinions that say the opposite, as an LLM's may."""
PRICES_USD: Final = (0.15, 0.60)
"""Of GPT-4o-mini when the recorded run was made, for a million tokens in and out."""
CHARS_PER_TOKEN: Final = 4
REPLY_CHARS: Final = {"answer": 300, "statements": 150}
"""Of a reply about the whole answer, and of each statement in one about all of them."""
ANSWERS: Final = 1000
MEASURED: Final = tuple(centre for centre in CENTRES if centre.has_spans)
"""The centres whose answers a second person rated, blind."""


def record(centre: Centre, data: Path, folder: Path, wrong: float = 0.0) -> Recorded:
    """The blind ratings of a centre as opinions, by way of a file; a share of them turned round."""
    file = folder / f"{centre.name}.jsonl"
    with file.open("w") as lines:
        for row in rows_of(data / centre.turns):
            chance = hashlib.sha256(row["id"].encode()).digest()[0] / 256  # the same each time
            rating = row["rating_blind"]
            opinion = HIGHEST + LOWEST - rating if chance < wrong else rating
            lines.write(json.dumps({"id": row["id"], "rating": opinion}) + "\n")
    return Recorded.read(file)


def advised(
    rated: LeftOut, centre: Centre, turns: Mapping[bytes, Turn], recorded: Recorded
) -> Iterator[Advised]:
    """The answers of a centre, without an opinion and with the recorded one."""
    lines = rated.lines(centre.company)
    for sample, score in zip(rated.samples[centre], rated.scores[centre].tolist(), strict=True):
        verdict = _verdict(score, lines)
        is_faultless = verdict == "block" and not rated.has_fault(sample)
        if is_faultless or (verdict == "send" and sample.held):
            verdict = "review"
        truth = recorded.ask(Asked(turns[sample.row])).truth
        after = LOWEST + (HIGHEST - LOWEST) * (0.0 if truth is None else truth)
        outcome = Outcome(after, _verdict(after, lines))
        yield Advised(sample.rating, sample.rating <= UNTRUE, Outcome(score, verdict), outcome)


def curve(rated: LeftOut, data: Path, wrong: float = 0.0) -> list[dict[str, Any]]:
    """For each share that is asked about: the mean Spearman, its lowest, and what is sent."""
    every = []
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for centre in MEASURED:
            turns = {row_of(turn.question, turn.answer): turn for turn in centre.load(data)}
            recorded = record(centre, data, Path(folder), wrong)
            rows = list(advised(rated, centre, turns, recorded))
            every.append(list(points(rows, *rated.lines(centre.company))))
            count += len(rows)
    table = []
    for asked_share, column in zip(SHARES, zip(*every, strict=True), strict=True):
        rhos = [point.spearman.value or 0.0 for point in column]
        shares = [point.untrue_of_sent for point in column]
        sent = sum(estimate.n for estimate in shares)
        untrue = sum(round((estimate.value or 0) * estimate.n) for estimate in shares)
        table.append(
            {
                "share": asked_share,
                "spearman": round(mean(rhos), 3),
                "lowest": round(min(rhos), 3),
                "untrue_of_sent": [untrue, sent],
                "sent": [sent, count],
            }
        )
    return table


def asked_of_llm(turns: Sequence[Turn], scorer: Scorer) -> dict[str, dict[str, float]]:
    """Form of the question → what one answer comes to: tokens in and out, and US dollars."""
    judge = Judge(
        Transcripts(Path(), "nobody", {}), "g_eval", dimensions()["truthfulness"], "pages"
    )
    calls: dict[str, list[tuple[Call, int]]] = {form: [] for form in REPLY_CHARS}
    for turn in turns:
        asked = Asked(turn, scorer.score(turn).statements)
        if judge.obstacle(turn) is None and asked.statements:
            calls["answer"].append((judge.call(turn), 1))
            calls["statements"].append((statements_call(asked), len(asked.statements)))
    return {form: cost(form, some) for form, some in calls.items()}


def cost(form: str, calls: Sequence[tuple[Call, int]]) -> dict[str, float]:
    """What calls come to on average, each with how many replies it asks for."""
    prompt = mean(len(call.system) + len(call.user) for call, _ in calls) / CHARS_PER_TOKEN
    reply = mean(count * REPLY_CHARS[form] for _, count in calls) / CHARS_PER_TOKEN
    usd = (prompt * PRICES_USD[0] + reply * PRICES_USD[1]) / 1e6
    return {"tokens_in": round(prompt), "tokens_out": round(reply), "usd": round(usd, 6)}


def _verdict(score: float, lines: DrawnLines) -> Verdict:
    if score < lines.block_below:
        return "block"
    return "send" if score >= lines.send_from else "review"


def main() -> None:
    """Prints the figures and stores them."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    data = options.data
    rated, scorer = LeftOut.measured(data), Scorer.load(all_types=True)
    turns = [turn for centre in MEASURED for turn in centre.load(data)]
    llm = asked_of_llm(turns, scorer)
    ms = 1000 * median(timed(partial(scorer.score, turn))[0] for turn in turns)
    with (data / "techqa" / TRANSCRIPTS).open(encoding="utf-8") as lines:
        reply_ms = 1000 * median(read_line(line).reply.usage.seconds for line in lines)
    figures = {
        "curve": curve(rated, data),
        "curve_a_fifth_wrong": curve(rated, data, WRONG),
        "klopt_ms": round(ms, 1),
        "reply_seconds": round(reply_ms / 1000, 2),
        "llm": llm,
    }
    head = ["asked", "Spearman", "lowest", "untrue of sent", "sent", "ms", *llm]
    for name, title in (("curve", "right"), ("curve_a_fifth_wrong", f"{WRONG:.0%} opposite")):
        rows = [
            [
                f"{point['share']:.0%}",
                *(f"{point[figure]:.3f}" for figure in ("spearman", "lowest")),
                *(share(*point[figure]) for figure in ("untrue_of_sent", "sent")),
                f"{ms + point['share'] * reply_ms:.0f}",
                *(f"{ANSWERS * point['share'] * form['usd']:.2f}" for form in llm.values()),
            ]
            for point in figures[name]
        ]
        show(f"Opinions: {title}; the last columns: USD for {ANSWERS} answers", head, rows)
    print(f"ms: {ms:.1f} without an opinion, and {reply_ms:.0f} for a reply")
    for form, costs in llm.items():
        print(f"llm, {form}: {costs['tokens_in']} tokens in, {costs['tokens_out']} out a question")
    store(figures, options.output)


if __name__ == "__main__":
    main()
