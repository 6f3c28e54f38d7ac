// The table of scores: sorted by any column, shaded by score, with lines between clusters; and what
// moves the difference between the chosen systems.

const scoresTable = () => document.querySelector("#scores-title + .beside table");

/** Make the headers of the table buttons that sort it, and its scores buttons that show sentences. */
function bindScores() {
  const table = scoresTable();
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  rows.forEach((row, system) => { row.dataset.system = system; });
  heads.forEach((head, column) => {
    const button = make("button", {type: "button", className: "head"}, ...head.childNodes);
    button.addEventListener("click", () => {
      // A second click turns the order.
      Object.assign(state, {rankedBy: column, turned: state.rankedBy === column && !state.turned});
      sortScores();
      rememberState();
    });
    head.replaceChildren(button);
  });
  data.metrics.forEach((metric, number) => {
    const shades = shadesOf(metric, data.scores.map((own) => own[number]));
    rows.forEach((row, system) => {
      const cell = row.cells[number + 1];
      if (several && rows.length > 2) cell.style.setProperty("--share", `${shades[system]}%`);
      if (!several) return;
      const button = make("button", {type: "button", className: "cell", title: `sentences of ${data.systems[system]}`}, ...cell.childNodes);
      button.addEventListener("click", () => showSentencesOf(system, number));
      cell.replaceChildren(button);
    });
  });
  sortScores();
}

/** Return how good each score is, from 0 for the worst to 100 for the best. */
function shadesOf({higher}, scores) {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return scores.map((score) => low === high ? 0 : Math.round(100 * (higher ? score - low : high - score) / (high - low)));
}

/** Return the systems in the order of a metric, the best first. */
function ranked(number) {
  const {higher} = data.metrics[number];
  const key = (system) => (higher ? -1 : 1) * data.scores[system][number];
  return [...data.systems.keys()].sort((a, b) => key(a) - key(b));
}

/** Sort the table by the column of the state, the best first, or last where the order is turned. */
function sortScores() {
  if (!several) return;
  const {rankedBy: column, turned} = state;
  const table = scoresTable();
  const heads = [...table.tHead.rows[0].cells];
  const metric = data.metrics[column - 1];
  const best = metric && !metric.higher ? "ascending" : metric ? "descending" : "ascending";
  const order = metric ? ranked(column - 1) : [...data.systems.keys()].sort((a, b) => data.systems[a].localeCompare(data.systems[b]));
  if (turned) order.reverse();
  const direction = turned ? {ascending: "descending", descending: "ascending"}[best] : best;
  heads.forEach((head, at) => { head.ariaSort = at === column ? direction : null; });
  const rows = new Map([...table.tBodies[0].rows].map((row) => [Number(row.dataset.system), row]));
  const clusters = metric && data.clusters[column - 1];
  order.forEach((system, place) => {
    const row = rows.get(system);
    const next = order[place + 1];
    row.classList.toggle("cluster-end", Boolean(clusters) && next !== undefined && clusters[system] !== clusters[next]);
    table.tBodies[0].append(row);
  });
}

/** Show the sentences in which a system loses most to the best one; of the best, to the second. */
function showSentencesOf(system, number) {
  const [first, second] = ranked(number);
  Object.assign(state, {left: first, right: system === first ? second : system, sort: "contribution", descending: true});
  showOnly(data.metrics[number].name, {});
}

/** Show what moves the difference between the chosen systems; nothing where the score has no parts. */
function showWhy() {
  const {left, right, metric} = state;
  const found = data.parts[metric];
  byId("why").hidden = !found;
  if (!found) return;
  const {names, values, points, rule} = found;
  const {digits, name} = data.metrics[metric];
  const moved = several ? points[keyOf(state)] : null;
  const sign = left < right ? 1 : -1;
  const shown = several ? [left, right] : [left];
  const heading = ["part", ...shown.map((system) => data.systems[system]), ...moved ? ["moves the difference by"] : []];
  const signed = (number) => `${number < 0 ? "−" : "+"}${asText(Math.abs(number), digits)}`;
  const line = (text, cells, number) => make("tr", {}, make("th", {scope: "row", textContent: text}),
    ...cells.map((value) => make("td", {className: "number", textContent: value})),
    ...number === undefined ? [] : [pointsCell(number, signed, Math.max(...(moved ?? []).map(Math.abs)))]);
  const rows = names.map((text, i) =>
    line(text, shown.map((system) => values[system][i].toFixed(digits + 1)), moved?.[i] === undefined ? undefined : sign * moved[i]));
  const total = shown.map((system) => asText(data.scores[system][metric], digits));
  const difference = data.scores[left][metric] - data.scores[right][metric];
  rows.push(line(name, total, moved ? difference : undefined));
  byId("why-title").replaceChildren(...several
    ? ["Why ", nameOf(data.systems[left]), " and ", nameOf(data.systems[right]), ` differ in ${name}`] : [`What ${name} is made of`]);
  byId("why-table").replaceChildren(make("table", {className: "parts"},
    make("thead", {}, make("tr", {}, ...heading.map((text, i) => make("th", {scope: "col", className: i ? "number" : "", textContent: text})))),
    make("tbody", {}, ...rows)));
  byId("why-note").textContent = moved
    ? `${name} is the ${rule} of its parts. What each part moves adds up to the difference.`
    : `${name} is the ${rule} of its parts.`;
}

/** Return a cell with points and a bar of their size, to the left where they are negative. */
function pointsCell(number, signed, largest) {
  const bar = make("span", {className: number < 0 ? "bar less" : "bar"});
  bar.style.setProperty("--size", `${largest ? Math.round(100 * Math.min(1, Math.abs(number) / largest)) : 0}%`);
  return make("td", {className: "number"}, signed(number), bar);
}
