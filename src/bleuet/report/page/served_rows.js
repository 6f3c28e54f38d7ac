// The segments of a comparison that a server holds; the page has only those that it shows.

class ServedRows {
  #sent = new Map();

  constructor({segments}) {
    this.length = segments;
  }

  async find(state, first, count) {
    const {left, right, metric, sort, descending, query, low, high} = state;
    return this.#ask("sentences", {
      first, count, left, right, metric, descending, low, high, query: query.trim(),
      sort: /^\d+$/.test(sort) ? Number(sort) : sort,
      shown: [...state.shown], ahead: state.ahead || null,
      score_of: state.scoreOf < 0 ? null : state.scoreOf,
      buckets: state.buckets.map((bucket) => bucket < 0 ? null : bucket),
    });
  }

  async placeOf(segment) {
    return segment - 1;
  }

  async points({left, right, metric}) {
    return (await this.#ask("points", {left, right, metric})).points;
  }

  /** Send a request; a newer one of its kind ends the one before it. */
  async #ask(path, request) {
    this.#sent.get(path)?.abort();
    const sent = new AbortController();
    this.#sent.set(path, sent);
    const response = await fetch(`${location.pathname.replace(/[^/]*$/, "")}${path}`, {
      method: "POST", body: JSON.stringify(request), signal: sent.signal,
      headers: {"content-type": "application/json"},
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }
}
