"""Languages: the codes of ISO 639, and what users write instead of them."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.messages import nearest, shown

# Codes of ISO 639-1, each with those of 639-2 and 639-3 for the same language, and its name.
_TABLE = """
aa/aar Afar, ab/abk Abkhazian, ae/ave Avestan, af/afr Afrikaans, ak/aka Akan, am/amh Amharic,
an/arg Aragonese, ar/ara Arabic, as/asm Assamese, av/ava Avaric, ay/aym Aymara, az/aze
Azerbaijani, ba/bak Bashkir, be/bel Belarusian, bg/bul Bulgarian, bi/bis Bislama, bm/bam
Bambara, bn/ben Bengali, bo/bod/tib Tibetan, br/bre Breton, bs/bos Bosnian, ca/cat Catalan,
ce/che Chechen, ch/cha Chamorro, co/cos Corsican, cr/cre Cree, cs/ces/cze Czech, cu/chu Church
Slavic, cv/chv Chuvash, cy/cym/wel Welsh, da/dan Danish, de/deu/ger German, dv/div Divehi,
dz/dzo Dzongkha, ee/ewe Ewe, el/ell/gre Greek, en/eng English, eo/epo Esperanto, es/spa
Spanish, et/est Estonian, eu/eus/baq Basque, fa/fas/per Persian, ff/ful Fulah, fi/fin Finnish,
fj/fij Fijian, fo/fao Faroese, fr/fra/fre French, fy/fry Western Frisian, ga/gle Irish, gd/gla
Scottish Gaelic, gl/glg Galician, gn/grn Guarani, gu/guj Gujarati, gv/glv Manx, ha/hau Hausa,
he/heb Hebrew, hi/hin Hindi, ho/hmo Hiri Motu, hr/hrv Croatian, ht/hat Haitian Creole, hu/hun
Hungarian, hy/hye/arm Armenian, hz/her Herero, ia/ina Interlingua, id/ind Indonesian, ie/ile
Interlingue, ig/ibo Igbo, ii/iii Sichuan Yi, ik/ipk Inupiaq, io/ido Ido, is/isl/ice Icelandic,
it/ita Italian, iu/iku Inuktitut, ja/jpn Japanese, jv/jav Javanese, ka/kat/geo Georgian,
kg/kon Kongo, ki/kik Kikuyu, kj/kua Kuanyama, kk/kaz Kazakh, kl/kal Kalaallisut, km/khm Khmer,
kn/kan Kannada, ko/kor Korean, kr/kau Kanuri, ks/kas Kashmiri, ku/kur Kurdish, kv/kom Komi,
kw/cor Cornish, ky/kir Kyrgyz, la/lat Latin, lb/ltz Luxembourgish, lg/lug Ganda, li/lim
Limburgish, ln/lin Lingala, lo/lao Lao, lt/lit Lithuanian, lu/lub Luba-Katanga, lv/lav
Latvian, mg/mlg Malagasy, mh/mah Marshallese, mi/mri/mao Maori, mk/mkd/mac Macedonian, ml/mal
Malayalam, mn/mon Mongolian, mr/mar Marathi, ms/msa/may Malay, mt/mlt Maltese, my/mya/bur
Burmese, na/nau Nauru, nb/nob Bokmål, nd/nde North Ndebele, ne/nep Nepali, ng/ndo Ndonga,
nl/nld/dut Dutch, nn/nno Nynorsk, no/nor Norwegian, nr/nbl South Ndebele, nv/nav Navajo,
ny/nya Chichewa, oc/oci Occitan, oj/oji Ojibwa, om/orm Oromo, or/ori Odia, os/oss Ossetian,
pa/pan Punjabi, pi/pli Pali, pl/pol Polish, ps/pus Pashto, pt/por Portuguese, qu/que Quechua,
rm/roh Romansh, rn/run Rundi, ro/ron/rum Romanian, ru/rus Russian, rw/kin Kinyarwanda, sa/san
Sanskrit, sc/srd Sardinian, sd/snd Sindhi, se/sme Northern Sami, sg/sag Sango, sh/hbs
Serbo-Croatian, si/sin Sinhala, sk/slk/slo Slovak, sl/slv Slovenian, sm/smo Samoan, sn/sna
Shona, so/som Somali, sq/sqi/alb Albanian, sr/srp Serbian, ss/ssw Swati, st/sot Southern
Sotho, su/sun Sundanese, sv/swe Swedish, sw/swa Swahili, ta/tam Tamil, te/tel Telugu, tg/tgk
Tajik, th/tha Thai, ti/tir Tigrinya, tk/tuk Turkmen, tl/tgl Tagalog, tn/tsn Tswana, to/ton
Tonga, tr/tur Turkish, ts/tso Tsonga, tt/tat Tatar, tw/twi Twi, ty/tah Tahitian, ug/uig
Uyghur, uk/ukr Ukrainian, ur/urd Urdu, uz/uzb Uzbek, ve/ven Venda, vi/vie Vietnamese, vo/vol
Volapük, wa/wln Walloon, wo/wol Wolof, xh/xho Xhosa, yi/yid Yiddish, yo/yor Yoruba, za/zha
Zhuang, zh/zho/chi Chinese, zu/zul Zulu
"""
# The name by the code of two letters.
LANGUAGES: dict[str, str] = {}
# The code of two letters by each code of three.
_TWO_LETTERS = {"cmn": "zh"}
for _entry in " ".join(_TABLE.split()).split(", "):
    _codes, _, _name = _entry.partition(" ")
    _two, *_three = _codes.split("/")
    LANGUAGES[_two] = _name
    _TWO_LETTERS.update(dict.fromkeys(_three, _two))
# Codes that were withdrawn, and still occur in the names of test sets.
_WITHDRAWN = {"in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro"}

# Languages that are written in other letters than a to z.
_OTHER_SCRIPTS = """
    ab am ar as av ba be bg bn bo ce cv dv dz el fa gu he hi hy ii iu ja ka kk km kn ko ks kv ky lo
    mk ml mn mr my ne or os pa ps ru sa sd si sr ta te tg th ti tt ug uk ur yi yue zh
"""
OTHER_SCRIPTS = frozenset(_OTHER_SCRIPTS.split())
# What users mean by other words: codes of countries, and further names.
_SPELLINGS = {
    "cn": "zh",
    "hk": "zh",
    "mandarin": "zh",
    "jp": "ja",
    "jap": "ja",
    "kp": "ko",
    "cz": "cs",
    "ua": "uk",
    "dk": "da",
    "gr": "el",
    "ge": "de or ka",
    "at": "de",
    "us": "en",
    "gb": "en",
    "mx": "es",
    "sp": "es",
    "castilian": "es",
    "vn": "vi",
    "il": "he",
    "ir": "fa",
    "farsi": "fa",
    "eg": "ar",
    "iq": "ar",
    "pk": "ur",
    "bd": "bn",
    "bangla": "bn",
    "lk": "si",
    "np": "ne",
    "ph": "tl",
    "filipino": "tl",
    "mm": "my",
    "kh": "km",
    "al": "sq",
    "rs": "sr",
    "by": "be",
    "kz": "kk",
    "po": "pl or pt",
    "du": "nl",
    "flemish": "nl",
    "tu": "tr",
    "oriya": "or",
    "pushto": "ps",
    "panjabi": "pa",
    "uighur": "ug",
    "kirghiz": "ky",
    **{name.lower(): code for code, name in LANGUAGES.items()},
}


def language_code(text: str) -> str:
    """Return the code of a language, of two letters where there is one.

    A code is one of the two letters of ISO 639-1, or any of three letters, as in FLORES. A script
    or region can follow it.

    Args:
        text: a code, such as ja, zh-TW, zho_Hans or yue_Hant; "" for no language.

    Raises:
        OptionError: there is no such language; the message suggests the code that is meant.

    >>> language_code("zh-TW"), language_code("jpn_Jpan"), language_code("yue_Hant")
    ('zh', 'ja', 'yue')
    >>> language_code("cn")
    Traceback (most recent call last):
    bleuet.errors.OptionError: there is no language 'cn' (did you mean zh?): write a code of ISO \
639, such as ja
    """
    code, *more = text.lower().replace("_", "-").split("-")
    known = not text or code in LANGUAGES or code in _WITHDRAWN or _is_of_three(code)
    if not known or not all(map(_is_subtag, more)):
        hint = nearest(text, (), _SPELLINGS) or nearest(code, (), _SPELLINGS)
        raise OptionError(
            f"there is no language {shown(text)}{hint}: write a code of ISO 639, such as ja"
        )
    return _WITHDRAWN.get(code) or _TWO_LETTERS.get(code, code)


def checked_language(value: object) -> str:
    """Return the code of a language that users pass as an option, "" for no language.

    Raises:
        ValueError: there is no such language; the message follows the option's name.
    """
    if not isinstance(value, str):
        raise ValueError(f"must be a text, not {shown(value)}")
    *_, last = value.lower().replace("_", "-").split("-")
    if last != value.lower() and last in ("zh", "ja", "ko"):  # which are no regions
        raise ValueError(f"must be the target language alone, such as {last!r}, not {value!r}")
    try:
        return language_code(value)
    except OptionError as error:
        raise ValueError(f"is unknown: {error}") from None


def _is_of_three(code: str) -> bool:
    if code in _TWO_LETTERS:
        return True
    return len(code) == 3 and code.isascii() and code.isalpha() and code not in _SPELLINGS


def _is_subtag(text: str) -> bool:
    """Return whether a text is a script, a region or a variant."""
    return 2 <= len(text) <= 8 and text.isascii() and text.isalnum()
