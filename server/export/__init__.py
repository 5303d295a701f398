"""Graphs as ONNX models (onnx.ai, the operators of the current opset).

``prepare`` makes one graph self-contained, ``exporter`` walks it and asks for each op the rule that
``rules`` has for it, ``model`` is the ONNX graph in the making. Nothing else imports ``onnx``.
"""
