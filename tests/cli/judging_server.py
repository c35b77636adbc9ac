"""A model on loopback that fills in blanks, orders steps and judges as the answers do."""

import json
import re

from tests.cli.judged_log import REFERENCE
from tests.llm.server import Received

TERMS = re.findall(r"\*\*(.+?)\*\*", REFERENCE)


def reply(received: Received) -> str:
    """Return a good reply to any request of klopt about the rows of `judged_log`."""
    prompt = received.body["messages"][0]["content"] + received.user
    if "[RESULT]" in prompt:
        return "Feedback: A step is missing. [RESULT] 4"
    if '"explanation"' in prompt:
        return json.dumps({"explanation": "It says less than it should.", "score": 2})
    if "<BLANK" in received.user:
        wrong = "orlinde" in received.user
        terms = [term.replace("wadlinde", "orlinde") if wrong else term for term in TERMS]
        blanks = [{"blank": n, "content": term} for n, term in enumerate(terms, 1)]
        return json.dumps({"answer": blanks})
    titles = dict(re.findall(r"^([A-Z])\. (.+)$", received.user, re.MULTILINE))
    words = ["Open", "Kies", "Bewaar"]
    letters = sorted(titles, key=lambda letter: words.index(titles[letter].split()[0]))
    return json.dumps({"answer": letters})
