"""English number words as digits: "twenty-one dollars" as "$21"."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
UNITS += "fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SCALES = "thousand million billion trillion quadrillion quintillion sextillion septillion"

SMALL = {word: number for number, word in enumerate(UNITS.split())}
SMALL.update({word: number for number, word in zip(range(20, 100, 10), TENS.split(), strict=True)})
SMALL["oh"] = SMALL["o"] = 0
LARGE = {word: 1000**power for power, word in enumerate(SCALES.split(), 1)}
LARGE["hundred"] = 100

ORDINALS = {"first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight"}
ORDINALS |= {"ninth": "nine", "twelfth": "twelve"}
IRREGULAR = {*ORDINALS.values()}
for _word in (*SMALL, *LARGE):
    if _word not in IRREGULAR and _word not in ("oh", "o"):
        ORDINALS[_word.removesuffix("y") + ("ieth" if _word.endswith("y") else "th")] = _word
ENDINGS = {"1": "st", "2": "nd", "3": "rd"}
PLURALS = {
    f"{word.removesuffix('y')}ies" if word.endswith("y") else f"{word}s": word
    for word in ("ten", *TENS.split(), *LARGE)
}
SIGNS = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
CURRENCIES = {"dollar": "$", "pound": "£", "euro": "€", "cent": "¢"}
CURRENCIES |= {f"{word}s": sign for word, sign in CURRENCIES.items()}
# Numbers with more digits are written one after the other.
MOST_DIGITS = 30
REPEATED = {"double": 2, "triple": 3}
AFTER_AND = {*SMALL, *ORDINALS}
AMOUNT = re.compile(r"([$£€])?(\d+(?:\.\d+)?)")


class NumberWords:
    """Reads the numbers among the words of a text.

    Args:
        words: the words, in lower case.

    >>> NumberWords("it is two hundred and one dollars or nineteen eighty four".split()).all()
    ['it', 'is', '$201', 'or', '1984']
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._at = 0

    def all(self) -> list[str]:
        """Return the words, with digits in place of number words."""
        found = []
        while self._at < len(self._words):
            found.append(self._number() or self._taken())
        return found

    def _next(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._words[place] if place < len(self._words) else ""

    def _taken(self) -> str:
        self._at += 1
        return self._words[self._at - 1]

    def _number(self) -> str:
        """Return the number that begins here, with its sign and unit; "" for another word."""
        start, sign, currency = self._at, "", ""
        if self._next() in SIGNS and _begins_number(self._next(1)):
            sign = SIGNS[self._taken()]
        amount = AMOUNT.fullmatch(self._next())
        if amount is not None:
            self._at += 1
            currency = amount[1] or ""
            text = self._digits_and_words(amount[2])
        else:
            text = self._in_words(_Number())
        if not text:
            self._at = start
            return ""
        if text[-1].isdigit() and self._next() == "percent":
            self._at += 1
            text += "%"
        elif text[-1].isdigit() and not currency and self._next() in CURRENCIES:
            currency = CURRENCIES[self._taken()]
        return currency + sign + text

    def _digits_and_words(self, digits: str) -> str:
        """Return a number that begins with digits, such as 3.5 *million*."""
        if self._next() not in LARGE or len(digits) > MOST_DIGITS:
            return digits
        return self._in_words(_Number(float(digits) if "." in digits else int(digits)))

    def _in_words(self, number: _Number) -> str:
        """Return a number that goes on in words; "" if it has none."""
        while True:
            word = self._next()
            base = ORDINALS.get(word) or PLURALS.get(word)
            if word in SMALL:
                number.add(SMALL[word])
            elif word in LARGE:
                number.multiply(LARGE[word])
            elif base is not None:
                self._at += 1
                number.add(SMALL[base]) if base in SMALL else number.multiply(LARGE[base])
                return number.text + ("s" if word in PLURALS else _ending(number.text))
            elif word in REPEATED and SMALL.get(self._next(1), 10) < 10:
                digit = SMALL[self._next(1)]
                for _ in range(REPEATED[word] - 1):
                    number.add(digit)
            elif word == "point" and self._next(1) in SMALL:
                self._at += 1
                number.add_fraction(self._fraction(), scaled=self._next() in LARGE)
                continue
            elif not (word == "and" and number.room >= 100 and self._next(1) in AFTER_AND):
                return number.text
            self._at += 1

    def _fraction(self) -> str:
        digits = []
        while self._next() in SMALL:
            digits.append(str(SMALL[self._taken()]))
        return "".join(digits)


class _Number:
    """A number whose words come one after the other.

    Words are added where they can be parts of one number. Others are written one after the other,
    as in years and numbers of telephones.
    """

    def __init__(self, value: float | None = None) -> None:
        self._done: list[str] = []
        self._value = value
        # A word below this can be added to the value.
        self.room = 1

    @property
    def text(self) -> str:
        """The digits so far."""
        self._write_behind()
        return "".join(self._done)

    def _write_behind(self) -> None:
        if self._value is not None:
            whole = self._value == int(self._value)
            self._done.append(str(int(self._value)) if whole else f"{self._value:.12g}")
            self._value = None

    def add(self, number: int) -> None:
        """Add a number below 100, or write it behind the others."""
        if self._value is not None and 0 < number < self.room:
            self._value += number
        else:
            self._write_behind()
            self._value = number
        self.room = 10 if number >= 20 else 1

    def multiply(self, scale: int) -> None:
        """Multiply what is below the scale, as 3 of two thousand three *hundred*."""
        if self._value is not None and self._value * scale >= 10**MOST_DIGITS:
            self._write_behind()
        value = 1 if self._value is None else self._value
        part = value % (1000 if scale == 100 and value >= 1000 and value % 1000 else scale)
        self._value = value - part + part * scale if value >= scale and part else value * scale
        self.room = scale

    def add_fraction(self, digits: str, *, scaled: bool) -> None:
        """Write digits behind the decimal point.

        Args:
            digits: the digits.
            scaled: whether a word such as million follows.
        """
        text = f"{self.text}.{digits}"
        self._done, self.room = [text], 1
        if scaled and len(text) <= MOST_DIGITS // 2 and AMOUNT.fullmatch(text):
            self._done, self._value = [], float(text)


def _begins_number(word: str) -> bool:
    return word in SMALL or word in LARGE or word in ORDINALS or AMOUNT.fullmatch(word) is not None


def _ending(digits: str) -> str:
    teen = len(digits) > 1 and digits[-2] == "1"
    return "th" if teen else ENDINGS.get(digits[-1], "th")
