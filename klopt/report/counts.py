"""Tables of counts and shares: scores by rating, message types, the answers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, decimal, figure, whole
from klopt.report.shape import Part
from klopt.report.tables import head, intro, row, section, table, words
from klopt.report.wording import band, plain, say, texts

_NAME_CHARS: Final = 60
_FIELD_CHARS: Final = 200
_CONDITIONS: Final = ("margin_1", "score_1", "below_3", "above_3", "score_5")
_TYPE_FIGURES: Final = ("f1", "accuracy", "precision", "recall")


def stars(profiles: Sequence[Part]) -> Markup | None:
    """How the answers of each rating were scored."""
    if not any(one.has("stars") for one in profiles):
        return None
    two = len(profiles) > 1
    return section(
        "stars",
        texts()["stars"]["heading"],
        intro("stars"),
        *(_stars(one, named=two) for one in profiles),
    )


def _stars(profile: Part, *, named: bool) -> Markup:
    said, entries = texts()["stars"], profile.parts("stars")
    name = brief(profile.text("name"), _NAME_CHARS)
    columns = [
        said["condition"],
        *(say("stars", "rating", rating=whole(one.count("rating"))) for one in entries),
    ]
    rows = [row(said["n"], *(whole(one.count("n")) for one in entries))]
    rows += [
        row(said[key], *(_share(one, key, said["wanted"][key]) for one in entries))
        for key in _CONDITIONS
    ]
    caption = say("stars", "profile_caption", name=name) if named else said["caption"]
    return table(caption, head(*columns), rows)


def _share(one: Part, key: str, wanted: Sequence[int]) -> Child:
    estimate = one.estimate(key)
    good = estimate.value is not None and one.count("rating") in wanted
    sign = element("span", "✓ ", class_="good") if good else None
    return join(sign, figure(estimate, share=True))


def message_types(evaluation: Part) -> Markup | None:
    """How often the classifier finds the type that a person gave."""
    if not evaluation.has("message_types"):
        return None
    found, said = evaluation.part("message_types"), texts()["message_types"]
    entries: list[tuple[Child, Part]] = [(said["overall"], found.part("overall"))]
    if found.has("binary_or_instruction"):
        entries.append((said["binary_or_instruction"], found.part("binary_or_instruction")))
    entries += [(brief(one.text("type"), _NAME_CHARS), one) for one in found.parts("types")]
    rows = [
        row(name, *(figure(one.estimate(key)) for key in _TYPE_FIGURES)) for name, one in entries
    ]
    return section(
        "message-types",
        said["heading"],
        intro("message_types", n=whole(found.count("n"))),
        table(said["caption"], head(*words("message_types", "type", *_TYPE_FIGURES)), rows),
    )


def labellers(evaluation: Part) -> Markup | None:
    """How far two people agree on the message types."""
    if not evaluation.has("labellers"):
        return None
    found = evaluation.part("labellers")
    kappa = found.estimate("kappa")
    filled = {"n": whole(found.count("n")), "field": brief(found.text("field"), _NAME_CHARS)}
    if kappa.value is None:
        reason = brief(kappa.reason or texts()["headline"]["no_reason"], _FIELD_CHARS)
        said = say("labellers", "unknown", reason=reason, **filled)
    else:
        figure_text = decimal(kappa.value)
        if kappa.low is not None and kappa.high is not None:
            figure_text += f" ({decimal(kappa.low)} to {decimal(kappa.high)})"
        said = say(
            "labellers", "says", words=band("kappa", kappa.value), kappa=figure_text, **filled
        )
    return section("labellers", texts()["labellers"]["heading"], element("p", said))


def answers(evaluation: Part) -> Markup:
    """Which rows the figures rest on, and which were not scored."""
    found, said = evaluation.part("rows"), texts()["rows"]
    lines = [(said[key], found.count(key)) for key in ("total", "rated", "labelled")]
    for profile in evaluation.parts("profiles"):
        if profile.has("translation"):
            lines += _translated(profile)
    for key, sentence, table_name in (
        ("not_scored", "not_scored", "reasons"),
        ("languages", "language", "languages"),
        ("message_types", "type", "types"),
    ):
        names = found.counts(key)
        for name, count in sorted(names.items(), key=lambda item: (-item[1], item[0])):
            filler = "reason" if key == "not_scored" else "name"
            lines.append((say("rows", sentence, **{filler: plain(table_name, name)}), count))
    rows = [row(name, whole(count)) for name, count in lines]
    return section(
        "answers",
        said["heading"],
        table(said["caption"], head(*words("rows", "what", "count")), rows),
    )


def _translated(profile: Part) -> Iterator[tuple[str, int]]:
    """How many answers a profile read in translation, and why not the others."""
    found, name = profile.part("translation"), brief(profile.text("name"), _NAME_CHARS)
    yield say("rows", "translated", name=name), found.count("translated")
    for key, sentence in (("on_original", "on_original"), ("not_scored", "refused")):
        for code, count in found.counts(key).items():
            yield say("rows", sentence, name=name, reason=plain("untranslated", code)), count
    if found.count("unmasked"):
        yield say("rows", "unmasked", name=name), found.count("unmasked")


def glossary() -> Markup:
    """What the figures mean, folded."""
    said = texts()["glossary"]
    items = [join(element("dt", one["term"]), element("dd", one["says"])) for one in said["terms"]]
    return element(
        "details",
        element("summary", element("h2", said["heading"])),
        element("dl", *items),
        id="glossary",
    )


def repeat(evaluation: Part) -> Markup:
    """Everything that the figures depend on."""
    said = texts()["repeat"]
    facts: list[tuple[str, str]] = [
        (said["file"], evaluation.text("file")),
        (said["version"], evaluation.text("klopt")),
        (said["seed"], str(evaluation.count("seed"))),
        (said["resamples"], whole(evaluation.count("resamples"))),
    ]
    for profile in evaluation.parts("profiles"):
        name = say("repeat", "fingerprint", name=brief(profile.text("name"), _NAME_CHARS))
        facts += [(name, one) for one in profile.texts("fingerprints")]
    items = [
        join(element("dt", name), element("dd", element("code", brief(value, _FIELD_CHARS))))
        for name, value in facts
    ]
    return section("repeat", said["heading"], intro("repeat"), element("dl", *items))
