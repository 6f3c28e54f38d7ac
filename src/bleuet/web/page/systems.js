// Uploads files, follows the comparison of the systems, and links to its results.

"use strict";

const $ = (id) => document.getElementById(id);
const API = "api/v1/comparisons";
const WAIT = 300;
// A word in the name of a file of references: ref, refs, refA, reference, references.
const REFERENCE = /(?<![a-z])ref(s|erences?|[a-d])?(?![a-z])/i;
const SOURCE = /(?<![a-z])(src|sources?)(?![a-z])/i;
const ROLES = { systems: "a system", references: "a reference", sources: "the source" };

let current = null;
// Ends the requests of the comparison that is shown, such as an upload.
let cancelled = new AbortController();

async function ask(path, method = "GET", body = undefined, type = "application/json") {
  const response = await fetch(`${API}${path}`, { method, body, signal: cancelled.signal, headers: body === undefined ? {} : { "content-type": type } });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.detail), { status: response.status });
  return answer;
}

function show(answer) {
  const { state, step, share = 0, error, id, results } = answer;
  const running = state === "open" || state === "running";
  $("state").hidden = !running;
  $("step").textContent = step || "uploading";
  $("progress").value = share;
  $("cancel").hidden = !running;
  $("start").disabled = running;
  showError(state === "failed" ? error : "");
  $("done").hidden = state !== "done";
  if (state === "done") showResults(id, results);
}

/** Shows the comparisons that the server keeps, since one must go before there is room. */
async function showKept() {
  const kept = await ask("");
  $("kept").replaceChildren(...kept.map(({ id, state, references, systems }) => {
    const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "Remove" });
    remove.addEventListener("click", async () => {
      await ask(`/${id}`, "DELETE");
      showError("");
    });
    const item = document.createElement("li");
    item.append(`${[...references, ...systems].join(", ") || "no files"} (${state}) `, remove);
    return item;
  }));
  $("kept").hidden = false;
}

function showError(text) {
  $("kept").hidden = true;
  $("error").textContent = text;
  $("error").hidden = !text;
}

function showResults(id, [page, ...exports]) {
  $("open").href = `${API}/${id}/${page}`;
  for (const link of $("exports").querySelectorAll("a")) link.remove();
  $("exports").append(...exports.map((name) => {
    const link = document.createElement("a");
    // The server names the file.
    Object.assign(link, { href: `${API}/${id}/${name}`, textContent: name, download: "" });
    return link;
  }));
  $("open").focus();
}

async function upload(id, role, file) {
  const name = $("as-lines").checked ? `lines:${file.name}` : file.name;
  const query = new URLSearchParams({ name, column: $("column").value.trim() });
  await ask(`/${id}/${role}?${query}`, "PUT", file, "application/octet-stream");
}

async function follow(id) {
  while (current === id) {
    const answer = await ask(`/${id}`);
    if (current === id) show(answer);
    if (answer.state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, WAIT));
  }
}

async function compare(event) {
  event.preventDefault();
  try {
    const { id } = await ask("", "POST");
    current = id;
    show({ id, state: "open", step: "", share: 0, error: "" });
    for (const file of $("references").files) await upload(id, "references", file);
    for (const file of $("systems").files) await upload(id, "systems", file);
    for (const file of $("sources").files) await upload(id, "sources", file);
    await ask(`/${id}/start`, "POST", JSON.stringify($("metrics").value.split(/\s+/).filter(Boolean)));
    await follow(id);
  } catch (error) {
    if (error.name === "AbortError") return;
    show({ id: current, state: "failed", error: error.message });
    if (error.status === 409) await showKept();
  }
}

async function cancel() {
  const id = current;
  current = null;
  cancelled.abort();
  cancelled = new AbortController();
  show({ id, state: "failed", error: "" });
  if (id) await ask(`/${id}`, "DELETE").catch(() => {});
}

/** Returns what a file is, where its name says it. */
function roleOf(name) {
  return REFERENCE.test(name) ? "references" : SOURCE.test(name) ? "sources" : "systems";
}

/** Shows a choice of what each of the dropped files is; what their names say is chosen. */
function drop(event) {
  event.preventDefault();
  const files = [...event.dataTransfer.files].sort((a, b) => a.name.localeCompare(b.name));
  const choices = files.map(({ name }) => {
    const choice = document.createElement("select");
    choice.append(...Object.entries(ROLES).map(([role, text]) => new Option(text, role)));
    choice.value = roleOf(name);
    return choice;
  });
  const assign = () => {
    for (const role of Object.keys(ROLES)) {
      const chosen = new DataTransfer();
      files.forEach((file, at) => choices[at].value === role && chosen.items.add(file));
      $(role).files = chosen.files;
    }
  };
  const labels = choices.map((choice, at) => {
    const label = document.createElement("label");
    label.append(`${files[at].name} is `, choice);
    choice.addEventListener("change", assign);
    return label;
  });
  $("roles").replaceChildren($("roles").firstElementChild, ...labels);
  $("roles").hidden = files.length === 0;
  assign();
  choices[0]?.focus();
}

$("files").addEventListener("submit", compare);
$("cancel").addEventListener("click", cancel);
$("drop").addEventListener("dragover", (event) => event.preventDefault());
$("drop").addEventListener("drop", drop);
for (const id of Object.keys(ROLES)) $(id).addEventListener("change", () => { $("roles").hidden = true; });
// What the server was started with.
const started = location.hash.slice(1);
if (started) {
  current = started;
  follow(started).catch((error) => showError(error.message));
}
