"""A package of the project, imported by programs here."""
from .arrays import ONES, scaled

__all__ = ["ONES", "scaled"]
