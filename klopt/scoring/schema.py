"""The schema of a profile file, as pydantic models for its languages and heuristics."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, get_args

from pydantic import Field, PlainValidator, model_validator

from klopt import heuristics, lexicons
from klopt._internal.files import read_text_file
from klopt._internal.toml_schema import (
    Kind,
    MustBe,
    Number,
    Problem,
    Table,
    Text,
    custom_error,
    distinct,
    faults,
    fitting,
    list_of,
    one_of,
    place,
    shown,
)
from klopt.errors import InputError
from klopt.heuristics.declaration import WORD_FORMS, Option
from klopt.scoring.notes import Scope
from klopt.scoring.profile import (
    MAX_THREADS,
    OPINIONS,
    WHO,
    Budget,
    When,
    lexicon_files,
    unpacked,
)
from klopt.types import MESSAGE_TYPES
from klopt.verification import LABELS

CLASSIFIERS: Final = ("scored", "published")
LAST_NODES: Final = ("sum", "weigh")

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False), MustBe("a number of 0 or more")]
Share = Annotated[float, Field(ge=0, le=1), MustBe("a number from 0 to 1")]
Score = Annotated[float, Field(ge=1, le=5), MustBe("a number from 1 to 5")]
_ROWS: Final = fitting(
    unpacked, "what klopt fit writes of the answers that it learns from; leave it out, or fit anew"
)
_MILLISECONDS: Final = Annotated[
    float, Field(gt=0, allow_inf_nan=False), MustBe("a number of milliseconds above 0")
]
Truth = Annotated[bool, MustBe("true or false")]
_PRICES: Final = Annotated[
    list[Weight], Field(min_length=2, max_length=2), MustBe("two prices, such as [0.15, 0.60]")
]
Count = Annotated[int, Field(ge=1, le=1_000_000)]


class _Verdict(Table):
    block_below: Score
    send_from: Score

    @model_validator(mode="after")
    def _check_order(self) -> _Verdict:
        if self.block_below > self.send_from:
            raise custom_error(
                f"block_below is {self.block_below:g}, above send_from, {self.send_from:g}"
            )
        return self


class _Term(Table):
    weight: Weight
    neutral: Share


def profile_schema(table: Mapping[str, Any], folder: Path | None) -> type[Table]:
    """Return the schema of a profile, given its unchecked table and the folder of its lexicons."""
    languages = [one for one in lexicons.languages() if one in _part(table, "languages")]
    nodes = table.get("tree")
    last = nodes[-1] if isinstance(nodes, list) and nodes else {}
    target = one_of(languages, "one of the profile's languages: ")
    scopes = get_args(Scope)
    return Table.of(
        "unknown section; allowed are {}",
        profile=_head(),
        languages=_languages(folder),
        heuristics=_heuristics(is_weighed=_last(last) == "weigh"),
        tree=_tree(languages, _part(table, "heuristics")),
        verdict=_verdict(_part(table, "heuristics")),
        evidence=_evidence(languages, last),
        learnt=(Table.of(**dict.fromkeys(languages, (_ROWS, None))), None),
        translate=(
            Table.of(to=target, scope=(one_of(scopes), scopes[0]), required=(Truth, False)),
            None,
        ),
        opinion=(_opinion(_part(table, "opinion")), None),
    )


def _opinion(entry: Mapping[str, Any]) -> type[Table]:
    whens = get_args(When)
    own: dict[str, Kind] = {}
    if str(entry.get("who")).startswith("encoder:"):
        meaning: Kind = one_of(LABELS)
        meanings: Kind = Annotated[
            dict[str, meaning], MustBe("a table of labels and what they mean")
        ]
        threads = Annotated[int, Field(ge=1, le=MAX_THREADS), MustBe(f"from 1 to {MAX_THREADS}")]
        own = {"labels": (meanings, {}), "threads": (threads, 1)}
    return Table.of(
        who=Annotated[str, Field(pattern=WHO), MustBe(f"one of {', '.join(OPINIONS)}")],
        when=(one_of(whens), whens[0]),
        questions=(Annotated[int, Field(ge=0), MustBe("a whole number of 0 or more")], None),
        usd=(Weight, None),
        ms=(_MILLISECONDS, Budget.ms),
        prices=(_PRICES, None),
        **own,
    )


def _head() -> type[Table]:
    return Table.of(
        name=Text,
        extends=(Text, None),
        description=Text,
        source=Text,
        classifier=one_of(CLASSIFIERS),
        message_types=_names(one_of(MESSAGE_TYPES), "message types"),
        plain_names=(Truth, True),
    )


def _languages(folder: Path | None) -> Kind:
    pipeline = Annotated[str, MustBe('text: "klopt", or the name of an installed pipeline')]
    tables: dict[str, Kind] = {}
    for language in lexicons.languages():
        own = faults(partial(_of_other_languages, folder or Path(), language))
        files = list_of(place(), "a list of files", own)
        tables[language] = Table.of(pipeline=(pipeline, "klopt"), lexicons=(files, [])), None
    nothing = [((), f"names no language; there are tables for {', '.join(tables)}")]
    model = Table.of("there are no tables for it; there are for {}", **tables)
    return Annotated[model, faults(lambda table: nothing if table == {} else [])]


def _of_other_languages(folder: Path, language: str, files: object) -> Iterator[Problem]:
    """Yield lexicon files for another language; reading them reports any other problem."""
    for number, name in enumerate(files if isinstance(files, list) else ()):
        for file in lexicon_files(folder / name) if isinstance(name, str) else ():
            try:
                code = tomllib.loads(read_text_file(file))["lexicon"]["language"]
            except (InputError, OSError, ValueError, KeyError, TypeError, RecursionError):
                continue
            if code != language:
                met = shown(name if file.suffix == Path(name).suffix else f"{name}/{file.name}")
                yield (number,), f"{met} is for language {shown(code)}, not {shown(language)}"


def _heuristics(*, is_weighed: bool) -> type[Table]:
    tables: dict[str, Kind] = {}
    for heuristic in heuristics.ALL:
        options = {key: (_option(default), default) for key, default in heuristic.options.items()}
        weight: Kind = Weight
        if is_weighed:
            what = (
                "has no effect, since the last node of the tree is a weigh; set weight in "
                f"[evidence.LANGUAGE.{heuristic.name}] instead"
            )
            weight = Annotated[Any, faults(partial(_always, what))]
        tables[heuristic.name] = Table.of(weight=(weight, 1.0), **options), None
    return Table.of("no such heuristic; there are {}", **tables)


def _always(what: str, _: object) -> Iterator[Problem]:
    yield (), what


def _option(default: Option) -> Kind:
    """Return the type of an option, by its default; an empty list is a list of texts."""
    match default:
        case bool():
            return Truth
        case float():
            return Share
        case int():
            return Annotated[Count, MustBe("a whole number of 1 or more")]
        case str():
            return one_of(WORD_FORMS)
        case [int(), *_]:
            what = f"a list of whole numbers of 1 or more, such as {shown(default)}"
            return list_of(Count, what, least=1)
        case _:
            return list_of(str, "a list of texts")


def _tree(languages: Iterable[str], named: Iterable[str]) -> Kind:
    heuristic = one_of(named, "one of the profile's [heuristics]: ")
    says = {
        language: Annotated[str, MustBe(f"a sentence in language {language}")]
        for language in languages
    }
    many = _names(heuristic, "heuristics")
    nodes = {last: Table.of(node=Text, **{last: many}, **says) for last in LAST_NODES}
    cut = Table.of(
        node=Text,
        heuristic=heuristic,
        below=(Share, None),
        at_least=(Share, None),
        score=Score,
        **says,
    )

    def node(entry: object) -> Table:
        last = _last(entry)
        return (nodes[last] if last else cut).model_validate(entry)

    entry = Annotated[Table, PlainValidator(node)]
    return list_of(entry, "one or more [[tree]] tables", faults(_of_tree), least=1)


def _of_tree(nodes: object) -> Iterator[Problem]:
    entries = [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []
    names = [entry.get("node") for entry in entries]
    for number, entry in enumerate(entries):
        last = _last(entry)
        if "node" in entry and names[number] in names[:number]:
            yield (number, "node"), f"{shown(names[number])} occurs twice"
        if not last and ("below" in entry) == ("at_least" in entry):
            yield (number,), "give either below or at_least"
        if last and number + 1 < len(entries):
            yield (number,), f"a {last} decides always, so it must be the last node"
    if entries and not _last(entries[-1]):
        yield (), "the last node must be a sum or a weigh"


def _last(node: object) -> str | None:
    return next((key for key in LAST_NODES if isinstance(node, dict) and key in node), None)


def _verdict(named: Iterable[str]) -> type[Table]:
    """``review_on`` may only name heuristics with a sentence for faults."""
    telling = [heuristic.name for heuristic in heuristics.ALL if "fault" in heuristic.texts["en"]]
    known = one_of(
        [name for name in named if name in telling],
        "one of the profile's [heuristics] that find faults: ",
    )
    return _Verdict.of(review_on=(_names(known, "heuristics"), []))


def _evidence(languages: Iterable[str], last: object) -> Kind:
    """Evidence is required for each language when the tree weighs it, else forbidden."""
    if not isinstance(last, dict) or "weigh" not in last:
        what = "no node of the tree weighs it; leave it out"
        return Annotated[Any, faults(partial(_always, what))], None
    weighed = last["weigh"] if isinstance(last["weigh"], list) else []
    terms = {
        heuristic.name: (_Term, None) for heuristic in heuristics.ALL if heuristic.name in weighed
    }
    model = Table.of(**{language: Table.of(base=Number, **terms) for language in languages})
    return Annotated[model, MustBe("a table for each language, which a weigh node needs")]


def _names(name: Kind, what: str) -> Kind:
    return list_of(name, f"a list of one or more {what}", distinct(), least=1)


def _part(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}
