"""How answers are drawn: charts defined once, and written as pictures and pages."""
