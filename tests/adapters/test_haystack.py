"""Haystack."""

from __future__ import annotations

from klopt import Scorer
from tests.adapters.adapted import ASKED, PAGE, TRUE, UNTRUE, adapter


def test_answers_go_on_by_their_verdict(scorer: Scorer) -> None:
    router = adapter("haystack").KloptRouter(scorer)
    from haystack import Document, GeneratedAnswer

    page = Document(content=PAGE, meta={"source": "wifi.md"})
    answers = [GeneratedAnswer(said, ASKED, [page]) for said in (TRUE, UNTRUE)]
    answers.append(GeneratedAnswer(TRUE, ASKED, []))
    found = router.run(answers)
    assert {verdict: [one.data for one in given] for verdict, given in found.items()} == {
        "send": [TRUE],
        "block": [UNTRUE],
        "unscored": [TRUE],
    }
    checked = found["send"][0].meta["klopt"]
    assert checked["measurements"]["components_defined"]["evidence"][0]["page"] == "wifi.md"
    assert all(one.meta == {} for one in answers)
    assert router.run([]) == {}


def test_a_pipeline_is_written_and_read() -> None:
    klopt = adapter("haystack")
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("klopt", klopt.KloptRouter("afas"))
    text = pipeline.dumps()
    try:
        read = Pipeline.loads(text, allowed_modules=["klopt.adapters.haystack"])
    except TypeError:  # before Haystack asked for it
        read = Pipeline.loads(text)
    assert read.get_component("klopt")._scorer.profile.name == "afas"
