"""Which answer to rate next: the one that teaches most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable

from klopt.review.book import Scored
from klopt.scoring.profile import Profile


def next_answer(
    scored: Iterable[Scored], rated: Collection[str], passed: Collection[str], profile: Profile
) -> str | None:
    """The answer that teaches most, of those that are neither rated nor passed over.

    An answer teaches more the closer its score lies to one of the profile's two lines, where a
    rating decides whether it is sent or held back, and the fewer answers of the same page and of
    the same message type were rated before: another answer on the same page says little that is
    new. It is ``exp(-distance) / sqrt((1 + same page) * (1 + same type))``; of equals the first
    by key is taken, whatever the order of the log. What the ratings are does not matter, so two
    people who rate the same log are offered the same answers, in the same order, and can be held
    against each other. For a fit it is worth no more than any other order, by
    ``benchmarks/review_order.py``; it shows early what klopt doubts, and every page and type.

    Args:
        scored: The answers that have a score.
        rated: Those that were rated already.
        passed: Those that were offered and not rated.
        profile: Has the lines.

    Returns:
        Its key; None when all were rated or offered.

    >>> profile = Profile.load("default")
    >>> answers = [Scored("a", 1.0, "block", "binary", "p"), Scored("b", 3.0, "send", "error", "q")]
    >>> next_answer(answers, (), (), profile), next_answer(answers, ["b"], (), profile)
    ('b', 'a')
    """
    every = list(scored)
    known = [one for one in every if one.key in rated]
    pages, kinds = Counter(one.page for one in known), Counter(one.kind for one in known)

    def teaches(one: Scored) -> float:
        distance = min(abs(one.score - profile.send_from), abs(one.score - profile.block_below))
        return math.exp(-distance) / math.sqrt((1 + pages[one.page]) * (1 + kinds[one.kind]))

    offered = (one for one in every if one.key not in rated and one.key not in passed)
    best = min(offered, key=lambda one: (-teaches(one), one.key), default=None)
    return None if best is None else best.key
