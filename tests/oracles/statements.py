"""The statements that a guide makes about other programs: its sentences, and the rows of tables."""

from __future__ import annotations

import re

# Blocks of code, which the tests of examples run, tables that the declarations of options give, and
# pictures and signatures, which tests compare with the product.
LEFT_OUT = re.compile(
    r"(?s)^ *```.*?^ *```|<!-- bleuet .*?<!-- end -->|^#+ [^\n]*|^!\[[^\n]*|^\| signature \|[^\n]*",
    re.MULTILINE,
)
# Where links to the former sections of the guide end.
ANCHOR = re.compile(r"<a id=[^>]*></a>")
# A paragraph that is all in italics names papers.
PAPERS = re.compile(r"(?s)\*[^*].*\*")
# Names that begin with a small letter begin sentences too.
SMALL = "bleuet|sacreBLEU|torchmetrics|jiwer|mteval|evaluate|rouge-score|compare-mt|gec-metrics"
END_OF_SENTENCE = re.compile(
    rf'(?:(?<=[.!?])|(?<=[.!?]\*\*))\s+(?=[A-Z`*\[("]|(?:{SMALL})\b)',
)
NO_END = re.compile(r"(?:et al|such as|\be\.g|\bcf)\.$")
ITEM = re.compile(r"\n(?=\s*(?:- |\d\. ))")
PROGRAMS = re.compile(
    r"sacreBLEU|NLTK|torchmetrics|Hugging Face|evaluate(?:'s|\b(?! the))|jiwer|rapidfuzz"
    r"|rouge[_-]score|ROUGE-1\.5\.5|Perl|pycocoeval|METEOR 1\.5|METEOR's"
    r"|METEOR (?:takes|ignores|compares|without)|mteval|NIST's (?:script|mteval)|Moses|MultEval"
    r"|compare-mt|codebleu 0|errant_|ERRANT 3|gec-metrics|cer 1\.|cer stops|calculate_cer|charcut"
    r"|hLepor|flexeval|EASSE|fast-bleu|crystalbleu|SQuAD's|(?:evaluation|the|'s) script\b|tercom"
    r"|chrF\+\+\.py|MaxMatch|OpenAI|gleu 1|compute_gleu|tensorflow|Whisper|PyStemmer|Snowball"
    r"|[Oo]ther tools|tools? that|authors'|[Pp]rograms?\b"
)


def one_line(text: str) -> str:
    return " ".join(text.split())


def sentences(paragraph: str) -> list[str]:
    found: list[str] = []
    for part in END_OF_SENTENCE.split(one_line(paragraph)):
        if found and NO_END.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def statements(guide: str) -> list[str]:
    """Return the sentences and rows of tables that name another program.

    The rows of a table whose first line names a program are all about programs.
    """
    found = []
    for block in re.split(r"\n\s*\n", LEFT_OUT.sub("\n\n", ANCHOR.sub("", guide))):
        lines = [one_line(line) for line in block.strip().split("\n")]
        if lines[0].startswith("|"):
            head, _, *rows = lines
            found += [row for row in rows if PROGRAMS.search(head) or PROGRAMS.search(row)]
        elif not PAPERS.fullmatch(block.strip()):
            every = [one for item in ITEM.split(block.strip()) for one in sentences(item)]
            found += [one.removeprefix("- ") for one in every if PROGRAMS.search(one)]
    return found
