// The table of sentences: filtered, sorted, and shown page by page.

const PAGE = 25;
const COUNTS = "matching n-grams of 1, 2, 3 and 4 words, out of all";

/** Return the segments that pass all filters, in the selected order. */
function chosenRows(data, state) {
  const rows = [];
  const query = state.query.trim().toLowerCase();
  for (let row = 0; row < data.lengths.length; row++) {
    if (passes(data, state, row) && (!query || textsOf(data, row).includes(query))) rows.push(row);
  }
  const keys = sortKeys(data, state);
  const sign = state.descending ? -1 : 1;
  // Segments without a number come last in both orders.
  const compare = (a, b) => Number.isNaN(keys[a]) - Number.isNaN(keys[b])
    || sign * (keys[a] - keys[b]) || a - b;
  return rows.sort(compare);
}

function passes(data, state, row) {
  const {left, right, metric} = state;
  for (let i = 0; i < data.divisions.length; i++) {
    if (state.buckets[i] >= 0 && data.divisions[i].of[row] !== state.buckets[i]) return false;
  }
  if (state.ahead) {
    const lead = leadOf(data, row, left, right, metric);
    if (!(Number.isNaN(lead) ? false : Math.sign(lead) === {left: 1, right: -1, same: 0}[state.ahead])) {
      return false;
    }
  }
  if (state.low === null && state.high === null) return true;
  const systems = state.scoreOf < 0 ? data.scores : [data.scores[state.scoreOf]];
  return systems.some((own) => {
    const score = own[metric][row];
    return score !== null && score >= (state.low ?? -Infinity) && score <= (state.high ?? Infinity);
  });
}

/** Return how much better the left system is; of error rates, lower is better. */
function leadOf(data, row, left, right, metric) {
  const one = data.scores[left][metric][row];
  const other = data.scores[right][metric][row];
  if (one === null || other === null) return NaN;
  // Scores are rounded here, and their difference has the same digits.
  const {higher, digits} = data.metrics[metric];
  const unit = 10 ** digits;
  return Math.round((higher ? one - other : other - one) * unit) / unit;
}

function textsOf(data, row) {
  textsOf.kept ??= [];
  return textsOf.kept[row] ??= [
    ...data.references[row], ...data.hypotheses.map((own) => own[row]),
  ].map(plainText).join("\n").toLowerCase();
}

function sortKeys(data, {sort, left, right, metric}) {
  const rows = data.lengths.length;
  const key = {
    segment: (row) => row,
    length: (row) => data.lengths[row],
    lead: (row) => leadOf(data, row, left, right, metric),
    difference: (row) => Math.abs(leadOf(data, row, left, right, metric)),
  }[sort] ?? ((row) => data.scores[Number(sort)][metric][row] ?? NaN);
  return Float64Array.from({length: rows}, (_, row) => key(row));
}

/** Return the table of some segments: a group of lines for each, with its references first. */
function sentencesTable(data, state, rows) {
  const metric = data.metrics[state.metric].name;
  const heading = make("tr", {}, ...["System", metric, "Text"].map((text) =>
    make("th", {scope: "col", textContent: text})));
  const groups = rows.map((row) => segmentGroup(data, state, row));
  const caption = make("caption", {
    className: "for-screen-readers", textContent: "Segments with references and hypotheses",
  });
  return make("table", {className: "sentences"}, caption, make("thead", {}, heading), ...groups);
}

function segmentGroup(data, state, row) {
  const lower = (words) => data.lowercase ? words.map((word) => word.toLowerCase()) : words;
  const references = data.references[row].map(readText);
  const hypotheses = data.hypotheses.map((own) => readText(own[row]));
  const compared = hypotheses.map((one) => lower(one.words));
  const group = make("tbody", {id: `segment-${row + 1}`}, groupHeading(data, state, row));
  references.forEach((one, i) => {
    const name = references.length > 1 ? `reference ${i + 1}` : "reference";
    group.append(textLine(name, make("td"), one, {}, "reference"));
  });
  hypotheses.forEach((one, system) => {
    if (!state.shown.has(system)) return;
    const found = matchNgrams(compared[system], references.map((own) => lower(own.words)), data.order);
    const other = system === state.left ? state.right : state.left;
    const differs = other === system ? [] : differing(compared[system], compared[other]);
    const score = scoreCell(data.scores[system][state.metric][row], data.metrics[state.metric], found);
    const kind = system === state.left || system === state.right ? "hypothesis chosen" : "hypothesis";
    group.append(textLine(data.systems[system], score, one, {...found, differs}, kind));
  });
  return group;
}

function groupHeading(data, state, row) {
  const heading = make("th", {colSpan: 3, scope: "rowgroup"}, make("b", {textContent: `Segment ${row + 1}`}));
  const length = data.lengths[row];
  const details = [`${length} word${length === 1 ? "" : "s"}`];
  if (state.left !== state.right) {
    const lead = leadOf(data, row, state.left, state.right, state.metric);
    const ahead = data.systems[lead > 0 ? state.left : state.right];
    if (lead === 0) details.push("same score");
    else if (!Number.isNaN(lead)) details.push([ahead, ` is better by ${Math.abs(lead).toFixed(data.metrics[state.metric].digits)}`]);
  }
  const missing = [...new Set([state.left, state.right])]
    .filter((system) => data.scores[system][state.metric][row] === null);
  if (missing.length) {
    const {name} = data.metrics[state.metric];
    const whose = missing.length === 2 || !several ? "" : data.systems[missing[0]];
    details.push(whose ? [`no ${name} score of `, whose] : `no ${name} score`);
  }
  for (const {title, labels, of} of data.divisions) {
    // The length of the reference is among the details already.
    if (title !== "tokens in the reference" && of[row] >= 0) details.push([`${title}: `, labels[of[row]]]);
  }
  for (const one of details) {
    const part = make("span", {className: "detail"});
    for (const text of [one].flat()) part.append(make("bdi", {textContent: text}));
    heading.append(part);
  }
  return make("tr", {className: "segment"}, heading);
}

function scoreCell(score, {digits}, {matched, totals}) {
  const counts = matched.map((count, i) => `${count}/${totals[i]}`)
    .filter((_, i) => totals[i]).join(" ");
  return make("td", {className: "score"}, score === null ? "" : score.toFixed(digits),
    make("small", {textContent: counts, title: COUNTS}));
}

function textLine(name, score, parsed, marks, kind) {
  const text = make("td", {className: "text", dir: "auto"});
  writeMarked(text, parsed, marks);
  if (!parsed.text.trim()) text.append(make("i", {className: "quiet", textContent: "(empty)"}));
  const heading = make("th", {scope: "row"}, make("bdi", {textContent: name}));
  return make("tr", {className: kind}, heading, score, text);
}

/** Highlight the search phrase; the texts stay unchanged, since the browser paints ranges. */
function markFound(table, query) {
  if (!globalThis.CSS?.highlights) return;
  const wanted = query.trim().toLowerCase();
  const ranges = wanted ? [...table.querySelectorAll("td.text")].flatMap((cell) => rangesIn(cell, wanted)) : [];
  CSS.highlights.set("search", new Highlight(...ranges));
}

function rangesIn(cell, wanted) {
  const nodes = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let at = 0; walker.nextNode(); at += walker.currentNode.length) {
    nodes.push([at, walker.currentNode]);
  }
  const text = cell.textContent.toLowerCase();
  // Text in lower case may be longer, and places would be wrong.
  if (text.length !== cell.textContent.length) return [];
  const ranges = [];
  for (let begin = text.indexOf(wanted); begin >= 0; begin = text.indexOf(wanted, begin + wanted.length)) {
    const range = new Range();
    const place = (at) => nodes.findLast(([first]) => first <= at);
    const [first, start] = place(begin);
    const [last, end] = place(begin + wanted.length - 1);
    range.setStart(start, begin - first);
    range.setEnd(end, begin + wanted.length - last);
    ranges.push(range);
  }
  return ranges;
}
