"""Each planted fault is found, on its lines, by its check and by no other; effects are rescored."""

from __future__ import annotations

import codecs
import gzip
import json
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

import pytest

from bleuet.linting.alignment import _best_run
from bleuet.linting.checks import CHECKS
from bleuet.linting.linting import lint
from bleuet.linting.repetition import LEAST_CHARACTERS, LEAST_TOKENS, LONGEST_UNIT, loop_in
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from tests.corpora.scripts import Clean, make

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SEEDS = (0, 1)
ROWS = [7, 40, 41, 133]
Texts = list[str]


class Planted(NamedTuple):
    """What is wrong now, where it must be found, and the texts once it is repaired."""

    check: str
    role: str
    rows: list[int]
    hypotheses: Texts
    references: Texts
    source: Texts
    repaired: tuple[Texts, Texts]


def without(rows: list[int], *sides: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([text for i, text in enumerate(side) if i not in rows] for side in sides)


def changed(texts: Texts, change: Callable[[str], str], rows: list[int]) -> Texts:
    return [change(text) if i in rows else text for i, text in enumerate(texts)]


def left_out(check: str, change: Callable[[str], str], rows: list[int], clean: Clean) -> Planted:
    """A fault of hypotheses that is measured without its lines."""
    hypotheses = changed(clean.hypotheses, change, rows)
    repaired = without(rows, hypotheses, clean.references)
    return Planted(check, "hypotheses", rows, hypotheses, clean.references, clean.source, repaired)


def put_right(
    check: str,
    change: Callable[[str], str],
    clean: Clean,
    role: str = "hypotheses",
    rows: list[int] = ROWS,
) -> Planted:
    """A fault that a repair undoes: the scores are those of the clean text."""
    hypotheses, references = clean.hypotheses, clean.references
    repaired = (hypotheses, references)
    if role == "hypotheses":
        hypotheses = changed(hypotheses, change, rows)
    else:
        references = changed(references, change, rows)
    return Planted(check, role, rows, hypotheses, references, clean.source, repaired)


def empty(clean: Clean) -> Planted:
    return left_out("empty", lambda text: "", ROWS, clean)


def blank(clean: Clean) -> Planted:
    return left_out("empty", lambda text: " \u3000", ROWS, clean)


def references_left_out(check: str, text: str, clean: Clean) -> Planted:
    """A fault of references for which a text stands; the repair leaves them out."""
    references = changed(clean.references, lambda _: text, ROWS)
    repaired = without(ROWS, clean.hypotheses, references)
    hypotheses = clean.hypotheses
    return Planted(check, "references", ROWS, hypotheses, references, clean.source, repaired)


def empty_references(clean: Clean) -> Planted:
    return references_left_out("empty", "", clean)


def missing(clean: Clean) -> Planted:
    return left_out("missing", lambda text: "None", ROWS, clean)


def missing_references(clean: Clean) -> Planted:
    return references_left_out("missing", "nan", clean)


def source_copies(clean: Clean) -> Planted:
    rows = [i for i, text in enumerate(clean.source) if len(text.split()) > 5][3:9]
    hypotheses = [clean.source[i] if i in rows else t for i, t in enumerate(clean.hypotheses)]
    repaired = without(rows, hypotheses, clean.references)
    return Planted(
        "source-copy", "hypotheses", rows, hypotheses, clean.references, clean.source, repaired
    )


def foreign_script(clean: Clean) -> Planted:
    return left_out("script", lambda text: "Это предложение не было переведено.", [9], clean)


def foreign_ideographs(clean: Clean) -> Planted:
    return left_out("script", lambda text: "这句话没有翻译。", [9], clean)


def loops(clean: Clean) -> Planted:
    return left_out("repetition", lambda text: text + " of the case" * 5, ROWS, clean)


def one_word_loop(clean: Clean) -> Planted:
    return left_out("repetition", lambda text: text[:9] + " and" * 8, ROWS, clean)


def truncated(clean: Clean) -> Planted:
    hypotheses = [" ".join(text.split()[:8]).rstrip(",") for text in clean.hypotheses]
    rows = [
        i
        for i, (cut, whole) in enumerate(zip(hypotheses, clean.hypotheses, strict=True))
        if cut != whole and len(clean.references[i].split()) >= 9
    ]
    repaired = without(rows, hypotheses, clean.references)
    return Planted(
        "truncation", "hypotheses", rows, hypotheses, clean.references, clean.source, repaired
    )


def duplicates(clean: Clean) -> Planted:
    rows = [5, 50, 60, 70, 80, 199]
    return left_out("duplicates", lambda text: clean.hypotheses[5] + " wo we xi xo.", rows, clean)


def tokenize(text: str) -> str:
    return text.replace(",", " ,").replace(".", " .")


def everywhere(clean: Clean) -> list[int]:
    return list(range(len(clean.references)))


def tokenized(clean: Clean) -> Planted:
    return put_right("tokenization", tokenize, clean, rows=everywhere(clean))


def tokenized_references(clean: Clean) -> Planted:
    return put_right("tokenization", tokenize, clean, "references", everywhere(clean))


def pieces(clean: Clean) -> Planted:
    return put_right("subwords", lambda text: f"{text[:2]}@@ {text[2:]}", clean)


def sentence_pieces(clean: Clean) -> Planted:
    def cut(text: str) -> str:
        return "\u2581" + text[:2] + " " + text[2:].replace(" ", " \u2581")

    return put_right("subwords", cut, clean)


def lower_case(clean: Clean) -> Planted:
    hypotheses = [text.lower() for text in clean.hypotheses]
    repaired = (hypotheses, [text.lower() for text in clean.references])
    return Planted("case", "hypotheses", [], hypotheses, clean.references, clean.source, repaired)


def entities(clean: Clean) -> Planted:
    quoted = clean._replace(hypotheses=[f'"{text}" & so' for text in clean.hypotheses])
    change = str.maketrans({'"': "&quot;", "&": "&amp;"})
    return put_right("entities", lambda text: text.translate(change), quoted)


def entities_of_references(clean: Clean) -> Planted:
    quoted = clean._replace(references=[f"it's {text}" for text in clean.references])
    return put_right("entities", lambda text: text.replace("'", "&#39;"), quoted, "references")


def entities_twice(clean: Clean) -> Planted:
    quoted = clean._replace(hypotheses=[f"[{text}]" for text in clean.hypotheses])
    return put_right("entities", lambda text: text.replace("[", "&amp;bra;"), quoted)


def misread(clean: Clean) -> Planted:
    accented = clean._replace(hypotheses=[f"Caf\xe9: {text}" for text in clean.hypotheses])
    return put_right("encoding", lambda text: text.encode().decode("latin-1"), accented)


def misread_quotes(clean: Clean) -> Planted:
    accented = clean._replace(hypotheses=[f"\u2019Tis {text}" for text in clean.hypotheses])
    return put_right("encoding", lambda text: text.encode().decode("cp1252"), accented)


def lost(clean: Clean) -> Planted:
    return left_out("lost-characters", lambda text: f"{text[:4]}\ufffd{text[5:]}", ROWS, clean)


def decomposed(clean: Clean) -> Planted:
    accented = clean._replace(
        hypotheses=[f"D\xe9j\xe0 {text}" for text in clean.hypotheses],
        references=[f"D\xe9j\xe0 vu {text}" for text in clean.references],
    )
    return put_right("normal-forms", lambda text: normalize("NFD", text), accented)


def decomposed_references(clean: Clean) -> Planted:
    accented = clean._replace(
        hypotheses=[f"D\xe9j\xe0 {text}" for text in clean.hypotheses],
        references=[f"D\xe9j\xe0 vu {text}" for text in clean.references],
    )
    every = everywhere(clean)
    change = lambda text: normalize("NFD", text)  # noqa: E731
    return put_right("normal-forms", change, accented, "references", every)


def lookalike(clean: Clean) -> Planted:
    marked = clean._replace(hypotheses=[f"Once {text}" for text in clean.hypotheses])
    return put_right("lookalikes", lambda text: text.replace("c", "\u0441"), marked, rows=[3, 9])


def sharp_s(clean: Clean) -> Planted:
    marked = clean._replace(hypotheses=[f"Stra\xdfe {text}" for text in clean.hypotheses])
    return put_right("lookalikes", lambda text: text.replace("\xdf", "\u03b2"), marked)


INVISIBLE = {
    "zero width space": "\u200b",
    "joiner in Latin": "\u200d",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "left-to-right mark": "\u200e",
    "bidirectional override": "\u202e",
    "isolate": "\u2066",
    "C0": "\x02",
    "delete": "\x7f",
    "C1": "\x96",
    "tag": "\U000e0041",
    "word joiner": "\u2060",
}


def hidden(mark: str, role: str) -> Callable[[Clean], Planted]:
    def plant(clean: Clean) -> Planted:
        return put_right("invisible", lambda text: f"{text[:3]}{mark}{text[3:]}", clean, role)

    return plant


def shifted(first: int, last: int, step: int) -> Callable[[Clean], Planted]:
    """Hypotheses from row `first` on, before row `last`, that stand `step` rows too soon."""

    def plant(clean: Clean) -> Planted:
        texts = list(clean.hypotheses)
        extra = [f"{t} Xu." for t in make(99, size=abs(step)).hypotheses]
        if step > 0:  # some lines are lost at `first`, and others come in at `last`
            texts[first : last + step] = [*texts[first + step : last + step], *extra]
        else:
            texts[first + step : last] = [*extra, *texts[first + step : last + step]]
        rows = list(range(first, last))
        kept = [row for row in range(len(texts)) if row not in rows]
        inside = [row for row in rows if 0 <= row + step < len(texts)]
        repaired = (
            [texts[row] for row in (*kept, *inside)],
            [
                *(clean.references[row] for row in kept),
                *(clean.references[row + step] for row in inside),
            ],
        )
        return Planted(
            "alignment", "hypotheses", rows, texts, clean.references, clean.source, repaired
        )

    return plant


PLANTS: dict[str, Callable[[Clean], Planted]] = {
    **{
        plant.__name__: plant
        for plant in (
            empty,
            blank,
            empty_references,
            missing,
            missing_references,
            source_copies,
            foreign_script,
            foreign_ideographs,
            loops,
            one_word_loop,
            truncated,
            duplicates,
            tokenized,
            tokenized_references,
            pieces,
            sentence_pieces,
            lower_case,
            entities,
            entities_of_references,
            entities_twice,
            misread,
            misread_quotes,
            lost,
            decomposed,
            decomposed_references,
            lookalike,
            sharp_s,
        )
    },
    **{f"hidden {name}": hidden(mark, "hypotheses") for name, mark in INVISIBLE.items()},
    "hidden in references": hidden("\u200b", "references"),
    "shifted from the first line": shifted(0, 199, 1),
    "shifted from the middle": shifted(120, 199, 1),
    "shifted in the middle": shifted(70, 110, 1),
    "shifted by two": shifted(50, 198, 2),
    "shifted back": shifted(60, 200, -1),
    "shifted back in the middle": shifted(60, 101, -2),
    "shifted back to the first line": shifted(1, 100, -1),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_fault_is_found_on_its_lines_and_measured(plant: str, seed: int) -> None:
    planted = PLANTS[plant](make(seed))
    found = lint(planted.hypotheses, planted.references, source=planted.source).findings
    assert [(one.check, one.role) for one in found] == [(planted.check, planted.role)]
    (finding,) = found
    assert finding.lines == tuple(row + 1 for row in planted.rows)
    assert finding.message
    assert finding.place.partition(":")[0] in ("hypotheses", "references")
    wanted = [
        (
            metric.name,
            metric.corpus_score(planted.hypotheses, planted.references).score,
            metric.corpus_score(*planted.repaired).score,
        )
        for metric in (BLEU(), CHRF())
    ]
    assert [(e.metric, e.before, e.after) for e in finding.effects] == wanted


@pytest.mark.slow
def test_every_check_is_planted() -> None:
    elsewhere = {"shape", "same-file", "overlap", "length", "tokenizer", "unrelated"}
    planted = {plant(make(0)).check for plant in PLANTS.values()}
    assert planted | elsewhere == CHECKS.keys()


def test_two_shifts_one_after_the_other_are_both_found() -> None:
    source, references, texts = make(4, size=300)
    del texts[100]
    del texts[199]  # which was line 202 of 300
    found = lint([*texts, "Xi.", "Xu."], references, source=source).findings
    assert [(one.check, one.lines[0], one.lines[-1]) for one in found] == [
        ("alignment", 101, 199),
        ("alignment", 200, 298),
    ]
    assert "1 line further down" in found[0].message
    assert "2 lines further down" in found[1].message


@pytest.mark.parametrize("script", ["han", "kana"])
def test_loops_of_text_without_spaces_are_found(script: str) -> None:
    source, references, texts = make(0, script)
    texts[7] += texts[7][:3] * 6
    texts[8] += texts[8][:1] * 8  # as laughter is written
    metrics = [BLEU(tokenize="char")]
    found = lint(texts, references, source=source, metrics=metrics).findings
    assert [(one.check, one.lines) for one in found] == [("repetition", (8,))]


def test_the_same_file_under_two_names() -> None:
    source, references, texts = make(0)
    found = lint({"a": texts, "b": texts, "c": references}, references, source=source).findings
    assert [(one.check, one.file, one.lines) for one in found] == [
        ("same-file", "c", ()),
        ("same-file", "a", ()),
    ]
    assert "the same as references" in found[0].message
    assert "the same as b, " in found[1].message
    nearly = [*texts[:-1], "Other."]
    assert lint({"a": texts, "b": nearly}, references, source=source).findings == ()
    (one,) = lint({"a": [*references[:-1], "Other."]}, references, source=source).findings
    assert one.message.startswith("it is the same as references except for 1 line, so it is scored")
    found = lint(texts, source, source=source).findings
    assert ("same-file", "references") in {(one.check, one.role) for one in found}


def test_faults_of_several_references_are_found_in_each_segment() -> None:
    source, references, texts = make(0)
    several = [[reference, f"Or {reference}", None] for reference in references]
    several[4][1] = "a\u200bb"
    several[9][0] = ""
    found = lint(texts, several, source=source).findings
    assert [(one.check, one.role, one.lines) for one in found] == [
        ("empty", "references", (10,)),
        ("invisible", "references", (5,)),
    ]
    several[4][1] = "ab"
    after = BLEU().corpus_score(texts, several).score
    assert found[1].effects[0].after == after


SECOND_REFERENCES: dict[str, tuple[str, str]] = {
    "empty": (" ", ""),
    "missing": ("nan", ""),
    "encoding": ("Caf\xc3\xa9 au lait", "Caf\xe9 au lait"),
    "lost-characters": ("Caf\ufffd au lait", ""),
    "subwords": ("Fine cof@@ fee", "Fine coffee"),
    "entities": ("R &amp; D", "R & D"),
    "invisible": ("Fine\u200b coffee", "Fine coffee"),
}


@pytest.mark.parametrize("check", SECOND_REFERENCES)
def test_a_segment_with_a_fault_in_any_of_its_references_is_one_line(check: str) -> None:
    wrong, right = SECOND_REFERENCES[check]
    _, references, texts = make(0, size=30)
    several: list[Any] = [[one, f"Or {one}"] for one in references]
    several[4][1] = several[9][0] = several[9][1] = wrong
    (found,) = lint(texts, several, checks=[check]).findings
    assert (found.lines, found.sentence[:8]) == ((5, 10), "2 lines ")
    assert (repr("@@") in found.message) == (check == "subwords")
    after = without([4, 9], texts, several)
    if right:
        mended = [[right if text == wrong else text for text in entry] for entry in several]
        after = texts, mended
    assert found.effects[0].after == BLEU().corpus_score(*after).score


def test_each_system_has_its_own_effect_and_the_largest_is_shown() -> None:
    _, references, texts = make(0, size=40)
    other = make(0, size=40, noise=0.9).hypotheses
    wrong = [*references[:6], "", *references[7:]]
    systems = {"a": texts, "b": other, "c": texts[::-1]}
    for names in (("a", "b"), ("b", "a"), ("b", "a", "c")):
        chosen = {name: systems[name] for name in names}
        (found,) = lint(chosen, wrong, checks=["empty"], metrics=[BLEU(), CHRF()]).findings
        wanted = [
            (
                name,
                metric.name,
                metric.corpus_score(systems[name], wrong).score,
                metric.corpus_score(*without([6], systems[name], wrong)).score,
            )
            for name in names
            for metric in (BLEU(), CHRF())
        ]
        assert [(e.system, e.metric, e.before, e.after) for e in found.effects] == wanted
        largest = max(
            (abs(after - before), name)
            for name, metric, before, after in wanted
            if metric == "BLEU"
        )[1]
        assert f"({largest}), chrF2 " in found.effect


@pytest.mark.parametrize("count", [1, 5, 6, 7])
def test_a_sentence_lists_five_lines_and_says_how_many_more_there_are(count: int) -> None:
    _, references, texts = make(0, size=30)
    (found,) = lint([""] * count + texts[count:], references, checks=["empty"]).findings
    numbers = ", ".join(map(str, range(1, min(count, 5) + 1)))
    more = f" and {count - 5} more" if count > 5 else ""
    assert found.sentence == f"{found.message}: {numbers}{more}"


@pytest.mark.parametrize("joint", [" ", ""])
def test_a_loop_is_a_unit_that_comes_four_times_and_fills_the_least_length(joint: str) -> None:
    letters = (
        "abcdefghijklmnopqrstuvwxyz"
        if joint
        else "的一是不了人我在有他这中大来上国个到说们为子和你地出"
    )
    least = LEAST_TOKENS if joint else LEAST_CHARACTERS
    # Long enough to be a text without spaces.
    before = joint.join("0123456789" if joint else "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳")
    for size in range(1, LONGEST_UNIT + 2):
        unit = joint.join(letters[:size])
        for times in range(1, 13):
            is_loop = times >= 4 and size * times >= least and size <= LONGEST_UNIT
            text = joint.join([before, *[unit] * times])
            assert loop_in(text) == (unit if is_loop else ""), (size, times)


def test_a_run_is_shifted_if_fifteen_lines_gain_five_points_each() -> None:
    before, behind = [-1.0] * 3, [4.9, -1.0]
    for lines, gain, found in ((15, 5.0, True), (14, 5.0, False), (15, 4.9, False)):
        gains = [*before, *[gain] * lines, *behind]
        expected = range(3, 3 + lines) if found else range(0)
        assert _best_run(gains, range(len(gains)))[1] == expected
        assert _best_run(gains, range(4, len(gains)))[1] == range(0)


def test_checks_run_if_what_they_read_is_there(tmp_path: Path) -> None:
    source, references, texts = make(0, size=20)
    file = tmp_path / "training.txt"
    file.write_text("It rains.\n", encoding="utf-8")
    for own_source in (None, source):
        for training in (None, file):
            found = lint(texts, references, source=own_source, training=training)
            lacking = {"source": own_source is None, "training": training is None}
            lacks = {
                name: need
                for name, check in CHECKS.items()
                for need in check.needs
                if lacking[need]
            }
            assert found.not_run == lacks
            assert found.checks == tuple(name for name in CHECKS if name not in lacks)


# --- Unrelated files ------------------------------------------------------------------------------

UNRELATED: dict[str, Callable[[Clean], Texts]] = {
    "in reversed order": lambda clean: clean.hypotheses[::-1],
    "of another test set": lambda clean: make(99, size=len(clean.source)).hypotheses,
    "rotated": lambda clean: [*clean.hypotheses[71:], *clean.hypotheses[:71]],
    "in another alphabet": lambda clean: [codecs.encode(t, "rot13") for t in clean.hypotheses],
    "in another language": lambda clean: [f"Wax {text}" for text in clean.source],
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", UNRELATED)
def test_hypotheses_that_do_not_belong_to_the_references_are_found(kind: str, seed: int) -> None:
    clean = make(seed)
    systems = {"right": clean.hypotheses, "wrong": UNRELATED[kind](clean)}
    for references in (clean.references, [[text, f"Or {text}"] for text in clean.references]):
        found = lint(systems, references, source=clean.source).findings
        assert [(one.check, one.file, one.lines) for one in found] == [("unrelated", "wrong", ())]


@pytest.mark.parametrize("script", ["han", "cyrillic", "arabic"])
def test_a_reversed_file_is_found_in_every_script(script: str) -> None:
    _, references, texts = make(0, script)
    (found,) = lint(texts[::-1], references, checks=["unrelated"]).findings
    assert "chrF" in found.message
    assert lint(texts, references, checks=["unrelated"]).findings == ()


def test_lines_that_repeat_or_are_few_are_not_called_unrelated() -> None:
    _, references, texts = make(0)
    for hypotheses, own in (
        (texts[18::-1], references[:19]),
        (texts[:30] * 5, references[:30] * 5),
        (["Xu xi."] * 200, references),
        ([""] * 200, references),
        (texts, [references[0]] * 200),
    ):
        assert lint(hypotheses, own, checks=["unrelated"]).findings == ()


def test_a_large_file_is_judged_by_some_of_its_lines() -> None:
    _, references, texts = make(0, size=2500)
    (found,) = lint(texts[::-1], references, checks=["unrelated"]).findings
    assert found.lines == ()
    assert lint(texts, references, checks=["unrelated"]).findings == ()


# --- Overlap with training text -------------------------------------------------------------------


@pytest.mark.slow
def test_overlap_with_training_text(tmp_path: Path) -> None:
    source, references, texts = make(0)
    long = [i for i, text in enumerate(references) if len(text.split()) >= 18]
    whole, plain, part = long[:3]
    lines = [text for seed in range(5, 25) for text in make(seed).references]
    lines[30] = references[whole]
    lines[2000] = references[plain].upper().replace(",", "").replace(".", " !")
    lines[3000] = "Before " + " ".join(references[part].split()[2:16]) + " behind"
    lines[3500] = "Before " + " ".join(references[long[3]].split()[2:13]) + " behind"  # 11 words
    # Both come again: the first line counts.
    lines[3600:3602] = lines[30], lines[3000]
    file = tmp_path / "training.gz"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    found = lint(texts, references, source=source, training=file).findings
    assert [(one.check, one.role, one.lines) for one in found] == [
        ("overlap", "references", tuple(sorted((whole + 1, plain + 1)))),
        ("overlap", "references", (part + 1,)),
    ]
    assert "line 31 of" in found[0].message
    assert "line 3001 of" in found[1].message
    kept = without([whole, plain], texts, references)
    assert found[0].effects[0].after == BLEU().corpus_score(*kept).score


def test_sources_in_training_text_are_found_too(tmp_path: Path) -> None:
    source, references, texts = make(0)
    file = tmp_path / "training.tsv"
    file.write_text(f"en\tde\nx\t{source[70]}\ny\tz\n", encoding="utf-8")
    found = lint(texts, references, source=source, training=f"{file}:de").findings
    assert [(one.check, one.role, one.lines) for one in found] == [("overlap", "source", (71,))]


def test_every_text_of_a_line_of_training_text_is_compared(tmp_path: Path) -> None:
    _, references, texts = make(0)
    file = tmp_path / "training.jsonl"
    rows = [["Xi.", "Xu."], ["Xi.", references[70]], [references[71], "Xu."]]
    file.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows), encoding="utf-8")
    (found,) = lint(texts, references, training=f"{file}:text").findings
    assert (found.check, found.lines) == ("overlap", (71, 72))
    assert "the first of them in line 2 of" in found.message


def test_lines_without_words_and_marks_inside_words_are_no_overlap(tmp_path: Path) -> None:
    source, references, texts = make(0, "devanagari")
    references[3] = texts[3] = "- " * 20
    file = tmp_path / "training.txt"
    # A dozen words in a row, each of several letters and marks, are not thirteen.
    long = next(text for text in references if len(text.split()) >= 20)
    part = " ".join(long.replace(",", "").split()[:12])
    file.write_text("\n".join(["* " * 20, f"\u0915 {part} \u0916"]), encoding="utf-8")
    assert lint(texts, references, source=source, training=file).findings == ()


def test_unrelated_training_text_is_no_overlap(tmp_path: Path) -> None:
    source, references, texts = make(0)
    file = tmp_path / "training.txt"
    file.write_text("\n".join(make(77).references), encoding="utf-8")
    found = lint(texts, references, source=source, training=file)
    assert found.findings == ()
    assert "overlap" in found.checks
