"""The networks that are measured: torch definitions, and the ONNX files made from them."""
