"""The measured networks: torch definitions, and the ONNX files made from them."""
