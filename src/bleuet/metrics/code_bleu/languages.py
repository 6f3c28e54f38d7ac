"""The languages of CodeBLEU: their grammar, their keywords, and the rules of their data flow."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.metrics.code_bleu.flow_rules import (
    C_SHARP,
    GO,
    JAVA,
    JAVASCRIPT,
    PHP,
    PYTHON,
    RUBY,
    RUST,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.metrics.code_bleu.flow_rules import FlowRules


class CodeLanguage(Value):
    """A programming language.

    Args:
        grammar: the module with tree-sitter's grammar.
        flow: how variables get their values.
        keywords: the keywords with spaces between them.
    """

    grammar: str
    flow: FlowRules
    keywords: str


# The keywords are those of codebleu 0.7.0, so that weights are equal: some are names of a standard
# library, and some have gone from the language.
LANGUAGES: dict[str, CodeLanguage] = {
    "c": CodeLanguage(
        "tree_sitter_c",
        C_SHARP,
        "_Packed auto break case char const continue default do double else enum extern float for "
        "goto if int long register return short signed sizeof static struct switch typedef union "
        "unsigned void volatile while",
    ),
    "cpp": CodeLanguage(
        "tree_sitter_cpp",
        C_SHARP,
        "INT_MAX INT_MIN MAX_RAND NULL and and_eq asm auto bitand bitor bool break case catch char "
        "cin class compl const const_cast continue cout default delete do double dynamic_cast else "
        "endl enum explicit extern false float for friend goto if include inline int iomanip "
        "iostream long main mutable namespace new not not_eq npos operator or or_eq private "
        "protected public register reinterpret_cast return short signed sizeof static static_cast "
        "std string struct switch template this throw true try typedef typeid typename union "
        "unsigned using virtual void volatile wchar_t while xor xor_eq",
    ),
    "c_sharp": CodeLanguage(
        "tree_sitter_c_sharp",
        C_SHARP,
        "abstract add alias as ascending async await base bool break by byte case catch char "
        "checked class const continue decimal default delegate descending do double dynamic else "
        "enum equals event explicit extern false finally fixed float for foreach from get global "
        "goto group if implicit in int interface internal into is join let lock long nameof "
        "namespace new notnull null object on operator orderby out override params partial private "
        "protected public readonly ref remove return sbyte sealed select set short sizeof "
        "stackalloc static string struct switch this throw true try typeof uint ulong unchecked "
        "unmanaged unsafe ushort using value var virtual void volatile when where while yield",
    ),
    "go": CodeLanguage(
        "tree_sitter_go",
        GO,
        "break case chan const continue default defer else fallthrough false for func go goto if "
        "import interface map package range return select struct switch true type var",
    ),
    "java": CodeLanguage(
        "tree_sitter_java",
        JAVA,
        "abstract assert boolean break byte case catch char class const continue default do double "
        "else enum extends final finally float for goto if implements import instanceof int "
        "interface long native new package private protected public return short static strictfp "
        "super switch synchronized this throw throws transient try void volatile while",
    ),
    "javascript": CodeLanguage(
        "tree_sitter_javascript",
        JAVASCRIPT,
        "True await break case catch class const continue debugger default delete do else enum "
        "export extends false finally for function if implements import in instanceof interface "
        "let new null package private protected public return static super switch this throw try "
        "typeof var void while with yield",
    ),
    "php": CodeLanguage(
        "tree_sitter_php",
        PHP,
        "__halt_compiler abstract and array as break callable case catch class clone const "
        "continue declare default die do echo else elseif empty enddeclare endfor endforeach endif "
        "endswitch endwhile eval exit extends final for foreach function global goto if implements "
        "include include_once instanceof insteadof interface isset list namespace new or print "
        "private protected public require require_once return static switch throw trait try unset "
        "use var while xor",
    ),
    "python": CodeLanguage(
        "tree_sitter_python",
        PYTHON,
        "False None True and as assert async await break case class continue def del elif else "
        "except finally for from global if import in is lambda match nonlocal not or pass raise "
        "return try type while with yield",
    ),
    "ruby": CodeLanguage(
        "tree_sitter_ruby",
        RUBY,
        "BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined? do "
        "else elsif end ensure false for if in module next nil not or redo rescue retry return "
        "self super then true undef unless until when while yield",
    ),
    "rust": CodeLanguage(
        "tree_sitter_rust",
        RUST,
        "as async await block bool break char const continue crate default dyn else enum expr "
        "extern f32 f64 false fn for i128 i16 i32 i64 i8 ident if impl in isize item let lifetime "
        "literal loop macro_rules! match meta mod move mut pat path pub ref return self static "
        "stmt str struct super trait true tt ty type u128 u16 u32 u64 u8 union unsafe use usize "
        "vis where while yield",
    ),
}
