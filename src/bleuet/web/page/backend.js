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
  #worker;
  #waiting = new Map();
  #last = 0;
  #busy = true;
  #next = null;
  #answered = false;
  #failure = "";

  /** Takes a function of how much is done until the first score, from 0 to 1, and of its stage. */
  constructor(onProgress) {
    onProgress(0, "Loading Python");
    this.#start(onProgress);
  }

  async #start(onProgress) {
    let first = await keptFromNowOn();
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onmessage = ({ data }) => {
      if ("progress" in data) {
        // After an error, other files may still come.
        if (!this.#answered) onProgress(data.progress, data.stage);
        return;
      }
      if (first) keepPage();
      first = false;
      this.#answer(data);
    };
    // The script did not come, or cannot run here.
    this.#worker.onerror = ({ message }) => {
      this.#failure = message || "its script did not come";
      for (const id of this.#waiting.keys()) this.#answer({ id, failure: this.#failure });
    };
    this.#busy = false;
    this.#sendNext();
  }

  #answer(data) {
    const { resolve, reject } = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    this.#answered = true;
    this.#busy = false;
    this.#sendNext();
    if ("answer" in data) resolve(data.answer);
    else reject(data.detail ? new RequestError(data.detail) : new Error(data.failure));
  }

  /** Returns the answer to a request; only the newest of those that wait is sent. */
  async call(name, request) {
    // Known when the folder was made, so that the form need not wait for Python.
    if (name === "metrics") return (await fetch("metrics.json")).json();
    if (this.#failure) throw new Error(this.#failure);
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

/**
 * Waits until the service worker keeps all that is loaded, so that nothing is loaded twice, and
 * returns whether it begins to now. Some private windows have none: then nothing is kept.
 */
async function keptFromNowOn() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || serviceWorker.controller) {
    serviceWorker?.register("service-worker.js").catch(() => {});
    return false;
  }
  const begun = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", () => resolve(true), { once: true }));
  const none = serviceWorker.register("service-worker.js").then((made) => !made || made.active ? false : begun, () => false);
  const late = new Promise((resolve) => setTimeout(resolve, 2000, false));
  return Promise.race([begun, none, late]);
}

/** Lets the service worker keep what the page had loaded before it began. */
function keepPage() {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  for (const address of new Set([location.pathname, ...loaded])) fetch(address).catch(() => {});
}
