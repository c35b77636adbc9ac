"""Write the tables and charts of the accuracy, from benchmarks/*.json: python -m docs.figures.

A page has the marker ``<!-- figures: NAME -->`` before each paragraph that this module writes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from docs.charts import Line, chart

ROOT: Final = Path(__file__).parent.parent
ASSETS: Final = ROOT / "docs" / "assets"
PAGES: Final = ("docs/accuracy.md", "docs/how-to/second-opinions.md")
_BLOCK: Final = re.compile(r"(<!-- figures: (\w+) -->\n\n)(.*?)(?=\n\n|\n?\Z)", re.DOTALL)

REAL: Final = ("mtrag", "qa_feedback", "hagrid", "gensearch")
CENTRES: Final = ("bc nl", "hr nl", "fin nl")
LINES: Final = (3.0, 3.4, 3.8, 4.0, 4.2, 4.4)
SHIPPED: Final = 3.8
"""The threshold of `default`."""
Lines = Iterable[str]
TEXTS: Final = tomllib.loads((ROOT / "docs" / "figures.toml").read_text("utf-8"))
HEADINGS: Final = TEXTS["headings"]
"""Part of a page → name of a figure → its heading, in the order of the rows."""


@cache
def stored(name: str) -> Any:  # noqa: ANN401 - a table of JSON
    """Return the figures of a benchmark."""
    return json.loads((ROOT / "benchmarks" / f"{name}.json").read_text("utf-8"))


def _table(*rows: Sequence[str]) -> Lines:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|---" * len(rows[0]) + "|", *others]


def _auc(value: float) -> str:
    return f"{int(100 * value + 0.5 + 1e-9) / 100:.2f}".removeprefix("0")


def _percent(value: float) -> str:
    return f"{int(100 * value + 0.5 + 1e-9)}%"


def _share(counts: Sequence[int]) -> str:
    part, whole = counts
    return f"{part:,} of {whole:,} ({_percent(part / max(1, whole))})"


def real() -> Lines:
    """Faithful against unfaithful answers of each set."""
    rows = []
    for name, heading in HEADINGS["sets"].items():
        own = stored("accuracy")["real"][name]
        is_mean = name.startswith("mean")
        faithful = round(own["n"] * own["faithful"]) / own["n"]
        counts = ["", ""] if is_mean else [str(own["n"]), _percent(faithful)]
        auc = f"**{_auc(own['auc'])}**" if is_mean else _auc(own["auc"])
        rows.append([heading, *counts, auc, _auc(own["words"]), _auc(own["word_pairs"])])
    return _table(["set", "answers", "faithful", "klopt", "words", "word pairs"], *rows)


def domains() -> Lines:
    """The subjects of MT-RAG."""
    rows = []
    for name, heading in HEADINGS["domains"].items():
        own = stored("accuracy")["domains"][name]
        aucs = [_auc(own[key]) for key in ("auc", "words", "word_pairs")]
        counts = [_share(own[key]) for key in ("faithful_of_sent", "sent_of_faithful")]
        rows.append([heading, str(own["n"]), *aucs, *counts])
    titles = ["faithful, of what is sent", "sent, of the faithful"]
    return _table(["`mtrag`", "answers", "klopt", "words", "word pairs", *titles], *rows)


def mtrag() -> Lines:
    """Scores released with MT-RAG."""
    figures = stored("accuracy")
    found = [("klopt", figures["real"]["mtrag"]["auc"], "weights trained without `mtrag`; no LLM")]
    found.append(("share of words", figures["real"]["mtrag"]["words"], "one line of code"))
    found += [
        (*HEADINGS["mtrag"][key][:1], auc, HEADINGS["mtrag"][key][1])
        for key, auc in figures["published"].items()
    ]
    found.sort(key=lambda row: -row[1])
    return _table(["`mtrag`", "AUC", "what it is"], *([a, _auc(b), c] for a, b, c in found))


def techqa() -> Lines:
    """Scores released with TechSupportEval, and klopt's."""
    found = stored("reference")
    rows = sorted(HEADINGS["techqa"].items(), key=lambda row: -found[row[0]]["auc"])
    names = {
        "default": "**klopt `default`**",
        "text, graded": "**klopt `judge`**",
        "rouge_l": "ROUGE-L",
        "bleu": "BLEU",
    }
    return _table(
        ["TechQA", "AUC", "what it sees"],
        *(
            [names.get(key, key.removeprefix("released, ")), _auc(found[key]["auc"]), seen]
            for key, seen in rows
        ),
    )


def _sources() -> list[dict[str, Any]]:
    text = (ROOT / "benchmarks" / "published.toml").read_text("utf-8")
    return list(tomllib.loads(text)["source"])


def _beside(number: int) -> Lines:
    source = _sources()[number]
    even, unit = stored("accuracy")["even"], source["unit"]
    own = [f"**{even[name][unit]:.1f}**" for name in source["sets"]]
    others = sorted(source["figures"].items(), key=lambda row: -row[1][0])
    rows = [[name, *(f"{one:.1f}" for one in found)] for name, found in others]
    sizes = zip(source["sets"], source["rows"] or [0] * len(source["sets"]), strict=True)
    heads = [f"{name} ({rows:,} rows)" if rows else name for name, rows in sizes]
    counts = ", ".join(f"{even[name]['n']}" for name in source["sets"])
    return _table([HEADINGS["units"][unit], *heads], [f"**klopt** ({counts} rows)", *own], *rows)


def verdicts() -> Lines:
    """What is sent and blocked."""
    figures = stored("accuracy")["verdicts"]
    heads = [
        "faithful_of_sent",
        "sent_of_faithful",
        "unfaithful_of_blocked",
        "blocked_of_unfaithful",
    ]
    rows = [[f"`{name}`", *(_share(figures[name][head]) for head in heads)] for name in REAL]
    rows.append(
        ["**the four together**", *(f"**{_share(figures['first four'][x])}**" for x in heads)]
    )
    rows.append(["`nl`", *(_share(figures["nl"][head]) for head in heads)])
    titles = ["faithful, of what is sent", "sent, of the faithful"]
    titles += ["unfaithful, of what is blocked", "blocked, of the unfaithful"]
    return _table(["set", *titles], *rows)


def risk() -> Lines:
    """What other thresholds would send."""
    curves = stored("accuracy")["risk"]
    rows = [
        [f"{one['from']:.1f}" + (", as shipped" if one["from"] == SHIPPED else "")]
        + [_share(point[key]) for point in (one, dutch) for key in ("sent", "unfaithful_of_sent")]
        for one, dutch in zip(curves["first four"], curves["nl"], strict=True)
        if one["from"] in LINES
    ]
    heads = ["four sets: sent", "unfaithful, of what is sent", "Dutch: sent", "unfaithful"]
    return _table(["`send_from`", *heads], *rows)


def _centres(code: str = "") -> dict[str, float]:
    """Return the mean figures of the help centres in a language."""
    found = stored("accuracy")["pairs"].items()
    some = [own for name, own in found if name.endswith(code) and name not in ("mean", "worst")]
    return {key: sum(own[key] for own in some) / len(some) for key in some[0]}


def pairs() -> Lines:
    """Pairs of answers that differ in one fact."""
    found = stored("accuracy")["pairs"]
    own = [_centres(), found["worst"], _centres("nl"), _centres("en")]
    rows = {
        "the true answer scores higher": ("above", _auc),
        "the same, of pairs whose words alone do not give it away": ("hard_above", _auc),
        "true answers sent": ("true_sent", _percent),
        "untrue answers sent": ("untrue_sent", _percent),
        "untrue ones above a threshold that sends 65% of the true ones": (
            "untrue_over_line",
            _percent,
        ),
        "the reason quotes what is wrong, of untrue answers not sent": ("held_named", _percent),
    }
    head = [f"{found['mean']['n']:,} pairs, {len(found) - 2} help centres", "mean", "worst"]
    return _table(
        [*head, "Dutch", "English"],
        *([title, *(show(one[key]) for one in own)] for title, (key, show) in rows.items()),
    )


def kinds() -> Lines:
    """The same by kind of fact."""
    found = stored("accuracy")["kinds"]
    rows = [
        [
            HEADINGS["kinds"][key],
            str(own["n"]),
            _auc(own["above"]),
            _percent(own["true_sent"]),
            _percent(own["untrue_sent"]),
        ]
        for key, own in sorted(found.items(), key=lambda row: -row[1]["above"])
    ]
    head = [
        "what differs",
        "pairs",
        "the true one scores higher",
        "true ones sent",
        "untrue ones sent",
    ]
    return _table(head, *rows)


def ratings() -> Lines:
    """Order of answers after fitting to ratings: of real ones, and of ones written to be hard."""
    rows = []
    for heading, names in (("TechQA", ["techqa en"]), ("hard, three help centres", CENTRES)):
        some = [stored("learning")[name] for name in names]
        for count in some[0]["from_default"]:
            keys = [
                ("default", "0"),
                *((method, count) for method in list(HEADINGS["ratings"])[1:]),
            ]
            means = [sum(one[a][b] for one in some) / len(some) for a, b in keys]
            rows.append([f"{heading}: {count}", *map(_auc, means)])
    return _table(["answers: ratings", *HEADINGS["ratings"].values()], *rows)


def thresholds() -> Lines:
    """What thresholds by ratings send."""
    found, rows = stored("accuracy")["ratings"].values(), []
    for count in next(iter(found)):
        sums = [
            _part([sum(one[count][key][at] for one in found) for at in (0, 1)])
            for key in ("unfaithful_of_sent", "sent_of_faithful")
        ]
        rows.append([count if count != "0" else "none: the profile's threshold", *sums])
    return _table(["ratings", "unfaithful, of what is sent", "sent, of the faithful"], *rows)


def untrue() -> Lines:
    """The estimated number of untrue answers."""
    rows = [
        [
            *(f"`{name}`", str(own["n"]), str(own["untrue"])),
            f"{own['count']} ({own['low']} to {own['high']})",
            *(_percent(own[key]) for key in ("rated", "few", "few_rated")),
        ]
        for name, own in stored("accuracy")["untrue"].items()
    ]
    head = ["set", "answers", "untrue", "estimate (interval)", "with 50 ratings, inside"]
    return _table([*head, "one in ten untrue: inside", "with 50 ratings"], *rows)


def others() -> Lines:
    """Small measurements of the same command."""
    found = stored("accuracy")
    turns = found["turns"]
    return _table(
        ["", ""],
        [
            "small cases from bug reports and new users, with the expected verdict",
            _share(found["cases"]),
        ],
        [
            "true answers of pairs sent, with openers, sources and closings",
            _share(found["chatter"]["with"]),
        ],
        ["the same help centres, without them", _share(found["chatter"]["plain"])],
        ["answers of the demo's log for a person to review", _share(found["demo_review"])],
        [
            f"rated turns of {len(turns)} help centres, written to be hard: Spearman's correlation",
            _auc(sum(turns.values()) / len(turns)),
        ],
    )


def opinions() -> Lines:
    """What opinions bring on each set."""
    rows = []
    for set_, by_name in stored("opinions").items():
        alone = next(iter(by_name.values()))["at"]["none"]
        counts = [_share(alone[key]) for key in HEADINGS["sent"]]
        rows.append(
            [f"`{set_}`: klopt, without opinions", *4 * [_percent(alone["accuracy"])], *counts]
        )
        for name, found in by_name.items():
            at = found["at"]
            counts = [_share(at["review"][key]) for key in HEADINGS["sent"]]
            rows.append(
                [name, *(_percent(at[key]["accuracy"]) for key in HEADINGS["points"]), *counts]
            )
    return _table(
        [
            "balanced accuracy, with opinions on",
            *HEADINGS["points"].values(),
            *HEADINGS["sent"].values(),
        ],
        *rows,
    )


def _part(counts: Sequence[int]) -> str:
    return _percent(counts[0] / max(1, counts[1]))


def _rest(counts: Sequence[int]) -> str:
    return _percent(1 - counts[0] / counts[1])


def _filled(name: str, **values: str | int) -> Lines:
    return str(TEXTS[name]).strip().format(**values).splitlines()


def summary() -> Lines:
    """The page in five sentences."""
    found, pairs = stored("accuracy"), _centres()
    real, four, dutch = found["real"], found["verdicts"]["first four"], found["verdicts"]["nl"]
    mean = real["mean of the first four"]
    return _filled(
        "summary",
        above=_percent(mean["auc"]),
        auc=_auc(mean["auc"]),
        word_pairs=_auc(mean["word_pairs"]),
        sent=_part(four["sent_of_faithful"]),
        risk=_rest(four["faithful_of_sent"]),
        blocked=_part(four["blocked_of_unfaithful"]),
        harm=_rest(four["unfaithful_of_blocked"]),
        dutch=_auc(real["nl"]["auc"]),
        dutch_risk=_rest(dutch["faithful_of_sent"]),
        pairs=_percent(pairs["above"]),
        pairs_sent=_percent(pairs["true_sent"]),
        pairs_untrue=_percent(pairs["untrue_sent"]),
    )


def worse() -> Lines:
    """Where something else is better."""
    found, checks, kinds = stored("accuracy"), stored("reference"), stored("accuracy")["kinds"]
    even, verdicts = found["even"], found["verdicts"]
    person = stored("opinions")["techqa"]["a person"]
    ragas = stored("opinions")["mtrag"]["RAGAS faithfulness"]["at"]
    bench, leaders = (source["figures"] for source in _sources())
    hardest = sorted(kinds, key=lambda name: float(kinds[name]["above"]))[:4]
    experts = [figures[1] for figures in leaders.values()]
    return _filled(
        "worse",
        mtrag=_auc(found["real"]["mtrag"]["auc"]),
        words=_auc(found["real"]["mtrag"]["words"]),
        mtrag_sent=_part(verdicts["mtrag"]["sent_of_faithful"]),
        alone=_percent(ragas["none"]["accuracy"]),
        ragas=_percent(ragas["review"]["accuracy"]),
        techqa=_auc(checks["default"]["auc"]),
        techqa_sent=person["at"]["none"]["unfaithful_of_sent"][1],
        techqa_n=person["n"],
        judge=_auc(checks["text, graded"]["auc"]),
        tseval=_auc(checks["released, TechSupportEval"]["auc"]),
        gensearch=f"{even['Stanford-GenSearch']['macro_f1']:.1f}",
        tuned=f"{max(own[0] for own in bench.values()):.1f}",
        expertqa=f"{even['ExpertQA']['balanced_accuracy']:.1f}",
        worst_expertqa=f"{min(experts):.1f}",
        best_expertqa=f"{max(experts):.1f}",
        facts=", ".join(HEADINGS["kinds"][name].partition(" (")[0] for name in hardest),
        facts_above=", ".join(_percent(kinds[name]["above"]) for name in hardest),
        dutch_risk=_rest(verdicts["nl"]["faithful_of_sent"]),
        risk=_rest(verdicts["first four"]["faithful_of_sent"]),
    )


def opinions_read() -> Lines:
    """What the table of opinions shows."""
    mtrag, techqa = stored("opinions")["mtrag"], stored("opinions")["techqa"]
    ragas, judge = mtrag["RAGAS faithfulness"], mtrag["LLM judge with a reference answer"]["at"]
    best = techqa["TechSupportEval with a reference answer"]
    at, flat = ragas["at"], techqa["RAGAS with a reference answer"]["at"]
    accuracies = {
        "alone": at["none"],
        "ragas": at["review"],
        "ragas_alone": at["all"],
        "judge": judge["review"],
        "judge_alone": judge["all"],
        "high": at["half of review"],
        "doubt": at["half by doubt"],
        "tseval": best["at"]["review"],
        "tseval_half": best["at"]["half of review"],
        "tseval_doubt": best["at"]["half by doubt"],
        "techqa": flat["none"],
        "flat": flat["review"],
    }
    return _filled(
        "opinions_read",
        asked=_percent(ragas["review"] / ragas["n"]),
        ragas_risk=_part(at["review"]["unfaithful_of_sent"]),
        risk=_part(at["none"]["unfaithful_of_sent"]),
        ragas_sent=_part(at["review"]["sent_of_faithful"]),
        sent=_part(at["none"]["sent_of_faithful"]),
        high_risk=_part(at["half of review"]["unfaithful_of_sent"]),
        doubt_risk=_part(at["half by doubt"]["unfaithful_of_sent"]),
        techqa_sent=best["at"]["none"]["unfaithful_of_sent"][1],
        techqa_n=best["n"],
        **{name: _percent(one["accuracy"]) for name, one in accuracies.items()},
    )


BLOCKS: Final[Mapping[str, Callable[[], Lines]]] = {
    "aggrefact": lambda: _beside(1),
    "attributionbench": lambda: _beside(0),
    **{
        own.__name__: own
        for own in (
            *(real, domains, mtrag, techqa, verdicts, risk, pairs, kinds, ratings),
            *(thresholds, untrue, others, opinions),
            *(summary, worse, opinions_read),
        )
    },
}


def rewritten(text: str) -> str:
    """Return a page with the figures as they are stored."""
    return _BLOCK.sub(lambda found: found[1] + "\n".join(BLOCKS[found[2]]()), text)


def opinions_chart() -> str:
    """Accuracy against the share of answers with an opinion."""
    panels: dict[str, list[Line]] = {}
    for set_, by_name in stored("opinions").items():
        lines = panels.setdefault(set_, [])
        for number, (name, found) in enumerate(by_name.items()):
            end = found["review"] / found["n"], found["at"]["review"]["accuracy"]
            by_score, by_doubt = (
                list(zip(found["points"]["share"], found["points"][by], strict=True))
                for by in ("score", "doubt")
            )
            colour = 5 if name == "a person" else number
            lines.append(Line(name, colour, by_score, end))
            if not number:
                lines.append(Line("the same, most doubtful first", colour, by_doubt, (), True))
    return chart(panels, "answers with an opinion", "balanced accuracy", 0.5, 1.0)


def risk_chart() -> str:
    """Risk against the share sent."""
    lines = []
    for number, (key, name) in enumerate({"first four": "four sets", "nl": "Dutch"}.items()):
        curve = stored("accuracy")["risk"][key]
        points = [
            [sent / total, wrong / max(1, sent)]
            for one in curve
            for (sent, total), (wrong, _) in [(one["sent"], one["unfaithful_of_sent"])]
        ]
        shipped = next(at for at, one in enumerate(curve) if one["from"] == SHIPPED)
        lines.append(
            Line(f"{name}; dot: the threshold as shipped", number, points, points[shipped])
        )
    return chart({"Risk": lines}, "answers sent", "unfaithful, of what is sent", 0.0, 0.5)


CHARTS: Final[Mapping[str, Callable[[], str]]] = {
    "opinions.svg": opinions_chart,
    "risk.svg": risk_chart,
}


def main() -> None:
    """Write the figures into the pages and draw the charts; print the figures."""
    for name, draw in CHARTS.items():
        (ASSETS / name).write_text(draw(), encoding="utf-8")
    for name in PAGES:
        page = ROOT / name
        page.write_text(rewritten(page.read_text("utf-8")), encoding="utf-8")
    for name, block in BLOCKS.items():
        print(f"{name}\n", *block(), "", sep="\n")


if __name__ == "__main__":
    main()
