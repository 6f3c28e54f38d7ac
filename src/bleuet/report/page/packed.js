// The data of the page: what takes most space is compressed, and read once.

/** Return all data, with the texts and the numbers of every segment. */
async function readData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const rows = JSON.parse(new TextDecoder().decode(await inflated("packed-rows")));
  const {words, counts, others, ...numbers} = rows;
  const scores = scoresFrom(await inflated("packed-scores"), data.systems.length, data.metrics.length);
  const texts = textsFrom(await inflated("packed-texts"), {words, counts, others, systems: data.systems.length});
  return {...data, ...numbers, scores, ...texts};
}

/** Return the bytes that an element has compressed and as base64. */
async function inflated(id) {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the scores by system, metric and segment from the form of `packed_scores`. */
function scoresFrom(bytes, systems, metrics) {
  const size = 8;
  const count = bytes.length / size;
  const plain = new Uint8Array(bytes.length);
  for (let place = 0; place < size; place++) {
    for (let i = 0; i < count; i++) plain[i * size + place] = bytes[place * count + i];
  }
  const view = new DataView(plain.buffer);
  const rows = count / systems / metrics;
  const score = (i) => {
    const found = view.getFloat64(i * size, true);
    return Number.isNaN(found) ? null : found;
  };
  return Array.from({length: systems}, (_, system) => Array.from({length: metrics}, (_, metric) =>
    Array.from({length: rows}, (_, row) => score((system * metrics + metric) * rows + row))));
}

/**
 * Return the texts from the form of `packed_texts`, each as `with_spans` has it: of the references
 * of each segment, and of each system.
 */
function textsFrom(bytes, {words, counts, others, systems}) {
  let at = 0;
  let other = 0;
  const nextCode = () => {
    let code = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = bytes[at++];
      code += (byte & 127) * factor;
      if (byte < 128) return code;
    }
  };
  const nextText = () => {
    let text = "";
    const places = [];
    for (let code = nextCode(); code; code = nextCode()) {
      if (code === 1) return others[other++];
      const word = words[code - 2];
      if (!text) text = word.slice(1);
      else {
        if (word[0] !== " ") places.push(text.length);
        text += word;
      }
    }
    return places.length ? [text, places] : text;
  };
  const references = [];
  const hypotheses = Array.from({length: systems}, () => []);
  for (const count of counts) {
    references.push(Array.from({length: count}, nextText));
    for (const own of hypotheses) own.push(nextText());
  }
  return {references, hypotheses};
}
