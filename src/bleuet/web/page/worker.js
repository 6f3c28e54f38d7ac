// Answers requests in the browser itself: the Python of bleuet runs here, in a thread of its own.

import { loadPyodide } from "./pyodide/pyodide.mjs";

// What is loaded first; nearly all of it is Python.
const FILES = ["pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs", "pyodide/python_stdlib.zip", "package.zip"];

/** Reads a file, and reports how many bytes have come; the browser keeps the file. */
async function read(name, onBytes) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const parts = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    onBytes(value.length);
  }
}

async function start() {
  let loaded = 0;
  const sizes = await (await fetch("sizes.json")).json();
  const total = FILES.reduce((sum, name) => sum + sizes[name], 0);
  const contents = await Promise.all(FILES.map((name) => read(name, (bytes) => {
    loaded += bytes;
    postMessage({ progress: Math.min(1, loaded / total) });
  })));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", location.href).href, env: { BLEUET_BACKEND: "python" } });
  python.unpackArchive(contents[FILES.indexOf("package.zip")], "zip", { extractDir: "/bleuet" });
  python.runPython("import sys; sys.path.insert(0, '/bleuet')");
  return python.pyimport("bleuet.web.operations").call_json;
}

const started = start();

addEventListener("message", async ({ data: { id, name, request } }) => {
  try {
    const answer = (await started)(name, JSON.stringify(request ?? {}));
    postMessage({ id, ...JSON.parse(answer) });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
});
