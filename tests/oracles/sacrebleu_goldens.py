"""sacreBLEU's rows and scores of drawn segments, for runs of the tests without sacreBLEU.

    python -m tests.oracles.sacrebleu_goldens

asks sacreBLEU again and writes `goldens/sacrebleu_segments.json`. It begins
`goldens/found.jsonl` too, if that file is not there.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from tests.evaluation_data import REPOSITORY
from tests.oracles import found_segments, fuzz
from tests.oracles.sacrebleu_peer import SETTINGS, Pair, their_rows
from tests.oracles.stored_rows import digest
from tests.oracles.stored_texts import as_stored

FILE = REPOSITORY / "tests" / "oracles" / "goldens" / "sacrebleu_segments.json"
SEED, DRAWN, LONG = 61, 144, 6
DIGITS = 8
PAIRS = [pair for pairs in SETTINGS.values() for pair in pairs]
# One segment for each style that a tool can read in more than one way.
INTERESTING: list[tuple[str, dict[str, Any], str, Any]] = [
    ("bleu", {}, "5.-3 &amp;lt;a- \nb&quot; 1,5.", ['5. -3 <a-b" 1,5 .', None]),
    ("bleu", {"tokenize": "intl"}, "«½٣,5€» \ud800.a １２,3", ["«½ ٣,5 €» .a １２,3", "€ ,"]),
    ("bleu", {"tokenize": "zh"}, "你好。a1，\U00020000㈀ b", "你好。a1，㈀b\u3000c"),
    ("bleu", {"lowercase": True, "smooth": "add-k"}, "İSTANBUL ΣΑΣ ǅ", ["i̇stanbul σας ǆ", ""]),
    ("bleu", {"effective_order": True}, "\x1c a\x85b \u2028\xa0", "a b"),
    ("chrf", {"whitespace": True}, "\ud83d\ude00 😀\0", ["😀 \ud83d", "\0\0"]),
    ("chrf", {"word_order": 2}, "(a). 'b' c.!", ["a ). ' b c .", "(a) .'b'"]),
    ("chrf", {"beta": 0}, "", [None, "a", ""]),
    (
        "ter",
        {"normalized": True, "asian_support": True},
        "ア゛ー１,2 b-c's",
        "アー、１ , 2 b - c 's",
    ),
    ("ter", {"no_punct": True}, "a b c d e f . g", ["e f a b, c d g", "g f e d c b a"]),
]


def segments() -> tuple[list[str], list[Any]]:
    """The segments whose figures are stored."""
    hypotheses, references = fuzz.segments(SEED, DRAWN)
    long = fuzz.long_segments(SEED, 70, 40, LONG)
    return [*hypotheses, *long[0]], [*references, *long[1]]


def digests(rows: list[Any]) -> str:
    """Return the first digits of the digest of each row, one after the other."""
    return "".join(digest([row])[:DIGITS] for row in rows)


def figures(pair: Pair, hypotheses: list[str], references: list[Any]) -> dict[str, Any]:
    """What sacreBLEU has for a metric."""
    theirs = pair.theirs()
    rows = their_rows(theirs, hypotheses, references)
    return {
        "metric": pair.name,
        "options": pair.options,
        "rows": digests(rows),
        # Their smoothing changes the row it is given.
        "scores": [theirs._compute_score_from_stats(list(row)).score for row in rows],
        "corpus": theirs._aggregate_and_compute(rows).score,
    }


def main() -> None:
    """Write the files."""
    texts = segments()
    found = {
        "sacrebleu": version("sacrebleu"),
        "segments": [list(map(as_stored, segment)) for segment in zip(*texts, strict=True)],
        "figures": [figures(pair, *texts) for pair in PAIRS],
    }
    FILE.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="ascii")
    if not found_segments.FILE.exists():
        found_segments.FILE.touch()
        for name, options, hypothesis, references in INTERESTING:
            pair = Pair(name, options)
            found_segments.keep(found_segments.Found.of(pair, hypothesis, references))


if __name__ == "__main__":
    main()
