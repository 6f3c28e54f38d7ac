"""The metric `wer` of `evaluate`, computed by bleuet."""

# evaluate looks for this import on a line of its own.
import datasets  # noqa: F401

from bleuet.adapters.evaluate.metrics import Wer  # noqa: F401
