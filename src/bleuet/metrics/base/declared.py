"""What follows from the options that a class declares: constructor, copies, signature."""

from __future__ import annotations

from bleuet.errors import BleuetError, InputTypeError, OptionError, SignatureError
from bleuet.frozen import Frozen, cached_property
from bleuet.messages import nearest, shown, wrong_type
from bleuet.metrics.base.option import ConstructorSignature, Option, documented, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    from bleuet.metrics.base.signature import ParsedSignature, Signature

    T = TypeVar("T", bound="Declared")
else:

    def dataclass_transform(**_):
        """Stands for the decorator of `typing`, which is for type checkers only."""
        return lambda cls: cls


# What users mean by names that options of several metrics do not have, as other programs do.
SPELLINGS = {
    "lc": "lowercase",
    "case": "lowercase",
    "tok": "tokenize",
    "tokenizer": "tokenize",
    "worder": "word_order",
    "corder": "char_order",
}


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Declared(Frozen):
    """A frozen value that its options describe: equal options make equal values.

    Args:
        **chosen: the options that differ from their defaults.

    Raises:
        OptionError: there is no such option, or it does not accept the value.
    """

    # What the class and its bases declare, in order; an option that is declared again keeps its
    # place.
    declared: ClassVar[dict[str, Option]] = {}
    # The options that are kept.
    options: ClassVar[tuple[Option, ...]] = ()
    # All of them; an option comes after the one that it follows.
    _arguments: ClassVar[tuple[Option, ...]] = ()
    short_keys: ClassVar[dict[str, str]] = {}
    # Whether sacreBLEU has the metric; `in_sacrebleu` of an option is whether sacreBLEU has it.
    in_sacrebleu: ClassVar[bool] = False
    _init_only: ClassVar[tuple[str, ...]] = ()
    # How the hypotheses were cut before they are scored, as `bleuet align` prints it; "" if not.
    align: ClassVar[str] = ""

    if not TYPE_CHECKING:
        __signature__ = ConstructorSignature()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Option)}
        inherited: dict[str, Option] = {}
        for base in reversed(cls.__bases__):
            inherited.update(getattr(base, "declared", {}))
        cls.declared = _in_order({**inherited, **own})
        declared = cls.declared.values()
        cls.options = tuple([one for one in declared if not one.init_only])
        cls._arguments = tuple(sorted(declared, key=_follows))
        cls._init_only = tuple([one.name for one in declared if one.init_only])
        cls._fields = tuple([one.name for one in cls.options])
        cls.short_keys = {one.key: one.short_key for one in cls.options if one.short_key}
        if cls.__doc__ and declared:
            cls.__doc__ = documented(cls.__doc__, declared)

    def __init__(self, *unnamed: Any, **chosen: Any) -> None:
        if unnamed:
            raise self._needs_names(unnamed)
        values = self.__dict__
        for one in self._arguments:
            name = one.name
            if name in chosen:
                value = chosen.pop(name)
                if value is not None or one.default_for is None:
                    values[name] = one.checked(value, type(self).__name__)
                    continue
            values[name] = one.default_with(values)
        if chosen:
            self.option_named(next(iter(chosen)))
        for name in self._init_only:
            del values[name]
        values.update(self.decided_options())
        self.check_options()

    @classmethod
    def _needs_names(cls, unnamed: tuple[Any, ...]) -> InputTypeError:
        """Return the error for values without the names of options, with the call that is meant."""
        kind, first = cls.__name__, unnamed[0]
        named = f"{cls.options[0].name}={cls.options[0].default!r}" if cls.options else ""
        for one in cls.options if isinstance(first, str) else ():
            for choice in one.choices:
                if choice.lower() == first.lower():
                    return InputTypeError(
                        f"{kind} takes its options by name: {kind}({one.name}={choice!r})"
                    )
        return InputTypeError(
            f"{kind} takes its options by name, as in {kind}({named}), not {shown(first)}"
        )

    def _values(self) -> tuple[Any, ...]:
        return (*super()._values(), self.align)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.option_values(), self.align)

    # --- Options ----------------------------------------------------------------------------------

    def decided_options(self) -> dict[str, Any]:
        """Return the options whose value another option decides, whatever was passed for them.

        Called while the metric is made, before `check_options`.
        """
        return {}

    def check_options(self) -> None:
        """Reject options that do not go together; called when all have their values.

        Raises:
            OptionError: two options do not go together; see `rejected`.
        """

    def rejected(self, name: str, reason: str) -> OptionError:
        """Return the error to raise for an option's value.

        Args:
            name: the option.
            reason: what follows the option's name, such as "must be ..., not ...".
        """
        kind = type(self).__name__
        return OptionError(reason, metric=kind, option=name, value=getattr(self, name))

    @classmethod
    def option_named(cls, name: str) -> Option:
        """Return an option by its name.

        Raises:
            OptionError: no option has that name; the message suggests the nearest name.
        """
        for one in cls.options if isinstance(name, str) else ():
            if one.name == name:
                return one
        names = cls._fields
        wanted = name if isinstance(name, str) else shown(name)
        # Users know an option by its key in a signature too.
        keys = {key: one.name for one in cls.options for key in (one.key, one.short_key) if key}
        meant = {word: option for word, option in SPELLINGS.items() if option in names}
        hint = nearest(wanted, names, {**meant, **keys})
        raise OptionError(
            f"is not an option{hint}; the options are {', '.join(names)}",
            metric=cls.__name__,
            option=wanted,
        )

    def option_values(self) -> dict[str, Any]:
        """Return the value of every option by its name.

        >>> from bleuet.metrics.chrf.metric import CHRF
        >>> CHRF(word_order=2).option_values()["word_order"]
        2
        """
        return {name: getattr(self, name) for name in self._fields}

    def is_default(self, one: Option) -> bool:
        """Return whether an option has its default, the other options being as they are."""
        same: bool = getattr(self, one.name) == self._default(one)
        return same

    def _default(self, one: Option) -> Any:
        # What only the constructor has is not kept, so that what follows it has the usual default.
        kept = not one.follows or one.follows in self.__dict__
        return one.default_with(self.__dict__) if kept else one.default

    def with_options(self, **options: Any) -> Self:
        """Return the same metric with some options changed.

        An option whose default follows from a changed one gets the new default, unless its
        value is not the old default.

        Raises:
            OptionError: there is no such option, or it does not accept the value.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> BLEU(smooth="add-k", smooth_value=2).with_options(smooth="floor").smooth_value
        0.1
        """
        changed = {n for n, v in options.items() if getattr(self, self.option_named(n).name) != v}
        values = {
            one.name: getattr(self, one.name)
            for one in self.options
            if one.follows not in changed or (one.carried and not self.is_default(one))
        }
        return _rebuild(type(self), {**values, **options}, self.align)

    def with_align(self, align: str) -> Self:
        """Return the same metric for hypotheses that were cut into the segments of the references.

        Only the signature shows it. Metrics whose texts were cut in other ways are not equal.

        Args:
            align: how they were cut, as `align` of a re-segmentation has it, such as "none-lc".

        Raises:
            OptionError: it cannot be part of a signature.

        >>> from bleuet.metrics.ter.metric import TER
        >>> print(TER().with_align("char-lc").signature())  # doctest: +ELLIPSIS
        nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|align:char-lc|version:...
        """
        if not isinstance(align, str):
            raise wrong_type("align", "a string", align)
        if not align.isprintable() or "|" in align:
            raise OptionError(f"align is {shown(align)}; expected a value such as none-lc")
        return _rebuild(type(self), self.option_values(), align)

    def labelled(self, usual: Mapping[str, Any] | None = None) -> str:
        """Return the name, and the options that the name does not have.

        Args:
            usual: options with these values are left out, too.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> from bleuet.metrics.chrf.metric import CHRF
        >>> BLEU(tokenize="intl", lowercase=True).labelled(), CHRF(word_order=2).labelled()
        ('BLEU lowercase tokenize=intl', 'chrF2++')
        """
        left_out = {**(usual or {})}
        words = [self.name]
        for one in self.options:
            value = getattr(self, one.name)
            same = self.is_default(one) or (one.name in left_out and left_out[one.name] == value)
            if not (same or self._names(one)):
                words.append(one.name if value is True else f"{one.name}={value}")
        return " ".join(words)

    def _names(self, one: Option) -> bool:
        """Return whether the name has the value of an option."""
        try:
            other = self.with_options(**{one.name: one.default})
        except BleuetError:  # an option that the others need
            return False
        return other.name != self.name

    # --- Signature --------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The printed name; the name of the class, unless the metric has another."""
        return type(self).__name__

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature of its scores.

        Args:
            n_references: references per segment, or None where segments differ.
        """
        if not (n_references is None or type(n_references) is int):
            raise wrong_type("n_references", "a whole number or None", n_references)
        made = self._signatures.get(n_references)
        if made is None:
            made = self._signatures[n_references] = self._make_signature(n_references)
        return made

    @cached_property
    def _signatures(self) -> dict[int | None, Signature]:
        """Signatures by number of references; the scores of many segments ask for the same one."""
        return {}

    def _make_signature(self, n_references: int | None) -> Signature:
        from bleuet.metrics.base.signature import (
            ALIGN_KEY,
            Signature,
            number_of_references,
            version_of,
        )

        pairs = [("nrefs", number_of_references(n_references))]
        for one in self.options:
            if one.key and (one.sign_default or not self.is_default(one)):
                pairs.append((one.key, self._sign(one)))
        if self.align:
            pairs.append((ALIGN_KEY, self.align))
        pairs.append(("version", version_of(self._is_sacrebleus())))
        return Signature(self.name, pairs, self.short_keys)

    def _sign(self, one: Option) -> str:
        """Return an option's value for the signature; a metric overrides the odd case."""
        return one.sign(getattr(self, one.name))

    @classmethod
    def _unsign(cls, one: Option, text: str) -> dict[str, Any]:
        """Return the options that `_sign` spelled, or raise `ValueError` with a reason."""
        return {one.name: one.unsign(text)}

    def _is_sacrebleus(self) -> bool:
        """Return whether sacreBLEU has this configuration; a metric adds the odd case."""
        return self.in_sacrebleu and all(
            one.in_sacrebleu or self.is_default(one) for one in self.options
        )

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> Self:
        """Return the metric that a signature describes, and take the keys that it reads.

        Raises:
            SignatureError: a key is missing, or a value is unknown.
        """
        options: dict[str, Any] = {}
        for one in cls.options:
            text = parsed.take(one.key, optional=not one.sign_default) if one.key else None
            if text is None:
                continue
            try:
                options.update(cls._unsign(one, text))
            except SignatureError:
                raise
            except ValueError as error:
                raise SignatureError(f"the signature's {one.key} {error}") from None
        try:
            return cls(**options)
        except OptionError as error:
            raise SignatureError(f"this {cls.__name__} signature cannot be read: {error}") from None


def _in_order(declared: dict[str, Option]) -> dict[str, Option]:
    """Return options in order: one that stands before another is moved there."""
    names = list(declared)
    for name, one in declared.items():
        if one.before:
            names.remove(name)
            names.insert(names.index(one.before), name)
    return {name: declared[name] for name in names}


def _follows(one: Option) -> bool:
    return one.follows != ""


def _rebuild(kind: type[T], options: dict[str, Any], align: str) -> T:
    made = kind(**options)
    if align:
        made.__dict__["align"] = align
    return made
