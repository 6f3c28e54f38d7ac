"""Charts: each one function from plain rows to a Vega-Lite chart, without colours of its own."""
