"""The encoder as it is trained: the lower layers of a larger one, and two heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.weights import Weights

DROPOUT: Final = 0.1
SHAPE: Final = (384, 1536, 12)
"""Width, width inside a layer, heads."""
FAR: Final = -1e4
LONGEST: Final = 160
"""A claim after its question, and the place, together have at most so many tokens."""


class Layer(nn.Module):  # type: ignore[misc]
    """One layer of BERT, normalized after each half."""

    def __init__(self, hidden: int, inside: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.attention_norm = nn.LayerNorm(hidden, epsilon)
        self.wide = nn.Linear(hidden, inside)
        self.narrow = nn.Linear(inside, hidden)
        self.norm = nn.LayerNorm(hidden, epsilon)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, words: Tensor, far: Tensor) -> Tensor:
        """Each word after it has looked at the others; shape stays ``(n, length, hidden)``."""
        count, length, hidden = words.shape
        shape = count, length, 3, self.heads, hidden // self.heads
        query, key, value = self.qkv(words).view(shape).permute(2, 0, 3, 1, 4)
        alike = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5 + far
        seen = alike.softmax(-1).to(value.dtype) @ value
        seen = seen.transpose(1, 2).reshape(count, length, hidden)
        words = self.attention_norm(words + self.drop(self.out(seen)))
        return self.norm(words + self.drop(self.narrow(functional.gelu(self.wide(words)))))


class Encoder(nn.Module):  # type: ignore[misc]
    """Statement and place as one text: what the place says of it, and which words are wrong."""

    def __init__(self, pieces: int, layers: int, epsilon: float = 1e-12) -> None:
        super().__init__()
        hidden, inside, heads = SHAPE
        self.words = nn.Embedding(pieces, hidden)
        self.places = nn.Embedding(LONGEST, hidden)
        self.norm = nn.LayerNorm(hidden, epsilon)
        self.layers = nn.ModuleList(Layer(hidden, inside, heads, epsilon) for _ in range(layers))
        self.gather = nn.Linear(2 * hidden, hidden)
        self.label = nn.Linear(hidden, 3)
        self.mark = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the three labels ``(n, 3)``, and of each token being wrong ``(n, length)``."""
        words = self.read(ids, mask)
        both = torch.cat([words[:, 0], mean(words, mask)], -1)
        gathered = torch.tanh(self.gather(self.drop(both)))
        return self.label(self.drop(gathered)), self.mark(words)[..., 0]

    def read(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Each token after all layers; shape ``(n, length, hidden)``."""
        words = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        far = (1 - mask[:, None, None, :].to(words.dtype)) * FAR
        for layer in self.layers:
            words = layer(words, far)
        return words


def mean(words: Tensor, mask: Tensor) -> Tensor:
    """The mean of the tokens of each text; shape ``(n, hidden)``."""
    own = mask[..., None].to(words.dtype)
    return (words * own).sum(1) / own.sum(1)


def begun(weights: Weights, numbers: Sequence[int], layers: Sequence[int]) -> Encoder:
    """An encoder of some pieces (special ones first) and layers of a larger one, with new heads."""
    found = Encoder(len(numbers), len(layers), epsilon=weights.epsilon)
    given = weights.tensors
    with torch.no_grad():
        found.words.weight.copy_(torch.from_numpy(given["emb.word"][list(numbers)]))
        places = given["emb.pos"][:LONGEST] + given["emb.type"][0]
        found.places.weight.copy_(torch.from_numpy(places))
        _copy(found.norm, given["emb.ln.w"], given["emb.ln.b"])
        for layer, number in zip(found.layers, layers, strict=True):
            rows = [given[f"l{number}.{part}.{kind}"] for kind in "wb" for part in "qkv"]
            for at, target in ((0, layer.qkv.weight), (3, layer.qkv.bias)):
                target.copy_(torch.cat([torch.from_numpy(one) for one in rows[at : at + 3]]))
            for module, part in (
                (layer.out, "ao"),
                (layer.attention_norm, "aln"),
                (layer.wide, "fi"),
                (layer.narrow, "fo"),
                (layer.norm, "oln"),
            ):
                _copy(module, given[f"l{number}.{part}.w"], given[f"l{number}.{part}.b"])
    return found


def _copy(module: nn.Module, weight: object, bias: object) -> None:
    module.weight.copy_(torch.from_numpy(weight))
    module.bias.copy_(torch.from_numpy(bias))
