import asyncio

from rasa_sdk.executor import ActionExecutor

from klopt import Scorer
from klopt.integrations.rasa import CheckedAction


class ActionAnswer(CheckedAction):
    scorer = Scorer.load()

    def name(self):
        return "action_answer"

    async def draft(self, tracker):  # your search and your generator
        pages = ["Wifi gaat uit met de **Vliegtuigstand**."]
        return tracker.latest_message["text"], "Klik op **Turbo**.", pages


executor = ActionExecutor()  # `rasa run actions` makes one, and finds the action by itself
executor.register_action(ActionAnswer)
tracker = {"sender_id": "7", "latest_message": {"text": "Hoe zet ik wifi uit?"}, "slots": {}}
call = {"next_action": "action_answer", "sender_id": "7", "tracker": tracker, "domain": {}}
done = asyncio.run(executor.run(call)).model_dump()
print(done["responses"][0]["response"], [event["value"] for event in done["events"]])
