// Copies and files of what the page shows: tables as LaTeX and CSV, charts as pictures, sentences as CSV.

/** Return a line of small buttons, each with what it does. */
function saveButtons(...actions) {
  const said = make("span", {role: "status"});
  const buttons = actions.map(([text, label, act]) => {
    const button = make("button", {type: "button", className: "small", textContent: text, ariaLabel: label});
    button.addEventListener("click", async () => { said.textContent = ` ${await act() ?? ""}`; });
    return button;
  });
  return make("p", {className: "save"}, ...buttons.flatMap((one) => [one, " "]), said);
}

/** Give a file to the reader. */
function saveFile(name, content, type) {
  const address = content instanceof Blob || typeof content === "string" && !content.startsWith("data:")
    ? URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type})) : content;
  make("a", {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Copy text, or save it where the page may not write to the clipboard. */
async function copyText(name, text) {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    saveFile(name, text, "text/plain");
    return "saved";
  }
}

const fileName = (text) => text.replace(/[^\p{L}\d+]+/gu, "-").replace(/^-|-$/g, "") || "bleuet";

/** Offer each table as LaTeX and CSV; both were written as the commands write them. */
function offerTables() {
  for (const table of document.querySelectorAll(".scroll[data-csv]")) {
    const {latex, csv} = table.dataset;
    const title = table.getAttribute("aria-label");
    table.after(saveButtons(
      ["LaTeX", `copy ${title} as LaTeX`, () => copyText(`${fileName(title)}.tex`, latex)],
      ["CSV", `save ${title} as CSV`, () => saveFile(`${fileName(title)}.csv`, csv, "text/csv")],
    ));
  }
}

/** Offer a chart as a picture, beneath it. */
function offerChart(element, view, name) {
  const save = (kind) => async () => saveFile(`${fileName(name)}.${kind}`, await picture(view, kind), "image/svg+xml");
  element.append(saveButtons(["SVG", `save the chart ${name} as SVG`, save("svg")], ["PNG", `save the chart ${name} as PNG`, save("png")]));
}

/** Return a picture of a view: the text of an SVG, or the address of a PNG of twice the size. */
async function picture(view, kind) {
  return kind === "svg" ? view.toSVG() : view.toImageURL("png", 2);
}

const inCSV = (value) => /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** Return all segments that pass the filters, in their order, as CSV. */
async function sentencesAsCSV(data, rows, state) {
  const MOST = 100;
  const segments = [];
  let found = 1;
  while (segments.length < found) {
    const answer = await rows.find(state, segments.length, MOST);
    found = answer.found;
    if (!answer.segments.length) break;
    segments.push(...answer.segments);
  }
  const references = Math.max(1, ...segments.map((one) => one.references.length));
  const {name, digits} = data.metrics[state.metric];
  const systems = [...state.shown].sort((a, b) => a - b);
  const heading = [
    "segment", "source", ...Array.from({length: references}, (_, i) => references > 1 ? `reference ${i + 1}` : "reference"),
    ...systems.flatMap((system) => [`${name} of ${data.systems[system]}`, data.systems[system]]),
  ];
  const lines = segments.map((one) => [
    String(one.segment), one.source ?? "",
    ...Array.from({length: references}, (_, i) => one.references[i] === undefined ? "" : plainText(one.references[i])),
    ...systems.flatMap((system) => {
      const score = one.scores[system][state.metric];
      return [score === null ? "" : asText(score, digits), plainText(one.hypotheses[system])];
    }),
  ]);
  return [heading, ...lines].map((cells) => `${cells.map(inCSV).join(",")}\n`).join("");
}
