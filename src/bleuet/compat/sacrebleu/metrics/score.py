"""sacreBLEU's score: a name, a number, a confidence interval, and how they print."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Score:
    """The score of a metric.

    Args:
        name: the metric's printed name.
        score: the number, in percent.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """Return the score as one line, or as JSON.

        Args:
            width: digits after the decimal point.
            score_only: leave out name, signature and components; takes precedence over JSON.
            signature: a formatted signature to print with the score.
            is_json: return a JSON object with one key per line.

        >>> Score("TER", 12.345).format(1, signature="nrefs:1")
        'TER|nrefs:1 = 12.3'
        """
        number = mean = interval = f"{self.score:.{width}f}"
        confidence = ""
        if self._mean > 0:
            mean, interval = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {interval}"
        text = f"{number} ({confidence})" if confidence else number
        if score_only:
            return text
        if not is_json:
            name = f"{self.name}|{signature}" if signature else self.name
            return f"{name} = {text}" + (f" {self._verbose}" if self._verbose else "")
        values: dict[str, object] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
        if confidence:
            values["confidence_mean"] = float(mean)
            values["confidence_var"] = float(interval)
            values["confidence"] = confidence
        if self._verbose:
            values["verbose_score"] = self._verbose
        for pair in signature.split("|") if signature else ():
            key, _, value = pair.partition(":")
            values[key] = value
        from json import dumps

        return dumps(values, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Store the mean and half the width of the 95% interval of the scores of draws."""
        from statistics import mean

        ordered = sorted(float(draw.score) for draw in scores)
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[-1 - outside] - ordered[outside])
        self._mean = mean(ordered)

    def __repr__(self) -> str:
        return self.format()
