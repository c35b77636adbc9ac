"""Pages of the site that are generated from the code, and documents from outside docs/."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import click
from click.testing import CliRunner
from pydantic import TypeAdapter

from klopt import heuristics, lexicons
from klopt._internal import shipped
from klopt._internal.toml_schema import MustBe, Table
from klopt.cli import command
from klopt.heuristics import Heuristic
from klopt.scoring.assessment import OLD_CLAIMS, Assessment
from klopt.scoring.notes import OpinionNote, TranslationNote
from klopt.scoring.profile import (
    BUILT_IN,
    Budget,
    LanguageSettings,
    OpinionSettings,
    Profile,
    TranslateSettings,
)
from klopt.scoring.schema import profile_schema
from klopt.scoring.tree import Term, Weighing
from klopt.server.app import openapi

ROOT: Final = Path(__file__).parents[1]
OUTSIDE: Final = {
    "CHANGELOG.md": "reference/changelog.md",
    "CONTRIBUTING.md": "reference/contributing.md",
    "SECURITY.md": "reference/security.md",
    "klopt/verification/MODEL_CARD.md": "reference/comparator.md",
}
"""Documents of the repository that the site has too, with their page on the site."""
LANGUAGES: Final = {"nl": "Dutch", "en": "English"}
RECORDS: Final = (
    *("CheckedClaim", "PagePlace", "Slot", "Quote", "Evidence", "Visit", "CutOff"),
    *("TurnLanguages", "Part", "OpinionNote", "ClaimOpinion", "TranslationNote", "LostPart"),
)
_REFERENCE: Final = "#/components/schemas/{model}"
OF_COMPANY: Final = ("terms", "allowed", "denied")
_LINE_CHARS: Final = 80


def brought_in(source: str) -> str:
    """Return a document of the repository with its links as they are on the site."""
    text = (ROOT / source).read_text("utf-8")
    for other, place in OUTSIDE.items():
        text = text.replace(f"]({other}", f"]({Path(place).name}")
    return text.replace("](README.md", "](../index.md").replace("](docs/", "](../")


def commands() -> Iterator[str]:
    """Yield the page of commands, each with its help."""
    yield "# Commands\n"
    yield "The help of each command, as `--help` prints it."
    for path, one in _commands_of((), command):
        if path and not isinstance(one, click.Group):
            run = CliRunner().invoke(
                command, [*path, "--help"], prog_name="klopt", terminal_width=_LINE_CHARS
            )
            yield f"\n## klopt {' '.join(path)}\n\n```text\n{run.output.rstrip()}\n```"


def _commands_of(
    path: tuple[str, ...], one: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, one
    if isinstance(one, click.Group):
        context = click.Context(one)
        for name in one.list_commands(context):
            found = one.get_command(context, name)
            if found is not None:
                yield from _commands_of((*path, name), found)


def output() -> Iterator[str]:
    """Yield the page of the fields of an assessment and of the records in it."""
    schemas = dict(openapi()["components"]["schemas"])
    notes = {"OpinionNote": OpinionNote, "TranslationNote": TranslationNote}
    for name, record in notes.items():
        made = TypeAdapter(record).json_schema(ref_template=_REFERENCE, mode="serialization")
        schemas |= made.pop("$defs", {}) | {name: made}
    assessment = schemas["Assessment"]
    more = {
        "opinions": {"type": "array", "items": {"$ref": "/OpinionNote"}},
        "translation": {"$ref": "/TranslationNote"},
    }
    yield "# A line of output\n"
    yield (
        "`klopt score` writes these fields for each row, the service responds with them, and "
        "`to_dict()` returns them in Python. All offsets count characters from 0. [Reading a "
        "result](results.md) explains the most important fields.\n"
    )
    properties = {**assessment["properties"], **more}
    properties[OLD_CLAIMS] = {**properties["claims"], "description": "Deprecated: use `claims`."}
    yield from _fields(properties, Assessment.__doc__ or "", assessment["required"])
    for name in RECORDS:
        record = schemas[name]
        yield f"\n## {name}\n\n{_said(record['description'])}\n"
        yield from _fields(record["properties"], record["description"], record["properties"])
    yield "\n## Reasons\n\nThe text of each `reason_code`; klopt fills in `{…}`.\n"
    yield "| `reason_code` | English | Dutch |\n|---|---|---|"
    english, dutch = (shipped.table("klopt.scoring", "texts", f"{x}.toml") for x in ("en", "nl"))
    for code, said in english["reasons"].items():
        yield f"| `{code}` | {_cell(said)} | {_cell(dutch['reasons'][code])} |"


def _fields(
    properties: Mapping[str, Any], doc: str, always: Mapping[str, Any] | list[str]
) -> Iterator[str]:
    meanings = attributes(doc)
    yield "| field | type | meaning |\n|---|---|---|"
    for name, kind in properties.items():
        found = kind.get("description", "")
        told = meanings.get(name) or found or inspect.getdoc(getattr(Assessment, name, None))
        rare = "" if name in always else " Optional."
        yield f"| `{name}` | {_cell(_json_type(kind))} | {_cell(told or '')}{rare} |"


def _json_type(kind: Mapping[str, Any]) -> str:
    if "$ref" in kind:
        name = kind["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in kind:
        return " or ".join(map(_json_type, kind["anyOf"]))
    if "enum" in kind:
        return ", ".join(f"`{one}`" for one in kind["enum"])
    if "prefixItems" in kind:
        return "start and end"
    if kind.get("type") == "array" and "items" in kind:
        return f"list of {_json_type(kind['items'])}"
    found = kind.get("type", "anything")
    return found if isinstance(found, str) else " or ".join(found)


def profile() -> Iterator[str]:
    """Yield the page of the keys of a profile, from its schema."""
    table = tomllib.loads(shipped.text("klopt.scoring", "profiles", "default.toml"))
    table["heuristics"] = {one.name: {} for one in heuristics.ALL}
    schema = profile_schema(table | {"opinion": {"who": "encoder:FOLDER"}}, None)
    yield "# Profiles\n"
    yield (
        "The keys of a profile, in TOML. [Tune klopt](../how-to/tune.md#write-a-profile) has an "
        "example. A profile that `extends` another inherits the keys that it leaves out; it must "
        "have a `name` of its own.\n"
    )
    meanings: dict[str, str] = {}
    for one in (Term, Weighing, Budget, OpinionSettings, TranslateSettings, LanguageSettings):
        meanings |= attributes(one.__doc__ or "")
    meanings |= attributes(Profile.__doc__ or "")
    for name, field in schema.model_fields.items():
        yield f"\n## {name}\n"
        match name:
            case "heuristics":
                yield (
                    "A table for each feature that the profile measures, with its `weight` in a "
                    "sum and its [options](features.md).\n"
                )
            case "tree":
                yield (
                    "The nodes in order; the first whose condition holds decides. A node has a "
                    "`heuristic`, a bound (`below` or `at_least`) and the `score` that it gives; "
                    "the last node combines the features in `sum` or `weigh`. Each node has a "
                    "name, `node`, and a sentence for each language.\n"
                )
            case _:
                yield from _keys(field.annotation, meanings)
    yield "\n## The built-in profiles"
    for name in BUILT_IN:
        text = shipped.text("klopt.scoring", "profiles", f"{name}.toml")
        text = re.sub(r"(?m)^(\w+ = .{200}).*$", r"\1 …", text)
        block = textwrap.indent(f"```toml\n{text}```", "    ")
        yield f'\n??? example "{name}"\n\n{block}'


def _keys(table: Any, meanings: Mapping[str, str]) -> Iterator[str]:  # noqa: ANN401
    """Yield a row for each key; of similar tables, such as those of languages, only the first."""
    fields = table.model_fields
    if all(_table_in(one.annotation) for one in fields.values()):
        name, first = next(iter(fields.items()))
        yield f"A table for each of {', '.join(f'`{one}`' for one in fields)}; of `{name}`:\n"
        fields = first.annotation.model_fields
    yield "| key | allowed | default | meaning |\n|---|---|---|---|"
    for key, field in fields.items():
        said = [one.allowed for one in field.metadata if isinstance(one, MustBe)]
        said += _in_list(field.annotation)
        if _table_in(field.annotation):
            said = [f"a table with {' and '.join(field.annotation.model_fields)}"]
        left_out = "required" if field.is_required() else _default(field.default)
        told = _cell(meanings.get(key, ""))
        yield f"| `{key}` | {_cell('; '.join(said))} | {left_out} | {told} |"


def _default(value: object) -> str:
    return "nothing" if value is None else f"`{str(value).lower()}`"


def _in_list(annotation: Any) -> list[str]:  # noqa: ANN401
    return [one.allowed for kind in get_args(annotation) for one in _metadata(kind)]


def _metadata(kind: Any) -> list[MustBe]:  # noqa: ANN401
    return [one for one in getattr(kind, "__metadata__", ()) if isinstance(one, MustBe)]


def _table_in(annotation: Any) -> bool:  # noqa: ANN401
    return isinstance(annotation, type) and issubclass(annotation, Table)


def lexicon_kinds() -> Iterator[str]:
    """Yield the page of the kinds of lexicons."""
    yield "# Lexicons\n"
    yield (
        "Word lists and patterns, one TOML file each. A lexicon of your own has the `id` and the "
        "lists of one of these kinds, and your profile names it. "
        "[Tune klopt](../how-to/tune.md#write-a-lexicon) has an example.\n"
    )
    yield "| id | kind | lists or groups | content | entries in Dutch | in English |"
    yield "|---|---|---|---|---|---|"
    counts = {language: lexicons.load(language) for language in LANGUAGES}
    for name, kind in shipped.table("klopt.lexicons", "schema.toml").items():
        parts = ", ".join(f"`{one}`" for one in kind.get("lists") or kind.get("groups", ()))
        entries = [_entry_count(own.get(name)) for own in counts.values()]
        told = [f"`{name}`", kind["kind"], parts, kind["about"], *entries]
        yield f"| {' | '.join(map(_cell, told))} |"


def _entry_count(lexicon: lexicons.Lexicon | None) -> str:
    if lexicon is None:
        return "none: write your own"
    lists = (*lexicon.lists.values(), *lexicon.word_groups.values(), *lexicon.values.values())
    return f"{sum(map(len, lists)) + len(lexicon.patterns) + len(lexicon.pairs):,}"


def field_names() -> Iterator[str]:
    """Yield the page of other names of fields, and of products whose conversations klopt reads."""
    yield "# Field names\n"
    yield (
        "Other names that klopt recognises for the fields of [a log](logs.md), in order of "
        "preference. Case, spaces and punctuation do not matter. A name with a dot is a path.\n"
    )
    yield "| | field | other names |\n|---|---|---|"
    for kind, fields in shipped.table("klopt._internal", "aliases.toml").items():
        for name, others in fields.items():
            listed = ", ".join(f"`{one}`" for one in others if one != name)
            yield f"| {kind} | `{name}` | {listed} |"
    yield "\n## Chat products\n\nklopt reads conversations as these products export them:\n"
    products = shipped.table("klopt.logs", "products.toml")["product"]
    yield from (f"- {name}" for name in dict.fromkeys(one["name"] for one in products))
    yield "\nand any other list of messages in which each message has a role and a text."


def features() -> Iterator[str]:
    """Yield the page of heuristics, a card for each."""
    yield "# Features\n"
    yield (
        "The features that klopt measures. Each is a value from 0 to 1 (higher is better), or a "
        "reason why it could not be measured. The examples are cases of the tests, each with a "
        "near miss: a similar text with another result.\n"
    )
    for one in heuristics.ALL:
        yield from _card(one)


def _card(one: Heuristic) -> Iterator[str]:
    doc = inspect.getdoc(one.measure) or ""
    parts = sections(doc)
    yield f"\n## {one.texts['en']['name'].capitalize()} {{ #{one.name} }}\n"
    for text in one.texts.values():
        yield f"*{text['asks']}*  "
    users = [f"`{name}`" for name in BUILT_IN if one.name in Profile.load(name).weights]
    rows = {
        "In profiles": f"`{one.name}`" + (f", used by {' and '.join(users)}" if users else ""),
        "Symbol in the paper": one.symbol or "none: added by klopt",
        "Reads": ", ".join(sorted(one.reads)),
        "Options": ", ".join(f"`{key} = {json.dumps(x)}`" for key, x in one.options.items())
        or "none",
        "Message": " / ".join(f"“{x['fault']}”" for x in one.texts.values() if "fault" in x),
        "Value": parts.get("Returns", ""),
        "Source": parts.get("Source", ""),
        "Differs": parts.get("Differs", ""),
    }
    yield f"\n{_said(doc)}\n\n| | |\n|---|---|"
    yield from (f"| {name} | {_cell(told)} |" for name, told in rows.items() if told)
    yield from _examples(one.name)


def _examples(name: str) -> Iterator[str]:
    """Yield a short hit and near miss of the tests in each language."""
    cases = tomllib.loads((ROOT / f"tests/heuristics/cases/{name}.toml").read_text("utf-8"))
    for language, title in LANGUAGES.items():
        yield f'\n??? example "{title}"'
        for outcome, said in (("hit", "Example"), ("near_miss", "Near miss")):
            case = min(cases[language][outcome], key=_plainness)
            texts = {"Question": case.get("question"), "Answer": case["answer"]}
            texts |= {f"Page {at}": text for at, text in enumerate(case.get("pages", ()), 1)}
            texts |= {f"Company, {x}": ", ".join(case.get(x, ())) for x in OF_COMPANY}
            yield f"\n    **{said}**: {case['why']} ({_value(case)})\n"
            shown = (f"{what}:\n{text.strip()}" for what, text in texts.items() if text)
            yield textwrap.indent("```text\n" + "\n\n".join(shown) + "\n```", "    ")


def _plainness(case: Mapping[str, Any]) -> tuple[bool, bool, int]:
    chars = len(case["answer"]) + sum(map(len, case.get("pages", ())))
    return "options" in case, not case.get("evidence"), chars


def _value(case: Mapping[str, Any]) -> str:
    named = {"value": "", "value_at_most": "at most ", "value_at_least": "at least "}
    found = [f"{words}{case[key]:.2g}" for key, words in named.items() if key in case]
    return " and ".join(found) or case["reason"]


def sections(doc: str) -> dict[str, str]:
    """Return the sections of a docstring in Google's style, by title."""
    parts = re.split(r"(?m)^(\w+):\n", inspect.cleandoc(doc).split("\n>>> ")[0])
    return {
        title: textwrap.dedent(text).strip()
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def attributes(doc: str) -> dict[str, str]:
    """Return the text of each attribute in the section Attributes."""
    text = sections(doc).get("Attributes", "")
    return dict(re.findall(r"(?ms)^(\w+): (.*?)(?=^\w|\Z)", text))


def _said(doc: str) -> str:
    """Return the text before the sections."""
    return _code(re.split(r"(?m)^\w+:\n|^>>>", inspect.cleandoc(doc))[0].strip())


def _cell(text: str) -> str:
    """Return a text as one cell of a table."""
    return _code(" ".join(str(text).split())).replace("|", "\\|")


def _code(text: str) -> str:
    return text.replace("``", "`").replace("<", "&lt;") if "``" in text else text


PRINTED: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "commands": commands,
    "features": features,
    "field-names": field_names,
    "lexicons": lexicon_kinds,
    "output": output,
    "profile": profile,
}
