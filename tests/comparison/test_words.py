"""Word accuracy against matches counted one word at a time."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.comparison import TokenLabels, compare
from bleuet.comparison.words import WordAccuracy
from bleuet.errors import InputError, InputTypeError
from bleuet.metrics.bleu.metric import BLEU
from bleuet.text.tokenizers.mteval13a import tokenize
from tests.corpora.several_systems import Drawn, drawn_systems
from tests.effort import examples

Three = tuple[int, int, int]
LISTS = {"articles": ["a", "the", "The"], "numbers": ["1", "12"], "both": ["a", "1"]}


def cut(text: str) -> list[str]:
    return tokenize(text.rstrip()).split()


def clipped(hypothesis: list[str], reference: list[str], word: str) -> int:
    return min(hypothesis.count(word), reference.count(word))


def best(hypothesis: list[str], references: list[list[str]]) -> list[str]:
    """The reference with most matches, the first of several."""
    totals = [sum(clipped(hypothesis, one, word) for word in set(one)) for one in references]
    return references[totals.index(max(totals))]


def by_word(test_set: Drawn, system: str) -> dict[str, Three]:
    """For each word: matched, produced, expected."""
    found: dict[str, Three] = {}
    for row, text in enumerate(test_set.systems[system]):
        hypothesis = cut(text)
        reference = best(hypothesis, [cut(one) for one in test_set.texts_of(row)])
        for word in {*hypothesis, *reference}:
            before = found.get(word, (0, 0, 0))
            found[word] = (
                before[0] + clipped(hypothesis, reference, word),
                before[1] + hypothesis.count(word),
                before[2] + reference.count(word),
            )
    return found


def added(counts: list[Three]) -> Three:
    return sum(c[0] for c in counts), sum(c[1] for c in counts), sum(c[2] for c in counts)


def counts_of(accuracy: WordAccuracy, system: int) -> dict[str, Three]:
    return {
        group.label: (group.matched, group.produced, group.expected)
        for group in accuracy.systems[system]
    }


@examples(40)
@given(drawn_systems())
def test_words_by_frequency(test_set: Drawn) -> None:
    (accuracy,) = compare(test_set.systems, test_set.references, by=[]).words
    every = Counter(
        word
        for row in range(len(test_set.references))
        for text in test_set.texts_of(row)
        for word in cut(text)
    )
    groups = {"<1": (0, 0), "1": (1, 1), "2": (2, 2), "3": (3, 3), "4": (4, 4), "5 to 9": (5, 9)}
    groups |= {"10 to 99": (10, 99), "100 to 999": (100, 999)}
    seen = set()
    for number, system in enumerate(test_set.systems):
        words = by_word(test_set, system)
        found = counts_of(accuracy, number)
        assert added(list(found.values())) == added(list(words.values()))
        for label, counts in found.items():
            low, high = groups[label]
            assert counts == added([c for w, c in words.items() if low <= every[w] <= high])
            seen.update([label] if any(counts) else [])
    assert seen == set(accuracy.labels)


@examples(40)
@given(drawn_systems())
def test_words_by_list(test_set: Drawn) -> None:
    _, accuracy = compare(test_set.systems, test_set.references, by=[], word_lists=LISTS).words
    listed = {word for words in LISTS.values() for word in words}
    for number, system in enumerate(test_set.systems):
        words = by_word(test_set, system)
        for label, counts in counts_of(accuracy, number).items():
            group = set(LISTS[label]) if label != "other" else set(words) - listed
            assert counts == added([c for w, c in words.items() if w in group])


@examples(40)
@given(drawn_systems(several_references=False), st.data())
def test_tokens_by_label(test_set: Drawn, data: st.DataObject) -> None:
    def drawn(texts: list[str]) -> list[list[str]]:
        return [[data.draw(st.sampled_from("NVX")) for _ in cut(text)] for text in texts]

    references = drawn(test_set.references)
    systems = {name: drawn(texts) for name, texts in test_set.systems.items()}
    labels = TokenLabels([" ".join(line) for line in references], systems, "tag")
    accuracy = compare(test_set.systems, test_set.references, by=[], token_labels=labels).words[-1]
    assert accuracy.name == "tag"
    for number, (name, texts) in enumerate(test_set.systems.items()):
        expected: Counter[str] = Counter(label for line in references for label in line)
        matched: Counter[str] = Counter()
        produced: Counter[str] = Counter()
        for row, text in enumerate(texts):
            # The nth of equal words with the nth, found by looking for every word anew.
            there = list(enumerate(cut(test_set.references[row])))
            for word, own in zip(cut(text), systems[name][row], strict=True):
                same = next((pair for pair in there if pair[1] == word), None)
                label = own if same is None else references[row][same[0]]
                produced[label] += 1
                if same is not None:
                    there.remove(same)
                    matched[label] += 1
        found = counts_of(accuracy, number)
        for label in "NVX":
            counts = (matched[label], produced[label], expected[label])
            assert found.get(label, (0, 0, 0)) == counts


def test_precision_recall_and_f() -> None:
    (accuracy,) = compare({"s": ["a a b c"]}, ["a b b d"], by=[]).words
    one, two = accuracy.systems[0][1:]
    assert one.to_dict() == {
        "label": "1", "matched": 1, "produced": 2, "expected": 2,
        "precision": 50.0, "recall": 50.0, "f": 50.0,
    }  # fmt: skip
    assert (two.precision, two.recall) == (100.0, 50.0)
    assert two.f == pytest.approx(200 / 3)
    assert accuracy.systems[0][0].to_dict()["f"] == 0


def test_case_counts_unless_bleu_says_otherwise() -> None:
    systems, references = {"s": ["the Cat"]}, ["The cat"]
    lists = {"cats": ["CAT"]}
    for metric, matched in ((BLEU(), 0), (BLEU(lowercase=True), 1)):
        found = compare(systems, references, [metric], by=[], word_lists=lists)
        frequency, of_lists = found.words
        assert sum(group.matched for group in frequency.systems[0]) == 2 * matched
        assert (
            sum(group.matched for group in of_lists.systems[0] if group.label == "cats") == matched
        )
        # Case is looked at all the same where errors of case are counted.
        assert found.surface[0][0].missing == 2


def test_labels_that_do_not_fit_are_rejected() -> None:
    systems, references = {"s": ["a b", "c"]}, ["a b", "c"]
    with pytest.raises(InputError, match="segment 1 of s has 1 labels but 2 tokens"):
        compare(systems, references, token_labels=TokenLabels(["N V", "N"], {"s": ["N", "N"]}))
    with pytest.raises(InputError, match="the token labels of the reference are for 1 segments"):
        compare(systems, references, token_labels=TokenLabels(["N V"], {"s": ["N V", "N"]}))
    with pytest.raises(InputError, match="no token labels of the system s"):
        compare(systems, references, token_labels=TokenLabels(["N V", "N"], {}))
    with pytest.raises(InputTypeError, match=r"word_lists\['names'\] must be a list of str"):
        compare(systems, references, word_lists={"names": "Anna"})
