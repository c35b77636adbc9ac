"""True and untrue answers made from help pages alone, to fit a profile without human ratings.

An answer is made from a page and worded a little differently; an untrue one is such an answer in
which one thing, now and then two, has been made wrong on purpose. What went wrong is therefore
known, which no rating of real answers tells; how real bots word things is only imitated.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.reading.reader import Reader
from klopt.records import Page, Turn
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.tuning.drafts import Draft, drafts
from klopt.tuning.excerpts import excerpts
from klopt.tuning.faults import CORRUPTIONS
from klopt.tuning.paraphrase import lay_out, reworded
from klopt.tuning.setting import Neighbours, Setting
from klopt.tuning.wording import wording

__all__ = ["SOURCE_MISSING", "Synthetic", "synthesise"]

TRUE_SHARE: Final = 0.45
REFUSED_SHARE: Final = 0.1
"""Of the true answers, so many are refusals to a question whose page was left out."""
SECOND_SHARE: Final = 0.1
"""Of the untrue answers, so many have a second corruption."""
FOUND_ELSEWHERE_SHARE: Final = 0.7
"""An answer with more of its content words in the other pages may be true without its own."""
MOST_PAGES: Final = 2_000
FEWEST_NEIGHBOURS: Final = 1
MOST_CONTEXTS: Final = 5

SOURCE_MISSING: Final = "source_missing"
"""The corruption of an answer that is true to a page which the bot was not given."""

_TRUE: Final = ""
_REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class Synthetic:
    """An answer that was made, and how.

    Attributes:
        turn: Question, answer and contexts; its label is whether the answer is true, its rating
            5 or 1.
        corruption: The key in `CORRUPTIONS`, `SOURCE_MISSING`, two keys joined by ``+``, or None
            for a true answer.
        page: The id of the page that the answer was made from.
    """

    turn: Turn
    corruption: str | None
    page: str


def synthesise(pages: Sequence[Page], reader: Reader, *, seed: int, count: int) -> list[Synthetic]:
    r"""True and untrue answers to questions about help pages.

    Args:
        pages: The help pages, in any order; one that is given twice counts once.
        reader: Reads their language.
        seed: The same seed and pages give the same answers, on every machine.
        count: How many answers; fewer when the pages do not give so many.

    Returns:
        Answers in random order, `TRUE_SHARE` of them true, the corruptions as even as the pages
        allow. Empty when no page has a guide, a statement or a list to use.

    Raises:
        UnknownLanguageError: There are no words to make answers with in the reader's language.
        PatternTimeoutError: A company's own pattern is too slow.

    Source:
        Ours. Several corruptions make on purpose what the AFAS paper (Lassche et al., section
        4.4.2) gives as signs of untrue answers, such as unspecified components and error mismatch.
        Training on corrupted true text follows FactCC (Kryściński et al. 2020).

    Differs:
        FactCC corrupts single sentences of news; here whole answers go wrong in what a support
        user does with them: components, steps, keys.

    >>> from klopt import lexicons
    >>> text = "# Verlof vragen\n\n1. Klik op **Nieuw**.\n2. Kies **Verlof**.\n3. Kies **Klaar**."
    >>> made = synthesise([Page(text, id="verlof")], Reader(lexicons.load("nl")), seed=1, count=4)
    >>> sorted(one.turn.label for one in made)
    [False, False, True, True]
    """
    return _Maker(pages, reader, seed).make(count)


class _Maker:
    """Makes answers from one set of pages."""

    def __init__(self, pages: Sequence[Page], reader: Reader, seed: int) -> None:
        words = wording(reader.lexicons)
        unique = {(page.id, page.text): page for page in pages}
        ordered = [unique[key] for key in sorted(unique)]
        self._seed = seed
        if len(ordered) > MOST_PAGES:
            ordered = sorted(self._rng("pages").sample(ordered, MOST_PAGES), key=lambda p: p.id)
        found = (excerpts(page, reader, words) for page in ordered)
        self._pages = [page for page in found if page is not None]
        common = frozenset().union(*(page.small for page in self._pages))
        self._wording = replace(words, common=common)
        self._neighbours = Neighbours(self._pages, words)
        self._seen: set[tuple[str, str]] = set()

    def _rng(self, purpose: str) -> random.Random:
        return random.Random(f"{self._seed}:{purpose}")

    def make(self, count: int) -> list[Synthetic]:
        untrue = self._round([*CORRUPTIONS, SOURCE_MISSING], count - round(TRUE_SHARE * count))
        true_count = min(
            round(TRUE_SHARE * count), round(len(untrue) * TRUE_SHARE / (1 - TRUE_SHARE))
        )
        refused = self._round([_REFUSED], round(REFUSED_SHARE * true_count))
        true = self._round([_TRUE], true_count - len(refused))
        made = [*untrue, *refused, *true]
        self._rng("order").shuffle(made)
        return [
            replace(one, turn=replace(one.turn, id=f"made-{number:05}"))
            for number, one in enumerate(made, 1)
        ]

    def _round(self, kinds: Sequence[str], count: int) -> list[Synthetic]:
        """Answers of each kind in turn, until there are enough or no page gives another."""
        made: list[Synthetic] = []
        queues = {kind: deque(range(len(self._pages))) for kind in kinds}
        rngs = {kind: self._rng(kind) for kind in kinds}
        for kind, queue in queues.items():
            rngs[kind].shuffle(queue)
        while any(queues.values()) and len(made) < count:
            for kind in sorted(kinds):
                if len(made) < count and (one := self._next(kind, queues[kind], rngs[kind])):
                    made.append(one)
        return made

    def _next(self, kind: str, queue: deque[int], rng: random.Random) -> Synthetic | None:
        """The next answer of a kind; pages that give none leave the queue."""
        while queue:
            place = queue.popleft()
            for draft in drafts(self._pages[place], self._wording, rng):
                one = self._answer(kind, draft, self._setting(place, kind, rng), rng)
                if one is not None:
                    queue.append(place)
                    return one
        return None

    def _setting(self, place: int, kind: str, rng: random.Random) -> Setting:
        near = [self._pages[other] for other in self._neighbours.of(place)]
        with_page = kind not in (SOURCE_MISSING, _REFUSED)
        count = rng.randint(FEWEST_NEIGHBOURS + (not with_page), MOST_CONTEXTS - 1)
        page = self._pages[place]
        contexts = (page,) * with_page + tuple(near[:count])
        return Setting(page, contexts, near[count:], self._wording)

    def _answer(
        self, kind: str, draft: Draft, setting: Setting, rng: random.Random
    ) -> Synthetic | None:
        """The draft as an answer of a kind, unless it cannot be or was made before."""
        worded = reworded(draft, self._wording, rng)
        corruption: str | None = None
        if kind in CORRUPTIONS:
            corruption, worded = _corrupted(kind, worded, setting, rng)
            if corruption is None:
                return None
        elif kind != _TRUE:
            if _is_elsewhere(draft, setting):
                return None
            corruption = SOURCE_MISSING if kind == SOURCE_MISSING else None
        if kind == _REFUSED:
            answer = self._wording.phrase("refusal", rng)
        else:
            answer = lay_out(worded, self._wording, rng)
        if (draft.question, answer) in self._seen or not setting.contexts:
            return None
        self._seen.add((draft.question, answer))
        contexts = [context.page for context in setting.contexts]
        rng.shuffle(contexts)
        turn = Turn(
            draft.question,
            answer,
            contexts,
            language=self._wording.language,
            message_type=draft.message_type,
            label=corruption is None,
            rating=HIGHEST if corruption is None else LOWEST,
        )
        return Synthetic(turn, corruption, setting.page.page.id)


def _corrupted(
    kind: str, draft: Draft, setting: Setting, rng: random.Random
) -> tuple[str | None, Draft]:
    """What was made wrong, now and then two things, and the draft; None when nothing could be."""
    wrong = CORRUPTIONS[kind](draft, setting, rng)
    if wrong is None or (wrong.points, wrong.yes) == (draft.points, draft.yes):
        return None, draft
    if rng.random() < SECOND_SHARE:
        second = rng.choice(sorted(set(CORRUPTIONS) - {kind, "neighbour_guide"}))
        worse = CORRUPTIONS[second](wrong, setting, rng) if wrong.points else None
        if worse is not None and worse.points != draft.points:
            return f"{kind}+{second}", worse
    return kind, wrong


def _is_elsewhere(draft: Draft, setting: Setting) -> bool:
    """Whether the pages that are left may say what the answer says."""
    words = setting.wording.content_words(" ".join(draft.points))
    known = len(words & setting.words)
    return known > FOUND_ELSEWHERE_SHARE * len(words) or any(map(setting.says, draft.points))
