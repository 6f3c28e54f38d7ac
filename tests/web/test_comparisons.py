"""Files are uploaded, compared in a process that can be stopped, and removed at the end."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest

from bleuet.cli.main import main
from bleuet.comparison import compare
from bleuet.comparison.comparison import ALL
from bleuet.engines import counting
from bleuet.output.rendering import FORMATS
from bleuet.web import comparing, comparisons
from bleuet.web.application import make_application
from bleuet.web.comparison_files import PAGE, REPORT, RESULTS
from bleuet.web.comparisons import MAX_COMPARISONS, Comparisons
from bleuet.web.workers import Workers
from tests.evaluation_data import REPOSITORY
from tests.patience import PATIENCE, wait_until
from tests.report.page_contents import read_page
from tests.web.conftest import start
from tests.web.test_server import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
EXAMPLES = REPOSITORY / "examples"
API = "/api/v1/comparisons"


def put(address: str, known: str, role: str, name: str, content: bytes, column: str = "") -> int:
    path = f"{API}/{known}/{role}?name={quote(name)}&column={quote(column)}"
    return ask(address, path, content, "PUT", content_type="application/octet-stream")[0]


def begin(address: str) -> str:
    status, _, body = ask(address, API, b"", "POST")
    assert status == 200
    known: str = json.loads(body)["id"]
    return known


@pytest.fixture
def known(address: str) -> Iterator[str]:
    """A comparison of the running server."""
    found = begin(address)
    yield found
    ask(address, f"{API}/{found}", method="DELETE")


def finished(address: str, known: str) -> dict[str, Any]:
    def now() -> dict[str, Any]:
        state: dict[str, Any] = json.loads(ask(address, f"{API}/{known}")[2])
        return state

    wait_until(lambda: now()["state"] != "running")
    return now()


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def test_uploaded_files_are_compared_as_the_library_does(address: str, known: str) -> None:
    reference = gzip.compress((EXAMPLES / "reference-1.txt").read_bytes())
    assert put(address, known, "references", "ref.txt.gz", reference) == 200
    other = (EXAMPLES / "reference-2.txt").read_bytes()
    assert put(address, known, "references", "other.txt", other) == 200
    sources = "".join(f"{line}\n" for line in lines("reference-2.txt")[::-1])
    assert put(address, known, "sources", "source.txt", sources.encode()) == 200
    table = "".join(json.dumps({"out": line}) + "\n" for line in lines("system-a.txt"))
    assert put(address, known, "systems", "a.jsonl", table.encode(), "out") == 200
    b = (EXAMPLES / "system-b.txt").read_bytes()
    assert put(address, known, "systems", "b.de", b) == 200
    assert put(address, known, "systems", "b.de", b) == 400  # the same name
    assert ask(address, f"{API}/{known}/json")[0] == 404
    assert ask(address, f"{API}/{known}/texts", {"segments": [1]})[0] == 404
    metrics: list[Any] = ["chrf", {"name": "bleu", "options": {"lowercase": True}}, "sari"]
    assert ask(address, f"{API}/{known}/start", metrics)[0] == 200
    found = finished(address, known)
    assert (found["state"], found["share"]) == ("done", 1.0), found
    systems = {"a.jsonl": lines("system-a.txt"), "b.de": lines("system-b.txt")}
    references = list(zip(lines("reference-1.txt"), lines("reference-2.txt"), strict=True))
    expected = compare(
        systems,
        references,
        ["chrf", "bleu:lowercase", "sari"],
        sources=sources.splitlines(),
    )
    expected = expected.tested().show(ALL)
    for name in FORMATS:
        status, headers, body = ask(address, f"{API}/{known}/{name}")
        assert (status, body.decode()) == (200, expected.render(name))
        assert headers["content-type"] == f"{FORMATS[name].media_type}; charset=utf-8"
        assert f'filename="comparison{FORMATS[name].ending}"' in headers["content-disposition"]
    status, headers, body = ask(address, f"{API}/{known}/page")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert "script-src" not in headers["content-security-policy"]
    assert b"script-src 'sha256-" in body
    assert b"connect-src 'self'" in body
    status, headers, report = ask(address, f"{API}/{known}/report")
    assert status == 200
    assert "script-src" not in headers["content-security-policy"]
    assert b"connect-src" not in report
    held = read_page(report.decode())["hypotheses"][1]
    assert [one if isinstance(one, str) else one[0] for one in held] == lines("system-b.txt")
    status, _, body = ask(address, f"{API}/{known}/texts", {"segments": [4, 5]})
    assert (status, [one["segment"] for one in json.loads(body)["segments"]]) == (200, [4, 5])
    status, headers, body = ask(address, f"{API}/{known}/numbers")
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    assert len(body) > 8 * len(lines("reference-1.txt"))
    assert ask(address, f"{API}/{known}/search", {"query": "a", "shown": [2]})[0] == 400
    assert ask(address, f"{API}/{known}/start", ["chrf"])[0] == 400
    assert ask(address, f"{API}/{known}", method="DELETE")[0] == 200
    assert ask(address, f"{API}/{known}")[0] == 404


def test_every_result_has_its_own_media_type() -> None:
    assert len({one.media_type for one in FORMATS.values()}) == len(FORMATS)
    html = {name for name, one in RESULTS.items() if one.media_type == "text/html"}
    assert html == {PAGE, REPORT, "html"}


def test_a_page_is_not_there_before_the_comparison_is_done(address: str, known: str) -> None:
    for name in (PAGE, "json"):
        status, _, body = ask(address, f"{API}/{known}/{name}")
        assert (status, json.loads(body)["detail"]) == (404, f"there is no {name} yet")


def test_each_batch_that_is_counted_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(counting, "BATCH", 2)
    paths = [str(EXAMPLES / name) for name in ("reference-1.txt", "system-a.txt", "system-b.txt")]
    files = [{"name": Path(one).name, "path": one, "column": "", "reading": {}} for one in paths]
    job = {
        "references": files[:1], "systems": files[1:], "sources": files[:1],
        "metrics": ["bleu", "ter"],
    }  # fmt: skip
    (tmp_path / "job.json").write_text(json.dumps(job), encoding="utf-8")
    comparing.work(tmp_path)
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    total = len(lines("reference-1.txt"))
    steps = [f"counting the segments: {min(n, total)} of {total}" for n in range(2, total + 2, 2)]
    assert [one["step"] for one in said[2 : 2 + len(steps)]] == steps
    following = [one["step"] for one in said[2 + len(steps) : -1]]
    assert following == list(comparing.STEPS[2:])
    shares = [one["share"] for one in said[:-1]]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] < 1
    assert said[-1] == {"done": True}


@pytest.mark.parametrize(
    ("files", "metrics", "said"),
    [
        ([("references", "r.txt", b"a\nb\n")], ["bleu"], "needs a file of references and"),
        (
            [("references", "r.txt", b"a\nb\n"), ("systems", "s.txt", b"a\n")],
            ["bleu"],
            "s.txt",
        ),
        (
            [("references", "r.tsv.gz", b"no gzip"), ("systems", "s.txt", b"a\n")],
            ["bleu"],
            "r.tsv.gz",
        ),
        ([("references", "r.txt", b"a\n"), ("systems", "s.txt", b"\xff\n")], ["bleu"], "UTF-8"),
        (
            [
                ("references", "r.txt", b"a\n"),
                ("systems", "s.txt", b"a\n"),
                ("sources", "o.txt", b"a\nb\n"),
            ],
            ["bleu"],
            "o.txt",
        ),
        ([("references", "r.txt", b"a\n"), ("systems", "s.txt", b"a\n")], ["nothing"], "no metric"),
        (
            [("references", "r.txt", b"a\n"), ("systems", "s.txt", b"a\n")],
            ["bleu:tokenize=spm:/etc/passwd"],
            "cannot name a file",
        ),
    ],
)
def test_what_cannot_be_compared_is_said(
    address: str, known: str, files: list[tuple[str, str, bytes]], metrics: list[str], said: str
) -> None:
    for role, name, content in files:
        assert put(address, known, role, name, content) == 200
    status, _, body = ask(address, f"{API}/{known}/start", metrics)
    found = json.loads(body)["detail"] if status != 200 else finished(address, known)["error"]
    assert said in found
    # No place on the disk of the server is told.
    assert "/tmp" not in found
    assert ask(address, f"{API}/{known}/../../{known}/page")[0] == 404


def test_names_of_files_are_never_places_on_the_disk(address: str, known: str) -> None:
    for name in ("../../evil.txt", "/etc/passwd", "a\u0000b", "x" * 255, "\u202e.txt"):
        assert put(address, known, "systems", name, b"a\n") == 200
    assert put(address, known, "systems", "x" * 256, b"a\n") == 422
    assert put(address, known, "other", "a.txt", b"a\n") == 404
    assert put(address, "nothing", "systems", "a.txt", b"a\n") == 404
    assert not Path("evil.txt").exists()
    assert ask(address, f"{API}/{known}", method="DELETE")[0] == 200


def test_a_comparison_can_be_stopped_and_none_is_removed_unasked() -> None:
    server, address = start()
    try:
        known = begin(address)
        text = "".join(f"word{n % 97} and word{n % 89} or more\n" for n in range(60_000)).encode()
        for role in ("references", "systems"):
            assert put(address, known, role, "a.txt", text) == 200
        assert ask(address, f"{API}/{known}/start", ["bleu"])[0] == 200
        assert ask(address, f"{API}/{known}", method="DELETE")[0] == 200
        kept = [begin(address) for _ in range(MAX_COMPARISONS)]
        status, _, body = ask(address, API, b"", "POST")
        assert (status, json.loads(body)["title"]) == (409, "The server keeps as much as it may")
        assert f"keeps {MAX_COMPARISONS} comparisons" in json.loads(body)["detail"]
        assert [one["id"] for one in json.loads(ask(address, API)[2])] == kept
        assert ask(address, f"{API}/{kept[3]}", method="DELETE")[0] == 200
        assert begin(address)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def upload_part(address: str, known: str, sent: int, size: int) -> socket.socket:
    """Begin to upload a file, and return the connection."""
    parts = urlsplit(address)
    raw = socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE)
    raw.sendall(
        f"PUT {API}/{known}/systems?name=a.txt HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Content-Length: {size}\r\n\r\n".encode()
        + b"a" * sent
    )
    return raw


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_upload_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    server, address = start(folder=tmp_path)
    try:
        known = begin(address)
        with upload_part(address, known, 100_000, 200_000):
            wait_until(lambda: files_below(tmp_path))
            assert ask(address, f"{API}/{known}/start", ["bleu"])[0] == 400
        wait_until(lambda: not files_below(tmp_path))
        # Neither does one that is rejected.
        assert put(address, known, "systems", "a.txt", b"a\n") == 200
        assert put(address, known, "systems", "a.txt", b"a\n") == 400
        assert len(files_below(tmp_path)) == 1
        # A comparison that is removed meanwhile takes no more.
        with upload_part(address, known, 100_000, 10**9) as raw:
            wait_until(lambda: len(files_below(tmp_path)) == 2)
            assert ask(address, f"{API}/{known}", method="DELETE")[0] == 200
            raw.sendall(b"a" * 100_000)
            assert raw.recv(1000).startswith(b"HTTP/1.1 404")
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.mark.usefixtures("no_running_loop")
def test_uploads_at_once_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "MAX_UPLOADED_BYTES", 100)
    kept, workers = Comparisons(), Workers(1)
    application = make_application(frozenset({"a"}), kept, workers)

    async def uploaded(known: str, name: str) -> int:
        chunks = [b"a" * 10] * 6
        statuses: list[int] = []

        async def receive() -> Any:
            await asyncio.sleep(0)
            return {
                "type": "http.request",
                "body": chunks.pop(),
                "more_body": bool(chunks),
            }

        async def send(message: Any) -> None:
            statuses.append(message.get("status", 0))

        path = f"{API}/{known}/systems"
        scope = {"type": "http", "method": "PUT", "path": path, "headers": [(b"host", b"a")]}
        query = f"name={name}".encode()
        await application({**scope, "query_string": query, "http_version": "1.1"}, receive, send)
        return statuses[0]

    async def all_uploaded() -> list[int]:
        return await asyncio.gather(*(uploaded(found.id, f"{n}.txt") for n in range(4)))

    try:
        found = kept.begin()
        statuses = asyncio.run(all_uploaded())
        assert sorted(set(statuses)) in ([200, 409], [409])
        assert found.uploaded_bytes == 60 * statuses.count(200)
        assert sum(path.stat().st_size for path in found.folder.iterdir()) == found.uploaded_bytes
        assert asyncio.run(uploaded(found.id, "b.txt")) == (409 if 200 in statuses else 200)
    finally:
        kept.end()
        workers.end()


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
    ],
)
def test_all_files_go_with_the_server(number: signal.Signals, tmp_path: Path) -> None:
    # What ran these tests may ignore the signal, as nohup does, and a server would inherit that.
    inherited = signal.signal(number, signal.SIG_DFL)
    try:
        server, address = start(folder=tmp_path)
    finally:
        signal.signal(number, inherited)
    known = begin(address)
    assert put(address, known, "systems", "a.txt", b"a\n") == 200
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    server.send_signal(number)
    server.wait(PATIENCE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.browser
def test_files_of_the_command_are_compared_at_once(chromium: Any) -> None:
    paths = [str(EXAMPLES / name) for name in ("reference-1.txt", "system-a.txt", "system-b.txt")]
    server, address = start(paths[0], "-i", paths[1], f"mine={paths[2]}")
    try:
        page = chromium.new_page()
        page.goto(address)
        page.locator("#open").wait_for(timeout=1000 * PATIENCE)
        page.locator("#open").click()
        page.locator("#scores-charts .chart svg").first.wait_for(timeout=1000 * PATIENCE)
        assert page.locator("h1").inner_text() == "Comparison of system-a.txt and mine"
        page.context.close()
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.mark.parametrize(
    "option", ["--bom=strip", pytest.param("--bom=keep", marks=pytest.mark.long)]
)
def test_files_of_the_command_are_read_as_its_flags_say(tmp_path: Path, option: str) -> None:
    for name, mark in (("ref.txt", "\ufeff"), ("a.txt", "")):
        (tmp_path / name).write_text(f"{mark}The cat sat.\n", encoding="utf-8")
    server, address = start(str(tmp_path / "ref.txt"), "-i", str(tmp_path / "a.txt"), option)
    try:
        base, _, known = address.partition("systems#")
        assert finished(base, known)["error"] == ""
        scores = json.loads(ask(base, f"{API}/{known}/json")[2])["scores"]["a.txt"]
        assert (scores[0]["score"] > 99.9) == (option == "--bom=strip")
    finally:
        server.terminate()
        server.wait(PATIENCE)


KEYED = "".join(f"call{number} the ferry left at {number}\n" for number in range(6))


def test_files_that_cannot_be_read_are_reported_before_the_page_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(KEYED, encoding="utf-8")
    for options, said in (
        ([], f"or write lines:{path} to score its lines as they are"),
        (["--max-segment-bytes=11"], "11 bytes"),
    ):
        assert main(["serve", str(path), "-i", str(path), *options]) == 1
        assert said in capsys.readouterr().err


def test_files_of_the_command_are_plain_lines_where_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(KEYED, encoding="utf-8")
    server, address = start(f"lines:{path}", "-i", f"lines:{path}")
    try:
        base, _, known = address.partition("systems#")
        assert finished(base, known)["error"] == ""
        result = json.loads(ask(base, f"{API}/{known}/json")[2])
        assert not any(" like a transcript " in warning for warning in result["warnings"])
    finally:
        server.terminate()
        server.wait(10)


def test_uploaded_files_are_plain_lines_where_their_names_say_so(address: str, known: str) -> None:
    for role in ("references", "systems"):
        assert put(address, known, role, f"lines:{role}.txt", KEYED.encode()) == 200
    assert ask(address, f"{API}/{known}/start", ["bleu"])[0] == 200
    found = finished(address, known)
    assert (found["error"], found["systems"]) == ("", ["systems.txt"])


@pytest.mark.browser
def test_the_page_says_why_files_are_not_compared_and_offers_the_remedy(
    chromium: Any, address: str, tmp_path: Path
) -> None:
    (tmp_path / "keyed.txt").write_text(KEYED, encoding="utf-8")
    page = chromium.new_page()
    page.goto(f"{address}systems")
    for role in ("references", "systems"):
        page.locator(f"#{role}").set_input_files(str(tmp_path / "keyed.txt"))
    page.locator("#start").click()
    error = page.locator("#error", has_text="keyed.txt is a transcript (Kaldi)")
    error.wait_for(timeout=60_000)
    assert "lines:keyed.txt" in error.inner_text()
    assert page.locator("#open").is_hidden()
    page.get_by_label("as lines:FILE on the command line").check()
    page.locator("#start").click()
    page.locator("#open").wait_for(timeout=60_000)
    assert error.is_hidden()
    page.context.close()


@pytest.mark.browser
def test_systems_are_uploaded_and_a_sentence_is_opened(chromium: Any, address: str) -> None:
    page = chromium.new_page()
    messages: list[str] = []
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(f"{address}systems")
    page.locator("#references").set_input_files(str(EXAMPLES / "reference-1.txt"))
    systems = [str(EXAMPLES / name) for name in ("system-a.txt", "system-b.txt")]
    page.locator("#systems").set_input_files(systems)
    page.locator("#start").click()
    page.locator("#open").wait_for(timeout=1000 * PATIENCE)
    texts = {Path(one).name: lines(Path(one).name) for one in systems}
    breakdown = compare(texts, lines("reference-1.txt")).breakdown("length")
    # The page that holds its sentences, and the formats of documents.
    assert page.locator("#exports a").count() == 1 + len(FORMATS)
    page.locator("#open").click()
    page.locator("#scores-charts .chart svg").first.wait_for(timeout=1000 * PATIENCE)
    # A bar is clicked, its sentences are shown, and one of them is opened in the calculator.
    bars = page.locator("#buckets-chart svg path[aria-roledescription=bar]")
    heights = bars.evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().height)")
    bars.nth(heights.index(max(heights))).click()
    page.locator("#count", has_text=" of ").wait_for()
    selected = page.locator("#divisions select").first
    label = selected.locator("option:checked").inner_text()
    (bucket,) = [one for one in breakdown.systems[0] if one.bucket.label == label]
    whole = len(lines("reference-1.txt"))
    assert page.locator("#count").inner_text() == f"{bucket.bucket.count} of {whole} segments"
    page.get_by_role("link", name="Explain system-b.txt").first.click()
    calculator = page.frame_locator("#panel iframe")
    calculator.locator("#score").filter(has_text="BLEU = ").wait_for()
    assert calculator.locator("#hypothesis").input_value() in lines("system-b.txt")
    page.get_by_role("button", name="Close").click()
    assert page.locator("#panel").is_hidden()
    assert page.locator("#count").inner_text() == f"{bucket.bucket.count} of {whole} segments"
    assert messages == []
    page.context.close()


@pytest.mark.browser
def test_an_explained_sentence_has_the_score_of_the_page(
    chromium: Any, address: str, tmp_path: Path
) -> None:
    """By each metric with its options, and by none that the calculator computes differently."""
    files = {"reference.txt": "Good Morning.\nIt rains.\n", "a.txt": "good morning.\nIt snows.\n"}
    files["b.txt"] = "morning.\nIt rained.\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    page = chromium.new_page()
    page.goto(f"{address}systems")
    page.locator("#references").set_input_files(str(tmp_path / "reference.txt"))
    page.locator("#systems").set_input_files([str(tmp_path / name) for name in ("a.txt", "b.txt")])
    page.locator("#metrics").fill("bleu:lowercase chrf:word_order=1 nist")
    page.locator("#start").click()
    page.locator("#open").wait_for(timeout=1000 * PATIENCE)
    page.locator("#open").click()
    page.locator("#scores-charts .chart svg").first.wait_for(timeout=1000 * PATIENCE)
    scores = []
    for name in ("BLEU", "chrF2+"):
        page.locator("#metric").select_option(label=name)
        page.get_by_role("link", name="Explain a.txt").first.click()
        calculator = page.frame_locator("#panel iframe")
        calculator.locator("#score").filter(has_text=f"{name} = ").wait_for()
        assert calculator.locator("#scores tbody tr").count() == 2
        row = page.locator("tr.chosen", has_text="a.txt").first
        score = calculator.locator("#score").inner_text().split()[2]
        assert score in row.inner_text()
        scores.append(score)
        page.keyboard.press("Escape")
    assert scores[0] == "100.00"
    page.locator("#metric").select_option(label="NIST")
    page.get_by_role("link", name="Explain a.txt").first.wait_for(state="detached")
    page.context.close()


DROP = """names => {
  const dropped = new DataTransfer();
  for (const name of names) dropped.items.add(new File(["The cat sat.\\n"], name));
  const event = new DragEvent("drop", {dataTransfer: dropped, cancelable: true});
  document.getElementById("drop").dispatchEvent(event);
}"""
CHOSEN = "id => [...document.getElementById(id).files].map((file) => file.name)"


@pytest.mark.browser
def test_the_page_asks_which_of_the_dropped_files_are_references(
    chromium: Any, address: str
) -> None:
    page = chromium.new_page()
    page.goto(f"{address}systems")
    page.evaluate(
        DROP, ["baseline-refined.txt", "wmt.refA.de.txt", "reference-2.txt", "new.txt", "src.en"]
    )
    assert page.evaluate(CHOSEN, "references") == ["reference-2.txt", "wmt.refA.de.txt"]
    assert page.evaluate(CHOSEN, "systems") == ["baseline-refined.txt", "new.txt"]
    assert page.evaluate(CHOSEN, "sources") == ["src.en"]
    page.get_by_label("wmt.refA.de.txt").select_option("systems")
    assert page.evaluate(CHOSEN, "references") == ["reference-2.txt"]
    # No name says it: the page does not guess, and does not compare.
    page.evaluate(DROP, ["gold.txt", "a.txt", "preferred.txt"])
    assert page.evaluate(CHOSEN, "references") == []
    page.locator("#start").click()
    assert page.locator("#state").is_hidden()
    page.get_by_label("gold.txt").select_option("references")
    assert page.evaluate(CHOSEN, "references") == ["gold.txt"]
    page.locator("#start").click()
    page.locator("#open").wait_for(timeout=1000 * PATIENCE)
    page.context.close()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuet.errors import MissingExtraError
    from bleuet.web.server import Server

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'bleuet\[web\]'"):
        Server("127.0.0.1", 0)
