"""Haystack."""

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, adapter


def test_answers_are_routed_by_their_verdict(scorer):
    router = adapter("haystack").KloptRouter(scorer)
    from haystack import Document, GeneratedAnswer

    page = Document(content=PAGE, meta={"source": "wifi.md"})
    answers = [GeneratedAnswer(answer, QUESTION, [page]) for answer in (TRUE, UNTRUE)]
    answers.append(GeneratedAnswer(TRUE, QUESTION, []))
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
