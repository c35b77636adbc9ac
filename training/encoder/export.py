"""Writes a taught encoder for onnxruntime, in whole numbers."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Final

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from training.encoder.model import Encoder

OPSET: Final = 17
LENGTHS: Final = {0: "n", 1: "length"}


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


def export(model: Encoder, output: Path) -> None:
    """Writes a model; matrices by channel in eight bits, sums of layers in float32."""
    smaller = deepcopy(model).eval()
    smaller.words = WholeNumbers(model.words.weight.detach())
    ids = torch.randint(4, 100, (2, 12))
    whole = output.with_suffix(".float.onnx")
    torch.onnx.export(
        smaller,
        (ids, torch.ones_like(ids)),
        str(whole),
        input_names=["ids", "mask"],
        output_names=["labels", "marks"],
        dynamic_axes={"ids": LENGTHS, "mask": LENGTHS, "labels": {0: "n"}, "marks": LENGTHS},
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
