"""Rasa: an action of rasa-sdk that utters, asks to rephrase, or hands over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess_async

with needs("rasa", "klopt's adapter needs rasa-sdk"):
    from rasa_sdk import Action, Tracker
    from rasa_sdk.events import FollowupAction, SlotSet
    from rasa_sdk.executor import CollectingDispatcher


class CheckedAction(Action, ABC):
    """Base class of an action that answers; define `scorer`, `name` and, if needed, `draft`.

    An answer with the verdict ``send`` is uttered; ``review`` runs the action `hand_over`. Any
    other verdict asks the user to rephrase, with the response `ask_again`, and the second time
    hands over. The domain needs both, and the slots ``klopt_verdict`` and ``klopt_why``.
    """

    scorer: Scorer
    ask_again = "utter_ask_rephrase"
    hand_over = "action_hand_over"

    @abstractmethod
    def name(self) -> str:
        """Return the action's name in the domain."""

    async def draft(self, tracker: Tracker) -> tuple[object, object, object]:
        """Return question, answer and documents; here the last message and two slots."""
        question = (tracker.latest_message or {}).get("text")
        return question, tracker.get_slot("answer"), tracker.get_slot("documents")

    async def run(
        self, dispatcher: CollectingDispatcher, tracker: Tracker, domain: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Check the draft and act on its verdict."""
        question, answer, documents = await self.draft(tracker)
        assessment = await assess_async(self.scorer, question, answer, documents)
        is_retry = tracker.get_slot("klopt_verdict") in ("block", "unscored")
        slots = {"klopt_verdict": assessment.verdict, "klopt_why": assessment.explanation}
        events = [SlotSet(name, value) for name, value in slots.items()]
        if assessment.verdict == "send":
            dispatcher.utter_message(text=str(answer))
        elif assessment.verdict == "review" or is_retry:
            events.append(FollowupAction(self.hand_over))
        else:
            dispatcher.utter_message(response=self.ask_again)
        return events
