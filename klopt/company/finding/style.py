"""How a company marks names on the screen and numbers steps, where klopt would not see it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import regex

from klopt import shipped
from klopt.company.entries import Entry
from klopt.company.finding.pages import Found, HelpPage, Places
from klopt.errors import PatternTimeoutError
from klopt.lexicons import Lexicon, Lexicons, Pattern
from klopt.reading.reader import Reader, Reading
from klopt.reading.text import in_small_letters

LEAST: Final = 3
LEAST_PAGES: Final = 2
MOST_WORDS: Final = 40
"""Of verbs or nouns in one pattern."""
NOUN_LEAST: Final = 5
NOUN_LEAST_PAGES: Final = 3
NOUN_SHARE: Final = 0.3
"""Of the places of a noun, so many stand beside a marked name; those of "naam" do not."""

NOUN_CUT_SHARE: Final = 0.2
"""Of the names beside a noun, so many have words in small letters, which unmarked are not known."""

_OPENING: Final = regex.compile(r"(\p{Lu}\p{Ll}+)(?![\p{L}\p{N}-])", regex.VERSION1)
_WORD: Final = regex.compile(r"(?<![\p{L}\p{N}-])\p{L}[\p{L}-]*+", regex.VERSION1)
_BESIDE: Final = {
    "nl": regex.compile(
        r"(?:\b((?i:de|het|een|dit|deze))[ ])?(?<!\p{L})(\p{Ll}[\p{Ll}-]{2,})[ ]\Z"
    ),
    "en": regex.compile(r"()\A[ ](\p{Ll}[\p{Ll}-]{2,}|\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+)(?=[ .,;:)]|\Z)"),
}
"""The noun before a marked name in Dutch, with its article, and behind it in English."""
_SMALL_WORD: Final = regex.compile(r"[ ]\p{Ll}", regex.VERSION1)
_PARTS: Final = ("cue", "inner", "last", "name", "verbs")
_BESIDE_CHARS: Final = 40


@cache
def _table() -> Mapping[str, Any]:
    return shipped.table("klopt.company.finding", "style.toml")


def find_style(pages: Sequence[HelpPage], reader: Reader) -> Found:
    """Patterns that find names and steps in the pages that nothing else finds.

    Each is tried: it counts where klopt, with it, finds a name or a guide that it did not find
    before.
    """
    tried = (*_candidates(reader.language), *_step_verbs(pages, reader), *_nouns(pages, reader))
    found = []
    for entry, about in tried:
        try:
            gained = _gained(entry, pages, reader) if _is_sound(entry) else Places()
        except PatternTimeoutError:
            continue  # too slow for these pages
        if gained.is_common(LEAST, LEAST_PAGES):
            said = f"{about}; finds what was not found, {gained.about}"
            found.append(Entry(entry.lexicon, entry.part, pattern=entry.pattern, about=said))
    return Found("style", tuple(found))


def with_entries(lexicons: Lexicons, entries: Sequence[Entry]) -> Lexicons:
    """Tables with a company's patterns added."""
    for entry in entries:
        if entry.pattern is not None:
            pattern = Pattern.of({**entry.pattern, "group": entry.part})
            own = Lexicon(entry.lexicon, lexicons.language, {}, (pattern,), entry.name)
            lexicons = lexicons.extended(own)
    return lexicons


def _is_sound(entry: Entry) -> bool:
    """Whether a pattern finds its example and not its near miss, as its lexicon asks."""
    pattern = Pattern.of({**(entry.pattern or {}), "group": entry.part})
    hits = (pattern.search(text) is not None for text in pattern.hit)
    return all(hits) and all(pattern.search(text) is None for text in pattern.miss)


def _gained(entry: Entry, pages: Sequence[HelpPage], reader: Reader) -> Places:
    """Where a pattern lets klopt find more."""
    gained = Places()
    pattern = Pattern.of({**(entry.pattern or {}), "group": entry.part})
    if entry.part != "step_verb":  # which is not looked for in a whole page
        pages = [page for page in pages if pattern.search(page.text) is not None]
    if len(pages) < LEAST_PAGES:
        return gained
    again = Reader(with_entries(reader.lexicons, [entry]), plain_names=reader.plain_names)
    for page in pages:
        reading = again.read_plain(page.reading.plain)
        for start, end in _more(entry, page.reading, reading):
            gained.add(page, start, end)
    return gained


def _more(entry: Entry, before: Reading, now: Reading) -> Iterator[tuple[int, int]]:
    if entry.lexicon == "components":
        known = {(one.start, one.end) for one in before.components}
        for one in now.components:
            if one.entry == entry.name and (one.start, one.end) not in known:
                yield one.start, one.end
    else:
        steps = {step.start for guide in before.guides for step in guide.steps}
        for guide in now.guides:
            if any(step.start not in steps for step in guide.steps):
                yield guide.steps[0].start, guide.steps[0].end


def _entry(table: Mapping[str, Any], pattern: str, hit: str, miss: str, name: str) -> Entry:
    fields = {"id": name, "case": "exact", "pattern": pattern, "hit": hit, "miss": miss}
    return Entry(table["lexicon"], table["group"], pattern=fields)


def _candidates(language: str) -> Iterator[tuple[Entry, str]]:
    """The ways that are known ahead."""
    parts = {**_table()["parts"], **_table()["parts"][language]}
    for one in _table()["candidate"]:
        for number, sign in enumerate(one.get("signs", ("",))):
            pattern = one["pattern"].replace("{sign}", regex.escape(sign, special_only=True))
            for name in _PARTS:
                pattern = pattern.replace(f"{{{name}}}", parts[name])
            hit, miss = (one[language][key].replace("{sign}", sign) for key in ("hit", "miss"))
            name = f"{one['id']}_{number + 1}" if sign else one["id"]
            yield _entry(one, pattern, hit, miss, name), f"{one['about']} {sign}".rstrip()


def _step_verbs(pages: Sequence[HelpPage], reader: Reader) -> Iterator[tuple[Entry, str]]:
    """Verbs that open steps, where klopt knows no verb."""
    openings: dict[str, Places] = defaultdict(Places)
    words: set[str] = set()
    for page in pages:
        words.update(in_small_letters(one) for one in _WORD.findall(page.text))
        items = set()
        for block in page.reading.plain.blocks:
            place = (block.list_number, block.item_number)
            if not block.ordered or place in items:
                continue
            items.add(place)
            step = page.text[block.start : block.end]
            match = _OPENING.match(step)
            if match and reader.lexicons["guides"].first("step_verb", step) is None:
                openings[match[1]].add(page, block.start, block.start + match.end())
    found = {
        word: other
        for word, met in openings.items()
        if met.is_common(LEAST, LEAST_PAGES)
        and in_small_letters(word) not in reader.lexicons["stop_words"].words
        and (other := _other_form(in_small_letters(word), words, reader))
    }
    if found:
        most = sorted(found, key=lambda word: (-openings[word].count, word))[:MOST_WORDS]
        verbs = sorted(map(in_small_letters, most))
        table = _table()["verbs"]
        first = most[0]
        pattern = table["pattern"].replace(
            "{words}", "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in verbs)
        )
        miss = table["miss"][reader.language].replace("{Word}", found[first].capitalize())
        yield (
            _entry(table, pattern, first, miss, table["id"]),
            f"{table['about']} {', '.join(verbs)}",
        )


def _other_form(word: str, words: set[str], reader: Reader) -> str:
    """The infinitive or gerund of an imperative, if the pages have it; "" for what is no verb."""
    key = reader.tokenizer.key
    ending = {"nl": "en", "en": "ing"}[reader.language]
    forms = (one for one in sorted(words) if one.endswith(ending) and one[:2] == word[:2])
    return next((one for one in forms if one != word and key(one) == key(word)), "")


def _nouns(pages: Sequence[HelpPage], reader: Reader) -> Iterator[tuple[Entry, str]]:
    """Kinds of controls: nouns that stand beside marked names, such as "sneltabblad"."""
    places: dict[str, Places] = defaultdict(Places)
    every: Counter[str] = Counter()
    bare: Counter[str] = Counter()
    cut: Counter[str] = Counter()
    is_before = reader.language == "nl"
    for page in pages:
        every.update(_WORD.findall(page.text))
        for one in page.reading.components:
            if one.kind != "emphasis":
                continue
            before = page.text[max(0, one.start - _BESIDE_CHARS) : one.start]
            after = page.text[one.end : one.end + _BESIDE_CHARS]
            match = _BESIDE[reader.language].search(before if is_before else after)
            if match:
                places[match[2]].add(page, one.start, one.end)
                bare[match[2]] += match[1] is None
                cut[match[2]] += _SMALL_WORD.search(one.text) is not None
    table = _table()["nouns"][reader.language]
    general = {*reader.lexicons["stop_words"].words, *table["values"]}
    most = sorted(
        noun
        for noun, met in places.items()
        if met.is_common(NOUN_LEAST, NOUN_LEAST_PAGES)
        and met.count >= NOUN_SHARE * every[noun]
        and met.count >= 2 * bare[noun]
        and cut[noun] <= NOUN_CUT_SHARE * met.count
        and noun not in general
        and not _is_known(noun, reader)
    )
    most.sort(key=lambda noun: -places[noun].count)
    nouns = sorted(most[:MOST_WORDS])
    if nouns:
        first = most[0]
        words = "|".join(f"[{word[0].upper()}{word[0].lower()}]{word[1:]}" for word in nouns)
        pattern = table["pattern"].replace("{words}", words)
        hit = f"Open {first} Verlof." if is_before else f"Open the Leave {first}."
        miss = table["miss"].replace("{Word}", first.capitalize()).replace("{word}", first)
        yield _entry(table, pattern, hit, miss, table["id"]), f"{table['about']} {', '.join(nouns)}"


def _is_known(noun: str, reader: Reader) -> bool:
    """Whether klopt takes a name beside the noun for one already."""
    text = f"de {noun} Verlofsaldo" if reader.language == "nl" else f"the Balance {noun}"
    groups = ("named_control", "plain_name")
    return any(reader.lexicons["components"].first(group, text) is not None for group in groups)
