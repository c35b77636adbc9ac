"""Writes a taught encoder for onnxruntime, in whole numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional

from training.encoder.model import Encoder, Layer

OPSET: Final = 17


class WholeNumbers(nn.Module):  # type: ignore[misc]
    """An embedding as whole numbers of eight bits, with a scale for each piece."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", torch.round(weight / scale).to(torch.int8))
        self.register_buffer("scale", scale.half())

    def forward(self, ids: Tensor) -> Tensor:
        """The rows of some pieces."""
        return self.rows[ids].float() * self.scale[ids].float()


class Spelled(nn.Module):  # type: ignore[misc]
    """The encoder in the operations that onnxruntime knows to put together."""

    def __init__(self, model: Encoder) -> None:
        super().__init__()
        self.model = model
        self.words = WholeNumbers(model.words.weight.detach())

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """As `Encoder.forward`."""
        model = self.model
        words = model.norm(self.words(ids) + model.places.weight[: ids.shape[1]])
        far = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in model.layers:
            words = _layer(layer, words, far)
        own = mask[..., None].float()
        mean = (words * own).sum(1) / own.sum(1)
        gathered = torch.tanh(model.gather(torch.cat([words[:, 0], mean], -1)))
        return model.label(gathered), model.mark(words)[..., 0]


def _layer(layer: Layer, words: Tensor, far: Tensor) -> Tensor:
    hidden = words.shape[-1]
    parts = layer.qkv(words).split(hidden, -1)
    size = hidden // layer.heads
    query, key, value = (
        one.reshape(one.shape[0], one.shape[1], layer.heads, size).transpose(1, 2) for one in parts
    )
    seen = (query @ key.transpose(-1, -2) / size**0.5 + far).softmax(-1) @ value
    seen = seen.transpose(1, 2).reshape(words.shape)
    words = layer.attention_norm(words + layer.out(seen))
    return layer.norm(words + layer.narrow(functional.gelu(layer.wide(words))))


def export(model: Encoder, output: Path) -> None:
    """Writes a model; matrices by channel in eight bits, sums of layers in float32."""
    ids = torch.randint(4, 100, (2, 12))
    whole = output.with_suffix(".float.onnx")
    torch.onnx.export(
        Spelled(model).eval(),
        (ids, torch.ones_like(ids)),
        str(whole),
        input_names=["ids", "mask"],
        output_names=["labels", "marks"],
        dynamic_axes={
            "ids": {0: "n", 1: "length"},
            "mask": {0: "n", 1: "length"},
            "labels": {0: "n"},
            "marks": {0: "n", 1: "length"},
        },
        opset_version=OPSET,
        dynamo=False,
    )
    quantize_dynamic(
        whole,
        output,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        weight_type=QuantType.QInt8,
    )
    whole.unlink()
    onnx.checker.check_model(str(output))
