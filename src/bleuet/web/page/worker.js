// Answers requests in the browser itself: the Python of bleuet runs here, in a thread of its own.

// What the first score needs: Python, and its memory once bleuet is loaded.
const RUNTIME = ["python.wasm", "python.memory"];
// Written here when the folder is made.
const TOTAL = Number("BYTES");
// Files of modules, which a rare request may need; they come after the first score.
const LATER = ["python_stdlib.zip", "modules.zip"];
// The share of the progress that is for the download. The first score is its end.
const DOWNLOADED = 0.8, STARTED = 0.95;

/** Reads a file of the runtime, and reports how many bytes have come. */
async function read(name, onBytes = () => {}) {
  const response = await fetch(`pyodide/${name}`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const parts = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value);
    onBytes(value.length);
  }
}

/** Unpacks what was packed when the folder was made, so that no server has to. */
function unpacked(blob, type) {
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

function download() {
  let loaded = 0;
  return Promise.all(RUNTIME.map((name) => read(name, (bytes) => {
    loaded += bytes;
    postMessage({ progress: DOWNLOADED * (loaded / TOTAL), stage: `Loading Python: ${megabytes(loaded)} of ${megabytes(TOTAL)} MB` });
  })));
}

async function start() {
  const [[wasm, memory], { loadPyodide }] = await Promise.all([
    download(),
    import("./pyodide/pyodide.mjs"),
    // Pyodide imports it, too; modules are loaded once.
    import("./pyodide/pyodide.asm.mjs"),
  ]);
  postMessage({ progress: DOWNLOADED, stage: "Starting Python" });
  // Pyodide fetches its files itself: it gets what has been downloaded.
  const network = self.fetch;
  self.fetch = async (address, options) => {
    if (String(address).endsWith("pyodide.asm.wasm")) return unpacked(wasm, "application/wasm");
    return String(address).endsWith("python_stdlib.zip") ? new Response("") : network(address, options);
  };
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", location.href).href,
    _loadSnapshot: unpacked(memory, "application/octet-stream").arrayBuffer(),
  });
  self.fetch = network;
  postMessage({ progress: STARTED, stage: "Computing the first score" });
  const call = python.pyimport("bleuet.web.operations").call_json;
  return { python, call };
}

/** Writes the files of modules where Python looks for them. */
async function addModules() {
  const { python } = await started;
  const [library, own] = await Promise.all(LATER.map(async (name) => new Uint8Array(await (await read(name)).arrayBuffer())));
  python.FS.writeFile(`/lib/${python.FS.readdir("/lib").find((name) => name.endsWith(".zip"))}`, library);
  python.FS.writeFile("/modules.zip", own);
}

const started = start();
let complete = null;

async function answer(name, request) {
  const { call } = await started;
  try {
    return call(name, request);
  } catch {
    // A module was not in the memory.
    await (complete ??= addModules());
    return call(name, request);
  }
}

addEventListener("message", async ({ data: { id, name, request } }) => {
  try {
    const found = await answer(name, JSON.stringify(request ?? {}));
    postMessage({ id, ...JSON.parse(found) });
    complete ??= addModules();
    // Without them, the next request that needs them tries again.
    complete.catch(() => { complete = null; });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
});
