"""``python -m benchmarks.opinions``: what second opinions bring, and what an LLM's cost.

Truth is measured on companies left out (see `benchmarks.left_out`). The opinions are the blind
ratings of a second person, recorded and replayed, so the figures say what opinions bring that are
as right as a person: more than an LLM's. What an LLM costs is counted from the prompts that it
would be sent, at a price and at so many characters a token; how long it takes is that of a recorded
run on other questions.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from benchmarks.left_out import PROFILE
from benchmarks.reference import TRANSCRIPTS
from klopt import Scorer, Turn
from klopt.evaluation.asked import SHARES, Advised, AskedPoint, Outcome, points
from klopt.models.calls import Call
from klopt.models.judges import judges_by_name
from klopt.models.transcripts import Transcripts, read_line
from klopt.opinions import Asked
from klopt.opinions.llm import statements_call
from klopt.opinions.recorded import Recorded
from klopt.scoring.learnt_rows import row_of
from klopt.scoring.profile import Verdict
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.lines import Lines
from klopt.tuning.samples import Sample
from training.companies import (
    UNTRUE,
    Found,
    has_fault,
    lines_left_out,
    measured,
    scores_left_out,
)
from training.rated_turns import CENTRES, Centre

WRONG: Final = 0.2
"""A second curve has so many opinions that say the opposite, as an LLM's may."""
OUTPUT: Final = Path(__file__).parent / "opinions.json"
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
    with (data / centre.turns).open(encoding="utf-8") as rows:
        ratings = ((row["id"], row["rating_blind"]) for row in map(json.loads, rows))
        lines = [
            json.dumps({"id": id, "rating": HIGHEST + LOWEST - one if _chance(id) < wrong else one})
            for id, one in ratings
        ]
    file.write_text("\n".join(lines), encoding="utf-8")
    return Recorded.read(file)


def advised(
    own: Sequence[Sample],
    scores: Sequence[float],
    lines: Lines,
    turns: Mapping[bytes, Turn],
    recorded: Recorded,
) -> list[Advised]:
    """The answers of a centre, without an opinion and with the recorded one."""
    found = []
    for sample, score in zip(own, scores, strict=True):
        verdict = _verdict(score, lines)
        is_faultless = verdict == "block" and not has_fault(sample, PROFILE)
        if is_faultless or (verdict == "send" and sample.held):
            verdict = "review"
        truth = recorded.ask(Asked(turns[sample.row])).truth
        after = LOWEST + (HIGHEST - LOWEST) * (0.0 if truth is None else truth)
        is_untrue = sample.rating <= UNTRUE
        outcome = Outcome(after, _verdict(after, lines))
        found.append(Advised(sample.rating, is_untrue, Outcome(score, verdict), outcome))
    return found


def curve(found: Found, data: Path, wrong: float = 0.0) -> list[dict[str, Any]]:
    """For each share that is asked about: the mean Spearman, its lowest, and what is sent.

    Args:
        found: The measured answers.
        data: The folder of the real data.
        wrong: The share of the opinions that say the opposite.
    """
    scores = scores_left_out(found, PROFILE)
    lines = lines_left_out(found, scores, PROFILE)
    every: list[list[AskedPoint]] = []
    counts: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        for centre in MEASURED:
            turns = {row_of(one.question, one.answer): one for one in centre.load(data)}
            own = lines[centre.company]
            recorded = record(centre, data, Path(folder), wrong)
            rows = advised(found[centre], scores[centre], own, turns, recorded)
            every.append(list(points(rows, *own)))
            counts.append(len(rows))
    table = []
    for share, column in zip(SHARES, zip(*every, strict=True), strict=True):
        rhos = [one.spearman.value or 0.0 for one in column]
        sent = sum(one.untrue_of_sent.n for one in column)
        untrue = sum(
            round((one.untrue_of_sent.value or 0) * one.untrue_of_sent.n) for one in column
        )
        table.append(
            {
                "share": share,
                "asked": [sum(one.asked for one in column), sum(counts)],
                "spearman": round(mean(rhos), 3),
                "lowest": round(min(rhos), 3),
                "untrue_of_sent": [untrue, sent],
                "sent": [sent, sum(counts)],
            }
        )
    return table


def asked_of_llm(data: Path) -> dict[str, dict[str, float]]:
    """Form of the question → what one answer comes to: tokens in and out, and US dollars."""
    scorer = Scorer.load(all_types=True)
    nobody = Transcripts(Path(), "nobody", {})
    (judge,) = judges_by_name(["g_eval.truthfulness"], nobody, against="pages")
    calls: dict[str, list[tuple[Call, int]]] = {form: [] for form in REPLY_CHARS}
    for turn in (turn for centre in MEASURED for turn in centre.load(data)):
        asked = Asked.about(turn, scorer.score(turn))
        if judge.obstacle(turn) is None and asked.statements:
            calls["answer"].append((judge.call(turn), 1))
            calls["statements"].append((statements_call(asked), len(asked.statements)))
    return {form: _cost(form, some) for form, some in calls.items()}


def klopt_ms(data: Path) -> float:
    """The median time of an answer without opinions, pages known."""
    scorer = Scorer.load(all_types=True)
    turns = [turn for centre in MEASURED for turn in centre.load(data)]
    took = []
    for turn in turns:
        scorer.score(turn)
        begin = time.perf_counter()
        scorer.score(turn)
        took.append(1000 * (time.perf_counter() - begin))
    return round(median(took), 1)


def reply_seconds(data: Path) -> float:
    """The median time of a reply in the recorded run."""
    with (data / "techqa" / TRANSCRIPTS).open(encoding="utf-8") as lines:
        return round(median(read_line(line).reply.usage.seconds for line in lines), 2)


def _cost(form: str, calls: Sequence[tuple[Call, int]]) -> dict[str, float]:
    prompt = mean(len(call.system) + len(call.user) for call, _ in calls) / CHARS_PER_TOKEN
    reply = mean(count * REPLY_CHARS[form] for _, count in calls) / CHARS_PER_TOKEN
    usd = (prompt * PRICES_USD[0] + reply * PRICES_USD[1]) / 1e6
    return {"tokens_in": round(prompt), "tokens_out": round(reply), "usd": round(usd, 6)}


def _chance(id: str) -> float:
    """A number from 0 to 1 that is the same for an id each time."""
    return hashlib.sha256(id.encode()).digest()[0] / 256


def _verdict(score: float, lines: Lines) -> Verdict:
    if score < lines.block_below:
        return "block"
    return "send" if score >= lines.send_from else "review"


def _show(figures: Mapping[str, Any]) -> None:
    print("share  Spearman  lowest  untrue of sent  sent             ms    USD, answer  statements")
    for one in figures["curve"]:
        share, llm = one["share"], figures["llm"]
        ms = figures["klopt_ms"] + 1000 * share * figures["reply_seconds"]
        usd = [f"{ANSWERS * share * llm[form]['usd']:.2f}" for form in ("answer", "statements")]
        print(f"{_truth(one)}  {ms:<5.0f} {usd[0]:<11}  {usd[1]}")
    print(f"The same when {WRONG:.0%} of the opinions say the opposite:")
    for one in figures["curve_a_fifth_wrong"]:
        print(_truth(one))
    print(
        f"ms: the mean of an answer, {figures['klopt_ms']} without an opinion and "
        f"{figures['reply_seconds']} s for a reply; USD for {ANSWERS} answers"
    )
    for form, one in figures["llm"].items():
        print(f"llm, {form}: {one['tokens_in']} tokens in, {one['tokens_out']} out a question")


def _truth(one: Mapping[str, Any]) -> str:
    untrue, sent = (_of(*one[name]) for name in ("untrue_of_sent", "sent"))
    rhos = f"{one['spearman']:.3f}     {one['lowest']:.3f}"
    return f"{one['share']:5.0%}  {rhos}   {untrue:<14}  {sent:<15}"


def _of(count: int, total: int) -> str:
    return f"{count}/{total} ({count / max(1, total):.1%})"


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opinions", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    data = arguments.data
    if not data.is_dir():
        print(f"The real data are not at {data}: no company can be left out.")
        return
    found = measured(data, PROFILE)
    figures = {
        "curve": curve(found, data),
        "curve_a_fifth_wrong": curve(found, data, WRONG),
        "klopt_ms": klopt_ms(data),
        "reply_seconds": reply_seconds(data),
        "llm": asked_of_llm(data),
    }
    _show(figures)
    arguments.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
