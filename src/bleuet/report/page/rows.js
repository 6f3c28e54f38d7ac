// The segments of the page by their numbers: filtered, sorted and searched here. The texts are on the page
// (`packed.js`) or on the server that made it (`served_texts.js`).

class Rows {
  #data;
  #held;
  #texts;
  // The rows found last, and of which state.
  #found = {key: null};

  /**
   * `held` has the columns of numbers, NaN for none: the length and the buckets of each segment, its scores and
   * contributions by system and metric, and which segments of the test set these are, unless they are all.
   * `texts` reads the texts of rows, and searches in them.
   */
  constructor(data, held, texts) {
    this.#data = data;
    this.#held = held;
    this.#texts = texts;
  }

  /** How many segments there are here. */
  get length() {
    return this.#held.lengths.length;
  }

  /** Return some of the segments that pass all filters, how many there are, and hits of the search. */
  async find(state, first, count) {
    const {rows, hits} = await this.#chosen(state);
    const shown = [...rows.slice(first, first + count)];
    const texts = shown.length ? await this.#texts.read(shown) : [];
    return {found: rows.length, hits, segments: shown.map((row, i) => ({...this.#numbers(row), ...texts[i]}))};
  }

  /** Return how many segments are before one in the order of the test set. */
  placeOf(segment) {
    const {rows} = this.#held;
    return rows ? rows.indexOf(segment - 1) : segment - 1;
  }

  /** Return the segments with scores of two systems, or an even sample of them, as points. */
  points({left, right, metric}) {
    const [across, up] = [this.#held.scores[left][metric], this.#held.scores[right][metric]];
    const scored = [];
    for (let row = 0; row < this.length; row++) if (!Number.isNaN(across[row] + up[row])) scored.push(row);
    const drawn = Math.min(scored.length, this.#data.most_points);
    return Array.from({length: drawn}, (_, number) => {
      const row = scored[Math.floor(number * scored.length / drawn)];
      return [this.#number(row), across[row], up[row]];
    });
  }

  #number(row) {
    return (this.#held.rows?.[row] ?? row) + 1;
  }

  #numbers(row) {
    const {lengths, buckets, scores, contributions} = this.#held;
    const present = (score) => Number.isNaN(score) ? null : score;
    const all = (columns) => columns.map((own) => own.map((column) => present(column[row])));
    return {
      segment: this.#number(row), length: lengths[row], buckets: buckets.map((of) => of[row]),
      scores: all(scores), contributions: all(contributions),
    };
  }

  async #chosen(state) {
    const {page, found, marked, chart, division, rankedBy, turned, ...wanted} = state;
    const query = state.query.trim().toLowerCase();
    const shown = query ? [...state.shown].sort((a, b) => a - b) : [];
    const key = JSON.stringify([{...wanted, query, shown}]);
    if (this.#found.key === key) return this.#found;
    const hitsOf = query ? await this.#texts.search(query, shown) : null;
    const rows = [];
    let hits = 0;
    for (let row = 0; row < this.length; row++) {
      const own = hitsOf ? hitsOf.get(row) : 0;
      if (own === undefined || !this.#passes(state, row)) continue;
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
}

/** Return a list of columns of numbers by system and metric. */
function bySystem(columns, metrics) {
  return Array.from({length: columns.length / metrics}, (_, system) => columns.slice(system * metrics, (system + 1) * metrics));
}

/** Return a list of columns of so many numbers each. */
function columnsOf(numbers, rows) {
  return Array.from({length: numbers.length / rows}, (_, column) => numbers.subarray(column * rows, (column + 1) * rows));
}
