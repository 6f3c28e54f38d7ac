"""The metric `chrf` of `evaluate`, computed by bleuet."""

# evaluate looks for this import on a line of its own.
import datasets  # noqa: F401

from bleuet.adapters.evaluate.metrics import ChrF  # noqa: F401
