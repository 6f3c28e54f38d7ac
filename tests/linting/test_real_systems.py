"""What is found in real submissions: every finding here was looked at, and is true."""

from __future__ import annotations

import pytest

from bleuet.linting.linting import lint
from tests.evaluation_data import EvaluationData
from tests.linting.test_lost_lines import KINDS, damaged

DATA = EvaluationData.find()
pytestmark = pytest.mark.data

# All that is found in the 71 systems into English of WMT 2013, with source and reference, by line.
WMT13 = {
    # Sentences left in the source's language, while the reference is English.
    ("cs-en", "FDA", "source-copy"): (1097,),
    ("cs-en", "MES", "source-copy"): (1097,),
    ("cs-en", "online-B", "source-copy"): (2428,),
    ("cs-en", "uedin-syntax", "source-copy"): (1097,),
    ("de-en", "online-B", "source-copy"): (1068, 2867),
    ("es-en", "online-B", "source-copy"): (1057, 1292),
    ("es-en", "rbmt-3", "source-copy"): (104,),
    ("fr-en", "online-B", "source-copy"): (2867, 2954),
    ("fr-en", "rbmt-3", "source-copy"): (260, 451, 1622),
    # An escaped bar, which no tokenizer turns back, and an escaped ampersand.
    ("cs-en", "cu-2", "entities"): (146,),
    ("de-en", "cu-3", "entities"): (146,),
    ("es-en", "cu-3", "entities"): (146,),
    ("fr-en", "cu-3", "entities"): (146,),
    ("de-en", "online-A", "entities"): (1682,),
    # U+FFFD inside a sentence.
    ("cs-en", "Shef-wproa", "lost-characters"): (533,),
    ("es-en", "MES", "lost-characters"): (2012, 2929),
    # Zero width spaces taken over from the source, a soft hyphen, directional marks, U+0096 for a
    # dash, U+007F where letters were lost.
    ("cs-en", "cu-2", "invisible"): (727,),
    ("cs-en", "cu-3", "invisible"): (727,),
    ("cs-en", "uedin-unconstrained", "invisible"): (2320,),
    ("de-en", "MES", "invisible"): (472,),
    ("de-en", "TUBITAK", "invisible"): (546, 547),
    ("de-en", "rbmt-3", "invisible"): (1407,),
    ("es-en", "JHU", "invisible"): (559, 585, 786),
    ("es-en", "cu-3", "invisible"): (585,),
    ("es-en", "rbmt-3", "invisible"): (559, 585, 786, 2414),
    ("fr-en", "RWTH_primary", "invisible"): (1071,),
    ("fr-en", "rbmt-3", "invisible"): (1074, 1090, 1138, 1407, 1427, 2414),
    ("fr-en", "uedin-unconstrained", "invisible"): (1071,),
    ("fr-en", "uedin-wmt13", "invisible"): (1071,),
    # "EU" with a Greek capital epsilon.
    ("fr-en", "RWTH_primary", "lookalikes"): (1265,),
}


@pytest.mark.parametrize("pair", ["cs-en", "de-en", "es-en", "fr-en"])
def test_wmt13_gives_true_findings_alone(pair: str) -> None:
    folder = f"data/wmt13/{pair}"
    systems = {name: DATA.system(folder, name) for name in DATA.system_names(folder)}
    source = DATA.lines(f"{folder}/src.{pair[:2]}.txt.gz")
    found = lint(systems, DATA.reference(folder), source=source, metrics=[])
    assert {(pair, one.file, one.check): one.lines for one in found.findings} == {
        key: lines for key, lines in WMT13.items() if key[0] == pair
    }


@pytest.mark.parametrize("row", [1, 1500, 2998])
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_of_a_real_system_is_found_where_it_was(kind: str, row: int) -> None:
    folder = "data/wmt13/cs-en"
    texts = DATA.system(folder, "uedin-unconstrained")
    references = DATA.reference(folder)
    found = lint(damaged(texts, kind, row, "This line is too much."), references).findings
    assert [(one.check, abs(one.lines[0] - 1 - row) <= 1) for one in found] == [("length", True)]


def test_known_faults_of_other_sets() -> None:
    folder = "data/wmt12/de-en"
    names = ("onlineB", "UG-WMT12", "dfki-berlin", "uedin-wmt12")
    systems = {name: DATA.system(folder, name) for name in names}
    found = lint(systems, DATA.reference(folder)).findings
    assert {(one.file, one.check) for one in found} == {
        ("onlineB", "entities"),
        ("onlineB", "invisible"),
        ("UG-WMT12", "empty"),
        ("dfki-berlin", "tokenization"),
        ("references", "invisible"),
        # "gro\u03b2", as the source spells it, handed through.
        ("onlineB", "lookalikes"),
        ("dfki-berlin", "lookalikes"),
        ("uedin-wmt12", "lookalikes"),
    }
    (entities,) = (one for one in found if one.check == "entities")
    assert entities.count == sum("&" in t and ";" in t.split("&", 1)[1] for t in systems["onlineB"])
    assert all(effect.after > effect.before + 0.2 for effect in entities.effects)


def test_loops_of_real_systems() -> None:
    folder = "data/wmt17-ende"
    names = ("FBK", "SYSTRAN", "TALP-UPC", "LIUM-NMT")
    systems = {name: DATA.system(folder, name) for name in names}
    found = lint(systems, DATA.reference(folder), checks=["repetition"], metrics=[]).findings
    assert [(one.file, one.lines) for one in found] == [
        ("FBK", (673,)),
        ("SYSTRAN", (2604, 2856)),
        ("TALP-UPC", (1006,)),
    ]


@pytest.mark.parametrize("name", ["uedin-unconstrained", "Shef-wproa", "FDA"])
@pytest.mark.parametrize("row", [40, 1500, 2940])
def test_a_lost_line_of_a_real_system_is_found_where_it_was(name: str, row: int) -> None:
    folder = "data/wmt13/cs-en"
    texts = DATA.system(folder, name)
    del texts[row]
    found = lint([*texts, "."], DATA.reference(folder), checks=["alignment"]).findings
    assert [one.lines for one in found] == [tuple(range(row + 1, len(texts) + 1))]
    # All lines but the lost one are held against their own references again.
    aligned = [*texts[:row], "", *texts[row:]]
    whole = lint(aligned, DATA.reference(folder), checks=["empty"]).findings[0]
    for effect, kept in zip(found[0].effects, whole.effects, strict=True):
        assert effect.after == pytest.approx(kept.after, abs=0.02)
        assert effect.before < effect.after
