"""An evaluation in words, for page and terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate
from klopt.evaluation.evaluation import Evaluation, ProfileEvaluation
from klopt.evaluation.features import Disagreement, FeatureDifference
from klopt.report.evidence import Sentence, shown
from klopt.report.wording import Wording, brief, side, sure
from klopt.scoring.tree import HIGHEST, LOWEST

FIGURES: Final = ("spearman", "auc", "kendall", "pearson", "kappa_quadratic", "accuracy_margin_1")
"""The measures of agreement, in order."""
_FEW: Final = 10
_LINE_CHARS: Final = 90
_PAGES: Final = 8


@dataclass(frozen=True)
class Worded:
    """The sentences and figures of an evaluation, in one language."""

    found: Evaluation
    words: Wording

    def sections(self) -> list[str]:
        """Return the sections with content, in the order of the page."""
        found = self.found
        there = {
            "disagreements": True,
            "comparison": found.comparison,
            "agreement": True,
            "columns": found.columns,
            "pictures": any(profile.pictures.is_worth_it for profile in found.profiles),
            "costs": True,
            "stars": found.rows.rated,
            "features": True,
            "ablation": True,
            "message_types": found.message_types,
        }
        return [key for key, is_there in there.items() if is_there]

    def heading(self, key: str) -> dict[str, str]:
        """Return a section's heading and introduction."""
        types, texts = self.found.message_types, self.words.texts[key]
        filled = {"people": self.people, "few": self.words.whole(_FEW), **self._names()}
        if types is not None:
            filled["n"] = self.words.whole(types.n)
        words = {name: texts.get(name, "").format(**filled) for name in ("heading", "intro")}
        if key == "disagreements" and not self.found.profiles[0].disagreements:
            words["intro"] = texts["none"]
        return words

    @property
    def people(self) -> str:
        """The word for what scores are compared with: ratings, or else labels."""
        return self.words.say("people", "rated" if self.found.rows.rated else "labelled")

    def sums(self, key: str) -> list[str]:
        """Return the conclusions of a section."""
        if key == "comparison":
            return list(self._compared())
        if key == "columns":
            verdict = self.words.verdict
            own = self.words.say("columns", "own", name=brief(self.found.profiles[0].name))
            verdicts = self._in_words(
                (brief(column.name), verdict("columns", less), less)
                for column in self.found.columns
                for less in (column.spearman_difference,)
            )
            return [self.words.say("columns", "sums", own=own, verdicts=verdicts)]
        return []

    def sources(self) -> tuple[list[FeatureDifference], list[str]]:
        """Return the features whose values differ between profiles, and the names of the others."""
        compared = () if self.found.comparison is None else self.found.comparison.features
        measured = [each for each in compared if each.n]
        same = [self.words.feature(each.name) for each in measured if not each.differ_count]
        return [each for each in measured if each.differ_count], same

    def _names(self) -> dict[str, str]:
        both = self.found.comparison
        return {} if both is None else {"first": brief(both.first), "second": brief(both.second)}

    def _compared(self) -> Iterator[str]:
        """Yield which profile agrees better, how certain that is, and which features cause it."""
        both, names, say = self.found.comparison, self._names(), self.words.say
        if both is None:
            return
        less = both.spearman_difference
        if less.value is None:
            yield say("comparison", "unknown", reason=self.words.reason(less))
        else:
            yield say("comparison", sure(less), **names)
        yield say("comparison", "rows", n=self.words.whole(both.n), **names)
        if differ := self.sources()[0]:
            verdicts = self._in_words(
                (each.name, self.words.verdict("comparison", less, **names), less)
                for each in differ
                for less in (each.spearman_difference,)
            )
            count = self.words.whole(len(differ))
            yield say("comparison", "sums", count=count, verdicts=verdicts)

    def _in_words(self, verdicts: Iterable[tuple[str, str, Estimate]]) -> str:
        """Return verdicts in one sentence, each with its names."""
        groups: dict[str, list[str]] = {}
        for name, verdict, less in verdicts:
            unknown = self.words.say("page", "unknown", reason=self.words.reason(less))
            groups.setdefault(verdict or unknown, []).append(name)
        return (
            "; ".join(f"{verdict}: {self.words.listed(of)}" for verdict, of in groups.items()) + "."
        )

    def captions(self, profile: ProfileEvaluation) -> Iterator[str]:
        """Yield what each marked threshold costs, in a sentence."""
        marked = {at.threshold: at for at in profile.costs.at}
        is_both = len(marked) < len(profile.costs.at)
        for line, at in marked.items():
            if at.caught.value is not None or at.held_back.value is not None:
                key = "best" if line != profile.send_from else "both" if is_both else "at"
                caught, held_back = (
                    self.words.with_interval(share, self.words.percent)
                    for share in (at.caught, at.held_back)
                )
                shown = self.words.threshold(line)
                yield self.words.say(
                    "costs", key, threshold=shown, caught=caught, held_back=held_back
                )

    def counted(self, profile: ProfileEvaluation) -> str:
        """Return how many of the shown answers klopt trusted too much, and too little."""
        pairs = ((each.score, self.person(each)) for each in profile.disagreements)
        sides = [side(score - rating, 1) for score, rating in pairs if rating is not None]
        whole, count = self.words.whole, len(profile.disagreements)
        counts = {"over": whole(sides.count(1)), "under": whole(sides.count(-1))}
        return self.words.say("disagreements", "counted", shown=whole(count), **counts)

    def notes(self) -> list[str]:
        """Return warnings about the answers, profile by profile."""
        notes = (self.learnt_from, self.untranslated)
        every = [note(profile) for profile in self.found.profiles for note in notes]
        if repeated := self.found.rows.repeated:
            key = "repeated" if repeated > 1 else "repeated_once"
            every.insert(0, self.words.say("headline", key, count=self.words.whole(repeated)))
        return [note for note in every if note is not None]

    def lead(self) -> str:
        """Return how many answers were rated and scored, and why the others were not."""
        rows, (first, *others) = self.found.rows, self.found.profiles
        say, whole, texts = self.words.say, self.words.whole, self.words.texts
        not_scored = sum(rows.not_scored.values())
        people = [
            say("headline", f"all_{key}" if count == rows.total else key, count=whole(count))
            for key, count in (("rated", rows.rated), ("labelled", rows.labelled))
            if count
        ]
        filled = {
            "total": whole(rows.total),
            "people": texts["page"]["and"].join(people) or texts["headline"]["unrated"],
            "scored": whole(max(rows.total - not_scored, 0)),
            "who": say("page", "profile", name=brief(first.name)) if others else "klopt",
        }
        if not not_scored:
            return say("headline", "all_scored", **filled)
        reasons = ", ".join(
            f"{whole(count)} ({self.words.plain('reasons', code)})"
            for code, count in rows.not_scored.items()
        )
        return say("headline", "counted", reasons=reasons, **filled)

    def learnt_from(self, profile: ProfileEvaluation) -> str | None:
        """Return how many answers are training data of the profile; None if none is known."""
        rows = profile.learnt_rows
        if rows is None:
            return None
        counts = {"count": self.words.whole(rows.count), "total": self.words.whole(rows.total)}
        share = self.words.percent(rows.count / rows.total)
        key = "learnt_from_all" if rows.count == rows.total else "learnt_from"
        return self.words.say("headline", key, name=brief(profile.name), share=share, **counts)

    def untranslated(self, profile: ProfileEvaluation) -> str | None:
        """Return how many answers could not be translated; None if all could."""
        rows = profile.translation
        if rows is None or not (rows.on_original or rows.not_scored):
            return None
        say, whole = self.words.say, self.words.whole
        parts, failed_count = [], 0
        for key, codes in (("on_original", rows.on_original), ("refused", rows.not_scored)):
            if codes:
                count = sum(codes.values())
                failed_count += count
                listed = ", ".join(
                    f"{whole(number)} {brief(code)}" for code, number in codes.items()
                )
                parts.append(say("headline", key, count=whole(count), codes=listed))
        what, total = self.words.texts["page"]["and"].join(parts), rows.translated + failed_count
        counts = {"count": whole(failed_count), "total": whole(total)}
        return say("headline", "untranslated", name=brief(profile.name), what=what, **counts)

    def sentences(self, profile: ProfileEvaluation) -> Iterator[str]:
        """Yield the results of a profile in sentences."""
        at, overall, words = profile.costs.at[0], profile.agreement[0], self.words
        parts = [
            words.say(
                "headline",
                key,
                count=self._part(share, total),
                share=words.with_interval(share, words.percent, ", {}"),
            )
            for key, share, total in (
                ("caught", at.caught, profile.costs.untrue_count),
                ("held_back", at.held_back, profile.costs.true_count),
            )
            if share.value is not None
        ]
        if parts:
            what, line = words.texts["page"]["and"].join(parts), words.threshold(at.threshold)
            yield words.say("headline", "threshold", threshold=line, what=what)
        rho, auc = overall.spearman, overall.auc
        yield from self._agreement(rho)
        if auc.value is not None:
            ends = words.interval(auc, words.percent)
            ends = f" ({ends})" if ends else ""
            yield words.say("headline", "auc", share=words.percent(auc.value), ends=ends)
        n = max(rho.n, auc.n)
        if n < FEWEST_FOR_INTERVAL:
            least = words.whole(FEWEST_FOR_INTERVAL)
            yield words.say("headline", "far_too_few", n=words.whole(n), least=least)
        elif n < words.texts["headline"]["few_below"]:
            yield words.say("headline", "few", n=words.whole(n))

    def _part(self, share: Estimate, total: int) -> str:
        count = self.words.whole(round((share.value or 0.0) * total))
        return self.words.say("headline", "of", count=count, total=self.words.whole(total))

    def _agreement(self, rho: Estimate) -> Iterator[str]:
        words = self.words
        if rho.value is None:
            yield words.say("headline", "agreement_unknown", reason=words.reason(rho))
            return
        around = words.say("headline", "interval", ends="{}")
        value, named = words.with_interval(rho, words.decimal, around), words.agreement(rho.value)
        yield words.say("headline", "agreement", n=words.whole(rho.n), words=named, value=value)
        if rho.low is not None and rho.high is not None:
            keys = {"better": "surely", "worse": "worse"}
            yield words.say("headline", keys.get(sure(rho), "maybe"))

    def tiles(
        self, profile: ProfileEvaluation
    ) -> Iterator[tuple[str, Estimate, Callable[[float], str], str]]:
        """Yield the headline figures: label, figure, its format, and words."""
        at, words = profile.costs.at[0], self.words
        at_least = words.threshold(profile.send_from)
        for key, share, total in (
            ("caught_tile", at.caught, profile.costs.untrue_count),
            ("held_back_tile", at.held_back, profile.costs.true_count),
        ):
            label = words.say("headline", key, threshold=at_least)
            yield label, share, words.percent, self._part(share, total)
        rho = profile.agreement[0].spearman
        label = words.say("headline", "agreement_tile")
        yield label, rho, words.decimal, words.agreement(rho.value or 0.0)

    def judgement(self, case: Disagreement) -> str:
        """Return the person's rating or label in words, empty without either."""
        if case.rating is not None:
            return self.words.short(case.rating)
        if case.label is None:
            return ""
        return self.words.say("disagreements", "true" if case.label else "untrue")

    @staticmethod
    def person(case: Disagreement) -> float | None:
        """Return the person's rating; a label counts as 1 or 5."""
        if case.rating is not None or case.label is None:
            return case.rating
        return HIGHEST if case.label else LOWEST

    @staticmethod
    def in_sentences(case: Disagreement) -> tuple[Sentence, ...]:
        """Return the answer in its sentences, beside their passages."""
        return shown(case, case.answer).sentences

    @staticmethod
    def pages_behind(case: Disagreement) -> list[str]:
        """Return the first pages with evidence."""
        every = (span.page for each in case.measurements for span in each.evidence)
        return [brief(page, _LINE_CHARS) for page in dict.fromkeys(every) if page][:_PAGES]
