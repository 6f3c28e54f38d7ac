"""Which nodes of a syntax tree give variables their values, language by language.

Each language is a table from types of nodes to rules, and `data_flow.py` is the one algorithm that
follows them. The rules are those of codebleu 0.7.0. The grammars have changed since they were
written, so some types no longer occur, and some statements of a language have no rule.
"""

from __future__ import annotations

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    FlowRules: TypeAlias = Mapping[str, "FlowRule"]


class Place(Value):
    """Where a part of a node is: a field, or a child.

    Args:
        field: the name of the field; "" for a child.
        child: the number of the child, from 0, or -1 for the last; of the children of `type` if
            there is a type.
        type: the type that the child must have; "" for any.
        of: how many children the node must have; 0 for any number.
    """

    field: str
    child: int = 0
    type: str = ""
    of: int = 0


class FlowRule(Value):
    """What a node does with variables; the node's type is the key in the table."""


class Definition(FlowRule):
    """A variable that comes from its first value, if it has one.

    Args:
        name: where the variable is.
        value: where its value is.
    """

    name: Place
    value: Place


class Assignment(FlowRule):
    """Variables that are computed from a value.

    Args:
        left: where the variables are.
        right: where the value is.
        in_pairs: whether `a, b = c, d` computes `a` from `c` and `b` from `d`.
        one_by_one: whether each variable of the value gives an edge of its own, so that one that
            occurs twice counts once.
        can_lack_value: whether a node without a value does nothing, so that its parts are not read.
        first: whether it acts before its siblings, as `for` in a comprehension does.
    """

    left: Place
    right: Place
    in_pairs: bool = False
    one_by_one: bool = True
    can_lack_value: bool = False
    first: bool = False


class Increment(FlowRule):
    """A variable that is computed from itself."""


class Branches(FlowRule):
    """Parts of which one is executed, such as those of `if` and `else`.

    Args:
        alternatives: types of children that begin with the values from before the statement.
        from_first_on: whether all children after the first alternative are alternatives, too.
        keeps_values: whether values from before the statement are always possible after it;
            otherwise only if no type of a child has "else" in it.
    """

    alternatives: tuple[str, ...]
    from_first_on: bool = True
    keeps_values: bool = False


class CountingLoop(FlowRule):
    """A loop whose parts after its head are executed twice.

    Args:
        head: the type of the child after which parts are repeated.
        update: the field of the head that is executed before they are.
    """

    head: str
    update: str = ""


class ConditionLoop(FlowRule):
    """A loop whose parts are all executed twice."""


class LoopOver(FlowRule):
    """A loop whose variables are computed from a collection; everything is executed twice.

    Args:
        assignment: variables and collection.
        body: where the body is.
        can_lack_body: whether a node without a body is a loop.
    """

    assignment: Assignment
    body: Place
    can_lack_body: bool = False


def _table(*rules: tuple[FlowRule, str]) -> FlowRules:
    return {one: rule for rule, types in rules for one in types.split()}


NAME, VALUE, LEFT, RIGHT = Place("name"), Place("value"), Place("left"), Place("right")
BODY = Place("body")
FIRST, LAST = Place("", 0), Place("", -1)
WHOLE, TWICE = Assignment(LEFT, RIGHT), ConditionLoop()
IN_PAIRS = Assignment(LEFT, RIGHT, in_pairs=True, one_by_one=False)

PYTHON = _table(
    (Definition(NAME, VALUE), "default_parameter"),
    (IN_PAIRS.replace(can_lack_value=True), "assignment augmented_assignment"),
    (Assignment(LEFT, LAST, one_by_one=False, first=True), "for_in_clause"),
    (Branches(("elif_clause", "else_clause"), from_first_on=False), "if_statement"),
    (LoopOver(IN_PAIRS, LAST.replace(type="block"), can_lack_body=True), "for_statement"),
    (TWICE, "while_statement"),
)
JAVA = _table(
    (Definition(NAME, VALUE), "variable_declarator"),
    (WHOLE, "assignment_expression"),
    (Increment(), "update_expression"),
    (Branches(("if_statement", "else")), "if_statement"),
    (CountingLoop("local_variable_declaration"), "for_statement"),
    (LoopOver(Assignment(NAME, VALUE), BODY), "enhanced_for_statement"),
    (TWICE, "while_statement"),
)
# For C and C++, too. The grammars of these have other types for declarations and increments.
C_SHARP = _table(
    (Definition(FIRST, Place("", 1, of=2)), "variable_declarator"),
    (WHOLE, "assignment_expression"),
    (Increment(), "postfix_unary_expression"),
    (Branches(("if_statement", "else")), "if_statement"),
    (CountingLoop("local_variable_declaration"), "for_statement"),
    (LoopOver(WHOLE, BODY), "for_each_statement"),
    (TWICE, "while_statement"),
)
JAVASCRIPT = _table(
    (Definition(NAME, VALUE), "variable_declarator"),
    (WHOLE, "assignment_pattern augmented_assignment_expression"),
    (Increment(), "update_expression"),
    (Branches(("if_statement", "else"), keeps_values=True), "if_statement"),
    (CountingLoop("variable_declaration"), "for_statement"),
    (TWICE, "while_statement"),
)
GO = _table(
    (Definition(NAME, VALUE), "var_spec"),
    (WHOLE, "assignment_statement"),
    (Increment(), "inc_statement"),
    (Branches(("if_statement", "else"), keeps_values=True), "if_statement"),
    (CountingLoop("for_clause", update="update"), "for_statement"),
)
PHP = _table(
    (Definition(NAME, Place("default_value")), "simple_parameter"),
    (WHOLE, "assignment_expression augmented_assignment_expression"),
    (Increment(), "update_expression"),
    (
        Branches(("if_statement", "else_clause"), keeps_values=True),
        "if_statement else_clause",
    ),
    (CountingLoop("assignment_expression"), "for_statement"),
    (
        LoopOver(
            Assignment(Place("", 1, "variable_name"), Place("", 0, "variable_name")),
            BODY,
        ),
        "foreach_statement",
    ),
    (TWICE, "while_statement"),
)
_RUBY_BRANCHES = "if elsif else unless when"
RUBY = _table(
    (Definition(NAME, VALUE), "keyword_parameter"),
    (IN_PAIRS, "assignment"),
    (Assignment(FIRST, LAST, one_by_one=False), "operator_assignment"),
    (Branches((*_RUBY_BRANCHES.split(),), from_first_on=False), _RUBY_BRANCHES),
    (LoopOver(Assignment(Place("pattern"), VALUE, one_by_one=False), BODY), "for"),
    (TWICE, "while_modifier until"),
)
_RUST_BRANCHES = "if_expression if_let_expression match_expression"
RUST = _table(
    (Definition(Place("", 1), Place("", 2)), "function_item"),
    (WHOLE, "assignment_expression compound_assignment_expr let_expression"),
    (Branches((*_RUST_BRANCHES.split(), "else")), _RUST_BRANCHES),
    (CountingLoop("local_variable_declaration"), "for_expression"),
    (LoopOver(WHOLE, BODY), "for_each_statement"),
    (TWICE, "while_expression while_let_expression loop_expression"),
)
