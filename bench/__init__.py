"""Benchmarks: what the figures in the documentation were measured with."""
