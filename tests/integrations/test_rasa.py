"""Rasa."""

import asyncio

import pytest

from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE, adapter


@pytest.mark.parametrize(
    ("answer", "before", "utterance", "events"),
    [
        (TRUE, None, {"text": TRUE}, ["send"]),
        (UNTRUE, None, {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "send", {"response": "utter_ask_rephrase"}, ["block"]),
        (UNTRUE, "block", None, ["block", "action_hand_over"]),
        (None, None, {"response": "utter_ask_rephrase"}, ["unscored"]),
        (None, "unscored", None, ["unscored", "action_hand_over"]),
    ],
)
def test_an_action_utters_rephrases_or_hands_over(scorer, answer, before, utterance, events):
    klopt = adapter("rasa")
    from rasa_sdk import Tracker
    from rasa_sdk.executor import CollectingDispatcher

    action = type("Own", (klopt.CheckedAction,), {"scorer": scorer, "name": lambda self: "own"})()
    slots = {"answer": answer, "documents": [{"text": PAGE}], "klopt_verdict": before}
    tracker = Tracker("7", slots, {"text": QUESTION}, [], False, None, {}, "action_listen")
    dispatcher = CollectingDispatcher()
    found = asyncio.run(action.run(dispatcher, tracker, {}))
    assert [
        one.get("value") or one.get("name") for one in found if one.get("name") != "klopt_why"
    ] == events
    uttered = [
        {key: one[key] for key in ("text", "response") if one.get(key)}
        for one in dispatcher.messages
    ]
    assert uttered == ([utterance] if utterance else [])
