// The texts of a comparison that a server holds; the page has only those that it shows.

/** Return the rows of the server's comparison: it sends the numbers once, and texts when they are shown. */
async function servedRows({segments, systems, metrics}) {
  const response = await fetch(besidePage("numbers"));
  if (!response.ok) throw new Error((await response.json()).detail);
  const content = await response.arrayBuffer();
  const count = systems.length * metrics.length * segments;
  const [scores, contributions] = [0, 1].map((which) =>
    bySystem(columnsOf(new Float64Array(content, which * count * 8, count), segments), metrics.length));
  const [lengths, ...buckets] = columnsOf(new Int32Array(content, 2 * count * 8), segments);
  return new Rows(data, {rows: null, lengths, buckets, scores, contributions}, new ServedTexts());
}

const besidePage = (name) => `${location.pathname.replace(/[^/]*$/, "")}${name}`;

class ServedTexts {
  #sent = new Map();

  async read(rows) {
    return (await this.#ask("texts", {segments: rows.map((row) => row + 1)})).segments;
  }

  /** Return how often each row that has a phrase has it, in lower case, in the texts that are shown. */
  async search(query, shown) {
    const {segments, hits} = await this.#ask("search", {query, shown});
    return new Map(segments.map((segment, i) => [segment - 1, hits[i]]));
  }

  /** Send a request; a newer one of its kind ends the one before it. */
  async #ask(path, request) {
    this.#sent.get(path)?.abort();
    const sent = new AbortController();
    this.#sent.set(path, sent);
    const response = await fetch(besidePage(path), {
      method: "POST", body: JSON.stringify(request), signal: sent.signal,
      headers: {"content-type": "application/json"},
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }
}
