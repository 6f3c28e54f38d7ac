// The state of charts and sentences in the address of the page, after the #, so that a link shows the same
// sentences and Back returns to those before.

// The fields that an address has, where they are not as at first.
const WHOLE_NUMBERS = {left: "systems", right: "systems", metric: "metrics", chart: "metrics"};
const NUMBERS = ["low", "high"];
const TEXTS = ["sort", "ahead", "query"];
const YES_OR_NO = ["descending", "turned"];

/** Return the state as an address has it: what differs from the state at first. */
function addressOf(data, state, initial) {
  const fields = new URLSearchParams();
  for (const name of [...Object.keys(WHOLE_NUMBERS), ...TEXTS, ...NUMBERS, "scoreOf", "division", "page", "rankedBy"]) {
    if (state[name] !== initial[name]) fields.set(name, state[name] ?? "");
  }
  for (const name of YES_OR_NO) if (state[name] !== initial[name]) fields.set(name, Number(state[name]));
  if (state.buckets.some((bucket) => bucket >= 0)) fields.set("buckets", state.buckets.join(" "));
  if (state.shown.size < data.systems.length) fields.set("shown", [...state.shown].sort((a, b) => a - b).join(" "));
  return fields.toString();
}

/** Return the state that an address describes; what it does not say, or says wrongly, is as at first. */
function stateFrom(data, text, initial) {
  const fields = new URLSearchParams(text);
  const state = {...initial};
  const whole = (name, limit) => {
    const value = fields.get(name);
    return value !== null && /^\d+$/.test(value) && Number(value) < limit ? Number(value) : state[name];
  };
  for (const [name, of] of Object.entries(WHOLE_NUMBERS)) state[name] = whole(name, data[of].length);
  state.scoreOf = whole("scoreOf", data.systems.length);
  state.page = whole("page", Infinity);
  // The first column has the names of systems.
  state.rankedBy = whole("rankedBy", data.metrics.length + 1);
  state.division = whole("division", byId("chart-division").options.length);
  for (const name of TEXTS) state[name] = fields.get(name) ?? state[name];
  if (!SORTS.includes(state.sort) && !(state.sort in data.systems)) state.sort = initial.sort;
  if (!["left", "right", "same"].includes(state.ahead)) state.ahead = "";
  for (const name of NUMBERS) state[name] = number({value: fields.get(name) ?? ""});
  for (const name of YES_OR_NO) if (fields.has(name)) state[name] = fields.get(name) === "1";
  const listed = (name) => fields.get(name).split(" ").filter(Boolean).map(Number);
  if (fields.has("buckets")) {
    const buckets = listed("buckets");
    state.buckets = data.divisions.map(({labels}, i) => labels[buckets[i]] === undefined ? -1 : buckets[i]);
  }
  if (fields.has("shown")) state.shown = new Set(listed("shown").filter((system) => system in data.systems));
  if (state.left === state.right && data.systems.length > 1) Object.assign(state, {left: initial.left, right: initial.right});
  return state;
}

/** Put a state into the address: as a new entry of the history, or in place of the last one. */
function remember(text, {anew}) {
  if (text === location.hash.slice(1)) return;
  const address = text ? `#${text}` : location.pathname + location.search;
  try {
    if (anew) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  } catch {
    // A page inside a notebook has no address.
  }
}
