// Links to the calculator. They hold all that it shows after the #, which browsers send to no server.

// What is in a link; those of version 1 have one metric.
const VERSION = 2;

/**
 * Return what stands after the # of a link.
 *
 * The state is the hypothesis, the list of references, the list of metrics, each with `name` and
 * `options`, and which of them is chosen, from 0.
 */
function toLink(state) {
  const bytes = new TextEncoder().encode(JSON.stringify({v: VERSION, ...state}));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the state that a link holds, null if it holds none. */
function fromLink(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return soundState(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

function soundState({v, hypothesis, references, metric, options, metrics, chosen}) {
  const several = v === 1 ? [{name: metric, options: options ?? {}}] : metrics;
  const texts = [hypothesis, ...references, ...several.map(({name}) => name)];
  const sound = (v === 1 || v === VERSION) && references.length && several.length
    && texts.every((one) => typeof one === "string")
    && several.every((one) => typeof one.options === "object" && one.options !== null);
  const known = Number.isInteger(chosen) && several[chosen] ? chosen : 0;
  return sound ? {hypothesis, references, metrics: several, chosen: known} : null;
}
