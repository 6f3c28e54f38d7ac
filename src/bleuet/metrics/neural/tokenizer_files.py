"""Tokenizers of models, from whichever of their files a folder has.

The library transformers makes other tokenizers of some files than its earlier versions, with which
models were trained, and one of five tokens where there is no file. So all files are read here, as
the fast tokenizers of transformers 4 read them; `tokenizer.json` is read as it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.messages import in_short, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any, TypeAlias

    import sentencepiece
    import tokenizers

    # Tokens of a vocabulary with their scores, in the order of their numbers.
    Scored: TypeAlias = list[tuple[str, float]]
else:
    sentencepiece = deferred("sentencepiece")
    tokenizers = deferred("tokenizers")

WHOLE, WORDS, BYTES, MERGES = "tokenizer.json", "vocab.txt", "vocab.json", "merges.txt"
SETTINGS, CONFIGURATION = "tokenizer_config.json", "config.json"
# What stands for a space in the pieces of SentencePiece.
SPACE = "▁"
# For a model without a limit.
ANY = 10**9
# A tokenizer with a smaller share of the tokens that a model knows is that of another model.
LEAST_SHARE = 0.5


class Family(Value):
    """How the models of a family read their tokenizer's files.

    Attributes:
        files: the names that the file may have, where there is no tokenizer.json; without names,
            no file is needed.
        begin: the token before a text, "" for none.
        end: the token behind it, "" for none.
        pair: the template of two texts, in the form of `tokenizers`, where A and B are the texts.
        unknown: the token of what is not in the vocabulary.
        padding: the token that fills batches.
        mask: the token of a word that is left out.
        eats_space: whether the mask has the space before it.
        classes: beginnings of the names of tokenizer classes and of types of models.
    """

    files: tuple[str, ...]
    begin: str
    end: str
    pair: str
    unknown: str
    padding: str
    mask: str
    eats_space: bool
    classes: tuple[str, ...]


_FAIRSEQ = ("<s>", "</s>", "<s> A </s> </s> B </s>", "<unk>", "<pad>", "<mask>", True)
_BERT = ("[CLS]", "[SEP]", "[CLS] A [SEP] B [SEP]", "[UNK]", "[PAD]", "[MASK]")
PIECES = "sentencepiece.bpe.model"
XLMR, CAMEMBERT, T5, ALBERT, XLNET = "xlm-roberta", "camembert", "t5", "albert", "xlnet"
DEBERTA_V2, REMBERT, BERT, MPNET = "deberta-v2", "rembert", "bert", "mpnet"
ROBERTA, DEBERTA, GPT2 = "roberta", "deberta", "gpt2"
MBART, MBART50, PEGASUS, BIGBIRD, BYT5 = "mbart", "mbart-50", "pegasus", "big-bird", "byt5"
# Tokens of languages, in the order of their numbers: the first ones are those of mBART, and
# mBART-50 has all.
_LANGUAGES = (
    "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT "
    "lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN",
    " af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF "
    "pt_XX sv_SE sw_KE ta_IN te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI",
)
_LANGUAGES_OF = {
    MBART: _LANGUAGES[0].split(),
    MBART50: "".join(_LANGUAGES).split(),
}
# The language of the texts, unless a file names another one.
ENGLISH = "en_XX"
# The token of a language beside a text.
LANGUAGE = re.compile(r"[a-z]{2,3}_[A-Z][A-Za-z]+")
# Other special tokens of families: of languages, and for what is left out.
_EXTRA = re.compile(r"<extra_id_\d+>")
_MORE_SPECIAL = {
    **dict.fromkeys((T5, BYT5), _EXTRA),
    **dict.fromkeys(_LANGUAGES_OF, LANGUAGE),
    PEGASUS: re.compile(r"<(unk|mask)_\d+>"),
    BIGBIRD: re.compile(r"</?s>"),
    CAMEMBERT: re.compile(r"<.*>NOTUSED"),
}
# How many tokens Pegasus has before its pieces.
_BEFORE_PIECES = 103
# How many tokens for what is left out ByT5 has.
_LEFT_OUT = 125
# Kinds that are neither read here nor ever written as tokenizer.json, and a file of some of them.
WITHOUT_WHOLE = ("xlm", "flaubert", "bertweet", "phobert", "prophetnet", "xlmprophetnet", "ctrl")
CODES = "bpe.codes"
# The first family whose class fits is that of a tokenizer.
FAMILIES = {
    XLMR: Family((PIECES,), *_FAIRSEQ, ("xlmroberta", "infoxlm")),
    CAMEMBERT: Family((PIECES,), *_FAIRSEQ, ("camembert",)),
    T5: Family(
        ("spiece.model",), "", "</s>", "A </s> B </s>", "<unk>", "<pad>", "", False,
        ("t5", "mt5", "umt5"),
    ),
    ALBERT: Family(("spiece.model",), *_BERT[:3], "<unk>", "<pad>", "[MASK]", True, ("albert",)),
    XLNET: Family(
        ("spiece.model",), "", "<sep> <cls>", "A <sep> B <sep> <cls>", "<unk>", "<pad>", "<mask>",
        True, ("xlnet",),
    ),
    DEBERTA_V2: Family(("spm.model",), *_BERT, False, ("debertav2", "debertav3")),
    REMBERT: Family(
        ("sentencepiece.model", "spm.model"), *_BERT[:3], "<unk>", "<pad>", "[MASK]", True,
        ("rembert", "bleurt"),
    ),
    MPNET: Family(
        (WORDS,), "<s>", "</s>", "<s> A </s> </s> B </s>", "[UNK]", "<pad>", "<mask>", True,
        ("mpnet",),
    ),
    BERT: Family(
        (WORDS,), *_BERT, False,
        ("bert", "distilbert", "electra", "mobilebert", "squeezebert", "convbert"),
    ),
    ROBERTA: Family(
        (BYTES, MERGES), *_FAIRSEQ, ("roberta", "longformer", "bart", "led"),
    ),
    DEBERTA: Family((BYTES, MERGES), *_BERT, True, ("deberta",)),
    MBART: Family(
        (PIECES,), "", f"</s> {ENGLISH}", f"A B </s> {ENGLISH}", *_FAIRSEQ[3:], ("mbart",)
    ),
    MBART50: Family(
        (PIECES,), ENGLISH, "</s>", f"{ENGLISH} A B </s>", *_FAIRSEQ[3:], ("mbart50",)
    ),
    PEGASUS: Family(
        ("spiece.model",), "", "</s>", "A B </s>", "<unk>", "<pad>", "<mask_2>", False,
        ("pegasus",),
    ),
    BIGBIRD: Family(
        ("spiece.model",), *_BERT[:3], "<unk>", "<pad>", "[MASK]", True, ("bigbird",)
    ),
    BYT5: Family((), "", "</s>", "A </s> B </s>", "<unk>", "<pad>", "", False, ("byt5",)),
    GPT2: Family((BYTES, MERGES), "", "", "", "<|endoftext|>", "", "", False, ("gpt2",)),
}  # fmt: skip


class FolderTokenizer(Value, eq=False):
    """A tokenizer, and its settings.

    Attributes:
        backend: the tokenizer, of the library `tokenizers`.
        padding: the token that fills batches, "" where no file names it.
        most: the most tokens of a text that the model was made for.
    """

    backend: Any
    padding: str
    most: int


def read_tokenizer(folder: Path) -> FolderTokenizer:
    """Read the tokenizer of a folder.

    Raises:
        InputError: its files are not all there, or are not those of a tokenizer that is known.
    """
    settings = read_json(folder / SETTINGS)
    most = int(min(settings.get("model_max_length") or ANY, ANY))
    file = folder / WHOLE
    if file.is_file():
        try:
            backend = tokenizers.Tokenizer.from_file(str(file))
        except Exception as error:
            raise InputError(f"{file} is no usable tokenizer: {in_short(error, 300)}") from None
        return FolderTokenizer(backend, _token(settings, "pad_token", ""), most)
    missing = missing_tokenizer(folder)
    name = _family_name(folder)
    if missing or name is None:
        raise InputError(missing)
    family = FAMILIES[name]
    changes = {
        key: _token(settings, f"{word}_token", getattr(family, key))
        for key, word in (("unknown", "unk"), ("padding", "pad"), ("mask", "mask"))
    }
    language = settings.get("src_lang")
    if language:
        changes |= {
            key: getattr(family, key).replace(ENGLISH, language) for key in ("begin", "end", "pair")
        }
    family = family.replace(**changes)
    files = [folder / part for part in family.files if (folder / part).is_file()]
    try:
        if name in _OF_PIECES:
            backend = _of_pieces(read_pieces(files[0]), name, family, settings)
        elif family.files == (WORDS,):
            backend = _of_words(files[0], family, settings)
        elif not family.files:
            backend = _of_bytes(family)
        else:
            backend = _of_merges(files[0], files[1], settings)
        _finish(backend, name, family, _added(folder))
    except InputError:
        raise
    except Exception as error:
        where = [*files, folder][0]
        raise InputError(f"{where} is no usable tokenizer: {in_short(error, 300)}") from None
    return FolderTokenizer(backend, family.padding, most)


def missing_tokenizer(folder: Path) -> str:
    """Return which files a folder lacks for a tokenizer, as a message; "" if it has all.

    Args:
        folder: the folder.
    """
    if (folder / WHOLE).is_file():
        return ""
    name = _family_name(folder)
    kind = _class_name(folder)
    if _plain(kind) in WITHOUT_WHOLE or (folder / CODES).is_file():
        return (
            f"the tokenizer in {folder} is of a kind that bleuet does not read ({shown(kind)}), "
            f"and for which there is no {WHOLE}: choose another model"
        )
    if name is None:
        found = next((file for file in _all_files() if (folder / file).is_file()), None)
        if found is None:
            return (
                f"the folder {folder} has no tokenizer; expected {WHOLE}, or one of "
                f"{', '.join(_all_files())}: copy it from where the model is published"
            )
        return (
            f"the folder {folder} has no {WHOLE}, and its {found} is of a kind that is not known "
            f"({shown(kind)}): save the tokenizer with transformers, which writes {WHOLE}"
        )
    files = FAMILIES[name].files
    there = [file for file in files if (folder / file).is_file()]
    if not files or (there and (len(there) == len(files) or MERGES not in files)):
        return ""
    expected = " and ".join(files) if MERGES in files else " or ".join(files)
    lacking = " and ".join(file for file in files if file not in there)
    what = f"no {lacking} for its tokenizer" if there else "no tokenizer"
    return (
        f"the folder {folder} has {what}; expected {WHOLE}, or {expected}: copy it from where the "
        "model is published"
    )


def _all_files() -> list[str]:
    return list(dict.fromkeys(file for family in FAMILIES.values() for file in family.files))


def check_size(ordinary: int, whole: int, vocabulary: int, folder: Path) -> None:
    """Check that a tokenizer is that of a model.

    Args:
        ordinary: its tokens, without those that were added to its vocabulary.
        whole: all its tokens.
        vocabulary: how many tokens the model knows.
        folder: where the tokenizer is.

    Raises:
        InputError: it has much fewer tokens, or more.
    """
    if LEAST_SHARE * vocabulary <= whole and ordinary <= vocabulary:
        return
    raise InputError(
        f"the tokenizer in {folder} has {whole:,} tokens, but the model knows {vocabulary:,} "
        "(vocab_size in config.json): it belongs to another model, or is not complete; copy it "
        "from where the model is published"
    )


# --- Which family a tokenizer is of ---------------------------------------------------------------


def _class_name(folder: Path) -> str:
    """Return the name of a tokenizer's class or the type of its model; "" if no file says it."""
    settings, config = read_json(folder / SETTINGS), read_json(folder / CONFIGURATION)
    generic = ("PreTrainedTokenizerFast", "TokenizersBackend", None)
    for kind in (settings.get("tokenizer_class"), config.get("tokenizer_class")):
        if kind not in generic:
            return str(kind)
    return str(config.get("model_type") or "")


def _plain(kind: str) -> str:
    kind = kind.lower().replace("-", "").replace("_", "")
    return kind.removesuffix("fast").removesuffix("tokenizer")


def _family_name(folder: Path) -> str | None:
    kind = _plain(_class_name(folder))
    kind = kind.removesuffix("sp").removesuffix("xl") if kind != "mt5" else kind
    name = next((name for name, family in FAMILIES.items() if kind in family.classes), None)
    if name == BERT and (folder / PIECES).is_file():
        return XLMR  # MiniLM is a BERT, and has the tokenizer of XLM-R
    if name == REMBERT and (folder / WORDS).is_file():
        return BERT  # as the first models of BLEURT have it
    if kind:
        return name
    # The names of some files say it.
    for name in (XLMR, T5, DEBERTA_V2):
        if (folder / FAMILIES[name].files[0]).is_file():
            return name
    return None


def read_json(file: Path) -> dict[str, Any]:
    """Return what a file of JSON says, nothing if there is none.

    Raises:
        InputError: it is no JSON.
    """
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{file} is not valid JSON: {in_short(error)}") from None
    return found if isinstance(found, dict) else {}


def _token(settings: Mapping[str, Any], name: str, default: str) -> str:
    token = settings.get(name) or default
    return str(token.get("content", default) if isinstance(token, dict) else token)


def _added(folder: Path) -> list[str]:
    """Return the tokens that a folder adds to the vocabulary, in the order of their numbers."""
    added = read_json(folder / "added_tokens.json")
    return sorted(added, key=lambda token: int(added[token]))


def _finish(backend: Any, name: str, family: Family, added: Sequence[str]) -> None:
    """Give a tokenizer its special tokens, and those around texts."""
    around = [token for token in (*family.begin.split(), *family.end.split()) if token]
    required = [*around, family.unknown, family.padding]
    lacking = [token for token in required if token and backend.token_to_id(token) is None]
    if lacking:
        raise InputError(f"the tokenizer has no token {lacking[0]}, which its kind, {name}, needs")
    special = [token for token in dict.fromkeys(required) if token]
    more = _MORE_SPECIAL.get(name)
    if more is not None:
        vocabulary = backend.get_vocab()
        special += sorted(
            (token for token in vocabulary if more.fullmatch(token)), key=vocabulary.__getitem__
        )
    backend.add_special_tokens([_special(token, name, family) for token in special])
    if family.mask and (backend.token_to_id(family.mask) is not None or name == DEBERTA_V2):
        token = family.mask
        if family.eats_space:
            normalized = name in (REMBERT, MBART50, BIGBIRD)
            token = tokenizers.AddedToken(token, lstrip=True, normalized=normalized)
        backend.add_special_tokens([token])
    backend.add_tokens([token for token in added if backend.token_to_id(token) is None])
    if not around:
        return
    if name == ROBERTA:
        # It leaves spaces out of the places of tokens.
        backend.post_processor = tokenizers.processors.RobertaProcessing(
            (family.end, backend.token_to_id(family.end)),
            (family.begin, backend.token_to_id(family.begin)),
            trim_offsets=True,
            add_prefix_space=False,
        )
        return
    text = " ".join((family.begin, "$A", family.end)).strip()
    pair = family.pair.replace("A", "$A", 1) if family.pair.startswith("A ") else family.pair
    pair = pair.replace(" A ", " $A ").replace(" B ", " $B ")
    backend.post_processor = tokenizers.processors.TemplateProcessing(
        single=text,
        pair=pair,
        special_tokens=[(token, backend.token_to_id(token)) for token in dict.fromkeys(around)],
    )


def _special(token: str, name: str, family: Family) -> Any:
    """Return a special token, which a family may look for in the normalised text."""
    if name == BYT5 and not _EXTRA.fullmatch(token):
        # It has the spaces around it.
        return tokenizers.AddedToken(token, lstrip=True, rstrip=True)
    normalized = name == BIGBIRD or (name == DEBERTA_V2 and token == family.unknown)
    return tokenizers.AddedToken(token, normalized=normalized)


# --- Words and pieces of words --------------------------------------------------------------------


def _of_words(file: Path, family: Family, settings: Mapping[str, Any]) -> Any:
    """Return the tokenizer of a BERT: a file with a token in each line."""
    lines = file.read_text("utf-8").split("\n")
    words = {
        line.rstrip("\r"): place
        for place, line in enumerate(lines)
        if line or lines[place:] != [""]
    }
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece(words, unk_token=family.unknown))
    backend.normalizer = tokenizers.normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=settings.get("tokenize_chinese_chars", True),
        strip_accents=settings.get("strip_accents"),
        lowercase=settings.get("do_lower_case", True),
    )
    backend.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    backend.decoder = tokenizers.decoders.WordPiece(prefix="##")
    return backend


def _of_merges(vocabulary: Path, merges: Path, settings: Mapping[str, Any]) -> Any:
    """Return the tokenizer of a RoBERTa or a GPT-2: bytes, and which of them are merged."""
    lines = merges.read_text("utf-8").split("\n")
    pairs = [tuple(line.split()) for line in lines if line and not line.startswith("#version")]
    numbers = json.loads(vocabulary.read_text("utf-8"))
    backend = tokenizers.Tokenizer(tokenizers.models.BPE(numbers, pairs))
    space = bool(settings.get("add_prefix_space", False))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=space)
    backend.decoder = tokenizers.decoders.ByteLevel()
    return backend


def _of_bytes(family: Family) -> Any:
    """Return the tokenizer of a ByT5: each byte is a token, behind three others."""
    # The library has a character for each byte: that of Latin-1, or if it is not printed the next
    # one behind them.
    printed = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    behind = iter(range(0x100, 0x200))
    characters = [chr(byte if byte in printed else next(behind)) for byte in range(0x100)]
    first = [family.padding, family.end, family.unknown]
    last = [f"<extra_id_{number}>" for number in range(_LEFT_OUT)]
    numbers = {token: place for place, token in enumerate([*first, *characters, *last])}
    backend = tokenizers.Tokenizer(tokenizers.models.BPE(numbers, []))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(
        add_prefix_space=False, use_regex=False
    )
    backend.decoder = tokenizers.decoders.ByteLevel()
    return backend


# --- SentencePiece --------------------------------------------------------------------------------

# The kinds of models: one that scores pieces, and one that merges them.
_SCORED, _MERGED = 1, 2
# Places of fields in the file (sentencepiece_model.proto), and a kind of piece.
_PIECE, _TRAINED, _NORMALISED, _KIND, _MAP = 1, 2, 3, 3, 2
_USER_DEFINED = 4


def read_pieces(file: Path) -> Any:
    """Return a model of SentencePiece.

    Raises:
        InputError: the file is none.
    """
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(file))
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{file} is no model of SentencePiece: {in_short(error)}; copy it from where the model "
            "is published"
        ) from None


def _fields(content: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the fields of a message of protocol buffers: number and value."""
    place = 0

    def varint() -> int:
        nonlocal place
        number = shift = 0
        while True:
            byte = content[place]
            place += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    while place < len(content):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(key & 7)
        size = varint() if size is None else size
        yield key >> 3, content[place : place + size]
        place += size


def _of_pieces(pieces: Any, name: str, family: Family, settings: Mapping[str, Any]) -> Any:
    """Return the tokenizer of a model of SentencePiece, with the numbers that a family gives."""
    count = pieces.get_piece_size()
    numbers = list(range(count))
    scored: Scored = list(zip(pieces.id_to_piece(numbers), pieces.get_score(numbers), strict=True))
    kind, changes = _SCORED, b""
    defined = []
    place = 0
    for number, value in _fields(memoryview(pieces.serialized_model_proto())):
        if number == _PIECE:
            # The kind of a piece is written last.
            if bytes(value[-2:]) == bytes([_KIND << 3, _USER_DEFINED]):
                defined.append(scored[place][0])
            place += 1
        elif number == _TRAINED:
            kind = next((one for field, one in _fields(value) if field == _KIND), _SCORED)
        elif number == _NORMALISED:
            changes = next((bytes(one) for field, one in _fields(value) if field == _MAP), b"")
    vocabulary = _OF_PIECES[name](scored, settings)
    unknown = next(place for place, (token, _) in enumerate(vocabulary) if token == family.unknown)
    models = tokenizers.models
    if kind == _SCORED:
        model = models.Unigram(vocabulary, unk_id=unknown, byte_fallback=False)
    elif kind == _MERGED:
        model = models.BPE(
            {token: place for place, (token, _) in enumerate(vocabulary)},
            _merges(vocabulary, {token: place for place, (token, _) in enumerate(scored)}),
            unk_token=family.unknown,
            fuse_unk=True,
        )
    else:
        raise InputError(
            "it is a model of SentencePiece of words or characters; expected unigram or bpe"
        )
    backend = tokenizers.Tokenizer(model)
    added = tokenizers.AddedToken
    control = [scored[number][0] for number in numbers if pieces.is_control(number)]
    backend.add_tokens([added(token, normalized=False, special=True) for token in control])
    backend.add_tokens([added(token, normalized=False) for token in defined])
    backend.normalizer = tokenizers.normalizers.Sequence(_normalizers(name, settings, changes))
    split = tokenizers.pre_tokenizers.Metaspace(SPACE, "always")
    before = []
    if name == PEGASUS:
        before = [tokenizers.pre_tokenizers.WhitespaceSplit()]
    elif name == DEBERTA_V2 and settings.get("split_by_punct"):
        before = [tokenizers.pre_tokenizers.Punctuation("isolated")]
    backend.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([*before, split])
    backend.decoder = tokenizers.decoders.Metaspace(SPACE, "always")
    return backend


def _merges(vocabulary: Scored, numbers: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return which pieces are merged, those with the best scores first."""
    merges = []
    for piece, score in dict(vocabulary).items():
        cuts = [(piece[:place], piece[place:]) for place in range(1, len(piece))]
        known = [cut for cut in cuts if cut[0] in numbers and cut[1] in numbers]
        known.sort(key=lambda cut: (numbers[cut[0]], numbers[cut[1]]))
        merges += [(score, cut) for cut in known]
    merges.sort(key=lambda merge: (merge[0], len(merge[1][0]), len(merge[1][1])), reverse=True)
    return [cut for _, cut in merges]


def _normalizers(name: str, settings: Mapping[str, Any], changes: bytes) -> list[Any]:
    """Return what is done to a text first, in the order of the family."""
    own = tokenizers.normalizers
    mapped = [own.Precompiled(changes)] if changes else []
    lowered = [own.Lowercase()] if settings.get("do_lower_case", name in (ALBERT,)) else []
    spaces = own.Replace(tokenizers.Regex(" {2,}"), " ")
    if name == DEBERTA_V2:
        return [*lowered, own.Strip(), *mapped, spaces]
    if name in (ALBERT, XLNET, REMBERT):
        quotes = [own.Replace("``", '"'), own.Replace("''", '"')]
        kept = settings.get("keep_accents", name == REMBERT)
        accents = [] if kept else [own.NFKD(), own.StripAccents()]
        if name == REMBERT:
            return [*quotes, spaces, *accents, *lowered, *mapped]
        return [*quotes, *accents, *lowered, *mapped, spaces]
    return [
        *mapped,
        own.Strip(left=False, right=True),
        own.Replace(tokenizers.Regex(" {2,}"), SPACE),
    ]


def _as_they_are(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    return scored


def _after_fairseq(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    """Fairseq put four tokens of its own before the pieces, and the mask behind them."""
    first = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    return [*first, *scored[3:], ("<mask>", 0.0)]


def _before_languages(name: str) -> Callable[[Scored, Mapping[str, Any]], Scored]:
    def numbered(scored: Scored, settings: Mapping[str, Any]) -> Scored:
        *pieces, mask = _after_fairseq(scored, settings)
        return [*pieces, *((language, 0.0) for language in _LANGUAGES_OF[name]), mask]

    return numbered


def _after_pegasus(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    """Two tokens for what is left out, and many that nothing is, are behind the first two."""
    count = int(settings.get("offset", _BEFORE_PIECES))
    masks = [(f"<mask_{number}>", 0.0) for number in (1, 2)]
    nothing = [(f"<unk_{number}>", -100.0) for number in range(2, count)]
    return [("<pad>", 0.0), ("</s>", 0.0), *masks, *nothing, *scored[2:]]


def _after_camembert(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    first = [(token, 0.0) for token in ("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>")]
    return [*first, ("<unk>NOTUSED", -100.0), *scored[1:], ("<mask>", 0.0)]


def _with_extra(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    count = int(settings.get("extra_ids", 100))
    return [*scored, *((f"<extra_id_{number}>", 0.0) for number in range(count - 1, -1, -1))]


def _without_commas(scored: Scored, settings: Mapping[str, Any]) -> Scored:
    """A digit and a comma are never one piece."""
    return [
        (piece, score - 100 if piece[-1:] == "," and piece[-2:-1].isdigit() else score)
        for piece, score in scored
    ]


# What is at each number of the vocabulary, of the families that have pieces.
_OF_PIECES: dict[str, Callable[[Scored, Mapping[str, Any]], Scored]] = {
    XLMR: _after_fairseq,
    CAMEMBERT: _after_camembert,
    T5: _with_extra,
    ALBERT: _without_commas,
    XLNET: _without_commas,
    DEBERTA_V2: _as_they_are,
    REMBERT: _as_they_are,
    MBART: _before_languages(MBART),
    MBART50: _before_languages(MBART50),
    PEGASUS: _after_pegasus,
    BIGBIRD: _as_they_are,
}
