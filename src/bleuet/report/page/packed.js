// What the page holds of each segment: compressed, and read when it is used.

/** Return the rows that the page holds. */
async function readRows(data) {
  const {rows, lengths, buckets, ...ofTexts} = JSON.parse(new TextDecoder().decode(await inflated("packed-rows")));
  const columns = async (id) => bySystem(columnsOf(numbersFrom(await inflated(id)), lengths.length), data.metrics.length);
  const scores = await columns("packed-scores");
  const contributions = await columns("packed-contributions");
  const texts = new PackedTexts(await inflated("packed-texts"), ofTexts, data.systems.length);
  return new Rows(data, {rows, lengths, buckets, scores, contributions}, texts);
}

/** Return the bytes that an element has compressed and as base64. */
async function inflated(id) {
  const packed = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return numbers from the form of `packed_scores`, NaN for none. */
function numbersFrom(bytes) {
  const size = Float64Array.BYTES_PER_ELEMENT;
  const count = bytes.length / size;
  const plain = new Uint8Array(bytes.length);
  for (let place = 0; place < size; place++) {
    for (let i = 0; i < count; i++) plain[i * size + place] = bytes[place * count + i];
  }
  // Browsers run on processors with the lowest byte first.
  return new Float64Array(plain.buffer);
}

/** The texts in the form of `packed_texts`; those of a segment are read when it is shown. */
class PackedTexts {
  #bytes;
  #words;
  #counts;
  #others;
  #sources;
  #errors;
  #systems;
  // Where the texts of each segment begin, and how many texts before it are written in another way.
  #places;
  #before;
  // The texts of a row in lower case, once they were searched.
  #lowered = [];

  constructor(bytes, {words, counts, others, sources, errors}, systems) {
    this.#bytes = bytes;
    this.#words = words;
    this.#counts = counts;
    this.#others = others;
    this.#sources = sources;
    this.#errors = errors;
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

  async read(rows) {
    return rows.map((row) => this.#read(row));
  }

  /** Return how often each row that has a phrase has it, in lower case, in the texts that are shown. */
  async search(query, shown) {
    const found = new Map();
    for (let row = 0; row < this.#counts.length; row++) {
      const [beside, ...hypotheses] = this.#inLowerCase(row);
      const hits = [beside, ...shown.map((system) => hypotheses[system])]
        .reduce((sum, text) => sum + text.split(query).length - 1, 0);
      if (hits) found.set(row, hits);
    }
    return found;
  }

  /** Return the source and the references of a row as one text, and the hypothesis of each system. */
  #inLowerCase(row) {
    if (!this.#lowered[row]) {
      const {source, references, hypotheses} = this.#read(row);
      const texts = [[source ?? "", ...references.map(plainText)].join("\n"), ...hypotheses.map(plainText)];
      this.#lowered[row] = texts.map((text) => text.toLowerCase());
    }
    return this.#lowered[row];
  }

  /** Return the source, references and hypotheses of a row as `with_spans` has them, and errors by metric and system. */
  #read(row) {
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
    const hypotheses = Array.from({length: this.#systems}, nextText);
    return {source: this.#sources?.[row] ?? null, references, hypotheses, ...this.#errors[row] && {errors: this.#errors[row]}};
  }
}
