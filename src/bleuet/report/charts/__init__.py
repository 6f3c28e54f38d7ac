"""Charts: each is one function from plain rows to a Vega-Lite chart without colours."""
