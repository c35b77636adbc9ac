"""``python -m benchmarks.encoder``: how long a local encoder takes over an answer.

No weights are at hand, so random ones are timed: the layers of BERT in two usual sizes, made here.
What such a model says is noise; how long it takes does not depend on its weights. The answers are
those of the demo company, every one of them asked about, on one core.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper, save_model
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from benchmarks.latency import calibration, percentiles
from klopt import Scorer
from klopt.opinions import Asked
from klopt.opinions.encoder import Encoder
from training.rated_turns import demo_turns

WORDS: Final = 1_500
"""So few that a word of the demo company has about as many tokens as one of any company has in the
vocabulary of a model of many languages."""
PLACES: Final = 512
SPECIAL: Final = ("[UNK]", "[CLS]", "[SEP]")
LABELS: Final = ("entailment", "neutral", "contradiction")


class Size(NamedTuple):
    """How large a model is."""

    name: str
    layers: int
    width: int
    heads: int


SIZES: Final = (Size("small", 12, 384, 12), Size("base", 12, 768, 12))


def write(folder: Path, size: Size) -> float:
    """A model of random weights; returns its parameters in millions, embeddings included."""
    folder.mkdir()
    tokenizer().save(str(folder / "tokenizer.json"))
    config = {"id2label": dict(enumerate(LABELS)), "max_position_embeddings": PLACES}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    graph = Graph(size.width)
    graph.build(size)
    graph.save(folder / "model.onnx")
    return sum(one.size for one in graph.weights.values()) / 1e6


def tokenizer() -> Tokenizer:
    """One that is learnt from the pages of the demo company."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(
        vocab_size=WORDS, special_tokens=list(SPECIAL), show_progress=False
    )
    made.train_from_iterator((page.text for turn in demo_turns() for page in turn.pages), trainer)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, made.token_to_id(name)) for name in SPECIAL[1:]],
    )
    return made


class Graph:
    """The layers of BERT, node by node."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.weights: dict[str, np.ndarray] = {}
        self.nodes: list[NodeProto] = []
        self._random = np.random.default_rng(0)

    def build(self, size: Size) -> None:
        """Embeddings, layers, and the labels from the first token."""
        width, wide = size.width, 4 * size.width
        words = self.node("Gather", self.table(WORDS, width), "input_ids")
        kinds = self.node("Gather", self.table(2, width), "token_type_ids")
        rows = self.normal(self.node("Add", words, kinds))
        away = self.node("Sub", self.whole(1.0), self.node("Cast", "attention_mask", to=1))
        bias = self.node("Mul", away, self.whole(-1e4))
        bias = self.node("Unsqueeze", bias, self.whole(np.array([1, 2])))
        for _ in range(size.layers):
            rows = self.normal(self.node("Add", rows, self.attention(rows, bias, size)))
            inner = self.node("Mul", *self.halves(self.linear(rows, width, wide)))
            rows = self.normal(self.node("Add", rows, self.linear(inner, wide, width)))
        first = self.node("Gather", rows, self.whole(np.array(0)), axis=1)
        self.linear(first, width, len(LABELS), "logits")

    def attention(self, rows: str, bias: str, size: Size) -> str:
        """Each token looks at each other."""
        width, each = size.width, size.width // size.heads
        shape = self.whole(np.array([0, 0, size.heads, each]))
        asks, keys, values = (
            self.node(
                "Transpose",
                self.node("Reshape", self.linear(rows, width, width), shape),
                perm=[0, 2, 3, 1] if part == "keys" else [0, 2, 1, 3],
            )
            for part in ("asks", "keys", "values")
        )
        likes = self.node("Mul", self.node("MatMul", asks, keys), self.whole(each**-0.5))
        shares = self.node("Softmax", self.node("Add", likes, bias), axis=-1)
        seen = self.node("Transpose", self.node("MatMul", shares, values), perm=[0, 2, 1, 3])
        return self.linear(
            self.node("Reshape", seen, self.whole(np.array([0, 0, width]))), width, width
        )

    def halves(self, rows: str) -> tuple[str, str]:
        """The two factors of GELU."""
        scaled = self.node("Erf", self.node("Mul", rows, self.whole(0.5**0.5)))
        share = self.node("Mul", self.node("Add", scaled, self.whole(1.0)), self.whole(0.5))
        return rows, share

    def normal(self, rows: str) -> str:
        """Brought to a mean of 0 and a deviation of 1."""
        ones, zeros = np.ones(self.width, np.float32), np.zeros(self.width, np.float32)
        return self.node("LayerNormalization", rows, self.whole(ones), self.whole(zeros), axis=-1)

    def linear(self, rows: str, width: int, to: int, name: str | None = None) -> str:
        """A matrix and a constant."""
        product = self.node("MatMul", rows, self.table(width, to))
        return self.node("Add", product, self.table(to), name=name)

    def node(self, kind: str, *inputs: str, name: str | None = None, **options: object) -> str:
        """One node; returns the name of what it gives."""
        name = name or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **options))
        return name

    def table(self, *shape: int) -> str:
        """Random weights."""
        return self.whole(self._random.standard_normal(shape, np.float32) * shape[0] ** -0.5)

    def whole(self, value: float | np.ndarray) -> str:
        """A constant."""
        name = f"w{len(self.weights)}"
        self.weights[name] = np.asarray(
            value, None if isinstance(value, np.ndarray) else np.float32
        )
        return name

    def save(self, path: Path) -> None:
        """Writes it."""
        inputs = ("input_ids", "attention_mask", "token_type_ids")
        graph = helper.make_graph(
            self.nodes,
            "random",
            [helper.make_tensor_value_info(one, TensorProto.INT64, ["b", "n"]) for one in inputs],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", len(LABELS)])],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        opset = [helper.make_opsetid("", 17)]
        save_model(helper.make_model(graph, opset_imports=opset, ir_version=8), path)


def report() -> Iterator[str]:
    """The lines that are printed."""
    scorer = Scorer.load(all_types=True)
    asked = [Asked.about(turn, scorer.score(turn)) for turn in demo_turns()]
    held = [one for one in asked if any(statement.passage for statement in one.statements)]
    yield "Random weights: the times are those of a model of this size, what it says is noise."
    yield (
        f"{len(held)} answers of the demo company, "
        f"{np.mean([len(one.statements) for one in held]):.1f} statements each, on one core that "
        f"takes {calibration():.2f} s for ten million additions:"
    )
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            parameters = write(Path(folder) / size.name, size)
            start = time.perf_counter()
            encoder = Encoder(Path(folder) / size.name)
            loaded = time.perf_counter() - start
            usages = [encoder.ask(one).usage for one in held]
        figures = percentiles([one.seconds for one in usages])
        calls, tokens = (sum(getattr(one, n) for one in usages) for n in ("calls", "prompt_tokens"))
        yield (
            f"{size.name}, {size.layers} layers of {size.width} ({parameters:.0f} million weights)"
            f": {figures['p50_ms']:.0f} ms an answer, 95% within {figures['p95_ms']:.0f} ms; "
            f"{calls / len(held):.1f} pairs of {tokens / calls:.0f} tokens; "
            f"loaded in {loaded:.1f} s"
        )


if __name__ == "__main__":
    for line in report():
        print(line)
