// The table of some segments, with their sentences.

const PAGE = 25;
// What one segment adds to the score of a test set is small: it has so many more digits.
const FINER = 2;
const COUNTS = "matching n-grams of 1, 2, 3 and 4 words, out of all";

/** Return how much better the left system is; of error rates, lower is better. */
const leadOf = ({higher}, one, other) => higher ? one - other : other - one;

/** Return a score as text, rounded as in the tables: of two numbers equally near the even one. */
function asText(score, digits) {
  const text = score.toFixed(digits);
  const between = Math.abs(score * 2 ** (digits + 1)) % 2 === 1;
  return between && Number(text.at(-1)) % 2 === 1
    ? (score - Math.sign(score) * 10 ** -(digits + 1)).toFixed(digits) : text;
}

/** Return a score as a reader sees it. */
const rounded = (score, digits) => Number(asText(score, digits));

/** Return in how many segments the left system of the pair is better, the right one, and neither. */
function leadsOf(data, {left, right, metric}) {
  const first = Math.min(left, right);
  const [wins, losses, same] = data.leads[metric][first][Math.abs(left - right) - 1];
  return left < right ? {left: wins, right: losses, same} : {left: losses, right: wins, same};
}

/** Return the key of a pair of systems in whatever order, as the data of the page have it. */
const keyOf = ({left, right}) => `${Math.min(left, right)}-${Math.max(left, right)}`;

/** Return the phrase that is searched, as texts are compared with it. */
const wanted = ({query}) => query.trim().toLowerCase();

/** Return the table of some segments: a group of lines for each, with its references first. */
function sentencesTable(data, state, segments) {
  const metric = data.metrics[state.metric].name;
  const heading = make("tr", {}, ...["System", metric, "Text"].map((text) =>
    make("th", {scope: "col", textContent: text})));
  const groups = segments.map((one) => segmentGroup(data, state, one));
  const caption = make("caption", {
    className: "for-screen-readers", textContent: "Segments with references and hypotheses",
  });
  return make("table", {className: "sentences"}, caption, make("thead", {}, heading), ...groups);
}

function segmentGroup(data, state, segment) {
  const lower = (words) => data.lowercase ? words.map((word) => word.toLowerCase()) : words;
  const references = segment.references.map(readText);
  const hypotheses = segment.hypotheses.map(readText);
  const compared = hypotheses.map((one) => lower(one.words));
  const {directions} = data;
  const group = make("tbody", {id: `segment-${segment.segment}`}, groupHeading(data, state, segment));
  if (segment.source !== null) {
    group.append(textLine("source", make("td"), readText(segment.source), {}, "reference", directions.source));
  }
  references.forEach((one, i) => {
    const name = references.length > 1 ? `reference ${i + 1}` : "reference";
    group.append(textLine(name, make("td"), one, {}, "reference", directions.references));
  });
  hypotheses.forEach((one, system) => {
    if (!state.shown.has(system)) return;
    const found = matchNgrams(compared[system], references.map((own) => lower(own.words)), data.order);
    const other = system === state.left ? state.right : state.left;
    const differs = other === system ? [] : differing(compared[system], compared[other]);
    const score = scoreCell(segment.scores[system][state.metric], data.metrics[state.metric], found);
    // Where the metric says what is wrong, that is marked, and not what matches.
    const marks = data.metrics[state.metric].errors
      ? {errors: segment.errors?.[state.metric]?.[system] ?? []} : found;
    const kind = system === state.left || system === state.right ? "hypothesis chosen" : "hypothesis";
    group.append(textLine(data.systems[system], score, one, {...marks, differs}, kind, directions.systems[system]));
  });
  return group;
}

/**
 * Return links to the calculator of the chosen systems, where the page was opened from a server.
 *
 * They have all metrics whose scores the calculator computes from one sentence, and show the steps of the
 * chosen one. There are none if it does not compute that one.
 */
function calculatorLinks(data, state, segment) {
  const calculator = data.server?.calculator;
  const chosen = data.metrics[state.metric].calculator;
  if (!calculator || !chosen) return [];
  const metrics = data.metrics.map((metric) => metric.calculator).filter(Boolean);
  const references = segment.references.map(plainText);
  return [...new Set([state.left, state.right])].map((system) => {
    const hypothesis = plainText(segment.hypotheses[system]);
    const link = toLink({hypothesis, references, metrics, chosen: metrics.indexOf(chosen)});
    const made = make("a", {
      className: "detail", href: `${calculator}#${link}`, textContent: `Explain ${data.systems[system]}`,
      target: "_blank", rel: "noopener",
    });
    made.addEventListener("click", (event) => {
      // With a key or another button it opens where the reader wants it.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      showPanel(made.href, `${made.textContent}, segment ${segment.segment}`);
    });
    return made;
  });
}

/** Show the calculator in a panel beside the sentences, which stay as they are. */
function showPanel(address, title) {
  const panel = document.getElementById("panel");
  const close = make("button", {type: "button", textContent: "Close"});
  close.addEventListener("click", () => panel.close());
  panel.replaceChildren(
    make("div", {className: "controls"}, make("b", {id: "panel-title", textContent: title}), close,
      make("a", {href: address, target: "_blank", rel: "noopener", textContent: "Open in a tab of its own"})),
    make("iframe", {src: address, title}),
  );
  panel.showModal();
}

/** Return a button that shows the chosen systems word by word beneath the reference. */
function alignmentButton(data, state, segment) {
  const button = make("button", {type: "button", className: "small", textContent: "Word by word", ariaExpanded: "false"});
  button.addEventListener("click", () => {
    const group = button.closest("tbody");
    const shown = group.querySelector(".aligned");
    button.ariaExpanded = String(!shown);
    if (shown) shown.remove();
    else group.append(make("tr", {className: "aligned"}, make("td", {colSpan: 3}, alignment(data, state, segment))));
  });
  return button;
}

function groupHeading(data, state, segment) {
  const heading = make("th", {colSpan: 3, scope: "rowgroup"}, make("b", {textContent: `Segment ${segment.segment}`}));
  const {length, scores, buckets} = segment;
  const scoreOf = (system) => scores[system][state.metric];
  const details = [`${length} word${length === 1 ? "" : "s"}`];
  if (state.left !== state.right) {
    const lead = scoreOf(state.left) === null || scoreOf(state.right) === null ? NaN
      : leadOf(data.metrics[state.metric], scoreOf(state.left), scoreOf(state.right));
    const ahead = data.systems[lead > 0 ? state.left : state.right];
    if (lead === 0) details.push("same score");
    else if (!Number.isNaN(lead)) details.push([ahead, ` is better by ${sizeOf(lead, data.metrics[state.metric])}`]);
    details.push(...contributionOf(data, state, segment));
  }
  const missing = [...new Set([state.left, state.right])]
    .filter((system) => scoreOf(system) === null);
  if (missing.length) {
    const {name} = data.metrics[state.metric];
    const whose = missing.length === 2 || !several ? "" : data.systems[missing[0]];
    details.push(whose ? [`no ${name} score of `, whose] : `no ${name} score`);
  }
  data.divisions.forEach(({title, labels}, i) => {
    // The length of the reference is among the details already.
    if (title !== "tokens in the reference" && buckets[i] >= 0) details.push([`${title}: `, labels[buckets[i]]]);
  });
  for (const one of details) {
    const part = make("span", {className: "detail"});
    for (const text of [one].flat()) part.append(make("bdi", {textContent: text}));
    heading.append(part);
  }
  heading.append(" ", alignmentButton(data, state, segment), ...calculatorLinks(data, state, segment));
  return make("tr", {className: "segment"}, heading);
}

/** Return by how much a segment moves the difference between the scores of the test set, as a detail. */
function contributionOf(data, {left, right, metric}, {contributions}) {
  const [one, other] = [contributions[left][metric], contributions[right][metric]];
  if (one === null || other === null) return [];
  const lead = leadOf(data.metrics[metric], one, other);
  if (!lead) return [];
  const size = sizeOf(lead, {digits: data.metrics[metric].digits + FINER});
  return [[`moves the difference of all segments by ${size} towards `, data.systems[lead > 0 ? left : right]]];
}

/** Return the size of a difference, which is not 0, as text. */
function sizeOf(lead, {digits}) {
  const text = asText(Math.abs(lead), digits);
  return Number(text) ? text : `less than ${(10 ** -digits).toFixed(digits)}`;
}

function scoreCell(score, {digits}, {matched, totals}) {
  const counts = matched.map((count, i) => `${count}/${totals[i]}`)
    .filter((_, i) => totals[i]).join(" ");
  return make("td", {className: "score"}, score === null ? "" : asText(score, digits),
    make("small", {textContent: counts, title: COUNTS}));
}

function textLine(name, score, parsed, marks, kind, dir) {
  const text = make("td", {className: "text", dir});
  writeMarked(text, parsed, marks);
  if (!parsed.text.trim()) text.append(make("i", {className: "quiet", textContent: "(empty)"}));
  const heading = make("th", {scope: "row"}, nameOf(name));
  return make("tr", {className: kind}, heading, score, text);
}

/** Highlight the search phrase; the texts stay unchanged, since the browser paints ranges. */
function markFound(table, query) {
  const ranges = query ? [...table.querySelectorAll("td.text")].flatMap((cell) => rangesIn(cell, query)) : [];
  globalThis.CSS?.highlights?.set("search", new Highlight(...ranges));
  return ranges;
}

function rangesIn(cell, query) {
  const nodes = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let at = 0; walker.nextNode(); at += walker.currentNode.length) {
    nodes.push([at, walker.currentNode]);
  }
  const {text, places} = inLowerCase(cell.textContent);
  const ranges = [];
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    const begin = places ? places[at] : at;
    const end = places ? places[at + query.length] : at + query.length;
    const range = new Range();
    const place = (at) => nodes.findLast(([first]) => first <= at);
    const [first, start] = place(begin);
    const [last, stop] = place(Math.max(end - 1, begin));
    range.setStart(start, begin - first);
    range.setEnd(stop, end - last);
    ranges.push(range);
  }
  return ranges;
}

/** Return a text in lower case; if that is longer, also where each of its characters comes from. */
function inLowerCase(written) {
  const text = written.toLowerCase();
  if (text.length === written.length) return {text};
  const parts = [...written].map((mark) => [mark.length, mark.toLowerCase()]);
  const places = [];
  let at = 0;
  for (const [length, mark] of parts) {
    for (let i = 0; i < mark.length; i++) places.push(at);
    at += length;
  }
  return {text: parts.map(([, mark]) => mark).join(""), places: [...places, at]};
}
