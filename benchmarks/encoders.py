"""``python -m benchmarks.encoders``: how long encoders take over an answer, beside klopt.

No weights are at hand, so random ones are timed: time does not depend on them. One core, one
thread; needs the extra ``training``.

- A local encoder that is asked for opinions, BERT in two usual sizes, in ONNX: it reads statements
  beside passages, those of the demo company.
- A detector such as LettuceDetect-base: it reads question, pages and answer whole with
  ModernBERT-base, those of the demo company and of the real help centres.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from benchmarks.timing import calibration, percentiles, timed
from klopt import Scorer, Turn
from klopt.opinions import Asked
from klopt.opinions.encoder import Encoder
from training.command import given, show
from training.rated_turns import CENTRES, demo_turns

WORDS: Final = 1_500
"""So few that a word of the demo company has about as many tokens as one of any company has in the
vocabulary of a model of many languages."""
SPECIAL: Final = ("[UNK]", "[CLS]", "[SEP]")
LABELS: Final = ("entailment", "neutral", "contradiction")
INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
LAYERS: Final = 12
WIDTHS: Final = (384, 768)
CHARS_A_TOKEN: Final = 4
"""About what the vocabulary of ModernBERT gives of English; Dutch has more tokens."""
MOST_TOKENS: Final = 4_096
"""As LettuceDetect reads them."""
TURNS: Final = 12
ROUNDS: Final = 3


def write(folder: Path, width: int) -> None:
    """A BERT of random weights as klopt takes one, with pieces that are learnt from the demo."""
    pieces = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(
        vocab_size=WORDS, special_tokens=list(SPECIAL), show_progress=False
    )
    texts = (page.text for turn in demo_turns() for page in turn.pages)
    pieces.train_from_iterator(texts, trainer)
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, pieces.token_to_id(name)) for name in SPECIAL[1:]],
    )
    shape = transformers.BertConfig(
        vocab_size=WORDS,
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=LAYERS,
        num_attention_heads=LAYERS,
        id2label=dict(enumerate(LABELS)),
        attn_implementation="eager",
    )
    shape.save_pretrained(folder)
    pieces.save(str(folder / "tokenizer.json"))
    model = transformers.BertForSequenceClassification(shape).eval()
    ids = torch.ones((1, 12), dtype=torch.long)
    with warnings.catch_warnings(action="ignore"):
        torch.onnx.export(
            model,
            (ids, ids, torch.zeros_like(ids)),
            str(folder / "model.onnx"),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes={name: {0: "n", 1: "length"} for name in INPUTS} | {"logits": {0: "n"}},
            dynamo=False,
        )


def asked_for_opinions() -> Iterator[list[str]]:
    """A row for each size of encoder: what answers of the demo company take."""
    scorer = Scorer.load(all_types=True)
    every = [Asked(turn, scorer.score(turn).statements) for turn in demo_turns()]
    asked = [one for one in every if any(statement.passage for statement in one.statements)]
    statements = sum(len(question.statements) for question in asked) / len(asked)
    for width in WIDTHS:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), width)
            seconds, encoder = timed(partial(Encoder, Path(folder)))
            usages = [encoder.ask(question).usage for question in asked]
        figures = percentiles([usage.seconds for usage in usages])
        calls, tokens = (
            sum(getattr(usage, n) for usage in usages) for n in ("calls", "prompt_tokens")
        )
        yield [
            f"{LAYERS} of {width}",
            f"{figures['p50_ms']:.0f}",
            f"{figures['p95_ms']:.0f}",
            f"{seconds:.1f} s",
            f"{statements:.1f}",
            f"{calls / len(asked):.1f} of {tokens / calls:.0f}",
        ]


def tokens_of(turn: Turn) -> int:
    """About how many tokens question, pages and answer have."""
    characters = len(turn.question) + len(turn.answer) + sum(len(page.text) for page in turn.pages)
    return min(MOST_TOKENS, characters // CHARS_A_TOKEN)


def detected(turns: Sequence[Turn]) -> list[float]:
    """Seconds that each turn takes by a detector."""
    model = transformers.ModernBertForTokenClassification(
        transformers.ModernBertConfig(num_labels=2)
    ).eval()
    taken = []
    with torch.inference_mode():
        for turn in [turns[0], *turns]:
            tokens = torch.randint(0, model.config.vocab_size, (1, tokens_of(turn)))
            taken.append(timed(partial(model, tokens))[0])
    return taken[1:]


def scored(turns: Sequence[Turn]) -> list[float]:
    """Seconds that each turn takes by klopt, the pages known; the best of some rounds."""
    scorer = Scorer.load(all_types=True)
    list(scorer.score_many(turns))
    return [min(timed(partial(scorer.score, turn))[0] for _ in range(ROUNDS)) for turn in turns]


def main() -> None:
    """Prints the figures."""
    data = given(__doc__).data
    torch.set_num_threads(1)
    head = ["layers", "ms, median", "95% within", "loaded in", "statements", "pairs, tokens"]
    title = f"Opinions, on a core that takes {calibration():.2f} s for ten million additions"
    show(title, head, list(asked_for_opinions()))
    every = [*demo_turns(), *(turn for centre in CENTRES for turn in centre.load(data))]
    turns = every[:: max(1, len(every) // TURNS)][:TURNS]
    ours, theirs = scored(turns), detected(turns)
    tokens = sum(map(tokens_of, turns)) / len(turns)
    times = f"{sum(theirs) / sum(ours):.0f} times klopt's"
    print(f"\nDetector, {len(turns)} turns of {tokens:.0f} tokens: {times}")
    for name, some in (("klopt", ours), ("detector", theirs)):
        print(f"  {name:<8} p50 {percentiles(some)['p50_ms']:.1f} ms")


if __name__ == "__main__":
    main()
