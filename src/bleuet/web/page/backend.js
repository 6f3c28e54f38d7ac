// Where requests are answered: by the server that sent this page, or in the browser itself.

"use strict";

/** An error that says how to fix the request. */
class RequestError extends Error {}

/** An answer that nobody waits for any more, because a newer request was made. */
class Outdated extends Error {}

/** Answers requests over HTTP. */
class ServerBackend {
  promise = "Nothing is kept or logged of what you type here.";
  #running = null;

  /** Returns the answer to a request; a newer one ends the one before it. */
  async call(name, request) {
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    const options = request === undefined
      ? {}
      : { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" } };
    try {
      const response = await fetch(`api/v1/${name}`, { ...options, signal: running.signal });
      const answer = await response.json();
      if (!response.ok) throw new RequestError(answer.detail);
      return answer;
    } catch (error) {
      throw error.name === "AbortError" ? new Outdated() : error;
    }
  }
}

/** Answers requests in a worker of the browser, which runs bleuet's Python. */
class BrowserBackend {
  promise = "What you type here never leaves this computer: the page computes in your browser.";
  #worker = new Worker("worker.js", { type: "module" });
  #waiting = new Map();
  #last = 0;
  #busy = false;
  #next = null;

  /** Takes a function of how much of the program has been loaded, from 0 to 1. */
  constructor(onProgress) {
    navigator.serviceWorker?.register("service-worker.js");
    this.#worker.onmessage = ({ data }) => {
      if ("progress" in data) {
        onProgress(data.progress);
        return;
      }
      const { resolve, reject } = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      this.#busy = false;
      this.#sendNext();
      if ("answer" in data) resolve(data.answer);
      else reject(data.detail ? new RequestError(data.detail) : new Error(data.failure));
    };
  }

  /** Returns the answer to a request; only the newest of those that wait is sent. */
  call(name, request) {
    return new Promise((resolve, reject) => {
      this.#next?.reject(new Outdated());
      this.#next = { message: { id: ++this.#last, name, request }, resolve, reject };
      this.#sendNext();
    });
  }

  #sendNext() {
    if (this.#busy || this.#next === null) return;
    const { message, resolve, reject } = this.#next;
    this.#next = null;
    this.#busy = true;
    this.#waiting.set(message.id, { resolve, reject });
    this.#worker.postMessage(message);
  }
}
