"""The examples of the README and of the guide for bots."""

import json
import re

from klopt import Scorer
from klopt.cli.scoring import demo_rows
from klopt.scoring.explanation import decimal
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "how-to" / "decide-before-you-answer.md").read_text("utf-8")


def test_the_python_example_of_the_readme():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assessment = names["assessment"]
    assert assessment.verdict == "block"  # type: ignore[attr-defined]
    (shown,) = re.findall(r"assessment.explanation  # '(.*) …'", README)
    assert assessment.explanation.startswith(shown)  # type: ignore[attr-defined]


def test_the_scores_of_the_demo_in_the_readme():
    shown = re.findall(r"^(demo-\d+) +(\d\.\d) +\d +(\w+) +(.*)$", README, re.MULTILINE)
    assert len(shown) > 1
    scorer = Scorer.load()
    turns = {row.turn.id: row.turn for row in demo_rows() if row.turn is not None}
    for name, score, verdict, why in shown:
        found = scorer.score(turns[name])
        assert decimal(found.score or 0.0, "en") == score
        assert found.verdict == verdict
        assert found.why.startswith(why.removesuffix(" …"))


def test_the_accuracy_in_the_readme():
    figures = json.loads((ROOT / "benchmarks" / "accuracy.json").read_text("utf-8"))
    sets = ("mtrag", "qa_feedback", "hagrid", "gensearch", "first four", "nl", "expertqa")
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \| ([^a-z\n]+) \|$", README, re.MULTILINE)
    for name, (count, cells) in zip(sets, rows, strict=True):
        real = figures["real"]["mean of the first four" if name == "first four" else name]
        share = {kind: a / b for kind, (a, b) in figures["verdicts"].get(name, {}).items()}
        expected = [
            f"{int(100 * real[one] + 0.5 + 1e-9) / 100:.2f}"[1:]
            for one in ("auc", "words", "word_pairs")
        ]
        expected += [f"{share[x]:.0%}" for x in ("faithful_of_sent", "sent_of_faithful") if share]
        assert re.findall(r"[\d.]+%?", cells) == expected, name
        assert int(count.replace(",", "")) == round(real["n"] * (4 if name == "first four" else 1))


def test_the_examples_of_the_guide(capsys):
    examples = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", GUIDE, re.DOTALL)
    assert len(examples) == GUIDE.count("```python")
    names: dict[str, object] = {}
    for code, shown in examples:
        exec(code, names)
        assert capsys.readouterr().out == shown


def test_the_bot_of_the_guide_has_at_most_twenty_lines():
    code = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0]
    own = code[code.index("def reply") : code.index("print(reply")]
    assert len(own.strip().splitlines()) <= 20
