// The controls of the page, and what each of them changes.

let data;
let rows;
let several;
const state = {};
const byId = (id) => document.getElementById(id);

// The orders of segments beside those by the score of a system.
const SORTS = ["impact", "contribution", "difference", "lead", "segment", "length"];
const OF_LARGEST = ["impact", "contribution", "difference", "lead"];

/** Return the state at first: the first system and the second, the largest effect first. */
function initialState() {
  return {
    left: 0, right: several ? 1 : 0, metric: 0, chart: 0, division: 0, rankedBy: 1, turned: false,
    sort: several ? "impact" : "segment", descending: several,
    ...withoutFilters(),
  };
}

function withoutFilters() {
  return {
    query: "", ahead: "", scoreOf: -1, low: null, high: null, page: 0,
    buckets: data.divisions.map(() => -1), shown: new Set(data.systems.keys()),
  };
}

/** Fill a select with [value, text] pairs. */
function fillSelect(select, options, value) {
  select.replaceChildren(...options.map(([own, text]) => make("option", {value: own, textContent: text})));
  select.value = String(value);
}

const numbered = (names) => names.map((name, i) => [String(i), name]);

function fillControls() {
  const systems = numbered(data.systems);
  const names = [data.systems[state.left], data.systems[state.right]];
  fillSelect(byId("left"), systems, state.left);
  fillSelect(byId("right"), systems, state.right);
  fillSelect(byId("metric"), numbered(data.metrics.map(({name}) => name)), state.metric);
  fillSelect(byId("why-left"), systems, state.left);
  fillSelect(byId("why-right"), systems, state.right);
  fillSelect(byId("why-metric"), numbered(data.metrics.map(({name}) => name)), state.metric);
  showWhy();
  const ofPair = [
    ["impact", "effect on the difference of all segments"],
    ["contribution", `effect in favour of ${names[0]}`],
    ["difference", "difference of the sentence scores"],
    ["lead", `advantage of ${names[0]} in sentence score`],
  ];
  fillSelect(byId("sort"), [
    ...several ? ofPair : [],
    ["segment", "segment number"],
    ["length", "words in the reference"],
    ...systems.map(([i, name]) => [i, `score of ${name}`]),
  ], state.sort);
  fillSelect(byId("ahead"), [
    ["", "any"], ["left", names[0]], ["right", names[1]], ["same", "none: same score"],
  ], state.ahead);
  fillSelect(byId("score-of"), [["-1", "any system"], ...systems], state.scoreOf);
  byId("direction").textContent = state.descending ? "↓ largest first" : "↑ smallest first";
  byId("query").value = state.query;
  byId("low").value = state.low ?? "";
  byId("high").value = state.high ?? "";
  fillDivisions();
  fillShown();
}

function fillDivisions() {
  const selects = data.divisions.map(({title, labels}, i) => {
    const select = make("select");
    fillSelect(select, [["-1", "all"], ...numbered(labels)], state.buckets[i]);
    select.addEventListener("change", () => {
      state.buckets[i] = Number(select.value);
      update();
    });
    return make("label", {}, make("bdi", {textContent: title}), " ", select);
  });
  byId("divisions").replaceChildren(byId("divisions").firstElementChild, ...selects);
  byId("divisions").hidden = !selects.length;
}

function fillShown() {
  const boxes = data.systems.map((name, system) => {
    const box = make("input", {type: "checkbox", checked: state.shown.has(system)});
    box.addEventListener("change", () => {
      if (box.checked) state.shown.add(system);
      else state.shown.delete(system);
      // A phrase is searched in the texts that are shown.
      if (state.query) update();
      else showPage();
    });
    return make("label", {}, box, nameOf(name));
  });
  byId("shown").replaceChildren(byId("shown").firstElementChild, ...boxes);
  byId("shown").hidden = !several;
}

/** Filter and sort again, and show the first page. */
function update() {
  state.page = 0;
  return showPage();
}

async function showPage({anew = true} = {}) {
  const turn = showPage.turn = {};
  let answer;
  try {
    answer = await rows.find(state, state.page * PAGE, PAGE);
  } catch (error) {
    if (showPage.turn === turn) byId("count").textContent = `No answer: ${error.message}`;
    return;
  }
  // Another page was requested in the meantime.
  if (showPage.turn !== turn) return;
  state.found = answer.found;
  byId("count").textContent = countText(answer.found);
  const table = answer.segments.length ? sentencesTable(data, state, answer.segments) : nothingFound();
  byId("table").replaceChildren(table);
  state.marked = markFound(table, wanted(state));
  fillLegend();
  showHits(answer);
  showLeads();
  showQuick();
  showNgrams();
  document.querySelectorAll("nav.pages").forEach(fillPages);
  rememberState({anew});
}

/** Put the state into the address; while one types, the history has no entry for every letter. */
function rememberState({anew = true} = {}) {
  const typing = document.activeElement?.matches("input");
  remember(addressOf(data, state, initialState()), {anew: anew && !typing});
}

/** Show the state that the address describes, which is no new entry of the history. */
async function showAddress() {
  Object.assign(state, stateFrom(data, location.hash.slice(1), initialState()));
  fillControls();
  fillCharts();
  sortScores();
  drawWhere();
  drawScatter();
  await showPage({anew: false});
}

/** Return how many segments there are, how many pass the filters, and how many a large page leaves out. */
function countText(found) {
  const [here, all] = [rows.length, data.segments].map((count) => count.toLocaleString("en"));
  if (found < rows.length) {
    return `${found.toLocaleString("en")} of ${here} segments${here === all ? "" : " on this page"}`;
  }
  return here === all ? `${all} segments` : `${here} segments on this page, of ${all} in the test set`;
}

function nothingFound() {
  const query = state.query.trim();
  const text = query ? `No segment that passes the filters has “${query}” in a text that is shown.`
    : "No segment passes all filters.";
  const button = make("button", {type: "button", textContent: query ? "Clear the search" : "Clear all filters"});
  button.addEventListener("click", () => {
    Object.assign(state, query ? {query: ""} : withoutFilters());
    fillControls();
    update();
    byId("query").focus();
  });
  return make("div", {className: "nothing"}, make("p", {textContent: text}), button);
}

/** Show what the search has found. */
function showHits({found, hits}) {
  byId("hits").textContent = "";
  if (!wanted(state)) return;
  const times = hits === 1 ? "found once" : `found ${hits.toLocaleString("en")} times`;
  byId("hits").textContent = hits ? `${times}, in ${segments(found)}; Enter goes to the first` : "not found";
}

const segments = (count) => `${count.toLocaleString("en")} segment${count === 1 ? "" : "s"}`;

/** Show in how many segments each system of the pair is better. */
function showLeads() {
  byId("leads").hidden = !several;
  if (!several) return;
  const {left, right, metric} = state;
  const counts = leadsOf(data, state);
  const name = (system) => make("b", {}, nameOf(data.systems[system]));
  byId("leads").replaceChildren(
    "By ", make("bdi", {textContent: data.metrics[metric].name}), ", ", name(left),
    ` is better in ${segments(counts.left)} and `, name(right), ` in ${counts.right.toLocaleString("en")}; `,
    `both have the same score in ${counts.same.toLocaleString("en")}.`,
  );
}

/** Offer the two questions that readers have of a pair: where it got worse, and where better. */
function showQuick() {
  byId("quick").hidden = !several;
  if (!several) return;
  const name = data.systems[state.right];
  const button = (word, descending) => {
    const made = make("button", {
      type: "button", ariaPressed: String(state.sort === "contribution" && state.descending === descending),
    }, "Where ", nameOf(name), ` is ${word}`);
    made.addEventListener("click", () => {
      Object.assign(state, {sort: "contribution", descending});
      fillControls();
      update();
    });
    return made;
  };
  byId("quick").replaceChildren(button("worse", true), " ", button("better", false));
}

/** Show the n-grams that each system of the pair matches more often. */
function showNgrams() {
  const found = data.ngrams[keyOf(state)];
  byId("ngrams").hidden = !found;
  if (!found) return;
  const first = Math.min(state.left, state.right);
  byId("ngram-lists").replaceChildren(...[state.left, state.right].map((better) => make("div", {},
    make("p", {}, nameOf(data.systems[better]), " matches more often"),
    ngramList(found[better === first ? 0 : 1], better === first))));
}

/** Return n-grams as buttons that search them, with the matches of the better system and of the other. */
function ngramList(ngrams, isFirst) {
  if (!ngrams.length) return make("p", {className: "quiet", textContent: "none"});
  return make("ul", {className: "ngrams"}, ...ngrams.map(({words, written, left, right}) => {
    const button = make("button", {type: "button", dir: data.directions.references}, make("bdi", {textContent: words}));
    button.addEventListener("click", () => {
      Object.assign(state, withoutFilters(), {query: written});
      fillControls();
      update();
      byId("count").scrollIntoView({block: "nearest"});
    });
    return make("li", {}, button, isFirst ? ` ${left} : ${right}` : ` ${right} : ${left}`);
  }));
}

function goToHit() {
  const [first] = state.marked;
  first?.startContainer.parentElement.scrollIntoView({block: "center"});
}

function fillPages(nav) {
  const last = Math.max(Math.ceil(state.found / PAGE) - 1, 0);
  const button = (text, label, page) => {
    const made = make("button", {
      type: "button", textContent: text, ariaLabel: label, disabled: page < 0 || page > last || page === state.page,
    });
    made.addEventListener("click", async () => {
      state.page = page;
      await showPage();
      byId("count").scrollIntoView({block: "start"});
    });
    return made;
  };
  nav.hidden = last === 0;
  nav.replaceChildren(
    button("«", "first page", 0), button("‹", "previous page", state.page - 1),
    make("span", {textContent: `page ${state.page + 1} of ${last + 1}`}),
    button("›", "next page", state.page + 1), button("»", "last page", last),
  );
}

/** Show one segment in the order of the test set. */
async function goTo(segment) {
  Object.assign(state, withoutFilters(), {sort: "segment", descending: false});
  fillControls();
  state.page = Math.floor(rows.placeOf(segment) / PAGE);
  await showPage();
  const group = byId(`segment-${segment}`);
  group.tabIndex = -1;
  group.focus({preventScroll: true});
  group.scrollIntoView({block: "start"});
}

// --- Controls ------------------------------------------------------------------------------------

/** Connect a control with the state: how its value is read, and what follows. */
function bind(id, event, read, follow = update) {
  byId(id).addEventListener(event, () => {
    read(byId(id));
    follow();
  });
}

const number = ({value}) => value === "" || Number.isNaN(Number(value)) ? null : Number(value);

function pairChanged() {
  fillControls();
  update();
  drawScatter();
}

function bindControls() {
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const before of ["", "why-"]) {
    bind(`${before}left`, "change", ({value}) => { choose("left", "right", Number(value)); }, pairChanged);
    bind(`${before}right`, "change", ({value}) => { choose("right", "left", Number(value)); }, pairChanged);
    bind(`${before}metric`, "change", ({value}) => { state.metric = Number(value); }, pairChanged);
  }
  bind("sort", "change", ({value}) => {
    state.sort = value;
    state.descending = OF_LARGEST.includes(value);
    fillControls();
  });
  bind("direction", "click", () => {
    state.descending = !state.descending;
    fillControls();
  });
  bind("query", "input", ({value}) => { state.query = value; });
  byId("query").addEventListener("keydown", ({key}) => { if (key === "Enter") goToHit(); });
  bind("ahead", "change", ({value}) => { state.ahead = value; });
  bind("score-of", "change", ({value}) => { state.scoreOf = Number(value); });
  bind("low", "input", (input) => { state.low = number(input); });
  bind("high", "input", (input) => { state.high = number(input); });
  bind("reset", "click", () => {
    Object.assign(state, withoutFilters());
    fillControls();
  });
  byId("scatter").addEventListener("toggle", drawScatter);
}

/** Select a system for one side; if the other side has it, the two are swapped. */
function choose(side, other, system) {
  if (state[other] === system) state[other] = state[side];
  state[side] = system;
}

// --- Charts --------------------------------------------------------------------------------------

const darkWanted = matchMedia("(prefers-color-scheme: dark)");
let dark = darkWanted.matches;
const colours = () => data.themes[dark ? "dark" : "light"];

function drawAll() {
  const places = data.charts.scores.map(() => make("div", {className: "chart"}));
  byId("scores-charts").replaceChildren(...places);
  data.charts.scores.forEach(({chart, title}, i) => drawChart(places[i], chart, colours(), {use: offered(places[i], `scores ${title}`)}));
  drawWhere();
  drawScatter();
}

function drawWhere() {
  const metric = data.metrics[state.chart].name;
  const select = byId("chart-division");
  const bars = data.charts.buckets.filter((one) => one.metric === metric)[Number(select.value)];
  if (bars) {
    const division = data.divisions.findIndex(({title}) => title === select.selectedOptions[0].text);
    const use = clicked((item) => showBucket(metric, division, item?.datum));
    byId("bars").hidden = division < 0;
    const offer = offered(byId("buckets-chart"), bars.title, division < 0 ? () => {} : use);
    drawChart(byId("buckets-chart"), bars.chart, colours(), {use: offer});
  }
  const spread = data.charts.histogram.find((one) => one.metric === metric);
  const use = clicked((item, place) => showBin(metric, spread.bins, item?.datum?.system, place));
  drawChart(byId("histogram-chart"), spread.chart, colours(), {use: offered(byId("histogram-chart"), `distribution ${metric}`, use)});
}

/** Return what offers a chart as pictures once it is drawn, and passes its view on. */
function offered(element, name, use = () => {}) {
  return (view) => {
    offerChart(element, view, name);
    use(view);
  };
}

/** Return what connects a view with a click on an item, at a place from 0 to 1 across the plot. */
function clicked(follow) {
  return (view) => view.addEventListener("click", (event, item) => {
    const plot = view.container().querySelector(".mark-group.role-frame.root .background").getBoundingClientRect();
    follow(item, (event.clientX - plot.left) / plot.width);
  });
}

/** Show the segments of a bucket, and beside the first system the one whose bar was clicked. */
function showBucket(metric, division, datum) {
  const bucket = data.divisions[division].labels.indexOf(datum?.bucket);
  if (bucket < 0) return;
  const system = data.systems.indexOf(datum.system);
  if (system > 0 && system !== state.left) state.right = system;
  showOnly(metric, {buckets: data.divisions.map((_, i) => i === division ? bucket : -1)});
}

/** Show the segments with scores in the bin at a place: of one system, or of any. */
function showBin(metric, bins, name, place) {
  if (place < 0 || place >= 1) return;
  const edge = bins[0] + place * (bins.at(-1) - bins[0]);
  const bin = bins.findLastIndex((begin) => begin <= edge);
  const {digits} = data.metrics.find((one) => one.name === metric);
  // The first bin has all lower scores, too, and the last one all higher scores.
  showOnly(metric, {
    scoreOf: data.systems.indexOf(name),
    low: bin === 0 ? null : bins[bin],
    high: bin === bins.length - 2 ? null : Number((bins[bin + 1] - 10 ** -digits).toFixed(digits)),
  });
}

/** Show the segments that some filters select, by the metric of a chart. */
async function showOnly(metric, filters) {
  const number = data.metrics.findIndex(({name}) => name === metric);
  const other = number !== state.metric;
  Object.assign(state, withoutFilters(), filters, {metric: number});
  fillControls();
  byId("filters").open = true;
  if (other) drawScatter();
  await update();
  byId("count").scrollIntoView({block: "start"});
}

function drawScatter() {
  byId("scatter").hidden = !several;
  if (!several || !byId("scatter").open) return;
  const {left, right, metric} = state;
  const {digits} = data.metrics[metric];
  const points = rows.points(state).map(([segment, x, y]) => ({segment, left: rounded(x, digits), right: rounded(y, digits)}));
  if (!points.length) {
    byId("scatter-chart").replaceChildren(make("p", {
      className: "nothing", textContent: "No segment has a score of both systems.",
    }));
    return;
  }
  byId("points").textContent = `${whichPoints(points.length)} Click a point to show its sentences.`;
  const names = {
    left: data.systems[left], right: data.systems[right],
    lines: {left: data.lines[left], right: data.lines[right]},
  };
  const chart = completed(data.charts.scatter[metric].chart, names, points);
  const follow = (view) => view.addEventListener("click", (event, item) => item?.datum?.segment && goTo(item.datum.segment));
  const use = offered(byId("scatter-chart"), `sentences ${data.metrics[metric].name} ${names.left} ${names.right}`, follow);
  drawChart(byId("scatter-chart"), chart, colours(), {canvas: true, use});
}

/** Return which segments are points. */
function whichPoints(drawn) {
  if (drawn === data.segments) return "Each point is a segment.";
  const sampled = drawn === data.most_points && drawn < rows.length;
  const whole = rows.length < data.segments ? "those on this page" : "all";
  return `Each of ${segments(drawn)}${sampled ? `, an even sample of ${whole},` : ""} is a point.`;
}

function bindCharts() {
  const metrics = data.metrics.map(({name}) => name);
  fillSelect(byId("chart-metric"), numbered(metrics), 0);
  byId("chart-metric-label").hidden = metrics.length < 2;
  const divided = data.charts.buckets.filter(({metric}) => metric === metrics[0]);
  const titles = divided.map(({title, metric}) => title.slice(metric.length + " by ".length));
  fillSelect(byId("chart-division"), numbered(titles), 0);
  byId("buckets-chart").closest("figure").hidden = !divided.length;
  byId("bins").hidden = false;
  const follow = () => {
    drawWhere();
    rememberState();
  };
  bind("chart-metric", "change", ({value}) => { state.chart = Number(value); }, follow);
  bind("chart-division", "change", ({value}) => { state.division = Number(value); }, follow);
}

/** Show which charts the state has chosen. */
function fillCharts() {
  byId("chart-metric").value = String(state.chart);
  if (byId("chart-division").options.length) byId("chart-division").value = String(state.division);
}

// --- Light and dark ------------------------------------------------------------------------------

function setTheme(wanted) {
  dark = wanted;
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark";
  byId("theme").ariaLabel = dark ? "light colours" : "dark colours";
  drawAll();
}

function fillLegend() {
  const {name, errors} = data.metrics[state.metric];
  const shades = errors
    ? ["minor", "major", "critical"].map((text) => make("span", {className: `error ${text}`, textContent: text}))
    : ["1 word", "2 words", "3 words", "4 words or more"].map((text, i) =>
      make("span", {className: `m${i + 1}`, textContent: text}));
  byId("legend").replaceChildren(errors ? `Errors that ${name} finds: ` : "Longest match with a reference: ",
    ...shades.flatMap((one) => [one, " "]));
  if (several) {
    byId("legend").append(
      make("span", {className: "differs", textContent: "underlined"}),
      ": not in the other system of the pair"
        + (data.systems.length > 2 ? "; in further systems: not in the first system of the pair" : ""),
    );
  }
  byId("legend").append(make("div", {
    className: "quiet", textContent: `The fractions below a score, such as 11/16 3/15: ${COUNTS}.`,
  }));
}

async function start() {
  data = JSON.parse(byId("data").textContent);
  try {
    rows = await (data.server ? servedRows(data) : readRows(data));
  } catch (error) {
    byId("count").textContent = `No answer: ${error.message}`;
    return;
  }
  several = data.systems.length > 1;
  bindCharts();
  Object.assign(state, stateFrom(data, location.hash.slice(1), initialState()));
  addEventListener("popstate", showAddress);
  byId("pair").hidden = byId("why-pair").hidden = byId("ahead-filter").hidden = !several;
  byId("theme").hidden = false;
  byId("theme").addEventListener("click", () => setTheme(!dark));
  darkWanted.addEventListener("change", () => setTheme(darkWanted.matches));
  fillControls();
  fillCharts();
  bindControls();
  bindScores();
  offerTables();
  byId("save-sentences").replaceChildren(saveButtons(["CSV", "save these segments as CSV", async () =>
    saveFile("sentences.csv", await sentencesAsCSV(data, rows, state), "text/csv")]));
  showPage({anew: false});
  setTheme(dark);
}

start();
