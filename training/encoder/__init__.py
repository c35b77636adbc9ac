"""The encoder of `careful`: examples, training, and export to ONNX."""
