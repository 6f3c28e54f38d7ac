"""What METEOR's authors tuned: parameters and weights by language and task."""

from __future__ import annotations

from bleuet.frozen import Value

MATCHERS = ("exact", "stem", "synonym", "paraphrase")
# The folder of METEOR's files in the user's data folder.
DATA = "meteor"
# How many partial alignments the search keeps: of METEOR 1.5, and of the first versions.
BEAM, STAGE_BEAM = 40, 1000
TASKS = ("rank", "adq", "hter", "li", "tune", "util")
# Matchers of METEOR 1.5 by language; other languages have exact and stem.
LANGUAGE_MATCHERS = {
    "en": MATCHERS,
    "cs": ("exact", "paraphrase"),
    "de": ("exact", "stem", "paraphrase"),
    "es": ("exact", "stem", "paraphrase"),
    "fr": ("exact", "stem", "paraphrase"),
    "ru": ("exact", "stem", "paraphrase"),
    "other": ("exact",),
}


class Tuned(Value):
    """Parameters and the weight of each matcher.

    Attributes:
        alpha: the weight of recall against precision.
        beta: the exponent of the fragmentation.
        gamma: the most that fragmentation can cost.
        delta: the weight of content words against function words.
        weights: of exact, stem, synonym and paraphrase.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, float, float, float]


# As METEOR 1.5 prints them (Denkowski and Lavie 2014, table 3, and its program).
TUNED = {
    ("en", "rank"): Tuned(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    ("en", "adq"): Tuned(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    ("en", "hter"): Tuned(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    ("en", "util"): Tuned(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
    ("cs", "rank"): Tuned(0.95, 0.2, 0.6, 0.8, (1.0, 0.0, 0.0, 0.4)),
    ("de", "rank"): Tuned(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.0, 0.2)),
    ("es", "rank"): Tuned(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.0, 0.6)),
    ("fr", "rank"): Tuned(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.0, 0.4)),
}
# The same for every language.
UNTUNED = {
    "li": Tuned(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": Tuned(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}


LATEST = "1.5"
# Of the first METEOR, for every language (Banerjee and Lavie 2005, section 2.2): 10PR / (R + 9P),
# and 0.5 * (chunks / matches)^3.
FIRST = (0.9, 3.0, 0.5)
# Alpha, beta and gamma: of English those of Lavie and Agarwal (2007, table 1: sum of adequacy and
# fluency), of the other languages those of METEOR 0.6, the program of that time.
OF_2007 = {
    "en": (0.81, 0.83, 0.28),
    "fr": (0.76, 0.5, 1.0),
    "de": (0.95, 1.0, 0.98),
    "es": (0.95, 0.5, 0.75),
}
VERSIONS = (LATEST, "2007", "2005")


def tuned(language: str, task: str, version: str = LATEST) -> Tuned | None:
    """Return parameters and weights, or None if METEOR has none for the language and task.

    Args:
        language: the code of the language.
        task: a task of METEOR 1.5.
        version: a version of `VERSIONS`. The older ones weight all matches and words alike.

    >>> tuned("en", "rank").alpha
    0.85
    """
    if version == LATEST:
        return TUNED.get((language, task)) or UNTUNED.get(task)
    parameters = FIRST if version == "2005" else OF_2007.get(language)
    return Tuned(*parameters, 0.5, (1.0, 1.0, 1.0, 0.0)) if parameters else None
