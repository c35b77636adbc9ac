"""Rated rows with numeric columns, and scores of another tool for the same rows."""

STEPS = "1. Klik op **Bestand**.\n2. Klik op **Opslaan**.\n3. Kies de map van de medewerker."
INVENTED = "Klik op **Bestand** en daarna op **Bewaren als**."
QUESTION = "Hoe sla ik een document op?"
SENTENCE = "U bewaart een document in het dossier van de medewerker."
BLEU = (0.9, 0.2, 0.5, 0.8, 0.1, 0.6, 0.9, 0.4, 0.3, 0.7, 0.0, 0.4)
EVIL = "\x1b[2J\u202e[red]x<b>"


def rated(**changes):
    """Yield twelve rows: steps of the page (rated 5), an invented button (1), its sentence (4)."""
    for index, (answer, rating) in enumerate([(STEPS, 5), (INVENTED, 1), (SENTENCE, 4)] * 4):
        row = {
            "id": f"row-{index}",
            "question": QUESTION + " " * index,  # no answer repeats another
            "answer": answer,
            "contexts": ["opslaan"],
            "rating": rating,
            "bleu": BLEU[index],
            "meta": {"rouge": {"l": BLEU[index] / 2}, "model": "m"},
        }
        row |= {name: change(index) for name, change in changes.items()}
        yield {name: value for name, value in row.items() if value is not None}


def judged(count=12, **changes):
    """Yield what ``klopt judge`` writes for those rows, in another order."""
    for index in reversed(range(count)):
        row = {
            "id": f"row-{index}",
            "score": BLEU[index],
            "status": "scored",
            "solver": "text",
            "metrics": {"rouge_1": BLEU[index] / 4, "bert_f1": None},
            "usage": {"calls": 2},
        }
        row |= {name: change(index) for name, change in changes.items()}
        yield {name: value for name, value in row.items() if value is not None}


def columns(run):
    (evaluation,) = run.rows
    return {column["name"]: column for column in evaluation["columns"]}
