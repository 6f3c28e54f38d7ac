"""The metric `meteor` of `evaluate`, computed by bleuet."""

# evaluate looks for this import on a line of its own.
import datasets  # noqa: F401

from bleuet.adapters.evaluate.metrics import Meteor  # noqa: F401
