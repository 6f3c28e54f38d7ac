"""Metrics that neural models compute: COMET, BERTScore, BLEURT, MetricX and sentinels.

A model is an encoder of the library transformers with a small head; bleuet runs it itself.
"""
