"""Turns, lexicons and profiles for the tests of scoring."""

import dataclasses

from klopt import Page, Profile, Turn
from klopt.scoring.tree import Sum
from tests.lexicons.written import lexicon_text

QUESTION = "Hoe opent de gebruiker het bestand?"
ANSWER = "De gebruiker opent het bestand."
PAGE = "# Bestanden\n\nDe gebruiker opent het bestand en daarna leest de klant het."
ENGLISH_PAGE = "# Files\n\nThe user opens the file and then the customer reads it."
SLOW = lexicon_text(
    "components",
    r"""[[pattern]]
id = "slow"
group = "click_phrase"
pattern = '(?<label>(?:a|aa|aaa)+)b(?!a)'
hit = "aab"
miss = "aaba"
""",
)
TERMS = lexicon_text("company_terms", '[lists]\nterms = ["bestand", "gebruiker", "klant"]')


def turn(
    question: str = QUESTION,
    answer: str = ANSWER,
    contexts: list[Page | str] | None = None,
    **fields: object,
) -> Turn:
    return Turn(question, answer, [PAGE] if contexts is None else contexts, **fields)


def parts_of(fingerprint: str) -> dict[str, str]:
    """The parts of a fingerprint by name."""
    return dict(part.split(":", 1) for part in fingerprint.split("|"))


def only(profile: Profile, *names: str) -> Profile:
    """The profile with only a sum over these heuristics."""
    tree = (Sum("sum", names, {"nl": "De som.", "en": "The sum."}),)
    return dataclasses.replace(profile, tree=tree)
