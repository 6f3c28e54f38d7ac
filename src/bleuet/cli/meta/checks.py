"""What fits together among the arguments of `bleuet meta`, and what its words stand for."""

from __future__ import annotations

from bleuet.cli.refusals import check_threads, check_width, refuse_empty_names
from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.reading import ROLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.meta.arguments import MetaGiven


def check_what_is_judged(given: MetaGiven) -> None:
    """Refuse metrics and people that are not there, or not from one place."""
    systems = given.input or []
    refuse_empty_names((*given.references, *systems))
    if given.mt_metrics_eval is not None:
        _check_test_set(given)
        return
    for name, flag in (("human_name", "--human-name"), ("stored", "--stored")):
        if getattr(given, name) is not None:
            raise OptionError(f"{flag} belongs to --mt-metrics-eval: name the folder with that")
    if given.human is None:
        raise OptionError(
            "nothing says what people thought: name their scores or judgments with --human FILE"
        )
    if systems and not given.references:
        raise OptionError(
            f"no reference was given; write it before -i, as in bleuet meta REF -i {systems[0]}"
        )
    if given.references and not systems:
        raise OptionError("no systems were given: name a file of hypotheses for each with -i")
    if given.metrics and not systems:
        raise OptionError(
            f"-m {given.metrics[0]} needs texts: name references, and systems with -i"
        )
    if not systems and not given.scores:
        raise OptionError(
            "there is no metric to judge: name references and systems to compute some, or tables "
            "of scores with --scores NAME=FILE"
        )


def _check_test_set(given: MetaGiven) -> None:
    for name, flag in (("human", "--human"), ("input", "-i"), ("scores", "--scores")):
        if getattr(given, name) is not None:
            raise OptionError(f"{flag} and --mt-metrics-eval exclude each other: give one of them")
    if given.language_pair is None:
        raise OptionError("--mt-metrics-eval needs the language pair: add -l, as in -l en-de")


def check_numbers(given: MetaGiven) -> None:
    """Refuse a number that is out of range."""
    if given.statistic and given.level:
        raise OptionError("--statistic and --level exclude each other: every statistic has a level")
    if given.confidence is not None and not 0 < given.confidence < 1:
        raise OptionError(
            f"--confidence must be between 0 and 1, such as 0.95, not {given.confidence}"
        )
    if given.draws is not None and given.draws < 1:
        raise OptionError(f"--draws must be 1 or more, not {given.draws}; leave it out for none")
    if given.trials is not None and given.trials < 1:
        raise OptionError(f"--trials must be 1 or more, not {given.trials}")
    if given.seed < 0:
        raise OptionError(f"--seed must be 0 or more, not {given.seed}")
    check_width(given.width)
    check_threads(given.threads)


def check_owners(given: MetaGiven) -> None:
    """Refuse an option that nothing would come of."""
    intervals = given.draws is not None or given.confidence is not None
    pictures = given.picture is not None or given.scatter is not None
    for flag, value, used, owner in (
        ("--resample", given.resample, intervals, "intervals: add --confidence 0.95"),
        ("--trials", given.trials, given.test is not None, "a test: add --test"),
        ("--theme", given.theme, pictures, "pictures: add --picture or --scatter"),
    ):
        if value is not None and not used:
            raise OptionError(f"{flag} belongs to {owner}, or leave it out")


def by_name(words: Sequence[str] | None, flag: str, example: str) -> dict[str, str]:
    """Return words of the form NAME=VALUE by name.

    Raises:
        OptionError: a word is not of that form, or a name comes twice.

    >>> by_name(["comet=scores.tsv"], "--scores", "NAME=FILE")
    {'comet': 'scores.tsv'}
    """
    found: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise OptionError(f"{flag} takes {example}, not {word!r}")
        if name in found:
            raise OptionError(f"{flag} names {name} twice: give each a name of its own")
        found[name] = value
    return found


def roles_of(words: Sequence[str] | None) -> dict[str, str]:
    """Return the columns that the words of --columns name, by role.

    Raises:
        OptionError: there is no such role.
    """
    columns = by_name(words, "--columns", "ROLE=NAME, as in segment=seg_id")
    for role in columns:
        if role not in ROLES:
            raise OptionError(
                f"--columns: there is no role {role}{nearest(role, ROLES)}; "
                f"the roles are {', '.join(ROLES)}"
            )
    return columns
