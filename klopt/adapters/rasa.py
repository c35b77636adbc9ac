"""Rasa: an action of rasa-sdk that utters what holds, asks again, or hands over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from klopt import Scorer
from klopt.adapters import assess_async
from klopt.extras import needs

with needs("rasa", "klopt's adapter needs rasa-sdk"):
    from rasa_sdk import Action, Tracker
    from rasa_sdk.events import FollowupAction, SlotSet
    from rasa_sdk.executor import CollectingDispatcher


class CheckedAction(Action, ABC):
    """The base of an action that answers; give it a `scorer`, a `name` and, if need be, a `draft`.

    What klopt would send is uttered. What a person should look at first is handed over, by the
    action `hand_over`; for the rest the user is asked to put it otherwise, by the response
    `ask_again`, and handed over when that did not help. The domain has both, and the slots
    ``klopt_verdict`` and ``klopt_why``.
    """

    scorer: Scorer
    ask_again = "utter_ask_rephrase"
    hand_over = "action_hand_over"

    @abstractmethod
    def name(self) -> str:
        """The action's name in the domain."""

    async def draft(self, tracker: Tracker) -> tuple[object, object, object]:
        """Question, answer and documents: here the last message and two slots."""
        question = (tracker.latest_message or {}).get("text")
        return question, tracker.get_slot("answer"), tracker.get_slot("documents")

    async def run(
        self, dispatcher: CollectingDispatcher, tracker: Tracker, domain: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Checks the draft and does what its verdict asks for."""
        question, answer, documents = await self.draft(tracker)
        assessment = await assess_async(self.scorer, question, answer, documents)
        was_asked = tracker.get_slot("klopt_verdict") in ("block", "unscored")
        events = [
            SlotSet("klopt_verdict", assessment.verdict),
            SlotSet("klopt_why", assessment.explanation),
        ]
        if assessment.verdict == "send":
            dispatcher.utter_message(text=str(answer))
        elif assessment.verdict == "review" or was_asked:
            events = [*events, FollowupAction(self.hand_over)]
        else:
            dispatcher.utter_message(response=self.ask_again)
        return events
