// Charts: Vega-Lite specifications drawn in the colours of the page, without a request.

/**
 * Return a specification with names in place of {left} and {right}, and the rows of its points. In
 * a title of several lines a name is the lines of `names.lines`.
 */
function completed(chart, names, rows) {
  const fill = (value) => {
    if (typeof value === "string") {
      return value.replace(/\{(left|right)\}/g, (whole, name) => names[name] ?? whole);
    }
    if (Array.isArray(value)) {
      return value.flatMap((one) => names.lines[/^\{(left|right)\}$/.exec(one)?.[1]] ?? [fill(one)]);
    }
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]));
  };
  return rows ? {...fill(chart), datasets: {sentences: rows}} : chart;
}

/** Draw a chart into an element, in place of its content, and pass on its view. */
async function drawChart(element, chart, theme, {canvas = false, use = () => {}} = {}) {
  const turn = (drawChart.turns.get(element) ?? 0) + 1;
  drawChart.turns.set(element, turn);
  const place = make("div", {className: "drawn"});
  place.style.minWidth = `${chart.usermeta?.least_width ?? 0}px`;
  element.replaceChildren(place);
  const result = await globalThis.bleuetEmbed(place, chart, {
    actions: false,
    ast: true,
    config: {...theme, background: "transparent", padding: {left: 4, right: 12, top: 8, bottom: 4}},
    defaultStyle: false,
    renderer: canvas ? "canvas" : "svg",
    tooltip: showTooltip,
  });
  // Another chart was requested in the meantime.
  if (drawChart.turns.get(element) !== turn) result.finalize();
  else use(result.view);
}
drawChart.turns = new WeakMap();

/** Show the values of a mark as plain text beside the pointer. */
function showTooltip(handler, event, item, value) {
  const tooltip = document.getElementById("tooltip");
  tooltip.hidden = value === null || typeof value !== "object";
  if (tooltip.hidden) return;
  const lines = Object.entries(value).filter(([, text]) => !["null", "undefined", null, undefined].includes(text));
  tooltip.replaceChildren(...lines.map(([name, text]) => {
    const shown = make("bdi");
    shown.textContent = String(text);
    return make("div", {}, `${name} `, shown);
  }));
  const room = document.documentElement.clientWidth - tooltip.offsetWidth - 8;
  tooltip.style.left = `${Math.max(Math.min(event.clientX + 12, room), 4)}px`;
  tooltip.style.top = `${Math.max(event.clientY - tooltip.offsetHeight - 12, 4)}px`;
}
