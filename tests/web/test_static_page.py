"""The static calculator while it loads, where nothing is kept, and without a network."""

from __future__ import annotations

from collections import Counter
from functools import partial
from http.server import ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU
from bleuet.web.operations import call
from bleuet.web.requested_metrics import requested_metric
from tests.patience import PATIENCE
from tests.web.conftest import Quiet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser
TEXTS = "The cat sat down on the mat.", "The cat sat on the mat."
# Modules that no score needs.
EXPLAIN = {
    "hypotheses": ["a b c d"],
    "references": ["a b c d"],
    "a": "bleu",
    "b": "bleu:smooth=floor",
}
CALL = """([name, request]) => backend.call(name, request).then(
  (answer) => ({answer}), (error) => ({failure: String(error)}))"""
# Notes all that the reader sees of the progress.
WATCH = """
window.seen = [];
addEventListener("DOMContentLoaded", () => {
  const get = (id) => document.getElementById(id);
  const note = () => seen.push([get("progress").value, !get("loading").hidden,
    get("stage").textContent, get("score").textContent]);
  const observer = new MutationObserver(note);
  const all = {subtree: true, attributes: true, childList: true};
  observer.observe(document.querySelector("header"), all);
  observer.observe(get("score"), {childList: true});
});
"""


class Server(ThreadingHTTPServer):
    def handle_error(self, *args: object) -> None:
        """Say nothing of browsers that were closed."""


class Host:
    """Serves the folder as a host that lets browsers keep nothing."""

    def __init__(self, folder: Path) -> None:
        self.sent: Counter[str] = Counter()
        self.missing: set[str] = set()
        # Files with other contents.
        self.replaced: dict[str, bytes] = {}
        # Files that come once the event is set.
        self.held: dict[str, Event] = {}
        self.server = Server(("127.0.0.1", 0), partial(Handler, host=self, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def hold(self, name: str) -> Event:
        return self.held.setdefault(f"/{name}", Event())

    def close(self) -> None:
        for event in self.held.values():
            event.set()
        self.server.shutdown()
        self.server.server_close()


class Handler(Quiet):
    def __init__(self, *args: Any, host: Host, directory: str) -> None:
        self.host = host
        super().__init__(*args, directory=directory)

    def do_GET(self) -> None:  # noqa: N802
        self.host.sent[self.path] += 1
        if self.path in self.host.held:
            self.host.held[self.path].wait(60)
        if self.path in self.host.missing:
            self.send_error(404)
        elif self.path in self.host.replaced:
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript")
            self.end_headers()
            self.wfile.write(self.host.replaced[self.path])
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


@pytest.fixture
def host(site_folder: Path) -> Iterator[Host]:
    found = Host(site_folder)
    yield found
    found.close()


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    found = chromium.new_context()
    yield found
    found.close()


def wait_for_score(page: Any, text: str = "=") -> None:
    page.locator("#score").filter(has_text=text).wait_for(timeout=1000 * PATIENCE)


def test_text_typed_while_python_loads_is_scored(host: Host, context: Any) -> None:
    memory = host.hold("pyodide/python.memory")
    page = context.new_page()
    page.goto(host.address)
    page.locator('#metric option[value="chrf++"]').wait_for(state="attached")
    page.locator("#hypothesis").fill("My own words are here.")
    page.locator("#reference-0").fill("My own words were there.")
    page.locator("#metric").select_option("chrf")
    page.locator("#metric").select_option("bleu")
    page.get_by_role("button", name="Add a reference").click()
    page.locator("#reference-1").fill("My own words are there.")
    page.locator("#stage").filter(has_text="MB").wait_for()
    assert page.locator("#score").inner_text() == ""
    memory.set()
    references = ["My own words were there.", "My own words are there."]
    score = BLEU(effective_order=True).sentence_score("My own words are here.", references)
    wait_for_score(page, f"BLEU = {score.score:.2f}")
    assert page.locator("#hypothesis").input_value() == "My own words are here."
    assert page.locator("#reference-0").input_value() == "My own words were there."
    page.locator("#loading").wait_for(state="hidden")


def test_text_typed_before_the_scripts_came_is_kept(host: Host, context: Any) -> None:
    script = host.hold("calculator.js")
    page = context.new_page()
    page.goto(host.address, wait_until="commit")
    page.locator("#hypothesis").fill("The cat sat.")
    script.set()
    score = BLEU(effective_order=True).sentence_score("The cat sat.", [TEXTS[1]])
    wait_for_score(page, f"BLEU = {score.score:.2f}")
    assert page.locator("#hypothesis").input_value() == "The cat sat."


def test_the_progress_ends_with_the_first_score(host: Host, context: Any) -> None:
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    seen = page.evaluate("seen")
    loading = [one for one in seen if not one[3]]
    shares = [share for share, *_ in loading]
    assert shares == sorted(shares)
    assert max(shares) < 1
    # From the first moment on, it shows what is done.
    assert all(visible for _, visible, _, _ in loading)
    stages = list(dict.fromkeys(stage.partition(":")[0] for _, _, stage, _ in loading))
    assert stages == ["Loading Python", "Starting Python", "Computing the first score"]
    megabytes = {stage for *_, stage, _ in loading if stage.endswith(" MB")}
    assert len(megabytes) > 3
    assert not page.locator("#loading").is_visible()


@pytest.mark.parametrize("service_workers", ["allow", "block"])
def test_the_runtime_is_loaded_once(host: Host, chromium: Any, service_workers: str) -> None:
    context = chromium.new_context(service_workers=service_workers)
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    page.locator("#chart svg").wait_for()
    wait_for_all(host)
    runtime = {name: times for name, times in host.sent.items() if "pyodide/" in name}
    assert len(runtime) == 7
    assert set(runtime.values()) == {1}
    assert host.sent["/segment-chart.js"] == 1
    context.close()


def wait_for_all(host: Host) -> None:
    """Wait until the page has asked for all files."""
    awaited = Event()
    for _ in range(300):
        if host.sent["/pyodide/modules.zip"] and host.sent["/pyodide/python_stdlib.zip"]:
            break
        awaited.wait(0.1)
    # And until the service worker has put them away.
    awaited.wait(2)


def test_the_second_visit_needs_no_network(host: Host, context: Any) -> None:
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    page.locator("#chart svg").wait_for()
    wait_for_all(host)
    page.close()
    host.close()
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    page.locator("#chart svg").wait_for()
    page.locator("#metric").select_option("ter")
    wait_for_score(page, "TER = 16.67")
    assert "answer" in page.evaluate(CALL, ["explain", EXPLAIN])


def test_a_new_version_comes_once_the_page_is_closed(
    host: Host, context: Any, site_folder: Path
) -> None:
    def visited() -> Any:
        page = context.new_page()
        page.goto(host.address)
        wait_for_score(page)
        return page

    page = visited()
    wait_for_all(host)
    kept = page.evaluate("caches.keys()")
    page.close()
    script = (site_folder / "service-worker.js").read_bytes()
    host.replaced["/service-worker.js"] = script.replace(b"bleuet-", b"bleuet-later-", 1)
    page = visited()
    page.wait_for_timeout(1000)
    assert page.evaluate("caches.keys()") == kept
    page.close()
    later = [kept[0].replace("bleuet-", "bleuet-later-")]
    page = visited()
    page.wait_for_timeout(1000)
    assert page.evaluate("caches.keys()") == later
    wait_for_score(page)


def test_what_the_memory_does_not_have_is_waited_for(host: Host, context: Any) -> None:
    modules = host.hold("pyodide/modules.zip")
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    page.evaluate("request => { window.asked = backend.call('explain', request); }", EXPLAIN)
    modules.set()
    steps = page.evaluate("asked.then((answer) => answer.steps.length)")
    assert steps == len(call("explain", EXPLAIN)["steps"])


def test_a_file_that_does_not_come_is_an_error(host: Host, context: Any) -> None:
    host.missing.add("/pyodide/python.wasm")
    page = context.new_page()
    page.goto(host.address)
    page.locator("#error").filter(has_text="python.wasm: 404").wait_for()
    assert not page.locator("#loading").is_visible()


def test_a_script_that_does_not_come_is_an_error(host: Host, context: Any) -> None:
    host.missing.add("/worker.js")
    page = context.new_page()
    page.goto(host.address)
    page.locator("#error").filter(has_text="The program cannot run").wait_for()
    assert not page.locator("#loading").is_visible()


def test_all_that_is_offered_is_computed(host: Host, context: Any) -> None:
    page = context.new_page()
    page.goto(host.address)
    wait_for_score(page)
    assert not page.get_by_role("link", name="Compare systems").is_visible()
    offered = page.locator("#metric option:enabled")
    names = [option.get_attribute("value") for option in offered.all()]
    assert {"bleu", "chrf++", "ter", "meteor", "rouge-l"} < set(names)
    assert not {"codebleu", "sari", "errant"} & set(names)
    for name in names:
        request = {"hypothesis": TEXTS[0], "references": [TEXTS[1]], "metrics": [name]}
        answer = page.evaluate(CALL, ["calculate", request])
        score = requested_metric(name, sentences=True).sentence_score(TEXTS[0], [TEXTS[1]])
        found = answer["answer"]["metrics"][0]
        assert found["score"] == pytest.approx(score.score, abs=1e-11), name
        # Each choice in the form: no error says to install something.
        page.locator("#metric").select_option(name)
        choices = page.locator("#options select").evaluate_all(
            "all => all.flatMap((one) => [...one.options].filter((item) => !item.disabled)"
            ".map((item) => [one.id.slice('option-'.length), item.value]))"
        )
        for option, choice in choices:
            wanted = [{"name": name, "options": {option: choice}}]
            answer = page.evaluate(CALL, ["calculate", {**request, "metrics": wanted}])
            assert "install" not in answer.get("failure", ""), (name, option, choice)


def test_what_is_not_offered_says_how_to_get_it(host: Host, context: Any) -> None:
    page = context.new_page()
    page.goto(host.address)
    page.get_by_text("Metrics that this page cannot compute").click()
    said = page.locator("#elsewhere").inner_text()
    assert "CodeBLEU needs" in said
    assert "pip install 'bleuet[code]'" in said
    page.get_by_text("Options", exact=True).click()
    option = page.locator(".option", has=page.locator("#option-tokenize"))
    assert "ja-mecab" in option.locator("option:disabled").all_inner_texts()
    assert "pip install 'bleuet[ja]'" in option.inner_text()
