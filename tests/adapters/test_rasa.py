"""Rasa."""

from __future__ import annotations

import asyncio

import pytest

from klopt import Scorer
from tests.adapters.adapted import ASKED, PAGE, TRUE, UNTRUE, adapter


@pytest.mark.parametrize(
    ("answer", "before", "said", "events"),
    [
        (TRUE, None, {"text": TRUE}, ["send"]),
        (UNTRUE, None, {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "send", {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "block", None, ["block", "action_hand_over"]),
        (None, None, {"response": "utter_ask_rephrase"}, ["unscored"]),
        (None, "unscored", None, ["unscored", "action_hand_over"]),
    ],
)
def test_it_utters_asks_again_or_hands_over(
    scorer: Scorer, answer: str | None, before: str | None, said: object, events: list[str]
) -> None:
    klopt = adapter("rasa")
    from rasa_sdk import Tracker
    from rasa_sdk.executor import CollectingDispatcher

    action = type("Own", (klopt.CheckedAction,), {"scorer": scorer, "name": lambda self: "own"})()
    slots = {"answer": answer, "documents": [{"text": PAGE}], "klopt_verdict": before}
    tracker = Tracker("7", slots, {"text": ASKED}, [], False, None, {}, "action_listen")
    dispatcher = CollectingDispatcher()
    found = asyncio.run(action.run(dispatcher, tracker, {}))
    assert [
        one.get("value") or one.get("name") for one in found if one.get("name") != "klopt_why"
    ] == events
    uttered = [
        {key: one[key] for key in ("text", "response") if one.get(key)}
        for one in dispatcher.messages
    ]
    assert uttered == ([said] if said else [])


def test_the_base_is_no_action_of_its_own() -> None:
    klopt = adapter("rasa")
    from rasa_sdk.executor import ActionExecutor

    ActionExecutor()._register_all_actions()
    with pytest.raises(TypeError):
        klopt.CheckedAction()
