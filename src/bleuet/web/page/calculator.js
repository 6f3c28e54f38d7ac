// The calculator: one hypothesis, its references, one metric.

import { BrowserBackend, Outdated, RequestError, ServerBackend } from "./backend.js";
import { legendOf, showTokens } from "./marks.js";

const $ = (id) => document.getElementById(id);
const inBrowser = document.documentElement.dataset.backend === "browser";
const backend = inBrowser ? new BrowserBackend(showProgress) : new ServerBackend();
// Other texts keep the state of an older page out.
const VERSION = 1;

const EXAMPLES = [
  {
    name: "seven times “the”",
    hypothesis: "the the the the the the the",
    references: ["The cat is on the mat.", "There is a cat on the mat."],
    metric: "bleu",
    options: { lowercase: true, max_ngram_order: 1 },
  },
  {
    name: "the guidebook of the Party, 1",
    hypothesis: "It is a guide to action which ensures that the military always obeys the commands of the party",
    references: [
      "It is a guide to action that ensures that the military will forever heed Party commands",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party",
      "It is the practical guide for the army always to heed the directions of the party",
    ],
    metric: "bleu",
    options: { lowercase: true },
  },
  {
    name: "the guidebook of the Party, 2",
    hypothesis: "It is to insure the troops forever hearing the activity guidebook that party direct",
    references: [
      "It is a guide to action that ensures that the military will forever heed Party commands",
      "It is the guiding principle which guarantees the military forces always being under the command of the Party",
      "It is the practical guide for the army always to heed the directions of the party",
    ],
    metric: "bleu",
    options: { lowercase: true },
  },
];

let metrics = [];
let state = { hypothesis: "The cat sat down on the mat.", references: ["The cat sat on the mat."], metric: "bleu", options: {} };
let last = null;

// --- The state, and the link that holds it ------------------------------------------------------

function toLink(value) {
  const bytes = new TextEncoder().encode(JSON.stringify({ v: VERSION, ...value }));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromLink(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const { v, hypothesis, references, metric, options } = JSON.parse(new TextDecoder().decode(bytes));
    const texts = [hypothesis, metric, ...references];
    const sound = v === VERSION && texts.every((one) => typeof one === "string") && references.length;
    return sound && typeof options === "object" ? { hypothesis, references, metric, options: options ?? {} } : null;
  } catch {
    return null;
  }
}

// --- The form -----------------------------------------------------------------------------------

function showReferences() {
  $("references").replaceChildren(...state.references.map((text, number) => {
    const part = document.createElement("div");
    const label = document.createElement("label");
    label.htmlFor = `reference-${number}`;
    label.textContent = state.references.length > 1 ? `Reference ${number + 1}` : "Reference";
    const area = document.createElement("textarea");
    Object.assign(area, { id: label.htmlFor, rows: 2, value: text, spellcheck: false });
    area.addEventListener("input", () => { state.references[number] = area.value; changed(); });
    part.append(label, area);
    if (state.references.length > 1) {
      const remove = document.createElement("button");
      Object.assign(remove, { type: "button", textContent: "Remove" });
      remove.setAttribute("aria-label", `Remove reference ${number + 1}`);
      remove.addEventListener("click", () => { state.references.splice(number, 1); showReferences(); changed(); });
      part.append(remove);
    }
    return part;
  }));
}

function chosenMetric() {
  return metrics.find((one) => one.metric === state.metric) ?? metrics[0];
}

function showOptions() {
  $("options").replaceChildren(...chosenMetric().options.map((option) => {
    const part = document.createElement("div");
    part.className = "option";
    const label = document.createElement("label");
    const id = `option-${option.option}`;
    label.htmlFor = id;
    label.textContent = option.option.replaceAll("_", " ");
    const field = fieldOf(option, state.options[option.option]);
    field.id = id;
    field.setAttribute("aria-describedby", `${id}-help`);
    field.addEventListener("input", () => { setOption(option, field); changed(); });
    const help = document.createElement("small");
    help.id = `${id}-help`;
    help.textContent = option.help;
    part.append(label, field, help);
    return part;
  }));
}

function fieldOf(option, chosen) {
  const value = chosen ?? option.default;
  if (option.kind === "choice") {
    const field = document.createElement("select");
    for (const choice of option.choices) field.append(new Option(choice, choice, false, choice === value));
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
  if (value === null || JSON.stringify(value) === JSON.stringify(option.default)) delete state.options[option.option];
  else state.options[option.option] = value;
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
  $("metric").value = state.metric;
  showReferences();
  showOptions();
}

// --- The answer ---------------------------------------------------------------------------------

function showRows(table, rows) {
  table.tBodies[0].replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    cells.forEach((text, at) => {
      const cell = document.createElement(at === 0 ? "th" : "td");
      if (at === 0) cell.scope = "row";
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  }));
}

function showChart(bars) {
  $("chart-figure").hidden = bars.length === 0;
  $("chart").tBodies[0].replaceChildren(...bars.map(({ label, value, text }) => {
    const row = document.createElement("tr");
    const [name, bar, number] = ["th", "td", "td"].map((tag) => document.createElement(tag));
    name.scope = "row";
    name.textContent = label;
    const drawn = document.createElement("div");
    drawn.className = label === "mean" ? "bar mean" : "bar";
    drawn.style.setProperty("--share", `${Math.min(100, value)}%`);
    bar.append(drawn);
    number.textContent = text ? `${text} = ${value.toFixed(1)} %` : `${value.toFixed(1)} %`;
    row.append(name, bar, number);
    return row;
  }));
}

function show(found) {
  last = found;
  const { name, score, digits, signature, marked, smoothings, steps, reading, chart } = found;
  const both = digits === 2 ? ` (${(score / 100).toFixed(4)} on the scale of 0 to 1)` : "";
  $("score").textContent = `${name} = ${score.toFixed(digits)}${both}`;
  $("reading").textContent = reading ? `${reading.text} ${reading.caveat}` : "";
  showChart(chart);
  $("legend").textContent = legendOf(marked);
  showTokens($("tokens"), marked);
  showRows($("steps"), steps.map(({ step, formula, value }) => [step, formula, value]));
  $("all-smoothings").hidden = smoothings.length === 0;
  showRows($("smoothings"), smoothings.map((one) => [one.chosen ? `${one.smooth} (chosen)` : one.smooth, one.score.toFixed(2)]));
  $("signature").textContent = `${name}|${signature}`;
}

async function calculate() {
  const { hypothesis, references, metric, options } = state;
  try {
    const answer = await backend.call("calculate", { hypothesis, references, metrics: [{ name: metric, options }] });
    show(answer.metrics[0]);
    $("error").hidden = true;
    $("answer").hidden = false;
  } catch (error) {
    if (error instanceof Outdated) return;
    const failed = inBrowser ? `The program cannot run in this browser (${error.message}).` : "The server does not answer: start bleuet serve again.";
    $("error").textContent = error instanceof RequestError ? error.message : failed;
    $("error").hidden = false;
    $("answer").hidden = true;
  }
}

function changed() {
  history.replaceState(null, "", `#${toLink(state)}`);
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

function showProgress(share) {
  $("loading").hidden = share >= 1;
  $("progress").value = share;
}

// --- Start --------------------------------------------------------------------------------------

function choose(next) {
  state = structuredClone(next);
  showState();
  changed();
}

async function start() {
  $("promise").textContent = backend.promise;
  $("other").hidden = inBrowser;
  metrics = (await backend.call("metrics")).metrics;
  $("metric").replaceChildren(...metrics.map(({ metric, name }) => new Option(metric === name.toLowerCase() ? name : `${name} (${metric})`, metric)));
  $("examples").append(...EXAMPLES.map(({ name, ...example }) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: name });
    button.addEventListener("click", () => choose(example));
    return button;
  }));
  $("hypothesis").addEventListener("input", () => { state.hypothesis = $("hypothesis").value; changed(); });
  $("metric").addEventListener("input", () => { state.metric = $("metric").value; state.options = {}; showOptions(); changed(); });
  $("add").addEventListener("click", () => { state.references.push(""); showReferences(); $(`reference-${state.references.length - 1}`).focus(); changed(); });
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  addEventListener("hashchange", () => { const linked = fromLink(location.hash.slice(1)); if (linked) choose(linked); });
  const linked = fromLink(location.hash.slice(1));
  if (linked) state = linked;
  showState();
  await calculate();
}

start();
