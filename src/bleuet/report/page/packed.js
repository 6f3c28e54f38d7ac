// What the page holds of each segment: compressed, and read when it is used.

/** Return the rows that the page holds. */
async function readRows(data) {
  const rows = JSON.parse(new TextDecoder().decode(await inflated("packed-rows")));
  const scores = scoresFrom(await inflated("packed-scores"), data.systems.length, data.metrics.length);
  const contributions = scoresFrom(await inflated("packed-contributions"), data.systems.length, data.metrics.length);
  const texts = new PackedTexts(await inflated("packed-texts"), rows, data.systems.length);
  return new OwnRows(data, {...rows, scores, contributions, texts});
}

/** Return the bytes that an element has compressed and as base64. */
async function inflated(id) {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the scores by system, metric and row from the form of `packed_scores`, NaN for none. */
function scoresFrom(bytes, systems, metrics) {
  const size = Float64Array.BYTES_PER_ELEMENT;
  const count = bytes.length / size;
  const plain = new Uint8Array(bytes.length);
  for (let place = 0; place < size; place++) {
    for (let i = 0; i < count; i++) plain[i * size + place] = bytes[place * count + i];
  }
  // Browsers run on processors with the lowest byte first.
  const all = new Float64Array(plain.buffer);
  const rows = count / systems / metrics;
  return Array.from({length: systems}, (_, system) => Array.from({length: metrics}, (_, metric) => {
    const begin = (system * metrics + metric) * rows;
    return all.subarray(begin, begin + rows);
  }));
}

/** The texts in the form of `packed_texts`; those of a segment are read when it is shown. */
class PackedTexts {
  #bytes;
  #words;
  #counts;
  #others;
  #systems;
  // Where the texts of each segment begin, and how many texts before it are written in another way.
  #places;
  #before;

  constructor(bytes, {words, counts, others}, systems) {
    this.#bytes = bytes;
    this.#words = words;
    this.#counts = counts;
    this.#others = others;
    this.#systems = systems;
    this.#places = new Uint32Array(counts.length);
    this.#before = new Uint32Array(counts.length);
    this.#find();
  }

  #find() {
    let at = 0;
    let others = 0;
    for (let row = 0; row < this.#counts.length; row++) {
      this.#places[row] = at;
      this.#before[row] = others;
      for (let left = this.#counts[row] + this.#systems; left;) {
        const byte = this.#bytes[at++];
        if (byte > 127) while (this.#bytes[at++] > 127);
        else if (byte < 2) {
          left--;
          others += byte;
        }
      }
    }
  }

  /** Return the references and the hypotheses of a row, each as `with_spans` has it. */
  of(row) {
    let at = this.#places[row];
    let other = this.#before[row];
    const nextCode = () => {
      let code = 0;
      for (let factor = 1;; factor *= 128) {
        const byte = this.#bytes[at++];
        code += (byte & 127) * factor;
        if (byte < 128) return code;
      }
    };
    const nextText = () => {
      let text = "";
      const places = [];
      for (let code = nextCode(); code; code = nextCode()) {
        if (code === 1) return this.#others[other++];
        const word = this.#words[code - 2];
        if (!text) text = word.slice(1);
        else {
          if (word[0] !== " ") places.push(text.length);
          text += word;
        }
      }
      return places.length ? [text, places] : text;
    };
    const references = Array.from({length: this.#counts[row]}, nextText);
    return {references, hypotheses: Array.from({length: this.#systems}, nextText)};
  }
}
