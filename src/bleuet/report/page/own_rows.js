// The segments that the page itself holds: filtered, sorted and searched here, since a report has no
// server. The page of a server holds only the segments that it shows (`served_rows.js`), so
// `web/sentence_rows.py` does the same there. Tests send the same requests to both.

class OwnRows {
  #data;
  #held;
  #lowered = [];
  // The rows found last, and of which state.
  #found = {key: null};

  constructor(data, held) {
    this.#data = data;
    this.#held = held;
  }

  /** How many segments there are here. */
  get length() {
    return this.#held.lengths.length;
  }

  /** Return some of the segments that pass all filters, how many there are, and hits of the search. */
  async find(state, first, count) {
    const {rows, hits} = this.#chosen(state);
    return {found: rows.length, hits, segments: rows.slice(first, first + count).map((row) => this.#segment(row))};
  }

  /** Return how many segments are before one in the order of the test set. */
  async placeOf(segment) {
    const {rows} = this.#held;
    return rows ? rows.indexOf(segment - 1) : segment - 1;
  }

  /** Return the segments with scores of two systems, or an even sample of them, as points. */
  async points({left, right, metric}) {
    const [across, up] = [this.#held.scores[left][metric], this.#held.scores[right][metric]];
    const scored = [...across.keys()].filter((row) => !Number.isNaN(across[row] + up[row]));
    const drawn = Math.min(scored.length, this.#data.most_points);
    return Array.from({length: drawn}, (_, number) => {
      const row = scored[Math.floor(number * scored.length / drawn)];
      return [this.#number(row), across[row], up[row]];
    });
  }

  #number(row) {
    return (this.#held.rows?.[row] ?? row) + 1;
  }

  #segment(row) {
    const {lengths, buckets, scores, contributions, sources, texts} = this.#held;
    const present = (score) => Number.isNaN(score) ? null : score;
    const numbers = (columns) => columns.map((own) => own.map((column) => present(column[row])));
    return {
      segment: this.#number(row), length: lengths[row], buckets: buckets.map((of) => of[row]),
      scores: numbers(scores), contributions: numbers(contributions),
      source: sources ? sources[row] : null, ...texts.of(row),
    };
  }

  #chosen(state) {
    const {page, found, marked, shown, chart, division, ...wanted} = state;
    const key = JSON.stringify([wanted, [...shown]]);
    if (this.#found.key === key) return this.#found;
    const query = state.query.trim().toLowerCase();
    const rows = [];
    let hits = 0;
    for (let row = 0; row < this.length; row++) {
      if (!this.#passes(state, row)) continue;
      const own = query ? this.#hits(query, state, row) : 0;
      if (query && !own) continue;
      rows.push(row);
      hits += own;
    }
    const keys = this.#sortKeys(state);
    const sign = state.descending ? -1 : 1;
    // Segments without a number come last in both orders.
    rows.sort((a, b) => Number.isNaN(keys[a]) - Number.isNaN(keys[b]) || sign * (keys[a] - keys[b]) || a - b);
    return this.#found = {key, rows, hits};
  }

  #passes(state, row) {
    const {buckets, scores} = this.#held;
    for (let i = 0; i < buckets.length; i++) {
      if (state.buckets[i] >= 0 && buckets[i][row] !== state.buckets[i]) return false;
    }
    if (state.ahead && Math.sign(this.#lead(row, state)) !== {left: 1, right: -1, same: 0}[state.ahead]) return false;
    if (state.low === null && state.high === null) return true;
    const systems = state.scoreOf < 0 ? scores : [scores[state.scoreOf]];
    return systems.some((own) => {
      const score = own[state.metric][row];
      if (Number.isNaN(score)) return false;
      const seen = rounded(score, this.#data.metrics[state.metric].digits);
      return seen >= (state.low ?? -Infinity) && seen <= (state.high ?? Infinity);
    });
  }

  /** Return how much better the left system is, or its contribution; NaN without those of both. */
  #lead(row, {left, right, metric}, numbers = this.#held.scores) {
    return leadOf(this.#data.metrics[metric], numbers[left][metric][row], numbers[right][metric][row]);
  }

  #sortKeys(state) {
    const key = {
      segment: (row) => row,
      length: (row) => this.#held.lengths[row],
      lead: (row) => this.#lead(row, state),
      difference: (row) => Math.abs(this.#lead(row, state)),
      contribution: (row) => this.#lead(row, state, this.#held.contributions),
      impact: (row) => Math.abs(this.#lead(row, state, this.#held.contributions)),
    }[state.sort] ?? ((row) => this.#held.scores[Number(state.sort)][state.metric][row]);
    return Float64Array.from({length: this.length}, (_, row) => key(row));
  }

  /** Return how often the texts of a row that are shown have a phrase. */
  #hits(query, {shown}, row) {
    return this.#inLowerCase(row).filter((_, i) => i < 1 || shown.has(i - 1))
      .reduce((hits, text) => hits + text.split(query).length - 1, 0);
  }

  /** Return the source and the references of a row as one text, and the hypothesis of each system. */
  #inLowerCase(row) {
    if (!this.#lowered[row]) {
      const {references, hypotheses} = this.#held.texts.of(row);
      const source = this.#held.sources?.[row] ?? "";
      const texts = [[source, ...references.map(plainText)].join("\n"), ...hypotheses.map(plainText)];
      this.#lowered[row] = texts.map((text) => text.toLowerCase());
    }
    return this.#lowered[row];
  }
}
