"""What the README and the guide for bots show runs as it stands."""

import re

from klopt import Scorer
from klopt.cli.scoring import demo_rows
from klopt.scoring.explanation import decimal
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "decide-before-you-answer.md").read_text("utf-8")


def test_the_python_example_gives_what_it_says():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assessment = names["assessment"]
    assert assessment.verdict == "block"  # type: ignore[attr-defined]
    (said,) = re.findall(r"assessment.explanation  # '(.*) …'", README)
    assert assessment.explanation.startswith(said)  # type: ignore[attr-defined]


def test_the_lines_of_the_demo_are_those_that_it_prints():
    shown = re.findall(r"^(demo-\d+) +(\d\.\d) +\d +(\w+) +(.*)$", README, re.MULTILINE)
    assert len(shown) > 1
    scorer = Scorer.load()
    turns = {row.turn.id: row.turn for row in demo_rows() if row.turn is not None}
    for name, score, verdict, why in shown:
        found = scorer.score(turns[name])
        assert decimal(found.score or 0.0, "en") == score
        assert found.verdict == verdict
        assert found.why.startswith(why.removesuffix(" …"))


def test_each_example_prints_what_is_shown(capsys):
    examples = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", GUIDE, re.DOTALL)
    assert len(examples) == GUIDE.count("```python")
    names: dict[str, object] = {}
    for code, shown in examples:
        exec(code, names)
        assert capsys.readouterr().out == shown


def test_a_bot_has_twenty_lines():
    code = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0]
    own = code[code.index("def reply") : code.index("print(reply")]
    assert len(own.strip().splitlines()) <= 20
