// The calculator: one hypothesis, its references, one metric or several.

"use strict";

const $ = (id) => document.getElementById(id);
const inBrowser = document.documentElement.dataset.backend === "browser";
const backend = inBrowser ? new BrowserBackend(showProgress) : new ServerBackend();
const dark = matchMedia("(prefers-color-scheme: dark)");

const EXAMPLES = [
  {
    name: "seven times “the”",
    hypothesis: "the the the the the the the",
    references: ["The cat is on the mat.", "There is a cat on the mat."],
    metrics: [{ name: "bleu", options: { lowercase: true, max_ngram_order: 1 } }],
    chosen: 0,
  },
  {
    name: "the guidebook of the Party, 1",
    hypothesis: "It is a guide to action which ensures that the military always obeys the commands of the party",
    references: [
      "It is a guide to action that ensures that the military will forever heed Party commands",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party",
      "It is the practical guide for the army always to heed the directions of the party",
    ],
    metrics: [{ name: "bleu", options: { lowercase: true } }],
    chosen: 0,
  },
  {
    name: "the guidebook of the Party, 2",
    hypothesis: "It is to insure the troops forever hearing the activity guidebook that party direct",
    references: [
      "It is a guide to action that ensures that the military will forever heed Party commands",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party",
      "It is the practical guide for the army always to heed the directions of the party",
    ],
    metrics: [{ name: "bleu", options: { lowercase: true } }],
    chosen: 0,
  },
];

let metrics = [];
let state = { hypothesis: "The cat sat down on the mat.", references: ["The cat sat on the mat."], metrics: [{ name: "bleu", options: {} }], chosen: 0 };
// Whether the texts are the reader's own.
let typed = false;
// What the last example has replaced.
let replaced = null;
// The last answer, and what is shown of it.
let answered = [];
let last = null;

// --- The form -----------------------------------------------------------------------------------

function showReferences() {
  const several = state.references.length > 1;
  $("references").replaceChildren(...state.references.map((text, number) => {
    const id = `reference-${number}`;
    const label = make("label", { htmlFor: id, textContent: several ? `Reference ${number + 1}` : "Reference" });
    const area = make("textarea", { id, dir: "auto", rows: 2, value: text, spellcheck: false });
    area.addEventListener("input", () => { state.references[number] = area.value; typed = true; changed(); });
    const remove = make("button", { type: "button", textContent: "Remove", ariaLabel: `Remove reference ${number + 1}` });
    remove.addEventListener("click", () => { state.references.splice(number, 1); showReferences(); changed(); });
    return make("div", {}, label, area, ...(several ? [remove] : []));
  }));
}

/** The metric whose options and steps are shown. */
const chosen = () => state.metrics[state.chosen];

function described(name) {
  return metrics.find((one) => one.metric === name) ?? metrics[0];
}

function showOptions() {
  if (!metrics.length) return;
  $("metric").value = chosen().name;
  $("remove-metric").hidden = state.metrics.length === 1;
  $("options").replaceChildren(...described(chosen().name).options.map((option) => {
    const id = `option-${option.option}`;
    const label = make("label", { htmlFor: id, textContent: option.option.replaceAll("_", " ") });
    const field = fieldOf(option, chosen().options[option.option]);
    field.id = id;
    field.setAttribute("aria-describedby", `${id}-help`);
    field.addEventListener("input", () => { setOption(option, field); changed(); });
    const help = make("small", { id: `${id}-help`, textContent: option.help });
    const missing = Object.entries(option.unavailable ?? {});
    const notes = [...new Set(missing.map(([, why]) => why))].map((why) => {
      const choices = missing.filter(([, other]) => other === why).map(([choice]) => choice);
      return make("small", { textContent: `Not on this page: ${choices.join(", ")} (${why}).` });
    });
    return make("div", { className: "option" }, label, field, help, ...notes);
  }));
  $("of-files").replaceChildren(...described(chosen().name).files.map(({ option, help, command, python }) =>
    make("p", { className: "note" }, make("b", { textContent: option.replaceAll("_", " ") }), `: ${help}. The page reads no files; name them on the command line, `,
      make("code", { textContent: command }), ", or in Python, ", make("code", { textContent: python }), ".")));
}

function choose(number) {
  state.chosen = number;
  showOptions();
  if (answered[number]) show(answered[number]);
  keep();
}

function addMetric() {
  const used = new Set(state.metrics.map(({ name }) => name));
  const { metric } = metrics.find((one) => !used.has(one.metric) && !one.unavailable) ?? metrics[0];
  state.metrics.push({ name: metric, options: {} });
  choose(state.metrics.length - 1);
  $("metric").focus();
  changed();
}

function removeMetric() {
  state.metrics.splice(state.chosen, 1);
  answered.splice(state.chosen, 1);
  choose(Math.max(0, state.chosen - 1));
  changed();
}

function fieldOf(option, chosen) {
  const value = chosen ?? option.sentence_default;
  if (option.kind === "choice") {
    const field = document.createElement("select");
    for (const choice of option.choices) {
      const item = new Option(choice, choice, false, choice === value);
      item.disabled = Boolean(option.unavailable?.[choice]);
      field.append(item);
    }
    return field;
  }
  const field = document.createElement("input");
  if (option.kind === "switch") {
    Object.assign(field, { type: "checkbox", checked: value });
  } else if (option.kind === "numbers") {
    Object.assign(field, { type: "text", inputMode: "decimal", value: (chosen ?? []).join(" / "), placeholder: "0.5 / 0.5" });
  } else {
    Object.assign(field, { type: "number", step: option.kind === "whole" ? 1 : "any", value: value ?? "" });
    if (option.least !== null) field.min = option.least;
    if (option.most !== null) field.max = option.most;
  }
  return field;
}

function setOption(option, field) {
  const value = valueOf(option, field);
  const { options } = chosen();
  if (value === null || JSON.stringify(value) === JSON.stringify(option.sentence_default)) delete options[option.option];
  else options[option.option] = value;
}

function valueOf(option, field) {
  if (option.kind === "switch") return field.checked;
  if (option.kind === "choice") return field.value;
  if (field.value.trim() === "") return null;
  if (option.kind === "numbers") return field.value.split(/[/,\s]+/).filter(Boolean).map(Number);
  return Number(field.value);
}

function showState() {
  $("hypothesis").value = state.hypothesis;
  showReferences();
  showOptions();
}

// --- The answer ---------------------------------------------------------------------------------

function showRows(table, rows) {
  table.tBodies[0].replaceChildren(...rows.map((cells) => make("tr", {}, ...cells.map((content, at) =>
    at === 0 ? make("th", { scope: "row" }, content) : make("td", { className: table.tHead?.rows[0].cells[at].className ?? "" }, content)))));
}

/** The metrics side by side; the name of each is a button that shows its steps. */
function showScores() {
  $("several").hidden = answered.length === 1;
  showRows($("scores"), answered.map(({ name, score, digits, short_signature }, number) => {
    const button = make("button", { type: "button", textContent: name, ariaPressed: String(number === state.chosen) });
    button.addEventListener("click", () => { choose(number); $("scores").tBodies[0].rows[number].querySelector("button").focus(); });
    return [button, score.toFixed(digits), make("code", { textContent: short_signature })];
  }));
}

// The chart, once it is loaded; the table beneath it has the same numbers.
let drawing = null;
let charting = null;

function showParts(parts) {
  $("chart-figure").hidden = parts.length === 0;
  showRows($("parts"), parts.map(({ label, text }) => [label, text]));
  if (drawing?.view && drawing.rows === parts.length) drawing.view.data("parts", parts).runAsync();
  else if (drawing) redraw(parts);
}

/** Draw the chart anew: for another number of bars, or in other colours. */
function redraw(parts) {
  drawing.rows = parts.length;
  drawing.view = null;
  if (parts.length === 0) return;
  const { chart, themes } = drawing;
  const height = parts.length * chart.usermeta.row_height;
  drawChart($("chart"), { ...chart, height, datasets: { parts } }, themes[dark.matches ? "dark" : "light"], { use: (view) => {
    drawing.view = view;
    $("save-chart").replaceChildren();
    offerChart($("save-chart"), view, last.name);
    // What came while it was drawn.
    if (last.chart !== parts) view.data("parts", last.chart).runAsync();
  } });
}

async function loadChart() {
  const { chart, themes } = await import("./segment-chart.js");
  if (chart === null) return;
  drawing = { chart, themes, view: null, rows: 0 };
  $("numbers").classList.add("for-screen-readers");
  dark.addEventListener("change", () => redraw(last.chart));
  if (last) redraw(last.chart);
}

function show(found) {
  last = found;
  const { name, score, digits, signature, marked, smoothings, steps, reading, chart, definition, warnings } = found;
  const both = digits === 2 ? ` (${(score / 100).toFixed(4)} of 1)` : "";
  $("score").replaceChildren(`${name} = ${score.toFixed(digits)}`, make("small", { textContent: both }));
  $("warnings").replaceChildren(...warnings.map((text) => make("li", { textContent: `${text}.` })));
  $("warnings").hidden = !warnings.length;
  $("reading").textContent = reading ? `${reading.text} ${reading.caveat}` : "";
  showScores();
  showParts(chart);
  $("legend").replaceChildren(...legendOf(marked));
  showTokens($("tokens"), marked);
  $("definition").textContent = `${name} = ${definition}`;
  showRows($("steps"), steps.map(({ step, formula, value }) => [step, make("code", { textContent: formula }), value]));
  $("all-smoothings").hidden = smoothings.length === 0;
  showRows($("smoothings"), smoothings.map((one) => [one.chosen ? `${one.smooth} (chosen)` : one.smooth, one.score.toFixed(2)]));
  $("signature").textContent = `${name}|${signature}`;
}

async function calculate() {
  // Not yet described; the first score comes then.
  if (!metrics.length) return;
  const { hypothesis, references, metrics: wanted } = state;
  try {
    answered = (await backend.call("calculate", { hypothesis, references, metrics: wanted })).metrics;
    show(answered[state.chosen]);
    $("error").hidden = $("loading").hidden = true;
    $("answer").hidden = $("score").hidden = false;
    // Not before the score: what draws the chart is a megabyte.
    charting ??= loadChart();
  } catch (error) {
    showError(error);
  }
}

function showError(error) {
  if (error instanceof Outdated) return;
  const failed = inBrowser ? `The program cannot run in this browser (${error.message}).` : "The server does not answer: start bleuet serve again.";
  $("error").textContent = error instanceof RequestError ? error.message : failed;
  $("error").hidden = false;
  $("answer").hidden = $("score").hidden = $("loading").hidden = true;
}

/** Name the metrics that this page cannot compute, and what they need. */
function showUnavailable() {
  const missing = metrics.filter(({ unavailable }) => unavailable);
  $("elsewhere").hidden = !missing.length;
  $("elsewhere").append(...missing.map(({ name, unavailable }) => make("p", { className: "note" }, make("b", { textContent: name }), ` needs ${unavailable}`)));
}

/** Keep the state in the address. */
function keep() {
  history.replaceState(null, "", `#${toLink(state)}`);
}

function changed() {
  keep();
  calculate();
}

function copies() {
  return {
    signature: () => $("signature").textContent,
    python: () => `import bleuet\nfrom bleuet import *\n\nprint(${last.python})`,
    command: () => last.command,
    json: () => JSON.stringify(last, null, 1),
    link: () => location.href,
  };
}

async function copy(what) {
  await navigator.clipboard.writeText(copies()[what]());
  $("copied").textContent = `Copied ${what}.`;
}

/** Show how much is done until the first score, which hides it. */
function showProgress(share, stage) {
  $("loading").hidden = false;
  $("progress").value = share;
  $("stage").textContent = stage;
}

// --- Start --------------------------------------------------------------------------------------

const isShown = (next) => JSON.stringify(next) === JSON.stringify(state);

/** Show a state. */
function open(next) {
  if (isShown(next)) return;
  state = structuredClone(next);
  showState();
  changed();
}

/** Show an example; the texts before it are an entry of the history. */
function openExample(example) {
  if (isShown(example)) return;
  replaced = structuredClone(state);
  keep();
  history.pushState(null, "", location.href);
  open(example);
  $("replaced").hidden = !typed;
  typed = false;
}

/** Bring back what an example has replaced. */
function undo() {
  open(replaced);
  typed = true;
  $("replaced").hidden = true;
}

async function start() {
  $("promise").textContent = backend.promise;
  // Another page may show this one in a panel, and has the links itself.
  $("other").hidden = inBrowser || window !== window.top;
  const linked = () => fromLink(location.hash.slice(1));
  state = linked() ?? state;
  // What was typed before this script came.
  const early = $("hypothesis").value;
  if (early) Object.assign(state, { hypothesis: early });
  typed = Boolean(early);
  showState();
  $("hypothesis").addEventListener("input", () => { state.hypothesis = $("hypothesis").value; typed = true; changed(); });
  $("add").addEventListener("click", () => { state.references.push(""); showReferences(); $(`reference-${state.references.length - 1}`).focus(); changed(); });
  addEventListener("hashchange", () => { if (linked()) open(linked()); });
  $("examples").append(...EXAMPLES.map(({ name, ...example }) => {
    const button = make("button", { type: "button", textContent: name });
    button.addEventListener("click", () => openExample(example));
    return button;
  }));
  $("undo").addEventListener("click", undo);
  try {
    metrics = (await backend.call("metrics")).metrics;
  } catch (error) {
    showError(error);
    return;
  }
  $("metric").replaceChildren(...metrics.map(({ metric, name, unavailable }) => {
    const item = new Option(metric === name.toLowerCase() ? name : `${name} (${metric})`, metric);
    item.disabled = Boolean(unavailable);
    return item;
  }));
  showUnavailable();
  showOptions();
  $("metric").addEventListener("input", () => { state.metrics[state.chosen] = { name: $("metric").value, options: {} }; showOptions(); changed(); });
  $("add-metric").addEventListener("click", addMetric);
  $("remove-metric").addEventListener("click", removeMetric);
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  await calculate();
}

start();
