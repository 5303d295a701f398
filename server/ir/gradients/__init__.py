"""Derivatives of ops: what rules are made of (``application``), the rules that are more than an
expression, by what they are about, and the sweep that applies them (``reverse``)."""
