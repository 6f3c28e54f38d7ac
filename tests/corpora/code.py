"""Made-up code in ten languages: functions that assign, loop and branch, and broken copies of them.

A seed decides everything. Statements are drawn once and written in the syntax of each language;
`ODD` adds statements that only one language has, or that its data flow treats in a way of its own.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = (
    *("total", "count", "item", "value", "index", "result", "name"),
    *("left", "right", "data", "flag", "limit"),
)
WORDS = ["done", "no such key", "a // b", "it's", "größe", "日本", "x /* y", ""]


class Syntax(NamedTuple):
    """How a language writes statements; $ begins a variable where it needs one.

    Blocks are between `open` and `close`; Python has none.
    """

    function: str
    parameter: str
    declare: str
    assign: str
    augment: str
    increment: str
    condition: str
    otherwise: str
    otherwise_if: str
    counted: str
    over: str
    repeat: str
    give: str
    comment: str
    open: str
    close: str
    sigil: str = ""


_C_LIKE = {
    "assign": "{a} = {e};",
    "augment": "{a} += {e};",
    "increment": "{a}++;",
    "condition": "if ({c})",
    "otherwise": "else",
    "otherwise_if": "else if ({c})",
    "counted": "for (int {a} = 0; {a} < {e}; {a}++)",
    "repeat": "while ({c})",
    "give": "return {e};",
    "comment": "// {t}",
    "open": " {",
    "close": "}",
}
SYNTAX = {
    "c": Syntax(
        function="int {f}({p})",
        parameter="int {a}",
        declare="int {a} = {e};",
        over="for (int *{a} = {b}; *{a}; {a}++)",
        **_C_LIKE,
    ),
    "cpp": Syntax(
        function="auto {f}({p})",
        parameter="const int& {a}",
        declare="auto {a} = {e};",
        over="for (auto& {a} : {b})",
        **_C_LIKE,
    ),
    "c_sharp": Syntax(
        function="static int {f}({p})",
        parameter="int {a}",
        declare="var {a} = {e};",
        over="foreach (var {a} in {b})",
        **_C_LIKE,
    ),
    "java": Syntax(
        function="public int {f}({p})",
        parameter="int {a}",
        declare="int {a} = {e};",
        over="for (int {a} : {b})",
        **_C_LIKE,
    ),
    "javascript": Syntax(
        function="function {f}({p})",
        parameter="{a}",
        declare="let {a} = {e};",
        over="for (const {a} of {b})",
        **{**_C_LIKE, "counted": "for (var {a} = 0; {a} < {e}; {a}++)"},
    ),
    "php": Syntax(
        function="function {f}({p})",
        parameter="{a} = 1",
        declare="{a} = {e};",
        over="foreach ({b} as {a})",
        **{**_C_LIKE, "counted": "for ({a} = 0; {a} < {e}; {a}++)"},
        sigil="$",
    ),
    "go": Syntax(
        function="func {f}({p}) int",
        parameter="{a} int",
        declare="var {a} int = {e}",
        assign="{a} = {e}",
        augment="{a} += {e}",
        increment="{a}++",
        condition="if {c}",
        otherwise="else",
        otherwise_if="else if {c}",
        counted="for {a} := 0; {a} < {e}; {a}++",
        over="for _, {a} := range {b}",
        repeat="for {c}",
        give="return {e}",
        comment="// {t}",
        open=" {",
        close="}",
    ),
    "rust": Syntax(
        function="fn {f}({p}) -> i32",
        parameter="{a}: i32",
        declare="let mut {a} = {e};",
        assign="{a} = {e};",
        augment="{a} += {e};",
        increment="{a} += 1;",
        condition="if {c}",
        otherwise="else",
        otherwise_if="else if {c}",
        counted="for {a} in 0..{e}",
        over="for {a} in {b}.iter()",
        repeat="while {c}",
        give="return {e};",
        comment="// {t}",
        open=" {",
        close="}",
    ),
    "ruby": Syntax(
        function="def {f}({p})",
        parameter="{a}:",
        declare="{a} = {e}",
        assign="{a} = {e}",
        augment="{a} += {e}",
        increment="{a} += 1",
        condition="if {c}",
        otherwise="else",
        otherwise_if="elsif {c}",
        counted="for {a} in 0..{e}",
        over="for {a} in {b}",
        repeat="until {c}",
        give="return {e}",
        comment="# {t}",
        open="",
        close="end",
    ),
    "python": Syntax(
        function="def {f}({p})",
        parameter="{a}=1",
        declare="{a} = {e}",
        assign="{a} = {e}",
        augment="{a} += {e}",
        increment="{a} += 1",
        condition="if {c}",
        otherwise="else",
        otherwise_if="elif {c}",
        counted="for {a} in range({e})",
        over="for {a} in {b}",
        repeat="while {c}",
        give="return {e}",
        comment="# {t}",
        open=":",
        close="",
    ),
}
ODD = {
    "c": [
        "int {a}[3] = {{1, 2}};",
        "{a}->next = {b};",
        "do {{ {a}--; }} while ({a} > 0);",
        "switch ({a}) {{ case 1: {b} = 2; break; default: {b} = 3; }}",
        "++{a};",
        "#define {a} 3",
        "struct {{ int {a}; }} {b};",
        "char {a} = 'x'; /* {b} */",
    ],
    "cpp": [
        "std::vector<int> {a}{{1, 2}};",
        "{a}.push_back({b});",
        "auto {a} = [&](int {b}) {{ return {b}; }};",
        "try {{ {a} = {b}; }} catch (...) {{ {a} = 0; }}",
        'std::cout << {a} << "{b}";',
        "template <typename T> T {a}(T {b});",
        "{a} = {b} ? 1 : 2;",
    ],
    "c_sharp": [
        "int {a}, {b} = 3;",
        "{a} = {b} ?? 3;",
        "var {a} = {b}.Where({c} => {c} > 1);",
        'string {a} = $"{{{b}}} x";',
        "{a}?.Add({b});",
        "++{a};",
        "{a}--;",
        "for (int {a} = 0, {b} = 1; {a} < {b}; {a}++) {{ {c} += {a}; }}",
        "using (var {a} = {b}) {{ {c} = {a}; }}",
        "do {{ {a} = {b}; }} while ({c});",
    ],
    "java": [
        "int {a}, {b} = 3;",
        "{a} = {b} > 1 ? {c} : {a};",
        "{a}[{b}] = {c};",
        "List<String> {a} = new ArrayList<>({b});",
        "{a}.forEach({b} -> {b}.run({c}));",
        "try {{ {a} = {b}; }} catch (Exception {c}) {{ throw {c}; }}",
        "this.{a} = {b};",
        "for (int {a} = 0, {b} = 1; {a} < {b}; {a}++) {{ {c} = {a} + {b}; }}",
        "switch ({a}) {{ case 1: {b} = {c}; break; default: {b}--; }}",
        "int {a} = {a} = {b};",
        "do {{ {a} += {b}; }} while ({c} > 0);",
        "char {a} = 'q'; --{a}; /* {b} */",
    ],
    "javascript": [
        "const {{ {a}, {b} }} = {c};",
        "{a} = ({b}, {c}) => {b} + {c};",
        "var {a}, {b} = `x ${{{c}}}`;",
        "[{a}, {b}] = [{b}, {a}];",
        "function {a}({b} = {c}) {{ return {b}; }}",
        "for (var {a} = 0, {b} = 1; {a} < {b}; {a}++) {{ {c} *= {a}; }}",
        "for (const {a} in {b}) {{ {c} -= {a}; }}",
        "{a}?.{b} ?? {c};",
        "--{a};",
        "const {a} = /[/'\"]x/g;",
        "if ({a}) {b}++; else {c}--;",
    ],
    "php": [
        "foreach (${a} as ${b} => ${c}) {{ ${a}[] = ${b}; }}",
        '${a} = "x ${b} y";',
        "--${a};",
        "list(${a}, ${b}) = ${c};",
        "${a}->{b} = ${c};",
        "# {a}",
        "if (${a}) {{ ${b} = 1; }} elseif (${c}) {{ ${b} = 2; }}",
        "${a} .= 'x' . ${b};",
        "${a} = function(${b}, ${c} = 3) use (${a}) {{ return ${b}; }};",
        "echo ${a}, ${b};",
        "do {{ ${a}++; }} while (${b});",
        "?> text <?php ${a} = 1;",
    ],
    "go": [
        "{a}, {b} := {b}, {c}",
        "{a} := {b}",
        "var {a}, {b} = 1, {c}",
        "{a}--",
        "{a}, err := f({b})",
        "if {a} := {b}; {a} > 0 {{ {c} = {a} }}",
        "for {a} := range {b} {{ {c} = {a} }}",
        "for {{ {a}++ }}",
        "switch {a} {{ case 1: {b} = 2; default: {b} = {c} }}",
        "defer func() {{ {a} = {b} }}()",
        "for ; {a} < 3; {a} += {b} {{ {c} = {a} }}",
        "type {a} struct {{ {b} int }}",
    ],
    "rust": [
        "let {a} = match {b} {{ Some({c}) => {c}, None => 0 }};",
        "if let Some({a}) = {b} {{ {c} = {a}; }}",
        "while let Some({a}) = {b}.pop() {{ {c} += {a}; }}",
        "loop {{ {a} += 1; if {a} > 3 {{ break; }} }}",
        'let {a}: &\'static str = "x";',
        "let ({a}, {b}) = ({b}, {c});",
        "pub fn {a}() {{}}",
        "let {a} = |{b}| {b} + {c};",
        'println!("{{}}", {a});',
        "{a} = if {b} > 1 {{ {c} }} else {{ {a} }};",
    ],
    "ruby": [
        "{a}, {b} = {b}, {c}",
        "{a} ||= {b}",
        "unless {a} then {b} = 1 else {b} = {c} end",
        "{a} = {b} if {c}",
        "case {a} when 1 then {b} = 2 when 2, 3 then {b} = {c} else {a} = 0 end",
        "{a}.each {{ |{b}| {c} += {b} }}",
        "{a} += 1 while {b}",
        "while {a} do {b} = {a} end",
        "def {a}({b}, {c}: 3) {b} end",
        'puts "x #{{{a}}} y"',
        "{a}.{b} = {c}",
        "@{a} = :{b}",
        "{a} = [{b}, *{c}]",
        "begin; {a} = {b}; rescue => {c}; {a} = 0; end",
        "{a} = {b} ? 1 : 2",
        "*{a}, {b} = {c}",
        '{a}.{b} = "text"',
    ],
    "python": [
        "{a}, {b} = {b}, {c}",
        "{a} = [{b} for {b} in {c} if {b}]",
        "{a}: int",
        "{a}: int = {b}",
        "{a} = {{{b}: {c} for {b}, {c} in {a}.items()}}",
        "{a} = lambda {b}, {c}=1: {b} + {c}",
        "({a}, {b}), {c} = {a}",
        "with open({a}) as {b}: {c} = {b}.read()",
        "{a}.{b} = {c}.{a}",
        "{a}.{b} = 'text'",
        "{a}[{b}] = {c} = 0",
        "print(f'{{{a}}} x {{{{{b}}}}}')",
        "global {a}",
        "{a} = {b} if {c} else {a}",
        "*{a}, {b} = {c}",
        "{a} = yield {b}",
        "for {a}, {b} in zip({c}, {a}): {c} = {a} + {b}",
        "for {a} in {b}: pass\nelse: {c} = {a}",
        "'''{a}'''",
        "{a} = {b} + \\\n    {c}",
        "while {a}: {a} -= 1",
        "if ({a} := {b}) > 1: {c} = {a}",
        "{a} = '''x\n  y'''",
        "match {a}:\n    case 1: {b} = 2\n    case _: {b} = {c}",
        "{a} = {b}, = {c}",
        "del {a}; {b} = 1",
        "'{a}' '{b}'",
        "try: {a} = {b}\nexcept E as {c}: raise {c}",
    ],
}


class _Writer:
    def __init__(self, language: str, random: Random, odd: list[str]) -> None:
        self.language, self.random, self.syntax = language, random, SYNTAX[language]
        self.odd = odd

    def name(self) -> str:
        return self.syntax.sigil + self.random.choice(NAMES)

    def expression(self, depth: int = 0) -> str:
        draw = self.random.random()
        if draw < 0.35 or depth > 2:
            return self.name()
        if draw < 0.5:
            return str(self.random.randint(0, 20))
        if draw < 0.6:
            return '"' + self.random.choice(WORDS) + '"'
        inner = self.expression(depth + 1)
        if draw < 0.8:
            return f"{inner} {self.random.choice('+-*<')} {self.expression(depth + 1)}"
        if draw < 0.9:
            return f"{self.random.choice(NAMES)}({inner}, {self.expression(depth + 1)})"
        return f"({inner})" if draw < 0.95 else f"{self.name()}[{inner}]"

    def condition(self) -> str:
        return f"{self.name()} {self.random.choice(['<', '==', '>='])} {self.expression(1)}"

    def parts(self) -> dict[str, str]:
        return {
            **{key: self.name() for key in "ab"},
            "e": self.expression(),
            "c": self.condition(),
            "t": self.random.choice(WORDS),
        }

    def block(self, head: str, depth: int, *, ends: bool = True) -> list[str]:
        inside = [" " * 4 + line for line in self.body(depth + 1)]
        close = [self.syntax.close] if ends and self.syntax.close else []
        return [self.filled(head) + self.syntax.open, *inside, *close]

    def filled(self, pattern: str) -> str:
        return pattern.format(**self.parts())

    def statement(self, depth: int) -> list[str]:
        syntax, draw = self.syntax, self.random.random()
        if depth > 3 or draw < 0.5:
            simple = [syntax.declare, syntax.assign, syntax.augment, syntax.increment, syntax.give]
            return [self.filled(self.random.choice([*simple, syntax.comment, syntax.assign]))]
        if draw < 0.65:
            names = {key: self.random.choice(NAMES) for key in "abc"}
            return self.random.choice(self.odd).format(**names).split("\n")
        if draw < 0.8:
            several = self.random.randint(0, 1)
            last = self.random.random() < 0.5
            merged = self.language in ("ruby", "python")
            lines = self.block(syntax.condition, depth, ends=not (merged and (several or last)))
            heads = [syntax.otherwise_if] * several + [syntax.otherwise] * last
            for i, head in enumerate(heads):
                more = self.block(head, depth, ends=not merged or i + 1 == len(heads))
                if not merged:
                    more = [lines.pop() + " " + more[0], *more[1:]]
                lines += more
            return lines
        return self.block(self.random.choice([syntax.counted, syntax.over, syntax.repeat]), depth)

    def body(self, depth: int) -> list[str]:
        lines = []
        if depth == 1 and self.language == "python" and self.random.random() < 0.4:
            lines.append('"""' + self.random.choice(WORDS[:5]) + '"""')
        for _ in range(self.random.randint(1, 4 if depth < 3 else 2)):
            lines += self.statement(depth)
        return lines

    def function(self) -> str:
        syntax = self.syntax
        several = ", ".join(
            syntax.parameter.format(a=self.name()) for _ in range(self.random.randint(0, 3))
        )
        head = syntax.function.format(f=self.random.choice(NAMES), p=several)
        text = "\n".join(self.block(head.replace("{", "{{").replace("}", "}}"), 0))
        return f"<?php\n{text}" if self.language == "php" else text


def function(language: str, random: Random) -> str:
    """Return a function."""
    return _Writer(language, random, ODD[language]).function()


def changed(code: str, random: Random, *, times: int = 1) -> str:
    """Return code with some changes, which can break it."""
    for _ in range(times):
        code = random.choice(CHANGES)(code, random)
    return code


def _renamed(code: str, random: Random) -> str:
    return code.replace(random.choice(NAMES), random.choice([*NAMES, "fresh", "größe"]))


def _without_line(code: str, random: Random) -> str:
    lines = code.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def _line_twice(code: str, random: Random) -> str:
    lines = code.split("\n")
    place = random.randrange(len(lines))
    return "\n".join([*lines[: place + 1], *lines[place:]])


def _without_word(code: str, random: Random) -> str:
    words = code.split(" ")
    del words[random.randrange(len(words))]
    return " ".join(words)


def _without_character(code: str, random: Random) -> str:
    place = random.randrange(len(code) + 1)
    return code[:place] + code[place + 1 :]


def _cut(code: str, random: Random) -> str:
    return code[: random.randrange(len(code) + 1)]


def _lines_swapped(code: str, random: Random) -> str:
    lines = code.split("\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


CHANGES: tuple[Callable[[str, Random], str], ...] = (
    *(_renamed, _renamed, _without_line, _line_twice, _without_word, _without_character, _cut),
    _lines_swapped,
)


def pairs(language: str, seed: int, count: int) -> Iterator[tuple[str, list[str]]]:
    """Yield code and one or two references: functions, changed functions, and unrelated ones."""
    random = Random(f"{language} {seed}")
    for _ in range(count):
        reference = function(language, random)
        hypothesis = changed(reference, random, times=random.randint(0, 4))
        if random.random() < 0.1:
            hypothesis = function(language, random)
        if random.random() < 0.2:
            reference = changed(reference, random, times=2)
        references = [reference]
        if random.random() < 0.2:
            references.append(changed(reference, random, times=3))
        yield hypothesis, references
