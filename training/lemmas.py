"""Count the lemma tables of `klopt.text.pipelines.lemma_rules` in a treebank."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from klopt.text.pipelines.lemma_rules import NAMES, PARTICLE, Tables
from training.treebanks import DEPREL, FORM, HEAD, LEMMA, UPOS, Sentence

VERBS = {"VERB", "AUX"}
OPEN_CLASSES = {"ADJ", "ADV", "AUX", "NOUN", "NUM", "PRON", "PROPN", "VERB", "X", "DET", "ADP"}
SETTLED_SHARE = 0.9
CANDIDATES = 3
SAME_CHARS = 3
SHORTEST_NOUN_CHARS = 4
ALLOWED = 0.5
PRODUCTIVE = 0.75


def base_lemmas(rows: Sentence) -> list[str]:
    """Return the lemmas of a sentence; verbs lose a particle that is a separate word."""
    particles: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row[DEPREL] == PARTICLE:
            particles[row[HEAD]].add(row[FORM].lower())
    bases = []
    for row in rows:
        first, _, rest = row[LEMMA].partition("_")
        separate = row[UPOS] in VERBS and rest and first in particles[row[0]]
        bases.append(rest if separate else row[LEMMA])
    return bases


def count(sentences: Iterable[Sentence], *, marks_structure: bool) -> Tables:
    """Return the tables of a language.

    Args:
        sentences: The treebank.
        marks_structure: Whether lemmas mark particles and compounds with ``_``, as in Dutch
            treebanks.
    """
    lemmas: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    particles: Counter[str] = Counter()
    for rows in sentences:
        bases = base_lemmas(rows)
        for row, base in zip(rows, bases, strict=True):
            pos, form = row[UPOS], row[FORM]
            if pos in OPEN_CLASSES and row[LEMMA] != "_":
                lemmas[pos, form if pos in NAMES else form.lower()][base] += 1
            if row[DEPREL] == PARTICLE:
                verb = int(row[HEAD]) - 1
                particles[form.lower()] += 1 if bases[verb] != rows[verb][LEMMA] else -1
    forms: dict[str, dict[str, str]] = defaultdict(dict)
    doubtful: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for (pos, form), counts in sorted(lemmas.items()):
        commonest = tuple(lemma for lemma, _ in counts.most_common(CANDIDATES))
        if counts[commonest[0]] >= SETTLED_SHARE * counts.total():
            forms[pos][form] = commonest[0]
        else:
            doubtful[pos][form] = commonest
    tables = Tables(forms=dict(forms), doubtful=dict(doubtful))
    if not marks_structure:
        return tables
    modifiers, heads, productive = _parts(forms["NOUN"], {*particles, *forms["ADP"]})
    return replace(
        tables,
        particles=tuple(sorted(form for form, balance in particles.items() if balance > 0)),
        modifiers=modifiers,
        heads=heads,
        productive_heads=productive,
    )


def _parts(
    nouns: Mapping[str, str], particles: Collection[str]
) -> tuple[dict[str, str], dict[str, str], tuple[str, ...]]:
    """Return first parts, last parts, and the last parts that allow an unknown first part."""
    modifiers: dict[str, Counter[str]] = defaultdict(Counter)
    heads: dict[str, Counter[str]] = defaultdict(Counter)
    splits: Counter[str] = Counter()
    for form, lemma in nouns.items():
        if "_" not in lemma:
            if len(form) >= SHORTEST_NOUN_CHARS:
                heads[form][lemma] += 1
                modifiers[lemma][lemma] += 1
                modifiers[form][lemma] += 1
            continue
        first, _, last = lemma.rpartition("_")
        cut = _cut(form, first, last)
        if cut is not None:
            modifiers[form[:cut].rstrip("-")][first] += 1
            heads[form[cut:]][last] += 1
            splits[form[cut:]] += 1
    wholes = Counter(
        form[cut:]
        for form, lemma in nouns.items()
        if "_" not in lemma
        for cut in range(2, len(form) - 1)
        if form[cut:] in heads and form[:cut] not in particles
    )
    share = {form: splits[form] / max(1, splits[form] + wholes[form]) for form in heads}
    return (
        _commonest({form: n for form, n in modifiers.items() if form not in particles}),
        _commonest(
            {form: n for form, n in heads.items() if not wholes[form] or share[form] > ALLOWED}
        ),
        tuple(sorted(form for form in heads if splits[form] >= 2 and share[form] >= PRODUCTIVE)),
    )


def _commonest(table: Mapping[str, Counter[str]]) -> dict[str, str]:
    return {form: counts.most_common(1)[0][0] for form, counts in sorted(table.items())}


def _cut(form: str, first: str, last: str) -> int | None:
    """Return where the last part of a compound begins, nearest to the first part's length."""
    start = last[:SAME_CHARS].lower()
    cuts = [cut for cut in range(2, len(form) - 1) if form.startswith(start, cut)]
    expected = len(first.replace("_", ""))
    return min(cuts, key=lambda cut: (abs(cut - expected), cut), default=None)
