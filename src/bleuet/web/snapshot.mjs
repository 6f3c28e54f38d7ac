// Starts bleuet's Python once, while the static folder is made, and writes its memory: the browser then
// starts from there. Node.js runs this, with the folder of Pyodide, the archive of bleuet, and the two
// files that it writes.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, metrics, memory] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({
  indexURL: `${folder}/`,
  env: { BLEUET_BACKEND: "python", PYTHONHASHSEED: "0" },
  _makeSnapshot: true,
});
python.FS.writeFile("/modules.zip", new Uint8Array(readFileSync(archive)));
const offered = python.runPython(`
import gc, sys
sys.path.insert(0, "/modules.zip")
from bleuet.web import in_browser, operations
offered = in_browser.offered()
gc.collect()
offered
`);
writeFileSync(metrics, offered);
writeFileSync(memory, python.makeMemorySnapshot());
